//! Where the transcriber's files are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engines::{Fetched, Missing, usual_directory};

use super::model::Files;
use super::vocabulary::Vocabulary;
use crate::LoadError;

/// The version that `scripts/fetch-engine` fetches.
const ENGINE: &str = "moonshine-0.0.73";
const ENCODER: &str = "moonshine_voice/assets/tiny-en/encoder_model.ort";
const DECODER: &str = "moonshine_voice/assets/tiny-en/decoder_model_merged.ort";
const VOCABULARY: &str = "moonshine_voice/assets/tiny-en/tokenizer.bin";

/// The files of a transcriber that is present and has the right sizes.
#[derive(Debug, Clone)]
pub struct EngineFiles {
    engines: PathBuf,
    fetched: Fetched,
}

impl EngineFiles {
    /// The transcriber that `scripts/fetch-engine` put into `engines`.
    pub fn locate(engines: &Path) -> Result<EngineFiles, Missing> {
        Ok(EngineFiles {
            engines: engines.to_owned(),
            fetched: Fetched::locate(engines, ENGINE, &[ENCODER, DECODER, VOCABULARY])?,
        })
    }

    /// The directory of this version, which also holds its licence.
    pub fn directory(&self) -> &Path {
        self.fetched.directory()
    }

    /// The one where tests and tools look.
    pub fn find() -> Result<EngineFiles, Missing> {
        EngineFiles::locate(&usual_directory())
    }

    /// Where the runtime is that the model runs in.
    pub(super) fn engines(&self) -> &Path {
        &self.engines
    }

    pub(super) fn read(&self) -> Result<Files, LoadError> {
        let read = |name: &str| {
            let file = self.fetched.file(name);
            std::fs::read(&file).map_err(|error| LoadError::Unreadable { file, error })
        };
        let vocabulary = Vocabulary::read(&read(VOCABULARY)?);
        let reason = || format!("{VOCABULARY} is cut off");
        Ok(Files {
            encoder: read(ENCODER)?,
            decoder: read(DECODER)?,
            vocabulary: Arc::new(vocabulary.ok_or_else(|| LoadError::Model { reason: reason() })?),
        })
    }
}
