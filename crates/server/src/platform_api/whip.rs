//! WHIP (RFC 9725) at a call's `webCallUrl`: an offer joins by WebRTC, a DELETE of the session
//! leaves. There is no trickle ICE: the server's addresses are all in its answer, and it needs none
//! of the browser's.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use call::media::OfferError;
use flow::EndReason;
use uuid::Uuid;

use super::kept::{Id, Ids};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::joining::{self, join_when_connected};
use crate::lines::{Left, LineError};
use crate::origin;
use crate::request_body::SdpBody;
use crate::session::Visitor;

/// Joins a call by WebRTC. The call begins when media connects. An answer that does not connect
/// leaves the call open for another offer, or for its WebSocket. Once it has begun, its visitor alone, known by the
/// cookie it was asked for with, joins it again: after a lost line, and after a crash of the server, it goes on here.
#[utoipa::path(
    post,
    path = "/call/{id}/whip",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    request_body(content = String, content_type = "application/sdp", description = "The offer: audio in Opus, and a data channel `app` for messages"),
    responses(
        (status = 201, body = String, content_type = "application/sdp", description = "The answer; Location is the session's", headers(("Location" = String))),
        (status = 400, body = ErrorAnswer, description = "`sdp-invalid`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`call-joined`: by somebody else"),
        (status = 410, body = ErrorAnswer, description = "`call-expired`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`, `call-elsewhere`: another node has the call; ask again in a moment")
    )
)]
pub async fn offer(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Id(id): Id,
    SdpBody(offer): SdpBody,
) -> Result<impl IntoResponse, ApiError> {
    let call = call_id(&id)?;
    let attempt = joining::attempt(&app, call, visitor).await?;
    let accepted = app.media.accept_offer(&offer);
    let (transport, answer) = accepted.map_err(|error| {
        app.lines.fail(call, &attempt);
        match error {
            OfferError::Internal => ApiError::Internal,
            error => ApiError::Offer(error),
        }
    })?;
    let here = origin::path_here(&app.settings);
    let location = format!("{here}/call/{call}/whip/{}", attempt.session);
    join_when_connected(&app, call, attempt, Box::new(transport));
    let headers = [
        (header::CONTENT_TYPE, String::from("application/sdp")),
        (header::LOCATION, location),
    ];
    Ok((StatusCode::CREATED, headers, answer))
}

/// Leaves the call, which ends.
#[utoipa::path(
    delete,
    path = "/call/{id}/whip/{session}",
    tag = "platform",
    params(
        ("id" = String, Path, description = "The call"),
        ("session" = String, Path, description = "The session, from Location")
    ),
    responses(
        (status = 200, description = "Left"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked"),
        (status = 404, body = ErrorAnswer, description = "`session-not-found`: also when the call is over already")
    )
)]
pub async fn leave(State(app): State<App>, Ids(id, session): Ids) -> Result<StatusCode, ApiError> {
    let call = call_id(&id)?;
    let session = session.parse().map_err(|_| ApiError::UnknownSession)?;
    match app.lines.leave(call, session) {
        Ok(Left::Live) => {
            app.switchboard.hang_up(call, EndReason::CallerEnded);
            Ok(StatusCode::OK)
        }
        Ok(Left::BeforeItBegan) => Ok(StatusCode::OK),
        Err(LineError::Unknown | LineError::Expired | LineError::Joined | LineError::AllBusy) => {
            Err(ApiError::UnknownSession)
        }
    }
}

/// What is not an id names no call.
pub fn call_id(text: &str) -> Result<Uuid, ApiError> {
    text.parse().map_err(|_| ApiError::UnknownCall)
}
