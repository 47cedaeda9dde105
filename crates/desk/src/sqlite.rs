//! The desk in the records' SQLite file, through the records' one writer.

use async_trait::async_trait;
use jiff::Timestamp;
use records::{SqliteStore, StoreError};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use crate::account::AccountId;
use crate::audit::{Entry, Head, NewEntry};
use crate::store::{
    AccountRow, Decide, DeskStore, ReadAccount, StoredAccount, StoredSession, Which, unreadable,
};
use crate::token::Digest;

pub(crate) struct InSqlite(pub SqliteStore);

const COLUMNS: &str = "id, name, sign_in_name, role, agencies, languages, made_at, closed_at, password, totp_secret, \
                       totp_step, recovery, wrong_tries, locked_until, invitation, invited_until, invited_secret, \
                       subject";

#[async_trait]
impl DeskStore for InSqlite {
    async fn has_accounts(&self) -> Result<bool, StoreError> {
        Ok(
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM desk_accounts)")
                .fetch_one(self.0.readers())
                .await?,
        )
    }

    async fn accounts(&self) -> Result<Vec<StoredAccount>, StoreError> {
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM desk_accounts ORDER BY id"
        )))
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(account).collect()
    }

    async fn account(&self, which: &Which) -> Result<Option<StoredAccount>, StoreError> {
        let mut reader = self.0.readers().acquire().await?;
        find(&mut reader, which).await
    }

    async fn add(&self, account: StoredAccount, entry: NewEntry) -> Result<bool, StoreError> {
        let mut write = self.0.write().await?;
        let taken = Which::SignInName(account.sign_in_name.clone());
        if find(&mut write, &taken).await?.is_some() {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO desk_accounts (id, name, sign_in_name, role, agencies, languages, made_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(account.id.to_string())
        .bind(&account.name)
        .bind(account.sign_in_name.as_str())
        .bind(account.role.as_str())
        .bind("")
        .bind("")
        .bind(account.made_at.as_microsecond())
        .execute(&mut *write)
        .await?;
        put(&mut write, &account).await?;
        note(&mut write, &entry).await?;
        write.commit().await?;
        Ok(true)
    }

    async fn change(&self, which: &Which, decide: Decide) -> Result<(), StoreError> {
        let mut write = self.0.write().await?;
        let mut account = find(&mut write, which).await?;
        let effects = decide(account.as_mut());
        if let Some(account) = &account {
            put(&mut write, account).await?;
        }
        if let Some(account) = account.filter(|_| effects.ends_sessions) {
            sqlx::query("DELETE FROM desk_sessions WHERE account = ?")
                .bind(account.id.to_string())
                .execute(&mut *write)
                .await?;
        }
        if let Some(token) = &effects.ends_session {
            sqlx::query("DELETE FROM desk_sessions WHERE token = ?")
                .bind(token.as_str())
                .execute(&mut *write)
                .await?;
        }
        if let Some(session) = &effects.begins_session {
            sqlx::query(
                "INSERT INTO desk_sessions (token, account, begun_at, seen_at) VALUES (?, ?, ?, ?)",
            )
            .bind(session.token.as_str())
            .bind(session.account.to_string())
            .bind(session.begun_at.as_microsecond())
            .bind(session.seen_at.as_microsecond())
            .execute(&mut *write)
            .await?;
        }
        for entry in &effects.entries {
            note(&mut write, entry).await?;
        }
        Ok(write.commit().await?)
    }

    async fn session(
        &self,
        token: &Digest,
    ) -> Result<Option<(StoredSession, StoredAccount)>, StoreError> {
        let mut reader = self.0.readers().acquire().await?;
        let row =
            sqlx::query("SELECT account, begun_at, seen_at FROM desk_sessions WHERE token = ?")
                .bind(token.as_str())
                .fetch_optional(&mut *reader)
                .await?;
        let Some(row) = row else { return Ok(None) };
        let session = StoredSession {
            token: token.clone(),
            account: id(row.try_get("account")?)?,
            begun_at: moment(row.try_get("begun_at")?)?,
            seen_at: moment(row.try_get("seen_at")?)?,
        };
        let account = find(&mut reader, &Which::Id(session.account)).await?;
        Ok(account.map(|account| (session, account)))
    }

    async fn latest_session(
        &self,
        account: AccountId,
        begun_after: Timestamp,
        seen_after: Timestamp,
    ) -> Result<Option<Digest>, StoreError> {
        let token: Option<String> = sqlx::query_scalar(
            "SELECT token FROM desk_sessions WHERE account = ? AND begun_at > ? AND seen_at > ? \
             ORDER BY begun_at DESC LIMIT 1",
        )
        .bind(account.to_string())
        .bind(begun_after.as_microsecond())
        .bind(seen_after.as_microsecond())
        .fetch_optional(self.0.readers())
        .await?;
        Ok(token.map(Digest))
    }

    async fn see_session(&self, token: &Digest, at: Timestamp) -> Result<(), StoreError> {
        let mut write = self.0.write().await?;
        sqlx::query("UPDATE desk_sessions SET seen_at = max(seen_at, ?) WHERE token = ?")
            .bind(at.as_microsecond())
            .bind(token.as_str())
            .execute(&mut *write)
            .await?;
        Ok(write.commit().await?)
    }

    async fn forget_sessions(
        &self,
        begun_before: Timestamp,
        seen_before: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.0.write().await?;
        sqlx::query("DELETE FROM desk_sessions WHERE begun_at < ? OR seen_at < ?")
            .bind(begun_before.as_microsecond())
            .bind(seen_before.as_microsecond())
            .execute(&mut *write)
            .await?;
        Ok(write.commit().await?)
    }

    async fn note(&self, entry: NewEntry) -> Result<(), StoreError> {
        let mut write = self.0.write().await?;
        note(&mut write, &entry).await?;
        Ok(write.commit().await?)
    }

    async fn entries(&self, after: i64, most: u32) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
             WHERE number > ? ORDER BY number LIMIT ?",
        )
        .bind(after)
        .bind(most)
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(entry).collect()
    }

    async fn latest_entries(&self, before: i64, most: u32) -> Result<Vec<Entry>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, at, who, what, about, previous, hash FROM desk_audit \
             WHERE number < ? ORDER BY number DESC LIMIT ?",
        )
        .bind(before)
        .bind(most)
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(entry).collect()
    }
}

async fn find(
    connection: &mut SqliteConnection,
    which: &Which,
) -> Result<Option<StoredAccount>, StoreError> {
    let (column, value) = match which {
        Which::Id(id) => ("id", id.to_string()),
        Which::SignInName(name) => ("sign_in_name", name.as_str().to_owned()),
        Which::Invitation(token) => ("invitation", token.as_str().to_owned()),
        Which::Subject(subject) => ("subject", subject.as_str().to_owned()),
    };
    let row = sqlx::query(AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM desk_accounts WHERE {column} = ?"
    )))
    .bind(value)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(account).transpose()
}

/// Writes what of an account may change.
async fn put(connection: &mut SqliteConnection, account: &StoredAccount) -> Result<(), StoreError> {
    let row = AccountRow::of(account);
    let micros = |at: Option<Timestamp>| at.map(Timestamp::as_microsecond);
    sqlx::query(
        "UPDATE desk_accounts SET name = ?, role = ?, agencies = ?, languages = ?, closed_at = ?, password = ?, \
         totp_secret = ?, totp_step = ?, recovery = ?, wrong_tries = ?, locked_until = ?, invitation = ?, \
         invited_until = ?, invited_secret = ?, subject = ? WHERE id = ?",
    )
    .bind(&account.name)
    .bind(row.role)
    .bind(row.agencies)
    .bind(row.languages)
    .bind(micros(account.closed_at))
    .bind(row.password)
    .bind(row.totp_secret)
    .bind(account.totp_step)
    .bind(row.recovery)
    .bind(i64::from(account.wrong_tries))
    .bind(micros(account.locked_until))
    .bind(row.invitation)
    .bind(micros(row.invited_until))
    .bind(row.invited_secret)
    .bind(row.subject)
    .bind(account.id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// The transaction has the write lock: nobody else adds an entry meanwhile.
pub(crate) async fn note(
    connection: &mut SqliteConnection,
    new: &NewEntry,
) -> Result<(), StoreError> {
    let latest = sqlx::query("SELECT number, hash FROM desk_audit ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await?;
    let head = match latest {
        Some(row) => Head {
            number: row.try_get("number")?,
            hash: row.try_get("hash")?,
        },
        None => Head::none(),
    };
    let entry = Entry::after(&head, new);
    sqlx::query(
        "INSERT INTO desk_audit (number, at, who, what, about, previous, hash) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(entry.number)
    .bind(entry.at)
    .bind(entry.who)
    .bind(entry.what)
    .bind(entry.about)
    .bind(entry.previous)
    .bind(entry.hash)
    .execute(connection)
    .await?;
    Ok(())
}

fn account(row: &SqliteRow) -> Result<StoredAccount, StoreError> {
    let at = |column: &str| {
        let micros: Option<i64> = row.try_get(column)?;
        micros.map(moment).transpose()
    };
    ReadAccount {
        id: id(row.try_get("id")?)?,
        name: row.try_get("name")?,
        sign_in_name: row.try_get("sign_in_name")?,
        role: row.try_get("role")?,
        agencies: row.try_get("agencies")?,
        languages: row.try_get("languages")?,
        made_at: moment(row.try_get("made_at")?)?,
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

pub(crate) fn entry(row: &SqliteRow) -> Result<Entry, StoreError> {
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

fn id(text: String) -> Result<AccountId, StoreError> {
    text.parse().map_err(unreadable)
}

pub(crate) fn moment(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(unreadable)
}
