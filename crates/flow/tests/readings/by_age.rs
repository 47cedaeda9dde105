//! An agency that is chosen by the caller's age, and what is asked before it.

use flow::reading::{Heard, Reading, Relation, SURE, Signal};
use flow::{Agency, Question};

use super::call::{Call, no, tells, yes};

#[test]
fn who_is_put_down_is_asked_about_blows_and_by_somebody_outside_the_home_about_touch_before_their_age()
 {
    let put_down_by = |relation| {
        move |reading: &mut Reading| {
            tells(Signal::EmotionalAbuse, SURE)(reading);
            reading.abuser = Some(Heard {
                value: relation,
                words: reading.words.clone(),
                confidence: SURE,
            });
        }
    };
    let agency = |call: &mut Call| {
        let note = call.is_asked(Question::Consent).conversation.note();
        note.structured_data.transfer_to
    };
    let asked = [
        (Relation::Spouse, Question::HurtBefore, Agency::Dvert),
        (Relation::Family, Question::HurtBefore, Agency::Pave),
        (Relation::NotFamily, Question::SexualHarm, Agency::Sacc),
    ];
    for (relation, question, graver) in asked {
        let mut told = Call::start();
        told.said("He says I'm nothing", put_down_by(relation))
            .is_asked(question)
            .said("Yes", yes);
        let bare = told.conversation.listening().question;
        if bare == Some(Question::DangerNow) {
            told.said("Not now", no);
        }
        assert_eq!(agency(&mut told), Some(graver), "{relation:?}");
        // Asked once, whatever the answer.
        let mut words_only = Call::start();
        words_only
            .said("He says I'm nothing", put_down_by(relation))
            .is_asked(question)
            .said("It is how he looks at me", |_| {})
            .is_asked(Question::Age);
    }
    // Who has told of blows is not asked about them, and who was held down by somebody outside the home is asked about touch.
    let mut beaten = Call::start();
    beaten
        .said("My boss shouts, and he held me down", |reading| {
            put_down_by(Relation::NotFamily)(reading);
            tells(Signal::PhysicalAbuse, SURE)(reading);
        })
        .is_asked(Question::SexualHarm)
        .said("No, not that", no)
        .is_asked(Question::Age);
}

#[test]
fn an_age_that_was_not_understood_is_asked_for_so_that_a_yes_answers_and_one_not_given_is_not() {
    let scolded = tells(Signal::EmotionalAbuse, SURE);
    let mut call = Call::start();
    call.said("She calls me the stray dog", &scolded)
        .is_asked(Question::HurtBefore)
        .said("Never", no)
        .is_asked(Question::Age);
    call.said("Five hundred thirteen", |_| {})
        .is_asked(Question::EighteenOrUnder);
    call.said("Yes", yes).is_asked(Question::Consent);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Cps));

    let mut call = Call::start();
    call.said("She calls me the stray dog", &scolded)
        .is_asked(Question::HurtBefore)
        .said("Never", no)
        .is_asked(Question::Age);
    call.said("No, not the age", no).is_asked(Question::Consent);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Navh));
}
