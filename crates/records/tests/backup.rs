//! Backups, taken of either database and put back into either. What other rooms keep beside the records comes along in
//! `crates/server/tests/moving.rs`.
#![allow(clippy::unwrap_used)]

mod story;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use postgres_for_tests::{PostgresServer, WAITING_FOR_A_LOCK};
use records::{
    BackupError, CallId, CallRecord, OpenError, PostgresOpenError, Records, SoleUse,
    UnfinishedCall, VisitorId, back_up, restore,
};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use story::{finished_call, left_behind, listed, new_call, turn};
use tempfile::TempDir;

const SAMPLES: u64 = 10;

static POSTGRES: Migrator = sqlx::migrate!("./migrations/postgres");

struct Place {
    folder: TempDir,
    url: String,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("calls.db").display());
        Self { folder, url }
    }

    async fn open(&self) -> Records {
        Records::open(&self.url).await.unwrap()
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn what_was_durable_when_a_backup_was_taken_is_there_again_and_goes_on() {
    let (here, elsewhere) = (Place::new(), Place::new());
    let records = here.open().await;
    let visitor = VisitorId::random();
    let (over, running) = (new_call(Some(visitor)), new_call(Some(visitor)));
    for call in [&over, &running] {
        records.start_call(call.clone()).await.unwrap();
    }
    let finished = finished_call(&over, "I was hurt");
    records.finish_call(over.call_id, finished).await.unwrap();
    records
        .put_turn(running.call_id, turn(0, "I am still here"))
        .await
        .unwrap();
    let backup = here.file("calls.backup");
    // A server has it open, and goes on.
    assert_eq!(back_up(&here.url, &backup, &[]).await.unwrap(), SAMPLES + 2);
    let expected = listed(&records, visitor).await;
    records
        .put_turn(running.call_id, turn(1, "This came later"))
        .await
        .unwrap();
    let mode = std::fs::metadata(&backup).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "its owner's alone");

    let restored = restore(&elsewhere.url, &backup, &[]).await.unwrap();
    assert_eq!((restored.records, restored.before), (SAMPLES + 2, None));
    let records = elsewhere.open().await;
    assert_eq!(listed(&records, visitor).await, expected);
    let unfinished = left_behind(&records).await;
    assert_eq!(unfinished.len(), 1);
    assert_eq!(unfinished[0].messages.len(), 1);
    let next = new_call(Some(visitor));
    records.start_call(next).await.unwrap();
}

#[tokio::test]
async fn what_was_there_before_a_restore_is_kept() {
    let place = Place::new();
    let records = place.open().await;
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    let visitor = VisitorId::random();
    let later = new_call(Some(visitor));
    records.start_call(later).await.unwrap();
    drop(records);
    let restored = restore(&place.url, &backup, &[]).await.unwrap();
    assert_eq!(restored.records, SAMPLES);
    let before = format!("sqlite:{}", restored.before.unwrap().display());
    let before = Records::open(&before).await.unwrap();
    assert!(before.latest_of(visitor).await.unwrap().is_some());
    let now = place.open().await;
    assert!(now.latest_of(visitor).await.unwrap().is_none());
}

#[tokio::test]
async fn a_backup_is_written_over_nothing_and_restored_over_no_server() {
    let place = Place::new();
    drop(place.open().await);
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    let again = back_up(&place.url, &backup, &[]).await;
    assert!(
        matches!(again, Err(BackupError::Exists { .. })),
        "{again:?}"
    );
    let _server = SoleUse::take(&place.url).unwrap();
    let refused = restore(&place.url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::Database(OpenError::InUse { .. }))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_what_is_there_stays() {
    let place = Place::new();
    drop(place.open().await);
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    let whole = std::fs::read(&backup).unwrap();
    let before = std::fs::read(place.file("calls.db")).unwrap();
    let names = files_in(place.folder.path());
    // Every page but the first, which says what the file is.
    for from in (4096..whole.len()).step_by(4096) {
        let mut damaged = whole.clone();
        damaged[from..(from + 64).min(whole.len())].fill(0xff);
        std::fs::write(&backup, damaged).unwrap();
        let refused = restore(&place.url, &backup, &[]).await;
        assert!(
            matches!(refused, Err(BackupError::Damaged { .. })),
            "page at {from}: {refused:?}"
        );
    }
    std::fs::write(&backup, b"this is no database at all, only words").unwrap();
    assert!(restore(&place.url, &backup, &[]).await.is_err());
    assert_eq!(std::fs::read(place.file("calls.db")).unwrap(), before);
    let mut after = files_in(place.folder.path());
    after.retain(|name| !name.ends_with(".lock") && !name.contains("backup-"));
    assert_eq!(after, names, "nothing is left over");
}

#[tokio::test]
async fn what_has_no_file_is_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("calls.backup");
    let refused = back_up("sqlite::memory:", &to, &[]).await.unwrap_err();
    assert!(refused.to_string().contains("set `database` to a file"));
    let refused = back_up("postgres://name:secret@host:door/calls", &to, &[]).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("cannot be read") && !refused.contains("secret"));
    let nowhere = format!("sqlite:{}", folder.path().join("none.db").display());
    let refused = back_up(&nowhere, &to, &[]).await;
    assert!(matches!(refused, Err(BackupError::NothingThere { .. })));
    assert!(files_in(folder.path()).is_empty());
}

fn server() -> &'static PostgresServer {
    PostgresServer::shared()
}

fn name_in(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

async fn raw(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file);
    options.connect().await.unwrap()
}

/// A backup of a new database in a file.
async fn a_backup(place: &Place) -> std::path::PathBuf {
    drop(place.open().await);
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    backup
}

/// All that the store tells of a visitor's calls and of those without an end.
async fn told(
    records: &Records,
    visitor: VisitorId,
    calls: &[CallId],
) -> (Vec<CallRecord>, Vec<CallRecord>, Vec<UnfinishedCall>) {
    let mut whole = Vec::new();
    for call in calls {
        whole.push(records.call(*call).await.unwrap().unwrap());
    }
    let listed = listed(records, visitor).await;
    (listed, whole, left_behind(records).await)
}

#[tokio::test]
async fn records_move_from_a_file_to_postgresql_and_back_and_go_on_at_each_place() {
    let (here, back, there) = (Place::new(), Place::new(), server().database());
    let records = here.open().await;
    let visitor = VisitorId::random();
    let calls: Vec<_> = (0..3).map(|_| new_call(Some(visitor))).collect();
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
    }
    let ids: Vec<CallId> = calls.iter().map(|call| call.call_id).collect();
    let [over, damaged, running] = ids[..] else {
        panic!("three calls");
    };
    for call in &calls[..2] {
        let finished = finished_call(call, "I was hurt \u{0} \u{1F198}");
        records.finish_call(call.call_id, finished).await.unwrap();
    }
    let still_here = turn(0, "I am still here");
    records.put_turn(running, still_here).await.unwrap();
    let samples = listed(&records, visitor).await;
    let sample = samples.iter().find(|record| record.sample).unwrap();
    assert!(records.delete_call(sample.call_id).await.unwrap());
    let damage = sqlx::query("UPDATE calls SET note = '{\"cut off' WHERE call_id = ?");
    let damage = damage.bind(damaged.to_string());
    let mut file = raw(&here.file("calls.db")).await;
    damage.execute(&mut file).await.unwrap();
    file.close().await.unwrap();
    let expected = told(&records, visitor, &ids).await;
    assert!(!expected.1[0].damaged && expected.1[1].damaged);
    assert_eq!(expected.2.len(), 1);

    let backup = here.file("calls.backup");
    back_up(&here.url, &backup, &[]).await.unwrap();
    let mut before = files_in(here.folder.path());
    before.retain(|name| !name.contains("backup-"));
    let restored = restore(&there, &backup, &[]).await.unwrap();
    assert_eq!((restored.records, restored.before), (SAMPLES + 2, None));
    let mut after = files_in(here.folder.path());
    after.retain(|name| !name.contains("backup-"));
    assert_eq!(after, before, "nothing is left over beside the backup");
    let records = Records::open(&there).await.unwrap();
    assert_eq!(told(&records, visitor, &ids).await, expected);
    let next = records.start_call(new_call(Some(visitor))).await.unwrap();
    assert_eq!(next.id, 14, "numbers go on");
    records.take_call(running).await.unwrap().unwrap();
    records.put_turn(running, turn(1, "yes")).await.unwrap();

    let ids = [over, damaged, running, next.call_id];
    let expected = told(&records, visitor, &ids).await;
    let second = back.file("of-postgresql.backup");
    assert_eq!(back_up(&there, &second, &[]).await.unwrap(), SAMPLES + 3);
    let mode = std::fs::metadata(&second).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "its owner's alone");
    assert_eq!(files_in(back.folder.path()), ["of-postgresql.backup"]);
    let restored = restore(&back.url, &second, &[]).await.unwrap();
    assert_eq!((restored.records, restored.before), (SAMPLES + 3, None));
    let records = back.open().await;
    assert_eq!(told(&records, visitor, &ids).await, expected);
    let next = records.start_call(new_call(Some(visitor))).await.unwrap();
    assert_eq!(next.id, 15);
}

#[tokio::test]
async fn a_backup_of_postgresql_is_of_one_moment() {
    let (place, url) = (Place::new(), server().database());
    drop(Records::open(&url).await.unwrap());
    // It has begun to read, and comes to a table in which something is just being stored.
    let mut other = PgConnection::connect(&url).await.unwrap();
    let mut storing = other.begin().await.unwrap();
    sqlx::query("LOCK TABLE resources IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *storing)
        .await
        .unwrap();
    let stored_meanwhile = async {
        // Asked beside: who waits for the answer keeps the backup from nothing.
        let database = name_in(&url).to_owned();
        let reads = move || {
            let by = Instant::now() + Duration::from_secs(30);
            while server().sql(&database, WAITING_FOR_A_LOCK) != "1" {
                assert!(Instant::now() < by, "it does not come to the table");
            }
        };
        tokio::task::spawn_blocking(reads).await.unwrap();
        sqlx::query(
            "INSERT INTO resources (id, kind, created_at, updated_at, version, body) \
             VALUES (gen_random_uuid(), 'tool', now(), now(), 1, '{}')",
        )
        .execute(&mut *storing)
        .await
        .unwrap();
        storing.commit().await.unwrap();
    };
    let backup = place.file("calls.backup");
    let (taken, ()) = tokio::join!(back_up(&url, &backup, &[]), stored_meanwhile);
    assert_eq!(taken.unwrap(), SAMPLES);
    let later: i64 = sqlx::query_scalar("SELECT count(*) FROM resources")
        .fetch_one(&mut raw(&backup).await)
        .await
        .unwrap();
    assert_eq!(later, 0, "what came later is in the next one");
}

#[tokio::test]
async fn a_restore_writes_over_nothing_in_postgresql() {
    let (place, url) = (Place::new(), server().database());
    let backup = a_backup(&place).await;
    let records = Records::open(&url).await.unwrap();
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    let refused = restore(&url, &backup, &[]).await.unwrap_err();
    assert!(
        matches!(refused, BackupError::NotEmpty { table: "calls" }),
        "{refused:?}"
    );
    assert!(refused.to_string().contains("createdb"));
    assert!(records.call(call.call_id).await.unwrap().is_some());
    assert_eq!(
        listed(&records, VisitorId::random()).await.len(),
        SAMPLES as usize
    );
}

#[tokio::test]
async fn a_restore_is_refused_while_a_server_runs_on_the_postgresql_database() {
    let (place, url) = (Place::new(), server().database());
    let backup = a_backup(&place).await;
    let records = Records::open(&url).await.unwrap();
    let lease = Duration::from_secs(600);
    records.hold(lease, None).await.unwrap();
    let refused = restore(&url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::PostgresInUse)),
        "{refused:?}"
    );
}

/// As an earlier program left it that knew no later schema.
async fn a_database_of_schema(version: i64) -> String {
    let url = server().database();
    let mut raw = PgConnection::connect(&url).await.unwrap();
    let migrated = POSTGRES.run_direct(Some(version), &mut raw, false).await;
    migrated.unwrap();
    raw.close().await.unwrap();
    url
}

fn schemas_in(url: &str) -> String {
    let schemas = "SELECT string_agg(version::text, ',' ORDER BY version) FROM _sqlx_migrations";
    server().sql(name_in(url), schemas)
}

#[tokio::test]
async fn a_restore_that_is_refused_leaves_the_schema_to_the_earlier_server_that_runs_on_it() {
    let (place, url) = (Place::new(), a_database_of_schema(2).await);
    let backup = a_backup(&place).await;
    server().sql(
        name_in(&url),
        "INSERT INTO nodes VALUES (gen_random_uuid(), now() + interval '1 hour')",
    );
    let refused = restore(&url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::PostgresInUse)),
        "{refused:?}"
    );
    assert_eq!(schemas_in(&url), "1,2");
}

#[tokio::test]
async fn a_restore_that_is_refused_leaves_the_schema_of_what_an_earlier_program_has_stored() {
    let (place, url) = (Place::new(), a_database_of_schema(1).await);
    let backup = a_backup(&place).await;
    server().sql(
        name_in(&url),
        "INSERT INTO calls (id, call_id, kind, started_at) \
         VALUES (1, gen_random_uuid(), 'webCall', now())",
    );
    let refused = restore(&url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::NotEmpty { table: "calls" })),
        "{refused:?}"
    );
    assert_eq!(schemas_in(&url), "1");
}

#[tokio::test]
async fn an_empty_database_of_an_earlier_schema_is_restored_into() {
    let (place, url) = (Place::new(), a_database_of_schema(2).await);
    let backup = a_backup(&place).await;
    let restored = restore(&url, &backup, &[]).await.unwrap();
    assert_eq!(restored.records, SAMPLES);
}

#[tokio::test]
async fn a_nul_character_in_a_text_keeps_no_record_from_moving() {
    let (place, url) = (Place::new(), server().database());
    let records = place.open().await;
    records.start_call(new_call(None)).await.unwrap();
    let mut file = raw(&place.file("calls.db")).await;
    sqlx::query("UPDATE calls SET label_name = 'night' || char(0) || 'line' WHERE NOT sample")
        .execute(&mut file)
        .await
        .unwrap();
    file.close().await.unwrap();
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    let restored = restore(&url, &backup, &[]).await.unwrap();
    assert_eq!(restored.records, SAMPLES + 1);
    let moved = server().sql(
        name_in(&url),
        "SELECT label_name = 'night' || chr(65533) || 'line' FROM calls WHERE NOT sample",
    );
    assert_eq!(moved, "t");
}

#[tokio::test]
async fn a_restore_that_cannot_be_finished_leaves_postgresql_as_it_was() {
    let (place, url) = (Place::new(), server().database());
    let records = place.open().await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    // It is the last row of its table.
    let mut file = raw(&place.file("calls.db")).await;
    sqlx::query("UPDATE calls SET holder = 'he is outside the door' WHERE NOT sample")
        .execute(&mut file)
        .await
        .unwrap();
    file.close().await.unwrap();
    let backup = place.file("calls.backup");
    back_up(&place.url, &backup, &[]).await.unwrap();
    let refused = restore(&url, &backup, &[]).await.unwrap_err();
    assert!(
        matches!(refused, BackupError::Table { table: "calls", .. }),
        "{refused:?}"
    );
    assert!(!format!("{refused:?}").contains("door"), "{refused:?}");
    let records = Records::open(&url).await.unwrap();
    assert_eq!(
        listed(&records, VisitorId::random()).await.len(),
        SAMPLES as usize
    );
    let names = files_in(place.folder.path());
    assert!(
        !names.iter().any(|name| name.contains("restoring")),
        "{names:?}"
    );
}

#[tokio::test]
async fn an_audit_trail_with_a_gap_is_backed_up_as_it_is_and_guarded_again() {
    let (place, url) = (Place::new(), server().database());
    drop(Records::open(&url).await.unwrap());
    server().sql(
        name_in(&url),
        "INSERT INTO desk_audit VALUES (7, 1, 'server', 'queue viewed', NULL, '', '')",
    );
    let backup = place.file("calls.backup");
    back_up(&url, &backup, &[]).await.unwrap();
    let mut file = raw(&backup).await;
    let number: i64 = sqlx::query_scalar("SELECT number FROM desk_audit")
        .fetch_one(&mut file)
        .await
        .unwrap();
    assert_eq!(number, 7);
    let changed = sqlx::query("UPDATE desk_audit SET who = 'nobody'")
        .execute(&mut file)
        .await;
    let changed = changed.unwrap_err().to_string();
    assert!(changed.contains("only added to"), "{changed}");
}

#[tokio::test]
async fn a_postgresql_database_that_this_program_does_not_know_is_not_backed_up() {
    let (place, url) = (Place::new(), server().database());
    let backup = place.file("calls.backup");
    let refused = back_up(&url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::NothingInPostgres)),
        "{refused:?}"
    );
    drop(Records::open(&url).await.unwrap());
    let sql = |statement: &str| server().sql(name_in(&url), statement);
    sql("UPDATE _sqlx_migrations SET version = 9999 \
         WHERE version = (SELECT max(version) FROM _sqlx_migrations)");
    let refused = back_up(&url, &backup, &[]).await;
    assert!(
        matches!(
            refused,
            Err(BackupError::Database(OpenError::Postgres(
                PostgresOpenError::NewerSchema { found: 9999, .. }
            )))
        ),
        "{refused:?}"
    );
    sql("DELETE FROM _sqlx_migrations WHERE version = 9999");
    let refused = back_up(&url, &backup, &[]).await;
    assert!(
        matches!(refused, Err(BackupError::OlderSchema)),
        "{refused:?}"
    );
    assert!(files_in(place.folder.path()).is_empty());
}
