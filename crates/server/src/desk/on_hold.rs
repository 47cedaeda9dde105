//! `/api/desk/calls/{id}/hold` and `…/take-back`: an officer who talks with a caller speaks with a colleague for a while, and the
//! assistant has the caller. Who may is whoever talks with them at that moment, which the call itself knows.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use desk::What;
use uuid::Uuid;

use super::in_call::InCall;
use super::live_calls::{known, live};
use super::signed::{AcceptCall, Signed};
use crate::app::App;
use crate::duty::officer_of;
use crate::errors::{ApiError, ErrorAnswer};

/// Puts the caller with whom one talks on hold: they hear the assistant alone, and officers hear each other. It ends by itself after
/// two minutes, or with the officer's line.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/hold",
    operation_id = "desk_put_on_hold",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "They are on hold"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one with whose caller you do not talk; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn put_on_hold(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let officer = officer_of(signed.account().id);
    let held = InCall::by(&signed, What::CallerPutOnHold, id);
    let holding = held.done_and_noted(app, move |app| async move {
        let held = app.switchboard.put_on_hold(id, officer).await;
        held.map_err(|_| ApiError::UnknownCall)
    });
    holding.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes the caller back from hold: one hears them, and they hear one.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/take-back",
    operation_id = "desk_take_back",
    tag = "desk",
    extensions(("x-act" = json!("accept-call"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "They are not on hold any more"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one with whose caller you do not talk; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn take_back(
    State(app): State<App>,
    signed: Signed<AcceptCall>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    live(&app, id)?;
    let officer = officer_of(signed.account().id);
    let taken = InCall::by(&signed, What::CallerTakenBack, id);
    let taking = taken.done_and_noted(app, move |app| async move {
        let taken = app.switchboard.take_back(id, officer).await;
        taken.map_err(|_| ApiError::UnknownCall)
    });
    taking.await?;
    Ok(StatusCode::NO_CONTENT)
}
