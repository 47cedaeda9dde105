//! `GET /api/calls`: the history table's records, the samples and the visitor's own, a page at a time.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use jiff::Timestamp;
use platform::ListedCall;
use records::Place;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::session::Visitor;

const A_PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Part {
    /// How many calls, 50 unless told.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// Where the page before ended, as its `Link` has it.
    after: Option<String>,
}

/// The ten samples and the visitor's own calls: those under way first, then urgent ones, then the rest, each newest
/// first. What was said in one is at `/api/getCallInfo`. A call that changes between two pages may come again, and is
/// never left out.
#[utoipa::path(
    get,
    path = "/api/calls",
    tag = "page",
    params(Part),
    responses(
        (
            status = 200,
            body = [ListedCall],
            headers(("Link" = Option<String>, description = "`<…>; rel=\"next\"` (RFC 8288) where there are more"))
        ),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn calls(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    part: Result<Query<Part>, QueryRejection>,
) -> Result<(HeaderMap, Json<Vec<ListedCall>>), ApiError> {
    const LIMIT: ApiError = ApiError::Parameter {
        name: "limit",
        expected: "one number from 1 to 200",
    };
    const AFTER: ApiError = ApiError::Parameter {
        name: "after",
        expected: "the place where a page ended, as its Link header has it",
    };
    let Query(part) = part.map_err(|_| LIMIT)?;
    let limit = match part.limit {
        None => A_PAGE,
        Some(limit) => limit
            .parse()
            .ok()
            .filter(|limit| (1..=LARGEST_PAGE).contains(limit))
            .ok_or(LIMIT)?,
    };
    let after = part.after.map(|after| after.parse::<Place>());
    let after = after.transpose().map_err(|_| AFTER)?;
    let page = stored(app.records.visible_to(visitor, after, limit).await)?;
    let now = Timestamp::now();
    let calls = page
        .records
        .iter()
        .map(|record| call_record::listed(record, now));
    let mut headers = HeaderMap::new();
    if let Some(next) = page.next {
        let link = format!("</api/calls?limit={limit}&after={next}>; rel=\"next\"");
        let link = HeaderValue::try_from(link).expect("a place is written in digits");
        headers.insert(header::LINK, link);
    }
    Ok((headers, Json(calls.collect())))
}
