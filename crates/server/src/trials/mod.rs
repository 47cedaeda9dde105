//! Trials of the assistant: evals and test suites of programs, run for real, one after another. Callers come first: a trial's
//! turns line up behind theirs as one more caller's would, and its calls give way to theirs.
//!
//! | question | module |
//! |---|---|
//! | whose turn is it, and how long may it take? | here |
//! | how is an eval run? | [`eval`] |
//! | how is a test suite? | [`suite`] |
//! | and a test of it by voice? | [`by_voice`] |
//! | does a turn pass? | [`judging`], pure but for a chat model |
//!
//! What is said is a made-up caller's. It is kept with its run, sealed as a caller's words are, and is in no log.

pub mod by_voice;
pub mod eval;
pub mod judging;
pub mod suite;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use resources::{Body, ChangeError, Kind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::app::App;
use crate::errors::ApiError;
use crate::written::queue::TooManyWaiting;

/// The longest a trial may take, once it is its turn.
const LONGEST: Duration = Duration::from_secs(300);
/// The same with calls by voice in it, which take the time that talking takes.
const LONGEST_BY_VOICE: Duration = Duration::from_secs(1200);
/// The calls by voice of one trial.
pub const MOST_CALLS: u32 = 5;
/// The one that runs, and those that wait for it.
const MOST_AT_ONCE: usize = 5;
/// One that has no end after so long was cut off: with those that waited before it, it would be over.
const CUT_OFF_AFTER: SignedDuration =
    SignedDuration::from_secs(LONGEST_BY_VOICE.as_secs() as i64 * (MOST_AT_ONCE as i64 + 1));

/// Which trials wait for their turn.
pub struct Trials {
    one: Semaphore,
    at_once: AtomicUsize,
}

impl Default for Trials {
    fn default() -> Self {
        Self {
            one: Semaphore::new(1),
            at_once: AtomicUsize::new(0),
        }
    }
}

/// A place among those that wait and run.
pub struct Place(Arc<Trials>);

impl Trials {
    pub fn line_up(self: &Arc<Self>) -> Result<Place, TooManyWaiting> {
        let enter = |at_once| (at_once < MOST_AT_ONCE).then_some(at_once + 1);
        let entered = self
            .at_once
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, enter);
        entered
            .map(|_| Place(Arc::clone(self)))
            .map_err(|_| TooManyWaiting)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.at_once.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Nothing here could say whether it passes.
pub const NO_JUDGE: ApiError = ApiError::NotOffered {
    what: "judging by a model where none is set",
    instead: "set model_url, or judge by `exact`, `regex` or `outcome`",
};

/// Why a trial came to no end of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutShort {
    TooLong,
    Stopping,
}

impl CutShort {
    pub fn message(self) -> &'static str {
        match self {
            Self::TooLong => "it took longer than five minutes, or twenty with calls by voice",
            Self::Stopping => "the server stopped: run it again",
        }
    }
}

/// Does this once it is its turn, as far as time and the server allow.
async fn in_turn<T>(
    app: &App,
    place: &Place,
    longest: Duration,
    work: impl Future<Output = T>,
) -> Result<T, CutShort> {
    let turn = async {
        // It is never closed.
        let _turn = place.0.one.acquire().await;
        tokio::time::timeout(longest, work).await
    };
    tokio::select! {
        done = turn => done.map_err(|_| CutShort::TooLong),
        () = app.leaving.cancelled() => Err(CutShort::Stopping),
    }
}

/// Keeps how a run stands. One that was removed meanwhile is kept no more; all else is told, without what was said.
async fn keep<R: Serialize + DeserializeOwned>(
    app: &App,
    kind: Kind,
    id: Uuid,
    change: impl Fn(&mut R),
) {
    let changed = app
        .resources
        .change(kind, id, Timestamp::now(), |stands| {
            let mut run = read(&stands.body).ok_or(())?;
            change(&mut run);
            Ok::<_, ()>(body(&run))
        })
        .await;
    match changed {
        Ok(_) | Err(ChangeError::Unknown) => {}
        Err(ChangeError::Refused(())) => {
            tracing::error!(run = %id, "what came of a trial is not kept: its run cannot be read");
        }
        Err(ChangeError::Store(error)) => {
            tracing::error!(run = %id, %error, "what came of a trial is not kept");
        }
    }
}

/// A run as it is kept.
pub fn body(run: &impl Serialize) -> Body {
    judging::inline(serde_json::to_value(run).unwrap_or_default())
}

fn read<R: DeserializeOwned>(body: &Body) -> Option<R> {
    let body = serde_json::Value::Object(body.expose_secret().clone());
    serde_json::from_value(body).ok()
}

/// Whether a run that has no end was left so by a server that went down.
pub fn was_cut_off(made_at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(made_at) > CUT_OFF_AFTER
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_few_trials_wait_and_more_are_refused_until_one_is_done() {
        let trials = Arc::new(Trials::default());
        let mut places: Vec<Place> = (0..MOST_AT_ONCE)
            .map(|_| trials.line_up().unwrap())
            .collect();
        assert!(trials.line_up().is_err());
        places.pop();
        assert!(trials.line_up().is_ok());
    }

    #[test]
    fn a_run_is_cut_off_when_all_that_waited_before_it_would_be_over() {
        let made_at: Timestamp = "2026-11-25T00:00:00Z".parse().unwrap();
        let after = |minutes| made_at + SignedDuration::from_mins(minutes);
        assert!(!was_cut_off(made_at, after(100)));
        assert!(was_cut_off(made_at, after(121)));
    }
}
