//! `/structured-output`: structured outputs, kept. What is found of a call in one's fields, `structured_output_run` says.

use axum::Json;
use axum::extract::State;
use platform::resource::{CreateStructuredOutput, Paginated, StructuredOutput};
use resources::Kind;
use serde::Deserialize;
use utoipa::IntoParams;

use super::kept::{self, Shown, kept_resource};
use super::list_query::{Asked, ListQuery, PageQuery};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;

kept_resource!(create: StructuredOutput, CreateStructuredOutput, StructuredOutput, "/structured-output", "create_structured_output");
kept_resource!(read: StructuredOutput, StructuredOutput, "/structured-output/{id}", "read_structured_output");
kept_resource!(update: StructuredOutput, CreateStructuredOutput, StructuredOutput, "/structured-output/{id}", "update_structured_output");
kept_resource!(remove: StructuredOutput, StructuredOutput, "/structured-output/{id}", "remove_structured_output");

/// Which of them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The one of this id.
    id: Option<String>,
    /// Those of this name.
    name: Option<String>,
}

/// A page of those that are kept.
#[utoipa::path(
    get,
    path = "/structured-output",
    operation_id = "list_structured_outputs",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<StructuredOutput>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: PrivateKey,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let (wanted, number) = query.wanted_on(&page)?;
    let (id, fields) = (which.id.as_deref(), [("name", &which.name)]);
    let found = kept::found(&app, Kind::StructuredOutput, wanted, id, &fields).await?;
    Ok(Json(kept::paginated(&found, wanted, number, kept::shown)))
}
