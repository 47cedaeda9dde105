//! Rows back into records. What cannot be read is left out and the rest is shown: one
//! damaged record must not take the list down. The warning says which record, never what
//! was in it.

use jiff::Timestamp;
use redact::Secret;
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::call_record::{CallKind, CallRecord, Message, UnfinishedCall};
use crate::list::{Place, Urgency};

/// `None` only if the row has no readable identity or beginning.
pub(super) fn record(row: &SqliteRow) -> Option<CallRecord> {
    let mut reading = Reading::of(row)?;
    let messages = match reading.text("messages") {
        Some(messages) => reading.json("messages", &messages).unwrap_or_default(),
        None if !reading.has_ended() => reading.turn_messages(),
        None => Vec::new(),
    };
    reading.record(messages)
}

/// A record without its messages; `None` as above.
pub(super) fn listed(row: &SqliteRow) -> Option<CallRecord> {
    Reading::of(row)?.record(Vec::new())
}

/// Where a row stands in the list, readable or not.
pub(super) fn place(row: &SqliteRow) -> Option<Place> {
    Some(Place {
        urgency: Urgency::from_number(row.try_get("urgency").ok()?)?,
        id: row.try_get("id").ok()?,
    })
}

pub(super) fn unfinished(row: &SqliteRow) -> Option<UnfinishedCall> {
    let mut reading = Reading::of(row)?;
    Some(UnfinishedCall {
        call_id: reading.required("call_id")?,
        visitor: reading
            .text("visitor")
            .and_then(|visitor| reading.parsed("visitor", &visitor)),
        kind: reading.kind(),
        started_at: reading.instant("started_at")?,
        conversation: reading.text("conversation").map(Secret::new),
        last_turn: reading.column::<Option<u32>>("last_turn").flatten(),
        messages: reading.turn_messages(),
    })
}

/// One row being read, and whether all of it could be.
struct Reading<'r> {
    row: &'r SqliteRow,
    id: i64,
    damaged: bool,
}

impl<'r> Reading<'r> {
    fn of(row: &'r SqliteRow) -> Option<Self> {
        let id = row.try_get("id").ok()?;
        Some(Self {
            row,
            id,
            damaged: false,
        })
    }

    fn has_ended(&mut self) -> bool {
        self.column::<Option<i64>>("ended_at").flatten().is_some()
    }

    fn record(mut self, messages: Vec<Message>) -> Option<CallRecord> {
        let ended_at = self.column::<Option<i64>>("ended_at").flatten();
        let note = self.text("note").and_then(|note| self.json("note", &note));
        let ended_reason = self
            .text("ended_reason")
            .and_then(|reason| self.parsed("ended_reason", &reason));
        Some(CallRecord {
            id: self.id,
            call_id: self.required("call_id")?,
            visitor: self
                .text("visitor")
                .and_then(|visitor| self.parsed("visitor", &visitor)),
            sample: self.column("sample").unwrap_or(false),
            kind: self.kind(),
            started_at: self.instant("started_at")?,
            ended_at: ended_at.and_then(|at| self.instant_of("ended_at", at)),
            ended_reason,
            note,
            abuse_in_other_words: self.text("abuse_type").map(Secret::new),
            messages,
            damaged: self.damaged,
        })
    }

    fn spoil<T>(&mut self, column: &str) -> Option<T> {
        self.damaged = true;
        tracing::warn!(
            record = self.id,
            column,
            "part of a call record cannot be read and is left out"
        );
        None
    }

    fn column<T>(&mut self, column: &str) -> Option<T>
    where
        T: sqlx::Type<sqlx::Sqlite> + sqlx::Decode<'r, sqlx::Sqlite>,
    {
        match self.row.try_get(column) {
            Ok(value) => Some(value),
            Err(_) => self.spoil(column),
        }
    }

    fn text(&mut self, column: &str) -> Option<String> {
        self.column::<Option<String>>(column).flatten()
    }

    fn parsed<T: std::str::FromStr>(&mut self, column: &str, text: &str) -> Option<T> {
        match text.parse() {
            Ok(value) => Some(value),
            Err(_) => self.spoil(column),
        }
    }

    fn json<T: DeserializeOwned>(&mut self, column: &str, text: &str) -> Option<T> {
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(_) => self.spoil(column),
        }
    }

    fn required<T: std::str::FromStr>(&mut self, column: &str) -> Option<T> {
        let text = self.text(column)?;
        self.parsed(column, &text)
    }

    fn kind(&mut self) -> CallKind {
        self.text("kind")
            .and_then(|kind| CallKind::from_name(&kind))
            .unwrap_or(CallKind::WebCall)
    }

    fn instant(&mut self, column: &str) -> Option<Timestamp> {
        let at = self.column(column)?;
        self.instant_of(column, at)
    }

    fn instant_of(&mut self, column: &str, microseconds: i64) -> Option<Timestamp> {
        match Timestamp::from_microsecond(microseconds) {
            Ok(instant) => Some(instant),
            Err(_) => self.spoil(column),
        }
    }

    /// A running call's messages: each turn holds its own, as JSON.
    fn turn_messages(&mut self) -> Vec<Message> {
        let Some(turns) = self.text("turn_messages") else {
            return Vec::new();
        };
        let turns: Vec<String> = self.json("turns", &turns).unwrap_or_default();
        turns
            .iter()
            .flat_map(|turn| self.json::<Vec<Message>>("turns", turn).unwrap_or_default())
            .collect()
    }
}
