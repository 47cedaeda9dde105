//! The contract of every voice: a sentence in, a stream of sound out.
//!
//! It does not queue sentences one after another, pace audio to real time, or know what
//! is being played: the call does.

use std::sync::Arc;
use std::time::Duration;

use redact::Secret;
use tokio::sync::mpsc;

use crate::Standing;
use crate::pronunciation::Spoken;
use crate::rendered::Rendering;

/// Turns sentences into speech.
pub trait Voice: Send + Sync {
    /// Starts speaking `sentence` to a caller of this standing and returns its audio as it is made.
    ///
    /// Returns at once; the work is done elsewhere. Dropping the stream stops it.
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream;

    /// The same, in its turn.
    fn speak(&self, sentence: Secret<String>) -> SpeechStream {
        self.speak_to(Standing::Ordinary, sentence)
    }

    /// Whether a new call's sentences would be made in time.
    fn has_room(&self) -> bool {
        true
    }

    /// Whether this sentence's sound would begin within so long for a caller of this standing, as far as can be told. Asking
    /// begins nothing.
    fn begins_within(
        &self,
        _standing: Standing,
        _sentence: &Secret<String>,
        _within: Duration,
    ) -> bool {
        self.has_room()
    }
}

/// Makes the sound of what a [`crate::RenderedVoice`] does not hold yet.
pub trait Synthesiser: Send + Sync {
    /// What was rendered under another identity may sound otherwise.
    fn identity(&self) -> &str;

    /// Makes a sentence to be kept: while nobody waits, and as well as can be.
    fn render_ahead(&self, spoken: &Spoken) -> SpeechStream;

    /// Makes a sentence that a caller of this standing waits for, into a stream that somebody has already.
    fn speak_into(
        &self,
        standing: Standing,
        spoken: &Spoken,
        out: mpsc::UnboundedSender<Result<Sound, VoiceError>>,
    );

    /// Whether a new call's sentences would be made in time.
    fn has_room(&self) -> bool;

    /// Whether a sentence that a caller of this standing waits for would begin within so long, as far as can be told.
    fn begins_within(&self, _standing: Standing, _spoken: &Spoken, _within: Duration) -> bool {
        self.has_room()
    }

    /// Whether the work is done on this machine, where calls want the cores.
    fn works_here(&self) -> bool;
}

/// A piece of a sentence's sound.
#[derive(Debug, Clone)]
pub enum Sound {
    /// 16 kHz, mono.
    Samples(Vec<i16>),
    /// The whole sentence, as it is sent.
    Rendered(Arc<Rendering>),
}

impl Sound {
    /// How long it is heard.
    pub fn lasts(&self) -> Duration {
        match self {
            Sound::Samples(samples) => lasting(samples.len()),
            Sound::Rendered(rendering) => rendering.lasts(),
        }
    }
}

/// How long so many samples are heard.
pub(crate) fn lasting(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000_000 / u64::from(crate::SAMPLE_RATE))
}

/// A name that is not one of the voices'.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no voice \"{name}\": choose one of {known}")]
pub struct UnknownVoice {
    name: String,
    known: String,
}

impl UnknownVoice {
    pub(crate) fn new(name: &str, known: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            known: known.join(", "),
        }
    }
}

/// The audio of one sentence, in order, as chunks of any length (16 kHz mono).
///
/// Begins with sound: leading silence has been taken off. Ends with the engine's own short
/// pause after the sentence.
#[derive(Debug)]
pub struct SpeechStream {
    chunks: mpsc::UnboundedReceiver<Result<Sound, VoiceError>>,
}

impl SpeechStream {
    /// A stream and the end that feeds it. The stream ends when the sender is dropped.
    ///
    /// The channel is unbounded on purpose: an engine thread serves many calls and must never
    /// wait for one that has paused its playout. Implementations bound the sentence instead.
    pub fn channel() -> (
        mpsc::UnboundedSender<Result<Sound, VoiceError>>,
        SpeechStream,
    ) {
        let (sender, chunks) = mpsc::unbounded_channel();
        (sender, SpeechStream { chunks })
    }

    /// A stream that gives these chunks and ends.
    pub fn ready(chunks: impl IntoIterator<Item = Result<Sound, VoiceError>>) -> SpeechStream {
        let (sender, stream) = SpeechStream::channel();
        for chunk in chunks {
            // The receiver is `stream` itself, so this cannot fail.
            let _ = sender.send(chunk);
        }
        stream
    }

    /// The next chunk, or `None` after the last. Nothing follows an error. Cancel-safe.
    pub async fn next(&mut self) -> Option<Result<Sound, VoiceError>> {
        self.chunks.recv().await
    }

    /// The whole sentence's audio at once.
    pub async fn collect(mut self) -> Result<Vec<i16>, VoiceError> {
        let mut samples = Vec::new();
        while let Some(chunk) = self.next().await {
            match chunk? {
                Sound::Samples(chunk) => samples.extend(chunk),
                Sound::Rendered(rendering) => samples.extend(rendering.decoded()?),
            }
        }
        Ok(samples)
    }
}

/// Why a sentence could not be spoken. None of these carries the sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VoiceError {
    /// Too many sentences are waiting.
    #[error("the voice is busy; limit the number of calls")]
    Busy,
    /// More text than one sentence may hold.
    #[error("{characters} characters is too long to speak at once; pass a sentence at a time")]
    TooLong {
        /// Length of what was passed.
        characters: usize,
    },
    /// The engine itself reported an error.
    #[error("the voice engine failed: {reason}")]
    EngineFailed {
        /// What happened, without the sentence.
        reason: String,
    },
}
