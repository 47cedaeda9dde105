//! What a chat model may add to a conversation, and what it may not.

mod talk;

use std::time::Duration;

use flow::reading::Signal;
use flow::{Conversation, Event, Secret, Suggestion, ToldSentence, Unfit};
use talk::{READER, polled, setup};

fn begun() -> Conversation {
    let mut conversation = Conversation::new(setup());
    conversation.handle(Event::CallStarted, Duration::ZERO);
    while conversation.poll_command().is_some() {}
    conversation
}

fn hear(conversation: &mut Conversation, words: &str) {
    let words = Secret::new(words.to_owned());
    READER.tell(conversation, &words, Duration::ZERO);
}

/// After these turns, the last not yet polled.
fn after(turns: &[&str]) -> Conversation {
    let mut conversation = begun();
    for words in turns {
        while conversation.poll_command().is_some() {}
        hear(&mut conversation, words);
    }
    conversation
}

fn suggest(conversation: &mut Conversation, signal: Signal, quote: &str, confidence: f32) {
    conversation.suggest(vec![Suggestion {
        signal,
        quote: Secret::new(quote.to_owned()),
        confidence,
    }]);
}

const HARD_TO_READ: &str = "The yellow umbrella stays folded from now on";

#[test]
fn a_danger_that_was_missed_is_acted_on_when_its_words_are_the_callers() {
    let mut plain = after(&["I'm safe", HARD_TO_READ]);
    assert!(
        !polled(&mut plain).contains(&"-> SOS".to_owned()),
        "the reader misses this one"
    );

    let mut told = after(&["I'm safe"]);
    polled(&mut told);
    suggest(
        &mut told,
        Signal::SuicidalDirect,
        "yellow umbrella stays folded",
        0.9,
    );
    hear(&mut told, HARD_TO_READ);
    assert!(polled(&mut told).contains(&"-> SOS".to_owned()));
    let note = told.note();
    let trigger = note
        .evidence
        .iter()
        .find(|one| one.escalates)
        .expect("the trigger is named");
    assert_eq!(
        trigger.words.expose_secret(),
        "yellow umbrella stays folded"
    );
}

#[test]
fn a_danger_that_is_only_thought_likely_is_asked_about() {
    let mut told = after(&["I'm safe"]);
    polled(&mut told);
    suggest(
        &mut told,
        Signal::SuicidalIndirect,
        "folded from now on",
        0.6,
    );
    hear(&mut told, HARD_TO_READ);
    let said = polled(&mut told);
    assert!(!said.contains(&"-> SOS".to_owned()), "{said:?}");
    assert!(
        said.iter().any(|line| line.ends_with('?')
            && (line.contains("ending your life") || line.contains("suicide"))),
        "{said:?}"
    );
}

#[test]
fn words_that_were_not_said_or_were_denied_add_nothing() {
    let turns = ["I'm safe", "I don't want to die, I am just tired of work"];
    let mut plain = after(&turns);
    let expected = polled(&mut plain);
    let cases = [
        (Signal::SuicidalDirect, "I will end it tonight", 0.9),
        (Signal::SuicidalDirect, "want to die", 0.9),
        (Signal::SuicidalIndirect, "want to die", 0.9),
        (Signal::SuicidalIndirect, "tired", 0.9),
        (Signal::SuicidalIndirect, "", 0.9),
        (Signal::SuicidalIndirect, "just tired", 0.2),
        (Signal::SuicidalIndirect, "just tired", f32::NAN),
        // What would calm the flow or shorten its way is never taken.
        (Signal::Safe, "just tired", 0.9),
        (Signal::Goodbye, "just tired", 0.9),
        (Signal::NotSafeToTalk, "just tired", 0.9),
    ];
    for (signal, quote, confidence) in cases {
        let mut told = after(&turns[..1]);
        polled(&mut told);
        suggest(&mut told, signal, quote, confidence);
        hear(&mut told, turns[1]);
        assert_eq!(polled(&mut told), expected, "{signal:?} {quote}");
    }
}

#[test]
fn a_danger_without_the_callers_words_for_it_is_none() {
    let turns = ["I'm safe", "My boss shouts at me every day"];
    let expected = polled(&mut after(&turns));
    for quote in [
        "I will end it tonight",
        "shouts",
        "every day he hits",
        " ",
        "me I",
    ] {
        let mut told = after(&turns[..1]);
        polled(&mut told);
        suggest(&mut told, Signal::SuicidalDirect, quote, 0.9);
        hear(&mut told, turns[1]);
        assert_eq!(polled(&mut told), expected, "{quote}");
    }
}

#[test]
fn nothing_that_is_suggested_takes_a_danger_away() {
    let danger = [
        "I want to kill myself",
        "he is hitting me right now",
        "I took all my pills",
    ];
    for words in danger {
        let mut plain = begun();
        hear(&mut plain, words);
        let expected = polled(&mut plain);
        for signal in [
            Signal::Safe,
            Signal::OffTopic,
            Signal::Distress,
            Signal::SexualAssault,
        ] {
            let mut told = begun();
            suggest(&mut told, signal, words, 0.9);
            hear(&mut told, words);
            assert_eq!(polled(&mut told), expected, "{words}: {signal:?}");
        }
    }
}

#[test]
fn nothing_that_is_suggested_takes_the_place_of_asking_about_a_danger() {
    let words = "I'm done with everything";
    let mut plain = after(&["I'm safe", words]);
    let asks = polled(&mut plain).last().cloned().expect("a question");
    assert!(
        asks.contains("ending your life") || asks.contains("suicide"),
        "{asks}"
    );
    for signal in [
        Signal::ShelterWish,
        Signal::SexualAssault,
        Signal::DomesticViolence,
        Signal::EmotionalAbuse,
        Signal::Distress,
    ] {
        let mut told = after(&["I'm safe"]);
        polled(&mut told);
        suggest(&mut told, signal, words, 0.9);
        hear(&mut told, words);
        let said = polled(&mut told);
        assert!(
            said.iter()
                .any(|line| line.contains("ending your life") || line.contains("suicide")),
            "{signal:?}: {said:?}"
        );
    }
}

#[test]
fn a_question_of_others_stands_at_the_turns_end() {
    let turns = [
        "I'm safe",
        "I feel lonely",
        "I feel sad about my exam, my boss, my money",
    ];
    let mut plain = after(&turns);
    let brief = plain.brief().expect("listening is open");
    let last_fixed = brief.fixed.last().expect("a number is told").clone();
    let usual = polled(&mut plain);
    assert!(
        !usual[0].contains(last_fixed.expose_secret()),
        "it is told after listening"
    );
    let mut reworded = after(&turns);
    let words = "That is a lot at once. What weighs most today?";
    assert_eq!(reworded.reword(words, &turns, &[]), Ok(()));
    let said = polled(&mut reworded);
    assert_eq!(
        said.first().map(String::as_str),
        Some("That is a lot at once.")
    );
    assert_eq!(
        said.last().map(String::as_str),
        Some("What weighs most today?")
    );
    assert!(said.contains(last_fixed.expose_secret()), "{said:?}");
}

#[test]
fn the_open_part_of_a_turn_is_said_in_other_words_and_the_rest_stands() {
    let turns = ["I'm safe", "My boss shouts at me every day"];
    let mut plain = after(&turns);
    let brief = plain.brief().expect("listening is open");
    let fixed: Vec<String> = brief
        .fixed
        .iter()
        .map(|one| one.expose_secret().clone())
        .collect();
    let usual = polled(&mut plain);

    let mut reworded = after(&turns);
    let words = "Being shouted at day after day wears anyone down.";
    assert_eq!(reworded.reword(words, &turns, &[]), Ok(()));
    let said = polled(&mut reworded);
    assert!(said.contains(&words.to_owned()), "{said:?}");
    assert_ne!(said, usual);
    for sentence in &fixed {
        assert!(
            said.contains(sentence),
            "{sentence} is still said: {said:?}"
        );
    }
    let questions = said.iter().filter(|line| line.ends_with('?')).count();
    assert_eq!(questions, 1, "{said:?}");
    // It is remembered as said: the same words do not pass twice running.
    hear(&mut reworded, "I don't know");
    if reworded.brief().is_some() {
        assert_eq!(reworded.reword(words, &turns, &[]), Err(Unfit::Repeats));
    }
}

#[test]
fn what_is_said_in_danger_is_left_to_nobody_else() {
    for words in [
        "I want to die",
        "he's beating me now, help",
        "I have taken twenty pills and my arm is bleeding",
    ] {
        let mut conversation = begun();
        hear(&mut conversation, words);
        assert!(conversation.help_is_under_way(), "{words}");
        let before = polled(&mut conversation.clone());
        assert!(
            conversation
                .reword("I'm here with you.", &[words], &[])
                .is_err(),
            "{words}"
        );
        assert_eq!(polled(&mut conversation), before, "{words}");
    }
}

#[test]
fn an_injury_keeps_its_ambulance_whatever_is_said_instead() {
    let words = "My boss pushed me at work and my arm is bleeding badly";
    let mut conversation = after(&["I'm safe", words]);
    let _ = conversation.reword("That must have been frightening.", &[words], &[]);
    let said = polled(&mut conversation).join(" ");
    assert!(said.contains("995"), "{said}");
}

#[test]
fn consent_is_asked_for_in_the_flows_own_words() {
    let turns = ["I'm safe", "My husband hits me"];
    let mut plain = after(&turns);
    let usual = polled(&mut plain);
    let asks = usual.last().expect("a question").clone();
    assert!(asks.ends_with('?'), "{usual:?}");
    let mut reworded = after(&turns);
    let words = "No one has the right to hit you. Can I tell everyone about it?";
    assert_eq!(reworded.reword(words, &turns, &[]), Ok(()));
    let said = polled(&mut reworded);
    assert_eq!(
        said.first().map(String::as_str),
        Some("No one has the right to hit you.")
    );
    assert_eq!(said.last(), Some(&asks));
    assert!(!said.join(" ").contains("everyone"), "{said:?}");
}

#[test]
fn a_note_is_told_by_others_only_as_far_as_the_caller_told_it() {
    let turns = [
        "I'm safe now",
        "My father takes all my salary and shouts at me",
    ];
    let conversation = after(&turns);
    let template = conversation.note();
    let told = |text: &str, quote: &str| {
        let sentence = ToldSentence {
            text: Secret::new(text.to_owned()),
            quotes: vec![Secret::new(quote.to_owned())],
        };
        conversation.note_told(&[sentence], &turns)
    };
    let text = "The caller said that their father takes all of their salary and shouts at them.";
    let note = told(text, "takes all my salary").expect("this holds");
    let summary = note.summary.expose_secret();
    assert!(summary.starts_with(text), "{summary}");
    let own: Vec<&str> = template.summary.expose_secret().split(". ").collect();
    let plan = own.last().expect("a plan");
    assert!(summary.ends_with(plan), "the plan is the flow's: {summary}");
    assert!(
        (2..=4).contains(&summary.matches(". ").count().saturating_add(1)),
        "{summary}"
    );
    assert_eq!(note.structured_data, template.structured_data);
    assert_eq!(note.evidence, template.evidence);

    let invented = "The caller said that their father beats them with a knife.";
    assert!(told(invented, "takes all my salary").is_err());
    assert!(told(text, "he beats me").is_err());
}
