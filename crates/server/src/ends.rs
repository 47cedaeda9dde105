//! How the calls of the last hour ended, by the minute: what an operator looks at first.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flow::EndReason;
use tokio::time::Instant;

const AN_HOUR: Duration = Duration::from_hours(1);
const A_MINUTE: Duration = Duration::from_mins(1);

/// Calls and written conversations that ended, oldest minute first.
#[derive(Default)]
pub struct Ends(Mutex<VecDeque<Minute>>);

struct Minute {
    began: Instant,
    ends: BTreeMap<&'static str, u32>,
}

impl Ends {
    pub fn count(&self, reason: EndReason) {
        let reason = reason.as_str();
        metrics::counter!("nightlight_calls_ended_total", "reason" => reason).increment(1);
        let now = Instant::now();
        let mut minutes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        forget_what_is_old(&mut minutes, now);
        let under_way = minutes.back().is_some_and(|it| now - it.began < A_MINUTE);
        if !under_way {
            minutes.push_back(Minute {
                began: now,
                ends: BTreeMap::new(),
            });
        }
        if let Some(minute) = minutes.back_mut() {
            *minute.ends.entry(reason).or_default() += 1;
        }
    }

    /// By reason, the commonest first.
    pub fn of_the_last_hour(&self) -> Vec<(&'static str, u32)> {
        let mut minutes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        forget_what_is_old(&mut minutes, Instant::now());
        let mut ends = BTreeMap::new();
        for (reason, count) in minutes.iter().flat_map(|minute| &minute.ends) {
            *ends.entry(*reason).or_default() += count;
        }
        let mut ends: Vec<_> = ends.into_iter().collect();
        ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        ends
    }
}

fn forget_what_is_old(minutes: &mut VecDeque<Minute>, now: Instant) {
    while minutes.front().is_some_and(|it| now - it.began >= AN_HOUR) {
        minutes.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn ends_are_told_for_an_hour_the_commonest_first() {
        let ends = Ends::default();
        ends.count(EndReason::Error);
        tokio::time::advance(Duration::from_mins(30)).await;
        ends.count(EndReason::CallerEnded);
        ends.count(EndReason::CallerEnded);
        let both = [("customer-ended-call", 2), ("call-media-lost", 1)];
        assert_eq!(ends.of_the_last_hour(), both);
        tokio::time::advance(Duration::from_mins(30)).await;
        assert_eq!(ends.of_the_last_hour(), both[..1]);
        tokio::time::advance(Duration::from_mins(30)).await;
        assert_eq!(ends.of_the_last_hour(), []);
    }
}
