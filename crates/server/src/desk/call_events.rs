//! `GET /api/desk/live/{id}/events`: one live call while a page has it open, with what is said as it is said and what is found as
//! it is found, as server-sent events. To open it is to look into it, and stands on the audit trail.

use std::convert::Infallible;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use desk::{Act, Case, Signed};
use futures_util::stream::{self, Stream, StreamExt};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Interval;
use uuid::Uuid;

use super::events::{LOOKED_EVERY, is_over};
use super::live_calls::{DeskCallInside, DeskCaption, DeskNote, known, look_into, signals_of};
use super::signed::{self, SeeCase};
use crate::app::App;
use crate::connections::KEEP_ALIVE;
use crate::duty::{OpenCall, Words};
use crate::errors::{ApiError, ErrorAnswer};

/// Events of one live call: first `inside` (what `GET /api/desk/live/{id}` gives), then `caption` (`callId`, `speaker`, `text`,
/// `at`, `isFinal`, `officer`; one that is not final stands in for its speaker's next words until those are), `note` (`callId`, `note`,
/// `signals`: as they stand now), and at the end `over` (`callId`). Closed without that word when the page has missed some, may
/// not see the call any more, the session is over, or the server stops.
#[utoipa::path(
    get,
    path = "/api/desk/live/{id}/events",
    operation_id = "desk_live_call_events",
    tag = "desk",
    extensions(("x-act" = json!("see-case"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = DeskCallInside, content_type = "text/event-stream"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also one of another agency; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn events(
    State(app): State<App>,
    signed: signed::Signed<SeeCase>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let call = known(id)?;
    let (live, open) = app.duty.open_call(call).ok_or(ApiError::UnknownCall)?;
    let inside = look_into(&app, &signed, call, &live).await?;
    let inside = Event::default().event("inside").json_data(&inside).ok();
    let telling = Telling {
        started_at: live.started_at,
        case: live.case_for(signed.account().id),
        session: signed.session,
        looks: tokio::time::interval(LOOKED_EVERY),
        is_over: false,
        app,
        call,
        open,
    };
    let news = stream::unfold(telling, |mut telling| async move {
        let event = telling.next().await?;
        Some((Ok(event), telling))
    });
    let events = stream::iter(inside.map(Ok)).chain(news);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// What one page is told of one call.
struct Telling {
    app: App,
    session: Signed,
    call: Uuid,
    started_at: Timestamp,
    /// As it stood last: its last words come when the call is gone.
    case: Case,
    open: OpenCall,
    looks: Interval,
    is_over: bool,
}

impl Telling {
    async fn next(&mut self) -> Option<Event> {
        if self.is_over {
            return None;
        }
        loop {
            let words = tokio::select! {
                words = self.open.next() => words,
                // However much there is to tell.
                _ = self.looks.tick() => match is_over(&self.app, &self.session).await {
                    true => return None,
                    false => continue,
                },
                () = self.app.stopped.cancelled() => return None,
            };
            return match words {
                Ok(words) => self.event_of(&words),
                Err(RecvError::Closed) => {
                    self.is_over = true;
                    self.event("over", json!({}))
                }
                Err(RecvError::Lagged(_)) => None,
            };
        }
    }

    /// None where the account may not see this call any more.
    fn event_of(&mut self, words: &Words) -> Option<Event> {
        let account = &self.session.account;
        let as_it_stands = self.app.duty.case_for(self.call, account.id);
        self.case = as_it_stands.unwrap_or(self.case);
        account.may_with(Act::SeeCase, self.case).then_some(())?;
        match words {
            Words::Said(caption) => {
                let said = DeskCaption::of(caption, self.started_at, &self.app.duty);
                let mut data = serde_json::to_value(said).ok()?;
                data["isFinal"] = json!(caption.is_final);
                self.event("caption", data)
            }
            Words::Noted(note) => {
                let signals = signals_of(note);
                let note = DeskNote::of(note);
                self.event("note", json!({"note": note, "signals": signals}))
            }
        }
    }

    fn event(&self, name: &str, mut data: Value) -> Option<Event> {
        data["callId"] = json!(self.call);
        Event::default().event(name).json_data(data).ok()
    }
}
