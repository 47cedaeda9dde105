//! What went wrong of late, in the log's own words: its warnings and errors without their fields, each kept once with how
//! often and when it came. No line of the log holds a caller's words; what stands here holds no id either.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use utoipa::ToSchema;

/// Different ones, at most; then the one that was quiet for longest is forgotten.
const MOST: usize = 20;
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);
/// Who tells of faults here: our own rooms. A library's words may be of another's doings.
const OURS: &[&str] = &[
    "call",
    "endpoint",
    "engines",
    "flow",
    "model",
    "reader",
    "records",
    "remote_voice",
    "server",
    "speech",
    "turn",
];

/// Whether a line of the log is told by one of our own rooms.
pub fn is_ours(target: &str) -> bool {
    let room = target.split("::").next();
    room.is_some_and(|room| OURS.contains(&room))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    severity: Severity,
    #[schema(example = "a turn is spoken before it is saved: the records are slow")]
    message: String,
    times: u32,
    #[schema(value_type = String, format = DateTime)]
    first_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    last_at: Timestamp,
}

/// Those of this process, the latest last. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<VecDeque<Fault>>>);

impl Faults {
    /// The latest first.
    pub fn of_late(&self, now: Timestamp) -> Vec<Fault> {
        let mut faults = self.faults();
        faults.retain(|fault| now.duration_since(fault.last_at) < KEPT_FOR);
        faults.iter().rev().cloned().collect()
    }

    fn note(&self, severity: Severity, message: String, now: Timestamp) {
        let mut faults = self.faults();
        let before = faults
            .iter()
            .position(|fault| fault.severity == severity && fault.message == message)
            .and_then(|place| faults.remove(place))
            .filter(|fault| now.duration_since(fault.last_at) < KEPT_FOR);
        let (times, first_at) = before.map_or((0, now), |before| (before.times, before.first_at));
        if faults.len() >= MOST {
            faults.pop_front();
        }
        faults.push_back(Fault {
            severity,
            message,
            times: times.saturating_add(1),
            first_at,
            last_at: now,
        });
    }

    fn faults(&self) -> MutexGuard<'_, VecDeque<Fault>> {
        // Every change is made whole before anything that could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Subscriber> Layer<S> for Faults {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let severity = match *event.metadata().level() {
            Level::ERROR => Severity::Error,
            Level::WARN => Severity::Warning,
            _ => return,
        };
        if !is_ours(event.metadata().target()) {
            return;
        }
        let mut message = Message(None);
        event.record(&mut message);
        if let Some(message) = message.0 {
            self.note(severity, message, Timestamp::now());
        }
    }
}

/// A log line's words, without its fields.
struct Message(Option<String>);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = Some(format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn warnings_and_errors_of_ours_are_kept_by_their_words_alone() {
        let faults = Faults::default();
        let log = tracing_subscriber::registry().with(faults.clone());
        tracing::subscriber::with_default(log, || {
            tracing::error!(call = "an id", "the voice stopped");
            tracing::warn!("the records are slow");
            tracing::error!(call = "another", "the voice stopped");
            tracing::info!("taking calls");
            tracing::error!(target: "sctp_proto", "abort chunk");
        });
        let kept: Vec<_> = faults
            .of_late(Timestamp::now())
            .into_iter()
            .map(|fault| (fault.severity, fault.message, fault.times))
            .collect();
        let expected = [
            (Severity::Error, String::from("the voice stopped"), 2),
            (Severity::Warning, String::from("the records are slow"), 1),
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn no_more_than_some_are_kept_and_none_for_longer_than_a_day() {
        let faults = Faults::default();
        let now = Timestamp::UNIX_EPOCH;
        for number in 0..MOST + 5 {
            faults.note(Severity::Error, number.to_string(), now);
        }
        let kept = faults.of_late(now);
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept[0].message, (MOST + 4).to_string());
        assert!(faults.of_late(now + KEPT_FOR).is_empty());
    }
}
