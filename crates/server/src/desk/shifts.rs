//! `/api/desk/shifts`: when somebody is to be on duty. Supervisors plan it, and all who take calls see it.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use desk::AccountId;
use desk::shifts::{Shift, ShiftError, ShiftId};
use jiff::{SignedDuration, Timestamp};
use platform::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::cases::names::Names;
use super::cases::wire::DeskPerson;
use super::sign_in::failed;
use super::signed::{ManageShifts, Signed, TakeShift};
use super::wire::read;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

const USUAL: SignedDuration = SignedDuration::from_hours(24 * 7);
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 62);

/// Which time.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Period {
    /// Without it, from now on.
    #[param(example = "2026-11-24T10:00:00Z")]
    from: Option<String>,
    /// Without it, a week from `from`; at most 62 days later.
    #[param(example = "2026-12-01T10:00:00Z")]
    until: Option<String>,
}

/// When somebody is to be on duty.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskShift {
    id: Uuid,
    account: DeskPerson,
    begins: String,
    ends: String,
}

impl DeskShift {
    fn of(shift: &Shift, names: &Names) -> Self {
        Self {
            id: shift.id.0,
            account: names.person(shift.account),
            begins: shift.begins.to_string(),
            ends: shift.ends.to_string(),
        }
    }
}

/// The plan of some time.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskShifts {
    shifts: Vec<DeskShift>,
}

/// The shifts that are under way at some moment of this time, in the order in which they begin.
#[utoipa::path(
    get,
    path = "/api/desk/shifts",
    operation_id = "desk_shifts",
    tag = "desk",
    extensions(("x-act" = json!("take-shift"))),
    params(Period),
    responses(
        (status = 200, body = DeskShifts),
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
    _: Signed<TakeShift>,
    period: Result<Query<Period>, QueryRejection>,
) -> Result<Json<DeskShifts>, ApiError> {
    let unsound = |expected| ApiError::Parameter {
        name: "from, until",
        expected,
    };
    let Query(period) = period.map_err(|_| unsound("times"))?;
    let read = |text: String| {
        let moment = text.parse::<Timestamp>();
        moment.map_err(|_| unsound("times with their zone, such as 2026-11-24T10:00:00Z"))
    };
    let from = period.from.map_or(Ok(Timestamp::now()), read)?;
    let a_week = || from.saturating_add(USUAL).unwrap_or(Timestamp::MAX);
    let until = period.until.map_or_else(|| Ok(a_week()), read)?;
    let length = until.duration_since(from);
    if !length.is_positive() || length > LONGEST {
        return Err(unsound("the second at most 62 days after the first"));
    }
    let shifts = stored(app.desk.shifts(from, until).await)?;
    let names = Names::read(&app).await?;
    let shifts = shifts.iter().map(|it| DeskShift::of(it, &names)).collect();
    Ok(Json(DeskShifts { shifts }))
}

/// Who is to be on duty, and when.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNewShift {
    account_id: Uuid,
    /// A time with its zone.
    #[schema(example = "2026-11-24T10:00:00Z")]
    begins: String,
    /// At most a day later.
    #[schema(example = "2026-11-25T00:00:00Z")]
    ends: String,
}

/// Plans a shift of somebody who takes calls. They are on duty only when they say so at their desk.
#[utoipa::path(
    post,
    path = "/api/desk/shifts",
    operation_id = "desk_plan_shift",
    tag = "desk",
    extensions(("x-act" = json!("manage-shifts"))),
    request_body = DeskNewShift,
    responses(
        (status = 201, body = DeskShift),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`shift-overlaps`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn plan(
    State(app): State<App>,
    signed: Signed<ManageShifts>,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<DeskShift>), ApiError> {
    let new: DeskNewShift = platform::read(&body)?;
    let (begins, ends) = (read("begins", &new.begins)?, read("ends", &new.ends)?);
    let account = AccountId(new.account_id);
    let planned = app
        .desk
        .plan_shift(signed.who(), account, begins, ends, Timestamp::now());
    let planned = planned.await.map_err(not_planned)?;
    let names = Names::read(&app).await?;
    Ok((StatusCode::CREATED, Json(DeskShift::of(&planned, &names))))
}

/// Takes a shift out of the plan.
#[utoipa::path(
    delete,
    path = "/api/desk/shifts/{id}",
    operation_id = "desk_remove_shift",
    tag = "desk",
    extensions(("x-act" = json!("manage-shifts"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "It is not in the plan any more"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`shift-not-found`; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn remove(
    State(app): State<App>,
    signed: Signed<ManageShifts>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let Path(id) = id.map_err(|_| ApiError::UnknownShift)?;
    let removed = app
        .desk
        .remove_shift(signed.who(), ShiftId(id), Timestamp::now());
    match stored(removed.await)? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::UnknownShift),
    }
}

fn not_planned(error: ShiftError) -> ApiError {
    let field = |path: &str, problem: &ShiftError| {
        ApiError::Body(Invalid::Field {
            path: path.to_owned(),
            problem: problem.to_string(),
        })
    };
    match error {
        ShiftError::Length => field("ends", &error),
        ShiftError::NobodyForIt => field("accountId", &error),
        ShiftError::Overlaps => ApiError::ShiftOverlaps,
        ShiftError::Store(error) => failed(error),
    }
}
