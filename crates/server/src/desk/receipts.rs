//! `GET /api/desk/receipts`: what remains of cases whose records were deleted.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use desk::receipts::Receipt;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::signed::{Export, Signed};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;

const USUAL: u32 = 50;
const MOST: u32 = 200;

/// Which receipts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// `next` of the page before; without it the latest.
    before: Option<String>,
    /// At most so many: 1 to 200, usually 50.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// Some of the receipts, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskReceipts {
    receipts: Vec<DeskReceipt>,
    /// As `before` for those that come next; none where there are no more.
    next: Option<String>,
}

/// What remains of one case: nothing of its content.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskReceipt {
    call_id: Uuid,
    deleted_at: String,
    /// `closed`: its time after closing was over; `age`: the time that callers are told; `asked`: erased before, by whoever
    /// runs the server.
    why: String,
    /// `server`, `command line` or `private key`.
    who: String,
    /// Which kinds of data there were: `transcript`, `note`, `case`, `caller-number`, `acts`, `follow-ups`.
    kinds: Vec<String>,
    /// SHA-256, in hexadecimal, over what was stored.
    hash: String,
}

impl From<Receipt> for DeskReceipt {
    fn from(receipt: Receipt) -> Self {
        Self {
            call_id: receipt.call_id.0,
            deleted_at: receipt.deleted_at.to_string(),
            why: receipt.why,
            who: receipt.who,
            kinds: receipt.kinds,
            hash: receipt.hash,
        }
    }
}

/// Reads the receipts of what was deleted.
#[utoipa::path(
    get,
    path = "/api/desk/receipts",
    operation_id = "desk_receipts",
    tag = "desk",
    extensions(("x-act" = json!("export"))),
    params(Wanted),
    responses(
        (status = 200, body = DeskReceipts),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn receipts(
    State(app): State<App>,
    _: Signed<Export>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<DeskReceipts>, ApiError> {
    let limit_expected = ApiError::Parameter {
        name: "limit",
        expected: "1 to 200",
    };
    let Ok(Query(wanted)) = wanted else {
        return Err(limit_expected);
    };
    let limit = wanted.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(limit_expected);
    }
    let before = wanted.before.map(|place| place.parse()).transpose();
    let before = before.map_err(|_| ApiError::Parameter {
        name: "before",
        expected: "`next` of the page before",
    })?;
    // One more tells whether there is another page.
    let mut receipts = stored(app.desk.receipts(before, limit + 1).await)?;
    let more = receipts.len() > limit as usize;
    receipts.truncate(limit as usize);
    let last = receipts.last().filter(|_| more);
    let next = last.map(|receipt| receipt.place().to_string());
    Ok(Json(DeskReceipts {
        receipts: receipts.into_iter().map(DeskReceipt::from).collect(),
        next,
    }))
}
