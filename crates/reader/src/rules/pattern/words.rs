//! A pattern as an automaton over words.
//!
//! Patterns are written as regular expressions over plain text, in which words stand apart by single
//! spaces. Read letter by letter they make automata far too large to keep; read word by word, a
//! pattern of two hundred relatives is one set of words and one step. This module walks a turn's words; `letters` makes the automata.

use std::collections::{BTreeSet, HashMap};

use super::letters::Letters;
use crate::rules::{language::GRAMMAR, text::BOUNDARY};

/// A word known to some pattern.
pub(crate) type WordId = u32;
/// A word that no pattern names; only gaps take it.
pub(crate) const UNKNOWN: WordId = u32::MAX;

/// The words of all patterns of a set, numbered.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    ids: HashMap<String, WordId>,
}

impl Vocabulary {
    pub fn id(&self, word: &str) -> WordId {
        self.ids.get(word).copied().unwrap_or(UNKNOWN)
    }

    pub(super) fn intern(&mut self, word: &str) -> WordId {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id =
            WordId::try_from(self.ids.len()).expect("the lexicons hold some thousands of words");
        self.ids.insert(word.to_owned(), id);
        id
    }
}

/// Sets of words, each kept once: patterns share them through the word groups.
#[derive(Debug, Default)]
pub(crate) struct WordSets {
    sets: Vec<Vec<WordId>>,
    known: HashMap<Vec<WordId>, u32>,
}

impl WordSets {
    pub(super) fn intern(&mut self, set: BTreeSet<WordId>) -> u32 {
        let set: Vec<WordId> = set.into_iter().collect();
        if let Some(id) = self.known.get(&set) {
            return *id;
        }
        let id = u32::try_from(self.sets.len()).expect("the lexicons hold some thousands of sets");
        self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }

    fn holds(&self, set: u32, word: WordId) -> bool {
        self.sets[set as usize].binary_search(&word).is_ok()
    }

    pub fn words(&self, set: u32) -> &[WordId] {
        &self.sets[set as usize]
    }
}

/// What takes one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    OneOf(u32),
    /// A number in digits.
    Digits,
    /// Any word but a clause's boundary: a gap.
    Any,
    /// The same, but no word that begins a new subject or denies: what may stand between a subject
    /// and its verb.
    Onward,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub label: Label,
    pub to: usize,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub edges: Vec<Edge>,
    pub accepts: bool,
    /// Accepts when the clause is over.
    pub accepts_at_end: bool,
}

/// One pattern. State 0 is its start.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(super) states: Vec<State>,
}

/// The words of a turn, as the automata see them.
pub(crate) struct Words {
    pub ids: Vec<WordId>,
    digits: Vec<bool>,
    boundary: Vec<bool>,
    onward: Vec<bool>,
}

impl Words {
    pub fn new<'a>(words: impl Iterator<Item = &'a str>, vocabulary: &Vocabulary) -> Self {
        let mut read = Self {
            ids: Vec::new(),
            digits: Vec::new(),
            boundary: Vec::new(),
            onward: Vec::new(),
        };
        for word in words {
            read.ids.push(vocabulary.id(word));
            read.digits.push(word.bytes().all(|b| b.is_ascii_digit()));
            read.boundary.push(word == BOUNDARY);
            read.onward.push(word != BOUNDARY && !turns_away(word));
        }
        read
    }
}

/// Words after which the subject of a clause is no longer the one before, or its verb no longer told
/// as done.
fn turns_away(word: &str) -> bool {
    GRAMMAR.turns_away.has(word)
}

impl Automaton {
    /// `None` when the pattern is no regular expression or holds what has no meaning by the word.
    pub fn new(pattern: &str, vocabulary: &mut Vocabulary, sets: &mut WordSets) -> Option<Self> {
        Letters::read(pattern, vocabulary, sets)
    }

    /// The end of the longest match that begins at `from`, if it takes a word.
    pub fn longest(&self, words: &Words, from: usize, sets: &WordSets) -> Option<usize> {
        let mut active = vec![0usize];
        let mut next: Vec<usize> = Vec::new();
        let mut longest = None;
        for at in from..words.ids.len() {
            next.clear();
            for state in &active {
                for edge in &self.states[*state].edges {
                    let takes = match edge.label {
                        Label::OneOf(set) => sets.holds(set, words.ids[at]),
                        Label::Digits => words.digits[at],
                        Label::Any => !words.boundary[at],
                        Label::Onward => words.onward[at],
                    };
                    if takes && !next.contains(&edge.to) {
                        next.push(edge.to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            let over = words.boundary.get(at + 1).copied().unwrap_or(true);
            if next.iter().any(|state| {
                let state = &self.states[*state];
                state.accepts || over && state.accepts_at_end
            }) {
                longest = Some(at + 1);
            }
            std::mem::swap(&mut active, &mut next);
        }
        longest
    }

    /// The set of words that tells best whether the pattern can match at all: every match takes one of
    /// them. `None` when there is no such set.
    pub fn needs(&self, sets: &WordSets, cost: impl Fn(&[WordId]) -> u64) -> Option<u32> {
        let mut candidates: Vec<u32> = self
            .states
            .iter()
            .flat_map(|state| &state.edges)
            .filter_map(|edge| match edge.label {
                Label::OneOf(set) => Some(set),
                _ => None,
            })
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
            .into_iter()
            .filter(|set| !self.accepts_without(sets.words(*set), sets))
            .min_by_key(|set| cost(sets.words(*set)))
    }

    /// Whether some match takes none of these words.
    fn accepts_without(&self, words: &[WordId], sets: &WordSets) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            if self.states[state].accepts || self.states[state].accepts_at_end {
                return true;
            }
            for edge in &self.states[state].edges {
                let closed = match edge.label {
                    Label::OneOf(set) => sets
                        .words(set)
                        .iter()
                        .all(|word| words.binary_search(word).is_ok()),
                    _ => false,
                };
                if !closed {
                    open.push(edge.to);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn ends(pattern: &str, text: &str) -> Option<usize> {
        let (mut vocabulary, mut sets) = (Vocabulary::default(), WordSets::default());
        let automaton = Automaton::new(pattern, &mut vocabulary, &mut sets).unwrap();
        let words = Words::new(text.split(' '), &vocabulary);
        automaton.longest(&words, 0, &sets)
    }

    #[test]
    fn a_pattern_matches_whole_words_and_the_longest_run_of_them() {
        assert_eq!(ends("hit(?:s|ting)?", "hits me"), Some(1));
        assert_eq!(ends("hit", "hitherto"), None);
        assert_eq!(ends("gas ?light(?:s|ed)?", "gas lighted me"), Some(2));
        assert_eq!(ends("gas ?light(?:s|ed)?", "gaslights"), Some(1));
        assert_eq!(
            ends(
                "he (?:(?:is|keeps on|just) )*hitting",
                "he is just keeps on hitting"
            ),
            Some(6)
        );
        assert_eq!(ends("want to die(?: now)?", "want to die now"), Some(4));
        assert_eq!(ends("(?:very )?sad", "sad"), Some(1));
    }

    #[test]
    fn a_gap_takes_any_word_but_crosses_no_clause() {
        let gap = r"give (?:[!-{}-~]+ ){0,2}away";
        assert_eq!(ends(gap, "give away"), Some(2));
        assert_eq!(ends(gap, "give zzz qqq away"), Some(4));
        assert_eq!(ends(gap, "give my old books away"), None);
        assert_eq!(ends(gap, "give | away"), None);
        assert_eq!(ends("he (?:[a-z]+ )*hit", "he then hit"), Some(3));
        assert_eq!(ends("he (?:[a-z]+ )*hit", "he said i hit"), None);
        assert_eq!(ends("hit me(?: now|$)", "hit me"), Some(2));
        assert_eq!(ends("hit me(?: now|$)", "hit me | he"), Some(2));
        assert_eq!(ends("hit me(?: now|$)", "hit me around"), None);
        assert_eq!(ends("[0-9]+ years", "12 years"), Some(2));
        assert_eq!(ends("[0-9]+ years", "many years"), None);
    }

    #[test]
    fn a_space_left_over_by_something_optional_does_no_harm() {
        assert_eq!(ends("what (?:is )? it", "what it"), Some(2));
        assert_eq!(ends("what ?(?:is )?", "what"), Some(1));
        assert_eq!(ends("say ?(?:[!-{}-~]+ )?", "other"), None);
    }

    #[test]
    fn what_a_pattern_needs_is_the_rarest_words_every_match_takes() {
        let (mut vocabulary, mut sets) = (Vocabulary::default(), WordSets::default());
        let automaton = Automaton::new(
            "(?:he|she|they) (?:will )?(?:kill|stab) me",
            &mut vocabulary,
            &mut sets,
        )
        .unwrap();
        let needed = automaton
            .needs(&sets, |words| {
                words.len() as u64 + 10 * u64::from(words.contains(&vocabulary.id("me")))
            })
            .unwrap();
        assert_eq!(sets.words(needed).len(), 2);
    }
}
