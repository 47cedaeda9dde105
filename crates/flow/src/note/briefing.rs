//! What a duty officer hears before they are put through to a caller: one sentence, of what the caller told.

use redact::Secret;

use super::{
    facts::{ANONYMOUS, Facts, quotable},
    write::title,
};
use crate::{
    Directory,
    machine::State,
    reading::{Age, SURE, Signal},
};

/// Longer, a sentence is not taken in while a caller waits.
const MOST_WORDS: usize = 28;

/// What the caller told, gravest first, and where the call is going.
pub(crate) fn briefing(state: &State, directory: &Directory) -> Secret<String> {
    let facts = Facts::of(state);
    let known = |told: &str| ![ANONYMOUS, "Unknown"].contains(&told);
    let told = |signal| {
        state.signals.iter().any(|noted| {
            noted.heard.signal == signal && !noted.heard.denied && noted.heard.confidence >= SURE
        })
    };
    let mut parts = Vec::new();
    let name = quotable(&facts.name);
    if known(&facts.name) && words(&name) <= 4 {
        parts.push(format!(", named {name}"));
    }
    if let Some(Age::Years(years)) = state.age.as_ref().map(|age| age.heard.value) {
        parts.push(format!(", aged {years}"));
    }
    let going = facts
        .agency
        .map(|agency| format!("; going to {}", directory.agency(agency).in_a_sentence));
    let not_free = state.may_be_overheard() || told(Signal::NotSafeToTalk);
    let hurt = told(Signal::Injury) && !facts.of_others;
    let ends = [
        hurt.then(|| "; says they are hurt".to_owned()),
        not_free.then(|| "; not safe to talk freely".to_owned()),
        going,
    ];
    let ends: String = ends.into_iter().flatten().collect();
    let place = quotable(&facts.location);
    if known(&facts.location) {
        parts.push(format!(", at {place}"));
    }
    let mut sentence = title(&facts);
    for part in parts {
        // What has no room is on the screen.
        if words(&sentence) + words(&part) + words(&ends) <= MOST_WORDS {
            sentence.push_str(&part);
        }
    }
    Secret::new(format!("{sentence}{ends}."))
}

fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}
