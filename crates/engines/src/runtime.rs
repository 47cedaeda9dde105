//! The ONNX runtime, loaded once from its own path.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{NoSelectedOutputs, RunOptions, Session};

use crate::fetched::{Fetched, Missing};

const ENGINE: &str = "onnxruntime-1.32.0";
const LIBRARY: &str = "libonnxruntime.so.1.32.0";

/// The runtime of this process, ready to open models.
#[derive(Clone)]
pub struct Runtime(Environment);

/// Why there is no runtime.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error("the ONNX runtime {ENGINE} does not start on this machine: {0}")]
    Refused(#[source] ort::Error),
}

/// How many threads a model's run takes.
#[derive(Debug, Clone, Copy)]
pub struct Threads(pub usize);

/// A process has one environment, whoever opens models in it.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

impl Runtime {
    /// The runtime that was fetched into `engines`.
    pub fn load(engines: &Path) -> Result<Self, RuntimeError> {
        let library = Fetched::locate(engines, ENGINE, &[LIBRARY])?.file(LIBRARY);
        let mut environment = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(environment) = &*environment {
            return Ok(Self(environment.clone()));
        }
        let made = ort::init_from(library)
            .map_err(|error| RuntimeError::Refused(ort::Error::new(error.to_string())))?
            .with_name("nightlight")
            .build()
            .map_err(RuntimeError::Refused)?;
        *environment = Some(made.clone());
        Ok(Self(made))
    }

    /// Opens a model. Its threads wait asleep: spinning would take the cores from calls. They take the priority
    /// of the thread that opens it. It gives the same answers on every processor: without this, quantized products
    /// overflow on x86-64 processors that lack VNNI, and callers would be read otherwise there.
    pub fn open(&self, model: &[u8], threads: Threads) -> Result<Session, ort::Error> {
        Session::builder(&self.0)?
            .with_optimization_level(GraphOptimizationLevel::All)?
            .with_intra_threads(threads.0.max(1))?
            .with_config_entry("session.intra_op.allow_spinning", "0")?
            .with_precise_qmm()?
            .commit_from_memory(model)
    }

    /// For runs that need far more memory now and then than usually: what a long one took goes back to the machine
    /// after it.
    pub fn giving_memory_back() -> Result<RunOptions<NoSelectedOutputs>, ort::Error> {
        let mut options = RunOptions::new()?;
        options.set("memory.enable_memory_arena_shrinkage", "cpu:0")?;
        Ok(options)
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").finish_non_exhaustive()
    }
}
