//! "Block 12, no wait, Block 21": what comes after the caller puts themselves right.

use std::sync::LazyLock;

use crate::rules::{pattern::PatternSet, text::Text};

static CORRECTION: LazyLock<PatternSet<()>> = LazyLock::new(|| {
    PatternSet::new(
        [
            "(?:no|not that) \\| (?:sorry|wait)(?: \\|)?",
            "(?:no wait|wait no|no sorry|sorry no|i mean|scratch that|correction|let me correct|my mistake|not that|wait wait)(?: \\|)?",
            "sorry \\| (?:it is|i mean|not|put|should be)",
            "\\| no \\| (?:it is|it was|i mean|put|should be|make it)",
            "\\| no \\| i (?:just )?(?:turned|am)",
        ]
        .map(|pattern| ((), pattern)),
    )
});

/// The first token after the last correction in the turn.
pub(crate) fn after(text: &Text<'_>) -> Option<usize> {
    CORRECTION
        .hits(text)
        .into_iter()
        .map(|hit| hit.tokens.end)
        .filter(|end| *end < text.tokens().len())
        .max()
}
