//! What the end-of-turn model looks at: a picture of the last eight seconds, 80 mel bands high and 800 frames
//! wide, as Whisper's front end draws it. Checked against the model's own front end in `tests/end_of_turn.rs`.

use std::f64::consts::TAU;

use signal_processing::PowerSpectrum;

use super::SOUND_SAMPLES;

pub const BANDS: usize = 80;
pub const FRAMES: usize = SOUND_SAMPLES / HOP;

const WINDOW: usize = 400;
const HOP: usize = 160;
const BINS: usize = WINDOW / 2 + 1;
/// Sound before the first and after the last sample is its mirror image.
const MIRRORED: usize = WINDOW / 2;

const TOP_HERTZ: f64 = 8000.0;
/// Kept from the variance of silence being divided by.
const LEAST_VARIANCE: f32 = 1e-7;
const LEAST_POWER: f64 = 1e-10;
/// The picture's darkest, in powers of ten under its brightest.
const DEPTH: f64 = 8.0;

/// Draws pictures; keeps its tables and room to work in. A drawing takes about 8 ms of one core.
pub struct LogMel {
    // 400 points: a mixed-radix FFT takes a twentieth of the time of the plain sum.
    spectrum: PowerSpectrum,
    window: [f64; WINDOW],
    bands: Vec<Band>,
    sound: Vec<f64>,
    picture: Vec<f64>,
}

/// One triangular filter: the first bin it takes in, and the share of each from there.
struct Band {
    first: usize,
    shares: Vec<f64>,
}

impl LogMel {
    /// Tables and room; 2 MB.
    pub fn new() -> Self {
        Self {
            spectrum: PowerSpectrum::new(WINDOW),
            window: std::array::from_fn(|n| 0.5 - 0.5 * (TAU * n as f64 / WINDOW as f64).cos()),
            bands: bands(),
            sound: Vec::with_capacity(SOUND_SAMPLES + 2 * MIRRORED),
            picture: vec![0.0; BANDS * FRAMES],
        }
    }

    /// The picture of the end of `sound`, band by band. Less than eight seconds have silence before them.
    pub fn draw(&mut self, sound: &[i16]) -> Vec<f32> {
        self.take_in(sound);
        for column in 0..FRAMES {
            let at = column * HOP;
            let samples = self.sound[at..at + WINDOW].iter().zip(&self.window);
            for (slot, (sample, weight)) in self.spectrum.frame().iter_mut().zip(samples) {
                *slot = (sample * weight) as f32;
            }
            let powers = self.spectrum.powers();
            for (row, band) in self.bands.iter().enumerate() {
                let bins = powers[band.first..].iter().zip(&band.shares);
                let power: f64 = bins.map(|(bin, share)| f64::from(*bin) * share).sum();
                self.picture[row * FRAMES + column] = power.max(LEAST_POWER).log10();
            }
        }
        let brightest = self.picture.iter().copied().fold(f64::MIN, f64::max);
        let drawn = self.picture.iter();
        drawn
            .map(|point| ((point.max(brightest - DEPTH) + 4.0) / 4.0) as f32)
            .collect()
    }

    /// Eight seconds of mean 0 and variance 1, and a mirrored edge on either side.
    fn take_in(&mut self, sound: &[i16]) {
        let sound = &sound[sound.len().saturating_sub(SOUND_SAMPLES)..];
        let padding = SOUND_SAMPLES - sound.len();
        let count = SOUND_SAMPLES as f64;
        let samples = sound.iter().map(|sample| f64::from(*sample) / 32_768.0);
        let mean = samples.clone().sum::<f64>() / count;
        let spread: f64 = samples.clone().map(|sample| (sample - mean).powi(2)).sum();
        let variance = (spread + padding as f64 * mean.powi(2)) / count;
        let scale = 1.0 / (variance + f64::from(LEAST_VARIANCE)).sqrt();

        self.sound.clear();
        self.sound.resize(MIRRORED + padding, -mean * scale);
        self.sound
            .extend(samples.map(|sample| (sample - mean) * scale));
        for distance in 1..=MIRRORED {
            self.sound[MIRRORED - distance] = self.sound[MIRRORED + distance];
            self.sound
                .push(self.sound[MIRRORED + SOUND_SAMPLES - 1 - distance]);
        }
    }
}

impl Default for LogMel {
    fn default() -> Self {
        Self::new()
    }
}

/// Slaney's mel filters, each of unit area.
fn bands() -> Vec<Band> {
    let top = mel_of(TOP_HERTZ);
    let edges: Vec<f64> = (0..BANDS + 2)
        .map(|n| hertz_of(top * n as f64 / (BANDS + 1) as f64))
        .collect();
    let band = |edges: &[f64]| {
        let (low, middle, high) = (edges[0], edges[1], edges[2]);
        let share = |bin: usize| {
            let hertz = TOP_HERTZ * bin as f64 / (BINS - 1) as f64;
            let rising = (hertz - low) / (middle - low);
            let falling = (high - hertz) / (high - middle);
            rising.min(falling).max(0.0) * 2.0 / (high - low)
        };
        let taken = |bin: &usize| share(*bin) > 0.0;
        let first = (0..BINS).find(taken).unwrap_or(0);
        let last = (first..BINS).rev().find(taken).unwrap_or(first);
        Band {
            first,
            shares: (first..=last).map(share).collect(),
        }
    };
    edges.windows(3).map(band).collect()
}

/// Straight up to 1 kHz, logarithmic above.
fn mel_of(hertz: f64) -> f64 {
    match hertz < 1000.0 {
        true => 3.0 * hertz / 200.0,
        false => 15.0 + (hertz / 1000.0).ln() * 27.0 / 6.4_f64.ln(),
    }
}

fn hertz_of(mel: f64) -> f64 {
    match mel < 15.0 {
        true => 200.0 * mel / 3.0,
        false => 1000.0 * ((mel - 15.0) * 6.4_f64.ln() / 27.0).exp(),
    }
}
