//! What a character takes to make on this machine, as it was measured last.

use std::time::{Duration, Instant};

/// What a character takes to make before that was measured.
pub(super) const USUAL_COST: Duration = Duration::from_millis(45);
/// What a character took beyond that on a busy machine counts half after so long: nobody measures while nothing is begun.
const FORGOTTEN_BY_HALF: Duration = Duration::from_secs(10);

pub(super) struct Cost {
    of_a_character: Duration,
    measured: Instant,
}

impl Cost {
    /// As if a character had just taken so long.
    pub fn of_a_character(time: Duration, now: Instant) -> Self {
        Self {
            of_a_character: time,
            measured: now,
        }
    }

    /// Of so many characters.
    pub fn of(&self, characters: usize, now: Instant) -> Duration {
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        self.of_one(now).saturating_mul(characters)
    }

    fn of_one(&self, now: Instant) -> Duration {
        let beyond_usual = self.of_a_character.saturating_sub(USUAL_COST);
        let since = now.saturating_duration_since(self.measured);
        let forgotten =
            beyond_usual.mul_f64(1.0 - (-since.div_duration_f64(FORGOTTEN_BY_HALF)).exp2());
        self.of_a_character - forgotten
    }

    /// So many characters took so long.
    pub fn took(&mut self, characters: usize, time: Duration, now: Instant) {
        if let Ok(characters @ 1..) = u32::try_from(characters) {
            self.of_a_character = (self.of_one(now) + time / characters) / 2;
            self.measured = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_a_busy_machine_took_is_forgotten_so_that_the_voice_is_tried_again() {
        let now = Instant::now();
        let mut cost = Cost::of_a_character(USUAL_COST, now);
        cost.took(10, 10 * SECOND, now);
        let busy = cost.of_one(now);
        assert_eq!(busy, (USUAL_COST + SECOND) / 2);
        let half = cost.of_one(now + FORGOTTEN_BY_HALF);
        let expected = USUAL_COST + (busy - USUAL_COST) / 2;
        assert!(
            half.abs_diff(expected) < Duration::from_millis(1),
            "{half:?}"
        );
        let usual = cost.of_one(now + 20 * FORGOTTEN_BY_HALF);
        assert!(
            usual.abs_diff(USUAL_COST) < Duration::from_millis(1),
            "{usual:?}"
        );
    }

    #[test]
    fn what_a_quick_machine_took_is_kept() {
        let now = Instant::now();
        let mut cost = Cost::of_a_character(SECOND / 100, now);
        cost.took(100, SECOND, now);
        assert_eq!(cost.of_one(now + 60 * SECOND), SECOND / 100);
    }
}
