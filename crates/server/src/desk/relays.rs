//! `GET /api/desk/relays`: what an officer's line may go through where their network lets no UDP through, as a caller's may.
//!
//! Asked for on its own, before the offer, while the microphone is opened: in an answer to accepting it would come to those who
//! talk alone, and a listener's offer is answered when the browser has long looked for its ways.

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use platform::IceServer;
use serde::Serialize;
use utoipa::ToSchema;

use super::signed::{SeeQueue, Signed};
use crate::app::App;
use crate::errors::ErrorAnswer;
use crate::relay;

/// The relays of one line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRelays {
    /// Empty where none is set.
    ice_servers: Vec<IceServer>,
}

/// What a line to a call may go through: with a password of its own, which ends when the call must have ended.
#[utoipa::path(
    get,
    path = "/api/desk/relays",
    operation_id = "desk_relays",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    responses(
        (status = 200, body = DeskRelays),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn relays(State(app): State<App>, _: Signed<SeeQueue>) -> Json<DeskRelays> {
    let ice_servers = relay::ice_servers(&app.settings, Timestamp::now());
    Json(DeskRelays { ice_servers })
}
