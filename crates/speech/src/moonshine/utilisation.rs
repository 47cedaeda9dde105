//! How much of the last few seconds the threads were at work.

use std::time::{Duration, Instant};

/// Work this long ago counts a third: long enough for a few utterances of a busy line, short enough that a crowd is
/// noticed before anybody waits.
const WINDOW: Duration = Duration::from_secs(5);

/// A mean that forgets, of the time that all threads together worked.
#[derive(Default)]
pub(super) struct Utilisation {
    /// Seconds of work that are still remembered.
    worked: f64,
    at: Option<Instant>,
}

impl Utilisation {
    /// A thread was at work for so long, until now.
    pub fn add(&mut self, worked: Duration, now: Instant) {
        self.worked = self.remembered(now) + worked.as_secs_f64();
        self.at = Some(now);
    }

    /// The share of their time that so many threads worked: 0 is none of it, 1 is all.
    pub fn share(&self, threads: usize, now: Instant) -> f64 {
        self.remembered(now) / (WINDOW.as_secs_f64() * threads.max(1) as f64)
    }

    fn remembered(&self, now: Instant) -> f64 {
        let since = self
            .at
            .map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        self.worked * (-since.as_secs_f64() / WINDOW.as_secs_f64()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work of so long in every `every`, for a minute.
    fn after_a_minute_of(work: Duration, every: Duration) -> (Utilisation, Instant) {
        let mut utilisation = Utilisation::default();
        let began = Instant::now();
        let mut now = began;
        while now < began + Duration::from_secs(60) {
            now += every;
            utilisation.add(work, now);
        }
        (utilisation, now)
    }

    #[test]
    fn a_steady_load_is_its_share_of_the_threads_time() {
        let (utilisation, now) =
            after_a_minute_of(Duration::from_millis(150), Duration::from_millis(300));
        let share = utilisation.share(2, now);
        assert!((share - 0.25).abs() < 0.02, "a quarter, but {share}");
    }

    #[test]
    fn a_crowd_that_has_gone_is_forgotten() {
        let (utilisation, now) =
            after_a_minute_of(Duration::from_millis(300), Duration::from_millis(300));
        assert!(utilisation.share(1, now) > 0.9);
        assert!(utilisation.share(1, now + Duration::from_secs(20)) < 0.05);
    }

    #[test]
    fn who_has_not_worked_is_not_utilised() {
        assert_eq!(Utilisation::default().share(2, Instant::now()), 0.0);
    }
}
