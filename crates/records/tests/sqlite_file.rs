//! What holds for an SQLite file beyond the contract: crashes, damage, several openings,
//! and files that are not ours.
#![allow(clippy::unwrap_used)]

mod story;

use std::cell::RefCell;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::time::{Duration, Instant};

use records::{CallId, OpenError, Place, Records, StoreError, Urgency, VisitorId};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use story::*;
use tempfile::{TempDir, tempdir};

const WORDS: &str = "he is outside the door";

fn place() -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let path = directory.path().join("records.db");
    (directory, path)
}

/// A connection past the store, to do to the file what the store never would.
async fn raw(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .connect()
        .await
        .unwrap()
}

async fn failure(path: &Path) -> OpenError {
    Records::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap_err()
}

#[tokio::test]
async fn what_was_stored_is_there_after_opening_again() {
    let (_directory, path) = place();
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    {
        let records = open(&path).await;
        records.start_call(call.clone()).await.unwrap();
        records
            .put_turn(call.call_id, turn(0, "first"))
            .await
            .unwrap();
    }
    let records = open(&path).await;
    assert_eq!(
        listed(&records, visitor).await.len(),
        11,
        "the samples are laid in once only"
    );
    let unfinished = left_behind(&records).await;
    assert_eq!(said(&unfinished[0].messages), ["first"]);
    assert_eq!(
        unfinished[0].conversation,
        Some(turn(0, "first").conversation)
    );
}

#[tokio::test]
async fn what_is_written_in_an_earlier_epoch_of_a_call_is_refused() {
    let (_directory, path) = place();
    let records = open(&path).await;
    let call = new_call(None);
    let id = call.call_id;
    records.start_call(call.clone()).await.unwrap();
    sqlx::query("UPDATE calls SET epoch = epoch + 1")
        .execute(&mut raw(&path).await)
        .await
        .unwrap();
    let late = records.put_turn(id, turn(0, "late")).await;
    assert!(matches!(late, Err(StoreError::HeldElsewhere)), "{late:?}");
    let late = records.finish_call(id, finished_call(&call, "late")).await;
    assert!(matches!(late, Err(StoreError::HeldElsewhere)), "{late:?}");
}

const CHILD: &str = "NIGHTLIGHT_TEST_CRASHING_STORE";

/// What has this file's program run one of its halves and nothing else.
fn alone(half: &str) -> [&str; 4] {
    ["--ignored", "--exact", half, "--nocapture"]
}

/// The other half of the next test: puts turns until it is killed, telling of each.
#[test]
#[ignore = "not left out: run by the next test, as a program of its own that can be killed"]
fn the_program_that_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let records = open(Path::new(&path)).await;
        let call = new_call(Some(VisitorId::random()));
        records.start_call(call.clone()).await.unwrap();
        for index in 0.. {
            records
                .put_turn(call.call_id, turn(index, &format!("turn {index}")))
                .await
                .unwrap();
            println!("durable {index}");
        }
    });
}

#[tokio::test]
async fn a_killed_program_has_lost_no_turn_it_was_told_is_durable() {
    let (_directory, path) = place();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(alone("the_program_that_is_killed"))
        .env(CHILD, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let told = std::io::BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .filter(|line| line.contains("durable "))
        .take(10)
        .count();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(told, 10);

    let unfinished = left_behind(&open(&path).await).await;
    assert_eq!(unfinished.len(), 1);
    let said = said(&unfinished[0].messages);
    assert!(said.len() >= 10, "only {} turns were left", said.len());
    for (index, words) in said.iter().enumerate() {
        assert_eq!(*words, format!("turn {index}"));
    }
    assert_eq!(
        unfinished[0].conversation.as_ref().unwrap().expose_secret(),
        turn(said.len() as u32 - 1, said[said.len() - 1])
            .conversation
            .expose_secret()
    );
}

/// Lets no file of this process grow beyond `bytes`, as a full disk does; `unlimited` is room again.
fn room(bytes: &str) {
    let done = Command::new("prlimit")
        .arg(format!("--pid={}", std::process::id()))
        .arg(format!("--fsize={bytes}:unlimited"))
        .status();
    assert!(done.expect("prlimit, of util-linux, is there").success());
}

/// The other half of the next test.
#[test]
#[ignore = "not left out: run by the next test, as a program of its own whose files are held small"]
fn the_program_whose_disk_is_full() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let records = open(Path::new(&path)).await;
        let call = new_call(None);
        records.start_call(call.clone()).await.unwrap();
        room("400000");
        let long = "word ".repeat(20_000);
        let mut index = 0;
        while records
            .put_turn(call.call_id, turn(index, &long))
            .await
            .is_ok()
        {
            index += 1;
            assert!(index < 100, "the disk is never full");
        }
        room("unlimited");
        records
            .put_turn(call.call_id, turn(index, "after"))
            .await
            .unwrap();
        let left = left_behind(&records).await;
        assert_eq!(left[0].messages.len(), index as usize + 1);
    });
}

#[tokio::test]
async fn after_a_full_disk_everything_is_stored_again() {
    let (_directory, path) = place();
    // The signal that comes with the limit would end the program; a disk that is full sends none.
    let program = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(alone("the_program_whose_disk_is_full"))
        .env(CHILD, &path)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&program.stderr);
    assert!(program.status.success(), "{told}");
}

#[tokio::test]
async fn a_deleted_sample_is_not_laid_in_again() {
    let (_directory, path) = place();
    let visitor = VisitorId::random();
    {
        let records = open(&path).await;
        let newest = &listed(&records, visitor).await[0];
        assert!(records.delete_call(newest.call_id).await.unwrap());
    }
    assert_eq!(listed(&open(&path).await, visitor).await.len(), 9);
}

#[tokio::test]
async fn one_file_can_be_opened_many_times_at_once() {
    let (_directory, path) = place();
    let openings: Vec<_> = (0..4)
        .map(|_| {
            let path = path.clone();
            tokio::spawn(async move { open(&path).await })
        })
        .collect();
    let mut stores = Vec::new();
    for opening in openings {
        stores.push(opening.await.unwrap());
    }
    let visitor = VisitorId::random();
    for records in &stores {
        records.start_call(new_call(Some(visitor))).await.unwrap();
    }
    for records in &stores {
        let seen = own(listed(records, visitor).await);
        let ids: Vec<i64> = seen.iter().map(|record| record.id).collect();
        assert_eq!(ids, [14, 13, 12, 11]);
    }
}

#[tokio::test]
async fn deleted_words_are_in_no_file() {
    let (directory, path) = place();
    let records = open(&path).await;
    let deleted = new_call(None);
    let finished = new_call(None);
    for call in [&deleted, &finished] {
        records.start_call(call.clone()).await.unwrap();
        for index in 0..30 {
            records
                .put_turn(call.call_id, turn(index, WORDS))
                .await
                .unwrap();
        }
    }
    assert!(
        on_disk(directory.path()),
        "the words are looked for where they are"
    );
    records
        .finish_call(finished.call_id, finished_call(&finished, "over"))
        .await
        .unwrap();
    records.delete_call(deleted.call_id).await.unwrap();
    assert!(!on_disk(directory.path()));
}

#[tokio::test]
async fn words_that_a_reader_kept_in_the_log_leave_it_with_the_next_purge() {
    let (directory, path) = place();
    let records = open(&path).await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let finished = finished_call(&call, WORDS);
    records.finish_call(call.call_id, finished).await.unwrap();

    let mut reader = raw(&path).await;
    let mut reading = reader.begin().await.unwrap();
    sqlx::query("SELECT count(*) FROM calls")
        .execute(&mut *reading)
        .await
        .unwrap();
    let after = call.started_at + Duration::from_hours(1);
    assert_eq!(records.purge(past(after), 10).await.unwrap().records, 1);
    assert!(on_disk(directory.path()), "the reader holds the log");
    reading.rollback().await.unwrap();
    assert_eq!(records.purge(past(after), 10).await.unwrap().records, 0);
    assert!(!on_disk(directory.path()));
}

fn on_disk(directory: &Path) -> bool {
    std::fs::read_dir(directory).unwrap().any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        bytes
            .windows(WORDS.len())
            .any(|window| window == WORDS.as_bytes())
    })
}

#[tokio::test]
async fn a_damaged_record_is_shown_as_far_as_it_can_be_read() {
    let (_directory, path) = place();
    let records = open(&path).await;
    let visitor = VisitorId::random();
    let calls: Vec<_> = (0..5).map(|_| new_call(Some(visitor))).collect();
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
        records
            .finish_call(call.call_id, finished_call(call, WORDS))
            .await
            .unwrap();
    }
    let mut raw = raw(&path).await;
    let damage = |column: &'static str| match column {
        "note" => {
            "UPDATE calls SET note = '{\"summary\":\"he is outside the door' WHERE call_id = ?"
        }
        "messages" => {
            "UPDATE calls SET messages = '[{\"message\":\"he is outside the door\"}]' WHERE call_id = ?"
        }
        "ended_reason" => {
            "UPDATE calls SET ended_reason = 'he is outside the door' WHERE call_id = ?"
        }
        _ => "UPDATE calls SET started_at = 9223372036854775807 WHERE call_id = ?",
    };
    for (call, column) in calls
        .iter()
        .zip(["note", "messages", "ended_reason", "started_at"])
    {
        let changed = sqlx::query(damage(column))
            .bind(call.call_id.to_string())
            .execute(&mut raw)
            .await
            .unwrap();
        assert_eq!(changed.rows_affected(), 1);
    }

    let log = Log::listen();
    let mut seen = own(listed(&records, visitor).await);
    for record in &mut seen {
        *record = records.call(record.call_id).await.unwrap().unwrap();
    }

    // Without a beginning a record has no place in the list; the others keep theirs.
    let ids: Vec<CallId> = seen.iter().map(|record| record.call_id).collect();
    assert_eq!(ids, [4, 2, 1, 0].map(|index| calls[index].call_id));
    assert!(!seen[0].damaged);
    assert!(seen[1].damaged && seen[1].ended_reason.is_none() && seen[1].note.is_some());
    assert!(seen[2].damaged && seen[2].messages.is_empty() && seen[2].note.is_some());
    assert!(seen[3].damaged && seen[3].note.is_none() && said(&seen[3].messages) == [WORDS]);

    let log = log.text();
    assert_eq!(log.matches("WARN").count(), 6, "{log}");
    assert!(log.contains("record=11") && log.contains("note"), "{log}");
    assert!(!log.contains("outside"), "{log}");
}

/// What was logged on this thread, which is one test's own.
struct Log;

thread_local! {
    static LOGGED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Log {
    fn listen() -> Self {
        static ONE_FOR_ALL: Once = Once::new();
        ONE_FOR_ALL.call_once(|| {
            tracing_subscriber::fmt()
                .with_ansi(false)
                .with_writer(|| Self)
                .with_max_level(tracing::Level::TRACE)
                .init();
        });
        LOGGED.take();
        Self
    }

    fn text(&self) -> String {
        String::from_utf8(LOGGED.with_borrow(Vec::clone)).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOGGED.with_borrow_mut(|logged| logged.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_database_that_is_locked_at_the_start_is_told_and_waited_for() {
    let (_directory, path) = place();
    drop(open(&path).await);
    let mut other = raw(&path).await;
    let lock = ["PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"];
    for step in lock {
        sqlx::query(step).execute(&mut other).await.unwrap();
    }
    let log = Log::listen();
    let opening = tokio::spawn({
        let path = path.clone();
        async move { open(&path).await }
    });
    tokio::task::yield_now().await;
    assert_eq!(log.text(), "", "not at once");
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(3)).await;
    tokio::task::yield_now().await;
    tokio::time::resume();
    let told = log.text();
    assert!(told.contains("if another program has it locked"), "{told}");
    other.close().await.unwrap();
    opening.await.unwrap();
}

#[tokio::test]
async fn a_url_of_another_kind_is_told() {
    let error = Records::open("mysql://someone:password@host/db")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the database url is of no known kind: use sqlite:PATH, sqlite::memory: or \
         postgres://NAME:PASSWORD@HOST/DATABASE"
    );
    assert!(matches!(
        Records::open("sqlite:").await,
        Err(OpenError::UnknownDatabase)
    ));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told_and_left_alone() {
    let (_directory, path) = place();
    let text = "Dear diary, this is not a database. ".repeat(100);
    std::fs::write(&path, &text).unwrap();
    let error = failure(&path).await;
    assert!(matches!(error, OpenError::NotOurs { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .ends_with("is not a Nightlight database: move it away, or choose another path")
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn another_programs_database_is_told_and_left_alone() {
    let (_directory, path) = place();
    let mut other = raw(&path).await;
    sqlx::query("CREATE TABLE calls (duration)")
        .execute(&mut other)
        .await
        .unwrap();
    other.close().await.unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(failure(&path).await, OpenError::NotOurs { .. }));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_place_that_cannot_be_written_is_told() {
    let (_directory, path) = place();
    std::fs::write(&path, "").unwrap();
    let below_a_file = path.join("records.db");
    let error = failure(&below_a_file).await;
    assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
    assert!(error.to_string().starts_with("cannot write to "));
}

#[tokio::test]
async fn a_directory_that_is_missing_is_made() {
    let (directory, _) = place();
    let path = directory.path().join("data/night/records.db");
    open(&path).await;
    assert!(path.is_file());
}

#[tokio::test]
async fn a_newer_schema_is_told_and_an_altered_one_too() {
    let (_directory, path) = place();
    drop(open(&path).await);
    let mut raw = raw(&path).await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9000, 'from the future', 1, x'00', 0)",
    )
    .execute(&mut raw)
    .await
    .unwrap();
    let error = failure(&path).await;
    assert!(
        matches!(
            error,
            OpenError::NewerSchema {
                found: 9000,
                known: 31,
                ..
            }
        ),
        "{error:?}"
    );

    sqlx::query("DELETE FROM _sqlx_migrations WHERE version = 9000")
        .execute(&mut raw)
        .await
        .unwrap();
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00'")
        .execute(&mut raw)
        .await
        .unwrap();
    let error = failure(&path).await;
    assert!(
        matches!(error, OpenError::AlteredSchema { version: 1, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_page_of_a_hundred_thousand_records_is_read_at_once() {
    let (_directory, path) = place();
    let records = open(&path).await;
    let visitor = VisitorId::random();
    let mut raw = raw(&path).await;
    sqlx::query(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
         INSERT INTO calls (call_id, visitor, kind, started_at, ended_at, ended_reason, note, messages, urgency) \
         SELECT printf('00000000-0000-4000-8000-%012x', i), ?, kind, started_at, ended_at, \
         ended_reason, note, '[]', i % 20 = 0 FROM n, calls WHERE id = 9 AND sample = 1",
    )
    .bind(visitor.to_string())
    .execute(&mut raw)
    .await
    .unwrap();

    let top = records.visible_to(visitor, None, 1).await.unwrap();
    assert_eq!(top.records[0].id, 100_010);
    let deep = Place {
        urgency: Urgency::NotUrgent,
        id: 500,
    };
    let [mut first, mut at_depth] = [Duration::MAX; 2];
    for _ in 0..20 {
        for (after, least) in [(None, &mut first), (Some(deep), &mut at_depth)] {
            let begun = Instant::now();
            let page = records.visible_to(visitor, after, 50).await.unwrap();
            *least = begun.elapsed().min(*least);
            assert_eq!(page.records.len(), 50);
        }
    }
    println!("a page of 50 took {first:?} at best, a deep one {at_depth:?}");
    // To walk there takes many times as long as the page itself, and so does a sort of all.
    assert!(at_depth < first * 3, "a deep page is walked to");
    let others = records.visible_to(VisitorId::random(), None, 50).await;
    assert_eq!(others.unwrap().records.len(), 10);
}

#[tokio::test]
async fn turns_are_durable_soon_enough_to_answer() {
    let (_directory, path) = place();
    let records = open(&path).await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let mut took = Vec::new();
    for index in 0..100 {
        let turn = turn(index, WORDS);
        let begun = Instant::now();
        records.put_turn(call.call_id, turn).await.unwrap();
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    println!(
        "put_turn, synchronous = FULL: p50 {:?}, p95 {:?}, max {:?}",
        took[50], took[95], took[99]
    );
    assert_eq!(
        records
            .call(call.call_id)
            .await
            .unwrap()
            .unwrap()
            .messages
            .len(),
        100
    );
    // The wait before a reply is 400 ms at its shortest; half of them must fit well inside.
    assert!(
        took[50].as_millis() < 200,
        "half of the turns took over {:?}",
        took[50]
    );
}

#[tokio::test]
async fn nothing_prints_the_callers_words() {
    let (_directory, path) = place();
    let records = open(&path).await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let turn = turn(0, WORDS);
    records.put_turn(call.call_id, turn.clone()).await.unwrap();
    let running = left_behind(&records).await;
    let finished = finished_call(&call, WORDS);
    records
        .finish_call(call.call_id, finished.clone())
        .await
        .unwrap();
    let record = records.call(call.call_id).await.unwrap().unwrap();
    let other_words = records::CallRecord {
        abuse_in_other_words: Some(secret(WORDS)),
        ..record.clone()
    };
    assert_eq!(other_words.abuse_type(), Some(WORDS));
    let printed =
        format!("{turn:?} {running:?} {finished:?} {record:?} {other_words:?} {records:?}");
    assert!(printed.contains("REDACTED"));
    assert!(!printed.contains(WORDS));
}
