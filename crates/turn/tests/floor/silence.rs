//! Nobody speaks.

use turn::{Ended, Event, Plan};

use crate::scene::{Scene, ms, quiet_plan};

#[test]
fn when_the_caller_stays_silent_the_assistant_checks_in_once_and_then_the_call_ends() {
    let call = Scene::new().replies_last(2000).until(60_000);
    assert_eq!(
        call.story(),
        ["15000 CheckIn", "32000 End"],
        "30 s of silence, the 2 s of the check-in aside"
    );
    assert_eq!(call.ended(), Some((32_000, Ended::SilenceTimedOut)));
}

#[test]
fn silence_counts_from_the_end_of_what_the_assistant_says() {
    let call = Scene::new().assistant_speaks(0, 6000).until(60_000);
    assert_eq!(call.times("CheckIn"), [21_000]);
    assert_eq!(call.ended(), Some((39_000, Ended::SilenceTimedOut)));
}

#[test]
fn the_greeting_is_followed_by_the_same_silence() {
    let call = Scene::with_plan(Plan::default()).until(20_000);
    assert_eq!(call.times("CheckIn"), [18_000]);
}

#[test]
fn an_answer_to_the_check_in_starts_the_clock_anew() {
    let call = Scene::new()
        .replies_last(2000)
        .caller_says(20_000, 20_800, "I am here")
        .until(100_000);
    assert_eq!(call.times("StartReply"), [23_800]);
    assert_eq!(call.times("CheckIn"), [15_000, 40_800]);
    assert_eq!(call.ended(), Some((57_800, Ended::SilenceTimedOut)));
}

#[test]
fn even_a_yes_over_the_check_in_answers_it() {
    let call = Scene::new()
        .replies_last(4000)
        .caller_says(15_200, 15_600, "yes")
        .until(30_000);
    assert_eq!(call.answered_words(), ["yes"]);
}

#[test]
fn speech_at_the_last_moment_keeps_the_call() {
    let call = Scene::new()
        .replies_last(2000)
        .caller_says(31_920, 32_800, "don't go")
        .until(50_000);
    assert_eq!(call.ended(), None);
    assert_eq!(call.answered_words(), ["don't go"]);
}

#[test]
fn a_noise_neither_restarts_nor_stops_the_clock() {
    let call = Scene::new()
        .replies_last(2000)
        .caller_sounds(8000, 8064)
        .caller_sounds(25_600, 25_760)
        .until(60_000);
    assert_eq!(call.times("CheckIn"), [15_000]);
    assert_eq!(call.ended(), Some((32_000, Ended::SilenceTimedOut)));
}

#[test]
fn a_noise_across_the_moment_of_the_check_in_only_delays_it() {
    let call = Scene::new().caller_sounds(14_928, 14_992).until(20_000);
    assert_eq!(call.times("CheckIn"), [14_992 + 208]);
}

#[test]
fn a_sound_without_end_does_not_keep_an_empty_line_open() {
    let call = Scene::new().caller_sounds(1600, 600_000).until(200_000);
    let (at, reason) = call.ended().expect("the call ends");
    assert_eq!(reason, Ended::SilenceTimedOut);
    assert!(at < 90_000, "{at}");
    assert!(call.prepared().iter().all(|(_, words)| words.is_empty()));
}

#[test]
fn sobbing_is_answered_each_time_and_never_hung_up_on() {
    let mut scene = Scene::new();
    for n in 0..20 {
        scene = scene.caller_sounds(1600 + n * 8000, 1600 + n * 8000 + 3200);
    }
    let call = scene.until(160_000);
    assert_eq!(call.ended(), None);
    // Every second sob falls into the answer to the one before.
    assert_eq!(call.answered().len(), 10, "{:?}", call.story());
}

#[test]
fn a_muted_caller_is_left_in_peace_for_longer() {
    let call = Scene::new()
        .at(4000, Event::CallerMuted(true))
        .until(200_000);
    assert_eq!(call.times("CheckIn"), []);
    assert_eq!(call.ended(), Some((124_000, Ended::SilenceTimedOut)));
}

#[test]
fn unmuting_starts_the_usual_clock() {
    let call = Scene::new()
        .at(4000, Event::CallerMuted(true))
        .at(100_000, Event::CallerMuted(false))
        .until(120_000);
    assert_eq!(call.times("CheckIn"), [115_000]);
}

#[test]
fn without_a_check_in_before_the_time_out_there_is_none() {
    let plan = Plan {
        check_in_after: ms(40_000),
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan).until(60_000);
    assert_eq!(call.story(), ["30000 End"]);
}

#[test]
fn a_reply_under_way_is_not_silence() {
    let plan = Plan {
        start_wait: ms(20_000),
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .caller_says(1600, 3200, "he hit me")
        .until(30_000);
    assert_eq!(call.times("CheckIn"), []);
    assert_eq!(call.times("StartReply"), [23_200]);
}

#[test]
fn a_check_in_that_cannot_be_played_does_not_restart_the_clock_either() {
    let mut floor = turn::Floor::new(quiet_plan());
    floor.handle(Event::CallConnected, ms(0));
    floor.handle_deadline(ms(15_000));
    floor.handle_deadline(ms(20_000));
    // The fallback is said in its place.
    floor.handle(Event::PlayoutStarted, ms(20_000));
    floor.handle(Event::PlayoutFinished, ms(22_000));
    let expected = (ms(37_000), turn::Deadline::SilenceTimeout);
    assert_eq!(floor.poll_deadline(), Some(expected));
}

#[test]
fn while_help_is_at_hand_nobodys_silence_is_asked_about_or_ends_the_call() {
    let call = Scene::new()
        .at(10_000, Event::HelpAtHand(true))
        .until(500_000);
    assert_eq!(call.ended(), None);
    assert_eq!(call.times("CheckIn"), [] as [u64; 0]);
}

#[test]
fn with_the_help_gone_silence_counts_from_then() {
    let call = Scene::new()
        .replies_last(2000)
        .at(10_000, Event::HelpAtHand(true))
        .at(60_000, Event::HelpAtHand(false))
        .until(120_000);
    assert_eq!(call.times("CheckIn"), [75_000]);
    assert_eq!(call.ended(), Some((92_000, Ended::SilenceTimedOut)));
}

#[test]
fn a_talk_with_a_person_may_last_as_long_as_it_takes_and_the_call_does_not_end_with_it() {
    let plan = Plan {
        max_duration: ms(60_000),
        least_after_help: ms(50_000),
        silence_timeout: ms(100_000),
        check_in_after: ms(100_000),
        ..quiet_plan()
    };
    let call = Scene::with_plan(plan)
        .at(10_000, Event::HelpAtHand(true))
        .at(90_000, Event::HelpAtHand(false))
        .until(300_000);
    assert_eq!(call.ended(), Some((140_000, Ended::ExceededMaxDuration)));
}
