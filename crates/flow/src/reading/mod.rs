//! What a reader makes of one caller turn, as data: the only thing the flow knows of it.
//!
//! `reader` gives a [`Reading`] for the caller's words and a [`Listening`]; here are the shapes.
//! A reading decides nothing: see `machine`.

mod answer;
mod facts;
mod signal;
mod so_far;

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

pub use answer::{Answer, Detail};
pub use facts::{Age, PersonSpokenOf, PlaceHeard, PlacePart, Relation, TimeHeard, Topic};
pub use signal::{ALL_BUT_SURE, NEARLY_SURE, SURE, Signal, WORTH_ASKING};
pub use so_far::{Doubt, SoFar};

use crate::Question;

/// What a reader has to know beside the words.
#[derive(Debug, Clone)]
pub struct Listening {
    /// Singapore's local time when the call started.
    pub called_at: DateTime,
    /// The question that waits for its answer.
    pub question: Option<Question>,
    /// The person spoken of last, whom "he" or "she" may stand for.
    pub person: Option<PersonSpokenOf>,
    /// The turns before, and what was made of them.
    pub turns: usize,
    pub so_far: SoFar,
}

impl Listening {
    /// For one turn by itself, nothing having been said before it.
    pub fn by_itself(called_at: DateTime, question: Option<Question>) -> Self {
        Self {
            called_at,
            question,
            person: None,
            turns: 0,
            so_far: SoFar::default(),
        }
    }
}

/// Something heard, with the caller's words for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Heard<T> {
    pub value: T,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    /// From 0 to 1.
    pub confidence: f32,
}

/// A signal heard, and how it is to be taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HeardSignal {
    pub signal: Signal,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    /// From 0 to 1; see [`SURE`] and [`WORTH_ASKING`].
    pub confidence: f32,
    /// The caller says it is not so.
    pub denied: bool,
    /// Years ago, and over.
    pub remote: bool,
    /// Done to someone other than the caller.
    pub of_others: bool,
    /// Told with a word of the present: "he is at the door".
    #[serde(default)]
    pub present: bool,
    /// The words are there, and what stands around them says that they are likely not meant: a game,
    /// a film, a comparison.
    #[serde(default)]
    pub doubted: bool,
    /// Not done, and meant to be: "I'm going to put it in him".
    #[serde(default)]
    pub to_come: bool,
}

impl HeardSignal {
    /// Told of the caller themselves, plainly and as something that is so.
    pub fn told(signal: Signal, words: Secret<String>, confidence: f32) -> Self {
        Self {
            signal,
            words,
            confidence,
            denied: false,
            remote: false,
            of_others: false,
            present: true,
            doubted: false,
            to_come: false,
        }
    }
}

/// What the words lean towards: worth a question, evidence of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leaning {
    Suicide,
    SexualHarm,
    Shelter,
    /// Hurt by someone close.
    Hurt,
    /// Put down, controlled, kept short of money or neglected.
    PutDown,
    /// None of these: what callers say who are in no danger and need no agency.
    Ordinary,
}

/// How a caller takes their leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leave {
    /// Could be an answer as well: "no, that's it".
    Half,
    /// "Bye", "I have to go".
    Plain,
}

/// Everything one turn gives away.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The turn itself, for the account and as evidence.
    pub words: Secret<String>,
    pub word_count: usize,
    /// The rules' in the order in which they were said, then what was added.
    pub signals: Vec<HeardSignal>,
    pub answer: Answer,
    pub name: Option<Heard<Secret<String>>>,
    pub place: Option<Heard<PlaceHeard>>,
    pub age: Option<Heard<Age>>,
    /// Who does the harm the turn speaks of, or the answer to who it is.
    pub abuser: Option<Heard<Relation>>,
    /// The two are, or were, married; or the caller says they are not.
    pub married: Option<bool>,
    pub incident: Option<Heard<TimeHeard>>,
    /// A telephone number to ring the caller back on: eight digits. Only where that was asked.
    pub call_back: Option<Heard<Secret<String>>>,
    /// The person spoken of last.
    pub person: Option<PersonSpokenOf>,
    /// What the turn tells beside that the caller is safe, and where; `None` if that is all.
    pub reason: Option<Secret<String>>,
    /// What the turn is about, beside any signal.
    pub topic: Option<Topic>,
    pub leanings: BTreeSet<Leaning>,
    pub leave: Option<Leave>,
    /// The caller asks something of their own.
    pub asks: bool,
    /// They may: it is answered if there is an answer, else not dwelt on.
    pub may_ask: bool,
    /// "Police", "hurry", "he is here": somebody is to come now.
    pub calls_for_help: bool,
    /// Whoever does it is two years old, or a cat.
    pub by_a_small_child_or_animal: bool,
    /// The turn says what it was, a figure of speech, a game, a show, and speaks of nobody.
    pub explained_away: bool,
    /// A computer game, a show, a dare or a wild animal is named, whoever else is.
    pub speaks_of_play: bool,
    /// Somebody died by suicide: a loss, and nobody's danger any more.
    pub lost_to_suicide: bool,
    /// The turn speaks of years ago.
    pub tells_of_long_ago: bool,
    /// What was made of all turns, this one too.
    pub so_far: SoFar,
    /// What those together speak against.
    pub doubts: BTreeSet<Doubt>,
}

impl Reading {
    /// A turn of which nothing could be made.
    pub fn unread(words: Secret<String>) -> Self {
        let word_count = words.expose_secret().split_whitespace().count();
        Self {
            words,
            word_count,
            ..Self::default()
        }
    }

    /// The first assertion of a signal that is at least this sure; a surer one may follow.
    pub fn asserts(&self, signal: Signal, from: f32) -> Option<&HeardSignal> {
        self.signals
            .iter()
            .find(|s| s.signal == signal && !s.denied && s.confidence >= from)
    }

    pub fn denies(&self, signal: Signal) -> bool {
        self.signals.iter().any(|s| s.signal == signal && s.denied)
    }
}
