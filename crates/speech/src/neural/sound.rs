//! From a model's sound to ours: 16 kHz, without the silence around it, with the pause a speaker makes.

use std::time::Duration;

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Resampler};

use crate::SAMPLE_RATE;
use crate::rendered::LOOKAHEAD;

/// Louder than this is sound.
const AUDIBLE: f32 = 0.006;
const SAMPLES_A_MS: usize = SAMPLE_RATE as usize / 1_000;
/// Kept before the first sound, for a soft consonant. It is waited through before every reply.
const LEAD_MS: usize = 10;
/// Kept after the last.
const TAIL_MS: usize = 30;
/// How long a caller receives a reply before its first sound.
pub const LEAD_IN: Duration = LOOKAHEAD.saturating_add(Duration::from_millis(LEAD_MS as u64));
/// The pause after a sentence, and within one: 220 and 110 ms.
const AFTER_A_SENTENCE: usize = 3_520;
const WITHIN_A_SENTENCE: usize = 1_760;
/// Samples resampled at a time.
const CHUNK: usize = 1_024;

/// Names how sound is cut: what was kept of another cut is made again.
pub(super) fn cut() -> String {
    format!("{LEAD_MS}+{TAIL_MS} ms")
}

/// Why a model's sound could not be used.
pub(super) fn resampled(sound: &[f32], rate: u32) -> Result<Vec<f32>, String> {
    if rate == SAMPLE_RATE {
        return Ok(sound.to_vec());
    }
    let broken = |error: &dyn std::fmt::Display| format!("resampling failed: {error}");
    let mut resampler = Fft::<f32>::new(
        rate as usize,
        SAMPLE_RATE as usize,
        CHUNK,
        1,
        FixedSync::Input,
    )
    .map_err(|error| broken(&error))?;
    let input = InterleavedSlice::new(sound, 1, sound.len()).map_err(|error| broken(&error))?;
    let output = resampler
        .process_all(&input, sound.len(), None)
        .map_err(|error| broken(&error))?;
    Ok(output.take_data())
}

/// What is heard of it, as samples.
pub(super) fn trimmed(sound: &[f32]) -> Vec<i16> {
    let audible = |sample: &f32| sample.abs() > AUDIBLE;
    let Some(first) = sound.iter().position(audible) else {
        return Vec::new();
    };
    let last = sound.iter().rposition(audible).unwrap_or(first);
    let from = first.saturating_sub(LEAD_MS * SAMPLES_A_MS);
    let to = (last + TAIL_MS * SAMPLES_A_MS).min(sound.len());
    sound[from..to]
        .iter()
        .map(|sample| (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16)
        .collect()
}

/// The silence after a stretch of speech.
pub(super) fn pause(ends_the_sentence: bool) -> usize {
    match ends_the_sentence {
        true => AFTER_A_SENTENCE,
        false => WITHIN_A_SENTENCE,
    }
}
