//! Where the transcriber's files are.

use std::path::{Path, PathBuf};

use engines::{Fetched, Missing, usual_directory};

/// The version that `scripts/fetch-engine` fetches; its C interface is what `library` speaks.
const ENGINE: &str = "moonshine-0.0.73";
const LIBRARY: &str = "moonshine_voice/libmoonshine.so";
const MODEL: &str = "moonshine_voice/assets/tiny-en";
/// Files without which there is no transcriber; all must be in the manifest.
const NEEDED: [&str; 4] = [
    LIBRARY,
    "moonshine_voice/assets/tiny-en/encoder_model.ort",
    "moonshine_voice/assets/tiny-en/decoder_model_merged.ort",
    "moonshine_voice/assets/tiny-en/tokenizer.bin",
];

/// The files of a transcriber that is present and has the right sizes.
#[derive(Debug, Clone)]
pub struct EngineFiles {
    fetched: Fetched,
    pub(super) library: PathBuf,
    pub(super) model: PathBuf,
}

impl EngineFiles {
    /// The transcriber that `scripts/fetch-engine` put into `engines`.
    pub fn locate(engines: &Path) -> Result<EngineFiles, Missing> {
        let fetched = Fetched::locate(engines, ENGINE, &NEEDED)?;
        Ok(EngineFiles {
            library: fetched.file(LIBRARY),
            model: fetched.file(MODEL),
            fetched,
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
}
