//! One server at a time for a database on a server: an advisory lock, held by a connection of its own and gone with it. When
//! that is lost, calls go on, and the lock is taken again as soon as the database can be reached.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, Row};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::PostgresOpenError;
use super::connecting::{LOCKS, PATIENCE, SOLE_USE, connect, connect_once, options_of};

/// How soon a lost connection is noticed.
const LOOK_EVERY: Duration = Duration::from_secs(2);
const BETWEEN_TRIES: Duration = Duration::from_secs(1);
/// A server that has just stopped lets go when its connection is seen to have ended.
const PREDECESSOR_LEAVES: Duration = Duration::from_secs(3);
/// Two servers on one database are told of as often as that.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// Held until it is dropped.
#[derive(Debug)]
pub(crate) struct AdvisoryLock {
    keeping: JoinHandle<()>,
}

impl AdvisoryLock {
    pub(crate) async fn take(url: &str) -> Result<Self, PostgresOpenError> {
        let options = options_of(url)?;
        let mut connection = connect(&options).await?;
        let until = Instant::now() + PREDECESSOR_LEAVES;
        let session = loop {
            match lock(&mut connection).await? {
                Taken::By(session) if session.is_own => break session,
                Taken::By(_) | Taken::BySomeone if Instant::now() < until => {
                    sleep(BETWEEN_TRIES).await;
                }
                Taken::By(other) => {
                    let holder = Some(other.description);
                    return Err(PostgresOpenError::InUse { holder });
                }
                Taken::BySomeone => return Err(PostgresOpenError::InUse { holder: None }),
            }
        };
        let held = Held {
            connection,
            session,
        };
        Ok(Self {
            keeping: tokio::spawn(keep(options, held)),
        })
    }
}

impl Drop for AdvisoryLock {
    fn drop(&mut self) {
        self.keeping.abort();
    }
}

struct Held {
    connection: PgConnection,
    session: Session,
}

/// A connection as the server sees it.
#[derive(Debug)]
struct Session {
    is_own: bool,
    /// Its process there, and since when.
    process: i32,
    since: String,
    /// In words.
    description: String,
}

impl Session {
    fn is(&self, other: &Session) -> bool {
        (self.process, &self.since) == (other.process, &other.since)
    }
}

enum Taken {
    By(Session),
    /// Who has let go in the same moment, or of whom this name may see nothing.
    BySomeone,
}

async fn lock(connection: &mut PgConnection) -> Result<Taken, PostgresOpenError> {
    let asked = async {
        sqlx::query("SELECT pg_try_advisory_lock($1, $2)")
            .bind(LOCKS)
            .bind(SOLE_USE)
            .execute(&mut *connection)
            .await?;
        let row = sqlx::query(
            "SELECT pid, pid = pg_backend_pid() AS is_own, backend_start::text AS since, \
             application_name || coalesce(' from ' || host(client_addr), '') || \
             to_char(backend_start AT TIME ZONE 'UTC', '\", since \"YYYY-MM-DD HH24:MI \"UTC\"') \
             AS description \
             FROM pg_locks JOIN pg_stat_activity USING (pid) \
             WHERE locktype = 'advisory' AND granted AND objsubid = 2 \
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
             AND classid = $1::bigint::oid AND objid = $2::bigint::oid",
        )
        .bind(i64::from(LOCKS))
        .bind(i64::from(SOLE_USE))
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else {
            return Ok(Taken::BySomeone);
        };
        Ok(Taken::By(Session {
            is_own: row.try_get("is_own")?,
            process: row.try_get("pid")?,
            since: row.try_get("since")?,
            description: row.try_get("description")?,
        }))
    };
    match timeout(PATIENCE, asked).await {
        Ok(answer) => answer.map_err(PostgresOpenError::of),
        Err(_) => Err(PostgresOpenError::Unreachable(
            "it does not answer".to_owned(),
        )),
    }
}

async fn keep(options: PgConnectOptions, mut held: Held) {
    loop {
        while lives(&mut held.connection).await {
            sleep(LOOK_EVERY).await;
        }
        tracing::error!(
            "the connection that kept other servers off the database is lost; calls go on, and the database is taken again \
             as soon as it can be reached"
        );
        held = take_again(&options, held.session).await;
        tracing::info!("the database is this server's alone again");
    }
}

async fn lives(connection: &mut PgConnection) -> bool {
    matches!(timeout(PATIENCE, connection.ping()).await, Ok(Ok(())))
}

async fn take_again(options: &PgConnectOptions, lost: Session) -> Held {
    let mut told: Option<Instant> = None;
    loop {
        if let Ok(mut connection) = connect_once(options).await {
            match lock(&mut connection).await {
                Ok(Taken::By(session)) if session.is_own => {
                    return Held {
                        connection,
                        session,
                    };
                }
                // The server has not noticed yet that nobody is there any more.
                Ok(Taken::By(session)) if session.is(&lost) => {
                    end(&mut connection, &session).await;
                    continue;
                }
                Ok(Taken::By(other)) if told.is_none_or(|told| told.elapsed() > TOLD_EVERY) => {
                    told = Some(Instant::now());
                    tracing::error!(
                        other = other.description,
                        "another server has taken the database while this one could not reach it, and may have ended \
                         this one's calls in the records: stop one of the two"
                    );
                }
                _ => {}
            }
        }
        sleep(BETWEEN_TRIES).await;
    }
}

async fn end(connection: &mut PgConnection, session: &Session) {
    let ending = sqlx::query("SELECT pg_terminate_backend($1)")
        .bind(session.process)
        .execute(connection);
    // Where it does not help, the next try comes here again.
    let _ = timeout(PATIENCE, ending).await;
    sleep(BETWEEN_TRIES).await;
}
