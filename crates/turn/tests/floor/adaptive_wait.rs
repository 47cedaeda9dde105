//! A wait that fits the speaker: short after a turn that sounds finished, long after one that does
//! not. Segments close 208 ms into a pause, and an opinion takes 60 ms.

use std::time::Duration;

use turn::{AdaptiveWait, Command, Opinion, Plan};

use crate::scene::{Preparation, Scene, adaptive_plan, finished, ms, unfinished};

fn scene() -> Scene {
    Scene::with_plan(adaptive_plan())
}

/// When the reply starts to words said from 1.6 s to 3.2 s.
fn reply_to(words: &str, opinion: Option<Opinion>) -> Vec<u64> {
    let call = scene()
        .caller_says(1600, 3200, words)
        .pause_sounds(1, opinion);
    call.until(9000).times("StartReply")
}

#[test]
fn a_turn_that_sounds_finished_is_replied_to_soon() {
    assert_eq!(reply_to("he hit me", finished()), [3200 + 600]);
}

#[test]
fn a_turn_that_sounds_unfinished_is_waited_for_longer() {
    assert_eq!(reply_to("he hit me", unfinished()), [3200 + 2500]);
}

#[test]
fn where_it_is_in_doubt_the_wait_lies_between() {
    let waits = |finished| {
        let opinion = Opinion {
            finished,
            hushed: false,
        };
        reply_to("he hit me", Some(opinion))[0] - 3200
    };
    assert_eq!([waits(0.9), waits(1.0)], [600, 600]);
    assert_eq!([waits(0.4), waits(0.0), waits(f32::NAN)], [2500; 3]);
    assert!((1540..1560).contains(&waits(0.65)), "{}", waits(0.65));
    assert!(waits(0.8) < waits(0.7));
}

#[test]
fn without_an_opinion_the_fixed_wait_holds() {
    assert_eq!(reply_to("he hit me", None), [3200 + 3000]);
    let never_answered = scene().caller_says(1600, 3200, "he hit me").until(9000);
    assert_eq!(never_answered.times("StartReply"), [3200 + 3000]);
}

#[test]
fn an_opinion_that_comes_too_late_is_none() {
    for (takes, waits) in [(900, 208 + 900), (1100, 3000)] {
        let call = scene()
            .caller_says(1600, 3200, "he hit me")
            .pause_sounds(1, finished())
            .opinions_take(takes)
            .until(9000);
        assert_eq!(call.times("StartReply"), [3200 + waits], "after {takes} ms");
    }
}

#[test]
fn no_wait_is_shorter_than_the_least() {
    for (opinion, fixed) in [(finished(), 3000), (unfinished(), 3000), (None, 400)] {
        let plan = Plan {
            start_wait: ms(fixed),
            adaptive_wait: Some(AdaptiveWait {
                least: ms(2800),
                ..AdaptiveWait::default()
            }),
            ..adaptive_plan()
        };
        let call = Scene::with_plan(plan)
            .caller_says(1600, 3200, "he hit me")
            .pause_sounds(1, opinion)
            .until(9000);
        assert_eq!(call.times("StartReply"), [3200 + 2800], "{opinion:?}");
    }
}

#[test]
fn an_opinion_is_asked_at_each_pause_on_the_turn_so_far() {
    let call = scene()
        .caller_says(1600, 2400, "my husband")
        .caller_says(4000, 4800, "hit me")
        .until(12_000);
    let asked: Vec<_> = call
        .commands
        .iter()
        .filter_map(|(at, command)| match command {
            Command::AskWhetherFinished { segment, sound } => Some((*at, segment.0, *sound)),
            _ => None,
        })
        .collect();
    // From 1.6 s, and the pre-roll before it.
    assert_eq!(
        asked,
        [
            (2608, 1, ms(2608 - 1600 + 320)),
            (5008, 2, ms(5008 - 1600 + 320))
        ]
    );
    assert_eq!(call.times("CloseSegment"), [2608, 5008]);
}

#[test]
fn nobody_is_asked_where_the_wait_is_fixed() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .until(9000);
    assert_eq!(call.times("AskWhetherFinished"), []);
}

#[test]
fn a_caller_who_goes_on_is_judged_by_the_pause_after_that() {
    let call = scene()
        .caller_says(1600, 2400, "my husband")
        .caller_says(2800, 3600, "hit me")
        .pause_sounds(1, finished())
        .pause_sounds(2, unfinished())
        .until(12_000);
    assert_eq!(call.answered(), [(3600 + 2500, "my husband hit me".into())]);

    let silent_on_the_second = scene()
        .caller_says(1600, 2400, "my husband")
        .caller_says(2800, 3600, "hit me")
        .pause_sounds(1, finished())
        .until(12_000);
    assert_eq!(silent_on_the_second.times("StartReply"), [3600 + 3000]);
}

#[test]
fn an_opinion_on_a_pause_that_is_over_says_nothing_about_the_next() {
    let call = scene()
        .caller_says(1600, 2400, "my husband")
        .caller_says(2800, 3600, "hit me")
        .pause_sounds(1, finished())
        .opinions_take(950)
        .until(12_000);
    assert_eq!(call.times("StartReply"), [3600 + 3000]);
}

#[test]
fn a_noise_leaves_the_opinion_as_it_was() {
    let call = scene()
        .caller_says(1600, 3200, "he hit me")
        .caller_sounds(3552, 3616)
        .pause_sounds(1, finished())
        .until(9000);
    assert_eq!(call.times("DropSegment"), [3616 + 208]);
    assert_eq!(call.times("StartReply"), [3616 + 208]);
}

#[test]
fn words_that_lead_on_are_waited_for_whatever_they_sound_like() {
    for words in ["he came home and", "my name is umm", "I left because"] {
        assert_eq!(reply_to(words, finished()), [3200 + 2500], "{words}");
    }
}

#[test]
fn digits_are_waited_for_until_there_are_eight() {
    let mut call = scene();
    let pairs = ["nine one", "two three", "four five", "six seven"];
    for (n, pair) in pairs.iter().enumerate() {
        let from = 1600 + 1600 * n as u64;
        call = call
            .caller_says(from, from + 800, pair)
            .pause_sounds(n as u64 + 1, finished());
    }
    let call = call.until(14_000);
    let number = pairs.join(" ");
    assert_eq!(call.answered(), [(7200 + 600, number)]);
    assert_eq!(reply_to("nine one", finished()), [3200 + 2500]);
    assert_eq!(reply_to("there was no one", finished()), [3200 + 600]);
}

#[test]
fn a_whispering_caller_gets_the_longest_wait_then_and_for_a_while_after() {
    let whispered = finished().map(|opinion| Opinion {
        hushed: true,
        ..opinion
    });
    let call = scene()
        .replies_last(1000)
        .caller_says(1600, 3200, "he is here")
        .caller_says(9600, 11_200, "he hit me")
        .caller_says(41_600, 43_200, "he has left")
        .pause_sounds(1, whispered)
        .pause_sounds(2, finished())
        .pause_sounds(3, finished())
        .until(50_000);
    assert_eq!(
        call.times("StartReply"),
        [3200 + 3000, 11_200 + 3000, 43_200 + 600]
    );
}

#[test]
fn a_voice_without_words_is_taken_for_crying() {
    let call = scene()
        .caller_sounds(1600, 2400)
        .caller_says(3200, 4800, "he hit me")
        .pause_sounds(1, finished())
        .pause_sounds(2, finished())
        .until(12_000);
    assert_eq!(call.times("StartReply"), [4800 + 3000]);
}

#[test]
fn a_short_noise_is_not_taken_for_crying() {
    let call = scene()
        .caller_sounds(1600, 1808)
        .caller_says(3200, 4800, "he hit me")
        .pause_sounds(1, finished())
        .pause_sounds(2, finished())
        .until(12_000);
    assert_eq!(call.times("StartReply"), [4800 + 600]);
}

#[test]
fn a_reply_that_is_not_ready_yet_starts_the_moment_it_is() {
    let call = scene()
        .caller_says(1600, 3200, "he hit me")
        .pause_sounds(1, finished())
        .replies(Preparation::Takes(1500))
        .until(9000);
    assert_eq!(call.prepared().len(), 1);
    assert_eq!(call.times("StartReply"), [3200 + 208 + 80 + 1500]);
}

#[test]
fn an_interruption_is_waited_for_as_any_turn() {
    let call = scene()
        .assistant_speaks(1000, 9000)
        .caller_says(3200, 4800, "please listen to me now")
        .pause_sounds(1, finished())
        .until(12_000);
    assert_eq!(call.times("StopPlayout").len(), 1);
    assert_eq!(call.times("StartReply"), [4800 + 600]);
}

#[test]
fn words_over_the_assistant_that_are_answered_after_it_leave_time_to_say_more() {
    let call = scene()
        .assistant_speaks(1000, 9000)
        .caller_says(3200, 3600, "police")
        .pause_sounds(1, finished())
        .until(14_000);
    assert_eq!(call.times("StartReply"), [9000 + 3000]);
}

#[test]
fn a_mm_hmm_over_the_assistant_changes_nothing() {
    let call = scene()
        .assistant_speaks(1000, 9000)
        .caller_says(3200, 3600, "mm-hmm")
        .pause_sounds(1, finished())
        .until(12_000);
    assert_eq!(call.times("StopPlayout"), []);
    assert_eq!(call.prepared(), []);
}

#[test]
fn typed_words_are_answered_at_once_all_the_same() {
    let call = scene().caller_types(2000, "send help and").until(3000);
    assert_eq!(call.times("StartReply"), [2200]);
}

#[test]
fn the_wait_given_is_told_with_the_reply() {
    let waited = |call: crate::scene::Recording| {
        call.commands.iter().find_map(|(_, command)| match command {
            Command::StartReply { waited, .. } => Some(*waited),
            _ => None,
        })
    };
    let said = scene()
        .caller_says(1600, 3200, "he hit me")
        .pause_sounds(1, finished());
    let wait = Duration::from_millis(600);
    assert_eq!(waited(said.until(9000)), Some(Some(wait)));
    let typed = scene().caller_types(2000, "he hit me");
    assert_eq!(waited(typed.until(9000)), Some(None));
}

#[test]
fn how_late_a_reply_is_by_the_plan_is_told_with_it() {
    let late = |call: crate::scene::Recording| {
        call.commands.iter().find_map(|(_, command)| match command {
            Command::StartReply { late, .. } => Some(*late),
            _ => None,
        })
    };
    let said = || {
        scene()
            .caller_says(1600, 3200, "he hit me")
            .pause_sounds(1, finished())
    };
    assert_eq!(late(said().until(9000)), Some(Some(Duration::ZERO)));
    let slow = said().replies(Preparation::Takes(1500)).until(9000);
    let starts = slow.times("StartReply")[0];
    let beyond = Duration::from_millis(starts - 3200 - 600);
    assert!(beyond > Duration::from_secs(1), "{beyond:?}");
    assert_eq!(late(slow), Some(Some(beyond)));
    let typed = scene().caller_types(2000, "he hit me");
    assert_eq!(late(typed.until(9000)), Some(None));
}
