//! Patterns over plain text: how patterns are written, compiled and matched.
//!
//! A pattern is a regular expression over the tokens of [`Text`], with names in braces for word
//! groups (`{who}`, `{me}`; see vocabulary.toml). It is matched word by word (`words`): a turn
//! looks only at the patterns of which it holds a word that they cannot do without. How a hit is to
//! be taken is judged once for all patterns, in `context` and `negation`.

mod letters;
mod words;

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use regex::Regex;
use serde::{Deserialize, Deserializer};

use super::{language, negation::is_negator, text::Text};
use words::{Automaton, UNKNOWN, Vocabulary, WordId, WordSets, Words};

pub(crate) struct PatternSet<T> {
    entries: Vec<Entry<T>>,
    vocabulary: Vocabulary,
    sets: WordSets,
    /// Patterns by a word they cannot do without.
    by_word: HashMap<WordId, Vec<usize>>,
    /// Patterns that can do without any.
    always: Vec<usize>,
}

struct Entry<T> {
    meaning: T,
    automaton: Automaton,
    negative: bool,
    of_an_end: bool,
}

/// Where a pattern hit, and what of the pattern tells how the hit is to be taken.
#[derive(Debug, Clone)]
pub(crate) struct Hit<T> {
    pub meaning: T,
    pub tokens: Range<usize>,
    /// The pattern itself speaks of "not" or "never", so one inside the match denies nothing.
    pub negative: bool,
    /// The pattern holds words for no longer living, some of which are a "not" themselves.
    pub of_an_end: bool,
}

impl<T: Clone> PatternSet<T> {
    /// Panics on a pattern that is not a regular expression over words: a test compiles all of them.
    pub fn new<S: AsRef<str>>(entries: impl IntoIterator<Item = (T, S)>) -> Self {
        let (mut vocabulary, mut sets) = (Vocabulary::default(), WordSets::default());
        let entries: Vec<Entry<T>> = entries
            .into_iter()
            .map(|(meaning, source)| {
                let source = source.as_ref();
                Entry {
                    meaning,
                    automaton: compiled(source, &mut vocabulary, &mut sets)
                        .unwrap_or_else(|| panic!("not a pattern over words: {source}")),
                    of_an_end: source.contains("{death}") || source.contains("{gone}"),
                    negative: source
                        .split(|c: char| !c.is_ascii_alphanumeric())
                        .any(|word| is_negator(word) || word == "stop"),
                }
            })
            .collect();
        let common: Vec<WordId> = COMMON.iter().map(|word| vocabulary.id(word)).collect();
        let cost = |words: &[WordId]| -> u64 {
            let frequent = words.iter().filter(|word| common.contains(word)).count();
            (words.len() + 200 * frequent) as u64
        };
        let (mut by_word, mut always) = (HashMap::<WordId, Vec<usize>>::new(), Vec::new());
        for (index, entry) in entries.iter().enumerate() {
            match entry.automaton.needs(&sets, cost) {
                Some(set) => {
                    for word in sets.words(set) {
                        by_word.entry(*word).or_default().push(index);
                    }
                }
                None => always.push(index),
            }
        }
        Self {
            entries,
            vocabulary,
            sets,
            by_word,
            always,
        }
    }

    /// Every place where a pattern matches, in the order of the patterns; of one pattern the
    /// leftmost and longest, none overlapping.
    pub fn hits(&self, text: &Text<'_>) -> Vec<Hit<T>> {
        let words = Words::new(text.words(), &self.vocabulary);
        let mut hits = Vec::new();
        for index in self.candidates(&words) {
            let entry = &self.entries[index];
            let mut from = 0;
            while from < words.ids.len() {
                let Some(end) = entry.automaton.longest(&words, from, &self.sets) else {
                    from += 1;
                    continue;
                };
                let tokens = from..end;
                hits.push(Hit {
                    meaning: entry.meaning.clone(),
                    tokens,
                    negative: entry.negative,
                    of_an_end: entry.of_an_end,
                });
                from = end;
            }
        }
        hits
    }

    pub fn is_match(&self, text: &Text<'_>) -> bool {
        let words = Words::new(text.words(), &self.vocabulary);
        self.candidates(&words).into_iter().any(|index| {
            let automaton = &self.entries[index].automaton;
            (0..words.ids.len()).any(|from| automaton.longest(&words, from, &self.sets).is_some())
        })
    }

    fn candidates(&self, words: &Words) -> Vec<usize> {
        let mut candidates = self.always.clone();
        for word in &words.ids {
            if *word != UNKNOWN
                && let Some(patterns) = self.by_word.get(word)
            {
                candidates.extend(patterns);
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }
}

fn compiled(source: &str, words: &mut Vocabulary, sets: &mut WordSets) -> Option<Automaton> {
    let whole = language::expand(source);
    // A brace left over names a group that there is not.
    let known = !GROUP_NAME.is_match(&whole);
    known.then(|| Automaton::new(&whole, words, sets)).flatten()
}

/// Whether a pattern can be matched by the word, and every group it names is known.
#[cfg(test)]
pub(crate) fn compiles(source: &str) -> bool {
    compiled(source, &mut Vocabulary::default(), &mut WordSets::default()).is_some()
}

static GROUP_NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{[a-z_]+[0-9]?\}").expect("a constant"));

impl PatternSet<()> {
    /// Patterns that all mean one thing.
    pub fn of<S: AsRef<str>>(patterns: &[S]) -> Self {
        Self::new(patterns.iter().map(|pattern| ((), pattern)))
    }
}

impl<'de> Deserialize<'de> for PatternSet<()> {
    fn deserialize<D: Deserializer<'de>>(list: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(list).map(|patterns| Self::of(&patterns))
    }
}

/// Words of most turns: no sign that a pattern is worth trying.
const COMMON: &[&str] = &[
    "i", "me", "my", "he", "she", "they", "you", "it", "we", "us", "is", "are", "am", "was", "be",
    "been", "have", "has", "had", "do", "does", "did", "not", "to", "the", "a", "an", "and", "of",
    "in", "on", "at", "for", "with", "that", "this", "will", "would", "can", "just", "now", "|",
    "s", "his", "her", "him", "them", "so", "no", "if", "when", "but", "or", "from", "by", "all",
    "want", "know", "like", "get", "go", "going", "husband", "wife", "mother", "mum", "father",
    "dad", "feel", "always", "never", "up", "out", "said", "says", "home", "about", "what",
];
