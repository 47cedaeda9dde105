//! `GET /api/desk/nodes`: the nodes that a page of the desk opens its events at. A call's sound and all that is known of it while
//! it lives are at the node that answered, so whoever wants to hear of every call asks every node (decision 0063).

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::signed::{SeeQueue, Signed};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;

/// The nodes whose calls are this desk's.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskNodes {
    /// The name of the one that answers; none where it has no name, and the paths without `/node/NAME` are its own.
    here: Option<String>,
    /// The names of all that answer for their calls: each is asked about them below `/node/NAME/api/desk/`.
    nodes: Vec<String>,
}

/// The nodes that calls may live on.
#[utoipa::path(
    get,
    path = "/api/desk/nodes",
    operation_id = "desk_nodes",
    tag = "desk",
    extensions(("x-act" = json!("see-queue"))),
    responses(
        (status = 200, body = DeskNodes),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: Signed<SeeQueue>,
) -> Result<Json<DeskNodes>, ApiError> {
    let here = app.settings.node_name.clone();
    let mut nodes = stored(app.records.nodes().await)?;
    // Its own lease may just have lapsed; but it is there, for it answers.
    if let Some(name) = here.as_ref().filter(|name| !nodes.contains(name)) {
        nodes.push(name.clone());
        nodes.sort();
    }
    Ok(Json(DeskNodes { here, nodes }))
}
