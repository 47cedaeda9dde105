//! Whose desk rings for one call.

use std::collections::HashSet;

use desk::{Account, AccountId, Act};
use flow::Agency;
use jiff::Timestamp;
use turn::Ring;

/// One call that rings.
pub(super) struct Ringing {
    pub agency: Agency,
    pub since: Timestamp,
    pub whom: Ring,
    rung: HashSet<AccountId>,
    declined: HashSet<AccountId>,
    /// The call was told that nobody is left, in this round.
    is_told: bool,
}

/// Whether this account, which is free, is rung in this round.
pub(super) fn is_rung(account: &Account, agency: Agency, whom: Ring) -> bool {
    let for_it = match whom {
        Ring::Those => account.agencies.contains(&agency) && speaks_with_callers(account),
        Ring::Everyone => true,
    };
    for_it && account.may(Act::AcceptCall)
}

/// The assistant converses in English, and so do its callers.
fn speaks_with_callers(account: &Account) -> bool {
    account.languages.iter().any(|it| it.as_str() == "en")
}

impl Ringing {
    pub fn of(agency: Agency, since: Timestamp) -> Self {
        Self {
            agency,
            since,
            whom: Ring::Those,
            rung: HashSet::new(),
            declined: HashSet::new(),
            is_told: false,
        }
    }

    /// Rings these too; those of them who are newly rung.
    pub fn ring(&mut self, those: Vec<AccountId>, whom: Ring) -> Vec<AccountId> {
        self.whom = whom;
        self.is_told = false;
        let new = those.into_iter();
        new.filter(|account| self.rung.insert(*account)).collect()
    }

    pub fn rings(&self, account: AccountId) -> bool {
        self.rung.contains(&account) && !self.declined.contains(&account)
    }

    /// Whose desk rings.
    pub fn ringing(&self) -> impl Iterator<Item = AccountId> {
        self.rung.difference(&self.declined).copied()
    }

    pub fn decline(&mut self, account: AccountId) {
        self.declined.insert(account);
    }

    pub fn desks(self) -> Vec<AccountId> {
        self.rung.into_iter().collect()
    }

    /// True once in a round: when nobody who is rung is there and has not declined.
    pub fn is_given_up(&mut self, is_there: impl Fn(&AccountId) -> bool) -> bool {
        let waits = self
            .rung
            .iter()
            .any(|account| !self.declined.contains(account) && is_there(account));
        !waits && !std::mem::replace(&mut self.is_told, true)
    }
}
