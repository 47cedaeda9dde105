//! A database of any schema there ever was, with rows in each of its tables, is opened by this program: every row is there
//! afterwards with every value it had. The rows are made from what the database says of its own tables, so that a new migration is
//! tested by being there.
//!
//! No migration has taken a row or a value out on purpose yet. The first that does has to be named here, and why.
//! Whether a record still reads as it did is asked in `migrations.rs`, of databases that were stored.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use postgres_for_tests::PostgresServer;
use records::Records;
use serde::Deserialize;
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

static SQLITE: Migrator = sqlx::migrate!("./migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("./migrations/postgres");

#[tokio::test]
async fn no_row_of_any_schema_in_a_file_is_lost_or_changed_by_the_migrations_after_it() {
    for schema in SQLITE.iter() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("records.db");
        let url = format!("sqlite:{}", file.display());
        every_row_outlives_the_migrations(&url, schema.version).await;
    }
}

#[tokio::test]
async fn no_row_of_any_schema_on_a_server_is_lost_or_changed_by_the_migrations_after_it() {
    for schema in POSTGRES.iter() {
        let url = PostgresServer::shared().database();
        every_row_outlives_the_migrations(&url, schema.version).await;
    }
}

async fn every_row_outlives_the_migrations(url: &str, version: i64) {
    let mut database = Raw::of(url).await;
    database.migrate_to(version).await;
    let columns = database.columns().await;
    let tables = tables_of(&columns);
    let rows = tables
        .iter()
        .flat_map(|table| [Row::Whole, Row::Bare].map(|row| inserted(&columns, table, row)));
    let rows: Vec<String> = rows.collect();
    database.run(rows.join(";\n")).await;
    let before = database.rows(&columns).await;
    assert!(before.len() >= tables.len(), "{version}: {before:#?}");
    database.close().await;

    drop(Records::open(url).await.unwrap());

    let mut database = Raw::of(url).await;
    let after = database.rows(&columns).await;
    database.close().await;
    let lost: Vec<&String> = before.difference(&after).collect();
    assert!(lost.is_empty(), "of schema {version}: {lost:#?}");
}

/// Of each table one with all that it may hold, and one with no more than it must.
#[derive(Clone, Copy, PartialEq)]
enum Row {
    Whole = 1,
    Bare = 2,
}

/// As the database describes it.
#[derive(Deserialize)]
struct Column {
    table: String,
    name: String,
    /// Counted from 0 within its table.
    place: usize,
    r#type: String,
    /// A row without a value for it is refused.
    needed: bool,
    /// The table and column that its values have to be in.
    parent: Option<(String, String)>,
    /// Where its `CHECK` stands, perhaps among others.
    rules: Option<String>,
}

impl Column {
    /// A value for it, as a literal of SQL: the same for each asking, so that rows fit those they belong to.
    fn value(&self, columns: &[Column], row: Row) -> String {
        if let Some((table, name)) = &self.parent {
            let is_it = |it: &&Column| it.table == *table && it.name == *name;
            return columns.iter().find(is_it).unwrap().value(columns, row);
        }
        let allowed = self.allowed();
        let allowed = match row {
            Row::Whole => allowed.last(),
            Row::Bare => allowed.first(),
        };
        if let Some(literal) = allowed {
            return literal.clone();
        }
        // Counted from 1 where it is what the rows are counted by, and later the further right it stands.
        let number = 100 * self.place + row as usize;
        let words = format!("{} {}: it''s 帮帮我", self.name, row as usize);
        match (
            self.table.as_str(),
            self.name.as_str(),
            self.r#type.as_str(),
        ) {
            // Else the ten samples would be laid in, over the first rows.
            ("seeded", ..) => "'samples-1'".to_owned(),
            (_, "note" | "messages" | "conversation", _) | (.., "json") => {
                format!("'{{\"structuredData\": {{\"urgent\": true}}, \"said\": \"{words}\"}}'")
            }
            (.., "integer" | "bigint" | "smallint") => number.to_string(),
            (.., "text") => format!("'{words}'"),
            (.., "uuid") => format!("'5eed0000-0000-4000-8000-{number:012}'"),
            (.., "timestamp with time zone") => {
                format!("to_timestamp({}.654321)", 1_793_491_199 + number)
            }
            (.., "boolean") => (row == Row::Whole).to_string(),
            (.., "xid8") => format!("'{number}'"),
            (table, name, other) => panic!("{table}.{name}: what is a value of type {other}?"),
        }
    }

    /// The literals that its own `CHECK` names. None where there is no such thing.
    fn allowed(&self) -> Vec<String> {
        let rules = self.rules.as_deref().unwrap_or_default();
        let Some((_, rest)) = rules.split_once(&format!("CHECK ({} ", self.name)) else {
            return Vec::new();
        };
        let mut open = 1;
        let end = rest.find(|character| {
            open += i32::from(character == '(') - i32::from(character == ')');
            open == 0
        });
        let rule = &rest[..end.unwrap()];
        let quoted: Vec<&str> = rule.split('\'').skip(1).step_by(2).collect();
        if !quoted.is_empty() {
            return quoted.iter().map(|it| format!("'{it}'")).collect();
        }
        let numbers = rule.split(|character: char| !character.is_ascii_digit());
        let numbers = numbers.filter(|number| !number.is_empty());
        numbers.map(str::to_owned).collect()
    }
}

/// In the order in which they were made: what a table refers to is before it.
fn tables_of(columns: &[Column]) -> Vec<&str> {
    let mut tables: Vec<&str> = columns.iter().map(|it| it.table.as_str()).collect();
    tables.dedup();
    tables
}

/// Where a table may have a single row, it is the whole one.
fn inserted(columns: &[Column], table: &str, row: Row) -> String {
    let filled = columns
        .iter()
        .filter(|it| it.table == table && (it.needed || row == Row::Whole));
    let (names, values): (Vec<String>, Vec<String>) = filled
        .map(|it| (format!("\"{}\"", it.name), it.value(columns, row)))
        .unzip();
    let (names, values) = (names.join(", "), values.join(", "));
    format!("INSERT INTO \"{table}\" ({names}) VALUES ({values}) ON CONFLICT DO NOTHING")
}

/// A database past the store.
enum Raw {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Raw {
    async fn of(url: &str) -> Self {
        let Some(file) = url.strip_prefix("sqlite:") else {
            return Self::Postgres(PgConnection::connect(url).await.unwrap());
        };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .synchronous(SqliteSynchronous::Off);
        Self::Sqlite(options.connect().await.unwrap())
    }

    async fn close(self) {
        let closed = match self {
            Self::Sqlite(raw) => raw.close().await,
            Self::Postgres(raw) => raw.close().await,
        };
        closed.unwrap();
    }

    async fn migrate_to(&mut self, version: i64) {
        let migrated = match self {
            Self::Sqlite(raw) => SQLITE.run_direct(Some(version), raw, false).await,
            Self::Postgres(raw) => POSTGRES.run_direct(Some(version), raw, false).await,
        };
        migrated.unwrap();
    }

    /// All of these statements, or none.
    async fn run(&mut self, statements: String) {
        let statements = AssertSqlSafe(format!("BEGIN; {statements}; COMMIT"));
        let statements = sqlx::raw_sql(statements);
        let run = match self {
            Self::Sqlite(raw) => statements.execute(&mut *raw).await.map(drop),
            Self::Postgres(raw) => statements.execute(&mut *raw).await.map(drop),
        };
        run.unwrap();
    }

    async fn texts(&mut self, query: String) -> Vec<String> {
        let query = AssertSqlSafe(query);
        let found: sqlx::Result<Vec<String>> = match self {
            Self::Sqlite(raw) => sqlx::query_scalar(query).fetch_all(&mut *raw).await,
            Self::Postgres(raw) => sqlx::query_scalar(query).fetch_all(&mut *raw).await,
        };
        found.unwrap()
    }

    async fn columns(&mut self) -> Vec<Column> {
        let columns = match self {
            Self::Sqlite(_) => COLUMNS_OF_SQLITE,
            Self::Postgres(_) => COLUMNS_OF_POSTGRES,
        };
        let columns = self.texts(columns.to_owned()).await;
        let read = |column: &String| serde_json::from_str(column).unwrap();
        columns.iter().map(read).collect()
    }

    /// Everything in these columns, a text a row.
    async fn rows(&mut self, columns: &[Column]) -> BTreeSet<String> {
        let as_literal = match self {
            Self::Sqlite(_) => "quote",
            Self::Postgres(_) => "quote_nullable",
        };
        let mut rows = BTreeSet::new();
        for table in tables_of(columns) {
            let values = columns.iter().filter(|it| it.table == table);
            let values = values.map(|it| format!("' {0}=' || {as_literal}(\"{0}\")", it.name));
            let values = values.collect::<Vec<_>>().join(" || ");
            let query = format!("SELECT '{table}' || {values} FROM \"{table}\"");
            rows.extend(self.texts(query).await);
        }
        rows
    }
}

const COLUMNS_OF_SQLITE: &str = r#"
SELECT json_object(
    'table', tables.name, 'name', columns.name, 'place', columns.cid, 'type', lower(columns.type),
    'needed', json(iif((columns."notnull" OR columns.pk > 0) AND columns.dflt_value IS NULL, 'true', 'false')),
    'parent', json(iif(parents."to" IS NULL, 'null', json_array(parents."table", parents."to"))),
    'rules', tables.sql)
FROM sqlite_schema AS tables
JOIN pragma_table_info(tables.name) AS columns
LEFT JOIN pragma_foreign_key_list(tables.name) AS parents ON parents."from" = columns.name
WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name <> '_sqlx_migrations'
ORDER BY tables.rowid, columns.cid"#;

const COLUMNS_OF_POSTGRES: &str = "
SELECT json_build_object(
    'table', tables.relname, 'name', columns.attname, 'place', columns.attnum - 1,
    'type', format_type(columns.atttypid, NULL), 'needed', columns.attnotnull AND NOT columns.atthasdef,
    'parent', CASE WHEN parents.oid IS NOT NULL
              THEN json_build_array(parents.confrelid::regclass::text, keys.attname) END,
    'rules', 'CHECK ' || pg_get_expr(checks.conbin, checks.conrelid))::text
FROM pg_class AS tables
JOIN pg_attribute AS columns
    ON columns.attrelid = tables.oid AND columns.attnum > 0 AND NOT columns.attisdropped
LEFT JOIN pg_constraint AS parents
    ON parents.conrelid = tables.oid AND parents.contype = 'f' AND parents.conkey = ARRAY[columns.attnum]
LEFT JOIN pg_attribute AS keys ON keys.attrelid = parents.confrelid AND keys.attnum = parents.confkey[1]
LEFT JOIN pg_constraint AS checks
    ON checks.conrelid = tables.oid AND checks.contype = 'c' AND checks.conkey = ARRAY[columns.attnum]
WHERE tables.relkind = 'r' AND tables.relnamespace = 'public'::regnamespace
    AND tables.relname <> '_sqlx_migrations'
ORDER BY tables.oid, columns.attnum";
