//! The spectrum of a frame is what the plain sum of its definition gives.

use std::f64::consts::TAU;

use signal_processing::PowerSpectrum;

const POINTS: usize = 400;
/// The power of a whole sine, in one bin.
const LOUDEST: f64 = (POINTS * POINTS / 4) as f64;

/// By the definition: slow, and nothing in it to get wrong.
fn plainly(frame: &[f64], bin: usize) -> f64 {
    let angle = |n: usize| TAU * (bin * n) as f64 / frame.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (n, sample) in frame.iter().enumerate() {
        re += sample * angle(n).cos();
        im -= sample * angle(n).sin();
    }
    re * re + im * im
}

#[test]
fn each_bin_has_the_power_that_its_definition_gives_frame_after_frame() {
    let mut spectrum = PowerSpectrum::new(POINTS);
    for pitch in [3.0, 17.5, 190.0] {
        let frame: Vec<f64> = (0..POINTS)
            .map(|n| (TAU * pitch * n as f64 / POINTS as f64).sin() + 0.1)
            .collect();
        for (slot, sample) in spectrum.frame().iter_mut().zip(&frame) {
            *slot = *sample as f32;
        }
        let powers = spectrum.powers();
        assert_eq!(powers.len(), POINTS / 2 + 1);
        for (bin, power) in powers.iter().enumerate() {
            let plain = plainly(&frame, bin);
            assert!(
                (f64::from(*power) - plain).abs() < 1e-6 * LOUDEST,
                "bin {bin}: {power}, not {plain}"
            );
        }
    }
}
