//! `GET /api/desk/cases`: what waits, what is being worked on, and what is closed; and who there is to work on it.

use std::time::Instant;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use desk::cases::ListedCase;
use desk::cases::queue::{ClosedPlace, QueuePlace};
use desk::cases::store::Scope;
use desk::{AccountId, Act, NewEntry, What, Who};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::names::Names;
use super::queue_views::VIEW_LASTS;
use super::wire::DeskCase;
use crate::app::App;
use crate::desk::signed::{SeeQueue, Signed};
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;

const USUAL: u32 = 50;
const MOST: u32 = 200;

/// The latest entries of the trail among which an account's last view is looked for where this process wrote none: it may have been
/// another node's. One that is not found is written again.
const LOOKED_AT: u32 = 50;

/// Which cases.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// `open`, as without it, or `closed`.
    state: Option<String>,
    /// At most so many: 1 to 200, usually 50.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// Those behind this place: an answer's `next`.
    after: Option<String>,
}

/// Some of the cases that an account sees.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCases {
    cases: Vec<DeskCase>,
    /// As `after` for those that come next, if there are any.
    next: Option<String>,
}

/// The cases of this account's agencies and those it has, or all. Open ones: what waits before what somebody has, urgent ones
/// first, then those that came back, then those that have waited longest. Closed ones: the latest first.
#[utoipa::path(
    get,
    path = "/api/desk/cases",
    operation_id = "desk_cases",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    params(Wanted),
    responses(
        (status = 200, body = DeskCases),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn list(
    State(app): State<App>,
    signed: Signed<SeeQueue>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<DeskCases>, ApiError> {
    let Query(wanted) = wanted.map_err(|_| ApiError::Parameter {
        name: "limit",
        expected: "1 to 200",
    })?;
    let limit = wanted.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::Parameter {
            name: "limit",
            expected: "1 to 200",
        });
    }
    let unknown_place = |_| ApiError::Parameter {
        name: "after",
        expected: "the `next` of an answer with the same state",
    };
    let after = wanted.after.as_deref();
    let scope = Scope::of(signed.account(), Act::SeeQueue).ok_or(ApiError::RoleForbids)?;
    let cases = app.desk.cases();
    // One more than is shown: then there are others behind it.
    let (mut found, place): (Vec<ListedCase>, fn(&ListedCase) -> String) =
        match wanted.state.as_deref() {
            None | Some("open") => {
                let after = after.map(str::parse).transpose().map_err(unknown_place)?;
                let found = cases.open_cases(&scope, after, limit + 1).await;
                (stored(found)?, |it| QueuePlace::of(&it.case).to_string())
            }
            Some("closed") => {
                let after = after.map(str::parse).transpose().map_err(unknown_place)?;
                let found = cases.closed_cases(&scope, after, limit + 1).await;
                (stored(found)?, |it| ClosedPlace::of(&it.case).to_string())
            }
            Some(_) => {
                return Err(ApiError::Parameter {
                    name: "state",
                    expected: "open or closed",
                });
            }
        };
    let goes_on = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| goes_on).map(place);
    note_view(&app, signed.account().id).await?;
    let names = Names::read(&app).await?;
    let shown = found
        .iter()
        .map(|it| DeskCase::of(it, signed.account(), &names, &app.settings));
    Ok(Json(DeskCases {
        cases: shown.collect(),
        next,
    }))
}

/// On the audit trail before it is given: titles tell of what was said.
async fn note_view(app: &App, account: AccountId) -> Result<(), ApiError> {
    if app.queue_views.stands(account, Instant::now()) {
        return Ok(());
    }
    let now = Timestamp::now();
    let who = Who::Account(account);
    let whose = who.to_string();
    let latest = stored(app.desk.audit(None, LOOKED_AT).await)?;
    let is_there = latest.iter().any(|entry| {
        let age = entry.moment().map(|at| now.duration_since(at));
        let is_recent = age.is_some_and(|age| age.unsigned_abs() < VIEW_LASTS);
        is_recent && entry.who == whose && entry.what == What::QueueViewed.as_str()
    });
    if is_there {
        return Ok(());
    }
    let entry = NewEntry {
        at: now,
        who,
        what: What::QueueViewed,
        about: None,
    };
    stored(app.desk.note(entry).await)?;
    app.queue_views.noted(account, Instant::now());
    Ok(())
}

/// Those who work on cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskColleagues {
    colleagues: Vec<DeskColleague>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskColleague {
    id: Uuid,
    name: String,
    /// `officer` or `supervisor`.
    role: &'static str,
}

/// Who may own a follow-up, if they see its case.
#[utoipa::path(
    get,
    path = "/api/desk/colleagues",
    operation_id = "desk_colleagues",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    responses(
        (status = 200, body = DeskColleagues),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn colleagues(
    State(app): State<App>,
    _: Signed<SeeQueue>,
) -> Result<Json<DeskColleagues>, ApiError> {
    let accounts = stored(app.desk.colleagues(Timestamp::now()).await)?;
    let colleagues = accounts.into_iter().map(|account| DeskColleague {
        id: account.id.0,
        name: account.name,
        role: account.role.as_str(),
    });
    Ok(Json(DeskColleagues {
        colleagues: colleagues.collect(),
    }))
}
