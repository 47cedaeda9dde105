//! `POST /api/desk/cases`: a call that was taken elsewhere is entered by hand.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use desk::cases::EnteredCall;
use jiff::Timestamp;
use redact::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::refusal::{field, refused};
use super::wire::{DeskWrittenNote, moment, number};
use crate::app::App;
use crate::desk::signed::{EnterCase, Signed};
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::JsonBody;

/// A day.
const LONGEST_MINUTES: u32 = 24 * 60;

/// A call taken on the telephone or at a counter, and what was told.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskEnteredCall {
    /// Not in the future.
    started_at: String,
    #[schema(maximum = 1440)]
    duration_minutes: u32,
    #[serde(flatten)]
    note: DeskWrittenNote,
    /// The eight digits of one in Singapore, or + and the country's code first.
    #[schema(value_type = Option<String>)]
    caller_number: Option<Secret<String>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskEntered {
    call_id: Uuid,
}

/// Enters a call that was taken elsewhere. Whoever does has its case.
#[utoipa::path(
    post,
    path = "/api/desk/cases",
    operation_id = "desk_enter_case",
    tag = "desk",
    extensions(("x-act" = json!("enter-case"))),
    request_body = DeskEnteredCall,
    responses(
        (status = 201, body = DeskEntered),
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
pub async fn enter(
    State(app): State<App>,
    signed: Signed<EnterCase>,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<DeskEntered>), ApiError> {
    let entered: DeskEnteredCall = platform::read(&body)?;
    let now = Timestamp::now();
    let started_at = moment("startedAt", &entered.started_at)?;
    if started_at > now {
        return Err(field("startedAt", &"expected a time that is over"));
    }
    if entered.duration_minutes > LONGEST_MINUTES {
        let expected = format!("expected at most {LONGEST_MINUTES}");
        return Err(field("durationMinutes", &expected));
    }
    let told = entered.caller_number.as_ref();
    let entered = EnteredCall {
        started_at,
        lasted: Duration::from_mins(entered.duration_minutes.into()),
        number: told.map(|told| number("callerNumber", told)).transpose()?,
        note: entered.note.words()?,
    };
    let call_id = app.desk.enter_case(signed.account(), entered, now).await;
    let call_id = match call_id {
        Ok(call_id) => call_id,
        Err(error) => return Err(refused(error, &app).await),
    };
    app.case_bell.notify_one();
    let entered = DeskEntered { call_id: call_id.0 };
    Ok((StatusCode::CREATED, Json(entered)))
}
