//! Why a PostgreSQL database could not be opened, and what to do about it.

use std::io::ErrorKind;

use super::Answer;

/// None of them repeats the url or a part of it: where the password in it is not written as a url asks, host and
/// database hold a part of the password.
#[derive(Debug, thiserror::Error)]
pub enum PostgresOpenError {
    #[error(
        "the database url cannot be read: write postgres://NAME:PASSWORD@HOST:PORT/DATABASE, with %40 for an @ in the \
         password and %2F for a /"
    )]
    Url,
    #[error(
        "the database server cannot be reached ({0}): look whether it runs, and at host and port in the database url"
    )]
    Unreachable(String),
    #[error(
        "the database server's certificate does not hold ({0}): name the file of the authority that signed it as \
         sslrootcert in the database url, and the host as it stands in the certificate"
    )]
    Certificate(String),
    #[error(
        "the database server lets nobody in by this name and password ({0}): look at both in the database url, and \
         at the server's pg_hba.conf"
    )]
    NotLetIn(String),
    #[error(
        "there is no such database on the server: make it (`createdb`), or name another in the database url"
    )]
    NoSuchDatabase,
    #[error(
        "the database's encoding is {found}, which has not every letter: make one with UTF8 (`createdb --template \
         template0 --encoding UTF8`)"
    )]
    Encoding { found: String },
    #[error(
        "the database server is a standby, which nothing can be written to: give the primary's host in the database url"
    )]
    Standby,
    #[error(
        "the name in the database url may not do what is needed in this database: make it the database's owner"
    )]
    NotPermitted,
    #[error(
        "the database holds another program's tables: make an empty one (`createdb`), and name it in the database url"
    )]
    NotOurs,
    #[error(
        "the database was written by a newer version of this program (its schema is {found}, this program knows \
         {known}): install that version, or name another database"
    )]
    NewerSchema { found: i64, known: i64 },
    #[error(
        "schema change {version} in the database is not the one this program has: it was made by a development \
         version; name another database"
    )]
    AlteredSchema { version: i64 },
    #[error(
        "another program has kept the database's tables locked for {seconds} s: end what it does there, then start this \
         again"
    )]
    Locked { seconds: u64 },
    #[error("the database could not be opened: {0}")]
    Other(String),
}

impl PostgresOpenError {
    /// As [`crate::OpenError::is_the_databases`] tells it. A certificate ends by itself, and a primary becomes a standby, in the middle of a
    /// night.
    pub(crate) fn is_the_databases(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Certificate(_)
            | Self::Standby
            | Self::Locked { .. }
            | Self::Other(_) => true,
            Self::Url
            | Self::NotLetIn(_)
            | Self::NoSuchDatabase
            | Self::Encoding { .. }
            | Self::NotPermitted
            | Self::NotOurs
            | Self::NewerSchema { .. }
            | Self::AlteredSchema { .. } => false,
        }
    }

    /// What the server said, as far as it may be shown.
    pub(super) fn of(error: sqlx::Error) -> Self {
        let said = match &error {
            sqlx::Error::Database(said) => {
                said.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()
            }
            _ => None,
        };
        let Some(answer) = said.map(Answer::of) else {
            return match error {
                // So TLS calls a certificate that does not hold.
                sqlx::Error::Io(error) if error.kind() == ErrorKind::InvalidData => {
                    Self::Certificate(error.to_string())
                }
                sqlx::Error::Io(error) => Self::Unreachable(error.to_string()),
                sqlx::Error::Protocol(said) => Self::Unreachable(said),
                sqlx::Error::Tls(error) => Self::Unreachable(error.to_string()),
                sqlx::Error::PoolTimedOut => Self::Unreachable("it does not answer".to_owned()),
                other => Self::Other(other.to_string()),
            };
        };
        match answer.code() {
            "3D000" => Self::NoSuchDatabase,
            "42501" => Self::NotPermitted,
            "55P03" => Self::Locked {
                seconds: super::connecting::SET_UP_WAITS.as_secs(),
            },
            "25006" => Self::Standby,
            code if code.starts_with("28") => Self::NotLetIn(code.to_owned()),
            _ if answer.is_worth_another_try() => Self::Unreachable(answer.to_string()),
            _ => Self::Other(answer.to_string()),
        }
    }
}
