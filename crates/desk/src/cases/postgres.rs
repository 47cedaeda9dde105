//! Cases in the records' PostgreSQL database. A change locks its case first and the audit trail last.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as Stored, ToSqlx};
use records::{CallId, DeskPart, PostgresStore, RecordsKeys, StoreError};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection, Row};
use uuid::Uuid;

use super::caller_number::{CallerDigest, CallerKey};
use super::queue::{ClosedPlace, QueuePlace};
use super::rows::{self, COLUMNS, CaseRow, LISTED, ReadAct, ReadCase, ReadFollowUp};
use super::store::{CaseEffects, CaseStore, DecideOnCase, Scope};
use super::{CaseAct, CaseFile, CaseKind, FollowUp, Hold, ListedCase, StoredCase};
use crate::account::AccountId;
use crate::audit::{About, Entry};
use crate::postgres::{entry, note};
use crate::store::unreadable;

pub(crate) struct InPostgres {
    pub store: PostgresStore,
    pub keys: RecordsKeys,
}

/// Of $1, $2 and $3, as [`narrowed`] gives them.
const IN_SCOPE: &str = "($1 OR agency = ANY ($2) OR taken_by = $3)";

#[async_trait]
impl CaseStore for InPostgres {
    async fn calls_without_case(&self, most: u32) -> Result<Vec<CallId>, StoreError> {
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT call_id FROM calls WHERE ended_at IS NOT NULL AND NOT sample \
                         AND NOT EXISTS (SELECT FROM desk_cases c WHERE c.call_id = calls.call_id \
             AND (c.version > 1 OR c.ended_at = calls.ended_at)) \
                         ORDER BY ended_at DESC LIMIT $1",
                    )
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    rows.iter().map(call_id).collect()
                })
            })
            .await
    }

    async fn add_case(&self, case: StoredCase, effects: CaseEffects) -> Result<bool, StoreError> {
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    // Whoever deletes the call meanwhile waits, and deletes the case with it.
                    let call = sqlx::query("SELECT FROM calls WHERE call_id = $1 FOR KEY SHARE")
                        .bind(case.call_id.0)
                        .fetch_optional(&mut *write)
                        .await?;
                    if call.is_none() && case.kind != CaseKind::Elsewhere {
                        write.rollback().await?;
                        return Ok(false);
                    }
                    let row = CaseRow::of(&case, &keys);
                    let added = sqlx::query(AssertSqlSafe(format!(
                        "INSERT INTO desk_cases ({COLUMNS}) VALUES \
                         ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) \
                         ON CONFLICT (call_id) DO NOTHING"
                    )))
                    .bind(case.call_id.0)
                    .bind(case.kind.as_str())
                    .bind(case.started_at.to_sqlx())
                    .bind(case.ended_at.to_sqlx())
                    .bind(row.agency)
                    .bind(case.urgent)
                    .bind(case.state.as_str())
                    .bind(case.since.to_sqlx())
                    .bind(case.taken_by.map(|id| id.0))
                    .bind(case.touched_at.to_sqlx())
                    .bind(i64::from(case.returned))
                    .bind(row.outcome)
                    .bind(row.closed_by.map(|id| id.0))
                    .bind(case.keep_until.map(ToSqlx::to_sqlx))
                    .bind(row.caller)
                    .bind(case.version)
                    .bind(row.content)
                    .execute(&mut *write)
                    .await?
                    .rows_affected();
                    if added == 0 {
                        write.rollback().await?;
                        return Ok(false);
                    }
                    put_effects(&mut write, case.call_id, &effects, &keys).await?;
                    write.commit().await?;
                    Ok(true)
                })
            })
            .await
    }

    async fn case(&self, call_id: CallId) -> Result<Option<CaseFile>, StoreError> {
        let keys = self.keys.clone();
        self.store
            .run(|connection| Box::pin(async move { find(connection, call_id, "", &keys).await }))
            .await
    }

    async fn change_case(&self, call_id: CallId, decide: DecideOnCase) -> Result<(), StoreError> {
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    let mut file = find(&mut write, call_id, "FOR UPDATE", &keys).await?;
                    let Some(effects) = decide(file.as_mut()) else {
                        return Ok(write.rollback().await?);
                    };
                    if let Some(file) = &file {
                        put(&mut write, &file.case, &keys).await?;
                        put_effects(&mut write, call_id, &effects, &keys).await?;
                    }
                    Ok(write.commit().await?)
                })
            })
            .await
    }

    async fn case_acts(&self, call: CallId) -> Result<Vec<CaseAct>, StoreError> {
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT number, at, who, what, words FROM desk_case_acts \
                         WHERE call_id = $1 ORDER BY number",
                    )
                    .bind(call.0)
                    .fetch_all(connection)
                    .await?;
                    let acts = rows.iter().map(|row| {
                        ReadAct {
                            number: row.try_get("number")?,
                            at: moment(row, "at")?,
                            who: row.try_get("who")?,
                            what: row.try_get("what")?,
                            words: row.try_get("words")?,
                        }
                        .act(call, &keys)
                    });
                    acts.collect()
                })
            })
            .await
    }

    async fn entries_about(&self, call: CallId, most: u32) -> Result<Vec<Entry>, StoreError> {
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
                         WHERE about = $1 ORDER BY number LIMIT $2",
                    )
                    .bind(About::Call(call).to_string())
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    rows.iter().map(entry).collect()
                })
            })
            .await
    }

    async fn open_cases(
        &self,
        scope: &Scope,
        after: Option<QueuePlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(AssertSqlSafe(format!(
                        "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE state <> 'closed' AND {IN_SCOPE} \
                         AND ($4::boolean IS NULL \
                         OR (state = 'taken', NOT urgent, -returned, since, call_id) > ($4, $5, $6, $7, $8)) \
                         ORDER BY state DESC, urgent DESC, returned DESC, since, call_id LIMIT $9"
                    )))
                    .bind(all)
                    .bind(agencies)
                    .bind(account)
                    .bind(after.map(|place| place.taken))
                    .bind(after.map(|place| place.not_urgent))
                    .bind(after.map(|place| -i64::from(place.returned.0)))
                    .bind(after.map(|place| place.since.to_sqlx()))
                    .bind(after.map(|place| place.call_id.0))
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    listed(&rows, &keys)
                })
            })
            .await
    }

    async fn closed_cases(
        &self,
        scope: &Scope,
        after: Option<ClosedPlace>,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(AssertSqlSafe(format!(
                        "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE state = 'closed' AND {IN_SCOPE} \
                         AND ($4::timestamptz IS NULL OR (since, call_id) < ($4, $5)) \
                         ORDER BY since DESC, call_id DESC LIMIT $6"
                    )))
                    .bind(all)
                    .bind(agencies)
                    .bind(account)
                    .bind(after.map(|place| place.since.to_sqlx()))
                    .bind(after.map(|place| place.call_id.0))
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    listed(&rows, &keys)
                })
            })
            .await
    }

    async fn cases_ended_between(
        &self,
        scope: &Scope,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(AssertSqlSafe(format!(
                        "SELECT {COLUMNS}, {LISTED} FROM desk_cases \
                         WHERE ended_at >= $4 AND ended_at < $5 AND {IN_SCOPE} ORDER BY ended_at, call_id LIMIT $6"
                    )))
                    .bind(all)
                    .bind(agencies)
                    .bind(account)
                    .bind(from.to_sqlx())
                    .bind(until.to_sqlx())
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    listed(&rows, &keys)
                })
            })
            .await
    }

    async fn cases_of_caller(
        &self,
        caller: &CallerDigest,
        most: u32,
    ) -> Result<Vec<ListedCase>, StoreError> {
        let (caller, keys) = (caller.clone(), self.keys.clone());
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(AssertSqlSafe(format!(
                        "SELECT {COLUMNS}, {LISTED} FROM desk_cases WHERE caller = $1 \
                         ORDER BY started_at DESC, call_id LIMIT $2"
                    )))
                    .bind(caller.as_str())
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    listed(&rows, &keys)
                })
            })
            .await
    }

    async fn follow_ups_due(
        &self,
        scope: &Scope,
        before: Timestamp,
        most: u32,
    ) -> Result<Vec<FollowUp>, StoreError> {
        let (all, agencies, account) = narrowed(scope);
        let keys = self.keys.clone();
        self.store
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(AssertSqlSafe(format!(
                        "SELECT f.id, f.call_id, f.kind, f.due_at, f.owner, f.done_at, f.done_by, f.words \
                         FROM desk_follow_ups f JOIN desk_cases ON desk_cases.call_id = f.call_id \
                         WHERE f.done_at IS NULL AND f.due_at < $4 AND {IN_SCOPE} ORDER BY f.due_at, f.id LIMIT $5"
                    )))
                    .bind(all)
                    .bind(agencies)
                    .bind(account)
                    .bind(before.to_sqlx())
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    let read = rows.iter().map(|row| follow_up(row, &keys));
                    read.collect()
                })
            })
            .await
    }

    async fn caller_key(&self) -> Result<Option<CallerKey>, StoreError> {
        let CallerKey(new) = CallerKey::random();
        let sealed = self
            .keys
            .seal_of_desk(Uuid::nil(), DeskPart::CallerKey, &new);
        let stored: String = self
            .store
            .run(|connection| {
                Box::pin(async move {
                    let stored = "SELECT secret FROM desk_caller_key";
                    let found = sqlx::query_scalar(stored)
                        .fetch_optional(&mut *connection)
                        .await?;
                    if let Some(found) = found {
                        return Ok(found);
                    }
                    sqlx::query(
                        "INSERT INTO desk_caller_key (id, secret) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
                    )
                    .bind(Uuid::nil())
                    .bind(sealed)
                    .execute(&mut *connection)
                    .await?;
                    Ok(sqlx::query_scalar(stored).fetch_one(connection).await?)
                })
            })
            .await?;
        let opened = rows::opened(&self.keys, Uuid::nil(), DeskPart::CallerKey, stored);
        Ok(opened.map(CallerKey))
    }
}

/// Whether all are in it, its agencies, and whose own are in it too.
fn narrowed(scope: &Scope) -> (bool, Vec<String>, Option<Uuid>) {
    match scope {
        Scope::All => (true, Vec::new(), None),
        Scope::Of { agencies, account } => {
            let codes = agencies.iter().map(|it| it.as_str().to_owned());
            (false, codes.collect(), Some(account.0))
        }
    }
}

async fn find(
    connection: &mut PgConnection,
    call_id: CallId,
    lock: &'static str,
    keys: &RecordsKeys,
) -> Result<Option<CaseFile>, StoreError> {
    let row = sqlx::query(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM desk_cases WHERE call_id = $1 {lock}"
    )))
    .bind(call_id.0)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let follow_ups = sqlx::query(
        "SELECT id, call_id, kind, due_at, owner, done_at, done_by, words FROM desk_follow_ups \
         WHERE call_id = $1 ORDER BY due_at, id",
    )
    .bind(call_id.0)
    .fetch_all(&mut *connection)
    .await?;
    let held = sqlx::query("SELECT at, who, reason FROM desk_holds WHERE call_id = $1")
        .bind(call_id.0)
        .fetch_optional(connection)
        .await?;
    let held = held.map(|row| -> Result<Hold, StoreError> {
        let (at, by) = (moment(&row, "at")?, AccountId(row.try_get("who")?));
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
    connection: &mut PgConnection,
    case: &StoredCase,
    keys: &RecordsKeys,
) -> Result<(), StoreError> {
    let row = CaseRow::of(case, keys);
    sqlx::query(
        "UPDATE desk_cases SET agency = $2, urgent = $3, state = $4, since = $5, taken_by = $6, touched_at = $7, \
         returned = $8, outcome = $9, closed_by = $10, keep_until = $11, caller = $12, version = $13, \
         content = coalesce($14, content), ended_at = $15 WHERE call_id = $1",
    )
    .bind(case.call_id.0)
    .bind(row.agency)
    .bind(case.urgent)
    .bind(case.state.as_str())
    .bind(case.since.to_sqlx())
    .bind(case.taken_by.map(|id| id.0))
    .bind(case.touched_at.to_sqlx())
    .bind(i64::from(case.returned))
    .bind(row.outcome)
    .bind(row.closed_by.map(|id| id.0))
    .bind(case.keep_until.map(ToSqlx::to_sqlx))
    .bind(row.caller)
    .bind(case.version)
    .bind(row.content)
    .bind(case.ended_at.to_sqlx())
    .execute(connection)
    .await?;
    Ok(())
}

async fn put_effects(
    connection: &mut PgConnection,
    call: CallId,
    effects: &CaseEffects,
    keys: &RecordsKeys,
) -> Result<(), StoreError> {
    let latest = "SELECT coalesce(max(number), 0) FROM desk_case_acts WHERE call_id = $1";
    let mut number: i64 = sqlx::query_scalar(latest)
        .bind(call.0)
        .fetch_one(&mut *connection)
        .await?;
    for act in &effects.acts {
        number += 1;
        sqlx::query(
            "INSERT INTO desk_case_acts (call_id, number, at, who, what, words) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(call.0)
        .bind(number)
        .bind(act.at.to_sqlx())
        .bind(rows::who(act.who))
        .bind(act.did.as_str())
        .bind(rows::sealed_words(keys, call, number, act))
        .execute(&mut *connection)
        .await?;
    }
    for follow_up in &effects.follow_ups {
        sqlx::query(
            "INSERT INTO desk_follow_ups (id, call_id, kind, due_at, owner, done_at, done_by, words) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, \
             owner = excluded.owner, done_at = excluded.done_at, done_by = excluded.done_by, words = excluded.words",
        )
        .bind(follow_up.id)
        .bind(call.0)
        .bind(follow_up.kind.as_str())
        .bind(follow_up.due_at.to_sqlx())
        .bind(follow_up.owner.map(|id| id.0))
        .bind(follow_up.done.map(|done| done.at.to_sqlx()))
        .bind(follow_up.done.map(|done| done.by.0))
        .bind(rows::sealed_follow_up(keys, follow_up))
        .execute(&mut *connection)
        .await?;
    }
    if let Some(hold) = &effects.hold {
        sqlx::query("DELETE FROM desk_holds WHERE call_id = $1")
            .bind(call.0)
            .execute(&mut *connection)
            .await?;
        if let Some(hold) = hold {
            sqlx::query(
                "INSERT INTO desk_holds (call_id, at, who, reason) VALUES ($1, $2, $3, $4)",
            )
            .bind(call.0)
            .bind(hold.at.to_sqlx())
            .bind(hold.by.0)
            .bind(rows::sealed_reason(keys, call, hold))
            .execute(&mut *connection)
            .await?;
        }
    }
    note(connection, &effects.entries).await
}

fn listed(rows: &[PgRow], keys: &RecordsKeys) -> Result<Vec<ListedCase>, StoreError> {
    let listed = rows.iter().map(|row| {
        let open: i64 = row.try_get("open_follow_ups")?;
        Ok(ListedCase {
            case: case(row, keys)?,
            open_follow_ups: u32::try_from(open).map_err(unreadable)?,
            next_due_at: perhaps(row, "next_due_at")?,
            held: row.try_get("held")?,
        })
    });
    listed.collect()
}

fn case(row: &PgRow, keys: &RecordsKeys) -> Result<StoredCase, StoreError> {
    ReadCase {
        call_id: call_id(row)?,
        kind: row.try_get("kind")?,
        started_at: moment(row, "started_at")?,
        ended_at: moment(row, "ended_at")?,
        agency: row.try_get("agency")?,
        urgent: row.try_get("urgent")?,
        state: row.try_get("state")?,
        since: moment(row, "since")?,
        taken_by: someone(row, "taken_by")?,
        touched_at: moment(row, "touched_at")?,
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

fn follow_up(row: &PgRow, keys: &RecordsKeys) -> Result<FollowUp, StoreError> {
    ReadFollowUp {
        id: row.try_get("id")?,
        call_id: call_id(row)?,
        kind: row.try_get("kind")?,
        due_at: moment(row, "due_at")?,
        owner: someone(row, "owner")?,
        done_at: perhaps(row, "done_at")?,
        done_by: someone(row, "done_by")?,
        words: row.try_get("words")?,
    }
    .follow_up(keys)
}

fn call_id(row: &PgRow) -> Result<CallId, StoreError> {
    Ok(CallId(row.try_get("call_id")?))
}

fn someone(row: &PgRow, column: &str) -> Result<Option<AccountId>, StoreError> {
    let id: Option<Uuid> = row.try_get(column)?;
    Ok(id.map(AccountId))
}

fn moment(row: &PgRow, column: &str) -> Result<Timestamp, StoreError> {
    Ok(row.try_get::<Stored, _>(column)?.to_jiff())
}

fn perhaps(row: &PgRow, column: &str) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<Stored> = row.try_get(column)?;
    Ok(at.map(Stored::to_jiff))
}
