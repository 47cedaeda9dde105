//! `GET /api/calls`: the history table's records, the samples and the visitor's own.

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use platform::CallInfo;

use crate::app::App;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::session::Visitor;
use crate::storage::stored;

/// The ten samples and the visitor's own calls, newest first.
#[utoipa::path(
    get,
    path = "/api/calls",
    tag = "page",
    responses(
        (status = 200, body = [CallInfo]),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn calls(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<Json<Vec<CallInfo>>, ApiError> {
    let listed = stored(app.records.visible_to(visitor, None, u32::MAX).await)?;
    let mut records = Vec::new();
    for record in listed.records {
        records.extend(stored(app.records.call(record.call_id).await)?);
    }
    let now = Timestamp::now();
    let calls = records
        .iter()
        .map(|record| call_record::call_info(record, now));
    Ok(Json(calls.collect()))
}
