//! Backups of a database in a file: taken while a server goes on, tried before they count, and put in its place again.
//! PostgreSQL has programs of its own for it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::open_error::OpenError;
use crate::postgres::is_postgres;
use crate::sole_use::SoleUse;
use crate::sqlite::{self, SqliteStore};

/// Why a backup was not taken, or not put back. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(
        "records in PostgreSQL are backed up with its own pg_dump, and restored with pg_restore: see docs/operations.md"
    )]
    OfPostgres,
    #[error("records that are only in memory cannot be backed up: set `database` to a file")]
    InMemory,
    #[error("{} is there already: choose another path, or move it away", path.display())]
    Exists { path: PathBuf },
    #[error("there is no database at {}: look at `database` in the settings", path.display())]
    NothingThere { path: PathBuf },
    #[error("{} is damaged: take another backup", path.display())]
    Damaged { path: PathBuf },
    #[error("{} cannot be read or written: look at the cause", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Database(#[from] OpenError),
}

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// How many records there are now, samples with them.
    pub records: u64,
    /// Where the database is kept that was there before.
    pub before: Option<PathBuf>,
}

/// Copies the database at `url` to the new file `to`, as it is at one moment, and tries the copy. Gives the number of its
/// records. A server may use the database meanwhile.
pub async fn back_up(url: &str, to: &Path) -> Result<u64, BackupError> {
    let database = file_of(url)?;
    if !database.exists() {
        return Err(BackupError::NothingThere { path: database });
    }
    // For its owner alone, before there is a word in it.
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
    {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(BackupError::Exists { path: to.into() });
        }
        Err(error) => return Err(of_file(to)(error)),
    }
    let taken = async {
        sqlite::copy(&database, to).await?;
        let records = tried(to).await?;
        File::open(to)
            .and_then(|copy| copy.sync_all())
            .map_err(of_file(to))?;
        Ok(records)
    };
    let taken = taken.await;
    if taken.is_err() {
        // What is not whole is no backup.
        let _ = std::fs::remove_file(to);
    }
    taken
}

/// Puts the backup `from` in the place of the database at `url`, brought up to date. What was there is kept beside it. Refused
/// while a server uses the database.
pub async fn restore(url: &str, from: &Path) -> Result<Restored, BackupError> {
    let database = file_of(url)?;
    let _sole_use = SoleUse::take(url)?;
    tried(from).await?;
    let new = beside(&database, "restoring");
    let prepared = async {
        std::fs::copy(from, &new).map_err(of_file(&new))?;
        let store = SqliteStore::open(&new.display().to_string()).await?;
        store.close().await;
        tried(&new).await
    };
    let records = match prepared.await {
        Ok(records) => records,
        Err(error) => {
            let _ = std::fs::remove_file(&new);
            return Err(error);
        }
    };
    let before = put_aside(&database).await?;
    std::fs::rename(&new, &database).map_err(of_file(&database))?;
    let folder = database
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(of_file(folder))?;
    Ok(Restored { records, before })
}

/// Moves the database that is there out of the way, whole: what is in its log is brought into it first.
async fn put_aside(database: &Path) -> Result<Option<PathBuf>, BackupError> {
    let is_empty = std::fs::metadata(database).map_or(true, |file| file.len() == 0);
    if is_empty {
        return Ok(None);
    }
    // One that cannot be opened is kept as it is.
    if let Ok(store) = SqliteStore::open(&database.display().to_string()).await {
        store.close().await;
    }
    let moment = Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let kept = beside(database, &format!("before-{moment}"));
    for of_it in ["", "-wal", "-shm"] {
        let (old, new) = (with(database, of_it), with(&kept, of_it));
        if old.exists() {
            std::fs::rename(&old, &new).map_err(of_file(&old))?;
        }
    }
    Ok(Some(kept))
}

/// Looks through the whole file; gives the number of its records.
async fn tried(path: &Path) -> Result<u64, BackupError> {
    if !path.exists() {
        return Err(BackupError::NothingThere { path: path.into() });
    }
    match sqlite::records_of_a_whole(path).await? {
        Some(records) => Ok(records),
        None => Err(BackupError::Damaged { path: path.into() }),
    }
}

fn file_of(url: &str) -> Result<PathBuf, BackupError> {
    if is_postgres(url) {
        return Err(BackupError::OfPostgres);
    }
    sqlite::check_url(url)?;
    sqlite::file_of(url).ok_or(BackupError::InMemory)
}

fn beside(database: &Path, what: &str) -> PathBuf {
    with(database, &format!(".{what}"))
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn of_file(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |source| BackupError::File { path, source }
}
