//! Calls as a program finds them, whoever's they are: by kind, by whom they were asked for and by time, a page at a time.
//! The samples are not among them.

use flow::EndReason;
use jiff::{SignedDuration, Timestamp};

use crate::call_record::{CallId, CallKind, CallRecord};

/// From one moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    from: Timestamp,
    before: Timestamp,
}

/// As far as times are told. They are kept to the microsecond: whoever asks for what is after a moment that they were told does
/// not mean the rest of its millisecond.
const TICK: SignedDuration = SignedDuration::from_millis(1);
const TICK_NANOS: i128 = 1_000_000;

impl Window {
    /// Every time there can be: nothing was stored before 1970, and no database has to know of earlier ones.
    pub const ALL: Self = Self {
        from: Timestamp::UNIX_EPOCH,
        before: Timestamp::MAX,
    };

    /// Of this, what is not before that moment.
    pub fn from(self, at: Timestamp) -> Self {
        Self {
            from: self.from.max(tick_at_or_after(at)),
            ..self
        }
    }

    /// Of this, what is after that moment.
    pub fn after(self, at: Timestamp) -> Self {
        Self {
            from: self.from.max(tick_after(at)),
            ..self
        }
    }

    /// Of this, what is before that moment.
    pub fn before(self, at: Timestamp) -> Self {
        Self {
            before: self.before.min(tick_at_or_after(at)),
            ..self
        }
    }

    /// Of this, what is not after that moment.
    pub fn until(self, at: Timestamp) -> Self {
        Self {
            before: self.before.min(tick_after(at)),
            ..self
        }
    }

    pub fn holds(self, at: Timestamp) -> bool {
        self.begins() <= at && at < self.ends()
    }

    /// The first moment of it.
    pub fn begins(self) -> Timestamp {
        self.from
    }

    /// The first moment that is past it.
    pub fn ends(self) -> Timestamp {
        self.before.max(Timestamp::UNIX_EPOCH)
    }
}

/// The first moment that can be told and is not before this one.
fn tick_at_or_after(at: Timestamp) -> Timestamp {
    let floor = floor(at);
    match floor == at {
        true => at,
        false => floor.saturating_add(TICK).unwrap_or(Timestamp::MAX),
    }
}

fn tick_after(at: Timestamp) -> Timestamp {
    floor(at).saturating_add(TICK).unwrap_or(Timestamp::MAX)
}

fn floor(at: Timestamp) -> Timestamp {
    let nanos = at.as_nanosecond();
    Timestamp::from_nanosecond(nanos - nanos.rem_euclid(TICK_NANOS)).unwrap_or(at)
}

/// With whom calls were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assistants {
    /// The embedded one, which has those whose label names nobody.
    pub embedded: bool,
    /// Those of labels.
    pub named: Vec<String>,
}

/// Which calls are to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub kind: CallKind,
    /// Of these ids, if any are told.
    pub ids: Option<Vec<CallId>>,
    /// Asked for with one of these, if any are told.
    pub assistants: Option<Assistants>,
    /// Asked for with one of these squads, if any are told.
    pub squads: Option<Vec<String>>,
    /// Ended so, if any are told.
    pub ended: Option<Vec<EndReason>>,
    /// When they began.
    pub began: Window,
    /// When they ended, or else began.
    pub changed: Window,
    pub newest_first: bool,
    /// Left out, of those in order.
    pub skip: u32,
    pub most: u32,
    /// Whether all of them are counted.
    pub counted: bool,
}

impl Wanted {
    /// The latest of a kind.
    pub fn of(kind: CallKind, most: u32) -> Self {
        Self {
            kind,
            ids: None,
            assistants: None,
            squads: None,
            ended: None,
            began: Window::ALL,
            changed: Window::ALL,
            newest_first: true,
            skip: 0,
            most,
            counted: true,
        }
    }
}

/// Calls that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub records: Vec<CallRecord>,
    /// With those that were left out, and those past the page; where they were not counted, as far as the page goes.
    pub total: u64,
}

/// As [`Found`] tells it.
pub(crate) fn total(counted: Option<i64>, wanted: &Wanted, rows: usize) -> u64 {
    match counted {
        Some(counted) => counted.unsigned_abs(),
        None => u64::from(wanted.skip) + rows as u64,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_holds_its_first_moment_and_not_the_one_past_it() {
        let noon = at("2026-11-24T12:00:00Z");
        let tick = noon + TICK;
        assert!(Window::ALL.holds(noon));
        assert!(Window::ALL.from(noon).holds(noon));
        assert!(!Window::ALL.after(noon).holds(noon));
        assert!(Window::ALL.after(noon).holds(tick));
        assert!(!Window::ALL.before(noon).holds(noon));
        assert!(Window::ALL.until(noon).holds(noon));
        assert!(!Window::ALL.until(noon).holds(tick));
        assert!(!Window::ALL.after(noon).before(noon).holds(noon));
    }

    #[test]
    fn moments_between_those_that_are_told_leave_out_nothing_and_bring_nothing_in() {
        let (kept, next) = (at("2026-11-24T12:00:00Z"), at("2026-11-24T12:00:00.001Z"));
        let between = at("2026-11-24T12:00:00.0005Z");
        for window in [Window::ALL.from(between), Window::ALL.after(between)] {
            assert!(!window.holds(kept) && window.holds(next));
        }
        for window in [Window::ALL.before(between), Window::ALL.until(between)] {
            assert!(window.holds(kept) && !window.holds(next));
        }
    }

    #[test]
    fn what_is_told_as_a_moment_is_taken_for_it() {
        let told = at("2026-11-24T12:00:00.123Z");
        let kept = at("2026-11-24T12:00:00.123456Z");
        assert!(Window::ALL.from(told).holds(kept) && Window::ALL.until(told).holds(kept));
        assert!(!Window::ALL.after(told).holds(kept) && !Window::ALL.before(told).holds(kept));
    }

    #[test]
    fn a_moment_before_everything_is_no_trouble() {
        let long_ago = at("-009998-01-01T00:00:00Z");
        assert_eq!(Window::ALL.from(long_ago), Window::ALL);
        assert_eq!(Window::ALL.before(long_ago).ends(), Timestamp::UNIX_EPOCH);
        assert!(
            !Window::ALL
                .before(long_ago)
                .holds(at("2026-01-01T00:00:00Z"))
        );
    }
}
