//! The queue in the records' SQLite file, through the records' one writer: a connection of its own would meet "database is
//! locked", and the library's own set-up would turn `synchronous` off, so that a power cut could lose what was stored.

use std::time::Duration;

use apalis_core::task::builder::TaskBuilder;
use apalis_sqlite::{Config, SqliteStorage};
use records::{SqliteStore, StoreError};
use sqlx::Row;

use crate::about::About;
use crate::jobs::{JobsError, Kind, Standing};

/// Beside the records' own list of migrations, which knows nothing of these.
const MIGRATIONS: &str = "jobs_migrations";

pub(crate) struct InSqlite {
    store: SqliteStore,
}

impl InSqlite {
    pub async fn open(store: &SqliteStore) -> Result<Self, JobsError> {
        let mut migrations = SqliteStorage::migrations();
        migrations.dangerous_set_table_name(MIGRATIONS);
        let mut setup = store.write().await?;
        migrations
            .run_direct(None, &mut *setup, false)
            .await
            .map_err(|error| JobsError::NotLaid(error.to_string()))?;
        setup.commit().await.map_err(StoreError::from)?;
        Ok(Self {
            store: store.clone(),
        })
    }

    pub fn queue(&self, config: Config) -> SqliteStorage<String> {
        SqliteStorage::new(self.store.writer()).with_config(config)
    }

    pub async fn put(&self, kind: Kind, about: &About, attempts: usize) -> Result<(), JobsError> {
        let task = TaskBuilder::new(crate::work::stored(about))
            .idempotency_key(about.as_str())
            .max_attempts(attempts)
            .build();
        let mut write = self.store.write().await?;
        apalis_sqlite::queries::push_tasks(&mut *write, kind.0, &[task])
            .await
            .map_err(of_the_queue)?;
        write.commit().await.map_err(StoreError::from)?;
        Ok(())
    }

    pub async fn put_off(&self, id: &str, rest: Duration) -> Result<(), JobsError> {
        let mut write = self.store.write().await?;
        sqlx::query("UPDATE Jobs SET run_at = strftime('%s', 'now') + ? WHERE id = ?")
            .bind(i64::try_from(rest.as_secs()).unwrap_or(i64::MAX))
            .bind(id)
            .execute(&mut *write)
            .await
            .map_err(StoreError::from)?;
        write.commit().await.map_err(StoreError::from)?;
        Ok(())
    }

    pub async fn give_back(&self, worker: &str) -> Result<(), JobsError> {
        let mut write = self.store.write().await?;
        sqlx::query(
            "UPDATE Jobs SET status = 'Pending', lock_by = NULL, lock_at = NULL \
             WHERE lock_by = ? AND status IN ('Queued', 'Running')",
        )
        .bind(worker)
        .execute(&mut *write)
        .await
        .map_err(StoreError::from)?;
        write.commit().await.map_err(StoreError::from)?;
        Ok(())
    }

    pub async fn standings(&self) -> Result<Vec<Standing>, JobsError> {
        let rows = sqlx::query(
            "SELECT job_type, count(*) FILTER (WHERE status IN ('Pending', 'Queued', 'Running') OR \
             (status = 'Failed' AND attempts < max_attempts)) AS waiting, \
             count(*) FILTER (WHERE status = 'Killed' OR (status = 'Failed' AND attempts >= max_attempts)) AS given_up \
             FROM Jobs GROUP BY job_type ORDER BY job_type",
        )
        .fetch_all(self.store.readers())
        .await
        .map_err(StoreError::from)?;
        let standing = |row: &sqlx::sqlite::SqliteRow| {
            let count = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
            Ok(Standing {
                kind: row.try_get("job_type")?,
                waiting: count("waiting")?,
                given_up: count("given_up")?,
            })
        };
        let standings: Result<_, sqlx::Error> = rows.iter().map(standing).collect();
        Ok(standings.map_err(StoreError::from)?)
    }

    pub async fn tidy(&self, kept: Duration) -> Result<(), JobsError> {
        let kept = i64::try_from(kept.as_secs()).unwrap_or(i64::MAX);
        let mut write = self.store.write().await?;
        for statement in [
            "DELETE FROM Jobs WHERE (status IN ('Done', 'Killed') OR (status = 'Failed' AND attempts >= max_attempts)) \
             AND done_at < strftime('%s', 'now') - ?",
            "DELETE FROM Workers WHERE last_seen < strftime('%s', 'now') - ? \
             AND id NOT IN (SELECT lock_by FROM Jobs WHERE lock_by IS NOT NULL)",
        ] {
            sqlx::query(statement)
                .bind(kept)
                .execute(&mut *write)
                .await
                .map_err(StoreError::from)?;
        }
        write.commit().await.map_err(StoreError::from)?;
        Ok(())
    }
}

fn of_the_queue(error: apalis_sqlite::Error) -> JobsError {
    match error {
        apalis_sqlite::Error::Database(error) => JobsError::Store(error.into()),
        other => JobsError::Store(StoreError::Failed(Box::new(other))),
    }
}
