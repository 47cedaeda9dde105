//! What the caller understood: the received audio through the embedded speech engine.

use std::path::Path;
use std::sync::Arc;

use speech::{EngineFiles, MoonshineTranscriber, Standing, Transcriber};

use crate::sound::Span;

/// Around a span, so that soft first and last sounds are heard too: 200 ms.
const MARGIN: u64 = 3_200;

#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error("the speech engine is not there: {0}")]
    Missing(String),
    #[error("the speech engine cannot be loaded: {0}")]
    Load(String),
    #[error("the received audio could not be transcribed ({0})")]
    Transcribe(String),
}

pub struct Listener(MoonshineTranscriber);

impl Listener {
    /// The engine in `directory`, or where `make setup` puts it.
    pub fn load(directory: Option<&Path>) -> Result<Self, ListenError> {
        let files = match directory {
            Some(directory) => EngineFiles::locate(directory),
            None => EngineFiles::find(),
        }
        .map_err(|error| ListenError::Missing(error.to_string()))?;
        MoonshineTranscriber::load(&files, 1)
            .map(Self)
            .map_err(|error| ListenError::Load(error.to_string()))
    }

    pub async fn words_in(&self, recording: &[i16], span: &Span) -> Result<String, ListenError> {
        let start = span.start.saturating_sub(MARGIN) as usize;
        let end = ((span.end + MARGIN) as usize).min(recording.len());
        let samples: Arc<[i16]> = recording.get(start..end).unwrap_or_default().into();
        self.0
            .transcribe(samples, Standing::Ordinary)
            .await
            .map(|words| words.expose_secret().clone())
            .map_err(|error| ListenError::Transcribe(error.to_string()))
    }
}
