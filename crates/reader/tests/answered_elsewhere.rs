//! A caller's own question may be answered by whoever knows more. What is said in danger, of consent and of whom to ring may not.

mod talk;

use std::time::Duration;

use flow::{Conversation, Event, Secret, Unfit};
use talk::{READER, polled, setup};

const ASKED: &str = "Is this call recorded?";
const ANSWER: &str = "The office opens at nine on weekdays.";

/// After these turns, the last not yet polled.
fn after(turns: &[&str]) -> Conversation {
    let mut conversation = Conversation::new(setup());
    conversation.handle(Event::CallStarted, Duration::ZERO);
    for words in turns {
        while conversation.poll_command().is_some() {}
        let words = Secret::new((*words).to_owned());
        READER.tell(&mut conversation, &words, Duration::ZERO);
    }
    conversation
}

#[test]
fn an_answer_from_elsewhere_takes_the_place_of_ours_and_the_turn_asks_on() {
    for question in [ASKED, "Who is the president?", "What is PAVE?"] {
        let mut ours = after(&["I'm safe", question]);
        assert!(ours.answers_a_question(), "{question}");
        let ours = polled(&mut ours);
        let mut theirs = after(&["I'm safe", question]);
        assert_eq!(theirs.answer_instead(ANSWER, &[question]), Ok(()));
        let theirs = polled(&mut theirs);
        assert_eq!(theirs[..2], ["looked up", ANSWER], "{question}");
        assert_eq!(theirs.last(), ours.last(), "the question stays");
        assert!(theirs.last().is_some_and(|last| last.ends_with('?')));
    }
}

#[test]
fn what_does_not_fit_leaves_the_turn_as_it_is() {
    for (text, unfit) in [
        ("", Unfit::Empty),
        ("I am a real person.", Unfit::Refusal),
        ("Help is on the way.", Unfit::Promise),
        ("See https://example.com", Unfit::NotPlain),
        ("你好", Unfit::NotPlain),
    ] {
        let mut conversation = after(&["I'm safe", ASKED]);
        assert_eq!(
            conversation.answer_instead(text, &[ASKED]),
            Err(unfit),
            "{text}"
        );
        let mut ours = after(&["I'm safe", ASKED]);
        assert_eq!(polled(&mut conversation), polled(&mut ours), "{text}");
    }
}

#[test]
fn danger_consent_and_whom_to_ring_are_answered_by_nobody_else() {
    for turns in [
        &["I'm safe", "I want to kill myself tonight"][..],
        &["He is hitting me right now, he has a knife"],
        // Answered with whom to ring.
        &["I'm safe", "I feel very low", "How does your office work?"],
        &["I'm safe", "I feel very low"],
        &[],
    ] {
        let mut conversation = after(turns);
        assert!(!conversation.answers_a_question(), "{turns:?}");
        let refused = conversation.answer_instead(ANSWER, &[]);
        assert_eq!(refused, Err(Unfit::OutOfPlace), "{turns:?}");
    }
}
