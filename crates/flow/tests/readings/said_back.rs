//! What a caller hears of what they told, and of whom.

use flow::reading::{Heard, Reading, Relation, SURE, Signal};
use flow::{Question, Secret};

use super::call::{Call, tells, yes};

#[test]
fn who_is_to_be_reached_the_next_working_day_hears_what_to_do_until_then() {
    let mut call = Call::start();
    call.said("He beats me", |reading| {
        tells(Signal::PhysicalAbuse, SURE)(reading);
        reading.abuser = Some(Heard {
            value: Relation::Spouse,
            words: reading.words.clone(),
            confidence: SURE,
        });
    })
    .said("Yes, you may", yes)
    .said("I won't say", |_| {})
    .said("Not that either", |_| {})
    .said("I don't know", |_| {})
    .said("By message", |_| {});
    assert!(
        call.replies.contains("next working day"),
        "{}",
        call.replies
    );
    assert_eq!(call.replies.matches("70999").count(), 1, "{}", call.replies);
}

#[test]
fn nobody_is_said_to_have_done_it_who_was_not_surely_named_for_it() {
    let hurt = |by: f32| {
        move |reading: &mut Reading| {
            tells(Signal::PhysicalAbuse, SURE)(reading);
            reading.abuser = Some(Heard {
                value: Relation::Family,
                words: Secret::new("My granddaughter".to_owned()),
                confidence: by,
            });
        }
    };
    let mut call = Call::start();
    call.said("Kena beat. My granddaughter gave me the number", hurt(0.6));
    assert!(
        !call.replies.contains("your granddaughter"),
        "{}",
        call.replies
    );
    let mut call = Call::start();
    call.said("My granddaughter hits me", hurt(0.9));
    assert!(
        call.replies.contains("your granddaughter"),
        "{}",
        call.replies
    );
}

#[test]
fn who_calls_for_somebody_that_was_hurt_is_not_told_that_they_were() {
    let mut call = Call::start();
    call.said(
        "My sister came with a black eye. Her husband did it",
        |reading| {
            tells(Signal::PhysicalAbuse, SURE)(reading);
            reading.signals[0].of_others = true;
            tells(Signal::ThirdParty, SURE)(reading);
            reading.abuser = Some(Heard {
                value: Relation::Spouse,
                words: reading.words.clone(),
                confidence: 0.6,
            });
        },
    )
    .is_asked(Question::Consent);
    assert!(!call.replies.contains("you were hurt"), "{}", call.replies);
}
