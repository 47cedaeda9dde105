//! How high and how loud a voice is, frame by frame. Pitch is the shortest lag at which a frame is like itself.

use speech::SAMPLE_RATE;

const LOWEST_HZ: usize = 60;
const HIGHEST_HZ: usize = 400;
const LONGEST_LAG: usize = SAMPLE_RATE as usize / LOWEST_HZ;
const SHORTEST_LAG: usize = SAMPLE_RATE as usize / HIGHEST_HZ;
/// Compared with what lies a lag further on.
const WINDOW: usize = 400;
const HOP: usize = 160;
/// From this likeness on a frame is voiced.
const VOICED: f64 = 0.7;
/// A lag that is nearly as good as the best, and half as long, is the pitch: the best may be two periods.
const NEARLY: f64 = 0.92;
/// Frames this far below the loudest are pauses.
const PAUSE_DB: f64 = 30.0;

/// The pitch of every voiced frame.
pub fn hertz(samples: &[i16]) -> Vec<f64> {
    let samples: Vec<f64> = samples.iter().map(|sample| f64::from(*sample)).collect();
    let frames: Vec<&[f64]> = samples.windows(WINDOW + LONGEST_LAG).step_by(HOP).collect();
    let loudest = frames.iter().map(|frame| power(frame)).fold(0.0, f64::max);
    frames
        .into_iter()
        .filter(|frame| decibels(power(frame) / loudest) > -PAUSE_DB)
        .filter_map(pitch)
        .collect()
}

fn pitch(frame: &[f64]) -> Option<f64> {
    let now = &frame[..WINDOW];
    let likeness: Vec<f64> = (SHORTEST_LAG..=LONGEST_LAG)
        .map(|lag| {
            let later = &frame[lag..lag + WINDOW];
            let product: f64 = now.iter().zip(later).map(|(a, b)| a * b).sum();
            product / (power(now) * power(later)).sqrt().max(1e-9) / WINDOW as f64
        })
        .collect();
    let best = likeness.iter().copied().fold(0.0, f64::max);
    if best < VOICED {
        return None;
    }
    let place = (1..likeness.len() - 1).find(|&place| {
        let here = likeness[place];
        here >= best * NEARLY && here >= likeness[place - 1] && here >= likeness[place + 1]
    })?;
    Some(f64::from(SAMPLE_RATE) / (SHORTEST_LAG + place) as f64)
}

/// The level of a sentence without its pauses, in decibels below full scale.
pub fn level(samples: &[i16]) -> f64 {
    let samples: Vec<f64> = samples
        .iter()
        .map(|sample| f64::from(*sample) / 32_768.0)
        .collect();
    let powers: Vec<f64> = samples.chunks(HOP).map(power).collect();
    let loudest = powers.iter().copied().fold(0.0, f64::max);
    let spoken: Vec<f64> = powers
        .into_iter()
        .filter(|power| decibels(power / loudest) > -PAUSE_DB)
        .collect();
    decibels(spoken.iter().sum::<f64>() / spoken.len() as f64)
}

fn power(samples: &[f64]) -> f64 {
    samples.iter().map(|sample| sample * sample).sum::<f64>() / samples.len() as f64
}

fn decibels(ratio: f64) -> f64 {
    10.0 * ratio.max(1e-12).log10()
}

/// Like a voice: a fundamental that is weaker than what is above it.
#[cfg(test)]
fn hum(hertz: f64) -> Vec<i16> {
    (0..SAMPLE_RATE)
        .map(|sample| {
            let turn = f64::from(sample) / f64::from(SAMPLE_RATE) * hertz * std::f64::consts::TAU;
            ((turn.sin() * 0.5 + (2.0 * turn).sin() + (3.0 * turn).sin() * 0.7) * 5_000.0) as i16
        })
        .collect()
}

#[test]
fn a_hum_has_its_own_pitch_and_not_an_octave_of_it() {
    for expected in [90.0, 120.0, 210.0, 330.0] {
        let heard = hertz(&hum(expected));
        assert!(heard.len() > 50, "{expected}: {} frames", heard.len());
        for pitch in heard {
            assert!((pitch / expected - 1.0).abs() < 0.02, "{expected}: {pitch}");
        }
    }
}

#[test]
fn silence_and_noise_have_no_pitch() {
    assert!(hertz(&[0; 16_000]).is_empty());
    let mut seed = 1_u32;
    let noise: Vec<i16> = (0..16_000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as i16
        })
        .collect();
    assert!(hertz(&noise).is_empty());
}

#[test]
fn the_level_is_that_of_the_sound_and_not_of_its_pauses() {
    let mut samples = hum(200.0);
    let without = level(&samples);
    samples.extend([0; 16_000]);
    assert!((level(&samples) - without).abs() < 0.1);
}
