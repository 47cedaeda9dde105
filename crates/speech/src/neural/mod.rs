//! The natural voices: neural models in process, offline.
//!
//! A sentence is made clause by clause, so that the first is heard while the next is made; what is made ahead is
//! made whole, which sounds better. It does not keep what it made: see `rendered`.

mod clauses;
mod cost;
mod engine;
mod kokoro;
#[cfg(test)]
mod names;
mod phonemes;
mod piper;
mod sound;

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use engines::{Missing, RuntimeError, ort};
use redact::Secret;
use tokio::sync::mpsc::UnboundedSender;

use crate::pronunciation::{self, Spoken};
use crate::{Sound, SpeechStream, Standing, Synthesiser, Voice, VoiceError};
use engine::{Engine, Job};
pub use kokoro::KokoroSpeaker;
pub use sound::LEAD_IN;

/// The most that is spoken at once; a long sentence has some 250 characters.
const MAX_CHARACTERS: usize = 1_000;

/// Why a natural voice cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum VoiceLoadError {
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    #[error("the voice's file {} cannot be read ({error}): run `make setup`", .file.display())]
    Unreadable {
        file: std::path::PathBuf,
        error: std::io::Error,
    },
    #[error("the voice's file {} is not what it should be ({reason}): run `make setup`", .file.display())]
    Foreign {
        file: std::path::PathBuf,
        reason: String,
    },
    #[error("the voice's model does not run on this machine: {0}")]
    Refused(#[source] ort::Error),
    #[error("no thread could be started for the voice: {0}")]
    Thread(#[from] std::io::Error),
    #[error("the voice stopped while it was loaded")]
    Stopped,
}

/// English as it is spoken where the voice comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Accent {
    American,
    British,
}

/// A model that makes sound of phonemes. It runs on one thread, its own.
trait AcousticModel {
    /// Samples a second of what [`Self::sound_of`] gives.
    fn sample_rate(&self) -> u32;

    /// The sound of these phonemes, between -1 and 1.
    fn sound_of(&mut self, phonemes: &str) -> Result<Vec<f32>, String>;

    /// The most phonemes of one run.
    fn longest(&self) -> usize;
}

/// Speaks with one speaker of a neural model.
pub struct NeuralVoice {
    identity: String,
    engine: Arc<Engine>,
}

impl NeuralVoice {
    /// Kokoro with one of its speakers: the natural voice. Takes a second and some 300 MB; blocks meanwhile.
    pub fn kokoro(
        directory: &Path,
        runtime: &engines::Runtime,
        speaker: KokoroSpeaker,
        threads: engines::Threads,
    ) -> Result<Self, VoiceLoadError> {
        Self::kokoro_at_pace(speaker.pace(), directory, runtime, speaker, threads)
    }

    /// The same, slower or faster than calls have it; 1 is the speaker's own pace. For measuring.
    pub fn kokoro_at_pace(
        pace: f32,
        directory: &Path,
        runtime: &engines::Runtime,
        speaker: KokoroSpeaker,
        threads: engines::Threads,
    ) -> Result<Self, VoiceLoadError> {
        let files = kokoro::Files::read(directory, speaker, pace)?;
        let identity = files.identity();
        let runtime = runtime.clone();
        let engine = Engine::start(speaker.accent(), move || files.open(&runtime, threads))?;
        Ok(Self { identity, engine })
    }

    /// Piper's `joe`: less natural, ten times as fast.
    pub fn piper(
        directory: &Path,
        runtime: &engines::Runtime,
        threads: engines::Threads,
    ) -> Result<Self, VoiceLoadError> {
        let files = piper::Files::read(directory)?;
        let identity = files.identity();
        let runtime = runtime.clone();
        let engine = Engine::start(Accent::American, move || files.open(&runtime, threads))?;
        Ok(Self { identity, engine })
    }

    /// Whether Piper's files are there. None is read.
    pub fn piper_is_fetched(directory: &Path) -> bool {
        piper::is_fetched(directory)
    }

    /// For a caller of this standing, or ahead of any.
    fn make(
        &self,
        spoken: &Spoken,
        standing: Option<Standing>,
        out: UnboundedSender<Result<Sound, VoiceError>>,
    ) {
        let text = spoken.marked_up();
        let characters = text.len();
        if characters > MAX_CHARACTERS {
            let _ = out.send(Err(VoiceError::TooLong { characters }));
            return;
        }
        if spoken.is_silent() {
            return;
        }
        let pieces = match standing {
            None => clauses::sentences(&text),
            Some(_) => clauses::clauses(&text),
        };
        let pieces = pieces.into_iter().map(Secret::new).collect();
        let refused = out.clone();
        if let Err(error) = self.engine.submit(Job::new(pieces, out, standing)) {
            let _ = refused.send(Err(error));
        }
    }
}

impl Voice for NeuralVoice {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        let (out, stream) = SpeechStream::channel();
        let spoken = pronunciation::prepare(sentence.expose_secret());
        self.make(&spoken, Some(standing), out);
        stream
    }

    fn has_room(&self) -> bool {
        self.engine.has_room()
    }

    fn begins_within(
        &self,
        standing: Standing,
        sentence: &Secret<String>,
        within: Duration,
    ) -> bool {
        let spoken = pronunciation::prepare(sentence.expose_secret());
        Synthesiser::begins_within(self, standing, &spoken, within)
    }
}

impl Synthesiser for NeuralVoice {
    /// The speaker, the model's files and how they are used.
    fn identity(&self) -> &str {
        &self.identity
    }

    /// Sentence by sentence, after everything that a caller waits for.
    fn render_ahead(&self, spoken: &Spoken) -> SpeechStream {
        let (out, stream) = SpeechStream::channel();
        self.make(spoken, None, out);
        stream
    }

    /// Clause by clause.
    fn speak_into(
        &self,
        standing: Standing,
        spoken: &Spoken,
        out: UnboundedSender<Result<Sound, VoiceError>>,
    ) {
        self.make(spoken, Some(standing), out);
    }

    fn has_room(&self) -> bool {
        self.engine.has_room()
    }

    /// With its first clause.
    fn begins_within(&self, standing: Standing, spoken: &Spoken, within: Duration) -> bool {
        let clauses = clauses::clauses(&spoken.marked_up());
        let first = clauses.first().map_or(0, String::len);
        self.engine.begins_within(standing, first, within)
    }

    fn works_here(&self) -> bool {
        true
    }
}

impl std::fmt::Debug for NeuralVoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NeuralVoice").field(&self.identity).finish()
    }
}

impl FromStr for KokoroSpeaker {
    type Err = crate::UnknownVoice;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        KokoroSpeaker::ALL
            .iter()
            .copied()
            .find(|speaker| speaker.name() == name)
            .ok_or_else(|| {
                let known: Vec<&str> = KokoroSpeaker::ALL.iter().map(|one| one.name()).collect();
                crate::UnknownVoice::new(name, &known)
            })
    }
}
