//! One server at a time for a file. A second one would take the first one's live calls for calls that a crash cut off, and
//! end them. It is the operating system's lock on another file beside it, and ends with the process that holds it,
//! however that ends. In PostgreSQL each call has its lease, and several servers share it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;

use crate::open_error::OpenError;
use crate::sqlite::{file_of, make_writable};

/// Held while a server answers for what is in a database.
#[derive(Debug)]
pub struct SoleUse {
    _lock: Lock,
}

#[derive(Debug)]
#[expect(dead_code, reason = "they are held and not looked at")]
enum Lock {
    /// Nobody else can reach it, or others may.
    Unneeded,
    File(File),
}

impl SoleUse {
    /// Takes the database at `url`. Who only reads need not; a database in memory is its process's own.
    pub fn take(url: &str) -> Result<Self, OpenError> {
        let lock = match file_of(url) {
            Some(path) => Lock::File(Self::take_file(path)?),
            None => Lock::Unneeded,
        };
        Ok(Self { _lock: lock })
    }

    fn take_file(path: PathBuf) -> Result<File, OpenError> {
        make_writable(&path)?;
        let mut lock = path.clone().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let not_writable = |_| OpenError::NotWritable { path: lock.clone() };
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&lock)
            .map_err(not_writable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // For the message alone.
                let _ = file.read_to_string(&mut holder);
                let holder = holder.trim().parse().ok();
                return Err(OpenError::InUse { path, holder });
            }
            Err(TryLockError::Error(error)) => {
                return Err(OpenError::Other {
                    path: lock,
                    source: Box::new(error),
                });
            }
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        written.map_err(not_writable)?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_database_has_one_owner_and_says_which_until_that_one_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("calls.db").display());
        let first = SoleUse::take(&url).unwrap();
        let refused = SoleUse::take(&url).unwrap_err().to_string();
        let process = format!("(process {})", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        drop(first);
        SoleUse::take(&url).unwrap();
    }

    #[test]
    fn a_database_in_memory_is_nobody_elses() {
        let _first = SoleUse::take("sqlite::memory:").unwrap();
        SoleUse::take("sqlite::memory:").unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_named() {
        let refused = SoleUse::take("sqlite:/proc/none/calls.db").unwrap_err();
        assert!(
            matches!(refused, OpenError::NotWritable { .. }),
            "{refused}"
        );
    }
}
