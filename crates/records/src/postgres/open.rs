//! Opening the database: creating or upgrading the tables, laying in the samples, and telling what is wrong in words that
//! help. In one transaction and under a lock, so that of several servers that start at the same moment one lays
//! everything and the others find it done.

use std::sync::Arc;

use jiff_sqlx::ToSqlx;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{Connection, Row};
use tokio::time::timeout;

use super::connecting::{LOCKS, PATIENCE, SET_UP, SET_UP_WAITS, SIGN_OF_LIFE, connect, options_of};
use super::{PostgresOpenError, PostgresStore};
use crate::holding::Holding;
use crate::json::json;
use crate::samples::{self, samples};
use crate::sealing::RecordsKeys;

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("./migrations/postgres");

/// Of one server. PostgreSQL takes 100 in all unless it is told otherwise.
const CONNECTIONS: u32 = 10;

impl PostgresStore {
    /// Opens the database at a url of the form `postgres://NAME:PASSWORD@HOST:PORT/DATABASE`, and seals with the first of
    /// these keys.
    pub async fn open_with(url: &str, keys: RecordsKeys) -> Result<Self, PostgresOpenError> {
        let opened = Self::open(url).await?;
        let store = Self { keys, ..opened };
        let used = store.used_keys().await.map_err(PostgresOpenError::of)?;
        store.keys.tell_what_is_missing(&used);
        Ok(store)
    }

    /// The same. Nothing of it is sealed or unsealed.
    pub(crate) async fn open(url: &str) -> Result<Self, PostgresOpenError> {
        let options = options_of(url)?;
        set_up(&options).await?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            // The driver's own test waits for as long as nothing is heard.
            .test_before_acquire(false)
            .before_acquire(|connection, _| {
                Box::pin(async move {
                    let answer = timeout(SIGN_OF_LIFE, connection.ping()).await;
                    Ok(matches!(answer, Ok(Ok(()))))
                })
            })
            .connect_lazy_with(options);
        Ok(Self {
            pool,
            keys: RecordsKeys::none(),
            holding: Arc::new(Holding::new()),
            stored: Arc::default(),
        })
    }
}

async fn set_up(options: &PgConnectOptions) -> Result<(), PostgresOpenError> {
    // A change of a large table takes as long as it takes.
    let options = options.clone().options([("statement_timeout", "0")]);
    let mut connection = connect(&options).await?;
    look_around(&mut connection).await?;
    let mut setup = connection.begin().await.map_err(PostgresOpenError::of)?;
    lock(&mut setup).await.map_err(PostgresOpenError::of)?;
    check_ours(&mut setup).await?;
    // The inner half of `run`, as for SQLite.
    MIGRATIONS
        .run_direct(None, &mut *setup, false)
        .await
        .map_err(of_migration)?;
    lay_samples(&mut setup)
        .await
        .map_err(PostgresOpenError::of)?;
    setup.commit().await.map_err(PostgresOpenError::of)?;
    // It is done either way.
    let _ = connection.close().await;
    Ok(())
}

/// What can be told of the server before anything is done there.
async fn look_around(connection: &mut PgConnection) -> Result<(), PostgresOpenError> {
    let row = sqlx::query(
        "SELECT current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby, \
         current_setting('fsync')::boolean AS durable, \
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted, \
         coalesce(inet_client_addr() <> inet_server_addr(), false) AS elsewhere",
    )
    .fetch_one(connection)
    .await
    .map_err(PostgresOpenError::of)?;
    let is = |column: &str| {
        row.try_get::<bool, _>(column)
            .map_err(PostgresOpenError::of)
    };
    let found: String = row.try_get("encoding").map_err(PostgresOpenError::of)?;
    if found != "UTF8" {
        return Err(PostgresOpenError::Encoding { found });
    }
    if is("standby")? {
        return Err(PostgresOpenError::Standby);
    }
    if !is("durable")? {
        tracing::warn!(
            "the database server runs with fsync off: a power cut there may lose every record"
        );
    }
    if is("elsewhere")? && !is("encrypted")? {
        tracing::warn!(
            "callers' words go to the database server unencrypted: add sslmode=verify-full to the database url"
        );
    }
    Ok(())
}

/// For one at a time: who lays the tables, or fills them.
pub(super) async fn lock(setup: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT set_config('lock_timeout', $1, true)")
        .bind(SET_UP_WAITS.as_millis().to_string())
        .execute(&mut *setup)
        .await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1, $2)")
        .bind(LOCKS)
        .bind(SET_UP)
        .execute(&mut *setup)
        .await?;
    Ok(())
}

/// A new database is empty, but for what extensions have put there; one that is neither empty nor marked as ours is another
/// program's, and left as it is.
pub(super) async fn check_ours(setup: &mut PgConnection) -> Result<(), PostgresOpenError> {
    let ours: bool = sqlx::query_scalar(
        "SELECT coalesce(bool_or(relname = 'calls' AND \
         coalesce(obj_description(oid, 'pg_class') LIKE 'Nightlight:%', false)), true) \
         FROM pg_class \
         WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
         AND relkind IN ('r', 'p', 'v', 'm', 'f') \
         AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass \
         AND objid = pg_class.oid AND deptype = 'e')",
    )
    .fetch_one(setup)
    .await
    .map_err(PostgresOpenError::of)?;
    match ours {
        true => Ok(()),
        false => Err(PostgresOpenError::NotOurs),
    }
}

async fn lay_samples(setup: &mut PgConnection) -> Result<(), sqlx::Error> {
    let new = sqlx::query("INSERT INTO seeded (name) VALUES ($1) ON CONFLICT DO NOTHING")
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
             note, abuse_type, messages, urgency) \
             VALUES ($1, $2, true, 'webCall', $3, $4, $5, $6::json, $7, $8::json, $9)",
        )
        .bind(sample.id)
        .bind(sample.call_id.0)
        .bind(sample.started_at.to_sqlx())
        .bind(sample.ended_at.to_sqlx())
        .bind(sample.ended_reason.as_str())
        .bind(json(&sample.note))
        .bind(
            sample
                .abuse_in_other_words
                .map(|words| words.expose_secret().clone()),
        )
        .bind(json(&sample.messages))
        .bind(i16::from(sample.note.structured_data.urgent))
        .execute(&mut *setup)
        .await?;
    }
    Ok(())
}

fn of_migration(error: MigrateError) -> PostgresOpenError {
    let known = MIGRATIONS
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or(0);
    match error {
        // In the database, but not in this program.
        MigrateError::VersionMissing(found) | MigrateError::VersionTooNew(found, _) => {
            PostgresOpenError::NewerSchema { found, known }
        }
        MigrateError::VersionMismatch(version) => PostgresOpenError::AlteredSchema { version },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            PostgresOpenError::of(error)
        }
        other => PostgresOpenError::Other(other.to_string()),
    }
}
