//! The tables that go from one database to the other, column by column: what is in a database and neither named here nor left
//! out by its name would be lost on the way. `crates/server/tests/moving.rs` holds these lists, and those of [`Lodger`]s,
//! against both databases as they are laid.

use std::error::Error;
use std::pin::Pin;

use crate::database::Database;
use ColumnType::{BigInt, Flag, Id, Json, Moment, SmallInt, Text};

/// A table that both databases have.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// In SQLite.
    pub name: &'static str,
    /// With its schema, where that is not the records'.
    pub in_postgres: &'static str,
    /// The same names in both.
    pub columns: &'static [(&'static str, ColumnType)],
    /// By what a column is read that is not taken as it stands: an expression of both databases.
    pub read_as: &'static [(&'static str, &'static str)],
    /// In which rows are read and written.
    pub order: &'static str,
    /// Columns that stay behind, and why.
    pub left_out: &'static [(&'static str, &'static str)],
}

/// How a column's values stand in each database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    Text,
    /// A uuid; its text in SQLite.
    Id,
    /// Text in SQLite, and to the letter the same in PostgreSQL.
    Json,
    /// Text in SQLite; PostgreSQL keeps what it means.
    Jsonb,
    Bytes,
    BigInt,
    Integer,
    SmallInt,
    /// 0 or 1 in SQLite.
    Flag,
    /// Microseconds since 1970 in SQLite.
    Moment,
    /// Whole seconds since 1970 in SQLite.
    Second,
}

/// As what a value goes from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    Number,
    Text,
    Bytes,
}

/// A room that lays tables of its own in the records' database, when it first needs them.
#[derive(Clone, Copy)]
pub struct Lodger {
    /// At least one; they are laid together.
    pub tables: &'static [Table],
    /// Tables that stay behind, by their name in either database, and why.
    pub left_out: &'static [(&'static str, &'static str)],
    /// Lays them, or brings them up to date.
    pub lay: for<'d> fn(&'d Database) -> Laying<'d>,
}

pub type Laying<'d> = Pin<Box<dyn Future<Output = Result<(), Box<dyn Error + Send + Sync>>> + 'd>>;

/// Those that the records lay, parents before children.
pub const TABLES: &[Table] = &[
    Table {
        left_out: &[CHANGED_IN],
        ..Table::of(
            "calls",
            &[
                ("id", BigInt),
                ("call_id", Id),
                ("visitor", Id),
                ("sample", Flag),
                ("kind", Text),
                ("started_at", Moment),
                ("ended_at", Moment),
                ("ended_reason", Text),
                ("note", Json),
                ("abuse_type", Text),
                ("messages", Json),
                ("urgency", SmallInt),
                ("holder", Id),
                ("epoch", BigInt),
                ("presumed_over", Flag),
                ("notice", Text),
                ("label_name", Text),
                ("label_assistant", Text),
                ("label_squad", Text),
                ("label_workflow", Text),
                ("label_manner", Text),
            ],
            "id",
        )
    },
    Table {
        left_out: &[CHANGED_IN],
        ..Table::of(
            "turns",
            &[
                ("call", BigInt),
                ("turn", BigInt),
                ("messages", Json),
                ("conversation", Text),
            ],
            "call, turn",
        )
    },
    Table::of("seeded", &[("name", Text)], "name"),
    Table::of("sealed_with", &[("key", Text)], "key"),
    Table {
        left_out: &[CHANGED_IN],
        ..Table::of(
            "left_visitors",
            &[("visitor", Id), ("left_at", Moment)],
            "visitor",
        )
    },
    Table::of(
        "desk_accounts",
        &[
            ("id", Id),
            ("name", Text),
            ("sign_in_name", Text),
            ("role", Text),
            ("agencies", Text),
            ("languages", Text),
            ("made_at", Moment),
            ("closed_at", Moment),
            ("password", Text),
            ("totp_secret", Text),
            ("totp_step", BigInt),
            ("recovery", Text),
            ("wrong_tries", BigInt),
            ("locked_until", Moment),
            ("invitation", Text),
            ("invited_until", Moment),
            ("invited_secret", Text),
            ("subject", Text),
        ],
        "id",
    ),
    // In the order of its chain, which SQLite takes no other.
    Table::of(
        "desk_audit",
        &[
            ("number", BigInt),
            ("at", BigInt),
            ("who", Text),
            ("what", Text),
            ("about", Text),
            ("previous", Text),
            ("hash", Text),
        ],
        "number",
    ),
    Table::of(
        "desk_cases",
        &[
            ("call_id", Id),
            ("kind", Text),
            ("started_at", Moment),
            ("ended_at", Moment),
            ("agency", Text),
            ("urgent", Flag),
            ("state", Text),
            ("since", Moment),
            ("taken_by", Id),
            ("touched_at", Moment),
            ("returned", BigInt),
            ("outcome", Text),
            ("closed_by", Id),
            ("keep_until", Moment),
            ("caller", Text),
            ("version", BigInt),
            ("content", Text),
        ],
        "call_id",
    ),
    Table::of("desk_caller_key", &[("id", Id), ("secret", Text)], "id"),
    Table::of(
        "desk_case_acts",
        &[
            ("call_id", Id),
            ("number", BigInt),
            ("at", Moment),
            ("who", Text),
            ("what", Text),
            ("words", Text),
        ],
        "call_id, number",
    ),
    Table::of(
        "desk_follow_ups",
        &[
            ("id", Id),
            ("call_id", Id),
            ("kind", Text),
            ("due_at", Moment),
            ("owner", Id),
            ("done_at", Moment),
            ("done_by", Id),
            ("words", Text),
        ],
        "id",
    ),
    Table::of(
        "desk_holds",
        &[
            ("call_id", Id),
            ("at", Moment),
            ("who", Id),
            ("reason", Text),
        ],
        "call_id",
    ),
    Table::of(
        "desk_receipts",
        &[
            ("call_id", Id),
            ("deleted_at", Moment),
            ("why", Text),
            ("who", Text),
            ("kinds", Text),
            ("hash", Text),
        ],
        "call_id",
    ),
    Table::of(
        "desk_shifts",
        &[
            ("id", Id),
            ("account", Id),
            ("begins", Moment),
            ("ends", Moment),
        ],
        "id",
    ),
    Table::of(
        "resources",
        &[
            ("id", Id),
            ("kind", Text),
            ("created_at", Moment),
            ("updated_at", Moment),
            ("version", BigInt),
            ("body", Text),
            ("content", Text),
        ],
        "id",
    ),
];

const CHANGED_IN: (&str, &str) = (
    "changed_in",
    "the transaction of the one PostgreSQL server that wrote the row: its trigger writes it anew",
);

/// Tables of the records that stay behind, and why.
pub const LEFT_OUT: &[(&str, &str)] = &[
    (
        "nodes",
        "which servers run, and for how many seconds more that holds",
    ),
    (
        "desk_sessions",
        "a move lets nobody in: officers sign in again",
    ),
    (
        "_sqlx_migrations",
        "how this database came by its tables: each is laid by its own",
    ),
];

/// What a database holds that was laid just now, by its table and which of its rows: it gives way to what is copied.
pub(crate) const LAID_WITH: [(&str, &str); 4] = [
    ("calls", "sample"),
    ("seeded", "true"),
    // Of a start with keys, and of visitors who came and said nothing.
    ("sealed_with", "true"),
    ("left_visitors", "true"),
];

impl Table {
    /// One of the same name in both, whose columns are all taken as they stand.
    pub const fn of(
        name: &'static str,
        columns: &'static [(&'static str, ColumnType)],
        order: &'static str,
    ) -> Self {
        Self {
            name,
            in_postgres: name,
            columns,
            read_as: &[],
            order,
            left_out: &[],
        }
    }

    pub(crate) fn read_in_sqlite(&self) -> String {
        let read = |&(name, _): &(&'static str, ColumnType)| self.reading(name).to_owned();
        let columns: Vec<String> = self.columns.iter().map(read).collect();
        let (columns, Self { name, order, .. }) = (columns.join(", "), self);
        format!("SELECT {columns} FROM {name} ORDER BY {order}")
    }

    pub(crate) fn read_in_postgres(&self) -> String {
        let read = |&(name, kind): &(&'static str, ColumnType)| kind.out_of(self.reading(name));
        let columns: Vec<String> = self.columns.iter().map(read).collect();
        let Self {
            in_postgres, order, ..
        } = self;
        let columns = columns.join(", ");
        format!("SELECT {columns} FROM {in_postgres} ORDER BY {order}")
    }

    pub(crate) fn write_in_sqlite(&self) -> String {
        let values = vec!["?"; self.columns.len()].join(", ");
        let (name, columns) = (self.name, self.names());
        format!("INSERT INTO {name} ({columns}) VALUES ({values})")
    }

    pub(crate) fn write_in_postgres(&self) -> String {
        let numbered = self.columns.iter().zip(1..);
        let values: Vec<String> = numbered
            .map(|((_, kind), number)| kind.of_parameter(number))
            .collect();
        let (name, columns, values) = (self.in_postgres, self.names(), values.join(", "));
        format!("INSERT INTO {name} ({columns}) VALUES ({values})")
    }

    /// Whether PostgreSQL holds more of it than what was laid there.
    pub(crate) fn is_filled_in_postgres(&self) -> String {
        let laid = LAID_WITH.iter().find(|(name, _)| *name == self.name);
        let (table, laid) = (self.in_postgres, laid.map_or("false", |(_, which)| *which));
        format!("SELECT EXISTS (SELECT FROM {table} WHERE NOT {laid})")
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    fn reading(&self, column: &'static str) -> &'static str {
        let own = self.read_as.iter().find(|(name, _)| *name == column);
        own.map_or(column, |(_, expression)| *expression)
    }
}

impl ColumnType {
    /// As its tables declare it.
    pub fn in_sqlite(self) -> &'static str {
        match self.carried() {
            Carried::Number => "INTEGER",
            Carried::Text => "TEXT",
            Carried::Bytes => "BLOB",
        }
    }

    /// As `format_type` has it.
    pub fn in_postgres(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Id => "uuid",
            Self::Json => "json",
            Self::Jsonb => "jsonb",
            Self::Bytes => "bytea",
            Self::BigInt => "bigint",
            Self::Integer => "integer",
            Self::SmallInt => "smallint",
            Self::Flag => "boolean",
            Self::Moment | Self::Second => "timestamp with time zone",
        }
    }

    pub(crate) fn carried(self) -> Carried {
        match self {
            Self::Text | Self::Id | Self::Json | Self::Jsonb => Carried::Text,
            Self::Bytes => Carried::Bytes,
            Self::BigInt
            | Self::Integer
            | Self::SmallInt
            | Self::Flag
            | Self::Moment
            | Self::Second => Carried::Number,
        }
    }

    /// A value of PostgreSQL as it is carried.
    fn out_of(self, expression: &str) -> String {
        match self {
            Self::Text | Self::Bytes => expression.to_owned(),
            Self::Id | Self::Json | Self::Jsonb => format!("({expression})::text"),
            Self::BigInt | Self::Integer | Self::SmallInt => format!("({expression})::bigint"),
            Self::Flag => format!("({expression})::integer::bigint"),
            Self::Moment => format!("(extract(epoch FROM {expression}) * 1000000)::bigint"),
            Self::Second => format!("floor(extract(epoch FROM {expression}))::bigint"),
        }
    }

    /// A value that is carried, in a statement of PostgreSQL.
    fn of_parameter(self, number: usize) -> String {
        match self {
            Self::Text | Self::Bytes | Self::BigInt => format!("${number}"),
            Self::Id | Self::Json | Self::Jsonb | Self::Integer | Self::SmallInt => {
                format!("${number}::{}", self.in_postgres())
            }
            Self::Flag => format!("${number} <> 0"),
            // Whole numbers, and in range: nothing is rounded.
            Self::Moment => format!("'epoch'::timestamptz + ${number} * interval '1 microsecond'"),
            Self::Second => format!("'epoch'::timestamptz + ${number} * interval '1 second'"),
        }
    }
}
