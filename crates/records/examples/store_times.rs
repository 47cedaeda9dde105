//! How long the store's operations take among so many records, 100,000 unless told, in SQLite and in a PostgreSQL server on
//! this machine, both writing to its disk before they answer, and in each also encrypted, among 100,000 at most. Prints JSON;
//! `bench/run --only store` keeps it.
#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on ends")]

use std::time::{Duration, Instant};

use flow::EndReason;
use postgres_for_tests::PostgresServer;
use records::{
    CallId, CallKind, CallRecord, FinishedCall, Message, NewCall, Place, Records, RecordsKeys,
    Role, Turn, Urgency, VisitorId, new_records_key, rotate_keys,
};
use redact::Secret;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

const EACH: usize = 1000;
/// Filled so many at a time, the write-ahead log stays small.
const AT_A_TIME: u32 = 20_000;
/// Sealing a million takes longer than anybody waits for it.
const MOST_ENCRYPTED: u32 = 100_000;
const AT_ONCE: usize = 25;
const PAGE: u32 = 50;

#[tokio::main]
async fn main() {
    let count: u32 = match std::env::args().nth(1) {
        Some(count) => count.parse().unwrap(),
        None => 100_000,
    };
    let visitor = VisitorId::random();
    let place = tempfile::tempdir().unwrap();
    let server = PostgresServer::start();
    let mut times = Vec::new();
    for (encrypted, key) in [("", None), (", encrypted", Some(new_records_key()))] {
        let count = if key.is_some() {
            count.min(MOST_ENCRYPTED)
        } else {
            count
        };
        let keys = key.map_or_else(RecordsKeys::none, |key| {
            RecordsKeys::parse(key.expose_secret()).unwrap()
        });
        let path = place.path().join(format!("records{encrypted}.db"));
        let sqlite = in_sqlite(&path, visitor, count, keys.clone()).await;
        let operations = measure(&sqlite, visitor).await;
        times.push(json!({"database": format!("SQLite{encrypted}"), "records": count, "operations": operations}));
        let postgres = in_postgres(&server, visitor, count, keys).await;
        let operations = measure(&postgres, visitor).await;
        times.push(json!({"database": format!("PostgreSQL{encrypted}"), "records": count, "operations": operations}));
    }
    let measured = json!({
        "records": count,
        "repetitions": EACH,
        "at_once": AT_ONCE,
        "page": PAGE,
        "postgres_version": server.sql("postgres", "SHOW server_version"),
        "times_ms": times,
    });
    println!("{measured:#}");
}

/// With the records of one visitor, each with a sample's note and transcript, every twentieth urgent. All of it is on the disk by then:
/// filling does not wait for the disk, and the store's first checkpoint would, for gigabytes, with every call behind it.
async fn in_sqlite(
    path: &std::path::Path,
    visitor: VisitorId,
    count: u32,
    keys: RecordsKeys,
) -> Records {
    let url = format!("sqlite:{}", path.display());
    // Lays the tables and the samples.
    let laid = Records::open(&url).await.unwrap();
    laid.database().unwrap().close().await;
    let mut raw = SqliteConnectOptions::new()
        .filename(path)
        .synchronous(SqliteSynchronous::Off)
        .connect()
        .await
        .unwrap();
    for first in (1..=count).step_by(AT_A_TIME as usize) {
        sqlx::query(
            "WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?) \
             INSERT INTO calls (call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency) \
             SELECT printf('00000000-0000-4000-8000-%012x', i), ?, kind, started_at, ended_at, \
             ended_reason, note, messages, i % 20 = 0 FROM n, calls WHERE id = 9 AND sample = 1",
        )
        .bind(first)
        .bind(count.min(first + AT_A_TIME - 1))
        .bind(visitor.to_string())
        .execute(&mut raw)
        .await
        .unwrap();
    }
    // The last one to leave copies the log into the file.
    raw.close().await.unwrap();
    std::fs::File::open(path).unwrap().sync_all().unwrap();
    encrypt(&url, keys.clone()).await;
    Records::open_with(&url, keys).await.unwrap()
}

/// As `nightlight rotate` does.
async fn encrypt(url: &str, keys: RecordsKeys) {
    if !keys.is_empty() {
        let begun = Instant::now();
        rotate_keys(url, keys, |_| {}).await.unwrap();
        eprintln!("encrypted in {:?}", begun.elapsed());
    }
}

async fn in_postgres(
    server: &PostgresServer,
    visitor: VisitorId,
    count: u32,
    keys: RecordsKeys,
) -> Records {
    let url = server.database();
    let records = Records::open_with(&url, keys.clone()).await.unwrap();
    let database = url.rsplit('/').next().unwrap();
    let fill = format!(
        "INSERT INTO calls (id, call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency) \
         SELECT 10 + i, gen_random_uuid(), '{visitor}', kind, started_at, ended_at, \
         ended_reason, note, messages, (i % 20 = 0)::int FROM generate_series(1, {count}) AS i, calls \
         WHERE id = 9 AND sample"
    );
    server.sql(database, &fill);
    encrypt(&url, keys).await;
    // What it does by itself some minutes later.
    server.sql(database, "VACUUM ANALYZE");
    server.sql(database, "CHECKPOINT");
    records
}

async fn measure(records: &Records, visitor: VisitorId) -> Value {
    let call = started(records, visitor).await;
    let saved = saved_turns(call);
    let put_turn = timed(async |index| {
        let turn = saved(index);
        records.put_turn(call, turn).await.unwrap();
    });
    let put_turn = put_turn.await;
    let many: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let records = records.clone();
            tokio::spawn(async move {
                let call = started(&records, visitor).await;
                let saved = saved_turns(call);
                let mut took = Vec::new();
                for index in 0..EACH / AT_ONCE {
                    let begun = Instant::now();
                    records.put_turn(call, saved(index)).await.unwrap();
                    took.push(begun.elapsed());
                }
                took
            })
        })
        .collect();
    let mut at_once = Vec::new();
    for calls in many {
        at_once.extend(calls.await.unwrap());
    }
    let sample = sample(records).await;
    let start_and_finish = timed(async |_| {
        let call = started(records, visitor).await;
        let finished = FinishedCall {
            ended_at: jiff::Timestamp::now(),
            ended_reason: EndReason::Forwarded,
            note: sample.note.clone().unwrap(),
            messages: sample.messages.clone(),
        };
        records.finish_call(call, finished).await.unwrap();
    });
    let start_and_finish = start_and_finish.await;
    let latest = timed(async |_| {
        let latest = records.latest_of(visitor).await.unwrap();
        assert!(latest.is_some());
    });
    let latest = latest.await;
    let deep = Place {
        urgency: Urgency::NotUrgent,
        id: 500,
    };
    let page = async |after| {
        timed(async |_| {
            let page = records.visible_to(visitor, after, PAGE).await.unwrap();
            assert_eq!(page.records.len(), PAGE as usize);
        })
        .await
    };
    json!({
        "put_turn": put_turn,
        "put_turn_at_once": quantiles(at_once),
        "start_and_finish": start_and_finish,
        "latest": latest,
        "first_page": page(None).await,
        "deep_page": page(Some(deep)).await,
    })
}

async fn started(records: &Records, visitor: VisitorId) -> CallId {
    let call_id = CallId::random();
    let call = NewCall {
        call_id,
        visitor: Some(visitor),
        started_at: jiff::Timestamp::now(),
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    call_id
}

/// Turns as a call has them: two messages, and a conversation of some kilobytes. No two are alike: where a row is what it
/// was before, SQLite writes nothing, and waits for no disk.
fn saved_turns(call: CallId) -> impl Fn(usize) -> Turn {
    let state = "x".repeat(4000);
    move |index| Turn {
        index: u32::try_from(index % 20).unwrap(),
        messages: [Role::User, Role::Bot]
            .into_iter()
            .map(|role| Message {
                role,
                officer: None,
                message: Secret::new("something that is said in a turn of a call ".repeat(3)),
                seconds_from_start: 4.25,
                duration_seconds: 1.5,
                interrupted: false,
            })
            .collect(),
        conversation: Secret::new(format!(
            "{{\"call\":\"{call}\",\"turn\":{index},\"state\":\"{state}\"}}"
        )),
    }
}

async fn sample(records: &Records) -> CallRecord {
    let list = records.visible_to(VisitorId::random(), None, 1).await;
    let call_id = list.unwrap().records[0].call_id;
    records.call(call_id).await.unwrap().unwrap()
}

async fn timed(work: impl AsyncFn(usize)) -> Value {
    let mut took = Vec::new();
    for index in 0..EACH {
        let begun = Instant::now();
        work(index).await;
        took.push(begun.elapsed());
    }
    quantiles(took)
}

fn quantiles(mut took: Vec<Duration>) -> Value {
    took.sort_unstable();
    let at = |share: f64| {
        let index = (took.len() as f64 * share) as usize;
        (took[index].as_secs_f64() * 100_000.0).round() / 100.0
    };
    json!({"p50": at(0.5), "p99": at(0.99)})
}
