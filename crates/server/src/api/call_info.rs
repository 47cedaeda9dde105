//! `GET /api/getCallInfo`: one call of the visitor's own.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use jiff::Timestamp;
use platform::CallInfo;
use records::CallId;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::app::App;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::session::Visitor;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The call to read; without it, the visitor's latest.
    call_id: Option<String>,
}

/// The visitor's latest call, or the one asked for if it is the visitor's (or a sample).
#[utoipa::path(
    get,
    path = "/api/getCallInfo",
    tag = "page",
    params(Which),
    responses(
        (status = 200, body = CallInfo),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 404, body = ErrorAnswer, description = "`no-call-yet`, or `call-not-found`, also for a call that is somebody else's"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn call_info(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<CallInfo>, ApiError> {
    const CALL_ID: ApiError = ApiError::Parameter {
        name: "callId",
        expected: "one id of a call, as POST /call/web answered it",
    };
    let Query(which) = which.map_err(|_| CALL_ID)?;
    let record = match which.call_id {
        None => stored(app.records.latest_of(visitor).await)?.ok_or(ApiError::NoCallYet)?,
        Some(id) => {
            let id: Uuid = id.parse().map_err(|_| CALL_ID)?;
            stored(app.records.call(CallId(id)).await)?
                .filter(|record| record.sample || record.visitor == Some(visitor))
                .ok_or(ApiError::UnknownCall)?
        }
    };
    Ok(Json(call_record::call_info(&record, Timestamp::now())))
}
