//! `POST /api/desk/access-request`: everything that is kept of one caller, in one file, for a caller who asks. It names nobody
//! of the team.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use desk::cases::{ActionTaken, Asked, CaseAct, CaseOfCaller, EditedNote, FollowUp, Hold, actions};
use jiff::Timestamp;
use platform::{CallInfo, Invalid};
use records::CallId;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::cases::refusal::refused;
use super::cases::wire::{DeskCaseNote, deleted_at, number};
use super::signed::{Export, Signed};
use crate::app::App;
use crate::call_record::call_info;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

const ABOUT: &str = "Everything that Nightlight keeps of one caller, in answer to their request: each of their calls and conversations \
                     with what was said, the notes made of it, what the duty team did and still has to do, and whether a record is kept \
                     longer than its time, and why. Calls in which the number was not given are found by their own ids alone. Somebody \
                     else may have called from the same number: read this before it is handed on.";

/// Whose data: by their number, or by one of their calls. One of the two.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessRequest {
    /// The eight digits of a number in Singapore, or + and the country's code first.
    #[schema(value_type = Option<String>)]
    caller_number: Option<Secret<String>>,
    /// With it come the others of the number that was given in it.
    call_id: Option<Uuid>,
}

/// Everything that is kept of one caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessFile {
    /// What this file is.
    about: &'static str,
    made_at: String,
    /// The latest first.
    cases: Vec<DeskAccessCase>,
}

/// One of their calls or conversations, and what became of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessCase {
    call_id: Uuid,
    /// `webCall`, `chat` or `elsewhere`.
    kind: &'static str,
    started_at: String,
    ended_at: String,
    agency: Option<&'static str>,
    urgent: bool,
    /// `waiting`, `taken` or `closed`.
    state: &'static str,
    outcome: Option<&'static str>,
    /// When it will be deleted by itself; none while it is on hold.
    deleted_at: Option<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Option<String>)]
    caller_number: Option<Secret<String>>,
    /// What was said, and the note that the software made of it; none where the call was taken elsewhere.
    record: Option<CallInfo>,
    /// The duty team's version of the note; none where they have changed nothing.
    note: Option<DeskAccessNote>,
    action_taken: Option<DeskAccessAction>,
    follow_ups: Vec<DeskAccessFollowUp>,
    history: Vec<DeskAccessAct>,
    hold: Option<DeskAccessHold>,
    /// What the duty team wrote is stored, but cannot be decrypted here: ask whoever runs this line to set the key, and ask again.
    unreadable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessNote {
    at: String,
    #[serde(flatten)]
    note: DeskCaseNote,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAccessAction {
    at: String,
    actions: Vec<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessFollowUp {
    /// `task` or `call-back`.
    kind: &'static str,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
    due_at: String,
    done_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAccessAct {
    at: String,
    /// `duty team` or `server`.
    by: &'static str,
    what: &'static str,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Option<String>)]
    words: Option<Secret<String>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAccessHold {
    since: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    reason: Secret<String>,
}

/// Gives everything that is kept of one caller, as a file. A number of which nothing is kept gives a file without cases.
#[utoipa::path(
    post,
    path = "/api/desk/access-request",
    operation_id = "desk_access_request",
    tag = "desk",
    extensions(("x-act" = json!("export"))),
    request_body = DeskAccessRequest,
    responses(
        (status = 200, body = DeskAccessFile, description = "To be saved: `Content-Disposition` names the file"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-unreadable`: the key that numbers were sealed with is not set"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn access_request(
    State(app): State<App>,
    signed: Signed<Export>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let asked = asked(&platform::read(&body)?)?;
    let now = Timestamp::now();
    let cases = match app.desk.export_caller(signed.account(), asked, now).await {
        Ok(cases) => cases,
        Err(error) => return Err(refused(error, &app).await),
    };
    let mut told = Vec::new();
    for case in cases {
        let call = case.file.case.call_id;
        let record = stored(app.records.call(call).await)?;
        let record = record.map(|record| call_info(&record, now));
        told.push(one(&app, case, record));
    }
    let file = DeskAccessFile {
        about: ABOUT,
        made_at: now.to_string(),
        cases: told,
    };
    let day = call::singapore_time(now).date();
    let name = format!("attachment; filename=\"nightlight-access-request-{day}.json\"");
    let name = HeaderValue::try_from(name).map_err(|_| ApiError::Internal)?;
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(file)).into_response())
}

fn asked(request: &DeskAccessRequest) -> Result<Asked, ApiError> {
    match (&request.caller_number, request.call_id) {
        (Some(told), None) => Ok(Asked::Number(number("callerNumber", told)?)),
        (None, Some(id)) => Ok(Asked::Call(CallId(id))),
        _ => Err(ApiError::Body(Invalid::Field {
            path: "callerNumber".to_owned(),
            problem: "give either callerNumber or callId".to_owned(),
        })),
    }
}

fn one(app: &App, told: CaseOfCaller, record: Option<CallInfo>) -> DeskAccessCase {
    let CaseOfCaller { file, acts } = told;
    let deleted_at = deleted_at(&file.case, file.hold.is_some(), &app.settings);
    let case = file.case;
    let unreadable = case.content.is_none();
    let content = case.content.unwrap_or_default();
    DeskAccessCase {
        call_id: case.call_id.0,
        kind: case.kind.as_str(),
        started_at: case.started_at.to_string(),
        ended_at: case.ended_at.to_string(),
        agency: case.agency.map(flow::Agency::as_str),
        urgent: case.urgent,
        state: case.state.as_str(),
        outcome: case.closing.map(|closing| closing.outcome.as_str()),
        deleted_at: deleted_at.map(|at| at.to_string()),
        caller_number: content.caller_number,
        record,
        note: content.note.map(note),
        action_taken: content.action_taken.map(action),
        follow_ups: file.follow_ups.into_iter().map(follow_up).collect(),
        history: acts.into_iter().map(act).collect(),
        hold: file.hold.map(hold),
        unreadable,
    }
}

fn note(note: EditedNote) -> DeskAccessNote {
    DeskAccessNote {
        at: note.at.to_string(),
        note: DeskCaseNote::from(&note),
    }
}

fn action(taken: ActionTaken) -> DeskAccessAction {
    let label = |code: &String| match actions::label(code) {
        Some(label) => label.to_owned(),
        None => code.clone(),
    };
    DeskAccessAction {
        at: taken.at.to_string(),
        actions: taken.actions.iter().map(label).collect(),
        words: taken.words,
    }
}

fn follow_up(follow_up: FollowUp) -> DeskAccessFollowUp {
    DeskAccessFollowUp {
        kind: follow_up.kind.as_str(),
        words: follow_up.words,
        due_at: follow_up.due_at.to_string(),
        done_at: follow_up.done.map(|done| done.at.to_string()),
    }
}

fn act(act: CaseAct) -> DeskAccessAct {
    DeskAccessAct {
        at: act.at.to_string(),
        by: match act.who {
            Some(_) => "duty team",
            None => "server",
        },
        what: act.did.as_str(),
        words: act.words,
    }
}

fn hold(hold: Hold) -> DeskAccessHold {
    DeskAccessHold {
        since: hold.at.to_string(),
        reason: hold.reason,
    }
}
