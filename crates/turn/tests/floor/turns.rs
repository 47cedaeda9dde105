//! From the caller's speech to the moment of the reply.

use redact::Secret;
use turn::{Command, Event, Plan, SegmentId, TurnId};

use crate::scene::{Preparation, Scene, ms, quiet_plan};

#[test]
fn a_reply_starts_three_seconds_after_the_end_of_speech() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .until(9000);

    // It has been prepared long before.
    assert_eq!(call.prepared(), [(3488, "he hit me".into())]);
    assert_eq!(call.answered(), [(6200, "he hit me".into())]);
}

#[test]
fn the_wait_of_the_plan_is_kept_to_the_millisecond() {
    for (wait, starts) in [(3000, 6200), (400, 3688), (500, 3700), (0, 3688)] {
        let plan = Plan {
            start_wait: ms(wait),
            ..quiet_plan()
        };
        let call = Scene::with_plan(plan)
            .caller_says(1600, 3200, "he hit me")
            .until(9000);
        assert_eq!(call.times("StartReply"), [starts], "wait of {wait} ms");
    }
}

#[test]
fn a_reply_that_is_late_starts_the_moment_it_is_prepared() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .replies(Preparation::Takes(4000))
        .until(9000);
    assert_eq!(call.times("StartReply"), [3488 + 4000]);
}

#[test]
fn speech_within_the_wait_joins_the_turn() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .caller_says(4000, 4800, "hit me")
        .until(12_000);

    assert_eq!(
        call.story()[..4],
        [
            "2688 PrepareReply",
            "5088 DiscardReply",
            "5088 PrepareReply",
            "7800 StartReply"
        ]
    );
    assert_eq!(call.answered_words(), ["my husband hit me"]);
}

#[test]
fn a_reply_that_something_overtakes_is_prepared_anew_and_starts_when_the_wait_is_over() {
    for (overtaken, starts) in [(2750, 5400), (4000, 5400), (5300, 5500)] {
        let call = Scene::new()
            .caller_says(1600, 2400, "my husband")
            .at(overtaken, Event::ReplyOvertaken)
            .until(6000);
        let anew = [
            format!("{overtaken} DiscardReply"),
            format!("{overtaken} PrepareReply"),
            format!("{starts} StartReply"),
        ];
        assert_eq!(call.story()[1..], anew);
        assert_eq!(call.answered_words(), ["my husband"]);
    }
}

#[test]
fn with_nothing_to_answer_there_is_nothing_to_overtake() {
    let call = Scene::new().at(2000, Event::ReplyOvertaken).until(3000);
    assert_eq!(call.story(), Vec::<String>::new());
}

#[test]
fn on_another_line_no_segment_and_no_turn_is_one_of_the_lines_before() {
    let before = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .until(6000);
    let mut floor = before.floor.after(quiet_plan());
    floor.handle(Event::CallConnected, ms(0));
    let words = Secret::from("hit me");
    floor.handle(Event::CallerTyped { words }, ms(0));
    for frame in 1..10 {
        floor.handle(Event::VoiceFrame { voiced: true }, ms(16 * frame));
    }
    let (mut opened, mut prepared) = (None, None);
    while let Some(command) = floor.poll_command() {
        match command {
            Command::OpenSegment { segment, .. } => opened = Some(segment),
            Command::PrepareReply { turn, .. } => prepared = Some(turn),
            _ => {}
        }
    }
    assert!(opened > Some(SegmentId(1)), "{opened:?}");
    assert!(prepared > Some(TurnId(1)), "{prepared:?}");
}

#[test]
fn speech_after_the_wait_is_another_turn() {
    let call = Scene::new()
        .replies_last(1000)
        .caller_says(1600, 2400, "my husband")
        .caller_says(8000, 8800, "hit me")
        .until(14_000);
    assert_eq!(call.answered_words(), ["my husband", "hit me"]);
}

#[test]
fn a_reply_does_not_start_while_the_caller_speaks() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .caller_says(5120, 8000, "hit me with a chair")
        .until(12_000);
    assert_eq!(
        call.answered(),
        [(11_000, "my husband hit me with a chair".into())]
    );
}

#[test]
fn a_noise_within_the_wait_changes_nothing() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_sounds(4000, 4064)
        .until(9000);
    assert_eq!(call.times("DropSegment").len(), 1);
    assert_eq!(call.times("DiscardReply"), []);
    assert_eq!(call.times("StartReply"), [6200]);
}

#[test]
fn a_noise_at_the_moment_of_the_reply_holds_it_until_it_is_known_to_be_one() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_sounds(6144, 6208)
        .until(9000);
    assert_eq!(call.times("StartReply"), call.times("DropSegment"));
    assert_eq!(call.times("StartReply"), [6208 + 208]);
}

#[test]
fn a_sound_without_words_uses_the_reply_that_was_prepared() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_sounds(5600, 6400)
        .until(9000);
    assert_eq!(call.prepared().len(), 1);
    assert_eq!(call.times("StartReply"), [6400 + 208 + 80]);
}

#[test]
fn a_sound_that_goes_on_without_words_does_not_hold_the_reply_for_ever() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_sounds(5600, 60_000)
        .until(30_000);
    let started = call.times("StartReply")[0];
    assert!((7600..8800).contains(&started), "{started}");
    assert_eq!(call.answered()[0].1, "he hit me");
}

#[test]
fn words_that_follow_a_long_pause_in_the_sound_still_join() {
    // The voice never pauses, but the words come late: they are waited for.
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_says(5600, 9600, "and then he left the house")
        .until(14_000);
    assert_eq!(
        call.answered(),
        [(12_600, "he hit me and then he left the house".into())]
    );
}

#[test]
fn a_200_ms_yes_is_kept_whole() {
    let call = Scene::new().caller_says(1600, 1808, "yes").until(6000);
    assert_eq!(call.answered_words(), ["yes"]);
    let pre_roll = call
        .commands
        .iter()
        .find_map(|(at, command)| match command {
            Command::OpenSegment { pre_roll, .. } => Some((*at, *pre_roll)),
            _ => None,
        });
    let (opened, pre_roll) = pre_roll.expect("a segment opens");
    assert!(ms(opened) - pre_roll <= ms(1600 - 300));
}

#[test]
fn transcripts_out_of_order_are_joined_in_the_order_spoken() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .caller_says(2800, 3600, "hit me")
        .caller_says(4000, 4800, "last night")
        .transcript_takes(1, 3000)
        .transcript_takes(2, 1000)
        .until(12_000);
    assert_eq!(
        call.prepared(),
        [(5608, "my husband hit me last night".into())]
    );
    assert_eq!(call.times("StartReply"), [7800]);
}

#[test]
fn long_speech_is_transcribed_in_pieces_and_loses_no_word() {
    let words: Vec<_> = (0..120).map(|n| format!("word{n}")).collect();
    let words = words.join(" ");
    let call = Scene::new()
        .caller_says(1600, 1600 + 50_000, &words)
        .until(60_000);
    assert_eq!(call.answered_words(), [words]);
    assert_eq!(call.times("CloseSegment").len(), 4);
    assert_eq!(call.times("CallerStarted").len(), 1);
    assert_eq!(call.times("CallerStopped").len(), 1);
}

#[test]
fn no_segment_holds_more_audio_than_the_transcriber_takes() {
    let call = Scene::new()
        .caller_says(1600, 61_600, &"word ".repeat(100))
        .until(70_000);
    let mut opened = None;
    for (at, command) in &call.commands {
        match command {
            Command::OpenSegment { pre_roll, .. } => opened = Some(ms(*at) - *pre_roll),
            Command::CloseSegment { .. } => {
                assert!(ms(*at) - opened.take().unwrap() <= Plan::default().longest_segment);
            }
            _ => {}
        }
    }
}

#[test]
fn speech_without_words_is_answered_as_not_understood() {
    let call = Scene::new().caller_sounds(1600, 3200).until(9000);
    assert_eq!(call.answered(), [(6200, String::new())]);
}

#[test]
fn a_cough_is_not_answered() {
    let call = Scene::new().caller_sounds(1600, 1808).until(9000);
    assert_eq!(call.prepared(), []);
}

#[test]
fn typed_words_are_a_turn_at_once() {
    let call = Scene::new().caller_types(2000, "I can't speak").until(3000);
    assert_eq!(call.prepared(), [(2000, "I can't speak".into())]);
    assert_eq!(call.times("StartReply"), [2200]);
}

#[test]
fn typed_words_join_what_was_said_before_them() {
    let call = Scene::new()
        .caller_says(1600, 2400, "he is here")
        .caller_types(3200, "send help")
        .until(6000);
    assert_eq!(call.answered(), [(3400, "he is here send help".into())]);
}

#[test]
fn typed_words_interrupt_the_assistant() {
    let call = Scene::new()
        .assistant_speaks(1000, 9000)
        .caller_types(3000, "send help")
        .until(6000);
    assert_eq!(
        call.story(),
        ["3000 StopPlayout", "3000 PrepareReply", "3200 StartReply"]
    );
}

#[test]
fn typed_words_do_not_wait_for_the_voice_behind_them() {
    let call = Scene::new()
        .caller_sounds(1600, 20_000)
        .caller_types(3200, "he is shouting")
        .until(4000);
    assert_eq!(call.answered(), [(3400, "he is shouting".into())]);
}

#[test]
fn blank_typing_is_no_turn() {
    let call = Scene::new().caller_types(2000, " \n ").until(5000);
    assert_eq!(call.story(), Vec::<String>::new());
}

#[test]
fn more_than_one_turn_takes_is_not_typed_into_it_and_is_into_the_next() {
    let plan = Plan {
        most_typed: 20,
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .caller_types(2000, "he is here")
        .caller_types(2010, "send help.")
        .caller_types(2020, "now")
        .caller_types(2300, "he has left")
        .until(6000);
    assert_eq!(call.times("RefuseTyped"), [2020]);
    assert_eq!(
        call.answered_words(),
        ["he is here send help.", "he has left"]
    );
}

#[test]
fn muting_closes_the_open_segment_and_the_words_so_far_are_a_turn() {
    let call = Scene::new()
        .caller_says(1600, 9600, "he is coming up the stairs right now")
        .at(5601, Event::CallerMuted(true))
        .until(12_000);
    assert_eq!(call.times("CloseSegment"), [5601]);
    assert_eq!(call.times("CallerStopped"), [5601]);
    assert_eq!(call.answered(), [(8600, "he is coming up".into())]);
}

#[test]
fn audio_from_before_an_unmute_is_never_kept() {
    let call = Scene::new()
        .at(1000, Event::CallerMuted(true))
        .at(4001, Event::CallerMuted(false))
        .caller_says(4000, 4800, "hello there")
        .until(5500);
    let kept_from = call
        .commands
        .iter()
        .find_map(|(at, command)| match command {
            Command::OpenSegment { pre_roll, .. } => Some(ms(*at) - *pre_roll),
            _ => None,
        });
    assert!(kept_from.unwrap() >= ms(4000));
}

#[test]
fn speech_updates_come_in_pairs_and_do_not_flicker_at_pauses() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .caller_says(2960, 3600, "hit me")
        .caller_sounds(20_000, 20_048)
        .until(24_000);
    assert_eq!(call.times("CloseSegment").len(), 2);
    assert_eq!(call.times("CallerStarted"), [1600 + 96]);
    assert_eq!(call.times("CallerStopped"), [4600]);
}

#[test]
fn an_utterance_is_over_at_the_latest_when_it_is_answered() {
    let plan = Plan {
        start_wait: ms(0),
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .caller_says(1600, 2400, "hello there")
        .until(4000);
    assert_eq!(call.times("CallerStopped"), call.times("StartReply"));
}

#[test]
fn something_told_meanwhile_goes_first_and_the_reply_follows() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .assistant_speaks(4000, 8000)
        .until(12_000);
    assert_eq!(call.times("StartReply"), [8000]);
}

#[test]
fn answers_to_preparations_thrown_away_are_not_mistaken() {
    let call = Scene::new()
        .replies(Preparation::Takes(2600))
        .caller_says(1600, 2400, "my husband")
        .caller_says(4000, 4800, "hit me")
        .until(12_000);
    // The first answer comes at 5288, while the second preparation is under way until 7688.
    assert_eq!(call.answered(), [(7800, "my husband hit me".into())]);
}

#[test]
fn no_words_show_when_commands_and_events_are_printed() {
    let call = Scene::new()
        .caller_says(1600, 2400, "hush hush")
        .until(6000);
    let words = Secret::from("hush");
    let printed = format!(
        "{:?} {:?} {:?}",
        call.commands,
        call.floor,
        Event::CallerTyped { words }
    );
    assert!(printed.contains("PrepareReply"));
    assert!(!printed.contains("hush"));
}
