//! Text as it must be spoken.

/// The sentence, ready for the voice.
pub(crate) fn prepare(sentence: &str) -> String {
    sentence
        .chars()
        .filter(|c| c.is_ascii() && !c.is_ascii_control())
        .collect()
}
