//! Nobody came: what the caller is told, asked for, and may still do.

use flow::reading::{Leave, Reading, Signal};
use flow::{Agency, EndReason, Event, Question, Unreached};

use crate::scene::{Call, WHYS, no, number, tells, yes};

#[test]
fn where_nobody_is_reached_the_caller_hears_why_whom_to_ring_and_one_question() {
    let heard = [
        "nobody has answered",
        "none of the duty",
        "none of the duty",
        "lost",
    ];
    for (why, said) in WHYS.into_iter().zip(heard) {
        let mut call = Call::for_suicide().rung().unreached(why);
        call.heard(said)
            .heard("1767")
            .heard("the team")
            .heard("safe");
        call.is_asked(Question::CallBack);
        assert_eq!(call.said.matches('?').count(), 1);
        assert!(!call.transferred() && call.urgent());
    }
    let mut call = Call::for_violence(false)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.heard("999").heard("70999");
}

#[test]
fn a_number_to_call_back_is_said_back_once_and_kept() {
    let back = || {
        Call::for_suicide()
            .rung()
            .unreached(Unreached::NobodyAnswered)
    };
    let mut call = back();
    call.says("91234567", number("91234567")).heard("9123 4567");
    call.is_asked(Question::CallBackRight);
    call.says("yes", yes).is_asked(Question::MoreSupport);
    assert!(
        call.follow_up().contains("9123 4567"),
        "{}",
        call.follow_up()
    );
    let note = call.conversation.note();
    let evidence = note
        .evidence
        .iter()
        .find(|it| it.claim.contains("call back"));
    assert_eq!(evidence.unwrap().words.expose_secret(), "91234567");

    // Put right, it is said back and not asked about again.
    let mut call = back();
    call.says("91234567", number("91234567"));
    call.says("no, 81234567", |reading| {
        no(reading);
        number("81234567")(reading);
    });
    call.heard("8123 4567").is_asked(Question::MoreSupport);
    assert!(call.follow_up().contains("8123 4567"));

    // Wrong, and no other: asked for once more, and then left.
    let mut call = back();
    call.says("91234567", number("91234567"));
    call.says("no", no).is_asked(Question::CallBack);
    call.says("leave it", no).is_asked(Question::MoreSupport);
    assert!(!call.follow_up().contains("9123"), "{}", call.follow_up());
}

#[test]
fn a_number_is_not_said_back_where_somebody_may_listen() {
    let mut call = Call::for_violence(false)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("91234567", number("91234567"));
    assert!(!call.said.contains("9123"), "{}", call.said);
    call.is_asked(Question::MoreSupport);
    assert!(call.follow_up().contains("9123 4567"));
}

#[test]
fn who_gives_no_number_is_not_asked_again() {
    let mut call = Call::for_suicide()
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("no", no).is_asked(Question::MoreSupport);
    assert!(call.summary().contains("no number"), "{}", call.summary());
    assert!(
        call.follow_up().contains("Do not ring"),
        "{}",
        call.follow_up()
    );
    call.says("no thanks", no);
    assert_eq!(call.ended, Some(EndReason::AssistantEnded));
}

#[test]
fn half_a_number_is_asked_for_once_more() {
    let mut call = Call::for_suicide()
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("nine one two three", |reading| {
        reading.answer.half_a_number = true
    });
    call.is_asked(Question::CallBack).heard("number");
    call.says("nine one", |reading| reading.answer.half_a_number = true);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::CallBack)
    );
}

#[test]
fn help_asked_for_again_is_tried_once_more_and_then_the_number_is_what_is_left() {
    let again = |reading: &mut Reading| reading.answer.connect = Some(true);
    let back = || {
        let mut call = Call::for_violence(true)
            .rung()
            .unreached(Unreached::NobodyAnswered);
        call.says("no", no);
        call
    };
    type Ask = Box<dyn Fn(&mut Reading)>;
    let asks: [(&str, Ask, Agency); 4] = [
        ("try them again", Box::new(again), Agency::Spf),
        (
            "he's hitting me",
            Box::new(tells(Signal::ViolenceNow)),
            Agency::Spf,
        ),
        (
            "help",
            Box::new(|reading: &mut Reading| reading.calls_for_help = true),
            Agency::Spf,
        ),
        (
            "I want to die",
            Box::new(tells(Signal::SuicidalDirect)),
            Agency::Sos,
        ),
    ];
    for (words, ask, agency) in asks {
        let mut call = back();
        call.says(words, &ask);
        assert_eq!(
            call.transfers,
            [Agency::Spf, agency],
            "{words}: {}",
            call.said
        );
        assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
        let mut call = call.rung();
        assert_eq!(call.stands(), "connecting");
        call.hears(Event::OfficerUnreached {
            why: Unreached::AllDeclined,
        });
        // The number was declined once.
        call.is_asked(Question::MoreSupport);
        for round in 0..4 {
            call.says(words, &ask);
            assert_eq!(call.transfers.len(), 2, "{words}");
            let number = if agency == Agency::Spf { "999" } else { "1767" };
            assert!(call.said.contains(number), "{round} {words}: {}", call.said);
            assert_eq!(call.stands(), "with assistant");
        }
    }
}

#[test]
fn who_was_not_reached_for_may_talk_on_and_is_asked_nothing_of_the_path_again() {
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("no", no).is_asked(Question::MoreSupport);
    // Neither who it is, nor whether another agency may hear of it: only, once, whether it is now.
    call.says("he slaps me every week", tells(Signal::PhysicalAbuse));
    call.is_asked(Question::DangerNow);
    call.says("no", no).is_asked(Question::Open);
    call.says("he slapped my son", tells(Signal::PhysicalAbuse));
    call.is_asked(Question::Open);
    for words in [
        "I feel so alone in this",
        "it goes round and round",
        "my sister lives far away",
    ] {
        call.says(words, tells(Signal::Distress));
        call.is_asked(Question::Open);
    }
    call.says("bye", |reading| reading.leave = Some(Leave::Plain));
    assert_eq!(call.ended, Some(EndReason::AssistantEnded));
    assert!(call.urgent() && !call.transferred());
    let agency = call.conversation.note().structured_data.transfer_to;
    assert_eq!(agency, Some(Agency::Spf));
}
