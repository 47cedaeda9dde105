//! Where in a stretch of audio somebody is speaking: sound above a level, held for long enough.
//!
//! This works on energy alone, to a window of 2 ms. It does not use the server's voice detector:
//! a ruler made by the party that is measured would hide that party's mistakes.

use std::ops::Range;
use std::time::Duration;

pub const SAMPLE_RATE: u64 = 16_000;

/// 2 ms: fine enough to time an onset, long enough for a level.
const WINDOW: usize = 32;
/// An onset counts once this many loud windows (20 ms) ...
const ONSET_WINDOWS: usize = 10;
/// ... lie within this stretch (60 ms): a click is not speech, the gaps of a low voice are.
const ONSET_WITHIN: u64 = 960;

/// What counts as sound and what as a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Root mean square of a window, of a full scale of 1.
    pub level: f32,
    /// A pause up to this long is inside one span of speech.
    pub joining_gap: Duration,
}

impl Default for Threshold {
    fn default() -> Self {
        Self {
            level: 0.01,
            joining_gap: Duration::from_millis(300),
        }
    }
}

/// Speech from its first loud window to the end of its last one, in samples.
pub type Span = Range<u64>;

/// Finds spans of speech in audio that arrives piece by piece, with silence where none arrives.
#[derive(Debug)]
pub struct SpeechSpans {
    level_squared: f32,
    joining_gap: u64,
    /// Samples at the end that do not fill a window yet, and where they start.
    partial: Vec<i16>,
    position: u64,
    /// Starts of loud windows that may become an onset.
    candidates: Vec<u64>,
    current: Option<Span>,
    finished: Vec<Span>,
}

impl SpeechSpans {
    pub fn new(threshold: Threshold) -> Self {
        let level = threshold.level * f32::from(i16::MAX);
        Self {
            level_squared: level * level,
            joining_gap: to_samples(threshold.joining_gap),
            partial: Vec::with_capacity(WINDOW),
            position: 0,
            candidates: Vec::new(),
            current: None,
            finished: Vec::new(),
        }
    }

    /// Every span so far in order; the last one may still grow.
    pub fn spans(&self) -> impl DoubleEndedIterator<Item = &Span> {
        self.finished.iter().chain(&self.current)
    }

    /// Audio whose first sample is at `start`; a hole before it counts as silence.
    pub fn push(&mut self, start: u64, samples: &[i16]) {
        let next = self.position + self.partial.len() as u64;
        if start > next && !self.partial.is_empty() {
            self.partial.resize(WINDOW, 0);
            self.take_window();
        }
        if self.partial.is_empty() {
            self.position = self.position.max(start);
        }
        for &sample in samples {
            self.partial.push(sample);
            if self.partial.len() == WINDOW {
                self.take_window();
            }
        }
    }

    fn take_window(&mut self) {
        let energy: f32 = self
            .partial
            .iter()
            .map(|&s| f32::from(s) * f32::from(s))
            .sum();
        let start = self.position;
        self.position += WINDOW as u64;
        self.partial.clear();
        if energy >= self.level_squared * WINDOW as f32 {
            self.loud_window(start);
        }
    }

    fn loud_window(&mut self, start: u64) {
        let end = start + WINDOW as u64;
        if let Some(current) = &mut self.current {
            if start.saturating_sub(current.end) <= self.joining_gap {
                current.end = end;
                return;
            }
            self.finished.extend(self.current.take());
        }
        self.candidates
            .retain(|&candidate| end - candidate <= ONSET_WITHIN);
        self.candidates.push(start);
        if self.candidates.len() >= ONSET_WINDOWS {
            self.current = Some(self.candidates[0]..end);
            self.candidates.clear();
        }
    }
}

/// The first to the last sound in a finished clip, or nothing if it is silent.
pub fn voiced_part(samples: &[i16], threshold: Threshold) -> Option<Range<usize>> {
    let mut spans = SpeechSpans::new(threshold);
    spans.push(0, samples);
    let start = spans.spans().next()?.start;
    let end = spans.spans().next_back()?.end;
    Some(start as usize..end as usize)
}

pub fn to_samples(time: Duration) -> u64 {
    (time.as_nanos() * u128::from(SAMPLE_RATE) / 1_000_000_000) as u64
}

pub fn to_time(samples: u64) -> Duration {
    Duration::from_nanos(samples * (1_000_000_000 / SAMPLE_RATE))
}

#[cfg(test)]
pub mod synthetic {
    //! Audio whose onsets are known to the sample.

    /// A 200 Hz tone, which never stays below the level for a whole window.
    pub fn tone(millis: usize) -> Vec<i16> {
        (0..millis * 16)
            .map(|n| ((n as f32 * 200.0 * std::f32::consts::TAU / 16_000.0).sin() * 9_000.0) as i16)
            .collect()
    }

    pub fn silence(millis: usize) -> Vec<i16> {
        vec![0; millis * 16]
    }

    pub fn joined(parts: &[Vec<i16>]) -> Vec<i16> {
        parts.concat()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::synthetic::{joined, silence, tone};
    use super::*;

    fn spans_of(samples: &[i16], piece: usize) -> Vec<Span> {
        let mut spans = SpeechSpans::new(Threshold::default());
        for (n, part) in samples.chunks(piece).enumerate() {
            spans.push((n * piece) as u64, part);
        }
        spans.spans().cloned().collect()
    }

    fn assert_near(actual: u64, expected_millis: u64) {
        let off = actual.abs_diff(expected_millis * 16);
        assert!(
            off <= WINDOW as u64,
            "{actual} is {off} samples from {expected_millis} ms"
        );
    }

    #[test]
    fn speech_is_found_to_the_window_whatever_the_pieces() {
        let audio = joined(&[
            silence(500),
            tone(700),
            silence(600),
            tone(400),
            silence(100),
        ]);
        for piece in [320, 7, 1_000, audio.len()] {
            let spans = spans_of(&audio, piece);
            assert_eq!(spans.len(), 2, "in pieces of {piece}");
            assert_near(spans[0].start, 500);
            assert_near(spans[0].end, 1_200);
            assert_near(spans[1].start, 1_800);
            assert_near(spans[1].end, 2_200);
        }
    }

    #[test]
    fn a_pause_between_sentences_does_not_end_a_span() {
        let spans = spans_of(&joined(&[tone(300), silence(190), tone(300)]), 320);
        assert_eq!(spans.len(), 1);
        assert_near(spans[0].end, 790);
    }

    #[test]
    fn a_click_is_not_speech() {
        assert!(spans_of(&joined(&[silence(100), tone(8), silence(400)]), 320).is_empty());
    }

    #[test]
    fn faint_noise_is_not_speech() {
        let noise: Vec<i16> = (0..16_000)
            .map(|n| if n % 2 == 0 { 60 } else { -60 })
            .collect();
        assert!(spans_of(&noise, 320).is_empty());
    }

    #[test]
    fn a_hole_in_what_arrives_counts_as_silence() {
        let mut spans = SpeechSpans::new(Threshold::default());
        spans.push(0, &tone(200));
        spans.push(16_000, &tone(200));
        let spans: Vec<_> = spans.spans().cloned().collect();
        assert_eq!(spans.len(), 2);
        assert_near(spans[0].end, 200);
        assert_near(spans[1].start, 1_000);
    }

    #[test]
    fn the_voiced_part_of_a_clip_leaves_out_its_silent_ends() {
        let clip = joined(&[
            silence(250),
            tone(1_000),
            silence(800),
            tone(500),
            silence(300),
        ]);
        let voiced = voiced_part(&clip, Threshold::default()).unwrap();
        assert_near(voiced.start as u64, 250);
        assert_near(voiced.end as u64, 2_550);
        assert_eq!(voiced_part(&silence(1_000), Threshold::default()), None);
    }

    #[test]
    fn samples_and_time_convert_without_drift() {
        assert_eq!(to_samples(Duration::from_secs(600)), 9_600_000);
        assert_eq!(to_time(9_600_000), Duration::from_secs(600));
        assert_eq!(to_time(1), Duration::from_nanos(62_500));
    }
}
