//! Databases that programs of every released schema left behind, in `tests/schemas`, are opened by this one: each record
//! reads as it did, and everything goes on.
//!
//! A release whose schema is not there yet is stored with
//! `cargo test -p records --test migrations -- --ignored store_a_database_of_this_schema`, and joins [`RELEASED`].
#![allow(clippy::unwrap_used)]

mod stored;
mod story;

use std::path::{Path, PathBuf};

use postgres_for_tests::PostgresServer;
use records::{CallId, CallRecord, Records, RecordsKeys, VisitorId, new_records_key, rotate_keys};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};
use stored::{DAMAGED, SAMPLES, Stored, VISITOR, calls};
use story::{left_behind, listed, new_call, own, turn};
use tempfile::TempDir;

/// A database and a schema of it.
const RELEASED: [(Database, u32); 3] = [
    (Database::Sqlite, 1),
    (Database::Sqlite, 2),
    (Database::Postgres, 1),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    fn file(self, version: u32) -> PathBuf {
        let name = match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
        folder.join(format!("{name}-{version}.sql"))
    }

    /// One made of these statements; the folder goes with its guard.
    async fn made_of(self, statements: &str) -> (TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let url = match self {
            Self::Sqlite => {
                let file = folder.path().join("records.db");
                let mut raw = SqliteConnectOptions::new()
                    .filename(&file)
                    .create_if_missing(true)
                    .foreign_keys(false)
                    .connect()
                    .await
                    .unwrap();
                let statements = AssertSqlSafe(statements.to_owned());
                sqlx::raw_sql(statements).execute(&mut raw).await.unwrap();
                raw.close().await.unwrap();
                format!("sqlite:{}", file.display())
            }
            Self::Postgres => {
                let url = PostgresServer::shared().database();
                PostgresServer::shared().sql(url.rsplit('/').next().unwrap(), statements);
                url
            }
        };
        (folder, url)
    }
}

/// As the program of that schema would have told it.
fn expected(number: usize, stored: &Stored, version: (Database, u32)) -> CallRecord {
    let end = stored.end.clone();
    let mut note = end.as_ref().map(|end| end.note.clone());
    if version == (Database::Sqlite, 1) {
        // Its notes did not say yet which words were the reason for the urgency.
        let evidence = note.iter_mut().flat_map(|note| &mut note.evidence);
        evidence.for_each(|evidence| evidence.escalates = false);
    }
    let of_turns = stored.turns.iter().flat_map(|turn| turn.messages.clone());
    CallRecord {
        id: 11 + number as i64,
        call_id: stored.call.call_id,
        visitor: stored.call.visitor,
        sample: false,
        kind: stored.call.kind,
        started_at: stored.call.started_at,
        notice: None,
        label: records::Label::default(),
        ended_at: end.as_ref().map(|end| end.ended_at),
        ended_reason: end.as_ref().map(|end| end.ended_reason),
        note,
        abuse_in_other_words: None,
        messages: match end {
            Some(end) => end.messages,
            None => of_turns.collect(),
        },
        damaged: false,
        unopened: false,
    }
}

async fn every_record_reads_as_it_did(records: &Records, version: (Database, u32)) {
    for (number, stored) in calls().iter().enumerate() {
        let record = records.call(stored.call.call_id).await.unwrap().unwrap();
        assert_eq!(record, expected(number, stored, version), "{version:?}");
    }
    let damaged = records.call(DAMAGED).await.unwrap().unwrap();
    assert!(damaged.damaged && damaged.note.is_none() && !damaged.messages.is_empty());

    let unfinished = left_behind(records).await;
    let stored = calls();
    let running: Vec<&Stored> = stored.iter().filter(|call| call.end.is_none()).collect();
    assert_eq!(unfinished.len(), running.len());
    for stored in running {
        let left = unfinished
            .iter()
            .find(|left| left.call_id == stored.call.call_id)
            .unwrap();
        let last = stored.turns.last();
        assert_eq!(left.kind, stored.call.kind);
        assert_eq!(
            left.conversation,
            last.map(|turn| turn.conversation.clone())
        );
        assert_eq!(left.last_turn, last.map(|turn| turn.index));
    }

    let seen = listed(records, VISITOR).await;
    let numbers: Vec<i64> = own(seen).iter().map(|record| record.id).collect();
    let urgent_or_not = match version {
        // A note that could not be read made none urgent when urgency was first written beside it.
        (Database::Sqlite, 1) => [14, 16, 15],
        _ => [16, 14, 15],
    };
    assert_eq!(
        numbers,
        [&[13, 12], &urgent_or_not[..]].concat(),
        "{version:?}"
    );
    let samples = listed(records, VisitorId::random()).await;
    let numbers: Vec<i64> = samples.iter().map(|record| record.id).collect();
    assert_eq!(numbers.len(), SAMPLES.len(), "those deleted stay deleted");
    assert!(SAMPLES.iter().all(|sample| numbers.contains(sample)));
    assert!(samples.iter().all(|sample| !sample.damaged));
    let abuse: Vec<_> = samples.iter().filter_map(CallRecord::abuse_type).collect();
    assert!(abuse.contains(&"Emotional & Verbal"), "{abuse:?}");
}

#[tokio::test]
async fn a_database_of_every_released_schema_opens_and_every_record_reads_as_it_did() {
    for (database, version) in RELEASED {
        let statements = std::fs::read_to_string(database.file(version)).unwrap();
        let (_folder, url) = database.made_of(&statements).await;
        // The second time nothing is left to migrate.
        for _ in 0..2 {
            let records = Records::open(&url).await.unwrap();
            every_record_reads_as_it_did(&records, (database, version)).await;
        }
    }
}

#[tokio::test]
async fn a_database_of_every_released_schema_goes_on() {
    for (database, version) in RELEASED {
        let statements = std::fs::read_to_string(database.file(version)).unwrap();
        let (_folder, url) = database.made_of(&statements).await;
        let records = Records::open(&url).await.unwrap();
        let running: CallId = calls()[1].call.call_id;
        records.take_call(running).await.unwrap().unwrap();
        records
            .put_turn(running, turn(3, "still here"))
            .await
            .unwrap();
        let record = records.call(running).await.unwrap().unwrap();
        assert_eq!(record.messages.len(), 7);
        let end = calls()[3].end.clone().unwrap();
        records.finish_call(running, end.clone()).await.unwrap();
        let record = records.call(running).await.unwrap().unwrap();
        assert_eq!(
            (record.note, record.messages),
            (Some(end.note), end.messages)
        );
        let next = records.start_call(new_call(None)).await.unwrap();
        assert_eq!(next.id, 17);
    }
}

#[tokio::test]
async fn what_every_released_schema_holds_can_be_encrypted_and_reads_as_it_did() {
    for (database, version) in RELEASED {
        let statements = std::fs::read_to_string(database.file(version)).unwrap();
        let (_folder, url) = database.made_of(&statements).await;
        let key = new_records_key();
        let keys = RecordsKeys::parse(key.expose_secret()).unwrap();
        let rotated = rotate_keys(&url, keys.clone(), |_| {}).await.unwrap();
        assert_eq!(rotated.unreadable, 0);
        let records = Records::open_with(&url, keys).await.unwrap();
        every_record_reads_as_it_did(&records, (database, version)).await;
    }
}

#[tokio::test]
#[ignore = "not left out: it writes what the others read, once a release"]
async fn store_a_database_of_this_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.db");
    let records = Records::open(&format!("sqlite:{}", file.display())).await;
    stored::store_all(&records.unwrap()).await;
    let mut raw = SqliteConnectOptions::new()
        .filename(&file)
        .connect()
        .await
        .unwrap();
    let damage = "UPDATE calls SET note = '{\"cut off' WHERE call_id = ?";
    let damaged = sqlx::query(damage).bind(DAMAGED.to_string());
    damaged.execute(&mut raw).await.unwrap();
    let version = "SELECT max(version) FROM _sqlx_migrations";
    let row = sqlx::query(version).fetch_one(&mut raw).await.unwrap();
    raw.close().await.unwrap();
    let dump = std::process::Command::new("sqlite3")
        .arg(&file)
        .args(["PRAGMA application_id", ".dump"])
        .output()
        .expect("Debian's sqlite3 is there");
    let dump = String::from_utf8(dump.stdout).unwrap();
    let (application, dump) = dump.split_once('\n').unwrap();
    let dump = format!("PRAGMA application_id = {application};\n{dump}");
    let to = Database::Sqlite.file(row.get::<i64, _>(0) as u32);
    std::fs::write(to, dump).unwrap();

    let server = PostgresServer::shared();
    let url = server.database();
    let database = url.rsplit('/').next().unwrap();
    stored::store_all(&Records::open(&url).await.unwrap()).await;
    let damage =
        format!("UPDATE calls SET note = '{{\"summary\": 1}}' WHERE call_id = '{DAMAGED}'");
    server.sql(database, &damage);
    // Its own commands are for one run of psql.
    let dump = server.dump(database);
    let statements = dump.lines().filter(|line| !line.starts_with('\\'));
    let version: u32 = server.sql(database, version).parse().unwrap();
    let to = Database::Postgres.file(version);
    std::fs::write(to, statements.collect::<Vec<_>>().join("\n")).unwrap();
}
