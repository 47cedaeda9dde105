//! The transcriber, and whether it hears: a caller whose words cannot be made out is asked to say them once more, and
//! nobody else would know.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;
use speech::{Standing, TranscribeError, Transcriber};
use tokio::time::Instant;

/// A failure that nothing has repeated for so long is no trouble any more: nobody may be speaking.
const OVER_AFTER: Duration = Duration::from_mins(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarsTrouble {
    /// More is said than this machine can hear.
    Busy,
    Failing,
}

/// How the latest transcription went. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct EarsHealth(Arc<Mutex<Option<(EarsTrouble, Instant)>>>);

impl EarsHealth {
    pub fn trouble(&self) -> Option<EarsTrouble> {
        let (trouble, at) = (*self.latest())?;
        (at.elapsed() < OVER_AFTER).then_some(trouble)
    }

    fn note<T>(&self, result: &Result<T, TranscribeError>) {
        let trouble = match result {
            Ok(_) => None,
            Err(TranscribeError::TooLong { .. }) => return,
            Err(TranscribeError::Busy | TranscribeError::TimedOut { .. }) => {
                Some(EarsTrouble::Busy)
            }
            Err(TranscribeError::EngineFailed { .. }) => Some(EarsTrouble::Failing),
        };
        *self.latest() = trouble.map(|trouble| (trouble, Instant::now()));
    }

    fn latest(&self) -> MutexGuard<'_, Option<(EarsTrouble, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same ears, and how they are.
pub fn watched(ears: Arc<dyn Transcriber>) -> (Arc<dyn Transcriber>, EarsHealth) {
    let health = EarsHealth::default();
    let watched = Watched {
        ears,
        health: health.clone(),
    };
    (Arc::new(watched), health)
}

struct Watched {
    ears: Arc<dyn Transcriber>,
    health: EarsHealth,
}

#[async_trait]
impl Transcriber for Watched {
    async fn transcribe(
        &self,
        samples: Arc<[i16]>,
        standing: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let words = self.ears.transcribe(samples, standing).await;
        self.health.note(&words);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn ears_that_fail_are_told_of_until_they_hear_or_nobody_has_spoken_for_a_while() {
        let health = EarsHealth::default();
        assert_eq!(health.trouble(), None);
        let failed = || {
            let reason = String::from("no model");
            Err::<(), _>(TranscribeError::EngineFailed { reason })
        };
        health.note(&failed());
        assert_eq!(health.trouble(), Some(EarsTrouble::Failing));
        health.note(&Ok(()));
        assert_eq!(health.trouble(), None);
        health.note(&Err::<(), _>(TranscribeError::Busy));
        assert_eq!(health.trouble(), Some(EarsTrouble::Busy));
        tokio::time::advance(OVER_AFTER).await;
        assert_eq!(health.trouble(), None);
    }
}
