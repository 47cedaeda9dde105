//! What a backup of the database and a restore into it ask of it before a row is read or written.

use sqlx::postgres::PgConnection;

use super::PostgresOpenError;
use super::connecting::{connect, options_of};
use super::open::{MIGRATIONS, check_ours, lock};
use crate::backup::BackupError;
use crate::open_error::OpenError;
use crate::store::StoreError;

/// A connection for work that takes as long as it takes.
pub(crate) async fn connect_for_long(url: &str) -> Result<PgConnection, OpenError> {
    let options = options_of(url)?.options([
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    Ok(connect(&options).await?)
}

/// A connection for a look, which waits for nobody's lock for long.
pub(crate) async fn connect_to_look(url: &str) -> Result<PgConnection, OpenError> {
    Ok(connect(&options_of(url)?).await?)
}

/// Whether what is there are the tables that this program knows.
pub(crate) async fn check_known(connection: &mut PgConnection) -> Result<(), BackupError> {
    check_ours(connection).await.map_err(OpenError::from)?;
    let laid: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await
        .map_err(StoreError::from)?;
    if !laid {
        return Err(BackupError::NothingInPostgres);
    }
    let there: Vec<i64> =
        sqlx::query_scalar("SELECT version FROM _sqlx_migrations ORDER BY version")
            .fetch_all(connection)
            .await
            .map_err(StoreError::from)?;
    let ours: Vec<i64> = MIGRATIONS.iter().map(|it| it.version).collect();
    let (found, known) = (there.last().copied(), ours.last().copied());
    let (found, known) = (found.unwrap_or(0), known.unwrap_or(0));
    if found > known {
        let newer = PostgresOpenError::NewerSchema { found, known };
        return Err(OpenError::from(newer).into());
    }
    match there == ours {
        true => Ok(()),
        false => Err(BackupError::OlderSchema),
    }
}

/// Refuses another program's database, and one on which a server runs, of whichever version.
pub(crate) async fn check_alone(connection: &mut PgConnection) -> Result<(), BackupError> {
    check_ours(connection).await.map_err(OpenError::from)?;
    let laid: bool = sqlx::query_scalar("SELECT to_regclass('nodes') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await
        .map_err(StoreError::from)?;
    match laid {
        true => check_no_server_runs(connection).await,
        false => Ok(()),
    }
}

/// Keeps servers from starting on the database until the transaction ends; refused where one runs.
pub(crate) async fn take_alone(transaction: &mut PgConnection) -> Result<(), BackupError> {
    lock(transaction).await.map_err(StoreError::from)?;
    check_no_server_runs(transaction).await
}

async fn check_no_server_runs(connection: &mut PgConnection) -> Result<(), BackupError> {
    let running: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM nodes WHERE lease_until > clock_timestamp())",
    )
    .fetch_one(connection)
    .await
    .map_err(StoreError::from)?;
    match running {
        true => Err(BackupError::PostgresInUse),
        false => Ok(()),
    }
}
