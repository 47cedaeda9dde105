//! Patterns over plain text: how the lexicons are written, compiled and matched.
//!
//! A pattern is a regular expression over the tokens of [`Text`], with names in braces for word
//! groups (`{who}`, `{me}`; see `lexicon::vocabulary`). All patterns are tried in one pass over the
//! turn, and only those that hit are looked at again. Whether a hit is denied, past or about
//! someone else is judged here, once, for all lexicons.

use std::{ops::Range, sync::OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::{
    lexicon::vocabulary,
    text::{BOUNDARY, Text},
};

/// Room for all patterns compiled together.
const COMPILED_SIZE: usize = 256 << 20;
/// Room for what one thread remembers of the search, so that a turn is quick and memory bounded.
const SEARCH_CACHE: usize = 64 << 20;

pub(crate) struct PatternSet<T> {
    entries: Vec<Compiled<T>>,
    set: RegexSet,
}

struct Compiled<T> {
    meaning: T,
    source: String,
    /// Compiled when it first hits: most patterns never do in a process's life.
    regex: OnceLock<Regex>,
    /// The pattern itself speaks of "not" or "never", so one inside the match denies nothing.
    negative: bool,
}

/// Where a pattern hit, and how the hit is to be taken.
#[derive(Debug, Clone)]
pub(crate) struct Hit<T> {
    pub meaning: T,
    pub tokens: Range<usize>,
    pub denied: bool,
}

impl<T: Clone> PatternSet<T> {
    /// Panics on a pattern that is not a regular expression: the lexicons are constants, and a test
    /// compiles them all.
    pub fn new(entries: impl IntoIterator<Item = (T, &'static str)>) -> Self {
        let (meanings, sources): (Vec<T>, Vec<&str>) = entries.into_iter().unzip();
        let expanded: Vec<String> = sources
            .iter()
            .map(|source| format!(r"(?-u:\b)(?:{})(?-u:\b)", vocabulary::expand(source)))
            .collect();
        let set = RegexSetBuilder::new(&expanded)
            .size_limit(COMPILED_SIZE)
            .dfa_size_limit(SEARCH_CACHE)
            .unicode(false)
            .build()
            .expect("the lexicons are tested");
        let entries = meanings
            .into_iter()
            .zip(sources.iter().zip(&expanded))
            .map(|(meaning, (source, expanded))| Compiled {
                meaning,
                source: expanded.clone(),
                regex: OnceLock::new(),
                negative: source
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .any(|word| is_negator(word) || word == "stop"),
            })
            .collect();
        Self { entries, set }
    }

    pub fn hits(&self, text: &Text<'_>) -> Vec<Hit<T>> {
        let mut hits = Vec::new();
        for index in self.set.matches(text.plain()) {
            let entry = &self.entries[index];
            for found in entry.regex().find_iter(text.plain()) {
                let tokens = text.tokens_in(&found.range());
                if tokens.is_empty() {
                    continue;
                }
                let inside = !entry.negative && negator_in(text, tokens.clone());
                hits.push(Hit {
                    meaning: entry.meaning.clone(),
                    denied: inside || denied(text, &tokens),
                    tokens,
                });
            }
        }
        hits
    }

    pub fn is_match(&self, text: &Text<'_>) -> bool {
        self.set.is_match(text.plain())
    }
}

impl<T> Compiled<T> {
    fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| {
            RegexBuilder::new(&self.source)
                .unicode(false)
                .size_limit(COMPILED_SIZE)
                .build()
                .expect("the set has compiled the same pattern")
        })
    }
}

/// A "not" among these tokens that means what it says.
fn negator_in(text: &Text<'_>, tokens: Range<usize>) -> bool {
    tokens
        .clone()
        .any(|i| is_negator(text.word(i)) && !(i + 1 < tokens.end && is_no_denial(text, i)))
}

fn is_negator(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "no" | "nobody" | "without" | "nothing" | "none" | "neither" | "nor"
    )
}

/// "Not only", "cannot stop", "don't know why": the negator does not deny what follows.
fn is_no_denial(text: &Text<'_>, negator: usize) -> bool {
    negator + 1 < text.tokens().len()
        && matches!(
            text.word(negator + 1),
            "only"
                | "just"
                | "first"
                | "know"
                | "sure"
                | "stop"
                | "stops"
                | "stopped"
                | "understand"
                | "care"
                | "remember"
                | "help"
                | "once"
                | "matter"
                | "wonder"
                | "doubt"
                | "joking"
                | "lying"
                | "kidding"
                | "tell"
                | "told"
        )
        || negator > 0
            && negator + 1 < text.tokens().len()
            && text.word(negator - 1) == "can"
            && matches!(
                text.word(negator + 1),
                "believe" | "take" | "stand" | "sleep" | "handle"
            )
        || negator > 0 && matches!(text.word(negator - 1), "why" | "or")
}

/// Verbs whose "not" reaches into the clause they govern: "I don't think he hit me".
fn reaches_on(word: &str) -> bool {
    matches!(
        word,
        "think"
            | "want"
            | "like"
            | "say"
            | "saying"
            | "said"
            | "feel"
            | "feeling"
            | "mean"
            | "true"
            | "that"
            | "as"
            | "thinking"
            | "planning"
            | "wish"
            | "have"
            | "believe"
            | "suicidal"
            | "wanting"
            | "because"
    )
}

/// Whether something before the hit, in its clause, denies it.
fn denied(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let clause = text.clause(hit.start);
    let from = hit.start.saturating_sub(6).max(clause.start);
    for negator in (from..hit.start).rev() {
        if !is_negator(text.word(negator)) || is_no_denial(text, negator) {
            continue;
        }
        // "he is not home now my father hits me": a new subject in between ends the denial,
        // unless the verb after the negator governs it.
        let between = negator + 1..hit.start;
        let new_subject = between.clone().chain(std::iter::once(hit.start)).any(|i| {
            matches!(
                text.word(i),
                "i" | "he" | "she" | "they" | "my" | "we" | "someone"
            )
        });
        let governs = between.clone().any(|i| reaches_on(text.word(i)));
        if !new_subject || governs {
            return true;
        }
    }
    // "Suicidal? No lah.": the caller puts the question and answers it.
    let end = clause.end;
    end + 1 < text.tokens().len()
        && text.word(end) == BOUNDARY
        && text.boundary_is_question(clause.end)
        && matches!(text.word(end + 1), "no" | "never" | "not")
}
