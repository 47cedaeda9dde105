//! `POST /api/call-ticket`: before a page asks the hosted platform for a call, it says so here.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::hosted::ticket;

pub const PATH: &str = "/api/call-ticket";

/// What a page takes along to the hosted platform.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallTicket {
    /// To be given among `assistantOverrides.variableValues`, as `ticket`. It comes back with what is reported of the call,
    /// which is then this visitor's; good for one day.
    ticket: String,
}

/// Binds a call on the hosted platform to the visitor who is about to ask for it there. Sets the visitor's session cookie.
#[utoipa::path(
    post,
    path = "/api/call-ticket",
    tag = "page",
    responses(
        (status = 201, body = CallTicket),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked"),
        (status = 409, body = ErrorAnswer, description = "`calls-held-here`: there is no hosted platform, and POST /call/web needs no ticket"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 503, body = ErrorAnswer, description = "`shutting-down`: with the numbers to ring, and Retry-After")
    )
)]
pub async fn call_ticket(
    State(app): State<App>,
    holder: Holder,
) -> Result<(StatusCode, Json<CallTicket>), ApiError> {
    let Some(hosted) = &app.settings.hosted_platform.calls else {
        return Err(ApiError::CallsAreHeldHere);
    };
    app.rates.calls.take(holder, Instant::now())?;
    if app.leaving.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let ticket = ticket::issue(&hosted.webhook_secret, holder.visitor, Timestamp::now());
    Ok((StatusCode::CREATED, Json(CallTicket { ticket })))
}
