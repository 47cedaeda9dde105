//! Which case is next, and when one comes back that somebody took and nobody touched.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use records::CallId;

use super::{CaseState, StoredCase};

/// A case's place among the open ones: the smaller stands above. What waits is above what somebody has; of each the urgent
/// ones come first, then those that came back most often, then those that stand so the longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueuePlace {
    pub taken: bool,
    pub not_urgent: bool,
    pub returned: Reverse<u32>,
    pub since: Timestamp,
    pub call_id: CallId,
}

impl QueuePlace {
    pub fn of(case: &StoredCase) -> Self {
        Self {
            taken: case.state != CaseState::Waiting,
            not_urgent: !case.urgent,
            returned: Reverse(case.returned),
            since: case.since,
            call_id: case.call_id,
        }
    }
}

/// A case's place among the closed ones, the latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedPlace {
    pub since: Timestamp,
    pub call_id: CallId,
}

impl ClosedPlace {
    pub fn of(case: &StoredCase) -> Self {
        Self {
            since: case.since,
            call_id: case.call_id,
        }
    }
}

/// When a case that somebody has goes back to the queue if nobody does anything with it: after this time, an urgent one
/// after half of it.
pub fn comes_back_at(case: &StoredCase, untouched: Duration) -> Option<Timestamp> {
    if case.state != CaseState::Taken {
        return None;
    }
    let after = untouched_for(case, untouched);
    case.touched_at.saturating_add(after).ok()
}

pub fn untouched_for(case: &StoredCase, untouched: Duration) -> Duration {
    match case.urgent {
        true => untouched / 2,
        false => untouched,
    }
}

impl fmt::Display for QueuePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            taken,
            not_urgent,
            returned,
            since,
            call_id,
        } = self;
        let since = since.as_microsecond();
        let (taken, not_urgent) = (u8::from(*taken), u8::from(*not_urgent));
        write!(f, "{taken}.{not_urgent}.{}.{since}.{call_id}", returned.0)
    }
}

impl fmt::Display for ClosedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.since.as_microsecond(), self.call_id)
    }
}

/// Not what a place was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a place in the list of cases: take one from a page of it")]
pub struct UnknownPlace;

impl FromStr for QueuePlace {
    type Err = UnknownPlace;

    fn from_str(text: &str) -> Result<Self, UnknownPlace> {
        let parts: Vec<&str> = text.split('.').collect();
        let [taken, not_urgent, returned, since, call_id] = parts[..] else {
            return Err(UnknownPlace);
        };
        Ok(Self {
            taken: flag(taken)?,
            not_urgent: flag(not_urgent)?,
            returned: Reverse(returned.parse().map_err(|_| UnknownPlace)?),
            since: moment(since)?,
            call_id: call_id.parse().map_err(|_| UnknownPlace)?,
        })
    }
}

impl FromStr for ClosedPlace {
    type Err = UnknownPlace;

    fn from_str(text: &str) -> Result<Self, UnknownPlace> {
        let (since, call_id) = text.split_once('.').ok_or(UnknownPlace)?;
        Ok(Self {
            since: moment(since)?,
            call_id: call_id.parse().map_err(|_| UnknownPlace)?,
        })
    }
}

fn flag(text: &str) -> Result<bool, UnknownPlace> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(UnknownPlace),
    }
}

fn moment(text: &str) -> Result<Timestamp, UnknownPlace> {
    let micros = text.parse().map_err(|_| UnknownPlace)?;
    Timestamp::from_microsecond(micros).map_err(|_| UnknownPlace)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use flow::Agency;

    use super::*;
    use crate::cases::tests::waiting;

    const HALF_AN_HOUR: Duration = Duration::from_mins(30);

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn case(state: CaseState, urgent: bool, returned: u32, since: i64) -> StoredCase {
        StoredCase {
            state,
            urgent,
            returned,
            since: at(since),
            touched_at: at(since),
            ..waiting(Agency::Pave)
        }
    }

    #[test]
    fn the_queue_is_ordered_by_risk_then_by_having_come_back_then_by_waiting() {
        use CaseState::{Taken, Waiting};
        let in_order = [
            case(Waiting, true, 2, 50),
            case(Waiting, true, 1, 60),
            case(Waiting, true, 0, 10),
            case(Waiting, true, 0, 20),
            case(Waiting, false, 1, 90),
            case(Waiting, false, 0, 1),
            case(Waiting, false, 0, 2),
            case(Taken, true, 0, 0),
            case(Taken, false, 0, 0),
        ];
        let places: Vec<_> = in_order.iter().map(QueuePlace::of).collect();
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn a_taken_case_comes_back_half_an_hour_after_it_was_touched_and_an_urgent_one_sooner() {
        let taken = case(CaseState::Taken, false, 0, 0);
        assert_eq!(comes_back_at(&taken, HALF_AN_HOUR), Some(at(1800)));
        let urgent = case(CaseState::Taken, true, 0, 0);
        assert_eq!(comes_back_at(&urgent, HALF_AN_HOUR), Some(at(900)));
        let touched = StoredCase {
            touched_at: at(600),
            ..urgent
        };
        assert_eq!(comes_back_at(&touched, HALF_AN_HOUR), Some(at(1500)));
    }

    #[test]
    fn what_nobody_has_does_not_come_back() {
        for state in [CaseState::Waiting, CaseState::Closed] {
            let case = case(state, true, 0, 0);
            assert_eq!(comes_back_at(&case, HALF_AN_HOUR), None);
        }
    }

    #[test]
    fn a_place_is_read_back_as_it_was_written_and_nothing_else_is_one() {
        let case = case(CaseState::Taken, false, 3, 7);
        let place = QueuePlace::of(&case);
        assert_eq!(place.to_string().parse(), Ok(place));
        let place = ClosedPlace::of(&case);
        assert_eq!(place.to_string().parse(), Ok(place));
        for text in ["", "0.0.0.0", "2.0.0.0.x", "0.0.-1.0.x", "a.b.c.d.e"] {
            assert_eq!(text.parse::<QueuePlace>(), Err(UnknownPlace), "{text}");
            assert_eq!(text.parse::<ClosedPlace>(), Err(UnknownPlace), "{text}");
        }
    }
}
