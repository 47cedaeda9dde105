//! What is told of a hand-over: the officer's briefing, and the note.

use flow::reading::Signal;
use flow::{EndReason, Event, Unreached};

use crate::scene::{Call, named, number, placed, tells, yes};

#[test]
fn the_briefing_is_one_short_sentence_of_what_was_told() {
    let briefing = |call: &Call| call.conversation.briefing().expose_secret().clone();
    assert_eq!(
        briefing(&Call::for_violence(false).rung()),
        "Caller reports violence in progress, named Mei Ling, at Toa Payoh; not safe to talk freely; going to the police."
    );
    let mut call = Call::for_violence(false).rung();
    call.says("Block 123", placed("Block 123 Ang Mo Kio Ave 3 #04-567"));
    assert_eq!(
        briefing(&call),
        "Caller reports violence in progress, named Mei Ling, at Block 123 Ang Mo Kio Ave 3 #04-567; not safe to talk freely; going to the police."
    );
    assert_eq!(
        briefing(&Call::for_suicide().rung()),
        "Caller reports thoughts of suicide; going to Samaritans of Singapore."
    );
    let mut call = Call::for_suicide().rung();
    call.says("a long one", |reading| {
        placed(
            "Block 123 Ang Mo Kio Avenue 3 #04-567, the second lift lobby, behind the old market",
        )(reading);
        named("Mei Ling")(reading);
        tells(Signal::Injury)(reading);
    });
    let told = briefing(&call);
    assert!(told.split_whitespace().count() <= 28, "{told}");
    assert!(told.contains("Mei Ling") && told.contains("hurt"), "{told}");
    assert!(!told.contains("Block"), "{told}");
}

#[test]
fn the_note_tells_what_happened_in_its_plan_and_what_to_do_now() {
    let ended = |mut call: Call| {
        call.hears(Event::CallEnded {
            reason: EndReason::CallerEnded,
        });
        call
    };
    let unreached = |why| Call::for_suicide().rung().unreached(why);
    let numbered = || {
        let mut call = unreached(Unreached::NobodyAnswered);
        call.says("91234567", number("91234567")).says("yes", yes);
        call
    };
    let dropped = Call::for_suicide()
        .rung()
        .joined()
        .unreached(Unreached::LineDropped);
    let table = [
        (
            Call::for_suicide().rung(),
            "Duty officers are being rung for SOS, and nobody has joined yet.",
            "Review this call first, as no duty officer reached the caller for SOS. Ask first whether it is safe to talk if the caller is reached.",
        ),
        (
            ended(Call::for_suicide().rung()),
            "Duty officers were being rung for SOS when the call ended, and nobody had joined.",
            "Review this call first, as no duty officer reached the caller for SOS. Ask first",
        ),
        (
            Call::for_suicide().rung().joined(),
            "A duty officer joined the caller by warm transfer to SOS.",
            "Ask the duty officer who joined what was agreed with the caller. Assess intent",
        ),
        (
            ended(Call::for_suicide().rung().joined()),
            "A duty officer joined the caller by warm transfer to SOS.",
            "Ask the duty officer who joined what was agreed with the caller. Assess intent",
        ),
        (
            unreached(Unreached::AllDeclined),
            "Duty officers were rung for SOS, and none of them took the call.",
            "Review this call first, as no duty officer reached the caller for SOS.",
        ),
        (
            unreached(Unreached::AcceptedInVain),
            "A duty officer accepted the call for SOS and did not reach the caller, nor did anybody else.",
            "Review this call first, as no duty officer reached the caller for SOS.",
        ),
        (
            unreached(Unreached::LineDropped),
            "the officer's line was lost before they joined.",
            "Review this call first, as no duty officer reached the caller for SOS.",
        ),
        (
            dropped,
            "A duty officer joined the call for SOS, and the officer's line was lost.",
            "Review this call first, as the duty officer's line was lost.",
        ),
        (
            numbered(),
            "nobody answered within the time; the caller gave 9123 4567 as a number that is safe to ring, said back to them and confirmed.",
            "Ring the caller back on 9123 4567, which they gave as safe.",
        ),
    ];
    let safe = numbered().conversation.note().safe_number();
    assert_eq!(safe.unwrap().expose_secret(), "9123 4567");
    assert_eq!(
        unreached(Unreached::AllDeclined)
            .conversation
            .note()
            .safe_number()
            .map(drop),
        None
    );
    for (call, plan, steps) in table {
        assert!(call.summary().ends_with(plan), "{}", call.summary());
        assert!(call.follow_up().contains(steps), "{}", call.follow_up());
        let joined = call.stands() == "with officer"
            || call.conversation.end_reason() == Some(EndReason::Forwarded);
        assert_eq!(call.transferred(), joined, "{}", call.summary());
        assert!(call.urgent());
        assert!((2..=4).contains(&call.summary().matches(". ").count().saturating_add(1)));
        assert!((2..=4).contains(&call.follow_up().split(". ").count()));
    }
}

#[test]
fn a_second_try_stands_in_the_note_beside_the_first() {
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("I want to die", tells(Signal::SuicidalDirect));
    let note = |call: &Call| call.summary();
    // Nobody was on duty the second time: as where nobody ever is.
    assert!(
        note(&call).ends_with("The caller was handed to SOS by warm transfer, after an earlier try for SPF in which nobody was reached."),
        "{}",
        note(&call)
    );
    let call = call.rung().joined();
    assert!(
        note(&call).ends_with("A duty officer joined the caller by warm transfer to SOS, after an earlier try for SPF in which nobody was reached."),
        "{}",
        note(&call)
    );
    assert!(call.transferred());
}
