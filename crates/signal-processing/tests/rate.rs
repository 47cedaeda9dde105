//! A tone at another rate is the same tone.
#![allow(clippy::unwrap_used)]

use signal_processing::{Resampler, resampled};

const THEIRS: u32 = 24_000;
const OURS: u32 = 16_000;

/// A second of it.
fn tone(hertz: f64, rate: u32) -> Vec<f32> {
    let sample =
        |n: u32| (f64::from(n) * hertz * std::f64::consts::TAU / f64::from(rate)).sin() as f32;
    (0..rate).map(sample).collect()
}

/// The greatest difference between two sounds, away from their ends.
fn difference(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other).take(15_000).skip(1_000);
    pairs
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, f32::max)
}

#[test]
fn all_of_a_sound_at_once_keeps_its_pitch_place_and_length() {
    let ours = resampled(&tone(440.0, THEIRS), THEIRS, OURS).unwrap();
    assert_eq!(ours.len(), 16_000);
    let far = difference(&ours, &tone(440.0, OURS));
    assert!(far < 0.01, "{far}");
}

#[test]
fn a_sound_that_arrives_in_pieces_is_the_same_after_its_delay() {
    let mut resampler = Resampler::new(THEIRS, OURS, 480).unwrap();
    assert_eq!(resampler.given(), 320);
    let mut ours = Vec::new();
    for piece in tone(440.0, THEIRS).chunks_exact(480) {
        let mut given = [0.0; 320];
        resampler.resample(piece, &mut given).unwrap();
        ours.extend(given);
    }
    let far = difference(&ours[resampler.delay()..], &tone(440.0, OURS));
    assert!(far < 0.01, "{far}");
}

#[test]
fn what_the_other_rate_cannot_hold_is_taken_out() {
    let ours = resampled(&tone(10_500.0, THEIRS), THEIRS, OURS).unwrap();
    let loudest = difference(&ours, &[0.0; 16_000]);
    assert!(loudest < 0.05, "{loudest}");
}

#[test]
fn a_piece_of_another_length_is_refused() {
    let mut resampler = Resampler::new(THEIRS, OURS, 480).unwrap();
    let short = resampler.resample(&[0.0; 479], &mut [0.0; 320]);
    assert!(short.is_err());
    assert!(Resampler::new(THEIRS, OURS, 481).is_err());
}
