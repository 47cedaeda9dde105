//! A wish to be elsewhere that was not told in so many words.

use flow::reading::{Leaning, Reading, Relation, SURE, Signal, WORTH_ASKING};
use flow::{Agency, Question, TransferMode};

use super::call::{Call, hit_by, no, tells, yes};

/// One reader hears it, and the other does not.
fn barely_heard(reading: &mut Reading) {
    tells(Signal::ShelterWish, 0.45)(reading);
}

#[test]
fn who_leans_towards_it_and_is_hurt_at_home_is_asked_before_an_agency_is_offered() {
    let asked = || {
        let mut call = Call::start();
        call.said("I don't want to be here when he comes back", barely_heard)
            .said(
                "My husband hit me on Monday",
                hit_by(Relation::Spouse, SURE),
            )
            .is_asked(Question::NeedsShelter);
        call
    };
    let agency = |call: &mut Call| {
        let note = call.is_asked(Question::Consent).conversation.note();
        note.structured_data.transfer_to
    };
    let mut wants_it = asked();
    wants_it.said("Yes, for me and the girl", yes);
    assert_eq!(agency(&mut wants_it), Some(Agency::Fsc));
    let mut has_a_place = asked();
    has_a_place.said("No, I'm at my sister's", no);
    assert_eq!(agency(&mut has_a_place), Some(Agency::Dvert));
    let mut says_neither = asked();
    says_neither.said("The neighbours heard it", |_| {});
    assert_eq!(agency(&mut says_neither), Some(Agency::Dvert));
}

#[test]
fn a_yes_to_somewhere_to_stay_is_of_now_whatever_it_tells_of_before() {
    let mut call = Call::start();
    call.said("I don't want to be here when he comes back", barely_heard)
        .said(
            "My husband hit me on Monday",
            hit_by(Relation::Spouse, SURE),
        )
        .is_asked(Question::NeedsShelter)
        .said("Yes, I grew up on a sofa", |reading| {
            yes(reading);
            reading.tells_of_long_ago = true;
        })
        .is_asked(Question::Consent);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Fsc));
}

#[test]
fn who_does_not_lean_there_is_not_asked() {
    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .is_asked(Question::Consent);
}

#[test]
fn a_consent_that_speaks_of_a_room_is_taken_and_the_room_is_asked_about() {
    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .is_asked(Question::Consent)
    .said("All right, if they can find me a room", |reading| {
        tells(Signal::ShelterWish, WORTH_ASKING)(reading);
        yes(reading);
    })
    .is_asked(Question::NeedsShelter);
    // It was agreed to before, and is gone on with.
    call.said("No, I have my own flat", no)
        .is_asked(Question::Name);
}

#[test]
fn who_leans_there_after_another_agency_was_brought_in_is_asked_then() {
    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .said("Yes", yes);
    call.keeps_the_rest_back();
    assert_eq!(call.transfers, [(TransferMode::Cold, Agency::Dvert)]);
    call.said("Two of us need somewhere", |reading| {
        tells(Signal::ShelterWish, WORTH_ASKING)(reading);
    })
    .is_asked(Question::NeedsShelter)
    .said("Yes", yes)
    .is_asked(Question::Consent);
}

#[test]
fn a_question_left_open_is_put_once_more_where_what_is_told_later_leans_there() {
    let leans = |reading: &mut Reading| {
        reading.leanings = [Leaning::Shelter].into();
    };
    let mut call = Call::start();
    call.said("I sit in the restaurant, I bought a coffee", leans)
        .is_asked(Question::NeedsShelter)
        .said("The coffee is from eight o'clock", |_| {})
        .is_asked(Question::Open)
        .said("I taught Chinese", |_| {})
        .said("The room is being converted", leans)
        .is_asked(Question::NeedsShelter)
        .said("I have my books", |_| {})
        .said("Nobody has wronged me", |_| {})
        .said("I have a suitcase", leans);
    let put = call.conversation.listening().question;
    assert_ne!(put, Some(Question::NeedsShelter), "twice is enough");
}

#[test]
fn who_has_a_place_for_two_more_nights_needs_one() {
    let mut call = Call::start();
    call.said("I sit in the restaurant", |reading| {
        reading.leanings = [Leaning::Shelter].into();
    })
    .is_asked(Question::NeedsShelter)
    .said("Hotel until Monday, after that I don't have", |reading| {
        no(reading);
        reading.answer.lacks_a_place = true;
    })
    .is_asked(Question::Consent);
    let note = call.conversation.note().structured_data;
    assert_eq!(note.transfer_to, Some(Agency::Fsc));
}

#[test]
fn who_does_not_know_what_else_to_say_is_asked_what_a_yes_or_a_no_answers() {
    let mut call = Call::start();
    call.said("It's been a long week", |_| {})
        .is_asked(Question::Open)
        .said("I don't know what else to say", |reading| {
            reading.answer.out_of_words = true;
        })
        .is_asked(Question::DangerNow);
    assert!(call.replies.contains("A yes or a no is enough"));
}
