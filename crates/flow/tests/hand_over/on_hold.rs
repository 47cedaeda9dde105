//! A caller whom an officer has put on hold.

use flow::reading::{Leave, Signal};
use flow::{Conversation, EndReason, Event, Unreached};

use crate::scene::{Call, setup, states, tells};

#[test]
fn on_hold_the_assistant_has_the_caller_and_says_when_it_begins_goes_on_and_ends() {
    let mut call = Call::for_suicide().rung().joined();
    assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
    call.hears(Event::PutOnHold)
        .heard("I'm still here with you. They will be back in a moment.");
    let mut last = String::new();
    for _ in 0..6 {
        call.hears(Event::StillOnHold);
        assert!(!call.said.is_empty() && call.said != last, "{}", call.said);
        assert!(!call.said.contains('?'), "{}", call.said);
        last = call.said.clone();
    }
    for event in [Event::PutOnHold, Event::StillRinging, Event::CallerSilent] {
        call.hears(event);
        assert_eq!(call.said, "");
    }
    call.hears(Event::TakenOffHold).heard("with you");
    for event in [Event::TakenOffHold, Event::StillOnHold] {
        call.hears(event);
        assert_eq!(call.said, "", "it is over");
    }
    assert_eq!(call.stands(), "with officer");
    assert_eq!(call.ended, None);
}

#[test]
fn on_hold_danger_is_answered_as_while_officers_are_rung() {
    let held = || {
        let mut call = Call::for_suicide().rung().joined();
        assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
        call.hears(Event::PutOnHold);
        call
    };
    let answers: [(Signal, &str); 3] = [
        (Signal::ViolenceNow, "999"),
        (Signal::SuicidalDirect, "1767"),
        (Signal::OverdoseNow, "995"),
    ];
    for (signal, number) in answers {
        held().says("words", tells(signal)).heard(number);
    }
    let mut call = held();
    call.says("what are they talking about", |_| {});
    assert!(!call.said.is_empty(), "who speaks is answered");
    call.says("I want to go now, bye", |reading| {
        reading.leave = Some(Leave::Plain);
    });
    assert_eq!(call.ended, None, "an officer has the call");
    call.hears(Event::CallerNotUnderstood);
    assert!(!call.said.is_empty());
    call.hears(Event::TakenOffHold);
    call.says("he is here", tells(Signal::ViolenceNow));
    assert_eq!(call.said, "", "the officer has heard it");
}

#[test]
fn who_was_on_hold_as_the_officer_was_lost_is_with_the_assistant_again() {
    let mut call = Call::for_suicide().rung().joined();
    call.hears(Event::PutOnHold);
    let mut call = call.unreached(Unreached::LineDropped);
    assert_eq!(call.stands(), "with assistant");
    call.heard("1767");
    call.hears(Event::StillOnHold);
    assert_eq!(call.said, "");
}

#[test]
fn a_hold_of_who_talks_with_nobody_is_none() {
    for (name, call) in states() {
        if name == "with officer" {
            continue;
        }
        for event in [Event::PutOnHold, Event::StillOnHold, Event::TakenOffHold] {
            let mut after = call.clone();
            after.hears(event.clone());
            assert_eq!(after.said, "", "{event:?} from {name}");
            assert!(!after.conversation.is_on_hold());
        }
    }
}

#[test]
fn who_was_cut_off_on_hold_and_is_back_hears_that_they_are_on_hold_still() {
    let mut call = Call::for_suicide().rung().joined();
    call.hears(Event::PutOnHold);
    let saved = call.conversation.save();
    call.conversation = Conversation::restore(setup(), saved.expose_secret()).unwrap();
    call.hears(Event::CallerReturned).heard("back.");
    assert!(call.said.matches('.').count() > 1, "{}", call.said);
    call.hears(Event::TakenOffHold).heard("with you");
}
