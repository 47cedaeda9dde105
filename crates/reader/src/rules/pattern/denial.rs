//! Whether a hit is denied: "he has never hit me", "I don't want to die", "Suicidal? No lah."
//!
//! Judged by the words before the hit in its clause, once for all lexicons.

use std::ops::Range;

use crate::rules::text::{BOUNDARY, Text};

/// A "not" among these tokens that means what it says.
pub(super) fn negator_in(text: &Text<'_>, tokens: Range<usize>, of_an_end: bool) -> bool {
    tokens.clone().any(|i| {
        let next = (i + 1 < tokens.end).then(|| text.word(i + 1));
        is_negator(text.word(i))
            && !(next.is_some() && is_no_denial(text, i))
            && !(of_an_end && next.is_some_and(ends_a_life))
    })
}

/// "Not wake up", "not be here": with the "not" before it, an end and no denial of one.
fn ends_a_life(word: &str) -> bool {
    matches!(
        word,
        "exist"
            | "wake"
            | "waking"
            | "open"
            | "opening"
            | "be"
            | "here"
            | "around"
            | "alive"
            | "more"
            | "longer"
    )
}

pub(super) fn is_negator(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "no" | "nobody" | "without" | "nothing" | "none" | "neither" | "nor"
    )
}

/// "Not only", "cannot stop", "don't know why": the negator does not deny what follows.
fn is_no_denial(text: &Text<'_>, negator: usize) -> bool {
    negator + 1 < text.tokens().len()
        && matches!(
            text.word(negator + 1),
            "only"
                | "just"
                | "first"
                | "know"
                | "sure"
                | "stop"
                | "stops"
                | "stopped"
                | "understand"
                | "care"
                | "remember"
                | "help"
                | "once"
                | "matter"
                | "wonder"
                | "doubt"
                | "joking"
                | "lying"
                | "kidding"
                | "tell"
                | "told"
        )
        // "I never thought my own son would slap me."
        || negator + 1 < text.tokens().len()
            && text.word(negator) == "never"
            && matches!(
                text.word(negator + 1),
                "think" | "thought" | "expect" | "expected" | "imagine" | "imagined" | "dreamt" | "dreamed" | "knew"
            )
            // "I've never thought of suicide" denies.
            && text
                .words()
                .nth(negator + 2)
                .is_some_and(|word| !matches!(word, "of" | "about" | "that" | "it"))
        || negator > 0
            && negator + 1 < text.tokens().len()
            && text.word(negator - 1) == "can"
            && matches!(
                text.word(negator + 1),
                "believe" | "take" | "stand" | "sleep" | "handle"
            )
        || negator > 0 && matches!(text.word(negator - 1), "why" | "or")
        || negator > 1 && text.word(negator - 2) == "why"
}

/// Verbs whose "not" reaches into the clause they govern: "I don't think he hit me".
fn reaches_on(word: &str) -> bool {
    matches!(
        word,
        "think"
            | "want"
            | "like"
            | "say"
            | "saying"
            | "said"
            | "feel"
            | "feeling"
            | "mean"
            | "true"
            | "that"
            | "as"
            | "thinking"
            | "planning"
            | "wish"
            | "have"
            | "believe"
            | "suicidal"
            | "wanting"
            | "because"
    )
}

/// Whether something before the hit, in its clause, denies it.
pub(super) fn denied(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let clause = text.clause(hit.start);
    let from = hit.start.saturating_sub(6).max(clause.start);
    for negator in (from..hit.start).rev() {
        if !is_negator(text.word(negator)) || is_no_denial(text, negator) {
            continue;
        }
        // "She never visits and leaves me without food": the "never" ends with its own verb.
        if (negator + 1..hit.start).any(|i| matches!(text.word(i), "and" | "then" | "until")) {
            continue;
        }
        // "he is not home now my father hits me": a new subject in between ends the denial,
        // unless the verb after the negator governs it.
        let between = negator + 1..hit.start;
        let new_subject = between.clone().chain(std::iter::once(hit.start)).any(|i| {
            matches!(
                text.word(i),
                "i" | "he" | "she" | "they" | "my" | "we" | "someone"
            )
        });
        let governs = between.clone().any(|i| reaches_on(text.word(i)));
        if !new_subject || governs {
            return true;
        }
    }
    // "Suicidal? No lah.": the caller puts the question and answers it.
    let end = clause.end;
    end + 1 < text.tokens().len()
        && text.word(end) == BOUNDARY
        && text.boundary_is_question(clause.end)
        && matches!(text.word(end + 1), "no" | "never" | "not")
}
