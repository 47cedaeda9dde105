//! The embedded transcriber: Moonshine's tiny English model, offline, in process.
//!
//! A pool of loaded models, one thread each, behind one bounded queue. It does not detect
//! voices and must not be given silence.

mod files;
mod library;
mod splitting;
mod tidying;

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;
use tokio::sync::oneshot;

pub use files::EngineFiles;
use library::{Handle, Library};

use crate::{SAMPLE_RATE, TranscribeError, Transcriber};

/// Pieces that may wait for one handle. At some 75 ms each, the last of them still comes
/// within the time limit.
const QUEUE_PER_HANDLE: usize = 32;
/// From the request to the words, waiting included, besides the audio's own length: an engine
/// slower than speech has lost.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The longest piece taken at once.
const MAX_SECONDS: u64 = 60;

const SINGLE_THREAD_VARIABLE: &str = "MOONSHINE_ORT_SINGLE_THREAD";

/// Keeps each handle to one core, which serves many callers best. Call it first in `main`,
/// before any thread is started (so before the async runtime): it sets an environment
/// variable of the engine's, and does so only while the process has a single thread.
///
/// Returns whether the engine will be single-threaded.
pub fn prepare_environment() -> bool {
    if std::env::var_os(SINGLE_THREAD_VARIABLE).is_some() {
        return true;
    }
    let threads = std::fs::read_dir("/proc/self/task").map(Iterator::count);
    if !matches!(threads, Ok(1)) {
        return false;
    }
    // SAFETY: there is no other thread that could read or write the environment meanwhile.
    unsafe { std::env::set_var(SINGLE_THREAD_VARIABLE, "1") };
    true
}

/// Why the engine could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The system's loader refused the library.
    #[error("the speech engine's library cannot be loaded (run `make setup`): {0}")]
    Library(#[from] libloading::Error),
    /// The library refused the model.
    #[error("the speech engine cannot load its model (run `make setup`): {reason}")]
    Model {
        /// The engine's own words.
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
    /// Loads `pool` models (at least one; one per core serves best): about a quarter of a
    /// second and 120 MB each. Blocks while loading.
    pub fn load(files: &EngineFiles, pool: usize) -> Result<MoonshineTranscriber, LoadError> {
        if std::env::var_os(SINGLE_THREAD_VARIABLE).is_none() {
            tracing::warn!(
                "the speech engine takes several threads per transcription; \
                 set {SINGLE_THREAD_VARIABLE}=1 to serve more calls"
            );
        }
        let pool = pool.max(1);
        let library = Library::open(&files.library)?;
        let (queue, jobs) = sync_channel(pool * QUEUE_PER_HANDLE);
        let jobs = Arc::new(Mutex::new(jobs));
        let mut transcriber = MoonshineTranscriber {
            queue: Some(queue),
            workers: Vec::with_capacity(pool),
        };
        for number in 0..pool {
            let handle = Handle::load(&library, &files.model)
                .map_err(|reason| LoadError::Model { reason })?;
            let jobs = Arc::clone(&jobs);
            let worker = std::thread::Builder::new()
                .name(format!("transcriber-{number}"))
                .spawn(move || work(handle, &jobs))?;
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

/// One handle's thread: takes jobs until the queue is closed.
fn work(mut handle: Handle, jobs: &Mutex<Receiver<Job>>) {
    loop {
        // Whoever is idle waits here holding the lock; the others wait for the lock.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if let Some(words) = transcribe(&mut handle, &job) {
            // The asker may have given up meanwhile.
            let _ = job.reply.send(words);
        }
    }
}

/// The job's words, or `None` once nobody waits for them any more.
fn transcribe(handle: &mut Handle, job: &Job) -> Option<Result<String, String>> {
    let mut words = String::new();
    for piece in splitting::pieces(&job.samples) {
        if job.reply.is_closed() {
            return None;
        }
        match heard(piece, |audio| handle.transcribe(audio)) {
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
