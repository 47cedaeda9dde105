//! How a connection is made: from a url, with bounds on both sides.

use std::str::FromStr;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout};

use super::PostgresOpenError;

/// How long an operation waits for a connection, and how long its work on it may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// How long an idle connection has to show that it lives, before it is replaced by a new one.
pub(super) const SIGN_OF_LIFE: Duration = Duration::from_secs(1);
/// For another server that is making the same tables, or a program that has locked them.
pub(super) const SET_UP_WAITS: Duration = Duration::from_secs(30);
/// A server that is just starting, with this one, is waited for.
const START_TOGETHER: Duration = Duration::from_secs(10);
const BETWEEN_TRIES: Duration = Duration::from_millis(250);

/// Advisory locks are numbers of a database: the first of two says that they are Nightlight's.
pub(super) const LOCKS: i32 = 0x4e67_746c;
pub(super) const NUMBERING: i32 = 2;
pub(super) const SET_UP: i32 = 3;
/// Both numbers: the duty desk's audit trail is added to by one at a time, on whatever server.
pub const AUDIT_LOCK: (i32, i32) = (LOCKS, 4);

/// What a url may say besides name, password, host, port and database. Whatever else stands there is left out before the
/// driver would write it into the log.
const PARAMETERS: [&str; 12] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "options",
    "statement-cache-capacity",
];

/// Whether a url names a PostgreSQL database.
pub(crate) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

pub(crate) fn check_url(url: &str) -> Result<(), PostgresOpenError> {
    options_of(url).map(drop)
}

pub(super) fn options_of(url: &str) -> Result<PgConnectOptions, PostgresOpenError> {
    let url = match url.split_once('?') {
        Some((place, parameters)) => {
            let known = |parameter: &&str| {
                let name = parameter.split('=').next().unwrap_or_default();
                PARAMETERS.contains(&name)
            };
            let known: Vec<&str> = parameters.split('&').filter(known).collect();
            format!("{place}?{}", known.join("&"))
        }
        None => url.to_owned(),
    };
    let milliseconds = PATIENCE.as_millis();
    Ok(PgConnectOptions::from_str(&url)
        .map_err(|_| PostgresOpenError::Url)?
        .application_name(&format!("nightlight {}", std::process::id()))
        .options([
            ("statement_timeout", milliseconds.to_string()),
            // Of this server nothing is heard any more: what it has locked is let go.
            (
                "idle_in_transaction_session_timeout",
                milliseconds.to_string(),
            ),
            ("tcp_keepalives_idle", "10".to_owned()),
            ("tcp_keepalives_interval", "5".to_owned()),
            ("tcp_keepalives_count", "3".to_owned()),
            ("tcp_user_timeout", "25000".to_owned()),
            // What is told stored is on disk, and a statement sees what was committed before it, whatever is set for
            // the database.
            ("synchronous_commit", "on".to_owned()),
            ("default_transaction_isolation", "read committed".to_owned()),
            ("client_min_messages", "warning".to_owned()),
        ])
        // Statements hold no values, but a caller's record is nobody's debug log.
        .disable_statement_logging())
}

/// A connection, also to a server that is only starting.
pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, PostgresOpenError> {
    let until = Instant::now() + START_TOGETHER;
    loop {
        match connect_once(options).await {
            Err(PostgresOpenError::Unreachable(_)) if Instant::now() < until => {
                sleep(BETWEEN_TRIES).await;
            }
            connected => return connected,
        }
    }
}

async fn connect_once(options: &PgConnectOptions) -> Result<PgConnection, PostgresOpenError> {
    match timeout(PATIENCE, options.connect()).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(PostgresOpenError::of(error)),
        Err(_) => Err(PostgresOpenError::Unreachable(
            "it does not answer".to_owned(),
        )),
    }
}
