//! "Block 12, no wait, Block 21": what comes after the caller puts themselves right.

use crate::rules::{
    language::GRAMMAR,
    text::{BOUNDARY, Text},
};

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

/// The first token after the last "sorry" in the turn. An apology more often than a correction: whoever asks looks
/// whether what follows is what was asked for.
pub(crate) fn after_sorry(text: &Text<'_>) -> Option<usize> {
    let tokens = text.tokens().len();
    let at = (0..tokens).rfind(|i| text.word(*i) == "sorry")?;
    (at + 1..tokens).find(|i| text.word(*i) != BOUNDARY)
}
