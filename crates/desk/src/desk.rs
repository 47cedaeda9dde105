//! What the server holds: the accounts and their trail, over any database.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use flow::Agency;
use jiff::Timestamp;
use records::{Database, RecordsKeys, StoreError};

use crate::account::{self, Account, AccountId, BadName, Language};
use crate::audit::{About, Broken, Entry, Head, NewEntry, Verification, What, Who};
use crate::cases::{self, store::CaseStore};
use crate::password::Passwords;
use crate::permissions::Role;
use crate::session::SessionBounds;
use crate::shifts::{self, ShiftStore};
use crate::store::{self, DeskStore, Effects, StoredAccount, Which};

/// Entries that are read at once when the trail is walked along.
const WALKED_AT_ONCE: u32 = 1000;

/// The duty desk's accounts, sessions and audit trail. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    pub(crate) store: Arc<dyn DeskStore>,
    pub(crate) cases: Arc<dyn CaseStore>,
    pub(crate) database: Database,
    pub(crate) shifts: Arc<dyn ShiftStore>,
    pub(crate) keys: RecordsKeys,
    pub(crate) passwords: Passwords,
    pub(crate) bounds: SessionBounds,
}

/// What may be changed of an account; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub name: Option<String>,
    /// Another one ends the account's sessions.
    pub role: Option<Role>,
    /// Others than before end its sessions too.
    pub agencies: Option<BTreeSet<Agency>>,
    pub languages: Option<BTreeSet<Language>>,
}

/// Why an account stayed as it is.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("there is no such account: see the list of accounts")]
    Unknown,
    #[error("this account is closed: invite its holder with another sign-in name")]
    Closed,
    #[error("this is your own account: have another administrator change its role or close it")]
    OnesOwn,
    #[error(transparent)]
    BadName(#[from] BadName),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Desk {
    /// Over the database of the records.
    pub fn on(database: &Database, bounds: SessionBounds) -> Self {
        Self {
            store: store::on(database),
            cases: cases::store::on(database),
            database: database.clone(),
            shifts: shifts::on(database),
            keys: database.keys().clone(),
            passwords: Passwords::new(),
            bounds,
        }
    }

    /// Whether there is a desk: from its first account on.
    pub async fn is_open(&self) -> Result<bool, StoreError> {
        self.store.has_accounts().await
    }

    /// Every account, closed ones too, in the order in which they were made.
    pub async fn accounts(&self, now: Timestamp) -> Result<Vec<Account>, StoreError> {
        let accounts = self.store.accounts().await?;
        Ok(accounts.iter().map(|stored| stored.account(now)).collect())
    }

    pub async fn account(
        &self,
        which: &Which,
        now: Timestamp,
    ) -> Result<Option<Account>, StoreError> {
        let account = self.store.account(which).await?;
        Ok(account.map(|stored| stored.account(now)))
    }

    /// Changes an account. Nobody changes their own role.
    pub async fn change_account(
        &self,
        by: Who,
        id: AccountId,
        change: Change,
        now: Timestamp,
    ) -> Result<Account, ChangeError> {
        let name = change
            .name
            .as_deref()
            .map(account::sound_name)
            .transpose()?;
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            let account = account.ok_or(ChangeError::Unknown)?;
            if account.closed_at.is_some() {
                return Err(ChangeError::Closed);
            }
            let other_role = change.role.is_some_and(|role| role != account.role);
            if other_role && by == Who::Account(id) {
                return Err(ChangeError::OnesOwn);
            }
            let before = account.clone();
            account.name = name.unwrap_or_else(|| before.name.clone());
            account.role = change.role.unwrap_or(before.role);
            account.agencies = change.agencies.unwrap_or_else(|| before.agencies.clone());
            account.languages = change.languages.unwrap_or_else(|| before.languages.clone());
            // Who is only given more goes on with what they are at.
            let loses_an_agency = !before.agencies.is_subset(&account.agencies);
            effects.ends_sessions = other_role || loses_an_agency;
            let what = match other_role {
                true => What::RoleChanged,
                false => What::AccountChanged,
            };
            effects.entries.push(of_account(by, what, id, now));
            Ok(account.account(now))
        };
        self.change(&Which::Id(id), decide).await?
    }

    /// Closes an account for good: its sessions end and nobody signs in with it. It stays on the list and on the trail.
    pub async fn close_account(
        &self,
        by: Who,
        id: AccountId,
        now: Timestamp,
    ) -> Result<(), ChangeError> {
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            let account = account.ok_or(ChangeError::Unknown)?;
            if by == Who::Account(id) {
                return Err(ChangeError::OnesOwn);
            }
            if account.closed_at.is_none() {
                account.closed_at = Some(now);
                account.invitation = None;
                account.credentials = None;
                account.subject = None;
                account.recovery.clear();
                effects.ends_sessions = true;
                let closed = of_account(by, What::AccountClosed, id, now);
                effects.entries.push(closed);
            }
            Ok(())
        };
        self.change(&Which::Id(id), decide).await?
    }

    /// Puts on the trail what was done elsewhere in the desk.
    pub async fn note(&self, entry: NewEntry) -> Result<(), StoreError> {
        self.store.note(entry).await
    }

    /// The latest entries of the trail before this number, newest first.
    pub async fn audit(&self, before: Option<i64>, most: u32) -> Result<Vec<Entry>, StoreError> {
        let before = before.unwrap_or(i64::MAX);
        self.store.latest_entries(before, most).await
    }

    /// Walks along the whole trail, held also against a head that was kept; gives the head it has now, or where it does not
    /// hold.
    pub async fn verify_audit(
        &self,
        kept: Option<Head>,
    ) -> Result<Result<Head, Broken>, StoreError> {
        let mut verification = Verification::new(kept);
        // Whatever number an entry was given, it is among these.
        let mut after = i64::MIN;
        loop {
            let entries = self.store.entries(after, WALKED_AT_ONCE).await?;
            let Some(last) = entries.last() else {
                return Ok(verification.finish());
            };
            after = last.number;
            for entry in &entries {
                if let Err(broken) = verification.check(entry) {
                    return Ok(Err(broken));
                }
            }
        }
    }

    /// Changes an account as decided with it locked. Where the database fails, what was decided is not given.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        which: &Which,
        decide: impl FnOnce(Option<&mut StoredAccount>, &mut Effects) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let decided = Arc::new(Mutex::new(None));
        let told = Arc::clone(&decided);
        let decide = move |account: Option<&mut StoredAccount>| {
            let mut effects = Effects::default();
            let outcome = decide(account, &mut effects);
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            effects
        };
        self.store.change(which, Box::new(decide)).await?;
        let outcome = decided
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        Ok(outcome.expect("a store that has changed something has asked how"))
    }
}

/// An entry about an account.
pub(crate) fn of_account(by: Who, what: What, id: AccountId, at: Timestamp) -> NewEntry {
    NewEntry {
        at,
        who: by,
        what,
        about: Some(About::Account(id)),
    }
}
