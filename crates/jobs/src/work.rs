//! Trying the jobs of a kind. The library looks for them, locks them, and writes down what came of it; how long one
//! rests before it is tried again is ours, and stored, so that a restart changes nothing in it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use apalis_core::backend::ext::BackendExt;
use apalis_core::error::WorkerError;
use apalis_core::task::attempt::Attempt;
use apalis_core::task::task_id::TaskId;
use apalis_core::worker::builder::WorkerBuilder;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::about::About;
use crate::back_off::BackOff;
use crate::jobs::{Jobs, Kind, Place};

/// Jobs of a kind that one node tries at the same time.
const AT_ONCE: usize = 4;

/// How fast it goes.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub back_off: BackOff,
    /// A job that was put is found within this time.
    pub look_every: Duration,
    /// Nodes say that they live so often, in whole seconds; what one was doing of which nothing is heard three times is
    /// tried by another.
    pub sign_of_life_every: Duration,
}

impl Pace {
    /// Tried for a day: after a minute, then with longer waits, up to half an hour.
    pub const USUAL: Self = Self {
        back_off: BackOff {
            first: Duration::from_mins(1),
            longest: Duration::from_mins(30),
            in_all: Duration::from_hours(24),
        },
        look_every: Duration::from_secs(15),
        sign_of_life_every: Duration::from_secs(30),
    };
}

/// Why an attempt came to nothing. It is stored and logged: words of ours alone, and a number that the other side gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    pub what: &'static str,
    pub code: Option<u16>,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{} ({code})", self.what),
            None => f.write_str(self.what),
        }
    }
}

impl std::error::Error for Trouble {}

/// How what a job is about stands in the queue: a text as JSON has it.
pub(crate) fn stored(about: &About) -> Vec<u8> {
    format!("\"{about}\"").into_bytes()
}

impl Jobs {
    /// Tries the jobs of a kind by `attempt`, until it is told to stop. What was begun then comes to its end.
    pub async fn work<F, A>(&self, kind: Kind, pace: Pace, attempt: F, stopping: CancellationToken)
    where
        F: Fn(About) -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), Trouble>> + Send + 'static,
    {
        let trying = Trying {
            jobs: self.clone(),
            kind,
            back_off: pace.back_off,
            attempt: Arc::new(move |about| Box::pin(attempt(about))),
        };
        while !stopping.is_cancelled() {
            let stop = stopping.clone();
            let stopped = async move {
                stop.cancelled().await;
                Ok::<(), WorkerError>(())
            };
            // A name is used once: a node that comes back is another one, and what it was doing is found as that of one
            // that is gone.
            let name = format!("{} {}", kind.0, Uuid::new_v4());
            let trying = trying.clone();
            let one = move |about: String, id: TaskId, tried: Attempt| {
                let trying = trying.clone();
                async move { trying.once(about, id.to_string(), tried.current()).await }
            };
            let ran = match &self.place {
                Place::Sqlite(place) => {
                    let config = apalis_sqlite::Config::default()
                        .queue(kind.0)
                        .batch_size(AT_ONCE)
                        .heartbeat_interval(pace.sign_of_life_every)
                        .missed_heartbeats(3);
                    let queue = place.queue(config).poll_with_interval(pace.look_every);
                    let worker = WorkerBuilder::new(name.as_str()).backend(queue).build(one);
                    worker.run_until(stopped).await
                }
                Place::Postgres(place) => {
                    let config = apalis_postgres::Config::default()
                        .queue(kind.0)
                        .batch_size(AT_ONCE)
                        .heartbeat_interval(pace.sign_of_life_every)
                        .missed_heartbeats(3);
                    let queue = place.queue(config).poll_with_interval(pace.look_every);
                    let worker = WorkerBuilder::new(name.as_str()).backend(queue).build(one);
                    worker.run_until(stopped).await
                }
            };
            // Whoever stops while it looks for jobs has some that it never came to: the next start need not wait until this
            // node has given no sign of life for long enough. After an error an attempt may still be under way.
            if stopping.is_cancelled()
                && let Err(error) = self.give_back(&name).await
            {
                tracing::warn!(kind = kind.0, %error, "what background work had taken up waits for a while");
            }
            if let Err(error) = ran
                && !stopping.is_cancelled()
            {
                tracing::warn!(
                    kind = kind.0,
                    %error,
                    "background work cannot reach the database; it goes on when it can again"
                );
                tokio::select! {
                    () = tokio::time::sleep(pace.look_every) => {}
                    () = stopping.cancelled() => {}
                }
            }
        }
    }
}

type Attempted = std::pin::Pin<Box<dyn Future<Output = Result<(), Trouble>> + Send>>;

#[derive(Clone)]
struct Trying {
    jobs: Jobs,
    kind: Kind,
    back_off: BackOff,
    attempt: Arc<dyn Fn(About) -> Attempted + Send + Sync>,
}

impl Trying {
    /// One attempt; `tried` counts it too.
    async fn once(self, about: String, id: String, tried: usize) -> Result<(), Trouble> {
        let kind = self.kind.0;
        let outcome = match about.parse::<About>() {
            // A task of its own: where it fails altogether, the others go on. What it was doing stands in no log.
            Ok(about) => match tokio::spawn((self.attempt)(about)).await {
                Ok(outcome) => outcome,
                Err(_) => Err(Trouble {
                    what: "the program failed",
                    code: None,
                }),
            },
            Err(_) => Err(Trouble {
                what: "this program did not store it so",
                code: None,
            }),
        };
        let Err(trouble) = outcome else {
            metrics::counter!("nightlight_jobs_done_total", "kind" => kind).increment(1);
            return Ok(());
        };
        metrics::counter!("nightlight_jobs_failed_attempts_total", "kind" => kind).increment(1);
        let last = tried >= self.back_off.attempts();
        if last {
            tracing::error!(kind, about, tried, %trouble, "a job is given up: do it by hand");
            return Err(trouble);
        }
        let rest = self.back_off.wait_after(tried);
        let rests = rest.as_secs();
        tracing::warn!(kind, about, tried, %trouble, rests, "a job failed; it is tried again after a rest");
        if let Err(error) = self.jobs.put_off(&id, rest).await {
            tracing::warn!(kind, about, %error, "a job that failed does not rest: the database cannot be written to");
        }
        Err(trouble)
    }
}
