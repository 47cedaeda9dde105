//! The caller as the one who hurt somebody.

use flow::reading::{PersonSpokenOf, Reading, Relation, SURE, Signal, WORTH_ASKING};
use flow::{Agency, Question, Secret};

use super::call::{Call, hit_by, no, tells, yes};

fn of_my_wife(reading: &mut Reading) {
    reading.person = Some(PersonSpokenOf {
        role: Secret::new("wife".to_owned()),
        relation: Relation::Spouse,
        own: true,
    });
}

#[test]
fn who_hurt_somebody_is_asked_whether_it_goes_on_and_not_consoled() {
    let mut call = Call::start();
    call.said("I strangled my wife just now", |reading| {
        tells(Signal::OwnViolence, SURE)(reading);
        // What the other reader makes of the same words.
        tells(Signal::PhysicalAbuse, SURE)(reading);
        of_my_wife(reading);
    })
    .is_asked(Question::OtherInDanger);
    assert!(!call.replies.contains("sorry"), "{}", call.replies);
    assert!(!call.replies.contains("good of you"), "{}", call.replies);

    call.said("She's not moving much", tells(Signal::Injury, SURE));
    assert!(call.replies.contains("995"), "{}", call.replies);
    call.is_asked(Question::Name)
        .said("I won't say", |_| {})
        .said("Sengkang, block 312A, number 08-15", |_| {})
        .said("I was drunk", |_| {});
    call.reached(Agency::Spf);
    let note = call.conversation.note();
    let title = note.summary_title.expose_secret();
    assert_eq!(title, "Caller reports violence of their own");
    assert!(note.structured_data.urgent);
}

#[test]
fn where_nobody_is_being_hurt_now_they_are_offered_the_team_for_violence_at_home() {
    let mut call = Call::start();
    call.said("I slapped my wife", |reading| {
        tells(Signal::OwnViolence, SURE)(reading);
        of_my_wife(reading);
    })
    .said("No, she's at her mother's", no)
    .is_asked(Question::Consent);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Dvert));
    let mut claims = note.evidence.iter().map(|it| it.claim.as_str());
    assert!(!claims.any(|claim| claim == "who did it"));
}

#[test]
fn whom_they_hurt_is_not_forgotten_for_who_is_spoken_of_next() {
    let mut call = Call::start();
    call.said("I slapped my wife", |reading| {
        tells(Signal::OwnViolence, SURE)(reading);
        of_my_wife(reading);
    })
    .said("No, she's at her mother's", |reading| {
        no(reading);
        reading.person = Some(PersonSpokenOf {
            role: Secret::new("mother".to_owned()),
            relation: Relation::Family,
            own: false,
        });
    });
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Dvert));
}

/// Told so surely, and not done yet.
fn means_to(confidence: f32) -> impl Fn(&mut Reading) {
    move |reading| {
        tells(Signal::OwnViolence, confidence)(reading);
        reading.signals.last_mut().unwrap().to_come = true;
    }
}

#[test]
fn who_is_about_to_hurt_somebody_has_answered_whether_somebody_is_in_danger() {
    let mut call = Call::start();
    call.said(
        "Once I go out of this kitchen he's finished",
        means_to(WORTH_ASKING),
    )
    .is_asked(Question::OtherInDanger)
    .said("No, not yet. But I'm going to put it in him", |reading| {
        means_to(SURE)(reading);
        no(reading);
    })
    .is_asked(Question::Name);
    assert!(call.conversation.note().structured_data.urgent);
    // Said of a game, by a brother.
    let mut call = Call::start();
    call.said("I'm going to kill my brother", means_to(WORTH_ASKING))
        .is_asked(Question::OtherInDanger)
        .said("Just my castle, that's dead", no)
        .reached_nobody();
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, None);
}

#[test]
fn who_was_beaten_and_means_to_hurt_them_is_asked_after_a_transfer_too() {
    let mut call = Call::start();
    call.said("My mother hit me", hit_by(Relation::Family, SURE))
        .said("Yes", yes);
    call.keeps_the_rest_back();
    call.said("I'm going to stab her tonight", means_to(SURE))
        .is_asked(Question::OtherInDanger);
}

#[test]
fn a_wish_to_die_told_beside_it_is_asked_about_next() {
    let mut call = Call::start();
    call.said(
        "I'm going to finish him, then it's over for me too",
        |reading| {
            means_to(WORTH_ASKING)(reading);
            tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        },
    )
    .is_asked(Question::OtherInDanger)
    .said("No", no)
    .is_asked(Question::Suicidal);
}

#[test]
fn who_was_hurt_and_hit_back_is_no_such_caller() {
    let mut call = Call::start();
    call.said(
        "He hit me with the belt",
        tells(Signal::PhysicalAbuse, SURE),
    )
    .said("I hit him today", tells(Signal::OwnViolence, SURE));
    let note = call.conversation.note();
    let mut claims = note.evidence.iter().map(|it| it.claim.as_str());
    assert!(!claims.any(|claim| claim == Signal::OwnViolence.name()));
}
