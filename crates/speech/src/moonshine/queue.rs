//! What waits for a model: in two rows, so that who is in danger never waits behind a crowd, and each bounded, so that
//! neither row keeps the other from being heard.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::utilisation::Utilisation;
use super::{TOGETHER, splitting};
use crate::{Precedence, Standing};

/// Pieces that may wait for one model, in each row. At some 75 ms each, the last ordinary one still comes within the
/// time limit while as many urgent ones as may go before it do.
pub(super) const PER_MODEL: usize = 32;
/// From this share of the threads' time on, a well-heard sentence would cost somebody else a wait: on two cores that also
/// carry the callers of `make bench`, 100 calls stay in pace below it.
const BUSY_FROM: f64 = 0.25;

pub(super) struct Job {
    pub samples: Arc<[i16]>,
    pub reply: oneshot::Sender<Result<String, String>>,
}

impl Job {
    pub fn is_short(&self) -> bool {
        splitting::stays_whole(&self.samples)
    }
}

/// What a thread has taken on.
pub(super) enum Taken {
    /// The last seconds were quiet, and another thread stands by for whoever comes next, or there is no other and nobody
    /// waits: there is time to hear it well.
    Alone(Job),
    /// The line is busy: all are to be heard soon. A long story is one of these too.
    Several(Vec<Job>),
}

/// Why a piece does not wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Full,
    /// All models' threads have ended.
    NobodyServes,
}

pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    has_more: Condvar,
}

#[derive(Default)]
struct Waiting {
    urgent: VecDeque<Job>,
    ordinary: VecDeque<Job>,
    precedence: Precedence,
    /// The most in each row.
    room: usize,
    closed: bool,
    /// Models whose threads run.
    serving: usize,
    /// Models with nothing to do.
    idle: usize,
    utilisation: Utilisation,
}

impl Queue {
    /// For so many models.
    pub fn of(models: usize) -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                room: models * PER_MODEL,
                serving: models,
                ..Waiting::default()
            }),
            has_more: Condvar::new(),
        }
    }

    pub fn push(&self, job: Job, standing: Standing) -> Result<(), Refused> {
        let mut waiting = self.waiting();
        if waiting.serving == 0 {
            return Err(Refused::NobodyServes);
        }
        let room = waiting.room;
        let row = match standing {
            Standing::Urgent => &mut waiting.urgent,
            Standing::Ordinary => &mut waiting.ordinary,
        };
        if row.len() >= room {
            return Err(Refused::Full);
        }
        row.push_back(job);
        drop(waiting);
        self.has_more.notify_one();
        Ok(())
    }

    /// The next jobs, to be heard together: as many as wait, if no other thread is idle. Nothing is taken behind a long
    /// story. `None` once the queue is closed and empty.
    pub fn next(&self) -> Option<Taken> {
        let mut waiting = self.waiting();
        waiting.idle += 1;
        let mut waiting = self
            .has_more
            .wait_while(waiting, |waiting| !waiting.closed && waiting.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        waiting.idle -= 1;
        let others_idle = waiting.idle > 0;
        let mut taken = vec![waiting.take()?];
        while !others_idle
            && taken.len() < TOGETHER
            && taken.last().is_some_and(Job::is_short)
            && let Some(job) = waiting.take()
        {
            taken.push(job);
        }
        let there_is_time = (others_idle || waiting.serving == 1 && waiting.is_empty())
            && waiting.utilisation.share(waiting.serving, Instant::now()) < BUSY_FROM;
        Some(match <[Job; 1]>::try_from(taken) {
            Ok([job]) if there_is_time && job.is_short() => Taken::Alone(job),
            Ok(jobs) => Taken::Several(jobs.into()),
            Err(jobs) => Taken::Several(jobs),
        })
    }

    /// A thread was at work for so long, until now.
    pub fn worked(&self, time: Duration) {
        self.waiting().utilisation.add(time, Instant::now());
    }

    /// What waits is still heard, and then the models' threads end.
    pub fn close(&self) {
        self.waiting().closed = true;
        self.has_more.notify_all();
    }

    /// Held by the thread of each model: once the last has ended, however it did, nobody waits for an answer.
    pub fn serving(&self) -> Serving<'_> {
        Serving(self)
    }

    #[cfg(test)]
    pub fn let_be_idle(&self, models: usize) {
        self.waiting().idle = models;
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.urgent.is_empty() && self.ordinary.is_empty()
    }

    fn take(&mut self) -> Option<Job> {
        let (urgent_waits, ordinary_waits) = (!self.urgent.is_empty(), !self.ordinary.is_empty());
        match self.precedence.next(urgent_waits, ordinary_waits)? {
            Standing::Urgent => self.urgent.pop_front(),
            Standing::Ordinary => self.ordinary.pop_front(),
        }
    }
}

pub(super) struct Serving<'q>(&'q Queue);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting();
        waiting.serving = waiting.serving.saturating_sub(1);
        if waiting.serving == 0 {
            // Whoever waits is told by the end of their channel.
            waiting.urgent.clear();
            waiting.ordinary.clear();
        }
    }
}
