//! This node's lease on its calls: renewed while it runs, so that other nodes on the same database leave them alone.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use records::Records;
use tokio_util::sync::CancellationToken;

/// A node that is gone is found out after this long; a caller who was talking with it is looking for another by then.
pub const LEASE: Duration = Duration::from_secs(3);
const RENEW_EVERY: Duration = Duration::from_secs(1);

/// Since when it was never let lapse.
#[derive(Debug, Default)]
pub struct Lease(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    since: Option<Instant>,
    renewed: Option<Instant>,
}

impl Lease {
    /// For how long it has been held; `None` where it has lapsed.
    pub fn held_for(&self, now: Instant) -> Option<Duration> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let renewed = held.renewed?;
        (now.saturating_duration_since(renewed) < LEASE)
            .then_some(now.saturating_duration_since(held.since?))
    }

    /// It was renewed at this moment, at the earliest.
    fn renewed(&self, now: Instant) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lapsed = held
            .renewed
            .is_none_or(|before| now.saturating_duration_since(before) >= LEASE);
        if lapsed {
            held.since = Some(now);
        }
        held.renewed = Some(now);
    }
}

/// Renews the lease until this is dropped or told to stop, and lets go of it then.
pub async fn keep(
    records: Records,
    lease: &Lease,
    node_name: Option<&str>,
    stopped: CancellationToken,
) {
    let mut told = ToldOfOthers::by(node_name);
    let mut ticks = tokio::time::interval(RENEW_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut fails = false;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stopped.cancelled() => break,
        }
        let asked = Instant::now();
        match records.hold(LEASE, node_name).await {
            Ok(others) => {
                lease.renewed(asked);
                if told.is_news(others) {
                    tracing::warn!(
                        others,
                        "another Nightlight runs on the same database and this one has no node_name: behind one proxy \
                         callers reach their call only by chance. Set node_name for each, or stop the other"
                    );
                }
                if fails {
                    tracing::info!("this node holds its calls again");
                }
                fails = false;
            }
            Err(error) => {
                if !fails {
                    tracing::warn!(%error, "this node's hold on its calls cannot be renewed; they go on");
                }
                fails = true;
            }
        }
    }
    // What it has not stored is another node's to end.
    let _ = records.hold(Duration::ZERO, node_name).await;
}

/// Whether the operator has been told that there are several nodes, which need names. One with a name has nothing to tell.
struct ToldOfOthers(bool);

impl ToldOfOthers {
    fn by(node_name: Option<&str>) -> Self {
        Self(node_name.is_some())
    }

    fn is_news(&mut self, others: u64) -> bool {
        let is_news = others > 0 && !self.0;
        self.0 |= is_news;
        is_news
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn who_has_no_name_and_finds_others_is_told_once() {
        let mut unnamed = ToldOfOthers::by(None);
        let told = [0, 0, 2, 2, 0, 1].map(|others| unnamed.is_news(others));
        assert_eq!(told, [false, false, true, false, false, false]);
        assert!(!ToldOfOthers::by(Some("node-1")).is_news(1));
    }

    #[test]
    fn a_lease_is_as_old_as_the_last_time_it_had_lapsed() {
        let (lease, begun) = (Lease::default(), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(lease.held_for(at(0)), None);
        for second in 0..=9 {
            lease.renewed(at(second));
        }
        assert_eq!(lease.held_for(at(11)), Some(Duration::from_secs(11)));
        assert_eq!(
            lease.held_for(at(12)),
            None,
            "nothing was heard for too long"
        );
        lease.renewed(at(40));
        assert_eq!(lease.held_for(at(42)), Some(Duration::from_secs(2)));
    }
}
