//! Changes that any node has stored, told as they happen. The database itself knows what is new: each change is marked with
//! its transaction, and a node asks for those that the snapshot of its last look had not seen. That look is the truth;
//! it is taken every two seconds in any case. The bell says only that it is worth looking now, and carries nothing.
//!
//! It is rung after the change is stored, not with it: a transaction that notifies holds a lock of the whole database
//! server through its commit, so that turns would be stored one after another. Who rings waits for no disk.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{Executor, Row};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use uuid::Uuid;

use super::PostgresStore;
use super::connecting::PATIENCE;
use crate::call_record::{CallId, VisitorId};
use crate::changes::{BEHIND, Bell, Change, Changes};
use crate::store::StoreError;

const CHANNEL: &str = "nightlight_changes";
/// How late a change is told at most that nobody rang for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// However much is stored, a node rings and looks ten times a second.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// Told one by one; of more it is told that some were missed.
const MOST_AT_ONCE: usize = 1000;
/// How often the connection that hears the bell has to show that it lives.
const PROVE_EVERY: Duration = Duration::from_secs(10);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What is new: changed after this snapshot. The upper bound keeps a database that was put back from another server, whose
/// transactions had higher numbers, from being read whole.
macro_rules! new {
    ($table:literal) => {
        concat!(
            $table,
            ".changed_in >= pg_snapshot_xmin($1::text::pg_snapshot) AND ",
            $table,
            ".changed_in < pg_snapshot_xmax(pg_current_snapshot()) AND NOT pg_visible_in_snapshot(",
            $table,
            ".changed_in, $1::text::pg_snapshot)",
        )
    };
}

/// In one statement, so that what it sees and the snapshot it gives are the same. Another server has another start, to the
/// microsecond.
const LOOK: &str = concat!(
    "SELECT pg_current_snapshot()::text AS seen, pg_postmaster_start_time()::text AS server, ",
    "pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($1::text::pg_snapshot) AS went_back, ",
    "new.call_id, new.visitor FROM (VALUES (0)) AS always LEFT JOIN (",
    "SELECT call_id, visitor FROM calls WHERE visitor IS NOT NULL AND ",
    new!("calls"),
    " UNION SELECT call_id, visitor FROM turns JOIN calls ON call = calls.id ",
    "WHERE visitor IS NOT NULL AND ",
    new!("turns"),
    " UNION ALL SELECT NULL, visitor FROM left_visitors WHERE ",
    new!("left_visitors"),
    " LIMIT $2) AS new ON true",
);

pub(super) async fn changes(store: PostgresStore) -> Result<Changes, StoreError> {
    let seen = store.seen().await?;
    let bell = Bell::new(false);
    let rung = Arc::<Notify>::default();
    let (tell, told) = mpsc::channel(BEHIND);
    let mut work = JoinSet::new();
    // As it shows among the server's sessions.
    let options = PgConnectOptions::clone(&store.pool.connect_options())
        .application_name(&format!("nightlight {} doorbell", std::process::id()));
    work.spawn(listen(options, Arc::clone(&rung), bell.clone()));
    work.spawn(look(store, seen, rung, tell));
    Ok(Changes::everywhere(told, bell, work))
}

/// Looks for what is new whenever something was stored here or the bell was rung, and every two seconds.
async fn look(store: PostgresStore, mut seen: Seen, rung: Arc<Notify>, tell: mpsc::Sender<Change>) {
    let mut failing = false;
    let mut looked = Instant::now();
    loop {
        let stored_here = tokio::select! {
            () = store.stored.notified() => true,
            () = rung.notified() => false,
            () = sleep_until(looked + LOOK_EVERY) => false,
        };
        sleep_until(looked + BETWEEN_LOOKS).await;
        if stored_here {
            // Where it cannot be rung, others look by themselves.
            let _ = store.ring().await;
        }
        looked = Instant::now();
        let found = match store.changed_since(&seen).await {
            Ok(found) => found,
            Err(error) => {
                if !failing {
                    tracing::warn!(
                        %error,
                        "what other nodes have stored cannot be looked for; it is tried again every two seconds, and open \
                         pages are told then"
                    );
                }
                failing = true;
                continue;
            }
        };
        if failing {
            tracing::info!("what other nodes have stored is looked for again");
            failing = false;
        }
        seen = found.seen;
        for change in found.changes {
            if tell.send(change).await.is_err() {
                return;
            }
        }
    }
}

/// What a look saw: a snapshot, and of which server.
#[derive(Clone)]
struct Seen {
    snapshot: String,
    server: String,
}

struct Found {
    /// By this look.
    seen: Seen,
    changes: Vec<Change>,
}

impl PostgresStore {
    async fn seen(&self) -> Result<Seen, StoreError> {
        const NOW: &str = "SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text";
        let (snapshot, server) = self
            .run(|connection| {
                Box::pin(async move { Ok(sqlx::query_as(NOW).fetch_one(connection).await?) })
            })
            .await?;
        Ok(Seen { snapshot, server })
    }

    async fn ring(&self) -> Result<(), StoreError> {
        self.run(|connection| {
            Box::pin(async move {
                sqlx::query("SELECT pg_notify($1, '')")
                    .bind(CHANNEL)
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    async fn changed_since(&self, before: &Seen) -> Result<Found, StoreError> {
        let snapshot = before.snapshot.clone();
        let rows = self
            .run(|connection| {
                Box::pin(async move {
                    Ok(sqlx::query(LOOK)
                        .bind(snapshot)
                        .bind(MOST_AT_ONCE as i64 + 1)
                        .fetch_all(connection)
                        .await?)
                })
            })
            .await?;
        let first = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let seen = Seen {
            snapshot: first.try_get("seen")?,
            server: first.try_get("server")?,
        };
        // A database server that was put in the place of another numbers transactions from lower on; by the time of this look it
        // may have passed what was seen on the other.
        let another = seen.server != before.server;
        if rows.len() > MOST_AT_ONCE || another || first.try_get("went_back")? {
            let changes = vec![Change::Missed];
            return Ok(Found { seen, changes });
        }
        let mut changes = Vec::new();
        for row in &rows {
            let (call, visitor): (Option<Uuid>, Option<Uuid>) =
                (row.try_get("call_id")?, row.try_get("visitor")?);
            let Some(visitor) = visitor.map(VisitorId) else {
                continue;
            };
            changes.push(match call.map(CallId) {
                Some(call) => Change::Of { visitor, call },
                None => Change::Left(visitor),
            });
        }
        Ok(Found { seen, changes })
    }
}

/// Keeps a connection of its own on which the bell is heard.
async fn listen(options: PgConnectOptions, rung: Arc<Notify>, bell: Bell) {
    let mut wait = FIRST_WAIT;
    let mut lost = false;
    loop {
        if let Ok(Ok(mut listener)) = timeout(PATIENCE, hearing(&options)).await {
            if lost {
                tracing::info!("what other nodes store is heard of at once again");
                lost = false;
            }
            wait = FIRST_WAIT;
            bell.set(true);
            // It may have been rung before there was anybody to hear it.
            rung.notify_one();
            hear(&mut listener, &rung).await;
            bell.set(false);
        }
        if !lost {
            tracing::warn!(
                "the connection on which other nodes' changes are heard of is lost; they are looked for every two seconds \
                 until it is back"
            );
            lost = true;
        }
        sleep(wait).await;
        wait = LONGEST_WAIT.min(wait * 2);
    }
}

async fn hearing(options: &PgConnectOptions) -> Result<PgListener, sqlx::Error> {
    let one = PgPoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.clone())
        .await?;
    let mut listener = PgListener::connect_with(&one).await?;
    // A loss is to be told, and connecting again is bounded here.
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Until the connection is lost, or nothing is heard on it any more.
async fn hear(listener: &mut PgListener, rung: &Notify) {
    loop {
        match timeout(PROVE_EVERY, listener.try_recv()).await {
            Ok(Ok(Some(_))) => rung.notify_one(),
            Ok(Ok(None) | Err(_)) => return,
            Err(_) => {
                let proof = timeout(PATIENCE, listener.execute("SELECT 1"));
                if !matches!(proof.await, Ok(Ok(_))) {
                    return;
                }
            }
        }
    }
}
