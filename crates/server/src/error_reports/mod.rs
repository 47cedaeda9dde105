//! Reports errors elsewhere, where a DSN is set: to Sentry, or to what speaks as it does.
//!
//! What leaves is put together of an allow-list, and not by taking things out: the log line's own fixed words or the kind of
//! failure, the place in the program, the version and the node's name ([`event`]). No field of a log line is read, no
//! message of a panic, nothing of a request. What pages tell of their failures comes through here too and is held to the
//! same list (`api::page_fault`): so no browser tells anybody elsewhere where its caller is.
//!
//! Nobody waits for the reports: they go into a queue with a bound, and what is too much or not taken is lost.

mod dsn;
mod event;
mod sending;

use std::panic::Location;
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::faults::is_ours;

pub use dsn::{Dsn, DsnError};
pub use event::{Frame, Report};
use sending::Sender;

/// Those that wait to be sent, at most.
const MOST_WAITING: usize = 100;
/// What a stop waits for the last of them.
const LAST_WITHIN: Duration = Duration::from_secs(2);

/// The log line that a panic leaves: it is reported by its place instead.
pub const PANICS: &str = "server::panics";

/// Those of this process. Until they are sent somewhere, nothing is kept.
#[derive(Debug, Default)]
pub struct ErrorReports(RwLock<Option<mpsc::Sender<Report>>>);

/// What went wrong in this process.
pub fn error_reports() -> &'static ErrorReports {
    static REPORTS: OnceLock<ErrorReports> = OnceLock::new();
    REPORTS.get_or_init(ErrorReports::default)
}

impl ErrorReports {
    /// Sends one, unless nothing is sent, or too many wait.
    pub fn tell(&self, report: impl FnOnce() -> Report) {
        let due = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(due) = due.as_ref() {
            let _ = due.try_send(report());
        }
    }

    /// Where the program failed. What it said of it may hold what was being worked on, and is not looked at.
    pub fn panicked(&self, place: Option<&Location>) {
        self.tell(|| Report::of_a_panic(place));
    }

    fn goes_to(&self, due: Option<mpsc::Sender<Report>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = due;
    }
}

/// The log's errors, as they are told.
pub struct ErrorLines;

impl<S: Subscriber> Layer<S> for ErrorLines {
    fn on_event(&self, line: &Event<'_>, _: Context<'_, S>) {
        let about = line.metadata();
        let reported = *about.level() == Level::ERROR && about.target() != PANICS;
        if !reported || !is_ours(about.target()) {
            return;
        }
        error_reports().tell(|| {
            let mut words = FixedWords(None);
            line.record(&mut words);
            Report::of_a_line(words.0.unwrap_or_default(), about.file(), about.line())
        });
    }
}

/// A log line's words, without its fields. That an error's are fixed, `tests/architecture.rs` sees to.
struct FixedWords(Option<String>);

impl Visit for FixedWords {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = Some(format!("{value:?}"));
        }
    }
}

/// On their way until it is stopped.
pub struct Reporting(JoinHandle<()>);

impl Reporting {
    /// From here on errors are sent; within a runtime, which does the sending.
    pub fn start(dsn: &Dsn, node: Option<&str>) -> anyhow::Result<Self> {
        let sender = Sender::new(dsn, node)?;
        let (due, waiting) = mpsc::channel(MOST_WAITING);
        error_reports().goes_to(Some(due));
        tracing::info!(to = dsn.place(), "errors are reported");
        Ok(Self(tokio::spawn(sender.send(waiting))))
    }

    /// Sends what is left, within a bound.
    pub async fn stop(self) {
        error_reports().goes_to(None);
        if tokio::time::timeout(LAST_WITHIN, self.0).await.is_err() {
            tracing::warn!("the last errors were not taken at error_reporting_dsn");
        }
    }
}
