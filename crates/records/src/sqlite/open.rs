//! Opening the file: creating or upgrading the schema, laying in the samples, and telling
//! what is wrong in words that help.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Row};
use tokio::sync::broadcast;

use super::SqliteStore;
use super::leases::Leases;
use crate::changes::BEHIND;
use crate::json::json;
use crate::open_error::OpenError;
use crate::samples::{self, samples};
use crate::sealing::RecordsKeys;

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations/sqlite");

/// The same number as in the first migration.
const APPLICATION_ID: i64 = 0x4e67_746c;

/// How long a statement waits for another program's lock, and a query for a connection.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Switching a new file to the write-ahead log does not wait for locks by itself; two
/// programs that open the same new file meet there for a moment.
const OPEN_ATTEMPTS: u32 = 25;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(100);

/// When an opening that takes long is told of: somebody may be looking at a start that does not go on.
const TOLD_AFTER: Duration = Duration::from_secs(2);

const READERS: u32 = 4;

const IN_MEMORY: &str = ":memory:";

/// The file of a database's url, if it is in one.
pub(crate) fn file_of(url: &str) -> Option<PathBuf> {
    file_at(url.strip_prefix("sqlite:")?)
}

pub(crate) fn check_url(url: &str) -> Result<(), OpenError> {
    match url.strip_prefix("sqlite:") {
        Some(place) if !place.is_empty() => Ok(()),
        _ => Err(OpenError::UnknownDatabase),
    }
}

fn file_at(place: &str) -> Option<PathBuf> {
    let place = place.strip_prefix("//").unwrap_or(place);
    (!place.is_empty() && place != IN_MEMORY).then(|| PathBuf::from(place))
}

impl SqliteStore {
    /// Opens `place`, a path or `:memory:`, and seals with the first of these keys.
    pub async fn open_with(place: &str, keys: RecordsKeys) -> Result<Self, OpenError> {
        let opened = Self::open(place).await?;
        let store = Self { keys, ..opened };
        let path = file_at(place).unwrap_or_else(|| PathBuf::from(IN_MEMORY));
        let used = store.used_keys().await;
        let used = used.map_err(|error| explain(&path, error))?;
        store.keys.tell_what_is_missing(&used);
        Ok(store)
    }

    /// Opens `place`, a path or `:memory:`. Nothing of it is sealed or unsealed.
    pub async fn open(place: &str) -> Result<Self, OpenError> {
        let file = file_at(place);
        let in_memory = file.is_none();
        if in_memory && !place.ends_with(IN_MEMORY) {
            return Err(OpenError::UnknownDatabase);
        }
        if let Some(file) = &file {
            make_writable(file)?;
        }
        let path = file.unwrap_or_else(|| PathBuf::from(IN_MEMORY));
        let mut opening = pin!(Self::keep_opening(&path, in_memory));
        tokio::select! {
            opened = &mut opening => return opened,
            () = tokio::time::sleep(TOLD_AFTER) => {}
        }
        tracing::warn!(
            path = %path.display(),
            "the database is not open yet, and goes on being tried for two minutes: if another program has it locked, end \
             that program"
        );
        opening.await
    }

    async fn keep_opening(path: &Path, in_memory: bool) -> Result<Self, OpenError> {
        let mut attempt = 1;
        loop {
            match Self::try_open(path, in_memory).await {
                Err(OpenError::Locked { .. }) if attempt < OPEN_ATTEMPTS => {
                    attempt += 1;
                    tokio::time::sleep(BETWEEN_ATTEMPTS).await;
                }
                opened => return opened,
            }
        }
    }

    async fn try_open(path: &Path, in_memory: bool) -> Result<Self, OpenError> {
        if !in_memory {
            check_ours(path).await?;
        }
        let options = SqliteConnectOptions::new()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .pragma("secure_delete", "ON")
            // Statements hold no values, but a caller's record is nobody's debug log.
            .disable_statement_logging();
        let options = match in_memory {
            true => options.in_memory(true),
            false => options.filename(path),
        };
        let pool = |connections: u32| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(PATIENCE)
                // A database in memory is gone with its only connection.
                .min_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                // On a full disk SQLite ends a transaction by itself, and the driver goes on believing in it: it would refuse
                // every later one. Such a connection is given up for a new one.
                .before_acquire(|connection, _| {
                    let usable = !connection.is_in_transaction();
                    Box::pin(std::future::ready(Ok(usable)))
                })
        };
        let told = |error| explain(path, error);
        let writer = pool(1).connect_with(options.clone()).await.map_err(told)?;

        // One transaction, so that of two programs opening a new file one lays everything
        // and the other finds it done.
        let mut setup = writer.begin_with("BEGIN IMMEDIATE").await.map_err(told)?;
        // `run` on a transaction makes futures that the compiler cannot prove to be `Send`
        // ("implementation of `Acquire` is not general enough"); this is its inner half.
        MIGRATIONS
            .run_direct(None, &mut *setup, false)
            .await
            .map_err(|error| explain_migration(path, error))?;
        lay_samples(&mut setup).await.map_err(told)?;
        setup.commit().await.map_err(told)?;

        let readers = match in_memory {
            true => writer.clone(),
            false => pool(READERS)
                .connect_with(options.read_only(true))
                .await
                .map_err(told)?,
        };
        Ok(Self {
            writer,
            readers,
            leases: Arc::new(Leases::new()),
            changes: broadcast::Sender::new(BEHIND),
            keys: RecordsKeys::none(),
        })
    }
}

/// Makes the file and its directory, or tells what keeps them from being written: SQLite's own answer is always "unable to
/// open database file".
pub(crate) fn make_writable(path: &Path) -> Result<(), OpenError> {
    let not_writable = |_: io::Error| OpenError::NotWritable {
        path: path.to_owned(),
    };
    if let Some(directory) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::fs::create_dir_all(directory).map_err(not_writable)?;
    }
    if path.is_dir() {
        return Err(OpenError::NotOurs {
            path: path.to_owned(),
        });
    }
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map(drop)
        .map_err(not_writable)
}

/// Writes the database as it is at this moment into `to`, an empty file. What was deleted is not in it.
pub(crate) async fn copy(database: &Path, to: &Path) -> Result<(), OpenError> {
    check_ours(database).await?;
    let told = |error| explain(database, error);
    let mut connection = reading(database).connect().await.map_err(told)?;
    sqlx::query("VACUUM INTO ?")
        .bind(to.display().to_string())
        .execute(&mut connection)
        .await
        .map_err(told)?;
    connection.close().await.map_err(told)
}

/// Looks at every page of a file: how many records are in it. `None` if it is damaged.
pub(crate) async fn records_of_a_whole(path: &Path) -> Result<Option<u64>, OpenError> {
    match check_ours(path).await {
        // Where its schema goes over several pages, one of them may be no schema any more.
        Err(OpenError::NotOurs { .. }) if is_marked(path) => return Ok(None),
        looked => looked?,
    }
    let looked = async {
        let mut connection = reading(path).connect().await?;
        let found: String = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_one(&mut connection)
            .await?;
        let records: i64 = sqlx::query_scalar("SELECT count(*) FROM calls")
            .fetch_one(&mut connection)
            .await?;
        connection.close().await?;
        Ok((found == "ok").then_some(records.unsigned_abs()))
    };
    match looked.await.map_err(|error| explain(path, error)) {
        // Parts of it are no database any more, or no records.
        Err(OpenError::NotOurs { .. }) => Ok(None),
        looked => looked,
    }
}

/// Whether a file's first page says that it is ours (SQLite's file format, section 1.3). All else may be damaged.
fn is_marked(path: &Path) -> bool {
    let mut header = [0; 72];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    let mark = i64::from(u32::from_be_bytes([
        header[68], header[69], header[70], header[71],
    ]));
    read.is_ok() && header.starts_with(b"SQLite format 3\0") && mark == APPLICATION_ID
}

/// A connection for whoever has the file alone: as a backup it has no log beside it.
pub(crate) async fn connect_alone(path: &Path) -> Result<SqliteConnection, OpenError> {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Delete)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging()
        .connect()
        .await
        .map_err(|error| explain(path, error))
}

fn reading(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging()
}

/// A new database is empty; one that is neither empty nor marked as ours is another
/// program's. Looked at through a connection that changes nothing, so that it is left as
/// it is.
async fn check_ours(path: &Path) -> Result<(), OpenError> {
    let look = async {
        let mut connection = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(PATIENCE)
            .disable_statement_logging()
            .connect()
            .await?;
        let row = sqlx::query(
            "SELECT application_id, (SELECT count(*) FROM sqlite_schema) AS tables \
             FROM pragma_application_id",
        )
        .fetch_one(&mut connection)
        .await?;
        let found: (i64, i64) = (row.try_get("application_id")?, row.try_get("tables")?);
        connection.close().await?;
        Ok(found)
    };
    let (application, tables) = look.await.map_err(|error| explain(path, error))?;
    if tables > 0 && application != APPLICATION_ID {
        return Err(OpenError::NotOurs {
            path: path.to_owned(),
        });
    }
    Ok(())
}

async fn lay_samples(setup: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let new = sqlx::query("INSERT INTO seeded (name) VALUES (?) ON CONFLICT DO NOTHING")
        .bind(samples::SET)
        .execute(&mut *setup)
        .await?
        .rows_affected();
    if new == 0 {
        return Ok(());
    }
    for sample in samples() {
        sqlx::query(
            "INSERT INTO calls (id, call_id, sample, kind, started_at, ended_at, ended_reason, \
             note, abuse_type, messages, urgency) VALUES (?, ?, 1, 'webCall', ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(sample.id)
        .bind(sample.call_id.to_string())
        .bind(sample.started_at.as_microsecond())
        .bind(sample.ended_at.as_microsecond())
        .bind(sample.ended_reason.as_str())
        .bind(json(&sample.note))
        .bind(
            sample
                .abuse_in_other_words
                .map(|words| words.expose_secret().clone()),
        )
        .bind(json(&sample.messages))
        .bind(i64::from(sample.note.structured_data.urgent))
        .execute(&mut *setup)
        .await?;
    }
    Ok(())
}

fn explain(path: &Path, error: sqlx::Error) -> OpenError {
    let path = path.to_owned();
    // Extended codes keep the primary one in the low byte.
    let code = match &error {
        sqlx::Error::Database(database) => database
            .code()
            .and_then(|code| code.parse::<i32>().ok())
            .map(|code| code & 0xff),
        _ => None,
    };
    match code {
        Some(5 | 6) => OpenError::Locked { path },
        Some(8 | 14) => OpenError::NotWritable { path },
        Some(11 | 26) => OpenError::NotOurs { path },
        _ => OpenError::Other {
            path,
            source: Box::new(error),
        },
    }
}

fn explain_migration(path: &Path, error: MigrateError) -> OpenError {
    let known = MIGRATIONS
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or(0);
    match error {
        // In the file, but not in this program.
        MigrateError::VersionMissing(found) | MigrateError::VersionTooNew(found, _) => {
            OpenError::NewerSchema {
                path: path.to_owned(),
                found,
                known,
            }
        }
        MigrateError::VersionMismatch(version) => OpenError::AlteredSchema {
            path: path.to_owned(),
            version,
        },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            explain(path, error)
        }
        other => OpenError::Other {
            path: path.to_owned(),
            source: Box::new(other),
        },
    }
}
