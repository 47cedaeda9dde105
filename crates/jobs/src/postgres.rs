//! The queue in the records' PostgreSQL database, in a schema of its own (`apalis`).

use std::time::Duration;

use apalis_core::task::builder::TaskBuilder;
use apalis_postgres::{Config, PostgresStorage};
use records::{PostgresStore, StoreError};
use sqlx::postgres::PgRow;
use sqlx::{Connection, Row};

use crate::about::About;
use crate::jobs::{JobsError, Kind, Standing};

/// What PostgreSQL says of a row that is there already.
const UNIQUE_VIOLATION: &str = "23505";

pub(crate) struct InPostgres {
    store: PostgresStore,
}

impl InPostgres {
    pub async fn open(store: &PostgresStore) -> Result<Self, JobsError> {
        let migrations = PostgresStorage::migrations();
        // Of several nodes that start together one lays the tables: the driver locks.
        let mut connection = store.pool().acquire().await.map_err(StoreError::from)?;
        let laid = migrations.run_direct(None, &mut *connection, false).await;
        laid.map_err(|error| JobsError::NotLaid(error.to_string()))?;
        Ok(Self {
            store: store.clone(),
        })
    }

    pub fn queue(&self, config: Config) -> PostgresStorage<String> {
        PostgresStorage::new(self.store.pool()).with_config(config)
    }

    pub async fn put(&self, kind: Kind, about: &About, attempts: usize) -> Result<(), JobsError> {
        let task = TaskBuilder::new(crate::work::stored(about))
            .idempotency_key(about.as_str())
            .max_attempts(attempts)
            .build();
        let put = self.store.run(|connection| {
            Box::pin(async move {
                match apalis_postgres::queries::push_tasks(connection, kind.0, vec![task]).await {
                    Ok(()) => Ok(()),
                    Err(apalis_postgres::Error::Database(sqlx::Error::Database(error)))
                        if error.code().as_deref() == Some(UNIQUE_VIOLATION) =>
                    {
                        Ok(())
                    }
                    Err(apalis_postgres::Error::Database(error)) => Err(error.into()),
                    Err(other) => Err(StoreError::Failed(Box::new(other))),
                }
            })
        });
        Ok(put.await?)
    }

    pub async fn put_off(&self, id: &str, rest: Duration) -> Result<(), JobsError> {
        let (id, rest) = (id.to_owned(), rest.as_secs_f64());
        let put_off = self.store.run(|connection| {
            Box::pin(async move {
                sqlx::query("UPDATE apalis.jobs SET run_at = now() + make_interval(secs => $1) WHERE id = $2")
                    .bind(rest)
                    .bind(id)
                    .execute(connection)
                    .await?;
                Ok(())
            })
        });
        Ok(put_off.await?)
    }

    pub async fn give_back(&self, worker: &str) -> Result<(), JobsError> {
        let worker = worker.to_owned();
        let given_back = self.store.run(|connection| {
            Box::pin(async move {
                let mut giving = connection.begin().await?;
                // Whoever stops does not wait for what it had asked of the database, and that may be taking up some more.
                sqlx::query("LOCK TABLE apalis.jobs IN SHARE ROW EXCLUSIVE MODE")
                    .execute(&mut *giving)
                    .await?;
                sqlx::query(
                    "UPDATE apalis.jobs SET status = 'Pending', lock_by = NULL, lock_at = NULL \
                     WHERE lock_by = $1 AND status IN ('Queued', 'Running')",
                )
                .bind(worker)
                .execute(&mut *giving)
                .await?;
                giving.commit().await?;
                Ok(())
            })
        });
        Ok(given_back.await?)
    }

    pub async fn standings(&self) -> Result<Vec<Standing>, JobsError> {
        let rows: Vec<PgRow> = self
            .store
            .run(|connection| {
                Box::pin(async move {
                    Ok(sqlx::query(
                        "SELECT job_type, count(*) FILTER (WHERE status IN ('Pending', 'Queued', 'Running') OR \
                         (status = 'Failed' AND attempts < max_attempts)) AS waiting, \
                         count(*) FILTER (WHERE status = 'Killed' OR (status = 'Failed' AND attempts >= max_attempts)) \
                         AS given_up FROM apalis.jobs GROUP BY job_type ORDER BY job_type",
                    )
                    .fetch_all(connection)
                    .await?)
                })
            })
            .await?;
        let standing = |row: &PgRow| {
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
        let kept = kept.as_secs_f64();
        let tidied = self.store.run(|connection| {
            Box::pin(async move {
                for statement in [
                    "DELETE FROM apalis.jobs WHERE (status IN ('Done', 'Killed') OR \
                     (status = 'Failed' AND attempts >= max_attempts)) AND done_at < now() - make_interval(secs => $1)",
                    "DELETE FROM apalis.workers WHERE last_seen < now() - make_interval(secs => $1) \
                     AND NOT EXISTS (SELECT FROM apalis.jobs WHERE lock_by = workers.id)",
                ] {
                    sqlx::query(statement)
                        .bind(kept)
                        .execute(&mut *connection)
                        .await?;
                }
                Ok(())
            })
        });
        Ok(tidied.await?)
    }
}
