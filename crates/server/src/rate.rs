//! How often one visitor, or one address, may ask for something: a bucket of tokens each, filled again at a steady
//! pace. It is told the time, and its memory is bounded: a bucket that is full again is forgotten.
//! Visitors without a cookie are new each time and are held back by their address alone.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many are counted at once. Beyond it new ones are not counted.
const MOST_COUNTED: usize = 10_000;

/// The counts of one kind of request.
pub struct Rate<K> {
    per_minute: u32,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// Asked too often; may be asked again after this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooOften {
    pub again_after: Duration,
}

impl<K: Copy + Eq + Hash> Rate<K> {
    /// So many a minute, all of them at once if need be.
    pub fn per_minute(per_minute: u32) -> Self {
        Self {
            per_minute,
            buckets: Mutex::default(),
        }
    }

    /// Whether one more may be asked, without counting it.
    pub fn has_room(&self, of: K, now: Instant) -> Result<(), TooOften> {
        let most = f64::from(self.per_minute);
        let each_second = most / 60.0;
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = buckets
            .get(&of)
            .map_or(most, |bucket| bucket.filled(each_second, most, now));
        match tokens < 1.0 {
            true => Err(TooOften {
                again_after: Duration::from_secs_f64((1.0 - tokens) / each_second),
            }),
            false => Ok(()),
        }
    }

    /// Counts one request.
    pub fn take(&self, of: K, now: Instant) -> Result<(), TooOften> {
        let most = f64::from(self.per_minute);
        let each_second = most / 60.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_COUNTED && !buckets.contains_key(&of) {
            buckets.retain(|_, bucket| bucket.filled(each_second, most, now) < most);
            if buckets.len() >= MOST_COUNTED {
                return Ok(());
            }
        }
        let bucket = buckets.entry(of).or_insert(Bucket {
            tokens: most,
            at: now,
        });
        let tokens = bucket.filled(each_second, most, now);
        if tokens < 1.0 {
            return Err(TooOften {
                again_after: Duration::from_secs_f64((1.0 - tokens) / each_second),
            });
        }
        *bucket = Bucket {
            tokens: tokens - 1.0,
            at: now,
        };
        Ok(())
    }
}

impl Bucket {
    fn filled(self, each_second: f64, most: f64, now: Instant) -> f64 {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        (self.tokens + since * each_second).min(most)
    }
}

#[cfg(test)]
mod tests {
    use records::VisitorId;

    use super::*;

    #[test]
    fn what_is_asked_too_often_may_be_asked_again_a_moment_later() {
        let rate = Rate::per_minute(30);
        let (hasty, other) = (VisitorId::random(), VisitorId::random());
        let mut now = Instant::now();
        for _ in 0..30 {
            assert_eq!(rate.take(hasty, now), Ok(()));
        }
        let again_after = Duration::from_secs(2);
        assert_eq!(rate.take(hasty, now), Err(TooOften { again_after }));
        assert_eq!(rate.take(other, now), Ok(()), "each has their own count");
        now += again_after;
        assert_eq!(rate.take(hasty, now), Ok(()));
        assert!(rate.take(hasty, now).is_err());
        now += Duration::from_secs(3600);
        for _ in 0..30 {
            assert_eq!(rate.take(hasty, now), Ok(()));
        }
        assert!(
            rate.take(hasty, now).is_err(),
            "no more than a minute's worth"
        );
    }

    #[test]
    fn to_ask_whether_there_is_room_takes_none() {
        let rate = Rate::per_minute(1);
        let (visitor, now) = (VisitorId::random(), Instant::now());
        assert_eq!(rate.has_room(visitor, now), Ok(()));
        assert_eq!(rate.take(visitor, now), Ok(()));
        let again_after = Duration::from_secs(60);
        let full = Err(TooOften { again_after });
        assert_eq!(rate.has_room(visitor, now), full);
        assert_eq!(rate.has_room(visitor, now + again_after), Ok(()));
    }

    #[test]
    fn a_flood_of_new_visitors_takes_no_more_memory_and_frees_nobody() {
        let rate = Rate::per_minute(1);
        let (hasty, mut now) = (VisitorId::random(), Instant::now());
        assert_eq!(rate.take(hasty, now), Ok(()));
        for _ in 0..MOST_COUNTED + 10 {
            assert_eq!(rate.take(VisitorId::random(), now), Ok(()));
        }
        let counted = || rate.buckets.lock().map(|buckets| buckets.len());
        assert_eq!(counted().ok(), Some(MOST_COUNTED));
        assert!(rate.take(hasty, now).is_err());
        now += Duration::from_secs(60);
        assert_eq!(rate.take(VisitorId::random(), now), Ok(()));
        assert_eq!(counted().ok(), Some(1), "full buckets are forgotten");
    }
}
