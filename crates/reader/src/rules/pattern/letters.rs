//! From a pattern's letters to its words: the regular expression is laid out letter by letter, and
//! then read word by word. Thrown away once that is done.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regex_syntax::{
    ParserBuilder,
    hir::{Class, Hir, HirKind, Look},
};

use super::words::{Automaton, Edge, Label, State, Vocabulary, WordSets};

/// A pattern letter by letter: the way in, thrown away once it is read by words.
pub(super) struct Letters {
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
    /// The pattern as an automaton over words, or `None`; see [`Automaton::new`].
    pub fn read(
        pattern: &str,
        vocabulary: &mut Vocabulary,
        sets: &mut WordSets,
    ) -> Option<Automaton> {
        let hir = ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .ok()?;
        let mut letters = Self { nodes: Vec::new() };
        let end = letters.push(Node::End);
        let start = letters.build(&hir, end)?;
        Some(letters.by_words(start, vocabulary, sets))
    }

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
    found: BTreeMap<After, Found>,
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
