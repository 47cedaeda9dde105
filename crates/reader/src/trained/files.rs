//! Where the encoder's files are, and whether they are whole.
//!
//! The weights are in the repository (`crates/reader/weights`), with a list of their hashes. The
//! runtime that runs them is in the directory of engines.

use std::path::{Path, PathBuf};

use engines::{Runtime, RuntimeError, in_checkout, ort};
use sha2::{Digest, Sha256};

const MODEL: &str = "reader.onnx";
const VOCABULARY: &str = "vocab.txt";
const LABELS: &str = "labels.json";
const WHOLE_CALL: &str = "whole-call.json";
/// "sha256  name" a line, as `sha256sum` writes it.
const HASHES: &str = "SHA256SUMS";

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
    #[error(transparent)]
    NoRuntime(#[from] RuntimeError),
    #[error("the ONNX runtime cannot run the trained reader: {0}")]
    Runtime(#[source] ort::Error),
    #[error("the trained reader's threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("the trained reader's labels are not readable: {0}")]
    Labels(#[source] serde_json::Error),
    #[error("the trained reader's weights for whole calls are not readable: {0}")]
    WholeCall(#[source] serde_json::Error),
    #[error(
        "the trained reader's labels have no {missing}: weights and program are of different versions"
    )]
    Label { missing: String },
    #[error(
        "the trained reader's weights for whole calls do not fit its labels: they are of different trainings"
    )]
    WholeCallUnfit,
    #[error("the trained reader's vocabulary has no {missing}")]
    Vocabulary { missing: &'static str },
    #[error("the weights in {} do not fit their labels", .directory.display())]
    Unfit { directory: PathBuf },
}

/// The weights' directory and that of the engines, one of which is the runtime.
#[derive(Debug, Clone)]
pub struct Files {
    weights: PathBuf,
    engines: PathBuf,
}

/// The weights, read and whole.
pub(super) struct Weights {
    pub directory: PathBuf,
    pub model: Vec<u8>,
    pub vocabulary: String,
    pub labels: String,
    pub whole_call: String,
}

impl Files {
    /// The weights in one directory, and the runtime among the engines of another.
    pub fn new(weights: &Path, engines: &Path) -> Self {
        Self {
            weights: in_checkout(weights),
            engines: engines.to_owned(),
        }
    }

    pub(super) fn runtime(&self) -> Result<Runtime, RuntimeError> {
        Runtime::load(&self.engines)
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
            whole_call: text(WHOLE_CALL)?,
        })
    }
}
