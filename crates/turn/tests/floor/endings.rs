//! How a call ends.

use turn::{Command, Ended, Event};

use crate::scene::Scene;

#[test]
fn the_flow_ends_the_call_after_what_is_being_said() {
    let call = Scene::new()
        .assistant_speaks(1000, 6000)
        .at(1000, Event::CallEnding)
        .until(20_000);
    assert_eq!(call.story(), ["6000 End"]);
    assert_eq!(call.ended(), Some((6000, Ended::AssistantEnded)));
}

#[test]
fn with_nothing_being_said_the_flow_ends_the_call_at_once() {
    let call = Scene::new().at(2000, Event::CallEnding).until(20_000);
    assert_eq!(call.ended(), Some((2000, Ended::AssistantEnded)));
}

#[test]
fn an_ending_that_is_never_played_out_has_a_bound() {
    let call = Scene::new()
        .assistant_speaks(1000, 6000)
        .at(1000, Event::CallEnding)
        .nothing_finishes_playing()
        .until(60_000);
    assert_eq!(call.ended(), Some((31_000, Ended::AssistantEnded)));
}

#[test]
fn the_ending_is_not_interrupted_and_its_words_are_kept() {
    let call = Scene::new()
        .assistant_speaks(1000, 8000)
        .at(1000, Event::CallEnding)
        .caller_says(3200, 4800, "thank you for your help")
        .until(20_000);
    assert_eq!(call.story(), ["8000 End"]);
    let kept = call.floor.unanswered_words();
    assert_eq!(kept.expose_secret(), "thank you for your help");
}

#[test]
fn a_caller_who_hangs_up_mid_sentence_is_heard_out() {
    let call = Scene::new()
        .caller_says(1600, 3200, "I cannot go on")
        .at(3200, Event::CallerLeft)
        .until(20_000);
    assert_eq!(call.times("CloseSegment"), [3200]);
    assert_eq!(call.ended(), Some((3280, Ended::CallerLeft)));
    let last = call.floor.unanswered_words();
    assert_eq!(last.expose_secret(), "I cannot go on");
}

#[test]
fn a_caller_who_hangs_up_during_the_wait_leaves_no_preparation_behind() {
    let call = Scene::new()
        .caller_says(1600, 3200, "I cannot go on")
        .at(5000, Event::CallerLeft)
        .until(20_000);
    assert_eq!(
        call.story(),
        ["3488 PrepareReply", "5000 DiscardReply", "5000 End"]
    );
    let last = call.floor.unanswered_words();
    assert_eq!(last.expose_secret(), "I cannot go on");
}

#[test]
fn last_words_that_never_come_do_not_hold_the_end() {
    let call = Scene::new()
        .caller_says(1600, 3200, "I cannot go on")
        .at(3200, Event::CallerLeft)
        .transcript_never_comes(1)
        .until(20_000);
    assert_eq!(call.ended(), Some((5200, Ended::CallerLeft)));
}

#[test]
fn words_that_were_answered_are_not_handed_over_again() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .at(8000, Event::CallerLeft)
        .until(20_000);
    assert_eq!(call.times("StartReply"), [6200]);
    assert_eq!(call.floor.unanswered_words().expose_secret(), "");
}

#[test]
fn nothing_happens_after_the_end() {
    let mut call = Scene::new().at(2000, Event::CallerLeft).until(20_000);
    assert!(matches!(
        call.commands.last(),
        Some((_, Command::End { .. }))
    ));
    assert!(call.floor.has_ended());
    assert_eq!(call.floor.poll_deadline(), None);

    let later = std::time::Duration::from_secs(700);
    call.floor.handle(Event::CallEnding, later);
    call.floor.handle_deadline(later);
    assert_eq!(call.floor.poll_command(), None);
}

#[test]
fn before_the_call_connects_there_is_nothing_to_wait_for() {
    let floor = turn::Floor::new(turn::Plan::default());
    assert_eq!(floor.poll_deadline(), None);
}

#[test]
fn a_playout_held_when_the_ending_comes_goes_on() {
    let call = Scene::new()
        .assistant_speaks(0, 8000)
        .caller_sounds(4000, 5200)
        .at(4700, Event::CallEnding)
        .until(20_000);
    assert_eq!(
        call.story(),
        ["4608 PausePlayout", "4700 ResumePlayout", "8092 End"]
    );
}
