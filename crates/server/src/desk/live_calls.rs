//! `/api/desk/live`: the calls that are live here, as an officer sees them.
//!
//! Which calls an account sees follows from the table of permissions and the call's agency. One that rings for it is named, with
//! nothing that was said; that comes with accepting it.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use call::Speaker;
use desk::{Account, Act, What};
use flow::CaseNote;
use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::in_call::InCall;
use super::signed::{SeeCase, SeeQueue, Signed};
use crate::app::App;
use crate::call_record;
use crate::duty::{Caption, DutyRoom, LiveCall, account_of};
use crate::errors::{ApiError, ErrorAnswer};

/// A live call, without anything that was said in it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCall {
    pub call_id: Uuid,
    pub started_at: String,
    /// Where the caller would be brought, or is.
    pub agency: Option<&'static str>,
    pub urgent: bool,
    /// `assistant`, `ringing`, `accepted`, `officer` or `on-hold`: who has the caller. On hold they are the officer's, and with the
    /// assistant.
    pub state: &'static str,
    /// Since when.
    pub since: String,
    /// Where the conversation with the assistant is.
    pub step: DeskStep,
    /// When a caller on hold is put back by itself; told half a minute before.
    pub hold_ends_at: Option<String>,
    /// The name of the officer who has it.
    pub officer: Option<String>,
    /// It is the asking account's.
    pub yours: bool,
    pub may_listen: bool,
}

/// A step of the flow.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskStep {
    /// Stable, for programs: `finding-out`, `asking-whether-safe`, `taking-the-address`, `connecting`, …
    pub code: &'static str,
    /// In plain words.
    pub words: &'static str,
}

/// The calls that an account sees.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCalls {
    calls: Vec<DeskCall>,
}

/// One of them, with what was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCallInside {
    call: DeskCall,
    /// As it stood after the caller's last turn.
    note: Option<DeskNote>,
    signals: Vec<DeskSignal>,
    captions: Vec<DeskCaption>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNote {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    summary_title: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    summary: Secret<String>,
    structured_data: platform::StructuredData,
}

/// What was found in a call, and the caller's words that it rests on.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskSignal {
    claim: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
}

/// Something that was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCaption {
    /// `caller`, `assistant` or `officer`.
    speaker: &'static str,
    /// The name of the officer, while they have been here.
    officer: Option<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    text: Secret<String>,
    /// Seconds from the call's start.
    at: f64,
}

impl DeskCaption {
    pub fn of(caption: &Caption, started_at: Timestamp, duty: &DutyRoom) -> Self {
        Self {
            speaker: match caption.speaker {
                Speaker::Caller => "caller",
                Speaker::Assistant => "assistant",
                Speaker::Officer(_) => "officer",
            },
            officer: match caption.speaker {
                Speaker::Officer(Some(officer)) => duty.name_of(account_of(officer)),
                _ => None,
            },
            text: caption.words.clone(),
            at: caption.at.duration_since(started_at).as_secs_f64(),
        }
    }
}

impl DeskNote {
    pub fn of(note: &CaseNote) -> Self {
        Self {
            summary_title: note.summary_title.clone(),
            summary: note.summary.clone(),
            structured_data: call_record::analysis(note),
        }
    }
}

pub fn signals_of(note: &CaseNote) -> Vec<DeskSignal> {
    let found = note.evidence.iter().map(|evidence| DeskSignal {
        claim: evidence.claim.clone(),
        words: evidence.words.clone(),
    });
    found.collect()
}

/// A call as this account sees it, if it does.
pub fn seen_by(account: &Account, id: Uuid, call: &LiveCall, app: &App) -> Option<DeskCall> {
    account
        .may_with(Act::SeeQueue, call.case_for(account.id))
        .then(|| DeskCall {
            call_id: id,
            started_at: call.started_at.to_string(),
            agency: call.agency.map(flow::Agency::as_str),
            urgent: call.urgent,
            state: call.stage.as_str(),
            since: call.since.to_string(),
            step: DeskStep {
                code: call.step.as_str(),
                words: call.step.words(),
            },
            hold_ends_at: call.hold_ends_at.map(|at| at.to_string()),
            officer: call.officer.and_then(|officer| app.duty.name_of(officer)),
            yours: call.officer == Some(account.id),
            may_listen: account.may_with(Act::ListenIn, call.case_for(account.id)),
        })
}

/// The live calls of this account's agencies, or all: the most urgent first, then those that have waited longest.
#[utoipa::path(
    get,
    path = "/api/desk/live",
    operation_id = "desk_live_calls",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    responses(
        (status = 200, body = DeskCalls),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn list(State(app): State<App>, signed: Signed<SeeQueue>) -> Json<DeskCalls> {
    let mut all = app.duty.calls();
    all.sort_by_key(|(_, call)| (!call.urgent, call.since));
    let calls = all
        .iter()
        .filter_map(|(id, call)| seen_by(signed.account(), *id, call, &app));
    Json(DeskCalls {
        calls: calls.collect(),
    })
}

/// One live call with its note so far, what was found, and what was said.
#[utoipa::path(
    get,
    path = "/api/desk/live/{id}",
    operation_id = "desk_live_call",
    tag = "desk",
    extensions(("x-act" = json!("see-case"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = DeskCallInside),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one of another agency; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn inside(
    State(app): State<App>,
    signed: Signed<SeeCase>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<Json<DeskCallInside>, ApiError> {
    let id = known(id)?;
    let call = live(&app, id)?;
    Ok(Json(look_into(&app, &signed, id, &call).await?))
}

/// What this account sees of it, which stands on the trail before it is given.
pub(super) async fn look_into(
    app: &App,
    signed: &Signed<SeeCase>,
    id: Uuid,
    call: &LiveCall,
) -> Result<DeskCallInside, ApiError> {
    let account = signed.account();
    let seen = account.may_with(Act::SeeCase, call.case_for(account.id));
    let outside = seen_by(account, id, call, app).filter(|_| seen);
    let outside = outside.ok_or(ApiError::UnknownCall)?;
    let looked = InCall::by(signed, What::CaseViewed, id);
    looked.note(app, Timestamp::now()).await?;
    let captions = call.captions.iter();
    let captions = captions.map(|caption| DeskCaption::of(caption, call.started_at, &app.duty));
    Ok(DeskCallInside {
        call: outside,
        note: call.note.as_deref().map(DeskNote::of),
        signals: call.note.as_deref().map(signals_of).unwrap_or_default(),
        captions: captions.collect(),
    })
}

pub(super) fn live(app: &App, call: Uuid) -> Result<LiveCall, ApiError> {
    app.duty.call(call).ok_or(ApiError::UnknownCall)
}

/// What is no id is no call's.
pub(super) fn known(id: Result<Path<Uuid>, PathRejection>) -> Result<Uuid, ApiError> {
    match id {
        Ok(Path(id)) => Ok(id),
        Err(_) => Err(ApiError::UnknownCall),
    }
}
