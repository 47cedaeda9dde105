//! The contract of every database behind the cases; what it must do beyond its signatures is told in `tests/cases`.
//!
//! A change of a case is decided with the case locked, and written together with its history and with its entries on the
//! audit trail: of two that take the same case one is refused, and nothing is done that the trail does not have.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use flow::Agency;
use jiff::Timestamp;
use records::{CallId, Database, StoreError};
use redact::Secret;

use super::caller_number::{CallerDigest, CallerKey};
use super::queue::{ClosedPlace, QueuePlace};
use super::{CaseAct, CaseFile, Did, FollowUp, Hold, ListedCase, StoredCase};
use crate::account::{Account, AccountId};
use crate::audit::{Entry, NewEntry};
use crate::permissions::{Act, Extent};

/// The store in this database, whose tables the records have laid.
pub fn on(database: &Database) -> Arc<dyn CaseStore> {
    let keys = database.keys().clone();
    match database {
        Database::Sqlite(store) => Arc::new(super::sqlite::InSqlite {
            store: store.clone(),
            keys,
        }),
        Database::Postgres(store) => Arc::new(super::postgres::InPostgres {
            store: store.clone(),
            keys,
        }),
    }
}

/// Which cases somebody's list is narrowed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    All,
    /// Those of these agencies, and those that this account has, or had when they were closed.
    Of {
        agencies: BTreeSet<Agency>,
        account: AccountId,
    },
}

impl Scope {
    /// Those with which this account may do this; none where its role may not at all.
    pub fn of(account: &Account, act: Act) -> Option<Self> {
        match account.extent(act) {
            Extent::Never => None,
            Extent::All => Some(Self::All),
            Extent::OwnAgency => Some(Self::Of {
                agencies: account.agencies.clone(),
                account: account.id,
            }),
        }
    }
}

/// A line for a case's history. The store numbers it.
#[derive(Debug, Clone)]
pub struct NewCaseAct {
    pub at: Timestamp,
    /// None: the server by itself.
    pub who: Option<AccountId>,
    pub did: Did,
    pub words: Option<Secret<String>>,
}

/// What is written together with a case.
#[derive(Debug, Default)]
pub struct CaseEffects {
    pub acts: Vec<NewCaseAct>,
    /// On the audit trail.
    pub entries: Vec<NewEntry>,
    /// Put as they are, whether they were there or not.
    pub follow_ups: Vec<FollowUp>,
    /// Another one, or none any more.
    pub hold: Option<Option<Hold>>,
}

/// Decides on a change with the case locked; without one, there is none of that id. `None`: nothing is written.
pub type DecideOnCase = Box<dyn FnOnce(Option<&mut CaseFile>) -> Option<CaseEffects> + Send>;

/// Where cases are kept.
#[async_trait]
pub trait CaseStore: Send + Sync {
    /// Calls that have ended, are no samples and have no case, or one that nobody has changed and that was made of another
    /// end: the latest ended first, and `most` of them.
    async fn calls_without_case(&self, most: u32) -> Result<Vec<CallId>, StoreError>;

    /// False where there is one with its id: then nothing is written.
    async fn add_case(&self, case: StoredCase, effects: CaseEffects) -> Result<bool, StoreError>;

    async fn case(&self, call_id: CallId) -> Result<Option<CaseFile>, StoreError>;

    /// Has `decide` change the case, and writes what it says, whole or not at all.
    async fn change_case(&self, call_id: CallId, decide: DecideOnCase) -> Result<(), StoreError>;

    /// A case's history, in its order.
    async fn case_acts(&self, call_id: CallId) -> Result<Vec<CaseAct>, StoreError>;

    /// The entries of the audit trail about a call, in their order, at most so many.
    async fn entries_about(&self, call_id: CallId, most: u32) -> Result<Vec<Entry>, StoreError>;

    /// The open cases behind this place, in the order of [`QueuePlace`], at most so many.
    async fn open_cases(
        &self,
        scope: &Scope,
        after: Option<QueuePlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError>;

    /// The closed cases behind this place, the latest closed first, at most so many.
    async fn closed_cases(
        &self,
        scope: &Scope,
        after: Option<ClosedPlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError>;

    /// The cases of calls that ended from this moment until before that one, in the order of their ends, at most so many.
    async fn cases_ended_between(
        &self,
        scope: &Scope,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError>;

    /// The cases of this number, the latest first, at most so many.
    async fn cases_of_caller(
        &self,
        caller: &CallerDigest,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError>;

    /// Follow-ups that are not done and due before this moment, the earliest first, at most so many.
    async fn follow_ups_due(
        &self,
        scope: &Scope,
        before: Timestamp,
        most: u32,
    ) -> Result<Vec<FollowUp>, StoreError>;

    /// What numbers are digested with: made when it is first asked for. None where it cannot be opened.
    async fn caller_key(&self) -> Result<Option<CallerKey>, StoreError>;
}
