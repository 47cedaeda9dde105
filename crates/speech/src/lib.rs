//! Ears and voice: what was said, how to say it, and whether anyone is speaking.
//!
//! Four capabilities, each a small trait or type, so that an engine can be exchanged
//! without the call noticing:
//!
//! - [`Transcriber`] turns a piece of speech into words. Embedded: [`MoonshineTranscriber`].
//! - [`Voice`] turns a sentence into speech, chunk by chunk. Embedded: [`NeuralVoice`], [`FliteVoice`]. A
//!   [`RenderedVoice`] keeps what is always said, of any [`Synthesiser`].
//! - [`VoiceDetector`] says of each 16 ms whether it holds a voice.
//! - [`EndOfTurn`] says of a pause whether the speaker sounds finished. Embedded: [`SmartTurn`].
//!
//! All audio is 16 kHz, mono, signed 16-bit. Engines run on threads of their own behind
//! bounded queues: nothing here blocks an async thread, and a full queue is an error at once,
//! not a wait.
//!
//! It deliberately does not decide when the caller's turn begins or ends (the `turn` crate
//! does), nor choose what is transcribed. **Silence must never be transcribed**: given silence
//! or noise, a transcriber invents speech. Pass only what the detector heard a voice in.

mod detector;
mod end_of_turn;
mod flite;
mod moonshine;
mod neural;
mod pronunciation;
mod rendered;
mod standing;
mod transcriber;
mod voice;
mod waiting;

pub use detector::{FRAME_SAMPLES, VoiceDetector};
pub use end_of_turn::{
    EndOfTurn, EndOfTurnModel, LogMel, NoOpinion, OpenError as EndOfTurnError, Opinion,
    SOUND_SAMPLES, SmartTurn,
};
pub use engines::{Missing as MissingEngine, usual_directory as engines_directory};
pub use flite::FliteVoice;
pub use moonshine::{EngineFiles, LoadError, MoonshineTranscriber};
pub use neural::{KokoroSpeaker, LEAD_IN, NeuralVoice, VoiceLoadError};
pub use pronunciation::{Spoken, agencies_as_said};
pub use redact::Secret;
pub use rendered::{PackError, Packs, RenderError, RenderedVoice, Rendering};
pub use standing::{Precedence, Standing};
pub use transcriber::{TranscribeError, Transcriber};
pub use voice::{Sound, SpeechStream, Synthesiser, UnknownVoice, Voice, VoiceError};

/// Samples a second of all audio in and out of this crate.
pub const SAMPLE_RATE: u32 = 16_000;
