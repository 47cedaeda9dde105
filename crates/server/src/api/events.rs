//! `GET /api/calls/events`: server-sent events about the visitor's own records.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use futures_util::stream;
use jiff::Timestamp;
use platform::CallInfo;
use records::VisitorId;

use crate::app::App;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::notifications::{Change, Listening};
use crate::session::Visitor;

/// Under the usual minute after which proxies cut a quiet connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events named `call-updated`, each with a call's info as its data, whenever a record of the
/// visitor's changes. Closed when the server stops; `EventSource` then connects again by itself.
#[utoipa::path(
    get,
    path = "/api/calls/events",
    tag = "page",
    responses(
        (status = 200, body = CallInfo, content_type = "text/event-stream"),
        (status = 429, body = ErrorAnswer, description = "`too-many-streams`")
    )
)]
pub async fn events(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let listening = app
        .notifications
        .listen(visitor)
        .map_err(|_| ApiError::TooManyStreams)?;
    let events = stream::unfold((app, listening), move |(app, mut listening)| async move {
        let event = next_event(&app, visitor, &mut listening).await?;
        Some((Ok(event), (app, listening)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
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
