//! As a case is passed on, an assistant's server may have a word said before it. In danger it may not, and what the flow says is said.

mod talk;

use std::time::Duration;

use flow::{Agency, Conversation, Event, Secret, Unfit};
use talk::{READER, polled, setup};

const WORD: &str = "The office at Ang Mo Kio keeps a bed for tonight.";
const SAFE: &[&str] = &["yes I'm safe"];

fn begun() -> Conversation {
    let mut conversation = Conversation::new(setup());
    conversation.handle(Event::CallStarted, Duration::ZERO);
    polled(&mut conversation);
    conversation
}

fn say(conversation: &mut Conversation, words: &str) {
    let words = Secret::new(words.to_owned());
    READER.tell(conversation, &words, Duration::ZERO);
}

/// A caller who is safe has told of this, and the last that was asked for. Nothing of the reply is polled.
fn passing_on(told: &[&str]) -> Conversation {
    let mut conversation = begun();
    let mut said = String::new();
    let before = SAFE.iter().chain(told);
    for words in before.chain(&["yes", "Ana Tan", "Bedok"]) {
        say(&mut conversation, words);
        said = polled(&mut conversation).join(" ");
    }
    if said.contains("incident") || said.contains("last time") {
        say(&mut conversation, "last week");
        polled(&mut conversation);
    }
    say(&mut conversation, "a message, after nine at night");
    conversation
}

const NEEDS: [(&[&str], Agency); 2] = [
    (&["I need a place to stay tonight"], Agency::Fsc),
    (
        &["my son takes all my money", "seventy-two, retired"],
        Agency::Aps,
    ),
];

#[test]
fn a_word_is_said_right_before_the_case_is_passed_on_and_all_of_ours_is_said_too() {
    for (told, agency) in NEEDS {
        let ours = polled(&mut passing_on(told));
        let mut beside = passing_on(told);
        assert_eq!(beside.hands_over_calmly(), Some(agency), "{ours:?}");
        assert_eq!(beside.say_before_handing_over(WORD, &[]), Ok(()));
        let mut said = polled(&mut beside);
        let at = said
            .iter()
            .position(|line| line == WORD)
            .expect("it is said");
        assert_eq!(said[at + 1], format!("-> {agency}"));
        said.remove(at);
        assert_eq!(said, ours);
    }
}

#[test]
fn what_does_not_fit_is_not_said_and_changes_nothing() {
    for (text, unfit) in [
        ("", Unfit::Empty),
        ("Would you like to wait?", Unfit::Empty),
        // Nobody is put through to anybody: the case is passed on.
        ("I am transferring you now.", Unfit::Promise),
        ("Please stay on the line.", Unfit::Promise),
        ("I am a real person.", Unfit::Refusal),
        ("See https://example.com", Unfit::NotPlain),
    ] {
        let mut conversation = passing_on(NEEDS[0].0);
        let refused = conversation.say_before_handing_over(text, &[]);
        assert_eq!(refused, Err(unfit), "{text}");
        let ours = polled(&mut passing_on(NEEDS[0].0));
        assert_eq!(polled(&mut conversation), ours, "{text}");
    }
}

#[test]
fn where_there_is_danger_or_nothing_is_passed_on_there_is_no_word_beside_ours() {
    for told in [
        &["yes I'm safe", "he's hitting me"][..],
        &["yes I'm safe", "I want to kill myself tonight"],
        &["yes I'm safe", "I took a whole bottle of panadol"],
        &["no, I am not safe", "I need a place to stay tonight"],
        &["I can only say yes or no", "I need a place to stay tonight"],
        &["I need a place to stay tonight"],
        &["yes I'm safe", "I feel lonely"],
    ] {
        let mut conversation = begun();
        for words in told.iter().chain(&["yes", "Ana Tan", "Bedok"]) {
            say(&mut conversation, words);
            assert_eq!(conversation.hands_over_calmly(), None, "{told:?}: {words}");
            let refused = conversation.say_before_handing_over(WORD, &[]);
            assert_eq!(refused, Err(Unfit::OutOfPlace), "{told:?}: {words}");
            polled(&mut conversation);
        }
    }
}
