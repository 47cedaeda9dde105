//! The clock of the caller's silence: one check-in, then the time-out.
//!
//! It counts while neither side speaks and nothing is under way; the floor says when that is. The
//! check-in's own playout stops the clock and does not restart it, so that an assistant which keeps
//! asking cannot keep an empty line open.

use std::time::Duration;

use crate::{Deadline, Plan};

#[derive(Debug, Default)]
pub(crate) struct Silence {
    /// From when silence counts, moved on by the length of the check-in.
    since: Duration,
    checked_in_at: Option<Duration>,
    caller_muted: bool,
}

impl Silence {
    /// Somebody has just finished speaking, or the caller has shown to be there.
    pub fn restart(&mut self, now: Duration) {
        self.since = now;
        self.checked_in_at = None;
    }

    pub fn set_caller_muted(&mut self, muted: bool, now: Duration) {
        self.caller_muted = muted;
        self.restart(now);
    }

    pub fn check_in_began(&mut self, now: Duration) {
        self.checked_in_at = Some(now);
    }

    pub fn check_in_ended(&mut self, now: Duration) {
        if let Some(began) = self.checked_in_at {
            self.since += now.saturating_sub(began);
        }
    }

    pub fn deadline(&self, plan: &Plan, help_at_hand: bool) -> (Duration, Deadline) {
        if help_at_hand {
            let until = self.since + plan.silence_timeout;
            return (until, Deadline::SilentWithHelp);
        }
        if self.caller_muted {
            let until = self.since + plan.muted_silence_timeout;
            return (until, Deadline::SilenceTimeout);
        }
        let checks_in = plan.check_in_after < plan.silence_timeout;
        match checks_in && self.checked_in_at.is_none() {
            true => (self.since + plan.check_in_after, Deadline::CheckIn),
            false => (self.since + plan.silence_timeout, Deadline::SilenceTimeout),
        }
    }
}
