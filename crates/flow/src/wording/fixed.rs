//! What is always said in the same words, so that a voice can make it ahead: phrases without a caller's name or place,
//! with every agency filled in, and what is known.

use super::{Filling, phrases};
use crate::{Agency, AssistantScript, Medium, text};

/// The words that callers use most for the one who does harm. A phrase with another is made when it is said.
const WHO: [&str; 14] = [
    "your husband",
    "your father",
    "your mother",
    "your boyfriend",
    "your dad",
    "your wife",
    "your mum",
    "your son",
    "your brother",
    "your girlfriend",
    "your ex-husband",
    "your ex-boyfriend",
    "your stepfather",
    "your mother-in-law",
];

/// Said while the rest of a reply is being made, where its beginning is not ready in time.
pub(crate) const OPENINGS: [&str; 4] = [
    "Okay, I hear you.",
    "Alright, thank you for that.",
    "Thank you, give me one moment.",
    "Okay, I'm with you.",
];

/// Said in the place of a sentence that says something of the caller's back, where that cannot be had.
pub(crate) const STAND_INS: [&str; 2] = ["Okay, I hear you.", "Okay, I'm with you."];

/// Asked in the place of a question that cannot be had.
pub(crate) const STAND_IN_QUESTION: &str = "Would you like to tell me more about it?";

/// Every sentence that a voice may say that holds nothing of a caller's, the commonest first.
pub(crate) fn sentences(script: &AssistantScript) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut add = |text: &str| {
        for sentence in text::sentences(text).filter(|sentence| !sentence.contains('{')) {
            if seen.insert(sentence.to_owned()) {
                sentences.push(sentence.to_owned());
            }
        }
    };
    // What is said first comes first.
    for sentence in script.program.first() {
        add(&sentence);
    }
    let (greetings, others): (Vec<_>, Vec<_>) = phrases::all()
        .into_iter()
        .partition(|(what, ..)| what == "greet");
    for (_, variants, _) in greetings {
        for phrase in variants {
            each_filling(script, phrase, &mut add);
        }
    }
    OPENINGS.iter().for_each(|opening| add(opening));
    add(&script.end_call_message);
    for (_, variants, _) in others {
        for phrase in variants {
            each_filling(script, phrase, &mut add);
        }
    }
    for entry in script.knowledge.entries() {
        add(&entry.answer);
    }
    sentences
}

/// The phrase with every agency and every usual word for a person that may stand in it.
fn each_filling(script: &AssistantScript, phrase: &str, add: &mut impl FnMut(&str)) {
    let of_an_agency = ["{agency}", "{reach}", "{number}"]
        .iter()
        .any(|slot| phrase.contains(slot));
    let agencies: Vec<Option<Agency>> = match of_an_agency {
        true => Agency::ALL.map(Some).to_vec(),
        false => vec![None],
    };
    for agency in agencies {
        let filling = Filling {
            script,
            agency,
            medium: Medium::Speech,
        };
        let filled = filling.fill(phrase);
        match filled.contains("{who}") {
            true => WHO
                .iter()
                .for_each(|who| add(&filled.replace("{who}", who))),
            false => add(&filled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<String> {
        sentences(&AssistantScript::built_in())
    }

    #[test]
    fn the_greeting_comes_first_and_nothing_twice() {
        let sentences = all();
        assert_eq!(sentences[0], "Hello, this is Nightlight.");
        let mut once = sentences.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), sentences.len());
    }

    #[test]
    fn no_sentence_holds_a_place_for_a_callers_own_words() {
        for sentence in all() {
            assert!(!sentence.contains(['{', '}']), "{sentence}");
        }
    }

    #[test]
    fn agencies_persons_and_what_is_known_are_among_them() {
        let sentences = all();
        for expected in [
            "Is it okay if I share your case with the DVERT team?",
            "I'm sorry your husband did that to you.",
            "Nobody has the right to hurt you.",
        ] {
            assert!(sentences.iter().any(|it| it == expected), "{expected}");
        }
        assert!(
            sentences
                .iter()
                .any(|it| it.starts_with("DVERT is the team"))
        );
    }

    #[test]
    fn no_question_holds_a_callers_own_words() {
        let held = ["{name}", "{place}", "{call_back}", "{who}", "{heard}"];
        for (what, variants, _) in phrases::all() {
            for sentence in variants.iter().flat_map(|phrase| text::sentences(phrase)) {
                let asks = sentence.ends_with('?');
                let holds = held.iter().any(|slot| sentence.contains(slot));
                assert!(!(asks && holds), "{what}: {sentence}");
            }
        }
    }

    #[test]
    fn what_stands_in_for_another_sentence_is_made_ahead() {
        let sentences = all();
        for sentence in STAND_INS.iter().chain([&STAND_IN_QUESTION]) {
            assert!(sentences.iter().any(|it| it == sentence), "{sentence}");
        }
        assert!(STAND_INS.iter().all(|it| !it.contains('?')));
        assert!(STAND_IN_QUESTION.ends_with('?'));
    }

    #[test]
    fn an_opening_fits_whatever_follows_and_asks_nothing() {
        for opening in OPENINGS {
            assert!(!opening.contains('?'), "{opening}");
            assert!(text::sentences(opening).count() == 1, "{opening}");
        }
    }
}
