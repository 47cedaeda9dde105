//! Whose words, and whose will: what another says of the caller, and what another threatens.

use std::ops::Range;

use super::text::Text;

/// Whether someone other than the caller says the words of the hit.
pub(super) fn said_by_another(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let clause = text.clause(hit.start);
    let spoken = (clause.start..hit.end).rev().find(|i| {
        matches!(
            text.word(*i),
            "say"
                | "says"
                | "said"
                | "saying"
                | "tell"
                | "tells"
                | "told"
                | "telling"
                | "call"
                | "calls"
                | "called"
                | "calling"
                | "think"
                | "thinks"
                | "convinced"
        )
    });
    let Some(verb) = spoken else { return false };
    let subject = (clause.start..verb).rev().find(|i| {
        matches!(
            text.word(*i),
            "i" | "he" | "she" | "they" | "my" | "everyone"
        )
    });
    subject.is_some_and(|i| text.word(i) != "i")
}

/// Whether someone else is the subject of the hit: "she jumps off the roof". The nearest one counts.
pub(super) fn of_another_person(text: &Text<'_>, hit: &Range<usize>) -> bool {
    const NEAR: usize = 5;
    let of_self = hit
        .clone()
        .any(|i| matches!(text.word(i), "i" | "me" | "my" | "myself"));
    let clause = text.clause(hit.start);
    !of_self
        && (clause.start..hit.end)
            .rev()
            .skip_while(|i| *i > hit.start)
            .take(NEAR)
            .map(|i| text.word(i))
            .find(|word| matches!(*word, "i" | "we" | "he" | "she" | "they"))
            .is_some_and(|word| !matches!(word, "i" | "we"))
}

/// "... kill herself if I leave".
pub(super) fn held_over_the_caller(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let clause = text.clause(hit.start);
    let of_self = (hit.start..clause.end).any(|i| matches!(text.word(i), "herself" | "himself"));
    let condition =
        (clause.start + 1..clause.end).any(|i| text.word(i) == "i" && text.word(i - 1) == "if");
    of_self && condition
}

/// Whether the words before the hit make it a threat.
pub(super) fn threatened(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let clause = text.clause(hit.start);
    (clause.start..hit.start).any(|i| {
        matches!(
            text.word(i),
            "threaten" | "threatens" | "threatened" | "threatening" | "will" | "would" | "if"
        )
    })
}
