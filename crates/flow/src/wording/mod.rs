//! From moves to sentences.
//!
//! Every move has several ways of being said; a counter, kept with the conversation, walks through
//! them, and a sentence of the turn before is never said again at once. A turn asks one question at
//! most: only the phrases of questions hold a question mark, which a test checks. The caller's name,
//! place and word for a person are filled in last, so that what is remembered here is the
//! assistant's own words only. Nothing is decided here.

mod fixed;
mod hinted;
mod in_writing;
mod meanwhile;
mod on_hold;
mod phrases;
mod questions;
mod reflections;

pub(crate) use fixed::{OPENINGS, STAND_IN_QUESTION, STAND_INS, sentences as fixed_sentences};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Agency, AssistantScript, Medium, TransferMode,
    machine::{Move, Question, Theme},
    text,
};

/// What was said how often, and what was said last: the assistant's own words, or a model's, which
/// may hold the caller's. Its `Debug` shows no words.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    used: BTreeMap<String, usize>,
    last: Vec<String>,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Memory {
    /// The assistant's sentences of the turn before.
    pub fn last(&self) -> &[String] {
        &self.last
    }

    /// The turn was said in other words.
    pub fn said_instead(&mut self, sentences: Vec<String>) {
        self.last = sentences;
    }
}

/// One thing to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spoken {
    /// `open` may be said in other words.
    Sentence {
        text: String,
        open: bool,
    },
    LookUp(String),
    Transfer(TransferMode, Agency),
    EndAfterTransfer,
    End,
}

impl Spoken {
    /// The sentence, and whether it may be said in other words.
    pub fn sentence(&self) -> Option<(String, bool)> {
        match self {
            Self::Sentence { text, open } => Some((text.clone(), *open)),
            _ => None,
        }
    }
}

/// What the caller told that a sentence may say back. Its `Debug` shows nothing of it.
#[derive(Clone, Default)]
pub(crate) struct Told {
    pub name: Option<String>,
    pub place: Option<String>,
    /// The number to ring them back on, as it is written.
    pub call_back: Option<String>,
    /// The one who does harm, as the assistant would say it: "your husband".
    pub who: Option<String>,
}

impl Told {
    /// The phrase as it is spoken.
    pub fn spoken(&self, sentence: &str) -> String {
        let fill = |text: String, what: &str, value: &Option<String>| match value {
            Some(value) if text.contains(what) => text.replace(what, value),
            _ => text,
        };
        let text = fill(sentence.to_owned(), "{name}", &self.name);
        let text = fill(text, "{place}", &self.place);
        let text = fill(text, "{call_back}", &self.call_back);
        fill(text, "{who}", &self.who)
    }
}

/// The turn's moves, worded; `route` is the agency a question may speak of.
pub(crate) fn word(
    moves: &[Move],
    route: Option<Agency>,
    told: &Told,
    medium: Medium,
    script: &AssistantScript,
    memory: &mut Memory,
) -> Vec<Spoken> {
    let mut out = Vec::new();
    let mut sentences: Vec<String> = Vec::new();
    for a_move in moves {
        match a_move {
            Move::LookUp(entry) => out.push(Spoken::LookUp(entry.clone())),
            Move::Transfer(mode, agency) => out.push(Spoken::Transfer(*mode, *agency)),
            Move::EndAfterTransfer => out.push(Spoken::EndAfterTransfer),
            Move::End => out.push(Spoken::End),
            Move::Inform(entry) => {
                let ours = script.knowledge.entry(entry);
                let answer = ours.map(|entry| entry.answer.as_str());
                let answer = answer.or_else(|| script.program.answer(entry));
                let again = answer.is_some_and(|answer| {
                    text::sentences(answer)
                        .any(|sentence| memory.last.iter().any(|said| said == sentence))
                });
                let fallback = if again {
                    phrases::TOLD_ALREADY
                } else {
                    phrases::DO_NOT_KNOW
                };
                match answer.filter(|_| !again) {
                    Some(answer) => say(answer, false, &mut sentences, &mut out),
                    None => {
                        let filling = Filling {
                            script,
                            agency: route,
                            medium,
                        };
                        let phrase = choose("inform", fallback, &sentences, memory, filling);
                        say(&phrase, false, &mut sentences, &mut out);
                    }
                }
            }
            Move::Greet => {
                let filling = Filling {
                    script,
                    agency: route,
                    medium,
                };
                let (key, variants) = phrases::of(a_move, told);
                let greeting = choose(&key, variants, &sentences, memory, filling);
                for sentence in greeting_of(script, &greeting, moves.len() == 1) {
                    out.push(Spoken::Sentence {
                        text: sentence.clone(),
                        open: false,
                    });
                    sentences.push(sentence);
                }
            }
            Move::Farewell => say(&script.end_call_message, false, &mut sentences, &mut out),
            a_move => {
                let (key, variants) = phrases::of(a_move, told);
                let filling = Filling {
                    script,
                    agency: agency_of(a_move).or(route),
                    medium,
                };
                let phrase = choose(&key, variants, &sentences, memory, filling);
                let phrase = match a_move {
                    Move::Summarise(first, last) => phrases::summary(&phrase, *first, *last),
                    _ => phrase,
                };
                say(&phrase, is_open(a_move), &mut sentences, &mut out);
            }
        }
    }
    for spoken in &mut out {
        if let Spoken::Sentence { text, .. } = spoken {
            *text = told.spoken(text);
        }
    }
    memory.last = sentences;
    out
}

/// Whom the caller has reached: a program's assistant in its own words, and then as the helpline says it from its notice on that it is
/// an AI. The greeting's question stands last where nothing else is said.
fn greeting_of(script: &AssistantScript, greeting: &str, alone: bool) -> Vec<String> {
    const NOTICE: &str = "AI";
    let mut said = script.program.first();
    let from = text::sentences(greeting)
        .position(|sentence| sentence.contains(NOTICE) && !said.is_empty())
        .unwrap_or_default();
    let ours = text::sentences(greeting).skip(from);
    said.extend(
        ours.filter(|it| alone || !it.ends_with('?'))
            .map(str::to_owned),
    );
    said
}

/// The next way of saying it that repeats nothing of this turn or the one before.
fn choose(
    key: &str,
    variants: &[&str],
    this_turn: &[String],
    memory: &mut Memory,
    filling: Filling<'_>,
) -> String {
    let used = memory.used.entry(key.to_owned()).or_default();
    let start = *used;
    let fresh = (0..variants.len())
        .map(|i| (start + i) % variants.len())
        .find(|i| {
            text::sentences(&filling.fill(variants[*i])).all(|sentence| {
                !memory
                    .last
                    .iter()
                    .chain(this_turn)
                    .any(|said| said == sentence)
            })
        });
    let chosen = fresh.unwrap_or(start % variants.len());
    *used = chosen + 1;
    filling.fill(variants[chosen])
}

/// What stands in a phrase's braces.
#[derive(Clone, Copy)]
struct Filling<'a> {
    script: &'a AssistantScript,
    agency: Option<Agency>,
    medium: Medium,
}

impl Filling<'_> {
    fn fill(self, phrase: &str) -> String {
        let phrase = match self.medium {
            Medium::Speech => phrase.to_owned(),
            Medium::Writing => in_writing::reworded(phrase),
        };
        let directory = &self.script.directory;
        let agency = directory.agency(self.agency.unwrap_or(Agency::Navh));
        // A number that could not be confirmed, or none: the helpline that leads there.
        let reach = if agency.unconfirmed || agency.telephone.is_none() {
            directory.agency(Agency::Navh)
        } else {
            agency
        };
        let number = reach.telephone.as_deref().unwrap_or("{SPF number}");
        let phrase = phrase
            .replace("{assistant}", &self.script.name)
            .replace("{agency}", &agency.in_a_sentence)
            .replace("{reach}", &reach.in_a_sentence)
            .replace("{number}", number);
        directory.fill(&phrase)
    }
}

fn agency_of(a_move: &Move) -> Option<Agency> {
    match a_move {
        Move::Connect(agency)
        | Move::PassedOn(agency)
        | Move::NoWayToReach(agency)
        | Move::NothingShared(agency)
        | Move::RingYourself(agency) => Some(*agency),
        Move::Hinted(hint) => hinted::agency_of(*hint),
        _ => None,
    }
}

/// What may be said in other words: listening, and asking on. What a turn tells (numbers, agencies,
/// consent, facts), what it asks for a purpose, and what is said in danger, is said as it stands.
fn is_open(a_move: &Move) -> bool {
    match a_move {
        Move::Reflect(theme) => !matches!(theme, Theme::Danger | Theme::Suicidal),
        Move::Affirm | Move::Ground | Move::Acknowledge => true,
        a_move => asks_openly(a_move),
    }
}

/// A question that only asks on, in the caller's own way.
pub(crate) fn asks_openly(a_move: &Move) -> bool {
    matches!(a_move, Move::Ask(Question::Open) | Move::AskAbout(_))
}

fn say(text: &str, open: bool, sentences: &mut Vec<String>, out: &mut Vec<Spoken>) {
    for sentence in text::sentences(text) {
        // Within a turn a sentence is said once.
        if sentences.iter().any(|said| said == sentence) {
            continue;
        }
        sentences.push(sentence.to_owned());
        out.push(Spoken::Sentence {
            text: sentence.to_owned(),
            open,
        });
    }
}

/// The key under which a question's phrases are counted.
pub(crate) fn question_key(question: Question, again: bool) -> String {
    format!("{question:?}{}", if again { " again" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_questions_hold_a_question_mark_and_they_hold_one() {
        for (what, variants, is_question) in phrases::all() {
            for phrase in variants {
                let marks = phrase.matches('?').count();
                assert_eq!(marks, usize::from(is_question), "{what}: {phrase}");
            }
            assert!(variants.len() >= 2, "{what} has only one way of being said");
        }
        for entry in AssistantScript::built_in().knowledge.entries() {
            assert!(!entry.answer.contains('?'), "{}", entry.id);
        }
    }

    #[test]
    fn names_and_numbers_stand_in_the_directory_alone() {
        let script = AssistantScript::built_in();
        let filling = Filling {
            script: &script,
            agency: Some(Agency::Pave),
            medium: Medium::Speech,
        };
        let numbers = script.directory.contacts().iter().flat_map(|contact| {
            let numbers = [&contact.telephone, &contact.sms, &contact.whatsapp];
            numbers.into_iter().flatten()
        });
        let numbers: Vec<&String> = numbers.collect();
        for (what, variants, _) in phrases::all() {
            for phrase in variants {
                assert!(
                    !numbers.iter().any(|number| phrase.contains(*number)),
                    "{what}: {phrase}"
                );
                let filled = filling.fill(phrase);
                for left in filled.split('{').skip(1) {
                    let name = left.split('}').next();
                    let later = ["name", "place", "call_back", "who", "heard"].map(Some);
                    assert!(later.contains(&name), "{what}: {filled}");
                }
            }
        }
        for entry in script.knowledge.entries() {
            assert!(!entry.answer.contains('{'), "{}", entry.id);
        }
    }

    /// The last words of a mended line once read "seven zero NEVER't speak".
    #[test]
    fn phrases_are_plain_words_with_numbers_from_the_directory() {
        for (what, variants, _) in phrases::all() {
            for phrase in variants {
                let words = phrase.split(|c: char| !c.is_alphanumeric() && c != '{' && c != '}');
                for word in words.filter(|word| !word.starts_with('{') && !word.ends_with('}')) {
                    let shouted = word.len() > 1 && word.chars().all(char::is_uppercase);
                    let number = word.chars().any(|c| c.is_ascii_digit());
                    let digit = ["zero", "seven", "nine"].contains(&word);
                    assert!(
                        (!shouted || word == "AI") && !number && !digit,
                        "{what}: {phrase}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_two_ways_of_saying_a_thing_share_a_sentence() {
        for (what, variants, _) in phrases::all() {
            let mut seen: Vec<&str> = Vec::new();
            for sentence in variants.iter().flat_map(|phrase| text::sentences(phrase)) {
                assert!(!seen.contains(&sentence), "{what}: {sentence}");
                seen.push(sentence);
            }
        }
    }
}
