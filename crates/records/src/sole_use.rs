//! One server at a time for a database in a file. A second one would take the first one's live calls for calls that a
//! crash cut off, and end them. The claim is the operating system's lock on a file beside the database, and ends with the
//! process that holds it, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;

use crate::open_error::OpenError;
use crate::sqlite::file_of;

/// Held while a server answers for what is in a database.
#[derive(Debug)]
pub struct SoleUse {
    _claim: Option<File>,
}

impl SoleUse {
    /// Claims the database at `url`. Reading it needs no claim; a database in memory is its process's own.
    pub fn claim(url: &str) -> Result<Self, OpenError> {
        let Some(path) = file_of(url) else {
            return Ok(Self { _claim: None });
        };
        let mut lock = path.clone().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        let not_writable = |_| OpenError::NotWritable { path: lock.clone() };
        let mut claim = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&lock)
            .map_err(not_writable)?;
        match claim.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // For the message alone.
                let _ = claim.read_to_string(&mut holder);
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
        let written = claim
            .set_len(0)
            .and_then(|()| claim.rewind())
            .and_then(|()| writeln!(claim, "{}", std::process::id()));
        written.map_err(not_writable)?;
        Ok(Self {
            _claim: Some(claim),
        })
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
        let first = SoleUse::claim(&url).unwrap();
        let refused = SoleUse::claim(&url).unwrap_err().to_string();
        let process = format!("(process {})", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        drop(first);
        SoleUse::claim(&url).unwrap();
    }

    #[test]
    fn a_database_in_memory_is_nobody_elses() {
        let _first = SoleUse::claim("sqlite::memory:").unwrap();
        SoleUse::claim("sqlite::memory:").unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_named() {
        let refused = SoleUse::claim("sqlite:/proc/none/calls.db").unwrap_err();
        assert!(
            matches!(refused, OpenError::NotWritable { .. }),
            "{refused}"
        );
    }
}
