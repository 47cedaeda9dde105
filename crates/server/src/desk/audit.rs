//! `GET /api/desk/audit`: the audit trail, for auditors. Reading it is on it too.

use std::collections::HashMap;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use desk::{NewEntry, What};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::signed::{ReadAudit, Signed};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;

const USUAL: u32 = 50;
const MOST: u32 = 200;

/// What stands before an account's id in an entry.
const OF_AN_ACCOUNT: &str = "account ";

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Those before this number; without it the latest.
    before: Option<i64>,
    /// At most so many: 1 to 200, usually 50.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// Some of the trail, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAudit {
    entries: Vec<DeskEntry>,
    /// As `before` for those that come next; none where this is the beginning.
    next: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskEntry {
    number: i64,
    at: Option<String>,
    /// `account ID`, `command line`, `private key`, `nobody` or `server`.
    who: String,
    what: String,
    /// `call ID` or `account ID`.
    about: Option<String>,
    /// What colleagues call the account that did it.
    name: Option<String>,
    /// Holds the entry before as well.
    hash: String,
}

/// Reads the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/audit",
    operation_id = "desk_audit",
    tag = "desk",
    extensions(("x-act" = json!("read-audit"))),
    params(Wanted),
    responses(
        (status = 200, body = DeskAudit),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn entries(
    State(app): State<App>,
    signed: Signed<ReadAudit>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<DeskAudit>, ApiError> {
    let Query(wanted) = wanted.map_err(|_| ApiError::Parameter {
        name: "before, limit",
        expected: "whole numbers",
    })?;
    let limit = wanted.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::Parameter {
            name: "limit",
            expected: "1 to 200",
        });
    }
    let now = Timestamp::now();
    let read = NewEntry {
        at: now,
        who: signed.who(),
        what: What::AuditRead,
        about: None,
    };
    stored(app.desk.note(read).await)?;
    let entries = stored(app.desk.audit(wanted.before, limit).await)?;
    let accounts = stored(app.desk.accounts(now).await)?;
    let names: HashMap<String, String> = accounts
        .into_iter()
        .map(|account| (account.id.to_string(), account.name))
        .collect();
    let oldest = entries.last().map(|entry| entry.number);
    let next = oldest.filter(|number| *number > 1);
    let entries = entries.into_iter().map(|entry| DeskEntry {
        number: entry.number,
        at: entry.moment().map(|at| at.to_string()),
        name: entry
            .who
            .strip_prefix(OF_AN_ACCOUNT)
            .and_then(|id| names.get(id).cloned()),
        who: entry.who,
        what: entry.what,
        about: entry.about,
        hash: entry.hash,
    });
    Ok(Json(DeskAudit {
        entries: entries.collect(),
        next,
    }))
}
