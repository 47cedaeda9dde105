//! `/api/desk/hints` and `/api/desk/calls/{id}/hint`: what a supervisor may whisper to the assistant while it has the caller.
//! The list is the flow's; the caller hears the assistant's own words for it.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use desk::{Act, What};
use flow::Hint;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::in_call::InCall;
use super::live_calls::{known, live};
use super::signed::{Signed, Whisper};
use crate::app::App;
use crate::duty::Stage;
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::JsonBody;

/// What can be whispered, in the order in which it is offered.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hints {
    hints: Vec<HintOffered>,
}

/// One of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintOffered {
    code: &'static str,
    /// For who whispers it; no caller hears this.
    label: &'static str,
}

/// The one that is whispered.
#[derive(Debug, Deserialize, ToSchema)]
pub struct HintGiven {
    /// A code of the list.
    #[schema(value_type = String, example = "ask-whether-safe")]
    hint: Hint,
}

/// What a supervisor may whisper to the assistant.
#[utoipa::path(
    get,
    path = "/api/desk/hints",
    operation_id = "desk_hints",
    tag = "desk",
    extensions(("x-act" = json!("whisper"))),
    responses(
        (status = 200, body = Hints),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn list(_: Signed<Whisper>) -> Json<Hints> {
    let hints = Hint::ALL.map(|hint| HintOffered {
        code: hint.as_str(),
        label: hint.label(),
    });
    Json(Hints {
        hints: hints.into(),
    })
}

/// Whispers a hint to the assistant, which takes it up at its next turn, in its own words and where it still fits.
#[utoipa::path(
    post,
    path = "/api/desk/calls/{id}/hint",
    operation_id = "desk_hint",
    tag = "desk",
    extensions(("x-act" = json!("whisper"))),
    params(("id" = Uuid, Path)),
    request_body = HintGiven,
    responses(
        (status = 204),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`: also a hint that is not on the list"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`call-not-with-assistant`: officers are being rung for it, or one has it"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn hint(
    State(app): State<App>,
    signed: Signed<Whisper>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    let given: HintGiven = platform::read(&body)?;
    let call = live(&app, id)?;
    let account = signed.account();
    if !account.may_with(Act::Whisper, call.case_for(account.id)) {
        return Err(ApiError::UnknownCall);
    }
    if call.stage != Stage::Assistant {
        return Err(ApiError::NotWithAssistant);
    }
    let hint = given.hint;
    let whispered = InCall::by(&signed, What::Whispered(hint), id);
    let whispering = whispered.noted_and_done(app, move |app| async move {
        // Of a call that has ended meanwhile, nobody hears it.
        app.switchboard.hint(id, hint);
        Ok(())
    });
    whispering.await?;
    Ok(StatusCode::NO_CONTENT)
}
