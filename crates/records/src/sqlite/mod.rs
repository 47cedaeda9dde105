//! The store in one SQLite file: no server to run, and durable with it. For several
//! machines it is not made; that is another database's room behind the same contract.
//!
//! Writes go through a single connection, so they queue here, in order, and never meet
//! "database is locked" within this program; reads have connections of their own and see
//! the last commit (write-ahead log). `synchronous = FULL` makes each commit durable
//! before it returns; `secure_delete` overwrites what is deleted.

mod columns;
mod forgetting;
mod leases;
mod open;
mod rotation;

pub(crate) use open::{check_url, connect_alone, copy, file_of, make_writable, records_of_a_whole};

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::sqlite::{SqliteConnection, SqlitePool, SqliteRow};
use sqlx::{Row, Sqlite, Transaction};
use tokio::sync::broadcast;

use crate::call_record::{
    CallId, CallKind, CallRecord, FinishedCall, NewCall, Turn, UnfinishedCall, VisitorId,
};
use crate::changes::{Change, Changes};
use crate::finding::{Found, Wanted, total};
use crate::forgetting::{By, Forget, Past, Purged};
use crate::json::json;
use crate::label::Label;
use crate::list::{ListPage, Place};
use crate::row::{self, Columns, EndRow};
use crate::sealing::RecordsKeys;
use crate::store::{CallStore, StoreError};
use leases::Leases;

/// How long a checkpoint waits for readers, the writer's lock in its hand.
const CHECKPOINT_PATIENCE: Duration = Duration::from_millis(200);
/// Longer than a call stays without an end when nobody is left to end it.
const REMEMBERED_FOR: Duration = Duration::from_hours(1);

/// [`CallStore`] in an SQLite file.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    /// One connection.
    writer: SqlitePool,
    /// Several; the writer's own for a database in memory, which only one connection sees.
    readers: SqlitePool,
    leases: Arc<Leases>,
    /// To whoever listens in this process: no other writes to the file while a server does.
    changes: broadcast::Sender<Change>,
    keys: RecordsKeys,
}

/// What a list shows of a record, in one row.
macro_rules! select_listed {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, sample, kind, started_at, notice, ended_at, ended_reason, ",
            "note, abuse_type, urgency, label_name, label_assistant, label_squad, label_workflow, label_manner FROM calls ",
            $where
        )
    };
}

/// All of a record in one row. A running call's messages are those of its turns, as an
/// array of the turns' indices and arrays.
macro_rules! select_records {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, sample, kind, started_at, notice, ended_at, ended_reason, ",
            "note, abuse_type, messages, label_name, label_assistant, label_squad, label_workflow, label_manner, ",
            "(SELECT json_group_array(json_array(turn, turns.messages)) FROM ",
            "(SELECT turn, messages FROM turns WHERE call = calls.id ORDER BY turn) AS turns) ",
            "AS turn_messages, holder, epoch ",
            "FROM calls ",
            $where
        )
    };
}

/// All that is needed to go on with a call.
macro_rules! select_unfinished {
    ($where:literal) => {
        concat!(
            "SELECT id, call_id, visitor, kind, started_at, label_manner, ",
            "(SELECT json_group_array(json_array(turn, turns.messages)) FROM ",
            "(SELECT turn, messages FROM turns WHERE call = calls.id ORDER BY turn) AS turns) ",
            "AS turn_messages, ",
            "(SELECT conversation FROM turns WHERE call = calls.id ORDER BY turn DESC LIMIT 1) ",
            "AS conversation, ",
            "(SELECT max(turn) FROM turns WHERE call = calls.id) AS last_turn, ",
            "EXISTS (SELECT * FROM left_visitors WHERE left_visitors.visitor = calls.visitor ",
            "AND left_at >= started_at) AS visitor_has_left, ",
            "holder, epoch FROM calls WHERE ended_at IS NULL AND ",
            $where
        )
    };
}

#[async_trait]
impl CallStore for SqliteStore {
    async fn hold(&self, lease: Duration, name: Option<&str>) -> Result<u64, StoreError> {
        self.leases.hold(lease, name);
        Ok(0)
    }

    async fn nodes(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.leases.name().into_iter().collect())
    }

    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError> {
        let mut write = self.write().await?;
        let begun = sqlx::query(
            "INSERT INTO calls (call_id, visitor, kind, started_at, holder, epoch, notice) \
             VALUES (?, ?, ?, ?, ?, 1, ?) ON CONFLICT (call_id) DO NOTHING",
        )
        .bind(call.call_id.to_string())
        .bind(call.visitor.map(|visitor| visitor.to_string()))
        .bind(call.kind.as_str())
        .bind(call.started_at.as_microsecond())
        .bind(self.leases.holding.node.to_string())
        .bind(call.notice.map(|notice| notice.to_string()))
        .execute(&mut *write)
        .await?
        .rows_affected();
        let row = sqlx::query(select_records!("WHERE call_id = ?"))
            .bind(call.call_id.to_string())
            .fetch_one(&mut *write)
            .await?;
        let record = row::record(&row, &self.keys).ok_or(StoreError::UnknownCall)?;
        if record.visitor != call.visitor || record.sample {
            return Err(StoreError::CallIdTaken);
        }
        write.commit().await?;
        self.leases.knows(call.call_id, &row)?;
        if begun > 0 {
            self.tell(call.visitor, call.call_id);
        }
        Ok(record)
    }

    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError> {
        let turn = row::turn(call_id, &turn, &self.keys);
        let mut write = self.write().await?;
        let call =
            sqlx::query("SELECT id, visitor, ended_at, holder, epoch FROM calls WHERE call_id = ?")
                .bind(call_id.to_string())
                .fetch_optional(&mut *write)
                .await?
                .ok_or(StoreError::UnknownCall)?;
        if call.try_get::<Option<i64>, _>("ended_at")?.is_some() {
            return Ok(());
        }
        if !self.leases.is_held(call_id, &call)? {
            return Err(StoreError::HeldElsewhere);
        }
        sqlx::query(
            "INSERT INTO turns (call, turn, messages, conversation) VALUES (?, ?, ?, ?) \
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
        self.tell(visitor_of(&call), call_id);
        Ok(())
    }

    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError> {
        let ended = row::end(call_id, &call, &self.keys);
        let mut write = self.write().await?;
        let row = sqlx::query(
            "SELECT id, visitor, ended_at IS NULL AS running, presumed_over, holder, epoch \
             FROM calls WHERE call_id = ?",
        )
        .bind(call_id.to_string())
        .fetch_optional(&mut *write)
        .await?
        .ok_or(StoreError::UnknownCall)?;
        let running: bool = row.try_get("running")?;
        let held = self.leases.is_held(call_id, &row)?;
        if running && !held {
            return Err(StoreError::HeldElsewhere);
        }
        let ends = running || held && row.try_get("presumed_over")?;
        if ends {
            end(&mut write, row.try_get("id")?, &ended, false).await?;
        }
        write.commit().await?;
        self.leases.holding.lets_go(call_id);
        if ends {
            self.tell(visitor_of(&row), call_id);
        }
        Ok(())
    }

    async fn call(&self, call_id: CallId) -> Result<Option<CallRecord>, StoreError> {
        let row = sqlx::query(select_records!("WHERE call_id = ?"))
            .bind(call_id.to_string())
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.and_then(|row| row::record(&row, &self.keys)))
    }

    async fn call_of(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<CallRecord>, StoreError> {
        let row = sqlx::query(select_records!("WHERE call_id = ? AND visitor = ?"))
            .bind(call_id.to_string())
            .bind(visitor.to_string())
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.and_then(|row| row::record(&row, &self.keys)))
    }

    async fn latest_of(&self, visitor: VisitorId) -> Result<Option<CallRecord>, StoreError> {
        let row = sqlx::query(select_records!(
            "WHERE visitor = ? ORDER BY id DESC LIMIT 1"
        ))
        .bind(visitor.to_string())
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.and_then(|row| row::record(&row, &self.keys)))
    }

    async fn visible_to(
        &self,
        visitor: VisitorId,
        after: Option<Place>,
        most: u32,
    ) -> Result<ListPage, StoreError> {
        // Above every record there can be.
        let (urgency, id) = after.map_or((i16::MAX, 0), |place| (place.urgency.number(), place.id));
        // The samples and the visitor's own are looked for apart, and of these the rest of the place's urgency and what is
        // below it: each begins at its place in an index, where a comparison of rows would make SQLite walk to it. One more
        // than is asked for tells whether there is another page.
        let rows = sqlx::query(select_listed!(
            "WHERE id IN ( \
             SELECT id FROM (SELECT id FROM calls WHERE visitor = ?1 AND urgency = ?2 AND id < ?3 \
             ORDER BY id DESC LIMIT ?4) \
             UNION ALL \
             SELECT id FROM (SELECT id FROM calls WHERE visitor = ?1 AND urgency < ?2 \
             ORDER BY urgency DESC, id DESC LIMIT ?4) \
             UNION ALL \
             SELECT id FROM (SELECT id FROM calls WHERE sample = 1 AND (urgency, id) < (?2, ?3) \
             ORDER BY urgency DESC, id DESC LIMIT ?4)) \
             ORDER BY urgency DESC, id DESC LIMIT ?4"
        ))
        .bind(visitor.to_string())
        .bind(urgency)
        .bind(id)
        .bind(i64::from(most) + 1)
        .fetch_all(&self.readers)
        .await?;
        Ok(row::page(&rows, most, &self.keys))
    }

    async fn find_calls(&self, wanted: Wanted) -> Result<Found, StoreError> {
        // A list is bound as JSON, in which an id is written as it is in the table.
        let ids = wanted.ids.as_ref().map(json);
        let assistants = wanted.assistants.as_ref();
        let named = assistants.map(|it| json(&it.named));
        let squads = wanted.squads.as_ref().map(json);
        let ended = wanted.ended.as_ref().map(json);
        let embedded = assistants.is_some_and(|it| it.embedded);
        /// In the words of a query that has ?1 to ?10 bound.
        macro_rules! which {
            () => {
                "sample = 0 AND kind = ?1 \
                 AND (?2 IS NULL OR call_id IN (SELECT value FROM json_each(?2))) \
                 AND (?3 IS NULL OR label_assistant IN (SELECT value FROM json_each(?3)) \
                 OR ?5 AND label_assistant IS NULL AND label_squad IS NULL AND label_workflow IS NULL) \
                 AND (?4 IS NULL OR label_squad IN (SELECT value FROM json_each(?4))) \
                 AND started_at >= ?6 AND started_at < ?7 \
                 AND coalesce(ended_at, started_at) >= ?8 AND coalesce(ended_at, started_at) < ?9 \
                 AND (?10 IS NULL OR ended_reason IN (SELECT value FROM json_each(?10)))"
            };
        }
        macro_rules! bound {
            ($query:expr) => {
                $query
                    .bind(wanted.kind.as_str())
                    .bind(&ids)
                    .bind(&named)
                    .bind(&squads)
                    .bind(embedded)
                    .bind(wanted.began.begins().as_microsecond())
                    .bind(wanted.began.ends().as_microsecond())
                    .bind(wanted.changed.begins().as_microsecond())
                    .bind(wanted.changed.ends().as_microsecond())
                    .bind(&ended)
            };
        }
        let mut reading = self.readers.begin().await?;
        let counted: Option<i64> = match wanted.counted {
            true => {
                let count = concat!("SELECT count(*) FROM calls WHERE ", which!());
                let count = bound!(sqlx::query_scalar(count));
                Some(count.fetch_one(&mut *reading).await?)
            }
            false => None,
        };
        let query = match wanted.newest_first {
            true => concat!(
                select_records!("WHERE "),
                which!(),
                " ORDER BY started_at DESC, id DESC LIMIT ?11 OFFSET ?12"
            ),
            false => concat!(
                select_records!("WHERE "),
                which!(),
                " ORDER BY started_at, id LIMIT ?11 OFFSET ?12"
            ),
        };
        let rows: Vec<SqliteRow> = bound!(sqlx::query(query))
            .bind(wanted.most)
            .bind(wanted.skip)
            .fetch_all(&mut *reading)
            .await?;
        Ok(Found {
            records: rows
                .iter()
                .filter_map(|row| row::record(row, &self.keys))
                .collect(),
            total: total(counted, &wanted, rows.len()),
        })
    }

    async fn label_call(&self, call_id: CallId, label: Label) -> Result<bool, StoreError> {
        let manner = label.sealed_manner(call_id, &self.keys);
        let labelled = sqlx::query(
            "UPDATE calls SET label_name = ?, label_assistant = ?, label_squad = ?, label_workflow = ?, label_manner = ? \
             WHERE call_id = ?",
        )
        .bind(label.sealed_name(call_id, &self.keys))
        .bind(label.assistant)
        .bind(label.squad)
        .bind(label.workflow)
        .bind(manner)
        .bind(call_id.to_string())
        .execute(&self.writer)
        .await?;
        Ok(labelled.rows_affected() > 0)
    }

    async fn left_behind(
        &self,
        kind: CallKind,
        since: Duration,
        most: u32,
    ) -> Result<Vec<UnfinishedCall>, StoreError> {
        let unreadable = serde_json::json!(self.leases.holding.unreadable());
        let rows = sqlx::query(select_unfinished!(
            "kind = ? AND CASE WHEN holder = ? THEN ? ELSE ? END \
             AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?"
        ))
        .bind(kind.as_str())
        .bind(self.leases.holding.node.to_string())
        .bind(self.leases.own_ended(since))
        .bind(self.leases.others_ended(since))
        .bind(unreadable.to_string())
        .bind(most)
        .fetch_all(&self.readers)
        .await?;
        let found = rows.iter().map(|row| row::unfinished(row, &self.keys));
        Ok(self.leases.holding.readable(found))
    }

    async fn may_take(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<bool>, StoreError> {
        let row = sqlx::query(
            "SELECT kind, holder FROM calls WHERE call_id = ? AND visitor = ? \
             AND kind = 'webCall' AND ended_at IS NULL",
        )
        .bind(call_id.to_string())
        .bind(visitor.to_string())
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|row| self.leases.may_take(&row)).transpose()?)
    }

    async fn take_call(&self, call_id: CallId) -> Result<Option<UnfinishedCall>, StoreError> {
        let mut write = self.write().await?;
        let row = sqlx::query(select_unfinished!("call_id = ?"))
            .bind(call_id.to_string())
            .fetch_optional(&mut *write)
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        if !self.leases.may_take(&row)? {
            return Err(StoreError::HeldElsewhere);
        }
        let Ok(left) = row::unfinished(&row, &self.keys) else {
            return Ok(None);
        };
        let epoch = row.try_get::<i64, _>("epoch")? + 1;
        sqlx::query("UPDATE calls SET holder = ?, epoch = ? WHERE id = ?")
            .bind(self.leases.holding.node.to_string())
            .bind(epoch)
            .bind(row.try_get::<i64, _>("id")?)
            .execute(&mut *write)
            .await?;
        write.commit().await?;
        self.leases.holding.has(call_id, epoch);
        Ok(Some(left))
    }

    async fn give_back(&self, call_id: CallId) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE calls SET holder = NULL WHERE call_id = ? AND holder = ? AND epoch = ?",
        )
        .bind(call_id.to_string())
        .bind(self.leases.holding.node.to_string())
        .bind(self.leases.holding.epoch(call_id))
        .execute(&self.writer)
        .await?;
        self.leases.holding.lets_go(call_id);
        Ok(())
    }

    async fn is_elsewhere(&self, _: CallId) -> Result<bool, StoreError> {
        // Nobody else is there to take it.
        Ok(false)
    }

    async fn presume_over(
        &self,
        call_id: CallId,
        since: Duration,
        call: FinishedCall,
    ) -> Result<bool, StoreError> {
        let ended = row::end(call_id, &call, &self.keys);
        let mut write = self.write().await?;
        let row = sqlx::query(
            "SELECT id, visitor, holder FROM calls WHERE call_id = ? AND ended_at IS NULL",
        )
        .bind(call_id.to_string())
        .fetch_optional(&mut *write)
        .await?;
        let Some(row) = row else {
            return Ok(false);
        };
        if !self.leases.has_ended(&row, since)? {
            return Ok(false);
        }
        end(&mut write, row.try_get("id")?, &ended, true).await?;
        write.commit().await?;
        self.tell(visitor_of(&row), call_id);
        Ok(true)
    }

    async fn delete_call_by(&self, call_id: CallId, by: By) -> Result<bool, StoreError> {
        let purged = self.forget(Forget::This(call_id, by)).await?;
        Ok(purged.records > 0)
    }

    async fn purge(&self, past: Past, most: u32) -> Result<Purged, StoreError> {
        self.forget(Forget::Past(past, most)).await
    }

    async fn leave(&self, visitor: VisitorId) -> Result<(), StoreError> {
        // Nobody listening is no loss.
        let _ = self.changes.send(Change::Left(visitor));
        let now = Timestamp::now();
        let mut write = self.write().await?;
        sqlx::query("DELETE FROM left_visitors WHERE left_at < ?")
            .bind((now - REMEMBERED_FOR).as_microsecond())
            .execute(&mut *write)
            .await?;
        sqlx::query(
            "INSERT INTO left_visitors (visitor, left_at) SELECT ?1, ?2 \
             WHERE EXISTS (SELECT * FROM calls WHERE visitor = ?1 AND ended_at IS NULL) \
             ON CONFLICT (visitor) DO UPDATE SET left_at = excluded.left_at",
        )
        .bind(visitor.to_string())
        .bind(now.as_microsecond())
        .execute(&mut *write)
        .await?;
        write.commit().await?;
        Ok(())
    }

    async fn changes(&self) -> Result<Changes, StoreError> {
        Ok(Changes::here(self.changes.subscribe()))
    }
}

/// None for a call that no browser session made.
fn visitor_of(call: &SqliteRow) -> Option<VisitorId> {
    call.uuid("visitor").ok().flatten().map(VisitorId)
}

/// Writes a call's end.
async fn end(
    write: &mut SqliteConnection,
    id: i64,
    ended: &EndRow,
    presumed: bool,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE calls SET ended_at = ?, ended_reason = ?, note = ?, messages = ?, urgency = ?, \
         presumed_over = ? WHERE id = ?",
    )
    .bind(ended.ended_at.as_microsecond())
    .bind(ended.reason)
    .bind(&ended.note)
    .bind(&ended.messages)
    .bind(ended.urgency)
    .bind(presumed)
    .bind(id)
    .execute(&mut *write)
    .await?;
    sqlx::query("DELETE FROM turns WHERE call = ?")
        .bind(id)
        .execute(write)
        .await?;
    Ok(())
}

impl SqliteStore {
    fn tell(&self, visitor: Option<VisitorId>, call: CallId) {
        if let Some(visitor) = visitor {
            let _ = self.changes.send(Change::Of { visitor, call });
        }
    }

    /// Sees the last commit, and cannot write.
    pub fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// The one connection that writes, for a library that begins its transactions itself. Each must be short: what a
    /// live call has to store waits for it.
    pub fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    /// What it seals with.
    pub fn keys(&self) -> &RecordsKeys {
        &self.keys
    }

    /// Gives the file back, all that is in its log with it.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// Begins a transaction that writes. It takes the write lock at once: one that begins by reading could be refused
    /// it later.
    pub async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// What was deleted is overwritten in the database file, but the write-ahead log still
    /// holds the pages as they were: it is copied over and cut to nothing. While a reader
    /// or another program holds on to it, the next purge or the last close does this. The
    /// deletion is done either way.
    pub async fn empty_log(&self) {
        match self.checkpoint().await {
            Ok(false) => {}
            Ok(true) => tracing::warn!(
                "the database's log is in use; what was deleted leaves it with the next purge or close"
            ),
            Err(error) => tracing::warn!(
                %error,
                "the database's log cannot be emptied; what was deleted leaves it with the next purge or close"
            ),
        }
    }
}

impl SqliteStore {
    /// Whether something else held on to the log. Nothing can be written meanwhile, so that is not waited for as a write is.
    async fn checkpoint(&self) -> Result<bool, sqlx::Error> {
        let mut writer = self.writer.acquire().await?;
        let patience = |of: Duration| format!("PRAGMA busy_timeout = {}", of.as_millis());
        sqlx::query(sqlx::AssertSqlSafe(patience(CHECKPOINT_PATIENCE)))
            .execute(&mut *writer)
            .await?;
        let busy = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .fetch_one(&mut *writer)
            .await
            .and_then(|row| row.try_get(0));
        sqlx::query(sqlx::AssertSqlSafe(patience(open::PATIENCE)))
            .execute(&mut *writer)
            .await?;
        busy
    }
}

/// Another program holds the lock.
pub(crate) fn is_busy(code: Option<&str>) -> bool {
    // Extended codes keep the primary one in the low byte.
    code.and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| matches!(code & 0xff, 5 | 6))
}
