//! A pattern as an automaton over words.
//!
//! Patterns are written as regular expressions over plain text, in which words stand apart by single
//! spaces. Read letter by letter they make automata far too large to keep; read word by word, a
//! pattern of two hundred relatives is one set of words and one step. This module turns the letters
//! into words once, and then walks a turn's words.

use std::collections::{BTreeSet, HashMap};

use regex_syntax::{
    ParserBuilder,
    hir::{Class, Hir, HirKind, Look},
};

use crate::understanding::text::BOUNDARY;

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

    fn intern(&mut self, word: &str) -> WordId {
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
    fn intern(&mut self, set: BTreeSet<WordId>) -> u32 {
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
enum Label {
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
struct Edge {
    label: Label,
    to: usize,
}

#[derive(Debug, Default)]
struct State {
    edges: Vec<Edge>,
    accepts: bool,
    /// Accepts when the clause is over.
    accepts_at_end: bool,
}

/// One pattern. State 0 is its start.
#[derive(Debug)]
pub(crate) struct Automaton {
    states: Vec<State>,
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
    matches!(
        word,
        "i" | "he"
            | "she"
            | "they"
            | "we"
            | "you"
            | "it"
            | "my"
            | "our"
            | "someone"
            | "somebody"
            | "nobody"
            | "not"
            | "never"
            | "no"
            | "if"
            | "or"
            | "about"
            | "to"
            | "will"
            | "would"
            | "might"
            | "could"
            | "can"
            | "should"
    )
}

impl Automaton {
    /// `None` when the pattern is no regular expression or holds what has no meaning by the word.
    pub fn new(pattern: &str, vocabulary: &mut Vocabulary, sets: &mut WordSets) -> Option<Self> {
        let hir = ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .ok()?;
        let mut letters = Letters { nodes: Vec::new() };
        let end = letters.push(Node::End);
        let start = letters.build(&hir, end)?;
        Some(letters.by_words(start, vocabulary, sets))
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

/// A pattern letter by letter: the way in, thrown away once it is read by words.
struct Letters {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
enum Node {
    Fork(Vec<usize>),
    /// One of these letters.
    Letter(Vec<u8>, usize),
    /// A whole word of any letters, or of digits.
    Wild(Label, usize),
    End,
    ClauseEnd,
}

/// A class of more letters than this stands for any letter.
const FEW_LETTERS: usize = 8;

impl Letters {
    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds what leads through `hir` to `next`, and answers where it begins.
    fn build(&mut self, hir: &Hir, next: usize) -> Option<usize> {
        Some(match hir.kind() {
            HirKind::Empty => next,
            HirKind::Literal(literal) => literal.0.iter().rev().fold(next, |next, byte| {
                self.push(Node::Letter(vec![*byte], next))
            }),
            HirKind::Class(class) => {
                let letters = letters_of(class);
                if letters.len() > FEW_LETTERS && !letters.iter().all(u8::is_ascii_digit) {
                    return None;
                }
                self.push(Node::Letter(letters, next))
            }
            // "$": the end of the turn or of the clause.
            HirKind::Look(Look::End) => self.push(Node::ClauseEnd),
            HirKind::Look(_) => return None,
            HirKind::Capture(capture) => self.build(&capture.sub, next)?,
            HirKind::Concat(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, part| self.build(part, next))?,
            HirKind::Alternation(parts) => {
                let ways = parts
                    .iter()
                    .map(|part| self.build(part, next))
                    .collect::<Option<Vec<usize>>>()?;
                self.push(Node::Fork(ways))
            }
            HirKind::Repetition(repetition) => {
                if let HirKind::Class(class) = repetition.sub.kind()
                    && repetition.min >= 1
                    && repetition.max.is_none()
                {
                    let letters = letters_of(class);
                    let label = if letters.iter().all(u8::is_ascii_digit) {
                        Label::Digits
                    } else if letters.iter().all(u8::is_ascii_lowercase) {
                        Label::Onward
                    } else {
                        Label::Any
                    };
                    return Some(self.push(Node::Wild(label, next)));
                }
                match repetition.max {
                    Some(max) => {
                        let mut start = next;
                        for _ in repetition.min..max {
                            let through = self.build(&repetition.sub, start)?;
                            start = self.push(Node::Fork(vec![through, next]));
                        }
                        for _ in 0..repetition.min {
                            start = self.build(&repetition.sub, start)?;
                        }
                        start
                    }
                    None => {
                        let fork = self.push(Node::Fork(Vec::new()));
                        let through = self.build(&repetition.sub, fork)?;
                        self.nodes[fork] = Node::Fork(vec![through, next]);
                        let mut start = fork;
                        for _ in 0..repetition.min {
                            start = self.build(&repetition.sub, start)?;
                        }
                        start
                    }
                }
            }
        })
    }

    fn by_words(
        &self,
        start: usize,
        vocabulary: &mut Vocabulary,
        sets: &mut WordSets,
    ) -> Automaton {
        let mut numbers: HashMap<usize, usize> = HashMap::from([(start, 0)]);
        let mut states: Vec<State> = vec![State::default()];
        let mut open = vec![start];
        // The one state behind a word that ends the pattern.
        let mut end: Option<usize> = None;
        let mut clause_end: Option<usize> = None;
        while let Some(node) = open.pop() {
            let mut reading = Reading::default();
            self.read_word(node, &mut Vec::new(), &mut reading, &mut BTreeSet::new());
            let state = numbers[&node];
            states[state].accepts |= reading.empty;
            states[state].accepts_at_end |= reading.empty_at_end;
            let mut edges = Vec::new();
            for (to, found) in reading.found {
                let to = match to {
                    After::Space(node) => *numbers.entry(node).or_insert_with(|| {
                        states.push(State::default());
                        open.push(node);
                        states.len() - 1
                    }),
                    After::End => *end.get_or_insert_with(|| {
                        states.push(State {
                            accepts: true,
                            ..State::default()
                        });
                        states.len() - 1
                    }),
                    After::ClauseEnd => *clause_end.get_or_insert_with(|| {
                        states.push(State {
                            accepts_at_end: true,
                            ..State::default()
                        });
                        states.len() - 1
                    }),
                };
                if !found.words.is_empty() {
                    let words = found.words.iter().map(|word| vocabulary.intern(word));
                    edges.push(Edge {
                        label: Label::OneOf(sets.intern(words.collect())),
                        to,
                    });
                }
                edges.extend(found.wild.into_iter().map(|label| Edge { label, to }));
            }
            states[state].edges = edges;
        }
        Automaton { states }
    }

    /// Every word that can be read from a node, and where each leads.
    fn read_word(
        &self,
        node: usize,
        letters: &mut Vec<u8>,
        reading: &mut Reading,
        forks: &mut BTreeSet<usize>,
    ) {
        match &self.nodes[node] {
            Node::Fork(ways) => {
                // A loop that reads nothing leads nowhere new.
                if !forks.insert(node) {
                    return;
                }
                for way in ways {
                    self.read_word(*way, letters, reading, forks);
                }
                forks.remove(&node);
            }
            Node::Letter(choice, next) => {
                for letter in choice {
                    if *letter == b' ' {
                        if letters.is_empty() {
                            // Two spaces running, around something left out.
                            self.read_word(*next, letters, reading, forks);
                        } else {
                            reading.word(After::Space(self.settle(*next)), letters);
                        }
                        continue;
                    }
                    letters.push(*letter);
                    self.read_word(*next, letters, reading, &mut BTreeSet::new());
                    letters.pop();
                }
            }
            Node::Wild(label, next) => {
                // A gap is a whole word, never the rest of one: what follows is a space or the end.
                if !letters.is_empty() {
                    return;
                }
                for after in self.after_wild(*next) {
                    reading.found.entry(after).or_default().wild.insert(*label);
                }
            }
            Node::End => {
                if letters.is_empty() {
                    reading.empty = true;
                } else {
                    reading.word(After::End, letters);
                }
            }
            Node::ClauseEnd => {
                if letters.is_empty() {
                    reading.empty_at_end = true;
                } else {
                    reading.word(After::ClauseEnd, letters);
                }
            }
        }
    }

    fn after_wild(&self, node: usize) -> Vec<After> {
        match &self.nodes[node] {
            Node::Fork(ways) => ways.iter().flat_map(|way| self.after_wild(*way)).collect(),
            Node::Letter(letters, next) if letters.contains(&b' ') => {
                vec![After::Space(self.settle(*next))]
            }
            Node::End => vec![After::End],
            Node::ClauseEnd => vec![After::ClauseEnd],
            _ => Vec::new(),
        }
    }

    /// Past forks with one way, so that equal places have one number.
    fn settle(&self, mut node: usize) -> usize {
        while let Node::Fork(ways) = &self.nodes[node]
            && let [only] = ways[..]
        {
            node = only;
        }
        node
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum After {
    Space(usize),
    End,
    ClauseEnd,
}

#[derive(Default)]
struct Reading {
    found: std::collections::BTreeMap<After, Found>,
    /// The pattern can end here.
    empty: bool,
    empty_at_end: bool,
}

#[derive(Default)]
struct Found {
    words: BTreeSet<String>,
    wild: BTreeSet<Label>,
}

impl Reading {
    fn word(&mut self, after: After, letters: &[u8]) {
        let word = String::from_utf8_lossy(letters).into_owned();
        self.found.entry(after).or_default().words.insert(word);
    }
}

fn letters_of(class: &Class) -> Vec<u8> {
    match class {
        Class::Bytes(bytes) => bytes
            .iter()
            .flat_map(|range| range.start()..=range.end())
            .collect(),
        Class::Unicode(chars) => chars
            .iter()
            .flat_map(|range| range.start()..=range.end())
            .filter(char::is_ascii)
            .map(|c| u8::try_from(c).expect("ASCII"))
            .collect(),
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
