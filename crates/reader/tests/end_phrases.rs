//! What a program's assistant may end, and what it never may: words of the program's are obeyed only where nobody is in danger.

mod talk;

use std::sync::Arc;
use std::time::Duration;

use flow::{AssistantScript, Conversation, EndReason, Event, ProgramsWords, Reply, Secret, Setup};
use proptest::prelude::*;
use talk::{READER, setup};

/// Each tells of a danger, or of a need.
const DANGEROUS: &[&str] = &[
    "he's hitting me",
    "my husband hit me",
    "my father beats me",
    "I want to die",
    "I feel so hopeless",
    "I was raped",
    "I need a place to stay",
    "I'm scared",
    "I can only say yes or no",
    "my mother calls me useless every day",
    "I took a whole bottle of panadol",
    "my son takes all my money",
    "my neighbour is screaming",
];
const HARMLESS: &[&str] = &[
    "yes",
    "yes, I am safe",
    "no",
    "I just want to talk to somebody",
    "my exam is next week",
    "thanks",
    "what happens next?",
    "where is the parking",
    "are you a robot",
    "hmm",
    "",
];
/// What only the program knows.
const BEHIND: &str = "It is behind the house.";
/// Nearly everything that is said holds one of them.
const PHRASES: [&str; 8] = ["you", "i", "the", "to", "a", "is", "here", "goodbye"];

/// With an assistant of a program's that ends whatever it may, and knows of parking.
fn of_a_program() -> Setup {
    let mut program = ProgramsWords::default()
        .saying_first("Good evening. How can I help you?")
        .ending_with(PHRASES);
    program.know("# Parking\nIt is behind the house.");
    let script = AssistantScript {
        program,
        ..AssistantScript::built_in()
    };
    Setup {
        assistant: Arc::new(script),
        ..setup()
    }
}

fn begun(setup: Setup) -> (Conversation, Reply) {
    let mut conversation = Conversation::new(setup);
    conversation.handle(Event::CallStarted, Duration::ZERO);
    let reply = conversation.take_reply();
    (conversation, reply)
}

fn say(conversation: &mut Conversation, words: &str) -> Reply {
    let words = Secret::new(words.to_owned());
    READER.tell(conversation, &words, Duration::ZERO);
    conversation.take_reply()
}

fn said(reply: &Reply) -> Vec<&str> {
    let sentences = reply.sentences.iter();
    sentences.map(|it| it.expose_secret().as_str()).collect()
}

#[derive(Debug, Clone)]
enum Input {
    Dangerous(&'static str),
    Harmless(&'static str),
    Noise,
    Silence,
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        2 => proptest::sample::select(DANGEROUS).prop_map(Input::Dangerous),
        6 => proptest::sample::select(HARMLESS).prop_map(Input::Harmless),
        1 => Just(Input::Noise),
        1 => Just(Input::Silence),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_danger_is_never_cut_off_by_an_end_phrase(inputs in proptest::collection::vec(input(), 1..14)) {
        let (mut helplines, _) = begun(setup());
        let (mut programs, _) = begun(of_a_program());
        let mut danger = false;
        for input in inputs {
            danger |= matches!(input, Input::Dangerous(_));
            let (expected, heard) = match &input {
                Input::Dangerous(words) | Input::Harmless(words) => {
                    (say(&mut helplines, words), say(&mut programs, words))
                }
                Input::Noise | Input::Silence => {
                    let event = match input {
                        Input::Noise => Event::CallerNotUnderstood,
                        _ => Event::CallerSilent,
                    };
                    helplines.handle(event.clone(), Duration::ZERO);
                    programs.handle(event, Duration::ZERO);
                    (helplines.take_reply(), programs.take_reply())
                }
            };
            match (helplines.has_ended(), programs.has_ended()) {
                (false, true) => {
                    prop_assert!(!danger, "in danger a caller was hung up on");
                    prop_assert!(matches!(input, Input::Harmless(_)), "who says nothing is not hung up on");
                    prop_assert_eq!(heard.ends(), Some(EndReason::AssistantEnded));
                    prop_assert!(!said(&heard).iter().any(|it| it.ends_with('?')), "nobody is asked something and hung up on");
                    break;
                }
                (true, _) => {
                    prop_assert!(programs.has_ended());
                    break;
                }
                // In danger what is done is the same, and nothing is told of what only the program knows.
                (false, false) if danger => {
                    prop_assert_eq!(&heard.afterwards, &expected.afterwards);
                    prop_assert_eq!(heard.sentences.len(), expected.sentences.len());
                    prop_assert!(!said(&heard).contains(&BEHIND));
                }
                (false, false) => {}
            }
        }
    }
}

#[test]
fn a_caller_who_is_safe_and_told_of_nothing_is_parted_with_on_a_phrase() {
    let (mut conversation, _) = begun(of_a_program());
    let reply = say(&mut conversation, "yes, I am safe");
    assert_eq!(
        reply.ends(),
        Some(EndReason::AssistantEnded),
        "{:?}",
        said(&reply)
    );
    assert!(conversation.has_ended());
}

#[test]
fn the_greeting_is_the_programs_then_the_notice_and_the_question() {
    let (_, greeting) = begun(of_a_program());
    assert_eq!(
        said(&greeting),
        [
            "Good evening.",
            "I'm an AI counsellor, and I'm here to listen.",
            "Are you safe right now?"
        ]
    );
    assert!(
        greeting.ends().is_none(),
        "a phrase in the greeting ends nothing"
    );
}

#[test]
fn a_caller_who_speaks_first_hears_the_notice_and_is_asked_whether_they_are_safe() {
    let mut conversation = Conversation::new(setup());
    conversation.handle(Event::CallerToSpeakFirst, Duration::ZERO);
    assert!(conversation.take_reply().sentences.is_empty());
    let reply = say(
        &mut conversation,
        "hello, I would like to talk about my exam",
    );
    let said = said(&reply);
    assert!(said.iter().any(|it| it.contains("AI")), "{said:?}");
    assert!(
        said.last().is_some_and(|last| last.contains("safe")),
        "{said:?}"
    );
    let questions = said.iter().filter(|it| it.ends_with('?'));
    assert_eq!(questions.count(), 1, "{said:?}");
}

#[test]
fn a_caller_who_speaks_first_of_a_danger_is_answered_to_that() {
    let mut conversation = Conversation::new(setup());
    conversation.handle(Event::CallerToSpeakFirst, Duration::ZERO);
    let first = say(&mut conversation, "he's hitting me");
    let (mut greeted, _) = begun(setup());
    let expected = say(&mut greeted, "he's hitting me");
    assert_eq!(said(&first).last(), said(&expected).last());
}

#[test]
fn a_caller_who_was_to_speak_first_and_does_not_is_greeted() {
    for event in [Event::CallerSilent, Event::CallerNotUnderstood] {
        let mut conversation = Conversation::new(setup());
        conversation.handle(Event::CallerToSpeakFirst, Duration::ZERO);
        conversation.handle(event, Duration::ZERO);
        let (_, greeting) = begun(setup());
        assert_eq!(said(&conversation.take_reply()), said(&greeting));
    }
}

#[test]
fn what_a_program_knows_is_told_where_the_helpline_has_no_answer_and_nobody_is_in_danger() {
    let script = AssistantScript {
        program: {
            let mut program = ProgramsWords::default();
            program.know("# Parking\nIt is behind the house.");
            program
        },
        ..AssistantScript::built_in()
    };
    let setup = Setup {
        assistant: Arc::new(script),
        ..setup()
    };
    let (mut safe, _) = begun(setup.clone());
    say(&mut safe, "yes, I am safe");
    let reply = say(&mut safe, "where is the parking?");
    assert!(said(&reply).contains(&BEHIND), "{:?}", said(&reply));
    let (mut in_danger, _) = begun(setup);
    say(&mut in_danger, "my husband hit me last week");
    let reply = say(&mut in_danger, "where is the parking?");
    assert!(!said(&reply).contains(&BEHIND), "{:?}", said(&reply));
}
