//! Whose look at the list of cases this process has put on the audit trail, and when. An open page reads the list at every change of a
//! case: an entry stands for a while. The trail alone cannot tell where colleagues are busy: there are too many entries since.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use desk::AccountId;

/// How long an entry stands for further looks.
pub const VIEW_LASTS: Duration = Duration::from_mins(1);

/// Accounts that are remembered: more than any desk has at work within a minute.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub struct QueueViews(Mutex<HashMap<AccountId, Instant>>);

impl QueueViews {
    /// Whether an entry of this account's stands.
    pub fn stands(&self, account: AccountId, now: Instant) -> bool {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.get(&account).is_some_and(|at| lasts(*at, now))
    }

    /// An entry was written. One that is not remembered is written again.
    pub fn noted(&self, account: AccountId, now: Instant) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|_, at| lasts(*at, now));
        if noted.len() < MOST {
            noted.insert(account, now);
        }
    }
}

fn lasts(at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(at) < VIEW_LASTS
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    #[test]
    fn an_entry_stands_for_a_minute_of_its_own_account() {
        let (views, begun) = (QueueViews::default(), Instant::now());
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert!(!views.stands(account(1), at(0)));
        views.noted(account(1), at(0));
        assert!(views.stands(account(1), at(59)));
        assert!(!views.stands(account(2), at(59)));
        assert!(!views.stands(account(1), at(60)));
    }

    #[test]
    fn what_is_remembered_has_a_bound_and_makes_room_by_itself() {
        let (views, begun) = (QueueViews::default(), Instant::now());
        let most = MOST as u128;
        for number in 0..=most {
            views.noted(account(number), begun);
        }
        assert!(views.stands(account(most - 1), begun));
        assert!(!views.stands(account(most), begun), "one too many");
        let later = begun + VIEW_LASTS;
        views.noted(account(most), later);
        assert!(views.stands(account(most), later));
    }
}
