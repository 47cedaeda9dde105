//! Whose a place is that the caller was not asked for: theirs, or that of somebody they tell of.

use super::{AT_HOME, PLACES};
use crate::rules::{facts::people, text::Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Own,
    AnothersOwn,
    Unclear,
}

/// Whose a place is that was not asked for, by what stands before it in its clause: "my mother lives at ...".
pub(super) fn whose(text: &Text<'_>, place: usize) -> Whose {
    let before = text.clause(place).start..place;
    let words = || before.clone().map(|i| text.word(i));
    let lead = format!("{} ", text.slice(before.clone()));
    if words().all(|word| PLACES.before_ones_own.has(word)) || AT_HOME.is_match(&lead) {
        return Whose::Own;
    }
    let of_the_caller = words().any(|word| PLACES.the_caller.has(word));
    let someone = words().any(|word| matches!(word, "he" | "she" | "they"))
        || people::mentions(text)
            .iter()
            .any(|person| before.contains(&person.tokens.start));
    match someone && !of_the_caller {
        true => Whose::AnothersOwn,
        false => Whose::Unclear,
    }
}
