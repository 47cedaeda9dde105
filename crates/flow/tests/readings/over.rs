//! Danger that is over, by the account of who was on the way to the police.

use flow::reading::{Heard, Reading, Relation, SURE, Signal, TimeHeard};
use flow::{Agency, Question, Secret, TransferMode};

use super::call::{Call, hit_by, no, tells, yes};

fn last_saturday(reading: &mut Reading) {
    let when = Secret::new("2026-11-14".to_owned());
    reading.incident = Some(Heard {
        value: TimeHeard {
            when,
            days_ago: 6,
            just_now: false,
        },
        words: reading.words.clone(),
        confidence: 0.9,
    });
}

/// On the way to the police, asked what happened to them.
fn beaten_until_the_account(told: impl FnOnce(&mut Reading)) -> Call {
    let mut call = Call::start();
    call.said("My husband keeps hitting me", |reading| {
        hit_by(Relation::Spouse, 0.9)(reading);
        tells(Signal::ViolenceNow, SURE)(reading);
        told(reading);
    })
    .is_asked_what_happened();
    call
}

#[test]
fn what_was_on_an_earlier_day_is_made_sure_of_and_is_no_matter_for_the_police() {
    let one_reader_hears_a_no_and_both_that_they_are_safe = |reading: &mut Reading| {
        reading.answer.yes = Some(false);
        tells(Signal::Safe, SURE)(reading);
    };
    let answers: [fn(&mut Reading); 2] = [no, one_reader_hears_a_no_and_both_that_they_are_safe];
    for answer in answers {
        let mut call = beaten_until_the_account(|_| {});
        call.said("It was last Saturday", last_saturday)
            .is_asked(Question::DangerNow)
            .said("He's in Bangkok", answer)
            .reached_nobody()
            .is_asked(Question::Consent);
        let note = call.conversation.note().structured_data;
        assert_eq!(note.transfer_to, Some(Agency::Dvert));
        assert!(!note.urgent);
    }
}

#[test]
fn who_was_hurt_on_an_earlier_day_and_may_be_now_is_connected() {
    let answers: [fn(&mut Reading); 7] = [
        yes,
        |_| {},
        |reading| tells(Signal::Safe, SURE)(reading),
        // One reader's no.
        |reading| reading.answer.yes = Some(false),
        // "Not yet."
        |reading| {
            no(reading);
            reading.answer.hedges = true;
        },
        |reading| {
            no(reading);
            tells(Signal::PhysicalAbuse, SURE)(reading);
        },
        // "No, he's in the next room."
        |reading| {
            no(reading);
            tells(Signal::NotSafeToTalk, SURE)(reading);
        },
    ];
    for answer in answers {
        let mut call = beaten_until_the_account(|_| {});
        call.said("It began last Saturday", last_saturday)
            .is_asked(Question::DangerNow)
            .said("He's outside again", answer);
        call.reached(Agency::Spf);
    }
}

#[test]
fn who_told_of_something_grave_or_of_dying_is_not_asked_whether_it_is_over() {
    let grave: [fn(&mut Reading); 4] = [
        |reading| tells(Signal::ThreatToKill, SURE)(reading),
        |reading| tells(Signal::SuicidalIndirect, SURE)(reading),
        |reading| tells(Signal::Injury, SURE)(reading),
        |reading| tells(Signal::Pregnant, SURE)(reading),
    ];
    for told in grave {
        let mut call = beaten_until_the_account(told);
        call.said("It was last Saturday", last_saturday);
        call.reached(Agency::Spf);
    }
    // Nor is who was hurt yesterday, for at midnight that is an hour ago.
    let mut call = beaten_until_the_account(|_| {});
    call.said("Last night", |reading| {
        last_saturday(reading);
        if let Some(incident) = &mut reading.incident {
            incident.value.days_ago = 1;
        }
    });
    call.reached(Agency::Spf);
    // Nor is who cannot speak freely any more.
    let mut call = beaten_until_the_account(|_| {});
    call.said("It was last Saturday, he's coming", |reading| {
        last_saturday(reading);
        tells(Signal::NotSafeToTalk, SURE)(reading);
    });
    call.reached(Agency::Spf);
}

#[test]
fn what_was_done_to_another_long_ago_is_made_sure_of_for_them() {
    let mut call = Call::start();
    call.said("They're beating my father in the yard", |reading| {
        tells(Signal::ViolenceNow, SURE)(reading);
        tells(Signal::PhysicalAbuse, SURE)(reading);
        for heard in &mut reading.signals {
            heard.of_others = true;
        }
    })
    .is_asked_what_happened()
    .said("It was in 1943", |reading| reading.tells_of_long_ago = true)
    .is_asked(Question::OtherInDanger)
    .said("No, it was eighty years ago", no)
    .reached_nobody();
    let note = call.conversation.note().structured_data;
    assert_eq!((note.transfer_to, note.urgent), (None, false));
}

#[test]
fn who_is_locked_in_or_whose_door_is_forced_is_not_asked_whether_it_is_over() {
    let mut call = Call::start();
    call.said("My employer locked me in", tells(Signal::ViolenceNow, SURE))
        .is_asked_what_happened()
        .said("On Saturday", last_saturday);
    call.reached(Agency::Spf);
}

#[test]
fn the_route_that_was_left_for_the_police_is_taken_again() {
    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .is_asked(Question::Consent)
    .said("No, tell nobody", no)
    .said("He is hitting me", tells(Signal::ViolenceNow, SURE))
    .is_asked_what_happened()
    .said("It was last Saturday", last_saturday)
    .is_asked(Question::DangerNow)
    .said("No", no)
    .reached_nobody();
    let note = call.conversation.note().structured_data;
    assert_eq!(note.transfer_to, Some(Agency::Dvert));
}

#[test]
fn a_case_that_was_being_passed_on_is_passed_on_once_the_danger_is_over() {
    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .is_asked(Question::Consent)
    .said("Yes", yes)
    .is_asked(Question::Name)
    .said("He hits me", tells(Signal::ViolenceNow, SURE))
    .is_asked_what_happened()
    .said("It was last Saturday", last_saturday)
    .is_asked(Question::DangerNow)
    .said("No", no)
    .keeps_the_rest_back();
    assert_eq!(call.transfers, [(TransferMode::Cold, Agency::Dvert)]);
}

/// Who told of danger, can talk, and then tells of none.
fn tells_of_no_danger() -> Call {
    let mut call = Call::start();
    call.said("He's pushing her down the stairs", |reading| {
        tells(Signal::ViolenceNow, SURE)(reading);
    })
    .is_asked_what_happened();
    call
}

const NO_DANGER: &str = "she sold her gold for him and he has another in Taiwan";

#[test]
fn who_asked_what_happened_tells_of_no_danger_is_asked_once_whether_there_is_any() {
    let mut call = tells_of_no_danger();
    call.said(NO_DANGER, |_| {})
        .is_asked(Question::DangerNow)
        .said("No, no", no)
        .reached_nobody();
    let note = call.conversation.note().structured_data;
    assert_eq!((note.transfer_to, note.urgent), (None, false));

    let unclear: [fn(&mut Reading); 3] = [
        yes,
        |_| {},
        // One reader's no.
        |reading| reading.answer.yes = Some(false),
    ];
    for answer in unclear {
        let mut call = tells_of_no_danger();
        call.said(NO_DANGER, |_| {})
            .is_asked(Question::DangerNow)
            .said("She's by the stairs", answer)
            .said("A minute ago", |_| {});
        call.reached(Agency::Spf);
    }
}

#[test]
fn who_gives_no_account_or_was_in_somebodys_hands_already_is_asked_nothing_more() {
    let mut call = tells_of_no_danger();
    call.said("Come", |_| {}).is_asked(Question::IncidentTime);
    let mut call = tells_of_no_danger();
    call.said("I do not know what else there is to say", |reading| {
        reading.answer.out_of_words = true;
    })
    .is_asked(Question::IncidentTime);

    let mut call = Call::start();
    call.said(
        "My husband hit me on Monday",
        hit_by(Relation::Spouse, SURE),
    )
    .is_asked(Question::Consent)
    .said("Yes", yes);
    call.keeps_the_rest_back();
    call.said(
        "He's back, he's hitting me",
        tells(Signal::ViolenceNow, SURE),
    )
    .is_asked_what_happened()
    .said(NO_DANGER, |_| {});
    let police = (TransferMode::Warm, Agency::Spf);
    assert_eq!(call.transfers.last(), Some(&police));
}
