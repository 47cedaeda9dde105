//! Records into rows, what is personal in them sealed, and back. What cannot be read is left out and the rest is shown: one
//! damaged record must not take the list down. The warning says which record, never what
//! was in it.

use jiff::Timestamp;
use redact::Secret;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::call_record::{
    CallId, CallKind, CallRecord, FinishedCall, Message, Turn, UnfinishedCall, VisitorId,
};
use crate::json::json;
use crate::label::Label;
use crate::list::{ListPage, Place, Urgency};
use crate::sealing::{Part, RecordsKeys};

/// A turn as its row holds it.
pub(crate) struct TurnRow {
    pub index: i64,
    pub messages: String,
    pub conversation: String,
}

pub(crate) fn turn(call: CallId, turn: &Turn, keys: &RecordsKeys) -> TurnRow {
    let index = i64::from(turn.index);
    let (messages, conversation) = (json(&turn.messages), turn.conversation.expose_secret());
    TurnRow {
        index,
        messages: keys.seal(call, Part::TurnMessages(index), messages),
        conversation: keys.seal(call, Part::Conversation(index), conversation.clone()),
    }
}

/// A call's end as its row holds it.
pub(crate) struct EndRow {
    pub ended_at: Timestamp,
    pub reason: &'static str,
    pub note: String,
    pub messages: String,
    pub urgency: i16,
}

pub(crate) fn end(call: CallId, ended: &FinishedCall, keys: &RecordsKeys) -> EndRow {
    EndRow {
        ended_at: ended.ended_at,
        reason: ended.ended_reason.as_str(),
        note: keys.seal(call, Part::Note, json(&ended.note)),
        messages: keys.seal(call, Part::Messages, json(&ended.messages)),
        urgency: Urgency::of(ended).number(),
    }
}

/// A row of `calls` as its database keeps it; what cannot be read is an error.
pub(crate) trait Columns {
    fn number(&self, column: &str) -> Result<Option<i64>, sqlx::Error>;
    fn flag(&self, column: &str) -> Result<bool, sqlx::Error>;
    /// JSON too.
    fn text(&self, column: &str) -> Result<Option<String>, sqlx::Error>;
    fn uuid(&self, column: &str) -> Result<Option<Uuid>, sqlx::Error>;
    fn instant(&self, column: &str) -> Result<Option<Timestamp>, sqlx::Error>;
}

/// `None` only if the row has no readable identity or beginning.
pub(crate) fn record(row: &impl Columns, keys: &RecordsKeys) -> Option<CallRecord> {
    let mut reading = Reading::of(row, keys)?;
    let messages = match reading.text("messages") {
        Some(stored) => reading
            .opened("messages", Part::Messages, stored)
            .and_then(|messages| reading.json("messages", &messages))
            .unwrap_or_default(),
        None if !reading.has_ended() => reading.turn_messages(),
        None => Vec::new(),
    };
    reading.record(messages)
}

/// Rows of the list, one more than `most` where there is another page. Records without their messages; one that cannot be
/// read has its place all the same.
pub(crate) fn page(rows: &[impl Columns], most: u32, keys: &RecordsKeys) -> ListPage {
    let shown = &rows[..rows.len().min(most as usize)];
    let next = match shown.last() {
        Some(last) if rows.len() > shown.len() => place(last),
        _ => None,
    };
    let listed = |row| Reading::of(row, keys)?.record(Vec::new());
    ListPage {
        records: shown.iter().filter_map(listed).collect(),
        next,
    }
}

fn place(row: &impl Columns) -> Option<Place> {
    let urgency = row.number("urgency").ok()??.try_into().ok()?;
    Some(Place {
        urgency: Urgency::from_number(urgency)?,
        id: row.number("id").ok()??,
    })
}

/// A call without an end that is left as it is: it cannot be read, or it has sealed values that cannot be opened, which an
/// end made without them would replace.
pub(crate) struct LeftAsItIs {
    pub(crate) id: i64,
}

pub(crate) fn unfinished(
    row: &impl Columns,
    keys: &RecordsKeys,
) -> Result<UnfinishedCall, LeftAsItIs> {
    let left = |id| LeftAsItIs { id };
    let reading = Reading::of(row, keys).ok_or(left(0))?;
    let id = reading.id;
    reading.unfinished().ok_or(left(id))
}

/// One row being read, and whether all of it could be.
struct Reading<'r, R> {
    row: &'r R,
    keys: &'r RecordsKeys,
    id: i64,
    damaged: bool,
    /// Something of it is sealed, and was not opened.
    unopened: bool,
}

impl<'r, R: Columns> Reading<'r, R> {
    fn of(row: &'r R, keys: &'r RecordsKeys) -> Option<Self> {
        let id = row.number("id").ok()??;
        Some(Self {
            row,
            keys,
            id,
            damaged: false,
            unopened: false,
        })
    }

    fn has_ended(&self) -> bool {
        !matches!(self.row.instant("ended_at"), Ok(None))
    }

    fn record(mut self, messages: Vec<Message>) -> Option<CallRecord> {
        let ended_at = self.column("ended_at", Columns::instant);
        let note = self
            .text("note")
            .and_then(|stored| self.opened("note", Part::Note, stored))
            .and_then(|note| self.json("note", &note));
        let ended_reason = self
            .text("ended_reason")
            .and_then(|reason| self.parsed("ended_reason", &reason));
        let notice = self
            .text("notice")
            .and_then(|notice| self.parsed("notice", &notice));
        let label = self.label();
        Some(CallRecord {
            id: self.id,
            call_id: self.call_id()?,
            visitor: self.visitor(),
            sample: self.flag("sample"),
            kind: self.kind(),
            started_at: self.column("started_at", Columns::instant)?,
            notice,
            label,
            ended_at,
            ended_reason,
            note,
            abuse_in_other_words: self.text("abuse_type").map(Secret::new),
            messages,
            damaged: self.damaged,
            unopened: self.unopened,
        })
    }

    fn unfinished(mut self) -> Option<UnfinishedCall> {
        let last_turn = self.column("last_turn", Columns::number);
        let conversation = self.text("conversation").zip(last_turn);
        let call = UnfinishedCall {
            call_id: self.call_id()?,
            visitor: self.visitor(),
            kind: self.kind(),
            started_at: self.column("started_at", Columns::instant)?,
            conversation: conversation
                .and_then(|(stored, turn)| {
                    self.opened("conversation", Part::Conversation(turn), stored)
                })
                .map(Secret::new),
            last_turn: last_turn.and_then(|turn| turn.try_into().ok()),
            messages: self.turn_messages(),
            visitor_has_left: self.flag("visitor_has_left"),
            manner: self.manner(),
        };
        if self.unopened {
            tracing::error!(
                record = self.id,
                "a call without an end cannot be decrypted and is left as it is: set the key that it was sealed with"
            );
            return None;
        }
        Some(call)
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

    fn opened(&mut self, column: &str, part: Part, stored: String) -> Option<String> {
        let call_id = self.call_id()?;
        match self.keys.open(call_id, part, stored) {
            Ok(clear) => Some(clear),
            Err(unopened) => {
                (self.damaged, self.unopened) = (true, true);
                tracing::warn!(
                    record = self.id,
                    column,
                    reason = %unopened,
                    "part of a call record cannot be decrypted and is left out"
                );
                None
            }
        }
    }

    fn column<T>(
        &mut self,
        column: &str,
        read: fn(&R, &str) -> Result<Option<T>, sqlx::Error>,
    ) -> Option<T> {
        match read(self.row, column) {
            Ok(value) => value,
            Err(_) => self.spoil(column),
        }
    }

    fn text(&mut self, column: &str) -> Option<String> {
        self.column(column, Columns::text)
    }

    fn flag(&mut self, column: &str) -> bool {
        match self.row.flag(column) {
            Ok(flag) => flag,
            Err(_) => self.spoil(column).unwrap_or(false),
        }
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

    fn call_id(&mut self) -> Option<CallId> {
        self.column("call_id", Columns::uuid).map(CallId)
    }

    fn label(&mut self) -> Label {
        Label {
            name: self.label_part("label_name", Part::LabelName),
            assistant: self.text("label_assistant"),
            squad: self.text("label_squad"),
            manner: self.manner(),
            workflow: self.text("label_workflow"),
        }
    }

    fn manner(&mut self) -> Option<Secret<String>> {
        self.label_part("label_manner", Part::LabelManner)
    }

    fn label_part(&mut self, column: &str, part: Part) -> Option<Secret<String>> {
        let stored = self.text(column)?;
        let text = self.opened(column, part, stored)?;
        let [text] = self.json::<[Secret<String>; 1]>(column, &text)?;
        Some(text)
    }

    fn visitor(&mut self) -> Option<VisitorId> {
        self.column("visitor", Columns::uuid).map(VisitorId)
    }

    fn kind(&mut self) -> CallKind {
        self.text("kind")
            .and_then(|kind| CallKind::from_name(&kind))
            .unwrap_or(CallKind::WebCall)
    }

    /// A running call's messages: each turn holds its own, as JSON. They come as pairs of its index and these.
    fn turn_messages(&mut self) -> Vec<Message> {
        let Some(turns) = self.text("turn_messages") else {
            return Vec::new();
        };
        let turns: Vec<(i64, String)> = self.json("turns", &turns).unwrap_or_default();
        let mut messages = Vec::new();
        for (turn, stored) in turns {
            let opened = self.opened("turns", Part::TurnMessages(turn), stored);
            let of_it = opened.and_then(|turn| self.json::<Vec<Message>>("turns", &turn));
            messages.extend(of_it.unwrap_or_default());
        }
        messages
    }
}
