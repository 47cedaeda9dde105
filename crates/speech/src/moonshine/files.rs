//! Where the transcriber's files are: those of the quick model, without which there is none, and those of the fuller one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engines::{Fetched, Missing, usual_directory};

use super::model::{Files, Kind};
use super::vocabulary::Vocabulary;
use crate::LoadError;

/// The version that `scripts/fetch-engine` fetches.
const QUICK: &str = "moonshine-0.0.73";
const ENCODER: &str = "moonshine_voice/assets/tiny-en/encoder_model.ort";
const DECODER: &str = "moonshine_voice/assets/tiny-en/decoder_model_merged.ort";
/// Both models' words are in the same pieces.
const VOCABULARY: &str = "moonshine_voice/assets/tiny-en/tokenizer.bin";
/// Likewise fetched.
const FULLER: &str = "moonshine-base-0.1.15";
const FULLER_ENCODER: &str = "encoder.onnx";
const FULLER_DECODER: &str = "decoder.onnx";

/// The files of a transcriber that is present and has the right sizes.
#[derive(Debug, Clone)]
pub struct EngineFiles {
    engines: PathBuf,
    quick: Fetched,
    fuller: Result<Fetched, Missing>,
}

impl EngineFiles {
    /// The transcriber that `scripts/fetch-engine` put into `engines`.
    pub fn locate(engines: &Path) -> Result<EngineFiles, Missing> {
        Ok(EngineFiles {
            engines: engines.to_owned(),
            quick: Fetched::locate(engines, QUICK, &[ENCODER, DECODER, VOCABULARY])?,
            fuller: Fetched::locate(engines, FULLER, &[FULLER_ENCODER, FULLER_DECODER]),
        })
    }

    /// The directory of the quick model, which also holds its licence.
    pub fn directory(&self) -> &Path {
        self.quick.directory()
    }

    /// Why the fuller model is not there, if it is not: everybody is heard by the quick one then.
    pub fn missing_fuller(&self) -> Option<&Missing> {
        self.fuller.as_ref().err()
    }

    /// The one where tests and tools look.
    pub fn find() -> Result<EngineFiles, Missing> {
        EngineFiles::locate(&usual_directory())
    }

    /// Where the runtime is that the model runs in.
    pub(super) fn engines(&self) -> &Path {
        &self.engines
    }

    pub(super) fn read(&self) -> Result<AllFiles, LoadError> {
        let vocabulary = Vocabulary::read(&read(&self.quick, VOCABULARY)?);
        let reason = || format!("{VOCABULARY} is cut off");
        let vocabulary = Arc::new(vocabulary.ok_or_else(|| LoadError::Model { reason: reason() })?);
        let model = |kind, of: &Fetched, encoder, decoder| -> Result<Files, LoadError> {
            Ok(Files {
                kind,
                encoder: read(of, encoder)?,
                decoder: read(of, decoder)?,
                vocabulary: Arc::clone(&vocabulary),
            })
        };
        let fuller = self.fuller.as_ref().ok();
        Ok(AllFiles {
            quick: model(Kind::Quick, &self.quick, ENCODER, DECODER)?,
            fuller: fuller
                .map(|fuller| model(Kind::Fuller, fuller, FULLER_ENCODER, FULLER_DECODER))
                .transpose()?,
        })
    }
}

/// What is in them.
pub(super) struct AllFiles {
    pub quick: Files,
    pub fuller: Option<Files>,
}

fn read(of: &Fetched, name: &str) -> Result<Vec<u8>, LoadError> {
    let file = of.file(name);
    std::fs::read(&file).map_err(|error| LoadError::Unreadable { file, error })
}
