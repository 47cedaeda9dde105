//! How a row's values stand in PostgreSQL: identities and moments in types of their own.

use jiff::Timestamp;
use sqlx::Row;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::row::Columns;

impl Columns for PgRow {
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
        self.try_get(column)
    }

    fn instant(&self, column: &str) -> Result<Option<Timestamp>, sqlx::Error> {
        let at: Option<jiff_sqlx::Timestamp> = self.try_get(column)?;
        Ok(at.map(jiff_sqlx::Timestamp::to_jiff))
    }
}
