//! As a case is passed on, an assistant's server may have a word said before it, and before the caller is asked it may say whom
//! the case goes to. In danger it may not, and what the flow says is said.

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
        &[
            "my son takes all my money",
            "no, never",
            "seventy-two, retired",
        ],
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

/// A caller who is safe has told of this, and is asked whether their case may be shared. Nothing of that is polled.
fn asking_to_share(told: &[&str]) -> Conversation {
    let mut conversation = begun();
    for words in SAFE.iter().chain(told) {
        polled(&mut conversation);
        say(&mut conversation, words);
    }
    conversation
}

/// All that the caller says from their consent on; what is said to them.
fn agrees(conversation: &mut Conversation) -> String {
    let mut said = polled(conversation);
    for words in [
        "yes",
        "Ana Tan",
        "Bedok",
        "last week",
        "a message, after nine at night",
        "no, that's all",
    ] {
        let asked = said.join(" ");
        if words == "last week" && !asked.contains("incident") && !asked.contains("last time") {
            continue;
        }
        say(conversation, words);
        said.extend(polled(conversation));
    }
    said.join("\n")
}

#[test]
fn a_caller_agrees_to_the_agency_that_is_named_for_their_case_and_it_has_the_case() {
    for (told, ours) in NEEDS {
        let mut conversation = asking_to_share(told);
        assert_eq!(conversation.asks_to_share_calmly(), Some(ours));
        assert_eq!(conversation.ask_to_share_with(Agency::Pave), Ok(()));
        let said = agrees(&mut conversation);
        assert!(said.contains("-> PAVE"), "{said}");
        assert!(!said.contains(&format!("-> {ours}")), "{said}");
        assert_eq!(said.matches("your case").count(), 1, "asked once: {said}");
        let note = conversation.note().structured_data;
        assert_eq!(note.transfer_to, Some(Agency::Pave));
    }
}

#[test]
fn who_does_not_agree_to_it_has_nothing_shared() {
    let mut conversation = asking_to_share(NEEDS[0].0);
    assert_eq!(conversation.ask_to_share_with(Agency::Pave), Ok(()));
    polled(&mut conversation);
    for words in ["no, please don't", "no, that's all"] {
        say(&mut conversation, words);
        let said = polled(&mut conversation).join("\n");
        assert!(!said.contains("->"), "{said}");
    }
}

#[test]
fn who_answers_at_once_takes_no_case_and_an_agency_is_named_once() {
    let ours = polled(&mut asking_to_share(NEEDS[0].0));
    for at_once in [Agency::Spf, Agency::Sos] {
        let mut conversation = asking_to_share(NEEDS[0].0);
        let refused = conversation.ask_to_share_with(at_once);
        assert_eq!(refused, Err(Unfit::Agency), "{at_once}");
        assert_eq!(polled(&mut conversation), ours);
    }
    let mut conversation = asking_to_share(NEEDS[0].0);
    assert_eq!(conversation.ask_to_share_with(Agency::Fsc), Ok(()));
    assert_eq!(conversation.ask_to_share_with(Agency::Pave), Ok(()));
    let again = conversation.ask_to_share_with(Agency::Aps);
    assert_eq!(again, Err(Unfit::Agency));
}

#[test]
fn in_danger_nobody_else_has_a_say_in_whom_the_case_goes_to() {
    for told in [
        &["yes I'm safe", "he's hitting me"][..],
        &["yes I'm safe", "I want to kill myself tonight"],
        &["yes I'm safe", "I took a whole bottle of panadol"],
        &["no, I am not safe", "I need a place to stay tonight"],
    ] {
        let mut conversation = begun();
        for words in told {
            polled(&mut conversation);
            say(&mut conversation, words);
            assert_eq!(
                conversation.asks_to_share_calmly(),
                None,
                "{told:?}: {words}"
            );
            let refused = conversation.ask_to_share_with(Agency::Pave);
            assert_eq!(refused, Err(Unfit::OutOfPlace), "{told:?}: {words}");
        }
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
