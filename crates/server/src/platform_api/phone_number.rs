//! `/phone-number`: phone numbers, kept and not rung.

use axum::Json;
use axum::extract::State;
use platform::resource::{CreatePhoneNumber, Paginated, PhoneNumber};
use resources::{Kind, Resource};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use super::kept::{self, Shown, kept_resource};
use super::list_query::{Asked, ListQuery, PageQuery};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;

kept_resource!(create: PhoneNumber, CreatePhoneNumber, PhoneNumber, "/phone-number", "create_phone_number");
kept_resource!(list: PhoneNumber, PhoneNumber, "/phone-number", "list_phone_numbers");
kept_resource!(read: PhoneNumber, PhoneNumber, "/phone-number/{id}", "read_phone_number");
kept_resource!(update: PhoneNumber, CreatePhoneNumber, PhoneNumber, "/phone-number/{id}", "update_phone_number");
kept_resource!(remove: PhoneNumber, PhoneNumber, "/phone-number/{id}", "remove_phone_number");

/// Which of them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Search {
    /// Part of a name, of a number or of a SIP address, in any letter case.
    search: Option<String>,
}

/// A page of those that are kept.
#[utoipa::path(
    get,
    path = "/v2/phone-number",
    operation_id = "list_phone_numbers_in_pages",
    tag = "platform",
    params(Search, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<PhoneNumber>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_page(
    State(app): State<App>,
    _: PrivateKey,
    Asked(search): Asked<Search>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let Some(part) = search.search.filter(|part| !part.is_empty()) else {
        return kept::list_page(&app, Kind::PhoneNumber, &query, &page).await;
    };
    let part = part.to_lowercase();
    let (wanted, number) = query.wanted_on(&page)?;
    let has_it = |resource: &Resource| {
        let body = resource.body.expose_secret();
        let values = ["name", "number", "sipUri"].map(|field| body.get(field));
        let texts = values.into_iter().flatten().filter_map(Value::as_str);
        texts
            .into_iter()
            .any(|text| text.to_lowercase().contains(&part))
    };
    let found = kept::all_that(&app, Kind::PhoneNumber, wanted, has_it).await?;
    Ok(Json(kept::paginated(&found, wanted, number, kept::shown)))
}
