//! Backups: taken while a server goes on, tried before they count, and put back. Each is one file, an SQLite database with
//! everything that moves (`tables`), whichever database it was taken of; so it goes back into either.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::copying;
use crate::open_error::OpenError;
use crate::postgres::is_postgres;
use crate::sole_use::SoleUse;
use crate::sqlite::{self, SqliteStore};
use crate::store::StoreError;
use crate::tables::Lodger;

/// Why a backup was not taken, or not put back. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("records that are only in memory cannot be backed up: set `database` to a file")]
    InMemory,
    #[error("{} is there already: choose another path, or move it away", path.display())]
    Exists { path: PathBuf },
    #[error("there is no database at {}: look at `database` in the settings", path.display())]
    NothingThere { path: PathBuf },
    #[error("there are no records in the PostgreSQL database: look at `database` in the settings")]
    NothingInPostgres,
    #[error(
        "the PostgreSQL database was written by an earlier version of this program: take the backup with that version, or \
         start this version's server on it first"
    )]
    OlderSchema,
    #[error(
        "the PostgreSQL database is not empty (something is in {table}), and a restore writes over nothing there: make a new \
         one (`createdb`), and name it as `database` in the settings"
    )]
    NotEmpty { table: &'static str },
    #[error(
        "a server runs on the PostgreSQL database, or did until a few seconds ago: stop it, then restore again"
    )]
    PostgresInUse,
    #[error("{} is damaged: take another backup", path.display())]
    Damaged { path: PathBuf },
    #[error("{table} could not be copied, and nothing was changed: look at the cause")]
    Table {
        table: &'static str,
        source: StoreError,
    },
    #[error(
        "not all of {table} arrived, and nothing was changed: end what else writes to the database, then try again"
    )]
    NotWhole { table: &'static str },
    /// A [`Lodger`] says why.
    #[error("{0}")]
    NotLaid(Box<dyn Error + Send + Sync>),
    #[error("{} cannot be read or written: look at the cause", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Database(#[from] OpenError),
}

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// How many records there are now, samples with them.
    pub records: u64,
    /// Where the database is kept that was there before. PostgreSQL's was empty.
    pub before: Option<PathBuf>,
}

/// Copies the database at `url`, with the tables of these lodgers, to the new file `to`, as it is at one moment, and tries the
/// copy. Gives the number of its records. A server may use the database meanwhile.
pub async fn back_up(url: &str, to: &Path, lodgers: &[Lodger]) -> Result<u64, BackupError> {
    let database = match is_postgres(url) {
        true => None,
        false => Some(file_of(url)?),
    };
    if let Some(path) = database.clone().filter(|file| !file.exists()) {
        return Err(BackupError::NothingThere { path });
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
        match &database {
            Some(database) => sqlite::copy(database, to).await?,
            None => copying::out_of_postgres(url, to, lodgers).await?,
        }
        let records = tried(to).await?;
        File::open(to)
            .and_then(|copy| copy.sync_all())
            .map_err(of_file(to))?;
        Ok(records)
    };
    let taken = taken.await;
    if taken.is_err() {
        // What is not whole is no backup.
        remove(to);
    }
    taken
}

/// Puts the backup `from` in the place of the database at `url`, brought up to date. What was in a file is kept beside it; a
/// PostgreSQL database is to be empty. Refused while a server uses the database.
pub async fn restore(url: &str, from: &Path, lodgers: &[Lodger]) -> Result<Restored, BackupError> {
    match is_postgres(url) {
        true => restore_into_postgres(url, from, lodgers).await,
        false => restore_into_file(url, from).await,
    }
}

async fn restore_into_file(url: &str, from: &Path) -> Result<Restored, BackupError> {
    let database = file_of(url)?;
    let _sole_use = SoleUse::take(url)?;
    let new = beside(&database, "restoring");
    let records = match brought_up_to_date(from, &new, &[]).await {
        Ok(records) => records,
        Err(error) => {
            remove(&new);
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

/// By way of a copy beside the backup, which itself is not changed.
async fn restore_into_postgres(
    url: &str,
    from: &Path,
    lodgers: &[Lodger],
) -> Result<Restored, BackupError> {
    crate::check_url(url)?;
    let copy = beside(from, "restoring");
    let restored = async {
        let records = brought_up_to_date(from, &copy, lodgers).await?;
        copying::into_postgres(&copy, url, lodgers).await?;
        Ok(Restored {
            records,
            before: None,
        })
    };
    let restored = restored.await;
    remove(&copy);
    restored
}

/// Copies a backup to `new`, with its tables as this program has them. Gives the number of its records.
async fn brought_up_to_date(
    from: &Path,
    new: &Path,
    lodgers: &[Lodger],
) -> Result<u64, BackupError> {
    tried(from).await?;
    // Of a restore that was cut off.
    remove(new);
    std::fs::copy(from, new).map_err(of_file(new))?;
    copying::bring_up_to_date(new, lodgers).await?;
    tried(new).await
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
    for of_it in PARTS {
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
    sqlite::check_url(url)?;
    sqlite::file_of(url).ok_or(BackupError::InMemory)
}

/// What SQLite keeps of a database: the file, and what lies beside it while it is open or was not closed.
const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

fn remove(database: &Path) {
    for of_it in PARTS {
        // Most are not there.
        let _ = std::fs::remove_file(with(database, of_it));
    }
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
