//! What PostgreSQL answered instead of doing as asked, as far as it may be shown.

use std::fmt;

use sqlx::postgres::PgDatabaseError;

/// Classes of answers whose message tells of the server's state and quotes nothing: neither what was to be stored, nor
/// names out of the url. An answer's detail, which can hold a whole row, is never kept.
const QUOTES_NOTHING: [&str; 7] = ["08", "25", "40", "53", "55", "57", "58"];

/// [`StoreError`](crate::StoreError)'s cause.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// A code of its appendix A, "PostgreSQL Error Codes".
    code: String,
    message: Option<String>,
}

impl Answer {
    pub(crate) fn of(answer: &PgDatabaseError) -> Self {
        let code = answer.code().to_owned();
        let message = code
            .get(..2)
            .is_some_and(|class| QUOTES_NOTHING.contains(&class))
            .then(|| answer.message().to_owned());
        Self { code, message }
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// Whether the same may succeed on another connection or a little later.
    pub(crate) fn is_worth_another_try(&self) -> bool {
        let class = self.code.get(..2).unwrap_or_default();
        match self.code.as_str() {
            // Its disk is full.
            "53100" => false,
            // Given up by a bound of ours, the server's stop or start, or by a server that has become a standby.
            "57014" | "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "25006" | "55P03" => true,
            _ => matches!(class, "08" | "40" | "53"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgreSQL answered {}", self.code)?;
        match &self.message {
            Some(message) => write!(f, ": {message}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Answer {}
