//! The contract of both databases. What it must do beyond its signatures is told in `tests/contract.rs`.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use records::{Database, StoreError, Window};
use redact::Secret;
use uuid::Uuid;

use crate::postgres::InPostgres;
use crate::resource::{Kind, Resource};
use crate::sqlite::InSqlite;

/// Which resources of a kind are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub created: Window,
    pub updated: Window,
    pub newest_first: bool,
    /// Left out, of those in order.
    pub skip: u32,
    pub most: u32,
}

impl Wanted {
    /// The latest.
    pub fn latest(most: u32) -> Self {
        Self {
            created: Window::ALL,
            updated: Window::ALL,
            newest_first: true,
            skip: 0,
            most,
        }
    }
}

/// Some of a kind, in the order in which they were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub resources: Vec<Resource>,
    /// With those that were left out, and those past the page.
    pub total: u64,
}

#[async_trait]
pub(crate) trait ResourceStore: Send + Sync {
    /// `false` where its id is taken: then nothing is written.
    async fn add(
        &self,
        resource: &Resource,
        content: Option<&Secret<String>>,
    ) -> Result<bool, StoreError>;

    async fn resource(&self, kind: Kind, id: Uuid) -> Result<Option<Resource>, StoreError>;

    async fn content(&self, kind: Kind, id: Uuid) -> Result<Option<Secret<String>>, StoreError>;

    async fn list(&self, kind: Kind, wanted: Wanted) -> Result<Page, StoreError>;

    /// Puts it in the place of the version before its own; `false` where that is not there any more.
    async fn replace(&self, resource: &Resource) -> Result<bool, StoreError>;

    /// Removes it for good, its words overwritten on disk: by SQLite now, by PostgreSQL when it reuses their room. `false`
    /// where there is none.
    async fn remove(&self, kind: Kind, id: Uuid) -> Result<bool, StoreError>;

    /// Removes, in the same way, those that were made before that moment. How many there were.
    async fn remove_made_before(&self, kind: Kind, moment: Timestamp) -> Result<u64, StoreError>;
}

/// The store in this database, whose tables the records have laid.
pub(crate) fn on(database: &Database) -> Arc<dyn ResourceStore> {
    match database {
        Database::Sqlite(store) => Arc::new(InSqlite(store.clone())),
        Database::Postgres(store) => Arc::new(InPostgres(store.clone())),
    }
}
