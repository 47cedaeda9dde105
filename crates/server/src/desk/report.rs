//! `/api/desk/report`: the morning report, as it is shown and printed, and as a table to be taken elsewhere. What is in it is
//! for `crate::report`; whoever reads it sees of it the cases that are theirs.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use desk::cases::store::Scope;
use desk::{Act, NewEntry, What, Who};
use flow::Agency;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cases::names::Names;
use super::cases::wire::{DeskCase, DeskFollowUp};
use super::signed::{Export, ReadReport, Signed};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::report::night::Night;
use crate::report::{self, Gathered, table};

const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 31);

/// Which time a report is of: calls that ended in it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Period {
    /// Without it and `until`, the night that began last: 18:00 to 08:00 in Singapore.
    #[param(example = "2026-11-24T10:00:00Z")]
    from: Option<String>,
    /// At most 31 days later.
    #[param(example = "2026-11-25T00:00:00Z")]
    until: Option<String>,
}

/// The night in numbers, and case by case.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReport {
    from: String,
    until: String,
    /// Those that were taken elsewhere too.
    calls: usize,
    urgent: usize,
    /// The caller was handed to an agency, at once or for the next day.
    transferred: usize,
    /// A duty officer spoke in it.
    reached_a_person: usize,
    /// Transferred, and no duty officer spoke.
    not_reached: usize,
    /// Its line was lost, or a server went down.
    cut_off: usize,
    waiting: usize,
    closed: usize,
    /// Those of no agency last.
    by_agency: Vec<DeskReportOfAgency>,
    /// In the order in which their calls ended.
    cases: Vec<DeskCase>,
    /// Not done, and due by the end of the time or by now.
    follow_ups_due: Vec<DeskFollowUp>,
    /// There were no more cases than are in it: 2000 at most.
    complete: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeskReportOfAgency {
    agency: Option<&'static str>,
    cases: usize,
    urgent: usize,
}

/// The report of a night, of the cases of this account's agencies and those it has, or of all.
#[utoipa::path(
    get,
    path = "/api/desk/report",
    operation_id = "desk_report",
    tag = "desk",
    extensions(("x-act" = json!("read-report"))),
    params(Period),
    responses(
        (status = 200, body = DeskReport),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn report(
    State(app): State<App>,
    signed: Signed<ReadReport>,
    period: Result<Query<Period>, QueryRejection>,
) -> Result<Json<DeskReport>, ApiError> {
    let now = Timestamp::now();
    let night = asked_for(period, now)?;
    let scope = Scope::of(signed.account(), Act::ReadReport).ok_or(ApiError::RoleForbids)?;
    note(&app, signed.who(), What::ReportRead, now).await?;
    let gathered = stored(Gathered::of(&app.records, &app.desk, &scope, night, now).await)?;
    let numbers = gathered.numbers();
    let names = Names::read(&app).await?;
    let of_agency = numbers.by_agency.iter().map(|of| DeskReportOfAgency {
        agency: of.agency.map(Agency::as_str),
        cases: of.cases,
        urgent: of.urgent,
    });
    let shown = gathered.cases.iter();
    let shown = shown.map(|(case, _)| DeskCase::of(case, signed.account(), &names, &app.settings));
    let follow_ups = gathered.follow_ups.iter();
    Ok(Json(DeskReport {
        from: night.from.to_string(),
        until: night.until.to_string(),
        calls: numbers.calls,
        urgent: numbers.urgent,
        transferred: numbers.transferred,
        reached_a_person: numbers.reached_a_person,
        not_reached: numbers.not_reached,
        cut_off: numbers.cut_off,
        waiting: numbers.waiting,
        closed: numbers.closed,
        by_agency: of_agency.collect(),
        cases: shown.collect(),
        follow_ups_due: follow_ups.map(|it| DeskFollowUp::of(it, &names)).collect(),
        complete: gathered.complete,
    }))
}

/// The same as a table, one line a case, for a spreadsheet. Cells that a spreadsheet would run as a formula have an
/// apostrophe before them.
#[utoipa::path(
    get,
    path = "/api/desk/report.csv",
    operation_id = "desk_report_table",
    tag = "desk",
    extensions(("x-act" = json!("export"))),
    params(Period),
    responses(
        (status = 200, body = String, content_type = "text/csv", description = "UTF-8, an attachment"),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn report_table(
    State(app): State<App>,
    signed: Signed<Export>,
    period: Result<Query<Period>, QueryRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let now = Timestamp::now();
    let night = asked_for(period, now)?;
    let scope = Scope::of(signed.account(), Act::Export).ok_or(ApiError::RoleForbids)?;
    note(&app, signed.who(), What::Exported, now).await?;
    let gathered = stored(Gathered::of(&app.records, &app.desk, &scope, night, now).await)?;
    let names = stored(report::names(&app.desk, now).await)?;
    let table = table::table(&gathered.cases, &names);
    let day = call::singapore_time(night.until).date();
    let headers = [
        (
            header::CONTENT_TYPE,
            String::from("text/csv; charset=utf-8"),
        ),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"nightlight-{day}.csv\""),
        ),
        (header::CACHE_CONTROL, String::from("no-store")),
    ];
    Ok((headers, table.expose_secret().clone()))
}

fn asked_for(
    period: Result<Query<Period>, QueryRejection>,
    now: Timestamp,
) -> Result<Night, ApiError> {
    let unsound = |expected| ApiError::Parameter {
        name: "from, until",
        expected,
    };
    let Query(period) = period.map_err(|_| unsound("two times, or none"))?;
    let (from, until) = match (period.from, period.until) {
        (None, None) => return Ok(Night::at(now)),
        (Some(from), Some(until)) => (from, until),
        _ => return Err(unsound("both, or neither")),
    };
    let read = |text: String| {
        let moment = text.parse::<Timestamp>();
        moment.map_err(|_| unsound("times with their zone, such as 2026-11-24T10:00:00Z"))
    };
    let (from, until) = (read(from)?, read(until)?);
    let length = until.duration_since(from);
    match length.is_positive() && length <= LONGEST {
        true => Ok(Night { from, until }),
        false => Err(unsound("the second at most 31 days after the first")),
    }
}

async fn note(app: &App, who: Who, what: What, at: Timestamp) -> Result<(), ApiError> {
    let entry = NewEntry {
        at,
        who,
        what,
        about: None,
    };
    stored(app.desk.note(entry).await)
}
