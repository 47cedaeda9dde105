//! What the engine needs before and after: audio of a length it understands, and words
//! without its inventions.

/// Audio as the engine takes it.
pub(super) fn prepare(samples: &[i16]) -> Vec<f32> {
    samples
        .iter()
        .map(|sample| f32::from(*sample) / 32_768.0)
        .collect()
}

/// The words without notes.
pub(super) fn tidy(words: &str) -> String {
    if words.chars().any(char::is_alphanumeric) {
        words.trim().to_owned()
    } else {
        String::new()
    }
}
