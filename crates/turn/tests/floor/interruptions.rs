//! The caller's voice over the assistant's.

use turn::{Event, Plan};

use crate::scene::{Scene, quiet_plan};

#[test]
fn two_words_take_the_floor() {
    let call = Scene::new()
        .assistant_speaks(0, 20_000)
        .caller_says(4000, 4800, "he is here now")
        .until(12_000);
    let stopped = call.times("StopPlayout")[0];
    assert!((4400..4700).contains(&stopped), "{stopped}");
    assert_eq!(call.answered(), [(7800, "he is here now".into())]);
}

#[test]
fn words_heard_so_far_are_counted_every_quarter_second() {
    let call = Scene::new()
        .assistant_speaks(0, 20_000)
        .caller_says(4000, 5600, "listless")
        .until(6000);
    assert_eq!(call.times("TranscribeSoFar")[..3], [4256, 4512, 4768]);
}

#[test]
fn acknowledgements_never_interrupt_and_are_not_a_turn() {
    for words in ["mm-hmm", "okay", "yeah right okay", "uh-huh uh-huh yes"] {
        let call = Scene::new()
            .assistant_speaks(0, 12_000)
            .caller_says(4000, 4800, words)
            .until(20_000);
        assert_eq!(call.times("StopPlayout"), [], "{words}");
        assert_eq!(call.prepared(), [], "{words}");
    }
}

#[test]
fn a_single_stop_or_wait_always_interrupts() {
    for words in ["stop", "Wait!", "Stop.", "help"] {
        let call = Scene::new()
            .assistant_speaks(0, 20_000)
            .caller_says(4000, 4400, words)
            .until(12_000);
        let stopped = call.times("StopPlayout");
        assert_eq!(stopped.len(), 1, "{words}");
        assert!(stopped[0] <= 4700, "{words} {stopped:?}");
        assert_eq!(call.answered_words(), [words]);
    }
}

#[test]
fn one_other_word_is_no_interruption_but_is_answered_afterwards() {
    let call = Scene::new()
        .assistant_speaks(0, 12_000)
        .caller_says(4000, 4400, "police")
        .until(20_000);
    assert_eq!(call.times("StopPlayout"), []);
    assert_eq!(call.answered(), [(15_000, "police".into())]);
}

#[test]
fn words_a_moment_apart_add_up_to_an_interruption() {
    let call = Scene::new()
        .assistant_speaks(0, 20_000)
        .caller_says(4000, 4400, "police")
        .caller_says(5600, 6000, "knife")
        .until(12_000);
    assert_eq!(call.times("StopPlayout").len(), 1);
    assert_eq!(call.answered_words(), ["police knife"]);
}

#[test]
fn a_cough_over_the_assistant_is_nothing() {
    let call = Scene::new()
        .assistant_speaks(0, 12_000)
        .caller_sounds(4000, 4400)
        .until(20_000);
    assert_eq!(call.story(), Vec::<String>::new());
}

#[test]
fn a_long_ambiguous_sound_holds_the_playout_and_lets_it_go_on() {
    let call = Scene::new()
        .assistant_speaks(0, 12_000)
        .caller_sounds(4000, 5200)
        .until(14_000);
    assert_eq!(
        call.story(),
        ["4608 PausePlayout", "5488 ResumePlayout"],
        "it goes on when the transcript shows that there was no word"
    );
}

#[test]
fn the_playout_is_never_held_longer_than_the_bound_and_only_once_for_one_sound() {
    let call = Scene::new()
        .assistant_speaks(0, 30_000)
        .caller_sounds(4000, 24_000)
        .until(29_000);
    assert_eq!(call.story(), ["4608 PausePlayout", "6108 ResumePlayout"]);
}

#[test]
fn an_acknowledgement_that_lasts_does_not_hold_the_playout() {
    let call = Scene::new()
        .assistant_speaks(0, 12_000)
        .caller_says(4000, 5600, "mm-hmm mm-hmm yes mm-hmm okay yes mm-hmm yes")
        .until(20_000);
    assert_eq!(call.story(), Vec::<String>::new());
}

#[test]
fn words_while_the_playout_is_held_take_the_floor() {
    let call = Scene::new()
        .transcripts_take(500)
        .assistant_speaks(0, 12_000)
        .caller_says(4000, 5200, "listen please somebody")
        .until(7000);
    let story = call.story();
    assert_eq!(story[0], "4608 PausePlayout");
    assert!(story[1].ends_with("StopPlayout"), "{story:?}");
    assert_eq!(call.times("ResumePlayout"), []);
}

#[test]
fn if_the_assistant_finishes_first_the_speech_is_an_ordinary_turn() {
    let call = Scene::new()
        .assistant_speaks(0, 4160)
        .caller_says(4000, 4800, "yes okay")
        .until(9000);
    assert_eq!(call.times("StopPlayout"), []);
    assert_eq!(call.answered(), [(7800, "yes okay".into())]);
}

#[test]
fn a_yes_just_before_the_assistant_finishes_is_an_answer() {
    let call = Scene::new()
        .assistant_speaks(0, 5200)
        .caller_says(4480, 4800, "yes")
        .until(12_000);
    assert_eq!(call.answered(), [(7800, "yes".into())]);
}

#[test]
fn a_yes_heard_late_is_still_judged_by_when_it_was_said() {
    for (finishes, answers) in [(5200, vec!["yes"]), (6400, vec![])] {
        let call = Scene::new()
            .transcripts_take(3000)
            .assistant_speaks(0, finishes)
            .caller_says(4480, 4800, "yes")
            .until(12_000);
        assert_eq!(call.answered_words(), answers, "finishes at {finishes}");
    }
}

#[test]
fn speech_at_the_moment_the_reply_starts_may_still_take_the_floor() {
    // The onset completes just after the plan's moment: the reply has started.
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_says(6160, 7360, "and he took my phone")
        .until(14_000);
    assert_eq!(call.times("StartReply")[0], 6200);
    assert_eq!(call.times("StopPlayout").len(), 1);
    assert_eq!(call.answered_words(), ["he hit me", "and he took my phone"]);
}

#[test]
fn an_onset_before_the_reply_starts_comes_first() {
    let call = Scene::new()
        .caller_says(1600, 3200, "he hit me")
        .caller_says(6144, 7360, "and he took my phone")
        .until(14_000);
    assert_eq!(
        call.answered(),
        [(10_360, "he hit me and he took my phone".into())]
    );
}

#[test]
fn the_greeting_can_be_interrupted_and_hello_does_not() {
    let plan = Plan::default();
    let call = Scene::with_plan(plan.clone())
        .replies_last(8000)
        .caller_says(320, 800, "hello?")
        .until(9000);
    assert_eq!(call.story(), Vec::<String>::new());

    let call = Scene::with_plan(plan)
        .replies_last(8000)
        .caller_says(1600, 2400, "my father is dying")
        .until(9000);
    assert_eq!(call.times("StopPlayout").len(), 1);
}

#[test]
fn more_words_may_be_asked_for() {
    let plan = Plan {
        stop_words: 4,
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .assistant_speaks(0, 9600)
        .caller_says(4000, 4800, "my father came")
        .until(16_000);
    assert_eq!(call.times("StopPlayout"), []);
    assert_eq!(call.answered_words(), ["my father came"]);
}

#[test]
fn with_no_words_asked_for_the_voice_alone_takes_the_floor() {
    let plan = Plan {
        stop_words: 0,
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .assistant_speaks(0, 9600)
        .caller_sounds(4000, 4144)
        .caller_says(6400, 7200, "hey")
        .until(9000);
    assert_eq!(call.times("StopPlayout"), [6400 + 208]);
}

#[test]
fn what_may_not_be_interrupted_is_said_whole_and_the_words_answered_after_it() {
    let call = Scene::new()
        .at(0, Event::InterruptionsAllowed(false))
        .assistant_speaks(0, 8000)
        .caller_says(4000, 4800, "wait I need help")
        .until(20_000);
    assert_eq!(call.times("StopPlayout"), []);
    assert_eq!(call.times("PausePlayout"), []);
    assert_eq!(call.answered(), [(11_000, "wait I need help".into())]);
}

#[test]
fn interruptions_are_allowed_again_after_it() {
    let call = Scene::new()
        .at(0, Event::InterruptionsAllowed(false))
        .assistant_speaks(0, 2000)
        .assistant_speaks(3000, 9000)
        .caller_says(4000, 4800, "wait I need help")
        .until(8000);
    assert_eq!(call.times("StopPlayout").len(), 1);
}

#[test]
fn an_interruption_without_a_word_in_the_end_is_still_answered() {
    let call = Scene::new()
        .assistant_speaks(0, 20_000)
        .caller_says(4000, 4800, "he is here now")
        .transcript_has_no_word(1)
        .until(9000);
    assert_eq!(call.times("StopPlayout").len(), 1);
    assert_eq!(call.times("StartReply").len(), 1);
}

#[test]
fn interim_transcripts_are_asked_less_often_in_a_long_overlap() {
    let call = Scene::new()
        .assistant_speaks(0, 30_000)
        .caller_sounds(4000, 14_000)
        .until(16_000);
    let asked = call.times("TranscribeSoFar");
    assert!(asked.len() <= 8 + 8, "{asked:?}");
}

#[test]
fn nothing_is_transcribed_so_far_while_the_assistant_is_quiet() {
    let call = Scene::new()
        .caller_says(4000, 8000, "he came home and then he hit me again")
        .until(14_000);
    assert_eq!(call.times("TranscribeSoFar"), []);
    assert_eq!(call.times("PausePlayout"), []);
}

#[test]
fn an_echo_that_ends_with_the_assistant_is_not_answered() {
    let call = Scene::new()
        .assistant_speaks(0, 4800)
        .caller_sounds(4000, 4896)
        .until(9000);
    assert_eq!(call.prepared(), []);
    assert_eq!(call.times("CloseSegment").len(), 1);
}
