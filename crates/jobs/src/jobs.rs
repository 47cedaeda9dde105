//! The jobs of one database.

use std::sync::Arc;
use std::time::Duration;

use records::{Database, StoreError};

use crate::about::About;
use crate::postgres::InPostgres;
use crate::sqlite::InSqlite;

/// What kind of work: the name of its queue, and what measurements call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind(pub &'static str);

/// How the jobs of a kind stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub kind: String,
    /// To be tried, for the first time or again.
    pub waiting: u64,
    /// Tried for as long as it was to be, without success.
    pub given_up: u64,
}

/// Why jobs could not be stored or asked for.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    #[error(
        "the tables of background work cannot be laid ({0}). In PostgreSQL they need the extension hstore, and a schema of \
         their own: have the database's administrator run `GRANT CREATE ON DATABASE nightlight TO nightlight`, with your \
         names, and install PostgreSQL's contributed modules where hstore is missing"
    )]
    NotLaid(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A queue in the records' database. Cheap to clone.
#[derive(Clone)]
pub struct Jobs {
    pub(crate) place: Place,
}

#[derive(Clone)]
pub(crate) enum Place {
    Sqlite(Arc<InSqlite>),
    Postgres(Arc<InPostgres>),
}

/// Jobs that were done are kept for so long: what was put before is not put again meanwhile.
const DONE_KEPT: Duration = Duration::from_hours(24 * 14);

impl Jobs {
    /// In this database; lays the queue's tables, or brings them up to date.
    pub async fn open(database: &Database) -> Result<Self, JobsError> {
        let place = match database {
            Database::Sqlite(store) => Place::Sqlite(Arc::new(InSqlite::open(store).await?)),
            Database::Postgres(store) => Place::Postgres(Arc::new(InPostgres::open(store).await?)),
        };
        Ok(Self { place })
    }

    /// Stores a job, to be tried so often. One that was put before, done or not, is not put again.
    pub async fn put(&self, kind: Kind, about: &About, attempts: usize) -> Result<(), JobsError> {
        match &self.place {
            Place::Sqlite(place) => place.put(kind, about, attempts).await,
            Place::Postgres(place) => place.put(kind, about, attempts).await,
        }
    }

    pub async fn standings(&self) -> Result<Vec<Standing>, JobsError> {
        match &self.place {
            Place::Sqlite(place) => place.standings().await,
            Place::Postgres(place) => place.standings().await,
        }
    }

    /// Deletes what was done long ago, and nodes that are no more.
    pub async fn tidy(&self) -> Result<(), JobsError> {
        match &self.place {
            Place::Sqlite(place) => place.tidy(DONE_KEPT).await,
            Place::Postgres(place) => place.tidy(DONE_KEPT).await,
        }
    }

    /// Gives back what a worker that is no more had taken up and did not come to.
    pub(crate) async fn give_back(&self, worker: &str) -> Result<(), JobsError> {
        match &self.place {
            Place::Sqlite(place) => place.give_back(worker).await,
            Place::Postgres(place) => place.give_back(worker).await,
        }
    }

    /// Has a job rest before it is tried again.
    pub(crate) async fn put_off(&self, id: &str, rest: Duration) -> Result<(), JobsError> {
        match &self.place {
            Place::Sqlite(place) => place.put_off(id, rest).await,
            Place::Postgres(place) => place.put_off(id, rest).await,
        }
    }
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Jobs")
    }
}
