//! The embedded transcriber: Moonshine's tiny English model, offline, in process.
//!
//! A pool of loaded models, one thread each, behind one bounded queue. It does not detect
//! voices and must not be given silence.

mod files;
mod model;
mod splitting;
mod tidying;
mod vocabulary;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;
use tokio::sync::oneshot;

pub use files::EngineFiles;
use model::Model;

use crate::{SAMPLE_RATE, TranscribeError, Transcriber};

/// Pieces that may wait for one model. At some 75 ms each, the last of them still comes
/// within the time limit.
const QUEUE_PER_MODEL: usize = 32;
/// From the request to the words, waiting included, besides the audio's own length: an engine
/// slower than speech has lost.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The longest piece taken at once.
const MAX_SECONDS: u64 = 60;

/// Why the engine could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is nothing to run the model in.
    #[error(transparent)]
    Runtime(#[from] engines::RuntimeError),
    /// A file that is there cannot be read.
    #[error("{} cannot be read: {error}", file.display())]
    Unreadable {
        file: PathBuf,
        error: std::io::Error,
    },
    /// The runtime refused the model.
    #[error("the speech engine cannot load its model (run `make setup`): {reason}")]
    Model {
        /// The runtime's own words.
        reason: String,
    },
    /// The system gave no thread.
    #[error("no thread could be started for the speech engine: {0}")]
    Thread(#[from] std::io::Error),
}

struct Job {
    samples: Arc<[i16]>,
    reply: oneshot::Sender<Result<String, String>>,
}

/// A pool of loaded models. Dropping it waits for the pieces under way.
pub struct MoonshineTranscriber {
    /// `None` only while being dropped.
    queue: Option<SyncSender<Job>>,
    workers: Vec<JoinHandle<()>>,
}

impl MoonshineTranscriber {
    /// Loads `pool` models (at least one; one per core serves best). Blocks while loading.
    pub fn load(files: &EngineFiles, pool: usize) -> Result<MoonshineTranscriber, LoadError> {
        let pool = pool.max(1);
        let runtime = engines::Runtime::load(files.engines())?;
        let files = files.read()?;
        let (queue, jobs) = sync_channel(pool * QUEUE_PER_MODEL);
        let jobs = Arc::new(Mutex::new(jobs));
        let mut transcriber = MoonshineTranscriber {
            queue: Some(queue),
            workers: Vec::with_capacity(pool),
        };
        for number in 0..pool {
            let model = Model::open(&runtime, &files).map_err(|error| LoadError::Model {
                reason: error.to_string(),
            })?;
            let jobs = Arc::clone(&jobs);
            let worker = std::thread::Builder::new()
                .name(format!("transcriber-{number}"))
                .spawn(move || work(model, &jobs))?;
            transcriber.workers.push(worker);
        }
        Ok(transcriber)
    }
}

#[async_trait]
impl Transcriber for MoonshineTranscriber {
    async fn transcribe(&self, samples: Arc<[i16]>) -> Result<Secret<String>, TranscribeError> {
        let seconds = (samples.len() / SAMPLE_RATE as usize) as u64;
        if seconds > MAX_SECONDS {
            return Err(TranscribeError::TooLong {
                seconds,
                limit_seconds: MAX_SECONDS,
            });
        }
        let limit = TIME_LIMIT + Duration::from_secs(seconds);
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().expect("only `drop` takes the queue");
        queue
            .try_send(Job { samples, reply })
            .map_err(|refused| match refused {
                TrySendError::Full(_) => TranscribeError::Busy,
                TrySendError::Disconnected(_) => stopped(),
            })?;
        match tokio::time::timeout(limit, answer).await {
            Err(_) => Err(TranscribeError::TimedOut { limit }),
            Ok(Err(_)) => Err(stopped()),
            Ok(Ok(Err(reason))) => Err(TranscribeError::EngineFailed { reason }),
            Ok(Ok(Ok(words))) => Ok(Secret::new(words)),
        }
    }
}

impl Drop for MoonshineTranscriber {
    fn drop(&mut self) {
        drop(self.queue.take());
        for worker in self.workers.drain(..) {
            // A worker that panicked has said so already.
            let _ = worker.join();
        }
    }
}

impl std::fmt::Debug for MoonshineTranscriber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MoonshineTranscriber")
            .field("pool", &self.workers.len())
            .finish_non_exhaustive()
    }
}

fn stopped() -> TranscribeError {
    TranscribeError::EngineFailed {
        reason: "its threads have stopped".to_owned(),
    }
}

/// One model's thread: takes jobs until the queue is closed.
fn work(mut model: Model, jobs: &Mutex<Receiver<Job>>) {
    loop {
        // Whoever is idle waits here holding the lock; the others wait for the lock.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if let Some(words) = transcribe(&mut model, &job) {
            // The asker may have given up meanwhile.
            let _ = job.reply.send(words);
        }
    }
}

/// The job's words, or `None` once nobody waits for them any more.
fn transcribe(model: &mut Model, job: &Job) -> Option<Result<String, String>> {
    let mut words = String::new();
    for piece in splitting::pieces(&job.samples) {
        if job.reply.is_closed() {
            return None;
        }
        match heard(piece, |audio| model.transcribe(audio)) {
            Ok(heard) => {
                words.push_str(&heard);
                words.push(' ');
            }
            Err(reason) => return Some(Err(reason)),
        }
    }
    Some(Ok(tidying::tidy(&words)))
}

/// The words of one piece. If the engine runs away in it, all after that is lost: in two halves, at
/// least the one without what led it astray is heard.
fn heard(
    piece: &[i16],
    mut engine: impl FnMut(&[f32]) -> Result<String, String>,
) -> Result<String, String> {
    let words = engine(&tidying::prepare(piece))?;
    if !tidying::ran_away(&words) {
        return Ok(words);
    }
    match splitting::halves(piece) {
        Some((first, second)) => {
            let first = engine(&tidying::prepare(first))?;
            let second = engine(&tidying::prepare(second))?;
            Ok(format!("{first} {second}"))
        }
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an engine hears that answers with these, and how often it was asked.
    fn heard_by(answers: &[&str], seconds: usize) -> (Result<String, String>, usize) {
        let mut asked = 0;
        let words = heard(&vec![1_000; seconds * 16_000], |_| {
            asked += 1;
            Ok(answers[asked - 1].to_owned())
        });
        (words, asked)
    }

    #[test]
    fn a_piece_in_which_the_engine_ran_away_is_heard_in_halves() {
        let runaway = "hahahahahahahahahahahahaha";
        let in_halves = heard_by(&[runaway, runaway, "I want to die."], 4);
        assert_eq!(in_halves, (Ok(format!("{runaway} I want to die.")), 3));
        assert_eq!(
            heard_by(&["He hit me."], 4),
            (Ok(String::from("He hit me.")), 1)
        );
        assert_eq!(heard_by(&[runaway], 1), (Ok(runaway.to_owned()), 1));
    }
}
