//! What the assistant's voice is doing: quiet, about to speak, speaking, or held.
//!
//! It keeps the bounds of a playout and deliberately decides nothing about it: that is the floor's.

use std::time::Duration;

use crate::{Deadline, Plan};

/// Why the assistant speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Utterance {
    Greeting,
    Reply,
    CheckIn,
    Fallback,
    /// Something the floor did not ask for.
    Told,
}

#[derive(Debug)]
pub(crate) struct Assistant {
    playout: Playout,
    /// Playouts in a row that did not begin.
    unheard: u32,
}

#[derive(Debug, Clone, Copy)]
enum Playout {
    Quiet,
    Starting {
        what: Utterance,
        until: Duration,
    },
    Speaking {
        what: Utterance,
        until: Duration,
    },
    Paused {
        what: Utterance,
        since: Duration,
        until: Duration,
        speaking_until: Duration,
    },
}

impl Assistant {
    pub fn new() -> Self {
        Self {
            playout: Playout::Quiet,
            unheard: 0,
        }
    }

    pub fn is_quiet(&self) -> bool {
        matches!(self.playout, Playout::Quiet)
    }

    /// Its sound is on its way to the caller right now.
    pub fn is_heard(&self) -> bool {
        matches!(self.playout, Playout::Speaking { .. })
    }

    pub fn is_paused(&self) -> bool {
        matches!(self.playout, Playout::Paused { .. })
    }

    pub fn utterance(&self) -> Option<Utterance> {
        match self.playout {
            Playout::Quiet => None,
            Playout::Starting { what, .. }
            | Playout::Speaking { what, .. }
            | Playout::Paused { what, .. } => Some(what),
        }
    }

    pub fn deadline(&self) -> Option<(Duration, Deadline)> {
        match self.playout {
            Playout::Quiet => None,
            Playout::Starting { until, .. } => Some((until, Deadline::PlayoutLate)),
            Playout::Speaking { until, .. } => Some((until, Deadline::PlayoutEndless)),
            Playout::Paused { until, .. } => Some((until, Deadline::PauseOver)),
        }
    }

    /// Something is to be said in place of anything else.
    pub fn start(&mut self, what: Utterance, now: Duration, plan: &Plan) {
        let until = now + plan.playout_start_bound;
        self.playout = Playout::Starting { what, until };
    }

    /// Something is to be said after what is being said, if anything.
    pub fn told(&mut self, now: Duration, plan: &Plan) {
        match &mut self.playout {
            Playout::Quiet => self.start(Utterance::Told, now, plan),
            Playout::Starting { .. } => {}
            Playout::Speaking { until, .. }
            | Playout::Paused {
                speaking_until: until,
                ..
            } => *until = now + plan.playout_bound,
        }
    }

    pub fn playout_started(&mut self, now: Duration, plan: &Plan) {
        self.unheard = 0;
        let what = match self.playout {
            Playout::Quiet => Utterance::Told,
            Playout::Starting { what, .. } => what,
            Playout::Speaking { .. } | Playout::Paused { .. } => return,
        };
        let until = now + plan.playout_bound;
        self.playout = Playout::Speaking { what, until };
    }

    /// One more playout did not begin. True when that is one too many.
    pub fn playout_late(&mut self, plan: &Plan) -> bool {
        self.unheard += 1;
        self.unheard >= plan.unheard_playouts
    }

    /// Nothing is being said any more; gives what was.
    pub fn stop(&mut self) -> Option<Utterance> {
        let what = self.utterance();
        self.playout = Playout::Quiet;
        what
    }

    pub fn pause(&mut self, now: Duration, plan: &Plan) {
        if let Playout::Speaking { what, until } = self.playout {
            self.playout = Playout::Paused {
                what,
                since: now,
                until: now + plan.longest_pause,
                speaking_until: until,
            };
        }
    }

    pub fn resume(&mut self, now: Duration) {
        if let Playout::Paused {
            what,
            since,
            speaking_until,
            ..
        } = self.playout
        {
            self.playout = Playout::Speaking {
                what,
                until: speaking_until + now.saturating_sub(since),
            };
        }
    }
}
