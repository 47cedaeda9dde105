//! The contract of every transcriber: a piece of speech in, its words out.
//!
//! It does not know engines, queues or partial results. Interim words are had by
//! transcribing the audio so far again: pieces are short, and this needs no second protocol.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;

use crate::Standing;

/// Turns speech into words.
#[async_trait]
pub trait Transcriber: Send + Sync {
    /// The words in `samples` (16 kHz mono), or empty words if none were understood.
    ///
    /// The caller of this passes only audio in which a detector heard a voice, with some
    /// lead-in before it; on silence a transcriber invents words. Every answer comes within
    /// the implementation's time limit. Dropping the future gives up the work if it has not
    /// begun.
    async fn transcribe(
        &self,
        samples: Arc<[i16]>,
        standing: Standing,
    ) -> Result<Secret<String>, TranscribeError>;
}

/// Why there are no words. None of these carries any of the audio or words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscribeError {
    /// The queue is full: this machine has more to hear than it can.
    #[error("the transcriber is busy; add transcriber handles or limit the number of calls")]
    Busy,
    /// No answer within the time limit; the engine may still be at work on it.
    #[error("the transcriber gave no answer within {limit:?}; the machine is overloaded")]
    TimedOut {
        /// The limit that passed.
        limit: Duration,
    },
    /// The piece is longer than a transcriber takes at once.
    #[error("{seconds} s of speech is too long; pass at most {limit_seconds} s at a time")]
    TooLong {
        /// Length of what was passed, in whole seconds.
        seconds: u64,
        /// The most that is taken at once.
        limit_seconds: u64,
    },
    /// The engine itself reported an error.
    #[error("the transcription engine failed: {reason}")]
    EngineFailed {
        /// The engine's own words.
        reason: String,
    },
}
