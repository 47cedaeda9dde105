//! The store in PostgreSQL, for what outgrows one machine's file.
//!
//! Every operation has a bound: it waits so long for a connection, and so long for its work on it. One that runs out of
//! time gives its connection up, and the transaction on it with it. Writes about a call first lock its row, so that one
//! that was given up while its commit was under way still comes before the next, wherever that is made. What a write has to
//! know beyond that row it reads after it has the lock: a statement that waited for one sees all else as it was before.

mod answer;
mod columns;
mod connecting;
mod doorbell;
mod forgetting;
mod lending;
mod moving;
mod open;
mod open_error;
mod rotation;

pub(crate) use answer::Answer;
pub use connecting::AUDIT_LOCK;
pub(crate) use connecting::{check_url, is_postgres};
pub(crate) use moving::{check_alone, check_known, connect_for_long, connect_to_look, take_alone};
pub use open_error::PostgresOpenError;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff_sqlx::ToSqlx;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{Connection, Row};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::call_record::{
    CallId, CallKind, CallRecord, FinishedCall, NewCall, Turn, UnfinishedCall, VisitorId,
};
use crate::changes::Changes;
use crate::finding::{Found, Wanted, total};
use crate::forgetting::{By, Forget, Past, Purged};
use crate::holding::Holding;
use crate::label::Label;
use crate::list::{ListPage, Place};
use crate::row::{self, EndRow};
use crate::sealing::RecordsKeys;
use crate::store::{CallStore, StoreError};
use connecting::{LOCKS, NUMBERING};

/// [`CallStore`] in a PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    pool: PgPool,
    holding: Arc<Holding>,
    /// Told when something was stored here: the bell is to be rung.
    stored: Arc<Notify>,
    keys: RecordsKeys,
}

/// All of a record in one row. A running call's messages are those of its turns, as an
/// array of the turns' indices and arrays.
macro_rules! select_records {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, sample, kind, started_at, notice, ended_at, ended_reason, ",
            "note::text, abuse_type, messages::text, label_name, label_assistant, label_squad, label_workflow, label_manner, ",
            "(SELECT json_agg(json_build_array(turn, turns.messages::text) ORDER BY turn)::text FROM turns ",
            "WHERE call = calls.id) AS turn_messages, holder, epoch ",
            "FROM calls ",
            $where
        )
    };
}

/// Whether a call's node has not answered for it for so many seconds.
macro_rules! lease_ended {
    ($seconds:literal) => {
        concat!(
            "coalesce(lease_until + make_interval(secs => ",
            $seconds,
            ") <= clock_timestamp(), true)"
        )
    };
}

/// All that is needed to go on with a call, and since when its node has not answered for it.
macro_rules! select_unfinished {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, kind, started_at, label_manner, ",
            "(SELECT json_agg(json_build_array(turn, turns.messages::text) ORDER BY turn)::text FROM turns ",
            "WHERE call = calls.id) AS turn_messages, ",
            "(SELECT conversation FROM turns WHERE call = calls.id ",
            "ORDER BY turn DESC LIMIT 1) AS conversation, ",
            "(SELECT max(turn) FROM turns WHERE call = calls.id) AS last_turn, ",
            "EXISTS (SELECT FROM left_visitors WHERE left_visitors.visitor = calls.visitor ",
            "AND left_at >= started_at) AS visitor_has_left, ",
            "epoch, kind = 'chat' OR holder = $1 OR ",
            lease_ended!("0"),
            " AS may_be_taken ",
            "FROM calls LEFT JOIN nodes ON node = holder WHERE ended_at IS NULL AND ",
            $where
        )
    };
}

#[async_trait]
impl CallStore for PostgresStore {
    async fn hold(&self, lease: Duration, name: Option<&str>) -> Result<u64, StoreError> {
        let (node, name) = (self.holding.node, name.map(str::to_owned));
        self.run(|connection| {
            Box::pin(async move {
                // A node that is not there has not answered for long either.
                let others: i64 = sqlx::query_scalar(
                    "WITH gone AS (DELETE FROM nodes WHERE node <> $1 \
                     AND lease_until < clock_timestamp() - interval '1 day'), \
                     held AS (INSERT INTO nodes (node, lease_until, name) \
                     VALUES ($1, clock_timestamp() + make_interval(secs => $2), $3) \
                     ON CONFLICT (node) DO UPDATE \
                     SET lease_until = excluded.lease_until, name = excluded.name) \
                     SELECT count(*) FROM nodes \
                     WHERE node <> $1 AND lease_until > clock_timestamp()",
                )
                .bind(node)
                .bind(lease.as_secs_f64())
                .bind(name)
                .fetch_one(connection)
                .await?;
                Ok(others.unsigned_abs())
            })
        })
        .await
    }

    async fn nodes(&self) -> Result<Vec<String>, StoreError> {
        self.run(|connection| {
            Box::pin(async move {
                // One that was started again under its name may not have lapsed under its earlier id.
                let names = sqlx::query_scalar(
                    "SELECT DISTINCT name COLLATE \"C\" AS name FROM nodes \
                     WHERE name IS NOT NULL AND lease_until > clock_timestamp() ORDER BY name",
                );
                Ok(names.fetch_all(connection).await?)
            })
        })
        .await
    }

    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError> {
        let (node, call_id) = (self.holding.node, call.call_id);
        let keys = self.keys.clone();
        let begun = self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                // A number is taken by one call at a time, on whatever server.
                sqlx::query("SELECT pg_advisory_xact_lock($1, $2)")
                    .bind(LOCKS)
                    .bind(NUMBERING)
                    .execute(&mut *write)
                    .await?;
                sqlx::query(
                    "INSERT INTO calls (id, call_id, visitor, kind, started_at, holder, epoch, notice) \
                     SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, 1, $6 FROM calls \
                     ON CONFLICT (call_id) DO NOTHING",
                )
                .bind(call.call_id.0)
                .bind(call.visitor.map(|visitor| visitor.0))
                .bind(call.kind.as_str())
                .bind(call.started_at.to_sqlx())
                .bind(node)
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
                let here = row.try_get::<Option<Uuid>, _>("holder")? == Some(node);
                let epoch: i64 = row.try_get("epoch")?;
                write.commit().await?;
                Ok((record, here.then_some(epoch)))
            })
        });
        let (record, epoch) = begun.await?;
        self.stored.notify_one();
        if let Some(epoch) = epoch {
            self.holding.has(call_id, epoch);
        }
        Ok(record)
    }

    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError> {
        let turn = row::turn(call_id, &turn, &self.keys);
        let (node, epoch) = (self.holding.node, self.holding.epoch(call_id));
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let call = sqlx::query(
                    "SELECT id, ended_at IS NULL AS running, \
                     (holder = $2 AND epoch = $3) IS TRUE AS held FROM calls WHERE call_id = $1 \
                     FOR NO KEY UPDATE",
                )
                .bind(call_id.0)
                .bind(node)
                .bind(epoch)
                .fetch_optional(&mut *write)
                .await?
                .ok_or(StoreError::UnknownCall)?;
                if !call.try_get::<bool, _>("running")? {
                    write.rollback().await?;
                    return Ok(());
                }
                if !call.try_get::<bool, _>("held")? {
                    write.rollback().await?;
                    return Err(StoreError::HeldElsewhere);
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
        .inspect(|_| self.stored.notify_one())
    }

    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError> {
        let (node, epoch) = (self.holding.node, self.holding.epoch(call_id));
        let ended = row::end(call_id, &call, &self.keys);
        let finished = self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let row = sqlx::query(
                    "SELECT id, ended_at IS NULL AS running, presumed_over, \
                     (holder = $2 AND epoch = $3) IS TRUE AS held FROM calls WHERE call_id = $1 \
                     FOR NO KEY UPDATE",
                )
                .bind(call_id.0)
                .bind(node)
                .bind(epoch)
                .fetch_optional(&mut *write)
                .await?
                .ok_or(StoreError::UnknownCall)?;
                let (running, held): (bool, bool) = (row.try_get("running")?, row.try_get("held")?);
                if running && !held {
                    write.rollback().await?;
                    return Err(StoreError::HeldElsewhere);
                }
                if running || held && row.try_get("presumed_over")? {
                    end(&mut write, row.try_get("id")?, &ended, false).await?;
                }
                write.commit().await?;
                Ok(())
            })
        });
        finished.await?;
        self.stored.notify_one();
        self.holding.lets_go(call_id);
        Ok(())
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
                     ended_reason, note::text, abuse_type, urgency::bigint, label_name, label_assistant, label_squad, label_workflow, \
                     label_manner \
                     FROM calls \
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

    async fn find_calls(&self, wanted: Wanted) -> Result<Found, StoreError> {
        /// In the words of a query that has $1 to $10 bound.
        macro_rules! which {
            () => {
                "NOT sample AND kind = $1 AND ($2::uuid[] IS NULL OR call_id = ANY($2)) \
                 AND ($3::text[] IS NULL OR label_assistant = ANY($3) \
                 OR $5 AND label_assistant IS NULL AND label_squad IS NULL AND label_workflow IS NULL) \
                 AND ($4::text[] IS NULL OR label_squad = ANY($4)) \
                 AND started_at >= $6 AND started_at < $7 \
                 AND coalesce(ended_at, started_at) >= $8 AND coalesce(ended_at, started_at) < $9 \
                 AND ($10::text[] IS NULL OR ended_reason = ANY($10))"
            };
        }
        macro_rules! bound {
            ($query:expr, $wanted:expr) => {
                $query
                    .bind($wanted.kind.as_str())
                    .bind($wanted.ids.as_ref().map(|ids| {
                        let ids = ids.iter().map(|id| id.0);
                        ids.collect::<Vec<Uuid>>()
                    }))
                    .bind($wanted.assistants.as_ref().map(|it| it.named.clone()))
                    .bind($wanted.squads.clone())
                    .bind($wanted.assistants.as_ref().is_some_and(|it| it.embedded))
                    .bind($wanted.began.begins().to_sqlx())
                    .bind($wanted.began.ends().to_sqlx())
                    .bind($wanted.changed.begins().to_sqlx())
                    .bind($wanted.changed.ends().to_sqlx())
                    .bind($wanted.ended.as_ref().map(|reasons| {
                        let reasons = reasons.iter().map(|reason| reason.as_str());
                        reasons.collect::<Vec<&'static str>>()
                    }))
            };
        }
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let counted: Option<i64> = match wanted.counted {
                    true => {
                        let count = concat!("SELECT count(*) FROM calls WHERE ", which!());
                        let count = bound!(sqlx::query_scalar(count), wanted);
                        Some(count.fetch_one(&mut *connection).await?)
                    }
                    false => None,
                };
                let query = match wanted.newest_first {
                    true => concat!(
                        select_records!("WHERE "),
                        which!(),
                        " ORDER BY started_at DESC, id DESC LIMIT $11 OFFSET $12"
                    ),
                    false => concat!(
                        select_records!("WHERE "),
                        which!(),
                        " ORDER BY started_at, id LIMIT $11 OFFSET $12"
                    ),
                };
                let rows = bound!(sqlx::query(query), wanted)
                    .bind(i64::from(wanted.most))
                    .bind(i64::from(wanted.skip))
                    .fetch_all(connection)
                    .await?;
                Ok(Found {
                    records: rows
                        .iter()
                        .filter_map(|row| row::record(row, &keys))
                        .collect(),
                    total: total(counted, &wanted, rows.len()),
                })
            })
        })
        .await
    }

    async fn label_call(&self, call_id: CallId, label: Label) -> Result<bool, StoreError> {
        let name = label.sealed_name(call_id, &self.keys);
        let manner = label.sealed_manner(call_id, &self.keys);
        self.run(|connection| {
            Box::pin(async move {
                let labelled = sqlx::query(
                    "UPDATE calls SET label_name = $1, label_assistant = $2, label_squad = $3, \
                     label_workflow = $4, label_manner = $5 WHERE call_id = $6",
                )
                .bind(name)
                .bind(label.assistant)
                .bind(label.squad)
                .bind(label.workflow)
                .bind(manner)
                .bind(call_id.0)
                .execute(connection)
                .await?;
                Ok(labelled.rows_affected() > 0)
            })
        })
        .await
    }

    async fn left_behind(
        &self,
        kind: CallKind,
        since: Duration,
        most: u32,
    ) -> Result<Vec<UnfinishedCall>, StoreError> {
        let node = self.holding.node;
        let keys = self.keys.clone();
        let unreadable = self.holding.unreadable();
        let found = self.run(|connection| {
            Box::pin(async move {
                let rows = sqlx::query(concat!(
                    select_unfinished!("kind = $2 AND "),
                    lease_ended!("$3"),
                    " AND id <> ALL ($4) ORDER BY id LIMIT $5"
                ))
                .bind(node)
                .bind(kind.as_str())
                .bind(since.as_secs_f64())
                .bind(unreadable)
                .bind(i64::from(most))
                .fetch_all(connection)
                .await?;
                let read = |row| row::unfinished(row, &keys);
                Ok(rows.iter().map(read).collect::<Vec<_>>())
            })
        });
        Ok(self.holding.readable(found.await?))
    }

    async fn may_take(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<bool>, StoreError> {
        let node = self.holding.node;
        self.run(|connection| {
            Box::pin(async move {
                let row = sqlx::query(select_unfinished!(
                    "call_id = $2 AND visitor = $3 AND kind = 'webCall'"
                ))
                .bind(node)
                .bind(call_id.0)
                .bind(visitor.0)
                .fetch_optional(connection)
                .await?;
                Ok(row.map(|row| row.try_get("may_be_taken")).transpose()?)
            })
        })
        .await
    }

    async fn take_call(&self, call_id: CallId) -> Result<Option<UnfinishedCall>, StoreError> {
        let node = self.holding.node;
        let keys = self.keys.clone();
        let taken = self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                lock(&mut write, call_id).await?;
                let row = sqlx::query(select_unfinished!("call_id = $2"))
                    .bind(node)
                    .bind(call_id.0)
                    .fetch_optional(&mut *write)
                    .await?;
                let Some(row) = row else {
                    write.rollback().await?;
                    return Ok(None);
                };
                if !row.try_get::<bool, _>("may_be_taken")? {
                    write.rollback().await?;
                    return Err(StoreError::HeldElsewhere);
                }
                let Ok(left) = row::unfinished(&row, &keys) else {
                    write.rollback().await?;
                    return Ok(None);
                };
                let epoch = row.try_get::<i64, _>("epoch")? + 1;
                sqlx::query("UPDATE calls SET holder = $2, epoch = $3 WHERE id = $1")
                    .bind(row.try_get::<i64, _>("id")?)
                    .bind(node)
                    .bind(epoch)
                    .execute(&mut *write)
                    .await?;
                write.commit().await?;
                Ok(Some((left, epoch)))
            })
        });
        let Some((left, epoch)) = taken.await? else {
            return Ok(None);
        };
        self.holding.has(call_id, epoch);
        Ok(Some(left))
    }

    async fn give_back(&self, call_id: CallId) -> Result<(), StoreError> {
        let (node, epoch) = (self.holding.node, self.holding.epoch(call_id));
        let given_back = self.run(|connection| {
            Box::pin(async move {
                sqlx::query(
                    "UPDATE calls SET holder = NULL \
                     WHERE call_id = $1 AND holder = $2 AND epoch = $3",
                )
                .bind(call_id.0)
                .bind(node)
                .bind(epoch)
                .execute(connection)
                .await?;
                Ok(())
            })
        });
        given_back.await?;
        self.holding.lets_go(call_id);
        Ok(())
    }

    async fn is_elsewhere(&self, call_id: CallId) -> Result<bool, StoreError> {
        let (node, epoch) = (self.holding.node, self.holding.epoch(call_id));
        self.run(|connection| {
            Box::pin(async move {
                // One whose start is not stored yet, or was not told stored, is nowhere else.
                let elsewhere = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT FROM calls WHERE call_id = $1 \
                     AND (holder IS DISTINCT FROM $2 OR $3 >= 0 AND epoch <> $3))",
                )
                .bind(call_id.0)
                .bind(node)
                .bind(epoch)
                .fetch_one(connection)
                .await?;
                Ok(elsewhere)
            })
        })
        .await
    }

    async fn presume_over(
        &self,
        call_id: CallId,
        since: Duration,
        call: FinishedCall,
    ) -> Result<bool, StoreError> {
        let ended = row::end(call_id, &call, &self.keys);
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                lock(&mut write, call_id).await?;
                let row = sqlx::query(concat!(
                    "SELECT id FROM calls LEFT JOIN nodes ON node = holder \
                     WHERE call_id = $1 AND ended_at IS NULL AND ",
                    lease_ended!("$2"),
                ))
                .bind(call_id.0)
                .bind(since.as_secs_f64())
                .fetch_optional(&mut *write)
                .await?;
                if let Some(row) = &row {
                    end(&mut write, row.try_get("id")?, &ended, true).await?;
                }
                write.commit().await?;
                Ok(row.is_some())
            })
        })
        .await
        .inspect(|_| self.stored.notify_one())
    }

    async fn delete_call_by(&self, call_id: CallId, by: By) -> Result<bool, StoreError> {
        let purged = self.forget(Forget::This(call_id, by)).await?;
        Ok(purged.records > 0)
    }

    async fn purge(&self, past: Past, most: u32) -> Result<Purged, StoreError> {
        self.forget(Forget::Past(past, most)).await
    }

    async fn leave(&self, visitor: VisitorId) -> Result<(), StoreError> {
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                sqlx::query("DELETE FROM left_visitors WHERE left_at < now() - interval '1 hour'")
                    .execute(&mut *write)
                    .await?;
                sqlx::query(
                    "INSERT INTO left_visitors (visitor, left_at) VALUES ($1, now()) \
                     ON CONFLICT (visitor) DO UPDATE SET left_at = excluded.left_at",
                )
                .bind(visitor.0)
                .execute(&mut *write)
                .await?;
                write.commit().await?;
                Ok(())
            })
        })
        .await
        .inspect(|()| self.stored.notify_one())
    }

    async fn changes(&self) -> Result<Changes, StoreError> {
        doorbell::changes(self.clone()).await
    }
}

/// Waits for a call's row, and keeps others from it until the transaction ends.
async fn lock(write: &mut PgConnection, call_id: CallId) -> Result<(), StoreError> {
    sqlx::query("SELECT FROM calls WHERE call_id = $1 FOR NO KEY UPDATE")
        .bind(call_id.0)
        .execute(write)
        .await?;
    Ok(())
}

/// Writes a call's end.
async fn end(
    write: &mut PgConnection,
    id: i64,
    ended: &EndRow,
    presumed: bool,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE calls SET ended_at = $2, ended_reason = $3, note = $4::json, messages = $5::json, \
         urgency = $6, presumed_over = $7 WHERE id = $1",
    )
    .bind(id)
    .bind(ended.ended_at.to_sqlx())
    .bind(ended.reason)
    .bind(&ended.note)
    .bind(&ended.messages)
    .bind(ended.urgency)
    .bind(presumed)
    .execute(&mut *write)
    .await?;
    sqlx::query("DELETE FROM turns WHERE call = $1")
        .bind(id)
        .execute(write)
        .await?;
    Ok(())
}
