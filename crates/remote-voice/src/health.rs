//! Whether the endpoint can be relied on, and when it is tried again: at first soon, then ever more seldom.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After a failure, before it is tried again.
pub const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// The longest between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// How the endpoint is doing. Unwell until it has answered once.
#[derive(Debug, Default)]
pub struct Health {
    well: AtomicBool,
}

impl Health {
    pub fn is_well(&self) -> bool {
        self.well.load(Ordering::Acquire)
    }

    pub fn works(&self) {
        self.well.store(true, Ordering::Release);
    }

    /// True if it was well until now: somebody must see when it is again.
    pub fn fails(&self) -> bool {
        self.well.swap(false, Ordering::AcqRel)
    }
}

/// Tries until it succeeds, each time after twice the pause.
pub async fn until(first_after: Duration, mut succeeds: impl AsyncFnMut() -> bool) {
    let mut pause = first_after;
    loop {
        tokio::time::sleep(pause).await;
        if succeeds().await {
            return;
        }
        pause = (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_is_tried_ever_more_seldom_and_at_least_every_five_minutes() {
        let start = Instant::now();
        let mut tries = Vec::new();
        until(FIRST_PAUSE, async || {
            tries.push(start.elapsed().as_secs());
            tries.len() == 11
        })
        .await;
        assert_eq!(
            tries,
            [2, 6, 14, 30, 62, 126, 254, 510, 810, 1_110, 1_410],
            "doubled up to five minutes"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn at_the_start_it_is_tried_at_once() {
        let start = Instant::now();
        until(Duration::ZERO, async || true).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[test]
    fn only_the_first_of_several_failures_has_it_watched() {
        let health = Health::default();
        assert!(!health.is_well(), "nobody knows yet");
        assert!(!health.fails(), "it is being tried already");
        health.works();
        assert!(health.is_well());
        assert!(health.fails());
        assert!(!health.fails());
        assert!(!health.is_well());
    }
}
