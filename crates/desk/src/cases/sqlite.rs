//! Cases in the records' SQLite file, through the records' one writer.

use async_trait::async_trait;
use jiff::Timestamp;
use records::{CallId, DeskPart, RecordsKeys, SqliteStore, StoreError};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::caller_number::{CallerDigest, CallerKey};
use super::queue::{ClosedPlace, QueuePlace};
use super::rows::{self, COLUMNS, CaseRow, LISTED, ReadAct, ReadCase, ReadFollowUp};
use super::store::{CaseEffects, CaseStore, DecideOnCase, Scope};
use super::{CaseAct, CaseFile, FollowUp, Hold, ListedCase, StoredCase};
use crate::account::AccountId;
use crate::audit::{About, Entry};
use crate::sqlite::{entry, moment, note};
use crate::store::unreadable;

pub(crate) struct InSqlite {
    pub store: SqliteStore,
    pub keys: RecordsKeys,
}

/// Of ?1, ?2 and ?3, as [`narrowed`] gives them.
const IN_SCOPE: &str = "(?1 OR agency IN (SELECT value FROM json_each(?2)) OR taken_by = ?3)";

#[async_trait]
impl CaseStore for InSqlite {
    async fn calls_without_case(&self, most: u32) -> Result<Vec<CallId>, StoreError> {
        let rows = sqlx::query(
            "SELECT call_id FROM calls WHERE ended_at IS NOT NULL AND sample = 0 \
             AND NOT EXISTS (SELECT 1 FROM desk_cases c WHERE c.call_id = calls.call_id \
             AND (c.version > 1 OR c.ended_at = calls.ended_at)) \
             ORDER BY ended_at DESC LIMIT ?",
        )
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        rows.iter().map(call_id).collect()
    }

    async fn add_case(&self, case: StoredCase, effects: CaseEffects) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        let row = CaseRow::of(&case, &self.keys);
        // A call that was deleted meanwhile has no case; what was taken elsewhere has no call.
        let added = sqlx::query(AssertSqlSafe(format!(
            "INSERT INTO desk_cases ({COLUMNS}) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 \
             WHERE ?2 = 'elsewhere' OR EXISTS (SELECT 1 FROM calls WHERE call_id = ?1) \
             ON CONFLICT (call_id) DO NOTHING"
        )))
        .bind(case.call_id.to_string())
        .bind(case.kind.as_str())
        .bind(case.started_at.as_microsecond())
        .bind(case.ended_at.as_microsecond())
        .bind(row.agency)
        .bind(case.urgent)
        .bind(case.state.as_str())
        .bind(case.since.as_microsecond())
        .bind(case.taken_by.map(|id| id.to_string()))
        .bind(case.touched_at.as_microsecond())
        .bind(i64::from(case.returned))
        .bind(row.outcome)
        .bind(row.closed_by.map(|id| id.to_string()))
        .bind(case.keep_until.map(Timestamp::as_microsecond))
        .bind(row.caller)
        .bind(case.version)
        .bind(row.content)
        .execute(&mut *write)
        .await?
        .rows_affected();
        if added == 0 {
            return Ok(false);
        }
        put_effects(&mut write, case.call_id, &effects, &self.keys).await?;
        write.commit().await?;
        Ok(true)
    }

    async fn case(&self, call_id: CallId) -> Result<Option<CaseFile>, StoreError> {
        let mut read = self.store.readers().begin().await?;
        find(&mut read, call_id, &self.keys).await
    }

    async fn change_case(&self, call_id: CallId, decide: DecideOnCase) -> Result<(), StoreError> {
        let mut write = self.store.write().await?;
        let mut file = find(&mut write, call_id, &self.keys).await?;
        let Some(effects) = decide(file.as_mut()) else {
            return Ok(());
        };
        if let Some(file) = &file {
            put(&mut write, &file.case, &self.keys).await?;
            put_effects(&mut write, call_id, &effects, &self.keys).await?;
        }
        Ok(write.commit().await?)
    }

    async fn case_acts(&self, call: CallId) -> Result<Vec<CaseAct>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, at, who, what, words FROM desk_case_acts WHERE call_id = ? ORDER BY number",
        )
        .bind(call.to_string())
        .fetch_all(self.store.readers())
        .await?;
        let acts = rows.iter().map(|row| {
            ReadAct {
                number: row.try_get("number")?,
                at: moment(row.try_get("at")?)?,
                who: row.try_get("who")?,
                what: row.try_get("what")?,
                words: row.try_get("words")?,
            }
            .act(call, &self.keys)
        });
        acts.collect()
    }

    async fn entries_about(&self, call: CallId, most: u32) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
             WHERE about = ? ORDER BY number LIMIT ?",
        )
        .bind(About::Call(call).to_string())
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        rows.iter().map(entry).collect()
    }

    async fn open_cases(
        &self,
        scope: &Scope,
        after: Option<QueuePlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE state <> 'closed' AND {IN_SCOPE} \
             AND (?4 IS NULL OR (state = 'taken', NOT urgent, -returned, since, call_id) > (?4, ?5, ?6, ?7, ?8)) \
             ORDER BY state DESC, urgent DESC, returned DESC, since, call_id LIMIT ?9"
        )))
        .bind(all)
        .bind(agencies)
        .bind(account)
        .bind(after.map(|place| place.taken))
        .bind(after.map(|place| place.not_urgent))
        .bind(after.map(|place| -i64::from(place.returned.0)))
        .bind(after.map(|place| place.since.as_microsecond()))
        .bind(after.map(|place| place.call_id.to_string()))
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        self.listed(&rows)
    }

    async fn closed_cases(
        &self,
        scope: &Scope,
        after: Option<ClosedPlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE state = 'closed' AND {IN_SCOPE} \
             AND (?4 IS NULL OR (since, call_id) < (?4, ?5)) \
             ORDER BY since DESC, call_id DESC LIMIT ?6"
        )))
        .bind(all)
        .bind(agencies)
        .bind(account)
        .bind(after.map(|place| place.since.as_microsecond()))
        .bind(after.map(|place| place.call_id.to_string()))
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        self.listed(&rows)
    }

    async fn cases_ended_between(
        &self,
        scope: &Scope,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE ended_at >= ?4 AND ended_at < ?5 AND {IN_SCOPE} \
             ORDER BY ended_at, call_id LIMIT ?6"
        )))
        .bind(all)
        .bind(agencies)
        .bind(account)
        .bind(from.as_microsecond())
        .bind(until.as_microsecond())
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        self.listed(&rows)
    }

    async fn cases_of_caller(
        &self,
        caller: &CallerDigest,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE caller = ? ORDER BY started_at DESC, call_id LIMIT ?"
        )))
        .bind(caller.as_str())
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        self.listed(&rows)
    }

    async fn follow_ups_due(
        &self,
        scope: &Scope,
        before: Timestamp,
        most: u32,
    ) -> Result<Vec<FollowUp>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT f.id, f.call_id, f.kind, f.due_at, f.owner, f.done_at, f.done_by, f.words \
             FROM desk_follow_ups f JOIN desk_cases ON desk_cases.call_id = f.call_id \
             WHERE f.done_at IS NULL AND f.due_at < ?4 AND {IN_SCOPE} ORDER BY f.due_at, f.id LIMIT ?5"
        )))
        .bind(all)
        .bind(agencies)
        .bind(account)
        .bind(before.as_microsecond())
        .bind(most)
        .fetch_all(self.store.readers())
        .await?;
        let read = rows.iter().map(|row| follow_up(row, &self.keys));
        read.collect()
    }

    async fn caller_key(&self) -> Result<Option<CallerKey>, StoreError> {
        let stored = "SELECT secret FROM desk_caller_key";
        let found = sqlx::query_scalar(stored)
            .fetch_optional(self.store.readers())
            .await?;
        let stored: String = match found {
            Some(stored) => stored,
            None => {
                let CallerKey(new) = CallerKey::random();
                let sealed = self
                    .keys
                    .seal_of_desk(Uuid::nil(), DeskPart::CallerKey, &new);
                let mut write = self.store.write().await?;
                sqlx::query(
                    "INSERT INTO desk_caller_key (id, secret) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                )
                .bind(Uuid::nil().to_string())
                .bind(sealed)
                .execute(&mut *write)
                .await?;
                let kept = sqlx::query_scalar(stored).fetch_one(&mut *write).await?;
                write.commit().await?;
                kept
            }
        };
        let opened = rows::opened(&self.keys, Uuid::nil(), DeskPart::CallerKey, stored);
        Ok(opened.map(CallerKey))
    }
}

impl InSqlite {
    fn listed(&self, rows: &[SqliteRow]) -> Result<Vec<ListedCase>, StoreError> {
        let listed = rows.iter().map(|row| {
            let open: i64 = row.try_get("open_follow_ups")?;
            Ok(ListedCase {
                case: case(row, &self.keys)?,
                open_follow_ups: u32::try_from(open).map_err(unreadable)?,
                next_due_at: perhaps(row, "next_due_at")?,
                held: row.try_get("held")?,
            })
        });
        listed.collect()
    }
}

/// Whether all are in it, its agencies as JSON, and whose own are in it too.
fn narrowed(scope: &Scope) -> (bool, String, Option<String>) {
    match scope {
        Scope::All => (true, "[]".to_owned(), None),
        Scope::Of { agencies, account } => {
            let codes: Vec<&str> = agencies.iter().map(|it| it.as_str()).collect();
            let codes = serde_json::to_string(&codes).expect("codes are text");
            (false, codes, Some(account.to_string()))
        }
    }
}

async fn find(
    connection: &mut SqliteConnection,
    call_id: CallId,
    keys: &RecordsKeys,
) -> Result<Option<CaseFile>, StoreError> {
    let row = sqlx::query(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM desk_cases WHERE call_id = ?"
    )))
    .bind(call_id.to_string())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let follow_ups = sqlx::query(
        "SELECT id, call_id, kind, due_at, owner, done_at, done_by, words FROM desk_follow_ups \
         WHERE call_id = ? ORDER BY due_at, id",
    )
    .bind(call_id.to_string())
    .fetch_all(&mut *connection)
    .await?;
    let held = sqlx::query("SELECT at, who, reason FROM desk_holds WHERE call_id = ?")
        .bind(call_id.to_string())
        .fetch_optional(connection)
        .await?;
    let held = held.map(|row| -> Result<Hold, StoreError> {
        let by = account(row.try_get("who")?)?;
        let at = moment(row.try_get("at")?)?;
        Ok(rows::hold(keys, call_id, at, by, row.try_get("reason")?))
    });
    Ok(Some(CaseFile {
        case: case(&row, keys)?,
        follow_ups: follow_ups
            .iter()
            .map(|row| follow_up(row, keys))
            .collect::<Result<_, _>>()?,
        hold: held.transpose()?,
    }))
}

/// Writes what of a case may change.
async fn put(
    connection: &mut SqliteConnection,
    case: &StoredCase,
    keys: &RecordsKeys,
) -> Result<(), StoreError> {
    let row = CaseRow::of(case, keys);
    sqlx::query(
        "UPDATE desk_cases SET agency = ?, urgent = ?, state = ?, since = ?, taken_by = ?, touched_at = ?, \
         returned = ?, outcome = ?, closed_by = ?, keep_until = ?, caller = ?, version = ?, \
         content = coalesce(?, content), ended_at = ? WHERE call_id = ?",
    )
    .bind(row.agency)
    .bind(case.urgent)
    .bind(case.state.as_str())
    .bind(case.since.as_microsecond())
    .bind(case.taken_by.map(|id| id.to_string()))
    .bind(case.touched_at.as_microsecond())
    .bind(i64::from(case.returned))
    .bind(row.outcome)
    .bind(row.closed_by.map(|id| id.to_string()))
    .bind(case.keep_until.map(Timestamp::as_microsecond))
    .bind(row.caller)
    .bind(case.version)
    .bind(row.content)
    .bind(case.ended_at.as_microsecond())
    .bind(case.call_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

async fn put_effects(
    connection: &mut SqliteConnection,
    call: CallId,
    effects: &CaseEffects,
    keys: &RecordsKeys,
) -> Result<(), StoreError> {
    let latest = "SELECT coalesce(max(number), 0) FROM desk_case_acts WHERE call_id = ?";
    let mut number: i64 = sqlx::query_scalar(latest)
        .bind(call.to_string())
        .fetch_one(&mut *connection)
        .await?;
    for act in &effects.acts {
        number += 1;
        sqlx::query(
            "INSERT INTO desk_case_acts (call_id, number, at, who, what, words) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(call.to_string())
        .bind(number)
        .bind(act.at.as_microsecond())
        .bind(rows::who(act.who))
        .bind(act.did.as_str())
        .bind(rows::sealed_words(keys, call, number, act))
        .execute(&mut *connection)
        .await?;
    }
    for follow_up in &effects.follow_ups {
        sqlx::query(
            "INSERT INTO desk_follow_ups (id, call_id, kind, due_at, owner, done_at, done_by, words) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, \
             owner = excluded.owner, done_at = excluded.done_at, done_by = excluded.done_by, words = excluded.words",
        )
        .bind(follow_up.id.to_string())
        .bind(call.to_string())
        .bind(follow_up.kind.as_str())
        .bind(follow_up.due_at.as_microsecond())
        .bind(follow_up.owner.map(|id| id.to_string()))
        .bind(follow_up.done.map(|done| done.at.as_microsecond()))
        .bind(follow_up.done.map(|done| done.by.to_string()))
        .bind(rows::sealed_follow_up(keys, follow_up))
        .execute(&mut *connection)
        .await?;
    }
    if let Some(hold) = &effects.hold {
        sqlx::query("DELETE FROM desk_holds WHERE call_id = ?")
            .bind(call.to_string())
            .execute(&mut *connection)
            .await?;
        if let Some(hold) = hold {
            sqlx::query("INSERT INTO desk_holds (call_id, at, who, reason) VALUES (?, ?, ?, ?)")
                .bind(call.to_string())
                .bind(hold.at.as_microsecond())
                .bind(hold.by.to_string())
                .bind(rows::sealed_reason(keys, call, hold))
                .execute(&mut *connection)
                .await?;
        }
    }
    for entry in &effects.entries {
        note(connection, entry).await?;
    }
    Ok(())
}

fn case(row: &SqliteRow, keys: &RecordsKeys) -> Result<StoredCase, StoreError> {
    ReadCase {
        call_id: call_id(row)?,
        kind: row.try_get("kind")?,
        started_at: moment(row.try_get("started_at")?)?,
        ended_at: moment(row.try_get("ended_at")?)?,
        agency: row.try_get("agency")?,
        urgent: row.try_get("urgent")?,
        state: row.try_get("state")?,
        since: moment(row.try_get("since")?)?,
        taken_by: someone(row, "taken_by")?,
        touched_at: moment(row.try_get("touched_at")?)?,
        returned: row.try_get("returned")?,
        outcome: row.try_get("outcome")?,
        closed_by: someone(row, "closed_by")?,
        keep_until: perhaps(row, "keep_until")?,
        caller: row.try_get("caller")?,
        version: row.try_get("version")?,
        content: row.try_get("content")?,
    }
    .case(keys)
}

fn follow_up(row: &SqliteRow, keys: &RecordsKeys) -> Result<FollowUp, StoreError> {
    let id: String = row.try_get("id")?;
    ReadFollowUp {
        id: id.parse().map_err(unreadable)?,
        call_id: call_id(row)?,
        kind: row.try_get("kind")?,
        due_at: moment(row.try_get("due_at")?)?,
        owner: someone(row, "owner")?,
        done_at: perhaps(row, "done_at")?,
        done_by: someone(row, "done_by")?,
        words: row.try_get("words")?,
    }
    .follow_up(keys)
}

fn call_id(row: &SqliteRow) -> Result<CallId, StoreError> {
    let id: String = row.try_get("call_id")?;
    id.parse().map_err(unreadable)
}

fn account(id: String) -> Result<AccountId, StoreError> {
    id.parse().map_err(unreadable)
}

fn someone(row: &SqliteRow, column: &str) -> Result<Option<AccountId>, StoreError> {
    let id: Option<String> = row.try_get(column)?;
    id.map(account).transpose()
}

fn perhaps(row: &SqliteRow, column: &str) -> Result<Option<Timestamp>, StoreError> {
    let micros: Option<i64> = row.try_get(column)?;
    micros.map(moment).transpose()
}
