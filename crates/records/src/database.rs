//! The opened database, lent to rooms that keep tables of their own in it. Its bounds, its one writer and its migrations
//! are those of the records: in a file a second writer would meet "database is locked".

use crate::open_error::OpenError;
use crate::postgres::{PostgresStore, is_postgres};
use crate::sealing::RecordsKeys;
use crate::sqlite::SqliteStore;

/// One database, by its kind. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Database {
    /// Written to by [`SqliteStore::write`] and read by [`SqliteStore::readers`].
    Sqlite(SqliteStore),
    /// Both by [`PostgresStore::run`].
    Postgres(PostgresStore),
}

impl Database {
    /// As [`crate::Records::open_with`] does.
    pub async fn open(url: &str, keys: RecordsKeys) -> Result<Self, OpenError> {
        if is_postgres(url) {
            return Ok(Self::Postgres(PostgresStore::open_with(url, keys).await?));
        }
        match url.strip_prefix("sqlite:") {
            Some(place) => Ok(Self::Sqlite(SqliteStore::open_with(place, keys).await?)),
            None => Err(OpenError::UnknownDatabase),
        }
    }

    /// One that answers nothing, as a database does that has gone away: every look at it, and every write, is
    /// [`crate::StoreError::Unavailable`].
    pub async fn out_of_reach(keys: RecordsKeys) -> Result<Self, OpenError> {
        let database = Self::open("sqlite::memory:", keys).await?;
        database.close().await;
        Ok(database)
    }

    /// Ends its connections. What is asked of it afterwards is refused.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(store) => store.close().await,
            Self::Postgres(store) => store.close().await,
        }
    }

    /// What it seals with.
    pub fn keys(&self) -> &RecordsKeys {
        match self {
            Self::Sqlite(store) => store.keys(),
            Self::Postgres(store) => store.keys(),
        }
    }
}
