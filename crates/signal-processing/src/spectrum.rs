//! The power of each frequency in a frame of sound.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// Transforms frames of one length, in the precision of the resampler's transforms: a second one would be compiled as well; keeps its tables and room to work in.
pub struct PowerSpectrum {
    fft: Arc<dyn RealToComplex<f32>>,
    frame: Vec<f32>,
    spectrum: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    powers: Vec<f32>,
}

impl PowerSpectrum {
    /// For frames of `points` samples.
    pub fn new(points: usize) -> Self {
        let fft = RealFftPlanner::new().plan_fft_forward(points);
        let spectrum = fft.make_output_vec();
        Self {
            frame: fft.make_input_vec(),
            powers: vec![0.0; spectrum.len()],
            spectrum,
            scratch: fft.make_scratch_vec(),
            fft,
        }
    }

    /// The frame to be transformed next, to be filled: it holds anything after a transform.
    pub fn frame(&mut self) -> &mut [f32] {
        &mut self.frame
    }

    /// The squared magnitude of each bin of the frame, from 0 to half the sample rate.
    pub fn powers(&mut self) -> &[f32] {
        self.fft
            .process_with_scratch(&mut self.frame, &mut self.spectrum, &mut self.scratch)
            .expect("the buffers were made by this transform");
        for (power, bin) in self.powers.iter_mut().zip(&self.spectrum) {
            *power = bin.norm_sqr();
        }
        &self.powers
    }
}
