//! Whether a case may be shared: given, refused, taken back, and not pressed for.

use flow::reading::{Heard, Reading, Relation, SURE, Signal, WORTH_ASKING};
use flow::{Agency, Question, TransferMode};

use super::call::{Call, hit_by, no, tells, yes};

#[test]
fn a_consent_that_leans_to_yes_is_one_when_it_is_said_again() {
    let leans = |reading: &mut Reading| reading.answer.leans_yes = true;
    let mut call = Call::start();
    call.said("I need a bed tonight", tells(Signal::ShelterWish, SURE))
        .is_asked(Question::Consent);
    call.said("My daughter says yes, so I also", leans)
        .is_asked(Question::Consent);
    call.said("My daughter says yes, so I also", leans)
        .is_asked(Question::Name);
}

#[test]
fn a_consent_given_and_taken_back_in_one_breath_is_none_and_may_be_given_later() {
    let mut call = Call::start();
    call.said("I need a bed tonight", tells(Signal::ShelterWish, SURE))
        .is_asked(Question::Consent);
    call.said("Okay can, no wait, don't tell anybody", |reading| {
        reading.answer.takes_back = true;
    })
    .is_asked(Question::MoreSupport)
    .reached_nobody();
    call.said("Actually you can share", |reading| {
        reading.answer.wants_shared = true;
    })
    .is_asked(Question::Name);
}

#[test]
fn an_agency_offered_on_a_bare_yes_and_turned_down_is_not_in_the_note() {
    // As one reader takes it.
    let bare_yes = |reading: &mut Reading| {
        tells(Signal::ShelterWish, WORTH_ASKING)(reading);
        reading.answer.yes = Some(true);
    };
    let mut call = Call::start();
    call.said("My girl left me", tells(Signal::ShelterWish, WORTH_ASKING));
    while call.conversation.listening().question != Some(Question::NeedsShelter) {
        call.said("I don't know what to say about it", |_| {});
    }
    call.said("Upstairs, third floor", bare_yes)
        .is_asked(Question::Consent);
    call.said("What for, for love?", no).reached_nobody();
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, None);

    call.said(
        "She threw me out, I sleep at the void deck",
        tells(Signal::ShelterWish, SURE),
    );
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Fsc));
}

#[test]
fn what_both_readers_heard_a_yes_to_is_in_the_note_though_the_agency_was_turned_down() {
    let mut call = Call::start();
    call.said(
        "Once he forced me",
        tells(Signal::SexualAssault, WORTH_ASKING),
    )
    .is_asked(Question::SexualHarm)
    .said("Yes, it's strange to say yes to", yes)
    .is_asked(Question::Consent)
    .said("No, I've told you, and that's enough", no)
    .reached_nobody();
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Sacc));
    assert!(!note.structured_data.transferred);
}

#[test]
fn something_graver_told_after_a_no_changes_the_agency_of_the_note_and_nobody_is_asked_again() {
    let mut call = Call::start();
    call.said(
        "He keeps my passport",
        tells(Signal::PsychologicalAbuse, SURE),
    )
    .is_asked(Question::HurtBefore)
    .said("Never", no)
    .is_asked(Question::Age)
    .said("I'd rather not say", |reading| {
        reading.answer.refuses = true
    })
    .is_asked(Question::Consent)
    .said("No, don't tell anybody", no)
    .said(
        "My husband kicked me on Wednesday",
        hit_by(Relation::Spouse, SURE),
    )
    .reached_nobody();
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Consent)
    );
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Dvert));
    assert!(!note.structured_data.transferred);
    assert!(
        !note.summary.expose_secret().contains("did not agree"),
        "nobody asked"
    );
    // Who wants to share it after all hears with whom.
    call.said("Actually you can share", |reading| {
        reading.answer.wants_shared = true;
    })
    .is_asked(Question::Consent)
    .said("Yes", yes)
    .is_asked(Question::Name);
}

#[test]
fn a_consent_given_or_refused_beside_words_of_danger_is_not_asked_for_again() {
    let slapped = |reading: &mut Reading| {
        tells(Signal::PhysicalAbuse, SURE)(reading);
        reading.abuser = Some(Heard {
            value: Relation::Spouse,
            words: reading.words.clone(),
            confidence: SURE,
        });
    };
    for (answer, then) in [
        (no as fn(&mut Reading), Question::MoreSupport),
        (yes, Question::Name),
    ] {
        let beside = |reading: &mut Reading| {
            answer(reading);
            tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        };
        Call::start()
            .said("He slapped me", slapped)
            .is_asked(Question::Consent)
            .said("So be it, I'm so tired of it all", beside)
            .is_asked(Question::Suicidal)
            .said("No, I want to live", no)
            .is_asked(then);
    }
}

#[test]
fn consent_is_not_asked_for_a_third_time_after_a_danger_that_was_none() {
    let hint = tells(Signal::SuicidalDirect, WORTH_ASKING);
    let mut call = Call::start();
    call.said("I need a bed tonight", tells(Signal::ShelterWish, SURE))
        .is_asked(Question::Consent);
    call.said("I shell all the peanuts thinking about it", |_| {})
        .is_asked(Question::Consent);
    call.said("I shell all the peanuts thinking about it", &hint)
        .is_asked(Question::Suicidal);
    call.said("No, I must cook for my son", no)
        .is_asked(Question::MoreSupport);
    call.reached_nobody();
}

#[test]
fn a_grave_thing_told_in_place_of_a_consent_is_heard_before_that_is_asked_for_again() {
    let mut call = Call::start();
    call.said("My wife throws things at me", |reading| {
        tells(Signal::PhysicalAbuse, SURE)(reading);
        reading.abuser = Some(Heard {
            value: Relation::Spouse,
            words: reading.words.clone(),
            confidence: SURE,
        });
    })
    .is_asked(Question::Consent);
    call.replies.clear();
    call.said("I'm scared for the kid", tells(Signal::Fear, SURE))
        .is_asked(Question::Consent);
    let heard = ["safe", "frightening", "scared"];
    assert!(
        heard.iter().any(|word| call.replies.contains(word)),
        "{}",
        call.replies
    );
}

#[test]
fn nobody_is_left_to_wait_for_a_counsellor_who_has_no_way_to_reach_them() {
    let consents = || {
        let mut call = Call::start();
        call.said("My brother hit my head", hit_by(Relation::Family, SURE))
            .is_asked(Question::Consent)
            .said("Yes", yes);
        call
    };
    let mut kept_back = consents();
    kept_back.keeps_the_rest_back();
    assert!(kept_back.replies.contains("no safe way to reach you"));

    let mut given = consents();
    let declines = |reading: &mut Reading| {
        reading.answer.refuses = true;
        reading.answer.declines_to_say = true;
    };
    while given.transfers.is_empty() {
        match given.conversation.listening().question {
            Some(Question::SafeContact) => given.said("My own number, after six", |_| {}),
            _ => given.said("I would not like to say", declines),
        };
    }
    assert!(!given.replies.contains("no safe way to reach you"));
}

#[test]
fn a_lesser_need_told_with_the_yes_does_not_end_the_way_to_the_agency_that_was_agreed_to() {
    let mut call = Call::start();
    call.said("My employer hit my head", hit_by(Relation::Family, SURE))
        .is_asked(Question::Consent)
        .said("Yes, tell them. The agent scolds me too.", |reading| {
            tells(Signal::EmotionalAbuse, SURE)(reading);
            reading.abuser = Some(Heard {
                value: Relation::NotFamily,
                words: reading.words.clone(),
                confidence: 0.95,
            });
            yes(reading);
        })
        .is_asked(Question::Name);
    call.keeps_the_rest_back();
    assert_eq!(call.transfers, [(TransferMode::Cold, Agency::Pave)]);
}
