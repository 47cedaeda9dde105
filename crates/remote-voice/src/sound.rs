//! From what an endpoint sends, 24 kHz in 16 bits, to our sound, as it arrives: 16 kHz, without the silence before
//! it, with a speaker's pause after it.

use std::time::Duration;

use signal_processing::Resampler;
use speech::SAMPLE_RATE;

use crate::Trouble;

/// Of `response_format: "pcm"`.
const THEIR_RATE: u32 = 24_000;
pub const BYTES_A_SECOND: usize = 2 * THEIR_RATE as usize;
/// Samples of theirs resampled at a time, 20 ms, and of ours that come of them.
const TAKEN: usize = 480;
const GIVEN: usize = 320;

/// Louder than this is sound.
const AUDIBLE: u16 = 200;
/// Kept before the first sound: 30 ms, for soft consonants.
const EDGE: usize = 480;
/// The pause after a sentence: 220 ms.
const PAUSE: usize = 3_520;

/// Files that begin so are none of samples alone.
const OTHER_FORMATS: [&[u8]; 6] = [b"RIFF", b"ID3", b"OggS", b"fLaC", b"{\"", b"<!"];

/// How long samples of ours last.
pub fn length_of(samples: &[i16]) -> Duration {
    Duration::from_micros(samples.len() as u64 * 1_000_000 / u64::from(SAMPLE_RATE))
}

/// A sentence that is arriving.
pub struct Incoming {
    resampler: Resampler,
    /// The first half of a sample whose second half has not come.
    half: Option<u8>,
    begun: bool,
    /// Not resampled yet.
    theirs: Vec<f32>,
    resampled: [f32; GIVEN],
    /// Of the resampler's first output: its delay.
    to_skip: usize,
    edges: Edges,
}

impl Incoming {
    pub fn new() -> Result<Self, Trouble> {
        let resampler =
            Resampler::new(THEIR_RATE, SAMPLE_RATE, TAKEN).map_err(|_| Trouble::NotResampled)?;
        Ok(Self {
            to_skip: resampler.delay(),
            resampler,
            half: None,
            begun: false,
            theirs: Vec::with_capacity(2 * TAKEN),
            resampled: [0.0; GIVEN],
            edges: Edges::default(),
        })
    }

    /// Takes a piece, cut anywhere, and gives what can be played of it.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<Vec<i16>, Trouble> {
        if !self.begun && !bytes.is_empty() {
            self.begun = true;
            if OTHER_FORMATS.iter().any(|mark| bytes.starts_with(mark)) {
                return Err(Trouble::WrongKind);
            }
        }
        if let Some((low, (high, rest))) = self.half.zip(bytes.split_first()) {
            self.half = None;
            self.theirs.push(sample([low, *high]));
            bytes = rest;
        }
        let (whole, rest) = bytes.as_chunks::<2>();
        self.theirs.extend(whole.iter().map(|bytes| sample(*bytes)));
        if let Some(low) = rest.first() {
            self.half = Some(*low);
        }
        let mut out = Vec::new();
        self.resample(&mut out)?;
        Ok(out)
    }

    /// What is left, and the pause. Half a sample at the end means that the rest is missing.
    pub fn finish(mut self) -> Result<Vec<i16>, Trouble> {
        if self.half.is_some() {
            return Err(Trouble::CutOff);
        }
        // What is still within the resampler comes out with the silence that follows it.
        let filled = (self.theirs.len() + TAKEN).next_multiple_of(TAKEN);
        self.theirs.resize(filled, 0.0);
        let mut out = Vec::new();
        self.resample(&mut out)?;
        self.edges.finish(&mut out);
        Ok(out)
    }

    fn resample(&mut self, out: &mut Vec<i16>) -> Result<(), Trouble> {
        let ready = self.theirs.len() - self.theirs.len() % TAKEN;
        for chunk in self.theirs[..ready].chunks_exact(TAKEN) {
            self.resampler
                .resample(chunk, &mut self.resampled)
                .map_err(|_| Trouble::NotResampled)?;
            let skipped = self.to_skip.min(GIVEN);
            self.to_skip -= skipped;
            for sample in &self.resampled[skipped..] {
                self.edges
                    .take((sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16, out);
            }
        }
        self.theirs.drain(..ready);
        Ok(())
    }
}

fn sample(bytes: [u8; 2]) -> f32 {
    f32::from(i16::from_le_bytes(bytes)) / 32_768.0
}

/// The silence around a sentence, and the pauses in it.
#[derive(Default)]
struct Edges {
    sounded: bool,
    /// Silence at the beginning, or beyond a sentence's pause; it is given when sound follows.
    held: Vec<i16>,
    /// Silence since the last sound, as far as it was given.
    quiet: usize,
}

impl Edges {
    fn take(&mut self, sample: i16, out: &mut Vec<i16>) {
        if sample.unsigned_abs() > AUDIBLE {
            let kept = match self.sounded {
                true => 0,
                false => self.held.len().saturating_sub(EDGE),
            };
            out.extend(&self.held[kept..]);
            self.held.clear();
            self.sounded = true;
            self.quiet = 0;
            out.push(sample);
        } else if self.sounded && self.quiet < PAUSE {
            self.quiet += 1;
            out.push(sample);
        } else {
            if !self.sounded && self.held.len() >= 2 * EDGE {
                self.held.drain(..EDGE);
            }
            self.held.push(sample);
        }
    }

    fn finish(self, out: &mut Vec<i16>) {
        if self.sounded {
            out.resize(out.len() + PAUSE - self.quiet, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn tone(pitch: f64, samples: usize) -> Vec<u8> {
        let sample = |i: usize| {
            (i as f64 * pitch * std::f64::consts::TAU / f64::from(THEIR_RATE)).sin() * 9_000.0
        };
        (0..samples)
            .flat_map(|i| (sample(i) as i16).to_le_bytes())
            .collect()
    }

    fn silence(samples: usize) -> Vec<u8> {
        vec![0; 2 * samples]
    }

    fn heard(bytes: &[u8], cut: usize) -> Vec<i16> {
        let mut incoming = Incoming::new().unwrap();
        let mut out = Vec::new();
        for piece in bytes.chunks(cut) {
            out.extend(incoming.take(piece).unwrap());
        }
        out.extend(incoming.finish().unwrap());
        out
    }

    #[test]
    fn a_tone_keeps_its_pitch_level_and_length_wherever_it_is_cut() {
        let whole = heard(&tone(440.0, 24_000), usize::MAX);
        let sounding = &whole[800..15_200];
        let crossings = sounding
            .windows(2)
            .filter(|pair| pair[0] < 0 && pair[1] >= 0);
        let pitch = crossings.count() as f64 / 0.9;
        assert!((pitch - 440.0).abs() < 3.0, "{pitch}");
        let power = sounding.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>();
        let level = (power / sounding.len() as f64).sqrt() * std::f64::consts::SQRT_2;
        assert!((level - 9_000.0).abs() < 100.0, "{level}");
        let length = whole.len() - PAUSE;
        assert!(length.abs_diff(16_000) < 50, "{length}");
        for cut in [1, 7, 961, 4_096] {
            assert_eq!(heard(&tone(440.0, 24_000), cut), whole, "cut at {cut}");
        }
    }

    #[test]
    fn there_is_no_click_where_pieces_meet() {
        let whole = heard(&tone(300.0, 24_000), 960);
        let steepest = 9_000.0 * 300.0 * std::f64::consts::TAU / f64::from(SAMPLE_RATE);
        for pair in whole[100..15_900].windows(2) {
            let step = f64::from(pair[1]) - f64::from(pair[0]);
            assert!(step.abs() < steepest * 1.05, "{step}");
        }
    }

    #[test]
    fn what_we_cannot_hold_is_taken_out_and_does_not_come_back_lower() {
        let whole = heard(&[tone(440.0, 600), tone(10_500.0, 24_000)].concat(), 4_096);
        let loudest = whole[1_200..15_600]
            .iter()
            .map(|s| s.unsigned_abs())
            .max()
            .unwrap();
        assert!(loudest < 300, "{loudest}");
    }

    #[test]
    fn it_begins_with_sound_and_ends_with_a_short_pause() {
        let sent = [silence(24_000), tone(440.0, 12_000), silence(48_000)].concat();
        let whole = heard(&sent, 4_096);
        let first = whole.iter().position(|s| s.unsigned_abs() > AUDIBLE);
        assert!(first.unwrap() <= EDGE);
        assert!(whole.len().abs_diff(EDGE + 8_000 + PAUSE) < 100);
        let short = heard(&[tone(440.0, 12_000), silence(100)].concat(), 4_096);
        assert!(short.len().abs_diff(8_000 + PAUSE) < 100);
    }

    #[test]
    fn a_long_pause_within_a_sentence_stays_as_long() {
        let sent = [tone(440.0, 12_000), silence(24_000), tone(440.0, 12_000)].concat();
        assert!(heard(&sent, 4_096).len().abs_diff(32_000 + PAUSE) < 100);
    }

    #[test]
    fn silence_alone_gives_nothing() {
        assert!(heard(&silence(24_000), 4_096).is_empty());
    }

    #[test]
    fn half_a_sample_at_the_end_is_no_end() {
        let mut incoming = Incoming::new().unwrap();
        incoming.take(&tone(440.0, 500)[..999]).unwrap();
        assert_eq!(incoming.finish(), Err(Trouble::CutOff));
    }

    #[test]
    fn another_format_is_known_by_its_first_bytes() {
        for file in [&b"RIFF\x24\0\0\0WAVE"[..], b"ID3\x04", b"{\"error\":1}"] {
            let taken = Incoming::new().unwrap().take(file);
            assert_eq!(taken, Err(Trouble::WrongKind));
        }
    }
}
