//! The desk in the records' PostgreSQL database. The audit trail is added to under an advisory lock, taken last and held
//! until the commit: what is read under it is the trail as every node has left it.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as Stored, ToSqlx};
use records::{AUDIT_LOCK, PostgresStore, StoreError};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection, Row};

use crate::account::AccountId;
use crate::audit::{Entry, Head, NewEntry};
use crate::store::{
    AccountRow, Decide, DeskStore, ReadAccount, StoredAccount, StoredSession, Which,
};
use crate::token::Digest;

pub(crate) struct InPostgres(pub PostgresStore);

const COLUMNS: &str = "id, name, sign_in_name, role, agencies, languages, made_at, closed_at, password, totp_secret, \
                       totp_step, recovery, wrong_tries, locked_until, invitation, invited_until, invited_secret, \
                       subject";

#[async_trait]
impl DeskStore for InPostgres {
    async fn has_accounts(&self) -> Result<bool, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    Ok(
                        sqlx::query_scalar("SELECT EXISTS (SELECT FROM desk_accounts)")
                            .fetch_one(connection)
                            .await?,
                    )
                })
            })
            .await
    }

    async fn accounts(&self) -> Result<Vec<StoredAccount>, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let all = format!("SELECT {COLUMNS} FROM desk_accounts ORDER BY id");
                    let rows = sqlx::query(AssertSqlSafe(all))
                        .fetch_all(connection)
                        .await?;
                    rows.iter().map(account).collect()
                })
            })
            .await
    }

    async fn account(&self, which: &Which) -> Result<Option<StoredAccount>, StoreError> {
        let which = which.clone();
        self.0
            .run(|connection| Box::pin(async move { find(connection, &which, "").await }))
            .await
    }

    async fn add(&self, account: StoredAccount, entry: NewEntry) -> Result<bool, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    let added = sqlx::query(
                        "INSERT INTO desk_accounts (id, name, sign_in_name, role, agencies, languages, made_at) \
                         VALUES ($1, $2, $3, $4, '', '', $5) ON CONFLICT (sign_in_name) DO NOTHING",
                    )
                    .bind(account.id.0)
                    .bind(&account.name)
                    .bind(account.sign_in_name.as_str())
                    .bind(account.role.as_str())
                    .bind(account.made_at.to_sqlx())
                    .execute(&mut *write)
                    .await?
                    .rows_affected();
                    if added == 0 {
                        write.rollback().await?;
                        return Ok(false);
                    }
                    put(&mut write, &account).await?;
                    note(&mut write, &[entry]).await?;
                    write.commit().await?;
                    Ok(true)
                })
            })
            .await
    }

    async fn change(&self, which: &Which, decide: Decide) -> Result<(), StoreError> {
        let which = which.clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    let mut account = find(&mut write, &which, "FOR UPDATE").await?;
                    let effects = decide(account.as_mut());
                    if let Some(account) = &account {
                        put(&mut write, account).await?;
                    }
                    if let Some(account) = account.filter(|_| effects.ends_sessions) {
                        sqlx::query("DELETE FROM desk_sessions WHERE account = $1")
                            .bind(account.id.0)
                            .execute(&mut *write)
                            .await?;
                    }
                    if let Some(token) = &effects.ends_session {
                        sqlx::query("DELETE FROM desk_sessions WHERE token = $1")
                            .bind(token.as_str())
                            .execute(&mut *write)
                            .await?;
                    }
                    if let Some(session) = &effects.begins_session {
                        sqlx::query(
                            "INSERT INTO desk_sessions (token, account, begun_at, seen_at) \
                             VALUES ($1, $2, $3, $4)",
                        )
                        .bind(session.token.as_str())
                        .bind(session.account.0)
                        .bind(session.begun_at.to_sqlx())
                        .bind(session.seen_at.to_sqlx())
                        .execute(&mut *write)
                        .await?;
                    }
                    note(&mut write, &effects.entries).await?;
                    Ok(write.commit().await?)
                })
            })
            .await
    }

    async fn session(
        &self,
        token: &Digest,
    ) -> Result<Option<(StoredSession, StoredAccount)>, StoreError> {
        let token = token.clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let row = sqlx::query(
                        "SELECT account, begun_at, seen_at FROM desk_sessions WHERE token = $1",
                    )
                    .bind(token.as_str())
                    .fetch_optional(&mut *connection)
                    .await?;
                    let Some(row) = row else { return Ok(None) };
                    let session = StoredSession {
                        token,
                        account: AccountId(row.try_get("account")?),
                        begun_at: row.try_get::<Stored, _>("begun_at")?.to_jiff(),
                        seen_at: row.try_get::<Stored, _>("seen_at")?.to_jiff(),
                    };
                    let account = find(connection, &Which::Id(session.account), "").await?;
                    Ok(account.map(|account| (session, account)))
                })
            })
            .await
    }

    async fn latest_session(
        &self,
        account: AccountId,
        begun_after: Timestamp,
        seen_after: Timestamp,
    ) -> Result<Option<Digest>, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let token: Option<String> = sqlx::query_scalar(
                        "SELECT token FROM desk_sessions \
                         WHERE account = $1 AND begun_at > $2 AND seen_at > $3 \
                         ORDER BY begun_at DESC LIMIT 1",
                    )
                    .bind(account.0)
                    .bind(begun_after.to_sqlx())
                    .bind(seen_after.to_sqlx())
                    .fetch_optional(connection)
                    .await?;
                    Ok(token.map(Digest))
                })
            })
            .await
    }

    async fn see_session(&self, token: &Digest, at: Timestamp) -> Result<(), StoreError> {
        let token = token.clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    sqlx::query(
                        "UPDATE desk_sessions SET seen_at = greatest(seen_at, $1) WHERE token = $2",
                    )
                    .bind(at.to_sqlx())
                    .bind(token.as_str())
                    .execute(connection)
                    .await?;
                    Ok(())
                })
            })
            .await
    }

    async fn forget_sessions(
        &self,
        begun_before: Timestamp,
        seen_before: Timestamp,
    ) -> Result<(), StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    sqlx::query("DELETE FROM desk_sessions WHERE begun_at < $1 OR seen_at < $2")
                        .bind(begun_before.to_sqlx())
                        .bind(seen_before.to_sqlx())
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    async fn note(&self, entry: NewEntry) -> Result<(), StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    note(&mut write, &[entry]).await?;
                    Ok(write.commit().await?)
                })
            })
            .await
    }

    async fn entries(&self, after: i64, most: u32) -> Result<Vec<Entry>, StoreError> {
        let asked = "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
                     WHERE number > $1 ORDER BY number LIMIT $2";
        self.read(asked, after, most).await
    }

    async fn latest_entries(&self, before: i64, most: u32) -> Result<Vec<Entry>, StoreError> {
        let asked = "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
                     WHERE number < $1 ORDER BY number DESC LIMIT $2";
        self.read(asked, before, most).await
    }
}

impl InPostgres {
    async fn read(
        &self,
        asked: &'static str,
        from: i64,
        most: u32,
    ) -> Result<Vec<Entry>, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(asked)
                        .bind(from)
                        .bind(i64::from(most))
                        .fetch_all(connection)
                        .await?;
                    rows.iter().map(entry).collect()
                })
            })
            .await
    }
}

async fn find(
    connection: &mut PgConnection,
    which: &Which,
    lock: &'static str,
) -> Result<Option<StoredAccount>, StoreError> {
    let (column, value) = match which {
        Which::Id(id) => ("id::text", id.to_string()),
        Which::SignInName(name) => ("sign_in_name", name.as_str().to_owned()),
        Which::Invitation(token) => ("invitation", token.as_str().to_owned()),
        Which::Subject(subject) => ("subject", subject.as_str().to_owned()),
    };
    let row = sqlx::query(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM desk_accounts WHERE {column} = $1 {lock}"
    )))
    .bind(value)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(account).transpose()
}

/// Writes what of an account may change.
async fn put(connection: &mut PgConnection, account: &StoredAccount) -> Result<(), StoreError> {
    let row = AccountRow::of(account);
    let stored = |at: Option<Timestamp>| at.map(ToSqlx::to_sqlx);
    sqlx::query(
        "UPDATE desk_accounts SET name = $2, role = $3, agencies = $4, languages = $5, closed_at = $6, password = $7, \
         totp_secret = $8, totp_step = $9, recovery = $10, wrong_tries = $11, locked_until = $12, invitation = $13, \
         invited_until = $14, invited_secret = $15, subject = $16 WHERE id = $1",
    )
    .bind(account.id.0)
    .bind(&account.name)
    .bind(row.role)
    .bind(row.agencies)
    .bind(row.languages)
    .bind(stored(account.closed_at))
    .bind(row.password)
    .bind(row.totp_secret)
    .bind(account.totp_step)
    .bind(row.recovery)
    .bind(i64::from(account.wrong_tries))
    .bind(stored(account.locked_until))
    .bind(row.invitation)
    .bind(stored(row.invited_until))
    .bind(row.invited_secret)
    .bind(row.subject)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds entries, whoever else adds some at this moment; they wait until this transaction ends.
pub(crate) async fn note(
    connection: &mut PgConnection,
    new: &[NewEntry],
) -> Result<(), StoreError> {
    if new.is_empty() {
        return Ok(());
    }
    sqlx::query("SELECT pg_advisory_xact_lock($1, $2)")
        .bind(AUDIT_LOCK.0)
        .bind(AUDIT_LOCK.1)
        .execute(&mut *connection)
        .await?;
    let latest = sqlx::query("SELECT number, hash FROM desk_audit ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await?;
    let mut head = match latest {
        Some(row) => Head {
            number: row.try_get("number")?,
            hash: row.try_get("hash")?,
        },
        None => Head::none(),
    };
    for new in new {
        let entry = Entry::after(&head, new);
        head = entry.head();
        sqlx::query(
            "INSERT INTO desk_audit (number, at, who, what, about, previous, hash) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(entry.number)
        .bind(entry.at)
        .bind(entry.who)
        .bind(entry.what)
        .bind(entry.about)
        .bind(entry.previous)
        .bind(entry.hash)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn account(row: &PgRow) -> Result<StoredAccount, StoreError> {
    let at = |column: &str| {
        row.try_get::<Option<Stored>, _>(column)
            .map(|at| at.map(Stored::to_jiff))
    };
    ReadAccount {
        id: AccountId(row.try_get("id")?),
        name: row.try_get("name")?,
        sign_in_name: row.try_get("sign_in_name")?,
        role: row.try_get("role")?,
        agencies: row.try_get("agencies")?,
        languages: row.try_get("languages")?,
        made_at: row.try_get::<Stored, _>("made_at")?.to_jiff(),
        closed_at: at("closed_at")?,
        password: row.try_get("password")?,
        totp_secret: row.try_get("totp_secret")?,
        totp_step: row.try_get("totp_step")?,
        recovery: row.try_get("recovery")?,
        wrong_tries: row.try_get("wrong_tries")?,
        locked_until: at("locked_until")?,
        invitation: row.try_get("invitation")?,
        invited_until: at("invited_until")?,
        invited_secret: row.try_get("invited_secret")?,
        subject: row.try_get("subject")?,
    }
    .account()
}

pub(crate) fn entry(row: &PgRow) -> Result<Entry, StoreError> {
    Ok(Entry {
        number: row.try_get("number")?,
        at: row.try_get("at")?,
        who: row.try_get("who")?,
        what: row.try_get("what")?,
        about: row.try_get("about")?,
        previous: row.try_get("previous")?,
        hash: row.try_get("hash")?,
    })
}
