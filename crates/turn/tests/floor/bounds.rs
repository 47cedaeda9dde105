//! Nothing is waited for without end.

use turn::{Command, Ended, Event, Fallback, Plan, TurnId};

use crate::scene::{Preparation, Scene, ms, quiet_plan};

fn fallbacks(call: &crate::scene::Recording) -> Vec<(u64, Fallback)> {
    let reasons = call
        .commands
        .iter()
        .filter_map(|(at, command)| match command {
            Command::SayFallback { reason } => Some((*at, *reason)),
            _ => None,
        });
    reasons.collect()
}

#[test]
fn a_transcript_that_never_comes_is_speech_not_understood() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .transcript_never_comes(1)
        .until(12_000);
    assert_eq!(call.prepared(), [(3408 + 4000, String::new())]);
    assert_eq!(call.times("StartReply"), [7608]);
}

#[test]
fn a_transcription_that_fails_is_speech_not_understood() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .transcript_fails(1)
        .until(12_000);
    assert_eq!(call.answered(), [(6200, String::new())]);
}

#[test]
fn one_piece_lost_does_not_lose_the_others() {
    let call = Scene::new()
        .caller_says(1600, 2400, "my husband")
        .caller_says(3200, 4000, "hit me")
        .transcript_never_comes(1)
        .until(12_000);
    assert_eq!(call.answered_words(), ["hit me"]);
}

#[test]
fn words_that_come_after_the_bound_are_still_answered() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .transcript_takes(1, 6000)
        .until(20_000);
    assert_eq!(
        call.answered_words(),
        ["", "he hit me"],
        "first as not understood, then in words"
    );
}

#[test]
fn words_that_come_after_the_bound_but_before_the_reply_take_its_place() {
    let call = Scene::new()
        .replies(Preparation::Takes(3000))
        .caller_says(1600, 3200, "he hit me")
        .transcript_takes(1, 5000)
        .until(20_000);
    assert_eq!(call.answered_words(), ["he hit me"]);
}

#[test]
fn a_reply_that_never_comes_is_a_fallback_then_another_try() {
    let call = Scene::new()
        .replies(Preparation::Never)
        .caller_says(1600, 3200, "he hit me")
        .until(20_000);
    assert_eq!(
        call.story()[..4],
        [
            "3488 PrepareReply",
            "9488 SayFallback",
            "9488 PrepareReply",
            "15488 SayFallback"
        ]
    );
    assert_eq!(
        fallbacks(&call),
        [
            (9488, Fallback::ReplyLate { turn: TurnId(1) }),
            (15_488, Fallback::ReplyLate { turn: TurnId(2) })
        ]
    );
}

#[test]
fn words_whose_reply_never_came_go_with_the_next_turn() {
    let call = Scene::new()
        .replies(Preparation::Never)
        .caller_says(1600, 3200, "he hit me")
        .caller_says(24_000, 25_600, "are you there")
        .until(28_000);
    assert_eq!(
        call.prepared().last(),
        Some(&(25_888, "he hit me are you there".into()))
    );
}

#[test]
fn a_reply_that_fails_is_a_fallback_at_once_and_no_endless_retry() {
    let call = Scene::new()
        .replies(Preparation::Fails)
        .caller_says(1600, 3200, "he hit me")
        .until(14_000);
    assert_eq!(call.prepared().len(), 2);
    assert_eq!(
        fallbacks(&call),
        [(3538, Fallback::ReplyFailed { turn: TurnId(1) })]
    );
}

#[test]
fn a_reply_is_not_late_while_the_caller_speaks_on() {
    let call = Scene::new()
        .replies(Preparation::Never)
        .caller_says(1600, 2400, "my husband")
        .caller_says(3200, 14_000, &"word ".repeat(20))
        .until(19_000);
    assert_eq!(fallbacks(&call), []);
}

#[test]
fn what_does_not_begin_to_play_is_followed_by_the_fallback_and_then_the_end() {
    let call = Scene::with_plan(Plan::default())
        .nothing_starts_playing()
        .until(60_000);
    assert_eq!(
        call.story(),
        [
            "5000 SayFallback",
            "10000 SayFallback",
            "15000 StopPlayout",
            "15000 End"
        ]
    );
    assert_eq!(call.ended(), Some((15_000, Ended::AssistantUnheard)));
}

#[test]
fn a_playout_that_never_finishes_is_stopped_and_the_floor_is_free() {
    let call = Scene::new()
        .assistant_speaks(1000, 2000)
        .nothing_finishes_playing()
        .until(77_000);
    assert_eq!(call.story(), ["61000 StopPlayout", "76000 CheckIn"]);
}

#[test]
fn a_segment_does_not_stay_open_when_frames_stop() {
    let call = Scene::new()
        .caller_says(1600, 8000, "he is coming up the stairs now")
        .frames_stop(4000)
        .until(12_000);
    assert_eq!(call.times("CloseSegment"), [4500]);
    assert_eq!(call.answered_words().len(), 1);
}

#[test]
fn the_longest_call_ends_whatever_happens() {
    let plan = Plan {
        max_duration: ms(20_000),
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .caller_says(1600, 40_000, &"word ".repeat(60))
        .until(60_000);
    let (at, reason) = call.ended().expect("it ends");
    assert_eq!(reason, Ended::ExceededMaxDuration);
    assert_eq!(at, 20_080, "after the transcript of the last words");
    let unanswered = call.floor.unanswered_words();
    assert!(unanswered.expose_secret().starts_with("word word"));
}

#[test]
fn late_timers_change_nothing_but_the_time() {
    // Nobody calls handle_deadline: the next event finds what is due.
    let mut floor = turn::Floor::new(quiet_plan());
    floor.handle(Event::CallConnected, ms(0));
    floor.handle(Event::VoiceFrame { voiced: false }, ms(17_000));
    assert_eq!(floor.poll_command(), Some(Command::CheckIn));
}

#[test]
fn time_that_seems_to_go_back_does_no_harm() {
    let mut floor = turn::Floor::new(quiet_plan());
    floor.handle(Event::CallConnected, ms(0));
    floor.handle(Event::AssistantTold, ms(5000));
    floor.handle(Event::PlayoutStarted, ms(1000));
    floor.handle(Event::PlayoutFinished, ms(0));
    assert_eq!(floor.poll_deadline().map(|(at, _)| at), Some(ms(20_000)));
}

#[test]
fn a_reply_that_fails_while_something_else_is_said_is_tried_again_after_it() {
    let call = Scene::new()
        .replies(Preparation::Fails)
        .caller_says(1600, 3200, "he hit me")
        .assistant_speaks(3300, 8000)
        .until(9000);
    assert_eq!(
        call.story(),
        [
            "3488 PrepareReply",
            "3538 DiscardReply",
            "8000 PrepareReply",
            "8050 SayFallback"
        ]
    );
}

#[test]
fn a_turn_that_grows_has_its_tries_anew() {
    let call = Scene::new()
        .replies(Preparation::Never)
        .caller_says(1600, 3200, "he hit me")
        .caller_says(10_400, 11_200, "do you hear me")
        .until(40_000);
    let last: Vec<_> = call.prepared().into_iter().skip(2).collect();
    let words = "he hit me do you hear me";
    assert_eq!(last.len(), 2);
    assert!(last.iter().all(|(_, prepared)| prepared == words));
}

#[test]
fn a_pause_does_not_count_towards_the_longest_playout() {
    let call = Scene::new()
        .assistant_speaks(0, 62_000)
        .nothing_finishes_playing()
        .caller_sounds(4000, 5200)
        .until(70_000);
    assert_eq!(
        call.story(),
        [
            "4608 PausePlayout",
            "5488 ResumePlayout",
            "60880 StopPlayout"
        ]
    );
}

#[test]
fn a_playout_that_is_heard_forgives_those_that_were_not() {
    let plan = Plan {
        unheard_playouts: 2,
        ..Plan::default()
    };
    let mut floor = turn::Floor::new(plan);
    floor.handle(Event::CallConnected, ms(0));
    floor.handle_deadline(ms(5000));
    let reason = Fallback::PlayoutLate;
    assert_eq!(floor.poll_command(), Some(Command::SayFallback { reason }));
    floor.handle(Event::PlayoutStarted, ms(5100));
    floor.handle(Event::PlayoutFinished, ms(8000));
    floor.handle(Event::AssistantTold, ms(9000));
    floor.handle_deadline(ms(14_000));
    assert_eq!(floor.poll_command(), Some(Command::SayFallback { reason }));
}
