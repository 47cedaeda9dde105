//! Whether somebody is hurting them got neither a yes nor a no, and what was told before points to it: it is asked once more.

use flow::reading::{Reading, SURE, Signal, WORTH_ASKING};
use flow::{Event, Hint, Question};

use super::call::{Call, minutes_ago, no, tells, yes};

/// Of somebody else.
fn hint_of_another(reading: &mut Reading) {
    tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    reading.signals[0].of_others = true;
}

#[test]
fn a_danger_that_was_hinted_at_and_is_neither_confirmed_nor_denied() {
    let mut call = Call::start();
    call.said("Hi", |_| {})
        .said(
            "Now he come with the bar",
            tells(Signal::ViolenceNow, WORTH_ASKING),
        )
        .is_asked(Question::DangerNow)
        .said("They are at room forty-one", |_| {})
        .is_asked(Question::DangerNow)
        // Twice is enough.
        .said("I am in forty-four", |_| {});
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::DangerNow)
    );
}

#[test]
fn a_witness_who_says_that_it_is_not_they_denies_nothing() {
    let not_me = |reading: &mut Reading| reading.answer.of_themselves = true;
    let mut call = Call::start();
    call.said("Hi", |_| {})
        .said("He pull one lady by the hair", hint_of_another)
        .is_asked(Question::OtherInDanger)
        .said("Not me lah, the lady", not_me)
        .is_asked(Question::OtherInDanger)
        .said("In front of my eyes", yes)
        .is_asked(Question::Name);

    let mut call = Call::start();
    call.said("Hi", |_| {})
        .said("He pull one lady by the hair", hint_of_another)
        .is_asked(Question::OtherInDanger)
        .said("The other day I saw him there too", |_| {});
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::OtherInDanger)
    );
}

#[test]
fn what_is_dated_to_this_moment_when_it_was_asked_for() {
    let mut call = Call::start();
    call.said("Hi", |_| {}).said(
        "They hang a pig's head at my door",
        tells(Signal::EmotionalAbuse, SURE),
    );
    let keeps_it_back = |reading: &mut Reading| reading.answer.refuses = true;
    for _ in 0..10 {
        match call.conversation.listening().question {
            Some(Question::IncidentTime) => break,
            Some(Question::Consent) => call.said("Okay", yes),
            Some(Question::HurtBefore | Question::SexualHarm) => call.said("No", no),
            _ => call.said("Rather not", keeps_it_back),
        };
    }
    call.said("Now, now, they haven't go", minutes_ago)
        .is_asked(Question::DangerNow);
}

#[test]
fn a_yes_that_one_reader_alone_hears_of_whom_nothing_threatens() {
    let one_hears_yes = |reading: &mut Reading| reading.answer.yes = Some(true);
    let asked = |told: &dyn Fn(&mut Reading)| {
        let mut call = Call::start();
        call.said("There's a lot going on", told);
        call.hears(Event::Hinted {
            hint: Hint::AskWhetherSafe,
        });
        call.said("It's my supervisor", |_| {})
            .is_asked(Question::DangerNow);
        call
    };
    asked(&|_| {})
        .said("Of a C plus, yes", one_hears_yes)
        .is_asked(Question::DangerNow)
        .said("Of a C plus, yes", one_hears_yes)
        .is_asked(Question::Name);
    asked(&|_| {})
        .said("Yes, he is", yes)
        .is_asked(Question::Name);
    asked(&tells(Signal::Fear, WORTH_ASKING))
        .said("Ya, I hear him", one_hears_yes)
        .is_asked(Question::Name);
}

#[test]
fn a_hint_that_one_reader_hears_in_the_answer_of_whom_nothing_threatens_now() {
    let hint = |reading: &mut Reading| tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    let asked = |told: &dyn Fn(&mut Reading)| {
        let mut call = Call::start();
        call.said("There's a lot going on", told);
        call.hears(Event::Hinted {
            hint: Hint::AskWhetherSafe,
        });
        call.said("It's about the bak kwa", |_| {})
            .is_asked(Question::DangerNow);
        call
    };
    asked(&|_| {})
        .said(
            "The scammer is inside the computer, he can't come out",
            hint,
        )
        .is_asked(Question::DangerNow)
        .said("He can't come out", hint)
        .is_asked(Question::Name);
    asked(&tells(Signal::Fear, WORTH_ASKING))
        .said("He's on the stairs", hint)
        .is_asked(Question::Name);
}
