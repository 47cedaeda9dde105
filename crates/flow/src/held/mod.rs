//! What a chat model proposes, held to what the flow decided and to what was said.
//!
//! A model may hear a signal ([`Suggestion`]), say the open part of a turn in its own words
//! ([`Brief`]), and tell a note's first sentences ([`ToldSentence`]). Everything here is a check on
//! that: it lets a proposal through whole or turns it down whole, and then the templates stand.
//! Nothing here asks a model anything; whoever does gives its answer in as data.

mod grounds;
mod lexicon;
mod note;
mod signals;
mod wording;

use redact::Secret;

pub use note::ToldSentence;
pub(crate) use note::{Told, told_well};
pub use signals::Suggestion;
pub(crate) use signals::admit;
pub(crate) use wording::{Bounds, hold};

/// What the flow leaves open in a turn, for a model to say in its own words.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// What would be said instead of it otherwise.
    pub open: Vec<Secret<String>>,
    /// What is said in any case, before, between or after.
    pub fixed: Vec<Secret<String>>,
    /// Whether it may end with a question.
    pub may_ask: bool,
}

/// Why a model's words are not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("nothing in it to say")]
    Empty,
    #[error("longer than a turn")]
    TooLong,
    #[error("not plain words")]
    NotPlain,
    #[error("a question too many")]
    Question,
    #[error("an agency that is not the turn's")]
    Agency,
    #[error("a number nobody gave")]
    Number,
    #[error("a promise, or something done, that is not so")]
    Promise,
    #[error("a refusal, or talk about itself")]
    Refusal,
    #[error("advice or words that have no place here")]
    OutOfPlace,
    #[error("something nobody said")]
    NotSaid,
    #[error("said a moment ago")]
    Repeats,
    #[error("something that must be told is left out")]
    LeavesOut,
}

impl Unfit {
    /// A short name, for counting.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::NotPlain => "not-plain",
            Self::Question => "question",
            Self::Agency => "agency",
            Self::Number => "number",
            Self::Promise => "promise",
            Self::Refusal => "refusal",
            Self::OutOfPlace => "out-of-place",
            Self::NotSaid => "not-said",
            Self::Repeats => "repeats",
            Self::LeavesOut => "leaves-out",
        }
    }
}
