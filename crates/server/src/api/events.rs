//! `GET /api/calls/events`: server-sent events about the visitor's own records.

use std::convert::Infallible;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use platform::CallInfo;
use records::VisitorId;

use crate::app::App;
use crate::call_record;
use crate::connections::KEEP_ALIVE;
use crate::errors::{ApiError, ErrorAnswer};
use crate::open_pages::{Change, Listening};
use crate::session::{HasLeft, Visitor};

/// Events named `call-updated`, each with a call's info as its data, whenever a record of the
/// visitor's changes. Closed when the server stops; `EventSource` then connects again by itself. One
/// that connects again without a session belongs to a visitor who has left, and is told to give up.
#[utoipa::path(
    get,
    path = "/api/calls/events",
    tag = "page",
    responses(
        (status = 200, body = CallInfo, content_type = "text/event-stream"),
        (status = 204, description = "The session is over: do not connect again"),
        (status = 429, body = ErrorAnswer, description = "`too-many-streams`")
    )
)]
pub async fn events(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    left: Option<Extension<HasLeft>>,
) -> Result<Response, ApiError> {
    if left.is_some() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let listening = app
        .notifications
        .listen(visitor)
        .map_err(|_| ApiError::TooManyStreams)?;
    let events = stream::unfold((app, listening), move |(app, mut listening)| async move {
        let event = next_event(&app, visitor, &mut listening).await?;
        Some((Ok(event), (app, listening)))
    });
    // An id of any kind, by which a connection made again can be told.
    let opened = stream::once(async { Ok::<_, Infallible>(Event::default().id("0")) });
    let events = Sse::new(opened.chain(events));
    let events = events.keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok(events.into_response())
}

async fn next_event(app: &App, visitor: VisitorId, listening: &mut Listening) -> Option<Event> {
    loop {
        let change = tokio::select! {
            change = listening.next() => change?,
            () = app.stopped.cancelled() => return None,
        };
        let record = match change {
            Change::Of(call) => app.records.call(call).await,
            Change::Missed => app.records.latest_of(visitor).await,
        };
        // What cannot be read now is fetched by the page ten seconds after its call.
        let Ok(Some(record)) = record else { continue };
        let info = call_record::call_info(&record, Timestamp::now());
        if let Ok(event) = Event::default().event("call-updated").json_data(&info) {
            return Some(event);
        }
    }
}
