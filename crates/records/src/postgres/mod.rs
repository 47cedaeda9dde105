//! The store in PostgreSQL, for what outgrows one machine's file.
//!
//! Every operation has a bound: it waits so long for a connection, and so long for its work on it. One that runs out of
//! time gives its connection up, and the transaction on it with it. Writes about a call first lock its row, so that one
//! that was given up while its commit was under way still comes before the next, wherever that is made.

mod answer;
mod columns;
mod connecting;
mod open;
mod open_error;
mod rotation;
mod sole_use;

pub(crate) use answer::Answer;
pub(crate) use connecting::{check_url, is_postgres};
pub use open_error::PostgresOpenError;
pub(crate) use sole_use::AdvisoryLock;

use std::pin::Pin;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{Connection, Postgres, Row};

use crate::call_record::{
    CallId, CallRecord, FinishedCall, NewCall, Turn, UnfinishedCall, VisitorId,
};
use crate::list::{ListPage, Place, Urgency};
use crate::row;
use crate::sealing::RecordsKeys;
use crate::store::{CallStore, StoreError};
use connecting::{LOCKS, NUMBERING, PATIENCE};

/// [`CallStore`] in a PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    pool: PgPool,
    keys: RecordsKeys,
}

/// All of a record in one row. A running call's messages are those of its turns, as an
/// array of the turns' indices and arrays.
macro_rules! select_records {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, sample, kind, started_at, notice, ended_at, ended_reason, ",
            "note::text, abuse_type, messages::text, ",
            "(SELECT json_agg(json_build_array(turn, turns.messages::text) ORDER BY turn)::text FROM turns ",
            "WHERE call = calls.id) AS turn_messages ",
            "FROM calls ",
            $where
        )
    };
}

#[async_trait]
impl CallStore for PostgresStore {
    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                // A number is taken by one call at a time, on whatever server.
                sqlx::query("SELECT pg_advisory_xact_lock($1, $2)")
                    .bind(LOCKS)
                    .bind(NUMBERING)
                    .execute(&mut *write)
                    .await?;
                sqlx::query(
                    "INSERT INTO calls (id, call_id, visitor, kind, started_at, notice) \
                     SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5 FROM calls \
                     ON CONFLICT (call_id) DO NOTHING",
                )
                .bind(call.call_id.0)
                .bind(call.visitor.map(|visitor| visitor.0))
                .bind(call.kind.as_str())
                .bind(call.started_at.to_sqlx())
                .bind(call.notice.map(|notice| notice.to_string()))
                .execute(&mut *write)
                .await?;
                let row = sqlx::query(select_records!("WHERE call_id = $1"))
                    .bind(call.call_id.0)
                    .fetch_one(&mut *write)
                    .await?;
                let record = row::record(&row, &keys).ok_or(StoreError::UnknownCall)?;
                if record.visitor != call.visitor || record.sample {
                    return Err(StoreError::CallIdTaken);
                }
                write.commit().await?;
                Ok(record)
            })
        })
        .await
    }

    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError> {
        let turn = row::turn(call_id, &turn, &self.keys);
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let call = sqlx::query(
                    "SELECT id, ended_at IS NULL AS running FROM calls WHERE call_id = $1 \
                     FOR NO KEY UPDATE",
                )
                .bind(call_id.0)
                .fetch_optional(&mut *write)
                .await?
                .ok_or(StoreError::UnknownCall)?;
                if !call.try_get::<bool, _>("running")? {
                    write.rollback().await?;
                    return Ok(());
                }
                sqlx::query(
                    "INSERT INTO turns (call, turn, messages, conversation) \
                     VALUES ($1, $2, $3::json, $4) \
                     ON CONFLICT (call, turn) DO UPDATE SET messages = excluded.messages, \
                     conversation = excluded.conversation",
                )
                .bind(call.try_get::<i64, _>("id")?)
                .bind(turn.index)
                .bind(turn.messages)
                .bind(turn.conversation)
                .execute(&mut *write)
                .await?;
                write.commit().await?;
                Ok(())
            })
        })
        .await
    }

    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError> {
        let (note, messages) = row::end(call_id, &call, &self.keys);
        let urgency = Urgency::of(&call).number();
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let id: i64 =
                    sqlx::query_scalar("SELECT id FROM calls WHERE call_id = $1 FOR NO KEY UPDATE")
                        .bind(call_id.0)
                        .fetch_optional(&mut *write)
                        .await?
                        .ok_or(StoreError::UnknownCall)?;
                sqlx::query(
                    "UPDATE calls SET ended_at = $2, ended_reason = $3, note = $4::json, \
                     messages = $5::json, urgency = $6 WHERE id = $1 AND ended_at IS NULL",
                )
                .bind(id)
                .bind(call.ended_at.to_sqlx())
                .bind(call.ended_reason.as_str())
                .bind(note)
                .bind(messages)
                .bind(urgency)
                .execute(&mut *write)
                .await?;
                sqlx::query("DELETE FROM turns WHERE call = $1")
                    .bind(id)
                    .execute(&mut *write)
                    .await?;
                write.commit().await?;
                Ok(())
            })
        })
        .await
    }

    async fn call(&self, call_id: CallId) -> Result<Option<CallRecord>, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let row = sqlx::query(select_records!("WHERE call_id = $1"))
                    .bind(call_id.0)
                    .fetch_optional(connection)
                    .await?;
                Ok(row.and_then(|row| row::record(&row, &keys)))
            })
        })
        .await
    }

    async fn call_of(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<CallRecord>, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let row = sqlx::query(select_records!("WHERE call_id = $1 AND visitor = $2"))
                    .bind(call_id.0)
                    .bind(visitor.0)
                    .fetch_optional(connection)
                    .await?;
                Ok(row.and_then(|row| row::record(&row, &keys)))
            })
        })
        .await
    }

    async fn latest_of(&self, visitor: VisitorId) -> Result<Option<CallRecord>, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let row = sqlx::query(select_records!(
                    "WHERE visitor = $1 ORDER BY id DESC LIMIT 1"
                ))
                .bind(visitor.0)
                .fetch_optional(connection)
                .await?;
                Ok(row.and_then(|row| row::record(&row, &keys)))
            })
        })
        .await
    }

    async fn visible_to(
        &self,
        visitor: VisitorId,
        after: Option<Place>,
        most: u32,
    ) -> Result<ListPage, StoreError> {
        // Above every record there can be.
        let (urgency, id) = after.map_or((i16::MAX, 0), |place| (place.urgency.number(), place.id));
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                // The samples and the visitor's own are looked for apart: each has an index in the list's order. One more
                // than is asked for tells whether there is another page.
                let rows = sqlx::query(
                    "SELECT id, call_id, visitor, sample, kind, started_at, notice, ended_at, \
                     ended_reason, note::text, abuse_type, urgency::bigint FROM calls \
                     WHERE id IN ( \
                     (SELECT id FROM calls WHERE visitor = $1 AND (urgency, id) < ($2, $3) \
                     ORDER BY urgency DESC, id DESC LIMIT $4) \
                     UNION ALL \
                     (SELECT id FROM calls WHERE sample AND (urgency, id) < ($2, $3) \
                     ORDER BY urgency DESC, id DESC LIMIT $4)) \
                     ORDER BY calls.urgency DESC, id DESC LIMIT $4",
                )
                .bind(visitor.0)
                .bind(urgency)
                .bind(id)
                .bind(i64::from(most) + 1)
                .fetch_all(connection)
                .await?;
                Ok(row::page(&rows, most, &keys))
            })
        })
        .await
    }

    async fn unfinished(&self) -> Result<Vec<UnfinishedCall>, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let rows = sqlx::query(concat!(
                    "SELECT id, call_id, visitor, kind, started_at, ",
                    "(SELECT json_agg(json_build_array(turn, turns.messages::text) ORDER BY turn)::text FROM turns ",
                    "WHERE call = calls.id) AS turn_messages, ",
                    "(SELECT conversation FROM turns WHERE call = calls.id ",
                    "ORDER BY turn DESC LIMIT 1) AS conversation, ",
                    "(SELECT max(turn) FROM turns WHERE call = calls.id) AS last_turn ",
                    "FROM calls WHERE ended_at IS NULL ORDER BY id",
                ))
                .fetch_all(connection)
                .await?;
                Ok(rows
                    .iter()
                    .filter_map(|row| row::unfinished(row, &keys))
                    .collect())
            })
        })
        .await
    }

    async fn delete_call(&self, call_id: CallId) -> Result<bool, StoreError> {
        self.run(|connection| {
            Box::pin(async move {
                let deleted = sqlx::query("DELETE FROM calls WHERE call_id = $1")
                    .bind(call_id.0)
                    .execute(connection)
                    .await?;
                Ok(deleted.rows_affected() > 0)
            })
        })
        .await
    }

    async fn purge_ended_before(&self, moment: Timestamp, most: u32) -> Result<u64, StoreError> {
        self.run(|connection| {
            Box::pin(async move {
                let deleted = sqlx::query(
                    "DELETE FROM calls WHERE id IN (SELECT id FROM calls \
                     WHERE ended_at < $1 AND NOT sample ORDER BY ended_at LIMIT $2)",
                )
                .bind(moment.to_sqlx())
                .bind(i64::from(most))
                .execute(connection)
                .await?;
                Ok(deleted.rows_affected())
            })
        })
        .await
    }
}

/// What is done with a connection.
type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

impl PostgresStore {
    async fn run<T>(
        &self,
        work: impl for<'c> FnOnce(&'c mut PgConnection) -> Work<'c, T>,
    ) -> Result<T, StoreError> {
        let mut lent = Lent(Some(self.pool.acquire().await?));
        let done = tokio::time::timeout(PATIENCE, work(lent.connection())).await;
        let done = done.unwrap_or_else(|late| Err(StoreError::Unavailable(Box::new(late))));
        if !matches!(
            done,
            Err(StoreError::Unavailable(_) | StoreError::Failed(_))
        ) {
            lent.give_back();
        }
        done
    }
}

/// A connection that goes back to the pool only where its work came to an end. In the pool a doubtful one would keep its
/// place for as long as nothing answers on it, and one to a server that has become a standby would refuse every write.
struct Lent(Option<PoolConnection<Postgres>>);

impl Lent {
    fn connection(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is given back by value")
    }

    fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.0 {
            connection.close_on_drop();
        }
    }
}
