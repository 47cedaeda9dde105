//! While officers are rung, once one has joined, and where there is none.

use flow::reading::{Leave, Reading, Signal};
use flow::{Agency, EndReason, Event};

use crate::scene::{Call, named, tells};

#[test]
fn while_officers_are_rung_every_event_is_answered_and_none_ends_the_call() {
    let mut call = Call::for_violence(true).rung();
    assert_eq!(call.said, "");
    let mut last = String::new();
    for round in 0..12 {
        for event in [
            Event::StillRinging,
            Event::CallerSilent,
            Event::CallerNotUnderstood,
        ] {
            call.hears(event.clone());
            assert!(
                !call.said.is_empty() && call.said != last,
                "{round} {event:?}"
            );
            assert!(!call.said.contains('?'), "{}", call.said);
            assert_eq!(call.stands(), "connecting");
            last.clone_from(&call.said);
        }
    }
    assert_eq!(call.transfers, [Agency::Spf]);
}

#[test]
fn who_speaks_while_officers_are_rung_is_answered_with_what_counts_most() {
    let rung = || Call::for_violence(true).rung();
    rung()
        .says("he's at the door", tells(Signal::ViolenceNow))
        .heard("999");
    rung()
        .says("I'm bleeding", tells(Signal::Injury))
        .heard("995");
    rung()
        .says("I took pills", tells(Signal::OverdoseNow))
        .heard("995");
    rung()
        .says("I want to die", tells(Signal::SuicidalDirect))
        .heard("1767");
    rung()
        .says("he can hear me", tells(Signal::NotSafeToTalk))
        .heard("have to speak");
    rung()
        .says("how long more?", |reading| reading.asks = true)
        .heard("still");
    Call::for_violence(false)
        .rung()
        .says("he's here", tells(Signal::ViolenceNow))
        .heard("70999");
    let mut call = rung();
    call.says("my name is Siti", named("Siti"));
    assert_eq!(
        call.conversation
            .note()
            .structured_data
            .name
            .expose_secret(),
        "Siti"
    );
    assert!(!call.said.contains("Siti") && !call.said.contains('?'));
}

#[test]
fn who_wants_no_connection_any_more_gets_the_numbers_and_the_call_ends() {
    for wish in [
        (|reading: &mut Reading| reading.answer.connect = Some(false)) as fn(&mut Reading),
        |reading| reading.leave = Some(Leave::Plain),
    ] {
        let mut call = Call::for_suicide().rung();
        call.says("never mind", wish).heard("1767");
        assert_eq!(call.ended, Some(EndReason::AssistantEnded));
        assert!(!call.transferred() && call.urgent());
        assert!(
            call.summary().contains("did not want"),
            "{}",
            call.summary()
        );
    }
}

#[test]
fn whoever_is_in_danger_is_not_taken_at_a_word_that_they_want_nobody() {
    let mut call = Call::for_violence(true).rung();
    call.says("no police, he's coming", |reading| {
        reading.answer.connect = Some(false);
        tells(Signal::ViolenceNow)(reading);
    });
    assert_eq!(call.stands(), "connecting");
    call.heard("999");
}

#[test]
fn once_an_officer_has_joined_the_assistant_is_silent_and_takes_in_what_is_said() {
    let mut call = Call::for_suicide().rung().joined();
    call.heard("duty officer");
    for event in [
        Event::CallerSilent,
        Event::CallerNotUnderstood,
        Event::StillRinging,
    ] {
        call.hears(event);
        assert_eq!(call.said, "");
    }
    call.says("I'm Ravi, he has a knife", |reading| {
        named("Ravi")(reading);
        tells(Signal::Weapon)(reading);
    });
    assert_eq!(call.said, "");
    let note = call.conversation.note();
    assert_eq!(note.structured_data.name.expose_secret(), "Ravi");
    assert!(note.evidence.iter().any(|it| it.claim == "weapon"));
    assert!(note.structured_data.transferred);
}

#[test]
fn when_another_person_joins_the_caller_is_told_of_that_too_and_of_nothing_else() {
    for mut call in [Call::for_suicide().rung().joined(), Call::start().joined()] {
        call.hears(Event::OfficerJoined).heard("duty officer");
        assert!(!call.said.contains('?'), "{}", call.said);
        assert_eq!(call.stands(), "with officer");
        call.hears(Event::CallerSilent);
        assert_eq!(call.said, "");
    }
}

#[test]
fn a_call_that_is_hung_up_with_an_officer_was_handed_over() {
    for reason in [EndReason::CallerEnded, EndReason::Forwarded] {
        let mut call = Call::for_suicide().rung().joined();
        call.hears(Event::CallEnded { reason });
        assert_eq!(call.conversation.end_reason(), Some(EndReason::Forwarded));
    }
    let mut call = Call::for_suicide().rung();
    call.hears(Event::CallEnded {
        reason: EndReason::CallerEnded,
    });
    assert_eq!(call.conversation.end_reason(), Some(EndReason::CallerEnded));
    assert!(!call.transferred() && call.urgent());
}

#[test]
fn where_nobody_is_on_duty_the_transfer_ends_the_call_as_ever() {
    let call = Call::for_suicide();
    assert_eq!(call.ended, Some(EndReason::Forwarded));
    assert!(call.transferred() && call.urgent());
    assert!(
        call.summary()
            .contains("The caller was handed to SOS by warm transfer."),
        "{}",
        call.summary()
    );
}
