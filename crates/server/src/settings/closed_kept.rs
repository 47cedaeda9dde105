//! How long a closed case is kept: one time, or another that its outcome has. What callers are told, `records_kept_days`, is
//! the most in any case.

use desk::cases::Outcome;
use jiff::{SignedDuration, Timestamp};

use super::values::Values;

const A_DAY: SignedDuration = SignedDuration::from_hours(24);

/// How long closed cases are kept, by what came of them.
#[derive(Debug, Clone)]
pub struct ClosedKept {
    helped: SignedDuration,
    referred: SignedDuration,
    not_reached: SignedDuration,
    no_action_needed: SignedDuration,
}

impl ClosedKept {
    /// When the record of a case is to be deleted that was closed then.
    pub fn until(&self, closed_at: Timestamp, outcome: Outcome) -> Timestamp {
        closed_at
            + match outcome {
                Outcome::Helped => self.helped,
                Outcome::Referred => self.referred,
                Outcome::NotReached => self.not_reached,
                Outcome::NoActionNeeded => self.no_action_needed,
            }
    }
}

pub(super) fn read(values: &mut Values) -> ClosedKept {
    let usual: i32 = values.number("closed_kept_days", 14, 1..=3650);
    let mut time = |key: &str| A_DAY * values.number(key, usual, 1..=3650);
    ClosedKept {
        helped: time("closed_kept_days_helped"),
        referred: time("closed_kept_days_referred"),
        not_reached: time("closed_kept_days_not_reached"),
        no_action_needed: time("closed_kept_days_no_action_needed"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::Settings;
    use super::*;

    fn days(file: &str) -> Vec<i64> {
        let settings = Settings::from_sources(Some(file), []).unwrap();
        let closed_at = Timestamp::from_second(1_800_000_000).unwrap();
        let kept = |outcome: &Outcome| {
            let until = settings.closed_kept.until(closed_at, *outcome);
            until.duration_since(closed_at).as_hours() / 24
        };
        Outcome::ALL.iter().map(kept).collect()
    }

    #[test]
    fn a_closed_case_is_kept_for_two_weeks_unless_set_otherwise() {
        assert_eq!(days(""), [14, 14, 14, 14]);
        assert_eq!(days("closed_kept_days = 5"), [5, 5, 5, 5]);
    }

    #[test]
    fn an_outcome_can_have_a_time_of_its_own() {
        let own = "closed_kept_days = 5\nclosed_kept_days_referred = 28\nclosed_kept_days_not_reached = 9";
        assert_eq!(days(own), [5, 28, 9, 5]);
        for outcome in Outcome::ALL {
            let key = format!("closed_kept_days_{}", outcome.as_str().replace('-', "_"));
            let own = days(&format!("{key} = 3"));
            assert_eq!(own.iter().filter(|days| **days == 3).count(), 1, "{key}");
        }
    }

    #[test]
    fn it_is_kept_for_some_time_and_not_for_ever() {
        for refused in ["closed_kept_days = 0", "closed_kept_days_helped = 3651"] {
            let problems = Settings::from_sources(Some(refused), []).unwrap_err();
            assert!(problems.to_string().contains("closed_kept_days"));
        }
    }
}
