//! Where records are kept while their database cannot be opened: a database of their own, in a file beside it, in the
//! service's own folder or in one of this program's below the system's temporary one, or in memory where nothing can be
//! written. And how what was kept so is found again, once their own database opens ([`crate::take_in`]). The database itself
//! is not touched here.

use std::fs::{DirBuilder, Permissions, set_permissions, symlink_metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;
use jiff::Timestamp;

use crate::Records;
use crate::open_error::OpenError;
use crate::sealing::RecordsKeys;
use crate::sole_use::SoleUse;
use crate::sqlite::file_of;

/// Stands in the name of each such file, before the moment at which it was begun.
const MARK: &str = ".aside-";
/// What SQLite and [`SoleUse`] lay beside a file, and the file itself.
const OF_A_FILE: [&str; 4] = ["-wal", "-shm", ".lock", ""];
/// Where a service manager has a service keep its own.
const STATE_DIRECTORY: &str = "STATE_DIRECTORY";
const DIGITS: usize = 16;
const IN_MEMORY: &str = "sqlite::memory:";

/// Records kept aside, and this process's alone.
pub struct Aside {
    pub records: Records,
    /// None for those in memory.
    place: Option<PathBuf>,
    _sole_use: SoleUse,
}

impl Aside {
    /// Goes on with what an earlier run kept aside of the database at `url`, or begins anew, where the least would be lost.
    pub async fn open(url: &str, keys: RecordsKeys) -> Result<Self, OpenError> {
        let moment = Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let mut places = left_aside(url);
        places.reverse();
        places.extend(stems(url, elsewhere()).into_iter().map(|stem| {
            let mut place = stem.into_os_string();
            place.push(MARK);
            place.push(&moment);
            PathBuf::from(place)
        }));
        for place in places {
            match Self::open_file(&place, keys.clone()).await {
                Ok(aside) => return Ok(aside),
                Err(error) => {
                    tracing::warn!(place = %place.display(), %error, "records cannot be kept aside here");
                }
            }
        }
        Self::in_memory(keys).await
    }

    /// Where nothing can be written.
    pub async fn in_memory(keys: RecordsKeys) -> Result<Self, OpenError> {
        Ok(Self {
            records: Records::open_with(IN_MEMORY, keys).await?,
            place: None,
            _sole_use: SoleUse::take(IN_MEMORY)?,
        })
    }

    /// Opens a file of [`left_aside`]. One that another server keeps its records in is [`OpenError::InUse`].
    pub async fn open_file(place: &Path, keys: RecordsKeys) -> Result<Self, OpenError> {
        let url = format!("sqlite:{}", place.display());
        let not_writable = || OpenError::NotWritable {
            path: place.to_owned(),
        };
        let folder = folder_of(place);
        // Where it cannot be made, what follows says so.
        let _ = DirBuilder::new().mode(0o700).create(folder);
        if !is_to_be_trusted(folder) {
            return Err(not_writable());
        }
        let sole_use = SoleUse::take(&url)?;
        // Before there is a word in it.
        set_permissions(place, Permissions::from_mode(0o600)).map_err(|_| not_writable())?;
        Ok(Self {
            records: Records::open_with(&url, keys).await?,
            place: Some(place.to_owned()),
            _sole_use: sole_use,
        })
    }

    pub fn place(&self) -> Option<&Path> {
        self.place.as_deref()
    }

    /// Removes the file, when all that was in it is in the database.
    pub async fn remove(self) -> io::Result<()> {
        if let Some(database) = self.records.database() {
            database.close().await;
        }
        let Some(place) = &self.place else {
            return Ok(());
        };
        for ending in OF_A_FILE {
            let mut of_it = place.clone().into_os_string();
            of_it.push(ending);
            let removed = std::fs::remove_file(PathBuf::from(of_it));
            if let Err(error) = removed
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// The files in which records of the database at `url` are kept aside, the earliest first in each folder.
pub fn left_aside(url: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for stem in stems(url, elsewhere()) {
        let (folder, Some(name)) = (folder_of(&stem), stem.file_name()) else {
            continue;
        };
        let begins = format!("{}{MARK}", name.to_string_lossy());
        if !is_to_be_trusted(folder) {
            continue;
        }
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        let mut here: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // A link could lead to a file of somebody else's.
                let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
                let moment = name.strip_prefix(&begins);
                is_file && moment.is_some_and(|it| it.bytes().all(|it| it.is_ascii_alphanumeric()))
            })
            .map(|entry| entry.path())
            .collect();
        here.sort();
        found.extend(here);
    }
    found
}

/// How the names of such files begin: beside the database where it is a file, and `elsewhere`.
fn stems(url: &str, elsewhere: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let elsewhere = elsewhere.into_iter().map(|folder| folder.join(name(url)));
    file_of(url).into_iter().chain(elsewhere).collect()
}

/// Folders for where nothing can be written beside the database, the one that loses the least first: the temporary one may go
/// with the service.
fn elsewhere() -> impl Iterator<Item = PathBuf> {
    let services = std::env::var_os(STATE_DIRECTORY)
        .and_then(|folders| std::env::split_paths(&folders).next());
    services.into_iter().chain(own_temporary())
}

/// Tells databases apart where several may keep records in one folder. Neither a user's name nor a password is in it, and so it
/// stays when they change.
fn name(url: &str) -> String {
    let whole = match file_of(url) {
        Some(file) => std::path::absolute(&file)
            .unwrap_or(file)
            .display()
            .to_string(),
        None => {
            let place = url.split('?').next().unwrap_or_default();
            place.rsplit('@').next().unwrap_or_default().to_owned()
        }
    };
    let mut digits = HEXLOWER.encode(digest(&SHA256, whole.as_bytes()).as_ref());
    digits.truncate(DIGITS);
    format!("records-{digits}")
}

fn own_temporary() -> Option<PathBuf> {
    Some(std::env::temp_dir().join(format!("nightlight-{}", this_user()?)))
}

fn this_user() -> Option<u32> {
    Some(std::fs::metadata("/proc/self").ok()?.uid())
}

/// Whoever else could write to a folder below the temporary one would have records of theirs taken in. Every other folder is the
/// operator's choice.
fn is_to_be_trusted(folder: &Path) -> bool {
    own_temporary().as_deref() != Some(folder) || is_ours_alone(folder)
}

fn is_ours_alone(folder: &Path) -> bool {
    let is_ours = |it: std::fs::Metadata| {
        it.is_dir() && Some(it.uid()) == this_user() && it.mode() & 0o077 == 0
    };
    symlink_metadata(folder).is_ok_and(is_ours)
}

fn folder_of(place: &Path) -> &Path {
    let folder = place.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_database_is_known_again_by_its_place_and_not_by_who_asks_for_it() {
        let one = name("postgres://night:first@db.example/calls?sslmode=require");
        assert_eq!(one, name("postgres://day:sec@nd@db.example/calls"));
        assert_ne!(one, name("postgres://night:first@db.example/other"));
        assert!(!one.contains("first") && !one.contains("night:"), "{one}");
    }

    #[test]
    fn where_nothing_can_be_written_beside_it_the_services_folder_goes_before_the_temporary_one() {
        let [services, temporary] = ["/services", "/temporary"].map(PathBuf::from);
        let places = |url: &str| stems(url, [services.clone(), temporary.clone()]);
        let in_a_file = "sqlite:/calls/calls.db";
        let in_postgres = "postgres://night:first@db.example/calls";
        let of = |url: &str| [&services, &temporary].map(|folder| folder.join(name(url)));
        let beside = [PathBuf::from("/calls/calls.db")];
        assert_eq!(
            places(in_a_file),
            [&beside[..], &of(in_a_file)[..]].concat()
        );
        assert_eq!(places(in_postgres), of(in_postgres));
    }

    #[tokio::test]
    async fn what_was_kept_aside_is_found_gone_on_with_and_removed_with_all_that_lies_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("calls.db").display());
        assert_eq!(left_aside(&url), Vec::<PathBuf>::new());
        let first = Aside::open(&url, RecordsKeys::none()).await.unwrap();
        let kept = first.place().unwrap().to_owned();
        assert_eq!(left_aside(&url), vec![kept.clone()]);
        assert_eq!(kept.parent(), Some(place.path()));
        assert_eq!(kept.metadata().unwrap().mode() & 0o777, 0o600);
        let in_use = Aside::open_file(&kept, RecordsKeys::none()).await;
        assert!(matches!(in_use.err(), Some(OpenError::InUse { .. })));
        drop(first);
        let again = Aside::open(&url, RecordsKeys::none()).await.unwrap();
        assert_eq!(again.place(), Some(kept.as_path()));
        again.remove().await.unwrap();
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_trusted() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("nightlight");
        assert!(!is_ours_alone(&folder), "it is not there");
        DirBuilder::new().mode(0o700).create(&folder).unwrap();
        assert!(is_ours_alone(&folder));
        let link = place.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(!is_ours_alone(&link));
        set_permissions(&folder, Permissions::from_mode(0o770)).unwrap();
        assert!(!is_ours_alone(&folder));
    }

    #[test]
    fn a_link_is_no_file_of_ours() {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("calls.db").display());
        let other = place.path().join("other.db");
        std::fs::write(&other, "").unwrap();
        let link = place.path().join("calls.db.aside-20261125T190000Z");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        assert_eq!(left_aside(&url), Vec::<PathBuf>::new());
    }
}
