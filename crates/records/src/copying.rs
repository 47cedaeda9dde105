//! Rows from PostgreSQL into a file, and from a file into PostgreSQL: as they are, sealed or not. Either way in one
//! transaction on each side, counted before it counts.

use std::path::Path;
use std::sync::Arc;

use futures_util::TryStreamExt;
use serde::de::IgnoredAny;
use sqlx::postgres::{PgConnection, Postgres};
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteConnection};
use sqlx::types::Type;
use sqlx::{AssertSqlSafe, ColumnIndex, Connection, Decode, Encode, Row};

use crate::backup::BackupError;
use crate::database::Database;
use crate::json::json;
use crate::open_error::OpenError;
use crate::postgres::{self, PostgresStore};
use crate::sqlite::{self, SqliteStore};
use crate::store::StoreError;
use crate::tables::{Carried, ColumnType, LAID_WITH, Lodger, TABLES, Table};

const INSTEAD_OF_NUL: &str = "\u{FFFD}";

/// Fills `file`, which is empty, with what is in the PostgreSQL database at `url` at one moment.
pub(crate) async fn out_of_postgres(
    url: &str,
    file: &Path,
    lodgers: &[Lodger],
) -> Result<(), BackupError> {
    let mut server = postgres::connect_for_long(url).await?;
    // What it sees is as it was at its first look, however long it reads.
    let mut from = server
        .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await
        .map_err(StoreError::from)?;
    postgres::check_known(&mut from).await?;
    let mut lodged = Vec::new();
    for lodger in lodgers {
        if is_in_postgres(&mut from, &lodger.tables[0]).await? {
            lodged.push(*lodger);
        }
    }
    lay_in_file(file, &lodged).await?;

    let mut file = sqlite::connect_alone(file).await?;
    let mut to = file.begin().await.map_err(StoreError::from)?;
    let triggers = without_triggers(&mut to).await?;
    empty_what_was_laid_in_file(&mut to).await?;
    for table in tables_with(&lodged) {
        rows_out_of_postgres(&mut from, &mut to, table)
            .await
            .map_err(of_table(table))?;
        let counted = count_in_postgres(&mut from, table).await?;
        are_all_there(table, counted, count_in_file(&mut to, table).await?)?;
    }
    for trigger in triggers {
        sqlx::query(AssertSqlSafe(trigger))
            .execute(&mut *to)
            .await
            .map_err(StoreError::from)?;
    }
    to.commit().await.map_err(StoreError::from)?;
    file.close().await.map_err(StoreError::from)?;
    Ok(())
}

/// Fills the PostgreSQL database at `url`, where it is empty, with what is in `file`, which is brought up to date. What is
/// there stays as it is where anything stands in the way.
pub(crate) async fn into_postgres(
    file: &Path,
    url: &str,
    lodgers: &[Lodger],
) -> Result<(), BackupError> {
    look_first(url, lodgers).await?;
    let mut file = sqlite::connect_alone(file).await?;
    let lodged = lodged_in_file(&mut file, lodgers).await?;
    let store = PostgresStore::open(url).await.map_err(OpenError::from)?;
    lay(Database::Postgres(store), &lodged).await?;

    let mut server = postgres::connect_for_long(url).await?;
    let mut to = server.begin().await.map_err(StoreError::from)?;
    postgres::take_alone(&mut to).await?;
    for statement in emptying_what_was_laid() {
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut *to)
            .await
            .map_err(StoreError::from)?;
    }
    check_empty(&mut to, lodgers).await?;
    for table in tables_with(&lodged) {
        rows_into_postgres(&mut file, &mut to, table)
            .await
            .map_err(of_table(table))?;
        let counted = count_in_file(&mut file, table).await?;
        are_all_there(table, counted, count_in_postgres(&mut to, table).await?)?;
    }
    to.commit().await.map_err(StoreError::from)?;
    file.close().await.map_err(StoreError::from)?;
    Ok(())
}

/// What would be refused later is refused before the tables are brought up to date: an earlier program, whose database it is,
/// would not start on them any more. Whichever schema is there.
async fn look_first(url: &str, lodgers: &[Lodger]) -> Result<(), BackupError> {
    let mut server = postgres::connect_to_look(url).await?;
    postgres::check_alone(&mut server).await?;
    check_empty(&mut server, lodgers).await?;
    server.close().await.map_err(StoreError::from)?;
    Ok(())
}

/// Nothing is there but what is laid with the tables.
async fn check_empty(connection: &mut PgConnection, lodgers: &[Lodger]) -> Result<(), BackupError> {
    for table in tables_with(lodgers) {
        if is_in_postgres(connection, table).await?
            && is_filled_in_postgres(connection, table).await?
        {
            return Err(BackupError::NotEmpty {
                table: table.in_postgres,
            });
        }
    }
    Ok(())
}

/// Brings a file's tables up to date, those of lodgers that are in it too.
pub(crate) async fn bring_up_to_date(file: &Path, lodgers: &[Lodger]) -> Result<(), BackupError> {
    lay_in_file(file, &[]).await?;
    if lodgers.is_empty() {
        return Ok(());
    }
    let mut connection = sqlite::connect_alone(file).await?;
    let lodged = lodged_in_file(&mut connection, lodgers).await?;
    connection.close().await.map_err(StoreError::from)?;
    lay_in_file(file, &lodged).await
}

async fn lay_in_file(file: &Path, lodgers: &[Lodger]) -> Result<(), BackupError> {
    let store = SqliteStore::open(&file.display().to_string()).await?;
    lay(Database::Sqlite(store), lodgers).await
}

/// Lays the tables of lodgers beside those of the records, and closes the database.
async fn lay(database: Database, lodgers: &[Lodger]) -> Result<(), BackupError> {
    let mut laid = Ok(());
    for lodger in lodgers {
        laid = laid.and((lodger.lay)(&database).await);
    }
    database.close().await;
    laid.map_err(BackupError::NotLaid)
}

fn tables_with(lodgers: &[Lodger]) -> impl Iterator<Item = &'static Table> {
    let of_lodgers: Vec<&'static Table> = lodgers.iter().flat_map(|it| it.tables).collect();
    TABLES.iter().chain(of_lodgers)
}

async fn lodged_in_file(
    file: &mut SqliteConnection,
    lodgers: &[Lodger],
) -> Result<Vec<Lodger>, BackupError> {
    let mut lodged = Vec::new();
    for lodger in lodgers {
        let is_there: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT * FROM sqlite_schema WHERE type = 'table' AND name = ?)",
        )
        .bind(lodger.tables[0].name)
        .fetch_one(&mut *file)
        .await
        .map_err(StoreError::from)?;
        lodged.extend(is_there.then_some(*lodger));
    }
    Ok(lodged)
}

async fn is_in_postgres(connection: &mut PgConnection, table: &Table) -> Result<bool, BackupError> {
    let is_there = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(table.in_postgres)
        .fetch_one(connection)
        .await;
    Ok(is_there.map_err(StoreError::from)?)
}

async fn is_filled_in_postgres(
    connection: &mut PgConnection,
    table: &Table,
) -> Result<bool, BackupError> {
    let is_filled = sqlx::query_scalar(AssertSqlSafe(table.is_filled_in_postgres()))
        .fetch_one(connection)
        .await;
    is_filled.map_err(of_table(table))
}

async fn count_in_postgres(
    connection: &mut PgConnection,
    table: &Table,
) -> Result<i64, BackupError> {
    let count = format!("SELECT count(*) FROM {}", table.in_postgres);
    let counted = sqlx::query_scalar(AssertSqlSafe(count))
        .fetch_one(connection)
        .await;
    counted.map_err(of_table(table))
}

async fn count_in_file(file: &mut SqliteConnection, table: &Table) -> Result<i64, BackupError> {
    let count = format!("SELECT count(*) FROM {}", table.name);
    let counted = sqlx::query_scalar(AssertSqlSafe(count))
        .fetch_one(file)
        .await;
    counted.map_err(of_table(table))
}

fn are_all_there(table: &Table, there: i64, here: i64) -> Result<(), BackupError> {
    match there == here {
        true => Ok(()),
        false => Err(BackupError::NotWhole { table: table.name }),
    }
}

/// Takes the triggers out of a file, and gives the statements that make them anew: they hold for what is done from now on, and
/// what was is copied as it is, an audit trail too that was broken where it comes from.
async fn without_triggers(file: &mut SqliteConnection) -> Result<Vec<String>, BackupError> {
    let triggers: Vec<(String, String)> =
        sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .fetch_all(&mut *file)
            .await
            .map_err(StoreError::from)?;
    let mut made_by = Vec::new();
    for (name, statement) in triggers {
        sqlx::query(AssertSqlSafe(format!("DROP TRIGGER {name}")))
            .execute(&mut *file)
            .await
            .map_err(StoreError::from)?;
        made_by.push(statement);
    }
    Ok(made_by)
}

fn emptying_what_was_laid() -> impl Iterator<Item = String> {
    LAID_WITH
        .into_iter()
        .map(|(table, which)| format!("DELETE FROM {table} WHERE {which}"))
}

async fn empty_what_was_laid_in_file(file: &mut SqliteConnection) -> Result<(), BackupError> {
    for statement in emptying_what_was_laid() {
        sqlx::query(AssertSqlSafe(statement))
            .execute(&mut *file)
            .await
            .map_err(StoreError::from)?;
    }
    Ok(())
}

async fn rows_out_of_postgres(
    from: &mut PgConnection,
    to: &mut SqliteConnection,
    table: &Table,
) -> Result<(), sqlx::Error> {
    let write: Arc<str> = table.write_in_sqlite().into();
    let mut rows = sqlx::query(AssertSqlSafe(table.read_in_postgres())).fetch(from);
    while let Some(row) = rows.try_next().await? {
        let mut insert = sqlx::query::<Sqlite>(AssertSqlSafe(Arc::clone(&write)));
        for (at, (_, kind)) in table.columns.iter().enumerate() {
            insert = Value::of(&row, at, *kind)?.bound_to(insert);
        }
        insert.execute(&mut *to).await?;
    }
    Ok(())
}

async fn rows_into_postgres(
    from: &mut SqliteConnection,
    to: &mut PgConnection,
    table: &Table,
) -> Result<(), sqlx::Error> {
    let write: Arc<str> = table.write_in_postgres().into();
    let mut rows = sqlx::query(AssertSqlSafe(table.read_in_sqlite())).fetch(from);
    while let Some(row) = rows.try_next().await? {
        let mut insert = sqlx::query::<Postgres>(AssertSqlSafe(Arc::clone(&write)));
        for (at, (_, kind)) in table.columns.iter().enumerate() {
            let value = Value::of(&row, at, *kind)?.fit_for_postgres(*kind);
            insert = value.bound_to(insert);
        }
        insert.execute(&mut *to).await?;
    }
    Ok(())
}

/// What stands in a row, on its way.
enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

impl Value {
    fn of<'r, R>(row: &'r R, at: usize, kind: ColumnType) -> Result<Self, sqlx::Error>
    where
        R: Row,
        usize: ColumnIndex<R>,
        i64: Decode<'r, R::Database> + Type<R::Database>,
        String: Decode<'r, R::Database> + Type<R::Database>,
        Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
    {
        Ok(match kind.carried() {
            Carried::Number => Self::Number(row.try_get(at)?),
            Carried::Text => Self::Text(row.try_get(at)?),
            Carried::Bytes => Self::Bytes(row.try_get(at)?),
        })
    }

    /// SQLite keeps as JSON also what is none, which only damage makes; PostgreSQL does not. It goes there as a text in JSON:
    /// nothing of it is lost, and it is read as little as before. The character U+0000 PostgreSQL keeps in `json` alone:
    /// elsewhere U+FFFD stands for it, as everything else would have to stay behind with it.
    fn fit_for_postgres(self, kind: ColumnType) -> Self {
        match self {
            Self::Text(Some(text)) => Self::Text(Some(match kind {
                ColumnType::Text => text.replace('\0', INSTEAD_OF_NUL),
                ColumnType::Json => as_json(text),
                ColumnType::Jsonb => without_nul(&as_json(text)),
                _ => text,
            })),
            other => other,
        }
    }

    fn bound_to<DB>(
        self,
        query: Query<'_, DB, <DB as sqlx::Database>::Arguments>,
    ) -> Query<'_, DB, <DB as sqlx::Database>::Arguments>
    where
        DB: sqlx::Database,
        Option<i64>: for<'q> Encode<'q, DB> + Type<DB>,
        Option<String>: for<'q> Encode<'q, DB> + Type<DB>,
        Option<Vec<u8>>: for<'q> Encode<'q, DB> + Type<DB>,
    {
        match self {
            Self::Number(number) => query.bind(number),
            Self::Text(text) => query.bind(text),
            Self::Bytes(bytes) => query.bind(bytes),
        }
    }
}

fn as_json(text: String) -> String {
    match is_json(&text) {
        true => text,
        false => json(&text),
    }
}

/// In JSON it is always written as an escape. One after a `\\` is only six letters.
fn without_nul(json: &str) -> String {
    let parts = json.split(r"\\");
    let parts: Vec<String> = parts
        .map(|part| part.replace(r"\u0000", INSTEAD_OF_NUL))
        .collect();
    parts.join(r"\\")
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What the database quotes of a row is left out, as everywhere.
fn of_table(table: &Table) -> impl FnOnce(sqlx::Error) -> BackupError {
    let table = table.name;
    move |error| BackupError::Table {
        table,
        source: error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(kind: ColumnType, text: &str) -> String {
        match Value::Text(Some(text.to_owned())).fit_for_postgres(kind) {
            Value::Text(Some(text)) => text,
            _ => panic!("a text stays one"),
        }
    }

    #[test]
    fn what_is_no_json_goes_to_postgresql_as_a_text_and_everything_else_as_it_is() {
        let whole = r#"{"words":"nul \u0000"}"#;
        assert_eq!(fit(ColumnType::Json, whole), whole);
        assert_eq!(fit(ColumnType::Json, r#"{"cut off"#), r#""{\"cut off""#);
        assert_eq!(fit(ColumnType::Text, r#"{"cut off"#), r#"{"cut off"#);
    }

    #[test]
    fn a_nul_that_postgresql_does_not_keep_goes_there_as_another_character() {
        assert_eq!(fit(ColumnType::Text, "a\0b"), "a\u{FFFD}b");
        let letters_alone = r#"{"a":"\\u0000"}"#;
        assert_eq!(fit(ColumnType::Jsonb, letters_alone), letters_alone);
        let both = r#"{"a":"\n\u0000 \\\u0000 \\u0000"}"#;
        let fitted = "{\"a\":\"\\n\u{FFFD} \\\\\u{FFFD} \\\\u0000\"}";
        assert_eq!(fit(ColumnType::Jsonb, both), fitted);
        assert_eq!(fit(ColumnType::Jsonb, "cut\0off"), "\"cut\u{FFFD}off\"");
    }
}
