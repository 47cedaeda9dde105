//! The end-of-turn model itself, Smart Turn 3.2: sound in, an opinion out. Whoever holds it waits for it.

use std::path::Path;

use engines::ort::{self, session::Session, value::TensorRef};
use engines::{Fetched, Missing, Runtime, RuntimeError, Threads};

use super::log_mel::{BANDS, FRAMES, LogMel};
use super::{NoOpinion, Opinion, hush};

/// The version that `scripts/fetch-engine` fetches.
const ENGINE: &str = "smart-turn-3.2";
const MODEL: &str = "smart-turn-v3.2-cpu.onnx";

/// The model and its front end. An opinion takes some 50 ms of one core.
pub struct EndOfTurnModel {
    session: Session,
    pictures: LogMel,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    #[error("the end-of-turn model cannot be read (run `make setup`): {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("the end-of-turn model does not run (run `make setup`): {0}")]
    Refused(#[from] ort::Error),
    #[error("no thread could be started for the end-of-turn model: {0}")]
    Thread(#[source] std::io::Error),
}

impl EndOfTurnModel {
    /// The model that was fetched into `engines`. Takes a quarter of a second and 40 MB.
    pub fn open(engines: &Path) -> Result<Self, OpenError> {
        let model = Fetched::locate(engines, ENGINE, &[MODEL])?.file(MODEL);
        let runtime = Runtime::load(engines)?;
        let mut opened = Self {
            session: runtime.open(&std::fs::read(model)?, Threads(1))?,
            pictures: LogMel::new(),
        };
        // A first run, so that no caller waits for what the runtime does once.
        opened.run(&[])?;
        Ok(opened)
    }

    /// On the pause that `sound` ends with.
    pub fn opinion(&mut self, sound: &[i16]) -> Result<Opinion, NoOpinion> {
        let finished = self.run(sound).map_err(|error| NoOpinion::EngineFailed {
            reason: error.to_string(),
        })?;
        Ok(Opinion {
            finished,
            hushed: hush::is_hushed(sound),
        })
    }

    fn run(&mut self, sound: &[i16]) -> Result<f32, ort::Error> {
        let picture = self.pictures.draw(sound);
        let input = TensorRef::from_array_view(([1, BANDS, FRAMES], picture.as_slice()))?;
        let outputs = self.session.run(ort::inputs!["input_features" => input])?;
        // Called "logits", and a probability all the same: the sigmoid is inside.
        let (_, finished) = outputs["logits"].try_extract_tensor::<f32>()?;
        Ok(finished.first().copied().unwrap_or(0.0))
    }
}

impl std::fmt::Debug for EndOfTurnModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EndOfTurnModel").finish_non_exhaustive()
    }
}
