//! Why a store could not be opened, and what to do about it.

use std::path::PathBuf;

use crate::postgres::PostgresOpenError;

/// Why the records could not be opened. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The url is not repeated: it may hold a password.
    #[error(
        "the database url is of no known kind: use sqlite:PATH, sqlite::memory: or \
         postgres://NAME:PASSWORD@HOST/DATABASE"
    )]
    UnknownDatabase,
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
    #[error(
        "cannot write to {}: make the file and its directory writable for this program, or \
         choose another path", path.display()
    )]
    NotWritable { path: PathBuf },
    #[error(
        "{} is not a Nightlight database: move it away, or choose another path",
        path.display()
    )]
    NotOurs { path: PathBuf },
    #[error(
        "{} was written by a newer version of this program (its schema is {found}, this \
         program knows {known}): install that version, or choose another path",
        path.display()
    )]
    NewerSchema {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    #[error(
        "schema change {version} in {} is not the one this program has: it was made by a \
         development version; move the file away, or choose another path", path.display()
    )]
    AlteredSchema { path: PathBuf, version: i64 },
    #[error(
        "{} is locked by another program: end that program, or choose another path",
        path.display()
    )]
    Locked { path: PathBuf },
    #[error(
        "{} is in use by another Nightlight{}: stop that one, or choose another path",
        path.display(), holder.map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    InUse { path: PathBuf, holder: Option<u32> },
    #[error("{} could not be opened: see the cause", path.display())]
    Other {
        path: PathBuf,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OpenError {
    /// Whether the database is at fault, its disk, or the way to it: a server is then of more use without it than not at all. All
    /// else is a mistake in the settings, or another program than the one that is wanted, and whoever starts it can tell.
    pub fn is_the_databases(&self) -> bool {
        match self {
            Self::Postgres(error) => error.is_the_databases(),
            Self::NotWritable { .. }
            | Self::NotOurs { .. }
            | Self::Locked { .. }
            | Self::Other { .. } => true,
            Self::UnknownDatabase
            | Self::NewerSchema { .. }
            | Self::AlteredSchema { .. }
            | Self::InUse { .. } => false,
        }
    }
}
