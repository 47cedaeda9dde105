//! Backups of a database in a file, taken and put back.
#![allow(clippy::unwrap_used)]

mod story;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use records::{BackupError, OpenError, Records, SoleUse, VisitorId, back_up, restore};
use story::{finished_call, left_behind, listed, new_call, turn};
use tempfile::TempDir;

const SAMPLES: u64 = 10;

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
    assert_eq!(back_up(&here.url, &backup).await.unwrap(), SAMPLES + 2);
    let expected = listed(&records, visitor).await;
    records
        .put_turn(running.call_id, turn(1, "This came later"))
        .await
        .unwrap();
    let mode = std::fs::metadata(&backup).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "its owner's alone");

    let restored = restore(&elsewhere.url, &backup).await.unwrap();
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
    back_up(&place.url, &backup).await.unwrap();
    let visitor = VisitorId::random();
    let later = new_call(Some(visitor));
    records.start_call(later).await.unwrap();
    drop(records);
    let restored = restore(&place.url, &backup).await.unwrap();
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
    back_up(&place.url, &backup).await.unwrap();
    let again = back_up(&place.url, &backup).await;
    assert!(
        matches!(again, Err(BackupError::Exists { .. })),
        "{again:?}"
    );
    let _server = SoleUse::take(&place.url).unwrap();
    let refused = restore(&place.url, &backup).await;
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
    back_up(&place.url, &backup).await.unwrap();
    let whole = std::fs::read(&backup).unwrap();
    let before = std::fs::read(place.file("calls.db")).unwrap();
    let names = files_in(place.folder.path());
    // Every page but the first, which says what the file is.
    for from in (4096..whole.len()).step_by(4096) {
        let mut damaged = whole.clone();
        damaged[from..(from + 64).min(whole.len())].fill(0xff);
        std::fs::write(&backup, damaged).unwrap();
        let refused = restore(&place.url, &backup).await;
        assert!(
            matches!(refused, Err(BackupError::Damaged { .. })),
            "page at {from}: {refused:?}"
        );
    }
    std::fs::write(&backup, b"this is no database at all, only words").unwrap();
    assert!(restore(&place.url, &backup).await.is_err());
    assert_eq!(std::fs::read(place.file("calls.db")).unwrap(), before);
    let mut after = files_in(place.folder.path());
    after.retain(|name| !name.ends_with(".lock") && !name.contains("backup-"));
    assert_eq!(after, names, "nothing is left over");
}

#[tokio::test]
async fn what_has_no_file_is_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("calls.backup");
    let refused = back_up("sqlite::memory:", &to).await.unwrap_err();
    assert!(refused.to_string().contains("set `database` to a file"));
    let refused = back_up("postgres://name:secret@host/calls", &to).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("pg_dump") && !refused.contains("secret"));
    let nowhere = format!("sqlite:{}", folder.path().join("none.db").display());
    let refused = back_up(&nowhere, &to).await;
    assert!(matches!(refused, Err(BackupError::NothingThere { .. })));
    assert!(files_in(folder.path()).is_empty());
}
