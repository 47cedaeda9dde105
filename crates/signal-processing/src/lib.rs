//! Sound at another rate, and the spectrum of a frame.
//!
//! A room of its own, because the FFT below both is generic: whoever names its type compiles all of it, for every
//! processor that it knows, which takes longer than the rest of such a room. Nothing here is generic, so it is
//! compiled once.

mod rate;
mod spectrum;

pub use rate::{NotResampled, Resampler, resampled};
pub use spectrum::PowerSpectrum;
