//! `/api/desk/calls/{id}/…`: what an officer does with a live call, from accepting it to leaving it.
//!
//! Each is on the audit trail with the call it was done in.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use call::media::{OfferError, Transport};
use call::{Joining, NotAccepted, OfficerId};
use desk::What;
use uuid::Uuid;

use super::in_call::InCall;
use super::live_calls::{known, live};
use super::officer_line::{self, OfficerLine};
use super::signed::{AcceptCall, ListenIn, Signed, TakeOver, Whisper};
use crate::app::App;
use crate::duty::{account_of, officer_of};
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::SdpBody;

/// How long an officer's line may be silent before it is lost: the caller is not to wait for longer.
const OFFICER_LOST_AFTER: std::time::Duration = std::time::Duration::from_millis(1500);

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
