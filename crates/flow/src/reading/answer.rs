//! How a turn answers the question before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Something of the caller's own that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detail {
    Name,
    Location,
}

/// How a turn answers the question before it. Several can hold at once; which one counts is for
/// the question to say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// `Some(true)` is yes.
    pub yes: Option<bool>,
    /// Every reader reads it so; only then is a no told as a denial.
    pub agreed: bool,
    /// More likely a yes than not, and not sure enough to count as one at first hearing.
    pub leans_yes: bool,
    /// One reader takes it for a yes, another for a no: it counts as neither.
    pub disputed: bool,
    /// Would rather not say.
    pub refuses: bool,
    /// Would rather not talk about it, which is no answer.
    pub declines_to_say: bool,
    /// What is kept back by its name: "no name please".
    pub withholds: BTreeSet<Detail>,
    pub unsure: bool,
    /// Asks to hear the question again.
    pub say_again: bool,
    /// Asks what it is for, or what happens with it.
    pub asks_why: bool,
    /// "No... I don't know."
    pub wavers: bool,
    /// "Technically, no", "not yet": a no that leaves something open.
    pub hedges: bool,
    /// "I mean the song", "joking lah": what was heard was meant otherwise.
    pub means_otherwise: bool,
    /// "Push, pinch, the walking stick": how somebody was hurt.
    pub names_a_blow: bool,
    /// "No one", to who it is.
    pub names_nobody: bool,
    /// "Not me lah, the lady", to whether somebody else is hurt: what is denied, is denied of themselves.
    pub of_themselves: bool,
    /// "I'm fine where I am", "got house": has a roof.
    pub has_a_place: bool,
    /// "Hotel until Monday": has none, or none for long.
    pub lacks_a_place: bool,
    /// Has told what there was to tell.
    pub out_of_words: bool,
    /// "Actually, you can share it": said of what was declined before.
    pub wants_shared: bool,
    /// Takes back a consent given before.
    pub takes_back: bool,
    /// Wants to be connected to somebody, or does not any more.
    pub connect: Option<bool>,
    /// Some digits of a telephone number, and not all of them.
    pub half_a_number: bool,
}
