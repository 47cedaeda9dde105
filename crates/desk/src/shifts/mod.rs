//! Shifts: when somebody is to be on duty, planned by a supervisor and seen by all who work at night. Whether they are on duty
//! then they say themselves: a plan rings nobody.
//!
//! Nobody has two shifts at the same time, and no shift is longer than a day.

mod postgres;
mod sqlite;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use records::{Database, StoreError};
use uuid::Uuid;

use crate::account::{AccountId, State};
use crate::audit::{NewEntry, What, Who};
use crate::desk::{Desk, of_account};
use crate::permissions::Act;
use crate::store::Which;

const LONGEST: SignedDuration = SignedDuration::from_hours(24);
/// Shifts that a list holds at most: a month of a large team.
const MOST: u32 = 2000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShiftId(pub Uuid);

impl fmt::Display for ShiftId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ShiftId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// From one moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    pub id: ShiftId,
    pub account: AccountId,
    pub begins: Timestamp,
    pub ends: Timestamp,
}

/// Why a shift was not planned.
#[derive(Debug, thiserror::Error)]
pub enum ShiftError {
    #[error("a shift ends after it begins, and at most a day later")]
    Length,
    #[error(
        "not somebody who takes calls: choose an officer or a supervisor whose account is open"
    )]
    NobodyForIt,
    #[error(
        "they have another shift at that time: take that one out first, or choose another time"
    )]
    Overlaps,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where shifts are kept; what it must do beyond its signatures is told in `tests/shifts.rs`.
#[async_trait]
pub trait ShiftStore: Send + Sync {
    /// Those that are under way at some moment from `from` until before `until`, in the order in which they begin, at most so
    /// many.
    async fn shifts(
        &self,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<Shift>, StoreError>;

    /// False where its account has another at that time: then nothing is written.
    async fn add_shift(&self, shift: Shift, entry: NewEntry) -> Result<bool, StoreError>;

    /// False where there is none of this id. The entry is about its account.
    async fn remove_shift(&self, id: ShiftId, by: Who, at: Timestamp) -> Result<bool, StoreError>;
}

/// The store in this database, whose tables the records have laid.
pub(crate) fn on(database: &Database) -> Arc<dyn ShiftStore> {
    match database {
        Database::Sqlite(store) => Arc::new(sqlite::InSqlite(store.clone())),
        Database::Postgres(store) => Arc::new(postgres::InPostgres(store.clone())),
    }
}

impl Desk {
    pub async fn shifts(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Shift>, StoreError> {
        self.shifts.shifts(from, until, MOST).await
    }

    /// Plans a shift of somebody who takes calls.
    pub async fn plan_shift(
        &self,
        by: Who,
        account: AccountId,
        begins: Timestamp,
        ends: Timestamp,
        now: Timestamp,
    ) -> Result<Shift, ShiftError> {
        let length = ends.duration_since(begins);
        if !length.is_positive() || length > LONGEST {
            return Err(ShiftError::Length);
        }
        let whose = self.account(&Which::Id(account), now).await?;
        let takes_calls =
            whose.is_some_and(|whose| whose.state != State::Closed && whose.may(Act::AcceptCall));
        if !takes_calls {
            return Err(ShiftError::NobodyForIt);
        }
        let shift = Shift {
            id: ShiftId(Uuid::now_v7()),
            account,
            begins,
            ends,
        };
        let planned = of_account(by, What::ShiftsChanged, account, now);
        match self.shifts.add_shift(shift, planned).await? {
            true => Ok(shift),
            false => Err(ShiftError::Overlaps),
        }
    }

    /// Takes a shift out of the plan. Whether it was there.
    pub async fn remove_shift(
        &self,
        by: Who,
        id: ShiftId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.shifts.remove_shift(id, by, now).await
    }
}
