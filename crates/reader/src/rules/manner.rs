//! How a turn is said, beside what it tells: a leave taken, a question of the caller's own, a word of
//! the present, a detail kept back by its name.
//!
//! These look at the words as they were said, not at the plain text.

use std::collections::BTreeSet;
use std::ops::Range;

use flow::Secret;

use super::signals::Found;
use super::text::Text;
use super::{Detail, HeardSignal, Leave, SURE, Signal, answers::PHRASES};

/// How the caller takes their leave, if they do.
pub(super) fn leave(signals: &[HeardSignal]) -> Option<Leave> {
    let goodbye = signals
        .iter()
        .find(|s| s.signal == Signal::Goodbye && !s.denied && s.confidence >= SURE)?;
    let words = goodbye.words.expose_secret().to_lowercase();
    let plain = PHRASES.plain_leaves.iter().any(|word| words.contains(word));
    Some(if plain { Leave::Plain } else { Leave::Half })
}

/// The caller asks something of their own. "I've finished everything, you know?" asks nothing.
pub(super) fn asks(words: &str) -> bool {
    let lower = straight(words.trim_start());
    let begins = |sentence: &str| {
        PHRASES
            .begins_a_question
            .iter()
            .any(|opening| sentence.starts_with(opening))
    };
    let only_tagged = |sentence: &str| {
        let sentence = sentence.trim_end();
        PHRASES.tags.iter().any(|tag| {
            sentence
                .strip_suffix(tag.as_str())
                .is_some_and(|before| before.ends_with([' ', ',']) || before.is_empty())
        })
    };
    let sentences = lower.split_inclusive(['.', '!', '?', ';']);
    let marked = sentences
        .filter_map(|sentence| sentence.strip_suffix('?'))
        .map(str::trim_start)
        .any(|sentence| begins(sentence) || !only_tagged(sentence));
    marked || begins(&lower)
}

/// In lower case, with a phone's apostrophes made straight.
fn straight(words: &str) -> String {
    words.to_lowercase().replace(['’', '‘', 'ʼ', '`'], "'")
}

/// Told with a word of the present.
pub(super) fn present(words: &str) -> bool {
    const PRESENT: &[&str] = &[
        " now", "'s ", " is ", " are ", "'re ", "ing ", " here", " outside", " help", " coming",
        " again", " still", " back",
    ];
    let words = format!(" {} ", straight(words));
    PRESENT.iter().any(|word| words.contains(word))
}

/// The turn from where it tells more than that the caller is safe, and where they are.
pub(super) fn reason(text: &Text<'_>, found: &[Found]) -> Option<Secret<String>> {
    /// "Yes", "I think so", "not really".
    const SHORT: usize = 3;
    const LEAST: usize = 4;
    let safe = |clause: &Range<usize>| {
        let ends = found
            .iter()
            .filter(|f| f.signal == Signal::Safe && !f.denied && clause.contains(&f.tokens.start))
            .map(|f| f.tokens.end);
        ends.max()
    };
    let where_they_are = |clause: &Range<usize>| {
        PHRASES
            .before_a_place
            .iter()
            .any(|word| word == text.word(clause.start))
    };
    let mut clauses = text.clauses().into_iter();
    let from = clauses.find_map(|clause| match safe(&clause) {
        // Speech without a stop: "I'm safe my boss is shouting at me".
        Some(end) => (clause.end.saturating_sub(end) >= LEAST).then_some(end),
        None => (clause.len() > SHORT && !where_they_are(&clause)).then_some(clause.start),
    })?;
    let rest = from..text.tokens().len();
    (rest.len() >= LEAST).then(|| Secret::new(text.quote(rest).to_owned()))
}

/// What is kept back by its name.
pub(super) fn withholds(words: &str, refuses: bool) -> BTreeSet<Detail> {
    let lower = words.to_lowercase();
    let says = |word: &str| lower.contains(word);
    let mut withheld = BTreeSet::new();
    if says("anonymous") && !asks(words)
        || refuses && PHRASES.every_detail.iter().any(|word| says(word))
    {
        withheld.extend([Detail::Name, Detail::Location]);
    }
    if refuses && says("name") {
        withheld.insert(Detail::Name);
    }
    if refuses && ["address", "where i live"].into_iter().any(says) {
        withheld.insert(Detail::Location);
    }
    withheld
}

/// "No, I don't want to go out of my house": a wish named to be turned down.
pub(super) fn unwanted(words: &str) -> bool {
    let words = straight(words);
    ["n't want", "not want", "nt want", "no want"]
        .iter()
        .any(|no| words.contains(no))
}

/// "I'm going to put it in him", "before I do something to my dad": not done yet, and meant. "I'm scared I'll hurt her" is
/// not meant.
pub(super) fn is_meant(words: &str) -> bool {
    let words = straight(words);
    let holds = |any: &[&str]| any.iter().any(|some| words.contains(some));
    holds(&[
        "going to", "gonna", "about to", " will ", "'ll ", "before i", "once i",
    ]) && !holds(&["scared", "afraid", "worried", "frightened"])
}

/// "Police", "hurry", "help me", "he is here", and hardly a word beside: somebody is to come now.
pub(super) fn calls_for_help(words: &str) -> bool {
    const BESIDE: &[&str] = &[
        "please", "pls", "now", "quick", "quickly", "fast", "the", "just", "lah", "oh", "god", "ok",
    ];
    const CALLS: &[&str] = &[
        "police",
        "call police",
        "send police",
        "need police",
        "i need police",
        "want police",
        "i want police",
        "ambulance",
        "help",
        "help me",
        "help help",
        "hurry",
        "hurry up",
        "come",
        "send someone",
        "he is here",
        "hes here",
        "she is here",
        "shes here",
        "theyre here",
        "he is back",
        "hes back",
        "he is coming",
        "hes coming",
    ];
    let plain: String = words
        .to_lowercase()
        .chars()
        .filter(|c| !matches!(c, '\'' | '’'))
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let said: Vec<&str> = plain
        .split_whitespace()
        .filter(|word| !BESIDE.contains(word))
        .collect();
    CALLS.contains(&said.join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_with_a_tag_asks_nothing() {
        for words in [
            "I've finished everything I needed to finish, you know?",
            "Guys don't call this kind of thing, right?",
            "It's quite peaceful. You know?",
        ] {
            assert!(!asks(words), "{words}");
        }
        for words in [
            "Will you record this call?",
            "is this like anonymous",
            "Is this the right number, you know?",
            "He hit me, you know? What can I do?",
        ] {
            assert!(asks(words), "{words}");
        }
    }

    #[test]
    fn who_asks_whether_it_is_anonymous_keeps_nothing_back() {
        assert!(withholds("is this like anonymous", true).is_empty());
        assert!(withholds("I want to stay anonymous", true).contains(&Detail::Name));
    }
}
