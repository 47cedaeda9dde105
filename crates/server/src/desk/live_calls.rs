//! `/api/desk/live` and `/api/desk/calls/{id}/…`: the calls that are live here, and what an officer does with one.
//!
//! Which calls an account sees follows from the table of permissions and the call's agency. One that rings for it is named, with
//! nothing that was said; that comes with accepting it.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use call::media::{OfferError, Transport};
use call::{Joining, NotAccepted, OfficerId, Speaker};
use desk::{Account, Act, NewEntry, What, Who};
use flow::CaseNote;
use jiff::{SignedDuration, Timestamp};
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::in_call::InCall;
use super::officer_line::{self, OfficerLine};
use super::signed::{
    AcceptCall, ListenIn, SeeCase, SeeQueue, Signed, TakeOver, TakeShift, Whisper,
};
use crate::app::App;
use crate::call_record;
use crate::duty::{Availability, Caption, DutyRoom, LiveCall, account_of, officer_of};
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::request_body::{JsonBody, SdpBody};

/// How long an officer's line may be silent before it is lost: the caller is not to wait for longer.
const OFFICER_LOST_AFTER: std::time::Duration = std::time::Duration::from_millis(1500);

/// The latest entries of the trail among which the same word of a shift is looked for. One that is not found is written again.
const LOOKED_AT: u32 = 50;

/// How long a page may take to tell every node the same.
const TOLD_TO_EVERY_NODE_WITHIN: SignedDuration = SignedDuration::from_secs(10);

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

/// Says whether somebody is on duty.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OnDuty {
    /// Their desk rings, while a page of it is open. Ends the time after a call in which it does not.
    on_duty: bool,
    /// On a call that another node has: not rung here until this is said again without it, or their last page closes.
    #[serde(default)]
    busy: bool,
    /// They have just had a call at another node, and are not rung here before then; no longer than after a call of this node's.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    wrap_up_until: Option<Timestamp>,
}

/// Whether somebody is on duty, and can be rung.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Duty {
    /// Their desk rings, while a page of it is open.
    on_duty: bool,
    /// They have just had a call, and are not rung before then.
    wrap_up_until: Option<String>,
}

impl Duty {
    pub fn of(account: &Account, app: &App) -> Self {
        let until = app.duty.wraps_up_until(account.id);
        Self {
            on_duty: app.duty.is_on_duty(account.id),
            wrap_up_until: until.map(|until| until.to_string()),
        }
    }
}

/// Whether one is on duty oneself.
#[utoipa::path(
    get,
    path = "/api/desk/duty",
    operation_id = "desk_duty",
    tag = "desk",
    extensions(("x-act" = json!("take-shift"))),
    responses(
        (status = 200, body = Duty),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn duty(State(app): State<App>, signed: Signed<TakeShift>) -> Json<Duty> {
    Json(Duty::of(signed.account(), &app))
}

/// Says whether one is on duty oneself.
#[utoipa::path(
    put,
    path = "/api/desk/duty",
    operation_id = "desk_set_duty",
    tag = "desk",
    extensions(("x-act" = json!("take-shift"))),
    request_body = OnDuty,
    responses(
        (status = 200, body = Duty),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn set_duty(
    State(app): State<App>,
    signed: Signed<TakeShift>,
    JsonBody(body): JsonBody,
) -> Result<Json<Duty>, ApiError> {
    let asked: OnDuty = platform::read(&body)?;
    let now = Timestamp::now();
    let wraps_up_for = asked.wrap_up_until.map(|until| until.duration_since(now));
    let wraps_up_for = wraps_up_for.and_then(|lasts| lasts.try_into().ok());
    // What they are at elsewhere is no news of their shift, unless this node has not heard of it.
    let of_elsewhere = asked.busy || asked.wrap_up_until.is_some();
    if !(of_elsewhere && app.duty.says_on_duty(signed.account().id) == asked.on_duty) {
        note_shift(&app, signed.who(), asked.on_duty, now).await?;
    }
    let said = Availability {
        on_duty: asked.on_duty,
        busy: asked.busy,
        wraps_up_for,
    };
    app.duty.set_availability(signed.account(), said);
    Ok(Json(Duty {
        on_duty: asked.on_duty,
        ..Duty::of(signed.account(), &app)
    }))
}

/// On the audit trail, once where a page says it to one node after the other.
async fn note_shift(app: &App, who: Who, on_duty: bool, now: Timestamp) -> Result<(), ApiError> {
    let what = match on_duty {
        true => What::ShiftTaken,
        false => What::ShiftLeft,
    };
    let latest = stored(app.desk.audit(None, LOOKED_AT).await)?;
    let of_shifts = [What::ShiftTaken, What::ShiftLeft].map(What::as_str);
    let own = latest
        .iter()
        .find(|entry| entry.who == who.to_string() && of_shifts.contains(&entry.what.as_str()));
    let is_there = own.is_some_and(|entry| {
        let age = entry.moment().map(|at| now.duration_since(at));
        entry.what == what.as_str() && age.is_some_and(|age| age < TOLD_TO_EVERY_NODE_WITHIN)
    });
    if is_there {
        return Ok(());
    }
    let entry = NewEntry {
        at: now,
        who,
        what,
        about: None,
    };
    stored(app.desk.note(entry).await)
}

/// Accepts a call that rings here. The first who does has it.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/accept",
    operation_id = "desk_accept",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "It is yours: come onto its line within eight seconds"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`call-taken`: a colleague was first"),
        (status = 410, body = ErrorAnswer, description = "`call-over`: nobody is rung for it any more, or it does not ring here"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn accept(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let (id, account) = (known(id)?, signed.account());
    let call = live(&app, id)?;
    if !app.duty.rings(id, account.id) {
        // It has stopped ringing in the moment that they pressed the button, or never rang here.
        return Err(match call.officer {
            Some(first) if first != account.id => ApiError::CallTaken {
                by: app.duty.name_of(first).unwrap_or_default(),
            },
            Some(_) => return Ok(StatusCode::NO_CONTENT),
            None => ApiError::CallOver,
        });
    }
    let officer = officer_of(account.id);
    let accepted = InCall::by(&signed, What::CallAccepted, id);
    let accepting = accepted.done_and_noted(app, move |app| async move {
        let accepted = app.switchboard.accept(id, officer).await;
        accepted.map_err(|why| not_accepted(why, &app))
    });
    accepting.await?;
    Ok(StatusCode::NO_CONTENT)
}

fn not_accepted(why: NotAccepted, app: &App) -> ApiError {
    match why {
        NotAccepted::TakenBy(first) => ApiError::CallTaken {
            by: app.duty.name_of(account_of(first)).unwrap_or_default(),
        },
        NotAccepted::NotRinging | NotAccepted::Over => ApiError::CallOver,
    }
}

/// Declines a call that rings here.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/decline",
    operation_id = "desk_decline",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`; `path-not-found`: there is no desk yet"),
        (status = 410, body = ErrorAnswer, description = "`call-over`: nobody is rung for it any more, or it does not ring here"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn decline(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let (id, account) = (known(id)?, signed.account().id);
    live(&app, id)?;
    if !app.duty.rings(id, account) {
        return Err(ApiError::CallOver);
    }
    let declined = InCall::by(&signed, What::CallDeclined, id);
    let declining = declined.done_and_noted(app, move |app| async move {
        app.duty.decline(id, account);
        Ok(())
    });
    declining.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Comes onto the line of a call that one has accepted, by WebRTC: as a caller joins theirs.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/line",
    operation_id = "desk_line",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    request_body(content = String, content_type = "application/sdp", description = "The offer: audio in Opus, and a data channel `app` for messages"),
    responses(
        (status = 201, body = String, content_type = "application/sdp", description = "The answer"),
        (status = 400, body = ErrorAnswer, description = "`sdp-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one that is not yours; `path-not-found`: there is no desk yet"),
        (status = 410, body = ErrorAnswer, description = "`call-over`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn line(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
    SdpBody(offer): SdpBody,
) -> Result<Response, ApiError> {
    let id = known(id)?;
    if live(&app, id)?.officer != Some(signed.account().id) {
        return Err(ApiError::UnknownCall);
    }
    let line = OfferedLine::of(&app, &signed.session, &offer)?;
    line.comes_onto(&app, id, Joining::Accepted)
}

/// Comes onto a call's line to hear it, unheard.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/listening",
    operation_id = "desk_listen",
    tag = "desk",
    extensions(("x-act" = json!("listen-in"))),
    params(("id" = Uuid, Path)),
    request_body(content = String, content_type = "application/sdp", description = "The offer, as for the line"),
    responses(
        (status = 201, body = String, content_type = "application/sdp", description = "The answer"),
        (status = 400, body = ErrorAnswer, description = "`sdp-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`; `path-not-found`: there is no desk yet"),
        (status = 410, body = ErrorAnswer, description = "`call-over`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn listen(
    State(app): State<App>,
    signed: Signed<ListenIn>,
    id: Result<Path<Uuid>, PathRejection>,
    SdpBody(offer): SdpBody,
) -> Result<Response, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let line = OfferedLine::of(&app, &signed.session, &offer)?;
    let listened = InCall::by(&signed, What::ListenedIn, id);
    let joining = listened.noted_and_done(app, move |app| async move {
        line.comes_onto(&app, id, Joining::Listening)
    });
    joining.await
}

/// Comes onto a call's line to hear it, and to be heard by its officers alone.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/coaching",
    operation_id = "desk_coach",
    tag = "desk",
    extensions(("x-act" = json!("whisper"))),
    params(("id" = Uuid, Path)),
    request_body(content = String, content_type = "application/sdp", description = "The offer, as for the line"),
    responses(
        (status = 201, body = String, content_type = "application/sdp", description = "The answer"),
        (status = 400, body = ErrorAnswer, description = "`sdp-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`; `path-not-found`: there is no desk yet"),
        (status = 410, body = ErrorAnswer, description = "`call-over`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn coach(
    State(app): State<App>,
    signed: Signed<Whisper>,
    id: Result<Path<Uuid>, PathRejection>,
    SdpBody(offer): SdpBody,
) -> Result<Response, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let line = OfferedLine::of(&app, &signed.session, &offer)?;
    let coached = InCall::by(&signed, What::Coached, id);
    let joining = coached.noted_and_done(app, move |app| async move {
        line.comes_onto(&app, id, Joining::Coaching)
    });
    joining.await
}

/// Is put through to the caller before the end of the briefing.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/ready",
    operation_id = "desk_ready",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one that is not yours; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn ready(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    if live(&app, id)?.officer != Some(signed.account().id) {
        return Err(ApiError::UnknownCall);
    }
    app.switchboard
        .is_ready(id, officer_of(signed.account().id));
    Ok(StatusCode::NO_CONTENT)
}

/// Leaves a call's line, or gives back a call that one has accepted. If one talked with the caller, the call ends, unless a
/// colleague talks with them as well, who goes on; a caller on hold, or who has heard no person yet, stays with the assistant.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/leave",
    operation_id = "desk_leave",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one that you are not on; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn leave(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let officer = officer_of(signed.account().id);
    let left = InCall::by(&signed, What::CallLeft, id);
    let leaving = left.done_and_noted(app, move |app| async move {
        let was_on_it = app.switchboard.leave(id, officer).await;
        was_on_it.then_some(()).ok_or(ApiError::UnknownCall)
    });
    leaving.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes over a call on whose line one listens: the caller is told, and hears one.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/take-over",
    operation_id = "desk_take_over",
    tag = "desk",
    extensions(("x-act" = json!("take-over"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one on whose line you are not; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn take_over(
    State(app): State<App>,
    signed: Signed<TakeOver>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let officer = officer_of(signed.account().id);
    let took_over = InCall::by(&signed, What::TookOver, id);
    let taking_over = took_over.done_and_noted(app, move |app| async move {
        let was_on_it = app.switchboard.take_over(id, officer).await;
        was_on_it.then_some(()).ok_or(ApiError::UnknownCall)
    });
    taking_over.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An officer's line, as they have offered it. What is no offer has come to nothing before anything is noted of it; nothing is heard
/// on a line before its officer has the answer.
struct OfferedLine {
    officer: OfficerId,
    line: Box<dyn Transport>,
    answer: String,
}

impl OfferedLine {
    fn of(app: &App, session: &desk::Signed, offer: &str) -> Result<Self, ApiError> {
        let accepted = app.media.accept_offer(offer);
        let (transport, answer) = accepted.map_err(|error| match error {
            OfferError::Internal => ApiError::Internal,
            error => ApiError::Offer(error),
        })?;
        let line = transport.lost_after(OFFICER_LOST_AFTER);
        let session_over = officer_line::end_of(session.clone(), app.clone());
        Ok(Self {
            officer: officer_of(session.account.id),
            line: Box::new(OfficerLine::until(session_over, line)),
            answer,
        })
    }

    fn comes_onto(self, app: &App, call: Uuid, joining: Joining) -> Result<Response, ApiError> {
        let joined = app.switchboard.join(call, self.officer, joining, self.line);
        joined.map_err(|_| ApiError::CallOver)?;
        let sdp = [(header::CONTENT_TYPE, "application/sdp")];
        Ok((StatusCode::CREATED, sdp, self.answer).into_response())
    }
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
