//! `POST /analytics`: calls in numbers. Only what a record says of a call besides its words is looked at: when it began and
//! ended, why, and for whom it was asked.

mod count;

use axum::Json;
use axum::extract::State;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use platform::Invalid;
use platform::analytics::{AnalyticsAnswer, AnalyticsQueries, AnalyticsQuery, TimeRange};
use records::{CallKind, Wanted, Window};

use super::walk::Walk;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;
use count::Counting;

/// Calls that one answer is made of at most: their records are read for it.
const MOST_CALLS: u64 = 20_000;
const PORTION: u32 = 200;
const USUAL_DAYS: i64 = 7;

/// Counts calls that began in a time, in all or by groups. Durations are in seconds, and of calls that have ended; a cost is 0,
/// since calls are held here. An answer for each query.
#[utoipa::path(
    post,
    path = "/analytics",
    operation_id = "count_calls",
    tag = "platform",
    request_body = AnalyticsQueries,
    responses(
        (status = 200, body = [AnalyticsAnswer]),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`: also a column that is not known here, and a time with more than 20000 calls"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn ask(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<Json<Vec<AnalyticsAnswer>>, ApiError> {
    let asked = AnalyticsQueries::parse(&body)?;
    let now = Timestamp::now();
    let mut answers = Vec::new();
    for (index, query) in asked.queries.iter().enumerate() {
        answers.push(answered(&app, index, query, now).await?);
    }
    Ok(Json(answers))
}

async fn answered(
    app: &App,
    index: usize,
    query: &AnalyticsQuery,
    now: Timestamp,
) -> Result<AnalyticsAnswer, ApiError> {
    let wrong = |field: &str, problem: String| {
        ApiError::Body(Invalid::Field {
            path: format!("queries[{index}].timeRange{field}"),
            problem,
        })
    };
    let asked = query.time_range.clone().unwrap_or_default();
    let timezone = asked.timezone.unwrap_or_else(|| String::from("UTC"));
    let zone = TimeZone::get(&timezone).map_err(|_| {
        wrong(
            ".timezone",
            String::from("expected the name of a time zone, such as Asia/Singapore"),
        )
    })?;
    let end = asked.end.unwrap_or(now);
    let usual = SignedDuration::from_hours(24 * USUAL_DAYS);
    let start = asked
        .start
        .unwrap_or_else(|| end.saturating_sub(usual).unwrap_or(Timestamp::MIN));
    if start > end {
        return Err(wrong(
            ".start",
            String::from("expected a time before `end`"),
        ));
    }
    let wanted = Wanted {
        began: Window::ALL.from(start).until(end),
        newest_first: false,
        ..Wanted::of(CallKind::WebCall, 1)
    };
    let calls = stored(app.records.find_calls(wanted.clone()).await)?.total;
    if calls > MOST_CALLS {
        let problem = format!("expected a time with at most {MOST_CALLS} calls: ask for less");
        return Err(wrong("", problem));
    }
    let mut counting = Counting::new(query, asked.step, zone);
    let mut walk = Walk::over(wanted, PORTION, None);
    while let Some(portion) = stored(walk.next(&app.records).await)? {
        portion.iter().for_each(|record| counting.add(record));
    }
    Ok(AnalyticsAnswer {
        name: query.name.clone(),
        time_range: TimeRange {
            step: asked.step,
            start,
            end,
            timezone,
        },
        result: counting.rows(),
    })
}
