//! When the endpoint is left alone: after several failures in a row, for a while, so that an outage
//! does not make every turn wait for its time-out. It is told the time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row after which it is left alone.
const PATIENCE: u32 = 3;
/// For how long.
const REST: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub struct Rest {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    until: Option<Instant>,
}

impl Rest {
    /// Whether it may be asked now. After a rest it is tried again, and one failure is enough then.
    pub fn is_over(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.until {
            Some(until) if now < until => false,
            Some(_) => {
                state.until = None;
                true
            }
            None => true,
        }
    }

    pub fn note(&self, failed: bool, now: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !failed {
            *state = State::default();
            return;
        }
        state.failures = state.failures.saturating_add(1);
        if state.failures >= PATIENCE {
            state.until = Some(now + REST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_several_failures_running_it_is_left_alone_for_a_while() {
        let rest = Rest::default();
        let mut now = Instant::now();
        rest.note(true, now);
        rest.note(true, now);
        rest.note(false, now);
        rest.note(true, now);
        rest.note(true, now);
        assert!(
            rest.is_over(now),
            "a success in between begins the count anew"
        );
        rest.note(true, now);
        assert!(!rest.is_over(now));
        now += REST;
        assert!(rest.is_over(now));
        rest.note(true, now);
        assert!(!rest.is_over(now), "one more failure is enough then");
        now += REST;
        assert!(rest.is_over(now));
        rest.note(false, now);
        rest.note(true, now);
        assert!(rest.is_over(now));
    }
}
