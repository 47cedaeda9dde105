//! What callers say and what it may mean, as data.
//!
//! To teach the counsellor a new way of saying something, add a pattern to the group it belongs to.
//! Patterns are written against the plain text of `text.rs`: no apostrophes ("i am", "do not"),
//! no fillers, clauses apart. Say what is *harmless* in `idioms.rs`; whether a hit is denied, past
//! or about someone else is judged in `pattern.rs` and `signals.rs`, so do not write it here.

pub(crate) mod abuse;
pub(crate) mod answers;
pub(crate) mod coercion;
pub(crate) mod danger;
pub(crate) mod despair;
pub(crate) mod frames;
pub(crate) mod idioms;
pub(crate) mod needs;
pub(crate) mod self_harm;
pub(crate) mod violence;
pub(crate) mod vocabulary;

use super::Signal;

/// Patterns that mean the same thing.
pub(crate) struct Group {
    pub signal: Signal,
    /// How sure a hit makes us, from 0 to 1. From [`super::SURE`] on it is acted on; from
    /// [`super::WORTH_ASKING`] on it is asked about.
    pub weight: f32,
    pub about: About,
    pub patterns: &'static [&'static str],
}

/// Whom the patterns speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Caller,
    SomeoneElse,
}

pub(crate) const fn group(signal: Signal, weight: f32, patterns: &'static [&'static str]) -> Group {
    Group {
        signal,
        weight,
        about: About::Caller,
        patterns,
    }
}

pub(crate) const fn of_others(
    signal: Signal,
    weight: f32,
    patterns: &'static [&'static str],
) -> Group {
    Group {
        signal,
        weight,
        about: About::SomeoneElse,
        patterns,
    }
}

/// Every group of every lexicon.
pub(crate) fn groups() -> impl Iterator<Item = &'static Group> {
    violence::GROUPS
        .iter()
        .chain(danger::GROUPS)
        .chain(self_harm::GROUPS)
        .chain(despair::GROUPS)
        .chain(abuse::GROUPS)
        .chain(coercion::GROUPS)
        .chain(needs::GROUPS)
}
