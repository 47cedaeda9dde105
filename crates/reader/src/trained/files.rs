//! Where the encoder's files are, and whether they are whole.
//!
//! The weights are in the repository (`crates/reader/weights`), with a list of their hashes. The
//! runtime that runs them is the one that the speech engine brings, in the engine's directory.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

const MODEL: &str = "reader.onnx";
const VOCABULARY: &str = "vocab.txt";
const LABELS: &str = "labels.json";
/// "sha256  name" a line, as `sha256sum` writes it.
const HASHES: &str = "SHA256SUMS";
/// Where the speech engine's wheel keeps its libraries.
const LIBRARIES: &str = "moonshine-0.0.73/moonshine_voice.libs";

/// Why there is no trained reader.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the trained reader's file {} cannot be read ({error}): restore it, or set `reader_dir`", .file.display())]
    Missing {
        file: PathBuf,
        error: std::io::Error,
    },
    #[error("the trained reader's file {} is damaged: restore it from the repository", .file.display())]
    Damaged { file: PathBuf },
    #[error("there is no ONNX runtime under {}: run `make setup`", .directory.display())]
    NoRuntime { directory: PathBuf },
    #[error("the ONNX runtime cannot run the trained reader: {0}")]
    Runtime(#[source] ort::Error),
    #[error("the trained reader's labels are not readable: {0}")]
    Labels(#[source] serde_json::Error),
    #[error(
        "the trained reader's labels have no {missing}: weights and program are of different versions"
    )]
    Label { missing: String },
    #[error("the trained reader's vocabulary has no {missing}")]
    Vocabulary { missing: &'static str },
    #[error("the weights in {} do not fit their labels", .directory.display())]
    Unfit { directory: PathBuf },
}

/// The weights' directory and the runtime's library.
#[derive(Debug, Clone)]
pub struct Files {
    weights: PathBuf,
    runtime: PathBuf,
}

/// The weights, read and whole.
pub(super) struct Weights {
    pub directory: PathBuf,
    pub model: Vec<u8>,
    pub vocabulary: String,
    pub labels: String,
}

impl Files {
    /// The weights in one directory, and the runtime in the speech engine's.
    pub fn find(weights: &Path, engine: &Path) -> Result<Self, OpenError> {
        let libraries = in_checkout(engine).join(LIBRARIES);
        let runtime = std::fs::read_dir(&libraries)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| {
                let name = path.file_name().and_then(|name| name.to_str());
                name.is_some_and(|name| name.starts_with("libonnxruntime"))
            });
        Ok(Self {
            weights: in_checkout(weights),
            runtime: runtime.ok_or(OpenError::NoRuntime {
                directory: libraries,
            })?,
        })
    }

    pub(super) fn runtime(&self) -> &Path {
        &self.runtime
    }

    pub(super) fn weights(&self) -> Result<Weights, OpenError> {
        let read = |name: &str| {
            let file = self.weights.join(name);
            std::fs::read(&file).map_err(|error| OpenError::Missing { file, error })
        };
        let hashes = String::from_utf8_lossy(&read(HASHES)?).into_owned();
        let whole = |name: &str| {
            let bytes = read(name)?;
            let hash: String = Sha256::digest(&bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let listed = hashes
                .lines()
                .filter_map(|line| line.split_once("  "))
                .any(|(known, of)| of == name && known == hash);
            let file = self.weights.join(name);
            listed.then_some(bytes).ok_or(OpenError::Damaged { file })
        };
        let text = |name: &str| {
            let file = self.weights.join(name);
            String::from_utf8(whole(name)?).map_err(|_| OpenError::Damaged { file })
        };
        Ok(Weights {
            directory: self.weights.clone(),
            model: whole(MODEL)?,
            vocabulary: text(VOCABULARY)?,
            labels: text(LABELS)?,
        })
    }
}

/// A relative path is looked for where the program was started and, failing that, in the checkout that
/// the program was built in: it is run from elsewhere too.
fn in_checkout(path: &Path) -> PathBuf {
    let built_in = || {
        let program = std::env::current_exe().ok()?;
        program
            .ancestors()
            .map(|above| above.join(path))
            .find(|place| place.exists())
    };
    match path.is_absolute() || path.exists() {
        true => path.to_owned(),
        false => built_in().unwrap_or_else(|| path.to_owned()),
    }
}
