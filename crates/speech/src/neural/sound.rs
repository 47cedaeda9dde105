//! From a model's sound to ours: 16 kHz, without the silence around it, with the pause a speaker makes.

use std::time::Duration;

use signal_processing::NotResampled;

use crate::SAMPLE_RATE;
use crate::rendered::LOOKAHEAD;

/// Louder than this is sound.
const AUDIBLE: f32 = 0.006;
/// As much over 2 ms is heard as the beginning of a voice: -48 dBFS.
const HEARD: f32 = 0.004;
const HEARD_WITHIN: usize = 32;
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

/// Names how sound is cut: what was kept of another cut is made again.
pub(super) fn cut() -> String {
    format!("{LEAD_MS}+{TAIL_MS} ms")
}

/// A model's sound at our rate.
pub(super) fn resampled(sound: &[f32], rate: u32) -> Result<Vec<f32>, NotResampled> {
    match rate == SAMPLE_RATE {
        true => Ok(sound.to_vec()),
        false => signal_processing::resampled(sound, rate, SAMPLE_RATE),
    }
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

/// Takes most of a beginning that nobody hears off a reply's first sound: the "th" of "thank you" may last a tenth of a
/// second at a hundredth of the vowel's power, and the caller waits through it. What is rendered ahead keeps it.
pub(super) fn begin_at_once(sound: &mut Vec<i16>) {
    let is_heard = |window: &[i16]| {
        let squares: f32 = window.iter().map(|sample| f32::from(*sample).powi(2)).sum();
        (squares / window.len() as f32).sqrt() > HEARD * f32::from(i16::MAX)
    };
    let first = sound.chunks(HEARD_WITHIN).position(is_heard).unwrap_or(0) * HEARD_WITHIN;
    sound.drain(..first.saturating_sub(LEAD_MS * SAMPLES_A_MS));
}

/// The silence after a stretch of speech.
pub(super) fn pause(ends_the_sentence: bool) -> usize {
    match ends_the_sentence {
        true => AFTER_A_SENTENCE,
        false => WITHIN_A_SENTENCE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(level: i16, milliseconds: usize) -> Vec<i16> {
        let samples = milliseconds * SAMPLES_A_MS;
        (0..samples)
            .map(|i| if i % 2 == 0 { level } else { -level })
            .collect()
    }

    #[test]
    fn a_reply_begins_with_what_is_heard_and_little_before_it() {
        for soft in [0, 5, 30, 100] {
            let mut sound = [noise(60, soft), noise(3_000, 50)].concat();
            begin_at_once(&mut sound);
            let kept = sound.len() / SAMPLES_A_MS - 50;
            assert_eq!(kept, soft.min(LEAD_MS), "of {soft} ms");
        }
    }

    #[test]
    fn what_is_soft_throughout_is_left_as_it_is() {
        for sound in [noise(60, 80), Vec::new()] {
            let mut begun = sound.clone();
            begin_at_once(&mut begun);
            assert_eq!(begun, sound);
        }
    }
}
