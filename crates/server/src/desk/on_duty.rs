//! `/api/desk/duty`: whether an officer is on duty, and can be rung at this node.

use axum::Json;
use axum::extract::State;
use desk::{Account, NewEntry, What, Who};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::signed::{Signed, TakeShift};
use crate::app::App;
use crate::duty::Availability;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// The latest entries of the trail among which the same word of a shift is looked for. One that is not found is written again.
const LOOKED_AT: u32 = 50;

/// How long a page may take to tell every node the same.
const TOLD_TO_EVERY_NODE_WITHIN: SignedDuration = SignedDuration::from_secs(10);

/// Says whether somebody is on duty.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OnDuty {
    /// Their desk rings, while a page of it is open. Ends the time after a call in which it does not.
    on_duty: bool,
    /// On a call that another node has: not rung here until this is said again without it, or their last page closes.
    #[serde(default)]
    busy: bool,
    /// They have just had a call at another node, and are not rung here before then; no longer than after a call of this node's.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    wrap_up_until: Option<Timestamp>,
}

/// Whether somebody is on duty, and can be rung.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Duty {
    /// Their desk rings, while a page of it is open.
    on_duty: bool,
    /// They have just had a call, and are not rung before then.
    wrap_up_until: Option<String>,
}

impl Duty {
    pub fn of(account: &Account, app: &App) -> Self {
        let until = app.duty.wraps_up_until(account.id);
        Self {
            on_duty: app.duty.is_on_duty(account.id),
            wrap_up_until: until.map(|until| until.to_string()),
        }
    }
}

/// Whether one is on duty oneself.
#[utoipa::path(
    get,
    path = "/api/desk/duty",
    operation_id = "desk_duty",
    tag = "desk",
    extensions(("x-act" = json!("take-shift"))),
    responses(
        (status = 200, body = Duty),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn duty(State(app): State<App>, signed: Signed<TakeShift>) -> Json<Duty> {
    Json(Duty::of(signed.account(), &app))
}

/// Says whether one is on duty oneself.
#[utoipa::path(
    put,
    path = "/api/desk/duty",
    operation_id = "desk_set_duty",
    tag = "desk",
    extensions(("x-act" = json!("take-shift"))),
    request_body = OnDuty,
    responses(
        (status = 200, body = Duty),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn set_duty(
    State(app): State<App>,
    signed: Signed<TakeShift>,
    JsonBody(body): JsonBody,
) -> Result<Json<Duty>, ApiError> {
    let asked: OnDuty = platform::read(&body)?;
    let now = Timestamp::now();
    let wraps_up_for = asked.wrap_up_until.map(|until| until.duration_since(now));
    let wraps_up_for = wraps_up_for.and_then(|lasts| lasts.try_into().ok());
    // What they are at elsewhere is no news of their shift, unless this node has not heard of it.
    let of_elsewhere = asked.busy || asked.wrap_up_until.is_some();
    if !(of_elsewhere && app.duty.says_on_duty(signed.account().id) == asked.on_duty) {
        note_shift(&app, signed.who(), asked.on_duty, now).await?;
    }
    let said = Availability {
        on_duty: asked.on_duty,
        busy: asked.busy,
        wraps_up_for,
    };
    app.duty.set_availability(signed.account(), said);
    Ok(Json(Duty {
        on_duty: asked.on_duty,
        ..Duty::of(signed.account(), &app)
    }))
}

/// On the audit trail, once where a page says it to one node after the other.
async fn note_shift(app: &App, who: Who, on_duty: bool, now: Timestamp) -> Result<(), ApiError> {
    let what = match on_duty {
        true => What::ShiftTaken,
        false => What::ShiftLeft,
    };
    let latest = stored(app.desk.audit(None, LOOKED_AT).await)?;
    let of_shifts = [What::ShiftTaken, What::ShiftLeft].map(What::as_str);
    let own = latest
        .iter()
        .find(|entry| entry.who == who.to_string() && of_shifts.contains(&entry.what.as_str()));
    let is_there = own.is_some_and(|entry| {
        let age = entry.moment().map(|at| now.duration_since(at));
        entry.what == what.as_str() && age.is_some_and(|age| age < TOLD_TO_EVERY_NODE_WITHIN)
    });
    if is_there {
        return Ok(());
    }
    let entry = NewEntry {
        at: now,
        who,
        what,
        about: None,
    };
    stored(app.desk.note(entry).await)
}
