//! Samples from one rate to another, band-limited, with FFTs.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Resampler as _};

/// Samples resampled at a time where all are there.
const AT_A_TIME: usize = 1_024;

/// Why sound could not be brought to another rate; nothing of it is in the words.
#[derive(Debug, thiserror::Error)]
#[error("resampling failed: {0}")]
pub struct NotResampled(String);

impl NotResampled {
    fn because(error: &dyn std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// All of a mono sound from the rate `from` to the rate `to`, in hertz, without the delay of resampling it.
pub fn resampled(sound: &[f32], from: u32, to: u32) -> Result<Vec<f32>, NotResampled> {
    let rates = (from as usize, to as usize);
    let mut resampler = Fft::<f32>::new(rates.0, rates.1, AT_A_TIME, 1, FixedSync::Input)
        .map_err(|error| NotResampled::because(&error))?;
    let input = InterleavedSlice::new(sound, 1, sound.len())
        .map_err(|error| NotResampled::because(&error))?;
    let output = resampler
        .process_all(&input, sound.len(), None)
        .map_err(|error| NotResampled::because(&error))?;
    Ok(output.take_data())
}

/// A mono sound that is still arriving, in pieces of one length.
pub struct Resampler {
    fft: Fft<f32>,
    taken: usize,
    given: usize,
}

impl Resampler {
    /// From the rate `from` to the rate `to`, in hertz, `taken` samples at a time. They must last as long as a whole
    /// number of samples at the other rate.
    pub fn new(from: u32, to: u32, taken: usize) -> Result<Self, NotResampled> {
        let fft = Fft::new(from as usize, to as usize, taken, 1, FixedSync::Both)
            .map_err(|error| NotResampled::because(&error))?;
        let (asked, given) = (fft.input_frames_next(), fft.output_frames_next());
        if asked != taken {
            let sentence = format!("{taken} samples at a time cannot be taken, {asked} can");
            return Err(NotResampled(sentence));
        }
        Ok(Self { fft, taken, given })
    }

    /// How many samples each piece gives.
    pub fn given(&self) -> usize {
        self.given
    }

    /// As many samples of the first that are given were before the sound.
    pub fn delay(&self) -> usize {
        self.fft.output_delay()
    }

    /// Takes a piece and fills `given` with what comes of it.
    pub fn resample(&mut self, piece: &[f32], given: &mut [f32]) -> Result<(), NotResampled> {
        let input = InterleavedSlice::new(piece, 1, self.taken)
            .map_err(|error| NotResampled::because(&error))?;
        let mut output = InterleavedSlice::new_mut(given, 1, self.given)
            .map_err(|error| NotResampled::because(&error))?;
        self.fft
            .process_into_buffer(&input, &mut output, None)
            .map_err(|error| NotResampled::because(&error))?;
        Ok(())
    }
}
