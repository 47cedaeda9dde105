//! `GET /api/calls/events`: server-sent events about the visitor's own records.

use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use platform::CallInfo;
use records::{CallId, CallRecord, VisitorId};
use tokio::time::sleep;

use crate::app::App;
use crate::call_record;
use crate::connections::KEEP_ALIVE;
use crate::errors::{ApiError, ErrorAnswer};
use crate::open_pages::{Change, Listening};
use crate::session::{HasLeft, Visitor};

/// A record that the storage could not give is asked for again.
const BEFORE_READING_AGAIN: Duration = Duration::from_secs(2);

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
    let page = Page {
        visitor,
        listening,
        untold: VecDeque::new(),
        under_way: BTreeSet::new(),
    };
    let events = stream::unfold((app, page), |(app, mut page)| async move {
        let event = page.next_event(&app).await?;
        Some((Ok(event), (app, page)))
    });
    // An id of any kind, by which a connection made again can be told.
    let opened = stream::once(async { Ok::<_, Infallible>(Event::default().id("0")) });
    let events = Sse::new(opened.chain(events));
    let events = events.keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    Ok(events.into_response())
}

/// One open page, and what it is still to be told.
struct Page {
    visitor: VisitorId,
    listening: Listening,
    untold: VecDeque<CallId>,
    /// What it was last told of each: that it is under way. Where changes were missed, its end may be among them.
    under_way: BTreeSet<CallId>,
}

impl Page {
    async fn next_event(&mut self, app: &App) -> Option<Event> {
        tokio::select! {
            event = self.told(app) => event,
            () = app.stopped.cancelled() => None,
        }
    }

    async fn told(&mut self, app: &App) -> Option<Event> {
        loop {
            let Some(call) = self.untold.front().copied() else {
                match self.listening.next().await? {
                    Change::Of(call) => self.untold.push_back(call),
                    Change::Missed => self.read_all_again(app).await,
                }
                continue;
            };
            let record = app.records.call(call).await;
            // The visitor may have left meanwhile.
            if self.listening.is_over() {
                return None;
            }
            match record {
                Ok(Some(record)) => {
                    self.untold.pop_front();
                    if let Some(event) = self.event(&record) {
                        return Some(event);
                    }
                }
                // Erased meanwhile.
                Ok(None) => {
                    self.untold.pop_front();
                    self.under_way.remove(&call);
                }
                Err(_) => sleep(BEFORE_READING_AGAIN).await,
            }
        }
    }

    /// What this stream told to be under way, and the newest, of which it may have told nothing.
    async fn read_all_again(&mut self, app: &App) {
        let newest = loop {
            match app.records.latest_of(self.visitor).await {
                Ok(newest) => break newest.map(|record| record.call_id),
                Err(_) if self.listening.is_over() => return,
                Err(_) => sleep(BEFORE_READING_AGAIN).await,
            }
        };
        let known = self.under_way.iter().copied();
        self.untold
            .extend(known.filter(|call| Some(*call) != newest).chain(newest));
    }

    fn event(&mut self, record: &CallRecord) -> Option<Event> {
        match record.ended_at {
            Some(_) => self.under_way.remove(&record.call_id),
            None => self.under_way.insert(record.call_id),
        };
        let info = call_record::call_info(record, Timestamp::now());
        Event::default().event("call-updated").json_data(&info).ok()
    }
}
