//! "Block 12, no wait, Block 21": what comes after the caller puts themselves right.

use crate::rules::{language::GRAMMAR, text::Text};

/// The first token after the last correction in the turn.
pub(crate) fn after(text: &Text<'_>) -> Option<usize> {
    GRAMMAR
        .puts_right_patterns
        .hits(text)
        .into_iter()
        .map(|hit| hit.tokens.end)
        .filter(|end| *end < text.tokens().len())
        .max()
}
