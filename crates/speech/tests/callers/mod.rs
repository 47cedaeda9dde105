//! Synthesised callers and the measure of what was heard of them.
//!
//! The callers are flite's voices and, so that no test rests on one synthesiser, espeak-ng's.

#![allow(dead_code, clippy::unwrap_used)]

use std::process::Command;

use speech::{FliteVoice, Secret, Voice};

/// A sentence in one of flite's voices.
pub async fn flite(voice: &str, pace: f32, sentence: &str) -> Vec<i16> {
    let voice = FliteVoice::named(voice).unwrap().at_pace(pace);
    voice
        .speak(Secret::new(sentence.to_owned()))
        .collect()
        .await
        .unwrap()
}

/// A sentence in one of espeak-ng's voices, at 16 kHz.
pub fn espeak(voice: &str, words_per_minute: u32, sentence: &str) -> Vec<i16> {
    let output = Command::new("espeak-ng")
        .args([
            "-v",
            voice,
            "-s",
            &words_per_minute.to_string(),
            "--stdout",
            "--",
        ])
        .arg(sentence)
        .output()
        .expect("espeak-ng is not installed: run `make setup` (or apt-get install espeak-ng)");
    assert!(output.status.success(), "espeak-ng failed");
    // espeak-ng writes to a pipe with a header that does not know the length.
    let pcm: Vec<i16> = output.stdout[44..]
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    resample(&pcm, 22_050.0, 16_000.0)
}

/// Linear interpolation: good enough for speech that is to be recognised, not enjoyed.
fn resample(samples: &[i16], from: f64, to: f64) -> Vec<i16> {
    let step = from / to;
    let count = (samples.len() as f64 / step) as usize;
    (0..count.saturating_sub(1))
        .map(|index| {
            let position = index as f64 * step;
            let before = position as usize;
            let share = position - before as f64;
            let (a, b) = (f64::from(samples[before]), f64::from(samples[before + 1]));
            (a + (b - a) * share) as i16
        })
        .collect()
}

/// Without the silence before and after.
pub fn trimmed(samples: &[i16]) -> Vec<i16> {
    let loud = |sample: &i16| sample.unsigned_abs() > 200;
    let start = samples.iter().position(loud).unwrap_or(0);
    let end = samples.iter().rposition(loud).unwrap_or(0) + 1;
    samples[start..end.max(start)].to_vec()
}

/// Words in lower case, without punctuation.
pub fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace(['\'', '’', '-'], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Words to change, add or take away to make what was heard into what was said.
pub fn word_errors(said: &str, heard: &str) -> usize {
    let (said, heard) = (words(said), words(heard));
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (index, word) in said.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in heard.iter().enumerate() {
            let changed = diagonal + usize::from(word != other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[heard.len()]
}
