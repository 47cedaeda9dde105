//! How long the store's operations take among so many records, 100,000 unless told, in SQLite and in a PostgreSQL server on
//! this machine, both writing to its disk before they answer. Prints JSON; `bench/run --only store` keeps it.
#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on ends")]

use std::time::{Duration, Instant};

use flow::EndReason;
use postgres_for_tests::PostgresServer;
use records::{
    CallId, CallKind, CallRecord, FinishedCall, Message, NewCall, Place, Records, Role, Turn,
    Urgency, VisitorId,
};
use redact::Secret;
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};

const EACH: usize = 1000;
/// Filled so many at a time, the write-ahead log stays small.
const AT_A_TIME: u32 = 20_000;
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
    let sqlite = in_sqlite(&place.path().join("records.db"), visitor, count).await;
    let server = PostgresServer::start();
    let postgres = in_postgres(&server, visitor, count).await;
    let measured = json!({
        "records": count,
        "repetitions": EACH,
        "at_once": AT_ONCE,
        "page": PAGE,
        "postgres_version": server.sql("postgres", "SHOW server_version"),
        "times_ms": [
            {"database": "SQLite", "operations": measure(&sqlite, visitor).await},
            {"database": "PostgreSQL", "operations": measure(&postgres, visitor).await},
        ],
    });
    println!("{measured:#}");
}

/// With the records of one visitor, each with a sample's note and transcript, every twentieth urgent.
async fn in_sqlite(path: &std::path::Path, visitor: VisitorId, count: u32) -> Records {
    let records = Records::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap();
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
    records
}

async fn in_postgres(server: &PostgresServer, visitor: VisitorId, count: u32) -> Records {
    let url = server.database();
    let records = Records::open(&url).await.unwrap();
    let database = url.rsplit('/').next().unwrap();
    let fill = format!(
        "INSERT INTO calls (id, call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency) \
         SELECT 10 + i, gen_random_uuid(), '{visitor}', kind, started_at, ended_at, \
         ended_reason, note, messages, (i % 20 = 0)::int FROM generate_series(1, {count}) AS i, calls \
         WHERE id = 9 AND sample"
    );
    server.sql(database, &fill);
    // What it does by itself some minutes later.
    server.sql(database, "VACUUM ANALYZE");
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
    };
    records.start_call(call).await.unwrap();
    call_id
}

/// Turns as a call has them: two messages, and a conversation of some kilobytes.
fn saved_turns(call: CallId) -> impl Fn(usize) -> Turn {
    let conversation = format!("{{\"call\":\"{call}\",\"state\":\"{}\"}}", "x".repeat(4000));
    move |index| Turn {
        index: u32::try_from(index % 20).unwrap(),
        messages: [Role::User, Role::Bot]
            .into_iter()
            .map(|role| Message {
                role,
                message: Secret::new("something that is said in a turn of a call ".repeat(3)),
                seconds_from_start: 4.25,
                duration_seconds: 1.5,
                interrupted: false,
            })
            .collect(),
        conversation: Secret::new(conversation.clone()),
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
