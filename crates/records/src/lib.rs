//! Call records: what is kept of a call, where, and for how long.
//!
//! [`Records::open`] gives the store; what can be done with it is [`CallStore`], which
//! every database implements the same way (`tests/contract` is the story they share).
//! A turn put here is on disk before the call goes on; a call that was cut off by a crash
//! is found again by [`CallStore::left_behind`], and gone on with by one node alone
//! ([`CallStore::take_call`]); and a visitor is only ever given the ten samples and their own
//! calls. What is personal is sealed where keys are given: [`RecordsKeys`]. A file is one server's
//! at a time ([`SoleUse`]); several nodes share PostgreSQL. While a database cannot be opened, records are kept [`Aside`], and
//! taken in later ([`take_in`]). Rooms with tables of their own in the same
//! database are lent it ([`Database`]). A backup is one file, whichever database it is of and is put back into ([`back_up`],
//! [`restore`]); a room that lays its own tables comes along as a [`Lodger`].
//!
//! This crate does not decide what is in a case note (the flow does), who a visitor is, or
//! when to purge (the server does). It logs numbers and never content.

mod aside;
mod backup;
mod call_record;
mod changes;
mod copying;
mod database;
mod database_error;
mod finding;
mod forgetting;
mod holding;
mod json;
mod label;
mod list;
mod notice;
mod open_error;
mod postgres;
mod rotation;
mod row;
mod samples;
mod sealing;
mod sole_use;
mod sqlite;
mod store;
mod tables;
mod taking_in;

use std::ops::Deref;
use std::sync::Arc;

pub use aside::{Aside, left_aside};
pub use backup::{BackupError, Restored, back_up, restore};
pub use call_record::{
    CallId, CallKind, CallRecord, FinishedCall, Message, NewCall, OfficerId, Role, Turn,
    UnfinishedCall, VisitorId,
};
pub use changes::{Bell, Change, Changes};
pub use database::Database;
pub use finding::{Assistants, Found, Wanted, Window};
pub use forgetting::{By, Past, Purged};
pub use label::Label;
pub use list::{ListPage, Place, UnknownPlace, Urgency};
pub use notice::{Notice, UnknownNotice};
pub use open_error::OpenError;
pub use postgres::{AUDIT_LOCK, PostgresOpenError, PostgresStore};
pub use rotation::{Rotated, RotationError, rotate_keys};
pub use sealing::{
    DeskPart, RecordsKeys, RecordsKeysError, ResourcePart, Unopened, new_records_key,
};
pub use sole_use::SoleUse;
pub use sqlite::SqliteStore;
pub use store::{CallStore, StoreError};
pub use tables::{ColumnType, LEFT_OUT, Laying, Lodger, TABLES, Table};
pub use taking_in::{TakenIn, take_in};

use postgres::is_postgres;

/// Whether `url` is of a form that [`Records::open`] knows. Nothing is opened.
pub fn check_url(url: &str) -> Result<(), OpenError> {
    if is_postgres(url) {
        return Ok(postgres::check_url(url)?);
    }
    sqlite::check_url(url)
}

/// The records, whichever database holds them. Cheap to clone; dereferences to
/// [`CallStore`].
#[derive(Clone)]
pub struct Records {
    store: Arc<dyn CallStore>,
    database: Option<Database>,
}

impl Records {
    /// Opens the database at `url`, `sqlite:PATH`, `sqlite::memory:` or `postgres://…`, laying
    /// its tables and the ten sample records when it is new, and bringing an older one up to
    /// date.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        Self::open_with(url, RecordsKeys::none()).await
    }

    /// The same, with what is personal sealed by the first of these keys.
    pub async fn open_with(url: &str, keys: RecordsKeys) -> Result<Self, OpenError> {
        Ok(Self::in_database(Database::open(url, keys).await?))
    }

    /// Those of a database that is open.
    pub fn in_database(database: Database) -> Self {
        let store: Arc<dyn CallStore> = match &database {
            Database::Sqlite(store) => Arc::new(store.clone()),
            Database::Postgres(store) => Arc::new(store.clone()),
        };
        Self {
            store,
            database: Some(database),
        }
    }

    /// Records over any store.
    pub fn of(store: impl CallStore + 'static) -> Self {
        Self {
            store: Arc::new(store),
            database: None,
        }
    }

    /// What they are kept in, for rooms that keep something else there. None behind a store made elsewhere.
    pub fn database(&self) -> Option<Database> {
        self.database.clone()
    }
}

impl Deref for Records {
    type Target = dyn CallStore;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Records")
    }
}
