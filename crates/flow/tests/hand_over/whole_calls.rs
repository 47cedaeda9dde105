//! Every state of a call with every event, saved and come back, and a night in which all of it happens.

use flow::reading::Signal;
use flow::{Agency, Conversation, EndReason, Event, Question, Unreached};

use crate::scene::{Call, number, placed, setup, states, tells, yes};

#[test]
fn each_event_moves_the_call_only_where_it_belongs() {
    let dropped = Event::OfficerUnreached {
        why: Unreached::LineDropped,
    };
    let declined = Event::OfficerUnreached {
        why: Unreached::AllDeclined,
    };
    let ends = Event::CallEnded {
        reason: EndReason::CallerEnded,
    };
    // Before any transfer, after the words of one, connecting, with an officer, after nobody was reached.
    let table = [
        (
            Event::OfficersRung,
            [
                "with assistant",
                "connecting",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::StillRinging,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        // Rung or not: whoever takes a call over is there.
        (
            Event::OfficerJoined,
            [
                "with officer",
                "ended",
                "with officer",
                "with officer",
                "with officer",
            ],
        ),
        (
            dropped,
            [
                "with assistant",
                "ended",
                "with assistant",
                "with assistant",
                "with assistant",
            ],
        ),
        (
            declined,
            [
                "with assistant",
                "ended",
                "with assistant",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerSilent,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerNotUnderstood,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerReturned,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (ends, ["ended"; 5]),
    ];
    for (event, expected) in table {
        for ((before, mut call), after) in states().into_iter().zip(expected) {
            assert_eq!(call.stands(), before);
            call.hears(event.clone());
            assert_eq!(call.stands(), after, "{event:?} from {before}");
        }
    }
}

#[test]
fn what_belongs_to_another_state_is_not_answered() {
    let harmless: [(&str, Vec<Event>); 2] = [
        (
            "with assistant",
            vec![Event::OfficersRung, Event::StillRinging],
        ),
        ("ended", vec![Event::StillRinging, Event::OfficerJoined]),
    ];
    for (state, events) in harmless {
        for event in events {
            for (_, call) in states().into_iter().filter(|(name, _)| *name == state) {
                let mut after = call.clone();
                after.hears(event.clone());
                assert_eq!(after.said, "", "{event:?} from {state}");
                assert_eq!(
                    after.conversation.save().expose_secret(),
                    call.conversation.save().expose_secret()
                );
            }
        }
    }
}

#[test]
fn a_line_that_comes_back_hears_what_is_so() {
    let mut call = Call::for_violence(true).rung();
    call.hears(Event::StillRinging);
    call.hears(Event::CallerReturned).heard("still");
    assert!(!call.said.contains('?') && call.transfers.len() == 1);
    let mut call = Call::for_violence(true).rung().joined();
    call.hears(Event::CallerReturned).heard("for a moment");
    assert_eq!(
        (call.stands(), call.said.contains('?')),
        ("with officer", false)
    );
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::LineDropped);
    call.hears(Event::CallerReturned).heard("ring you back");
    call.is_asked(Question::CallBack);
}

#[test]
fn a_saved_call_goes_on_where_it_was_in_every_state() {
    for (name, call) in states() {
        let saved = call.conversation.save();
        let restored = Conversation::restore(setup(), saved.expose_secret()).unwrap();
        let mut restored = Call {
            conversation: restored,
            ..call.clone()
        };
        let mut call = call;
        assert_eq!(restored.stands(), name);
        for event in [
            Event::StillRinging,
            Event::CallerSilent,
            Event::OfficerJoined,
        ] {
            call.hears(event.clone());
            restored.hears(event);
            assert_eq!(call.said, restored.said);
        }
    }
}

#[test]
fn a_call_that_was_saved_before_officers_could_be_rung_is_read() {
    let call = Call::for_violence(true);
    let saved = call.conversation.save().expose_secret().clone();
    let mut saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let state = saved["state"].as_object_mut().unwrap();
    for field in [
        "hand_overs",
        "on_hold",
        "call_back",
        "call_back_safe",
        "call_back_confirmed",
    ] {
        assert!(state.remove(field).is_some(), "{field}");
    }
    let restored = Conversation::restore(setup(), &saved.to_string()).unwrap();
    assert_eq!(restored.note(), call.conversation.note());
}

/// Everything in one night: rung, nobody answers, a number, talk, rung again, an officer, the end.
#[test]
fn a_call_in_which_all_of_it_happens() {
    let mut call = Call::for_violence(true).rung();
    call.hears(Event::StillRinging).heard("still");
    call.says("are you there", |reading| reading.asks = true)
        .heard("still here");
    call.hears(Event::CallerSilent);
    let mut call = call.unreached(Unreached::AllDeclined);
    call.heard("999").is_asked(Question::CallBack);
    call.says("81234567", number("81234567")).heard("8123 4567");
    call.says("yes", yes).is_asked(Question::MoreSupport);
    call.says("I'm so tired of it all", tells(Signal::Distress));
    call.is_asked(Question::Open);
    call.says("he's breaking the door", tells(Signal::ViolenceNow));
    assert_eq!(call.transfers, [Agency::Spf, Agency::Spf]);
    let mut call = call.rung().joined();
    call.says("I'm at the lift", placed("the lift of Block 5"));
    assert_eq!(call.said, "");
    call.hears(Event::CallEnded {
        reason: EndReason::CallerEnded,
    });
    assert_eq!(call.conversation.end_reason(), Some(EndReason::Forwarded));
    let note = call.conversation.note();
    assert!(note.structured_data.transferred && note.structured_data.urgent);
    assert_eq!(
        note.structured_data.location.expose_secret(),
        "the lift of Block 5"
    );
    assert!(
        call.summary().contains("A duty officer joined"),
        "{}",
        call.summary()
    );
}
