//! How long a job rests before it is tried again. Pure.

use std::time::Duration;

/// The first wait, doubled after each further attempt, up to the longest; over so much time in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    pub first: Duration,
    pub longest: Duration,
    /// After this, as near as its waits come, the job is given up.
    pub in_all: Duration,
}

impl BackOff {
    /// After this many attempts.
    pub fn wait_after(&self, attempts: usize) -> Duration {
        let doubled = attempts.saturating_sub(1).min(30) as u32;
        self.first.saturating_mul(1 << doubled).min(self.longest)
    }

    /// How often a job is tried before it is given up.
    pub fn attempts(&self) -> usize {
        let mut waited = Duration::ZERO;
        let mut attempts = 1;
        loop {
            waited += self.wait_after(attempts);
            if waited > self.in_all || self.first.is_zero() {
                return attempts;
            }
            attempts += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A_MINUTE: Duration = Duration::from_mins(1);
    const USUAL: BackOff = BackOff {
        first: A_MINUTE,
        longest: Duration::from_mins(30),
        in_all: Duration::from_hours(24),
    };

    #[test]
    fn waits_double_up_to_the_longest() {
        let minutes: Vec<u64> = (1..=7)
            .map(|attempts| USUAL.wait_after(attempts).as_secs() / 60)
            .collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(USUAL.wait_after(usize::MAX), USUAL.longest);
    }

    #[test]
    fn a_job_is_tried_for_as_long_as_is_said() {
        let attempts = USUAL.attempts();
        let waited: Duration = (1..attempts).map(|tried| USUAL.wait_after(tried)).sum();
        assert!(waited <= USUAL.in_all && waited > USUAL.in_all - USUAL.longest);
        // A server that is away for an hour has not been asked for the last time.
        let asked_within_an_hour = (1..attempts)
            .scan(Duration::ZERO, |waited, tried| {
                *waited += USUAL.wait_after(tried);
                Some(*waited)
            })
            .take_while(|waited| *waited < Duration::from_hours(1))
            .count();
        assert!(asked_within_an_hour < attempts - 1);
    }

    #[test]
    fn a_back_off_without_waits_tries_once() {
        let none = BackOff {
            first: Duration::ZERO,
            ..USUAL
        };
        assert_eq!(none.attempts(), 1);
    }
}
