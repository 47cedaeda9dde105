//! `/v2/call/export`: the calls on record as a table or as JSON, for elsewhere. It is sent portion by portion: a server with a
//! million calls holds a hundred of them at a time.

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use platform::Call;
use records::{CallRecord, StoreError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use super::call::{Which, shown, wanted};
use super::list_query::{Asked, ListQuery, PageQuery};
use super::walk::Walk;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::report::table::guarded;

const PORTION: u32 = 100;

/// In which shape.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Shape {
    /// `csv`, unless told, or `json`.
    #[param(value_type = Option<Format>, inline)]
    format: Option<String>,
    /// Names with commas between, of: id, type, status, endedReason, name, assistantId, squadId, createdAt, startedAt, endedAt,
    /// duration (in seconds), transferTo, urgent, summary, transcript. Without it a table has those before `transferTo`, and
    /// JSON has whole calls.
    columns: Option<String>,
}

/// For the description alone.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code)]
enum Format {
    Csv,
    Json,
}

type Column = (&'static str, fn(&CallRecord, &Call) -> Value);

const COLUMNS: [Column; 15] = [
    ("id", |_, call| json!(call.id)),
    ("type", |_, call| json!(call.kind)),
    ("status", |_, call| json!(call.status)),
    ("endedReason", |_, call| json!(call.ended_reason)),
    ("name", |_, call| {
        json!(call.name.as_ref().map(|name| name.expose_secret()))
    }),
    ("assistantId", |_, call| json!(call.assistant_id)),
    ("squadId", |_, call| json!(call.squad_id)),
    ("createdAt", |record, _| moment(Some(record.started_at))),
    ("startedAt", |record, _| moment(Some(record.started_at))),
    ("endedAt", |record, _| moment(record.ended_at)),
    ("duration", |record, _| json!(record.duration_seconds())),
    ("transferTo", |record, _| {
        let facts = record.note.as_ref().map(|note| &note.structured_data);
        json!(facts.and_then(|facts| facts.transfer_to.map(|agency| agency.as_str())))
    }),
    ("urgent", |record, _| {
        json!(record.note.as_ref().map(|note| note.structured_data.urgent))
    }),
    ("summary", |record, _| {
        json!(
            record
                .note
                .as_ref()
                .map(|note| note.summary.expose_secret())
        )
    }),
    ("transcript", |_, call| {
        let transcript = call.artifact.as_ref().and_then(|it| it.transcript.as_ref());
        json!(transcript.map(|it| it.expose_secret()))
    }),
];
/// As every time of the platform is told.
fn moment(at: Option<Timestamp>) -> Value {
    json!(at.map(|at| format!("{at:.3}")))
}

/// In a table, unless told: no more of a call than a list needs.
const USUAL: usize = 11;

/// What is written of each call.
#[derive(Clone)]
enum Writing {
    Table(Vec<Column>),
    Objects(Vec<Column>),
    WholeCalls,
}

impl Shape {
    fn writing(&self) -> Result<Writing, ApiError> {
        let columns = self.columns.as_deref().map(named).transpose()?;
        match (self.format.as_deref(), columns) {
            (None | Some("csv"), columns) => Ok(Writing::Table(
                columns.unwrap_or_else(|| COLUMNS[..USUAL].to_vec()),
            )),
            (Some("json"), Some(columns)) => Ok(Writing::Objects(columns)),
            (Some("json"), None) => Ok(Writing::WholeCalls),
            (Some(_), _) => Err(ApiError::Parameter {
                name: "format",
                expected: "`csv` or `json`",
            }),
        }
    }
}

fn named(names: &str) -> Result<Vec<Column>, ApiError> {
    let column = |name: &str| COLUMNS.into_iter().find(|(known, _)| *known == name);
    let columns = names.split(',').map(str::trim).map(column);
    columns.collect::<Option<_>>().ok_or(ApiError::Parameter {
        name: "columns",
        expected: "names of columns with commas between, each as /openapi.json has it",
    })
}

/// The calls on record, the newest first, with the filters of their list. A cell that a spreadsheet would take for a formula
/// begins with an apostrophe. Should the records fail on the way, the answer breaks off before its end.
#[utoipa::path(
    get,
    path = "/v2/call/export",
    operation_id = "export_calls",
    tag = "platform",
    params(Shape, Which, ListQuery, PageQuery),
    responses(
        (status = 200, description = "A table as RFC 4180 has it, or JSON", content((String = "text/csv"), (Vec<Object> = "application/json"))),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn export(
    State(app): State<App>,
    _: PrivateKey,
    Asked(shape): Asked<Shape>,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Response, ApiError> {
    let writing = shape.writing()?;
    let most = query.limit_given()?;
    let (kind, name) = match writing {
        Writing::Table(_) => ("text/csv; charset=utf-8", "calls.csv"),
        Writing::Objects(_) | Writing::WholeCalls => ("application/json", "calls.json"),
    };
    let mut export = Export {
        walk: wanted(&which, &query, &page)?.map(|wanted| Walk::over(wanted, PORTION, most)),
        writing,
        app,
        written: 0,
    };
    // What fails at once is told as such.
    let begun = stored(export.next().await)?;
    let rest = stream::try_unfold(export, |mut export: Export| async move {
        let next = export.next().await.map_err(io::Error::other)?;
        Ok::<_, io::Error>(next.map(|next| (next, export)))
    });
    let begun = stream::iter(begun.map(Ok::<Bytes, io::Error>));
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    Ok((headers, Body::from_stream(begun.chain(rest))).into_response())
}

/// Where an export stands.
struct Export {
    /// None where there can be no calls.
    walk: Option<Walk>,
    writing: Writing,
    app: App,
    /// Pieces that were written.
    written: u64,
}

impl Export {
    /// The next piece of the answer; `None` after the last.
    async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        let portion = match &mut self.walk {
            Some(walk) => walk.next(&self.app.records).await?,
            None => None,
        };
        let is_first = self.written == 0;
        self.written += 1;
        let Some(portion) = portion else {
            self.walk = None;
            return Ok(self.closing(is_first));
        };
        let calls: Vec<(&CallRecord, Call)> = portion
            .iter()
            .map(|record| (record, shown(&self.app, record)))
            .collect();
        Ok(Some(match &self.writing {
            Writing::Table(columns) => table(&calls, is_first.then_some(columns), columns),
            Writing::Objects(columns) => objects(&calls, is_first, |record, call| {
                let fields = columns.iter();
                let fields = fields.map(|(name, of)| ((*name).to_owned(), of(record, call)));
                Value::Object(fields.collect::<Map<_, _>>())
            }),
            Writing::WholeCalls => objects(&calls, is_first, |_, call| json!(call)),
        }))
    }

    /// The end of a list, or all of one without calls, once.
    fn closing(&mut self, is_first: bool) -> Option<Bytes> {
        let writing = std::mem::replace(&mut self.writing, Writing::Table(Vec::new()));
        match (writing, is_first) {
            (Writing::Table(columns), true) => Some(table(&[], Some(&columns), &columns)),
            (Writing::Table(_), false) => None,
            (_, true) => Some(Bytes::from_static(b"[]")),
            (_, false) => Some(Bytes::from_static(b"]")),
        }
    }
}

/// Lines of a table, its headings first where they are given.
fn table(
    calls: &[(&CallRecord, Call)],
    headings: Option<&Vec<Column>>,
    columns: &[Column],
) -> Bytes {
    // With a mark at its start: without it Excel takes it for something else than UTF-8.
    let begun = match headings {
        Some(_) => "\u{feff}".as_bytes().to_vec(),
        None => Vec::new(),
    };
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(begun);
    let lines = calls.iter().map(|(record, call)| {
        let cells = columns.iter().map(|(_, of)| cell(of(record, call)));
        cells.map(|cell| guarded(&cell)).collect::<Vec<String>>()
    });
    let headings = headings.map(|them| them.iter().map(|(name, _)| (*name).to_owned()).collect());
    for line in headings.into_iter().chain(lines) {
        let written: Result<(), csv::Error> = writer.write_record(&line);
        written.expect("a line of as many cells as the first is written to memory");
    }
    let table = writer.into_inner();
    Bytes::from(table.expect("memory takes all that is written"))
}

fn cell(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn objects(
    calls: &[(&CallRecord, Call)],
    is_first: bool,
    object: impl Fn(&CallRecord, &Call) -> Value,
) -> Bytes {
    let mut text = String::from(if is_first { "[" } else { "" });
    for (index, (record, call)) in calls.iter().enumerate() {
        if index > 0 || !is_first {
            text.push(',');
        }
        text.push_str(&object(record, call).to_string());
    }
    Bytes::from(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn columns_are_those_that_are_named_in_their_order() {
        let named = |names| named(names).map(|them| them.iter().map(|it| it.0).collect::<Vec<_>>());
        assert_eq!(named("endedAt, id").unwrap(), ["endedAt", "id"]);
        for unknown in ["", "id,", "cost", "id,recordingUrl"] {
            assert!(named(unknown).is_err(), "{unknown}");
        }
    }
}
