//! `/api/desk/cases/{id}/hold`: what keeps a case's record from being deleted, and for what reason.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::cases::known;
use super::cases::refusal::refused;
use super::cases::wire::some_words;
use super::signed::{HoldRecord, Signed};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::JsonBody;

/// Characters.
const LONGEST_REASON: usize = 1000;

/// Why a record is to be kept.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskHoldReason {
    /// Stands in the case, and goes with it.
    #[schema(value_type = String, max_length = 1000)]
    reason: Secret<String>,
}

/// Keeps a case's record from being deleted, whatever its time, until this is taken back. Repeated, it is the new reason.
#[utoipa::path(
    put,
    path = "/api/desk/cases/{id}/hold",
    operation_id = "desk_hold_record",
    tag = "desk",
    extensions(("x-act" = json!("hold-record"))),
    params(("id" = Uuid, Path)),
    request_body = DeskHoldReason,
    responses(
        (status = 204, description = "It is on hold"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn hold(
    State(app): State<App>,
    signed: Signed<HoldRecord>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let hold: DeskHoldReason = platform::read(&body)?;
    let reason = some_words("reason", hold.reason, LONGEST_REASON)?;
    let now = Timestamp::now();
    let held = app.desk.hold_record(signed.account(), call, reason, now);
    if let Err(error) = held.await {
        return Err(refused(error, &app).await);
    }
    app.case_bell.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a case's record go again: it is deleted at its time, or within the hour where that is over.
#[utoipa::path(
    delete,
    path = "/api/desk/cases/{id}/hold",
    operation_id = "desk_end_hold",
    tag = "desk",
    extensions(("x-act" = json!("hold-record"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "It is not on hold, also if it was not"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn end_hold(
    State(app): State<App>,
    signed: Signed<HoldRecord>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let ended = app.desk.end_hold(signed.account(), call, Timestamp::now());
    if let Err(error) = ended.await {
        return Err(refused(error, &app).await);
    }
    app.case_bell.notify_one();
    Ok(StatusCode::NO_CONTENT)
}
