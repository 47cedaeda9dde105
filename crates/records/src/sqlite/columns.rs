//! How a row's values stand in SQLite: identities as text, moments as microseconds since 1970.

use jiff::Timestamp;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::row::Columns;

impl Columns for SqliteRow {
    fn number(&self, column: &str) -> Result<Option<i64>, sqlx::Error> {
        self.try_get(column)
    }

    fn flag(&self, column: &str) -> Result<bool, sqlx::Error> {
        self.try_get(column)
    }

    fn text(&self, column: &str) -> Result<Option<String>, sqlx::Error> {
        self.try_get(column)
    }

    fn uuid(&self, column: &str) -> Result<Option<Uuid>, sqlx::Error> {
        let text = self.text(column)?;
        text.map(|text| text.parse().map_err(unreadable))
            .transpose()
    }

    fn instant(&self, column: &str) -> Result<Option<Timestamp>, sqlx::Error> {
        let microseconds = self.number(column)?;
        microseconds
            .map(|at| Timestamp::from_microsecond(at).map_err(unreadable))
            .transpose()
    }
}

fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
