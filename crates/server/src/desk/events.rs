//! `GET /api/desk/events`: what a page of the desk is told while it is open, as server-sent events. While it is, its desk can
//! ring.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use desk::{Account, Act, Signed};
use futures_util::stream::{self, Stream, StreamExt};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::Interval;

use super::live_calls::{DeskCall, seen_by};
use super::on_duty::Duty;
use super::signed::{self, SeeQueue};
use crate::app::App;
use crate::connections::KEEP_ALIVE;
use crate::duty::{News, OpenPage};
use crate::errors::ErrorAnswer;

/// How often it is looked whether the session of an open stream goes on.
pub(super) const LOOKED_EVERY: Duration = Duration::from_secs(3);

/// Events for the account's pages: `ringing` (`callId`, `agency`, `since`, `everyone`), `ringing-over` (`callId`, `takenBy`,
/// `yours`), `unreached` (`callId`, `agency`, `why`), `call` (a live call that has begun or stands otherwise), `call-over`
/// (`callId`), `duty` (`onDuty`, `wrapUpUntil`: one's own) and `case` (`callId`;
/// a case is new, stands otherwise, or is open no more). Nothing that is said in a call: that is told to who has opened it, at
/// `/api/desk/live/{id}/events`. Those that ring already are told at once. Closed when the page has missed some, the session is over, or the server stops: a page that is
/// still signed in connects again, and reads the live calls anew.
#[utoipa::path(
    get,
    path = "/api/desk/events",
    operation_id = "desk_events",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    responses(
        (status = 200, body = DeskCall, content_type = "text/event-stream"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn events(
    State(app): State<App>,
    signed: signed::Signed<SeeQueue>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let account = signed.account().clone();
    let session = signed.session;
    let page = app.duty.open_page(&account);
    let rings = app.duty.ringing_for(account.id);
    let rings: Vec<_> = rings
        .iter()
        .filter_map(|news| event_of(news, &account, &app))
        .map(Ok)
        .collect();
    let looks = tokio::time::interval(LOOKED_EVERY);
    let news = stream::unfold(
        (app, session, page, looks),
        |(app, session, mut page, mut looks)| async move {
            let event = next_event(&app, &session, &mut page, &mut looks).await?;
            Some((Ok(event), (app, session, page, looks)))
        },
    );
    // An id of any kind, by which a connection made again can be told.
    let opened = stream::once(async { Ok(Event::default().id("0")) });
    let events = opened.chain(stream::iter(rings)).chain(news);
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

async fn next_event(
    app: &App,
    session: &Signed,
    page: &mut OpenPage,
    looks: &mut Interval,
) -> Option<Event> {
    loop {
        let news = tokio::select! {
            news = page.next() => news?,
            // However much there is to tell.
            _ = looks.tick() => match is_over(app, session).await {
                true => return None,
                false => continue,
            },
            () = app.stopped.cancelled() => return None,
        };
        if let Some(event) = event_of(&news, &session.account, app) {
            return Some(event);
        }
    }
}

/// Whether the session has ended, by whatever, or its account has other agencies than the page was opened with, which connects
/// again then. A database that cannot be asked ends none.
pub(super) async fn is_over(app: &App, session: &Signed) -> bool {
    let goes_on = app.desk.goes_on(session, Timestamp::now()).await;
    matches!(goes_on, Ok(false))
}

/// What this account is told of it, if anything.
fn event_of(news: &News, account: &Account, app: &App) -> Option<Event> {
    let (name, data): (&str, Value) = match news {
        News::Ringing {
            call,
            agency,
            since,
            whom,
            desks,
        } if desks.contains(&account.id) => {
            let everyone = *whom == turn::Ring::Everyone;
            let since = since.to_string();
            let agency = agency.as_str();
            (
                "ringing",
                json!({"callId": call, "agency": agency, "since": since, "everyone": everyone}),
            )
        }
        News::RingingOver {
            call,
            taken_by,
            desks,
        } if desks.contains(&account.id) => {
            let yours = *taken_by == Some(account.id);
            let name = taken_by.and_then(|officer| app.duty.name_of(officer));
            (
                "ringing-over",
                json!({"callId": call, "takenBy": name, "yours": yours}),
            )
        }
        News::Unreached { call, agency, why } => {
            let case = app.duty.case_for(*call, account.id)?;
            account.may_with(Act::SeeQueue, case).then_some(())?;
            let agency = agency.map(flow::Agency::as_str);
            (
                "unreached",
                json!({"callId": call, "agency": agency, "why": why.as_str()}),
            )
        }
        News::Call(call) => {
            let live = app.duty.call(*call)?;
            let seen = seen_by(account, *call, &live, app)?;
            ("call", serde_json::to_value(seen).ok()?)
        }
        News::CallOver(call) => ("call-over", json!({"callId": call})),
        News::Duty(of) if *of == account.id => {
            ("duty", serde_json::to_value(Duty::of(account, app)).ok()?)
        }
        News::Case { call, whose } => {
            let mut whose = whose.iter();
            let sees = whose.any(|case| account.may_with(Act::SeeQueue, *case));
            sees.then_some(())?;
            ("case", json!({"callId": call}))
        }
        News::Ringing { .. } | News::RingingOver { .. } | News::Duty(_) => return None,
    };
    Event::default().event(name).json_data(data).ok()
}
