//! `/assistant/{id}/version`: what an assistant was, after it was made and after every change. The latest hundred are kept. To go back to
//! one, the assistant is changed to what stands in it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use platform::resource::{
    AssistantVersion, CursorMeta, CursorPage, NameVersion, known, read_changes,
};
use redact::Secret;
use resources::{Kind, NewResource, Resource};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;
use uuid::Uuid;

use super::kept::{self, Id, Shown};
use super::list_query::Asked;
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

const MOST: i64 = 100;
const USUAL_PAGE: u32 = 20;

/// Which versions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// At most so many, 20 unless told.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// From a page's `nextCursor`.
    cursor: Option<String>,
}

/// An assistant's versions, the latest first. The first of them is the assistant as it stands.
#[utoipa::path(
    get,
    path = "/assistant/{id}/version",
    operation_id = "list_assistant_versions",
    tag = "platform",
    params(("id" = String, Path, description = "The assistant"), Which),
    responses(
        (status = 200, body = CursorPage<AssistantVersion>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    Asked(which): Asked<Which>,
) -> Result<Json<CursorPage<Shown>>, ApiError> {
    let limit = limit(which.limit.as_deref())?;
    let assistant = kept::find(&app, Kind::Assistant, &id).await?;
    let before = match &which.cursor {
        Some(cursor) => number(cursor).ok_or(ApiError::Parameter {
            name: "cursor",
            expected: "a page's nextCursor",
        })?,
        None => i64::MAX,
    };
    let latest = assistant.version().min(before.saturating_sub(1));
    let oldest = (assistant.version() - MOST).max(0);
    let mut results = Vec::new();
    let mut next = latest;
    while next > oldest && results.len() < limit as usize {
        let id = id_of(assistant.id, next);
        let version = stored(app.resources.get(Kind::AssistantVersion, id).await)?;
        results.extend(version.as_ref().map(shown));
        next -= 1;
    }
    let has_next_page = next > oldest && next > 0;
    Ok(Json(CursorPage {
        results,
        metadata: CursorMeta {
            next_cursor: has_next_page.then(|| label(next + 1)),
            has_next_page,
            limit,
        },
    }))
}

/// The same, by the path that newer programs know.
#[utoipa::path(
    get,
    path = "/assistant/{id}/versions",
    operation_id = "list_assistant_versions_by_their_newer_path",
    tag = "platform",
    params(("id" = String, Path, description = "The assistant"), Which),
    responses(
        (status = 200, body = CursorPage<AssistantVersion>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_newer(
    app: State<App>,
    key: PrivateKey,
    id: Id,
    which: Asked<Which>,
) -> Result<Json<CursorPage<Shown>>, ApiError> {
    list(app, key, id, which).await
}

/// Gives the assistant's latest version a name, and gives it back.
#[utoipa::path(
    post,
    path = "/assistant/{id}/version",
    operation_id = "name_assistant_version",
    tag = "platform",
    params(("id" = String, Path, description = "The assistant")),
    request_body = NameVersion,
    responses(
        (status = 201, body = AssistantVersion),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn name(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let changes = read_changes(&body)?;
    known::<NameVersion>(&changes)?;
    let assistant = kept::find(&app, Kind::Assistant, &id).await?;
    keep(&app, &assistant).await?;
    let version = id_of(assistant.id, assistant.version()).to_string();
    let named = kept::change(&app, Kind::AssistantVersion, &version, |stands| {
        let mut body = stands.body.expose_secret().clone();
        for field in ["versionName", "versionDescription"] {
            match changes.expose_secret().get(field) {
                Some(Value::Null) => drop(body.remove(field)),
                Some(value) => drop(body.insert(field.to_owned(), value.clone())),
                None => {}
            }
        }
        Ok(Secret::new(body))
    });
    Ok((StatusCode::CREATED, shown(&named.await?)))
}

/// One version of an assistant, `v3` for instance.
#[utoipa::path(
    get,
    path = "/assistant/{id}/version/{version}",
    operation_id = "read_assistant_version",
    tag = "platform",
    params(("id" = String, Path, description = "The assistant"), ("version" = String, Path, description = "Its version")),
    responses(
        (status = 200, body = AssistantVersion),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read(
    State(app): State<App>,
    _: PrivateKey,
    path: Result<axum::extract::Path<(String, String)>, axum::extract::rejection::PathRejection>,
) -> Result<Shown, ApiError> {
    // What is not in UTF-8 names nothing.
    let (id, version) = path.map(|path| path.0).unwrap_or_default();
    let assistant = kept::find(&app, Kind::Assistant, &id).await?;
    let wanted = number(&version).unwrap_or_default();
    let id = id_of(assistant.id, wanted).to_string();
    Ok(shown(&kept::find(&app, Kind::AssistantVersion, &id).await?))
}

/// The same, by the path that newer programs know.
#[utoipa::path(
    get,
    path = "/assistant/{id}/versions/{version}",
    operation_id = "read_assistant_version_by_its_newer_path",
    tag = "platform",
    params(("id" = String, Path, description = "The assistant"), ("version" = String, Path, description = "Its version")),
    responses(
        (status = 200, body = AssistantVersion),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read_newer(
    app: State<App>,
    key: PrivateKey,
    path: Result<axum::extract::Path<(String, String)>, axum::extract::rejection::PathRejection>,
) -> Result<Shown, ApiError> {
    read(app, key, path).await
}

/// Keeps the assistant as it stands, unless that is kept already, and lets go of the version that is one too many.
pub async fn keep(app: &App, assistant: &Resource) -> Result<(), ApiError> {
    let (version, now) = (assistant.version(), Timestamp::now());
    let mut fields = assistant.body.expose_secret().clone();
    let text = serde_json::to_vec(&fields).unwrap_or_default();
    let parent = (version > 1).then(|| label(version - 1));
    let own = json!({
        "assistantId": assistant.id.to_string(),
        "version": label(version),
        "configHash": digits(&Sha256::digest(&text)),
        "parentVersion": parent,
    });
    if let Value::Object(own) = own {
        fields.extend(own);
    }
    let new = NewResource {
        id: Some(id_of(assistant.id, version)),
        ..NewResource::of(Kind::AssistantVersion, Secret::new(fields))
    };
    let added = stored(app.resources.add(new, now).await)?;
    if added.is_some() && version > MOST {
        let one_too_many = id_of(assistant.id, version - MOST);
        stored(
            app.resources
                .remove(Kind::AssistantVersion, one_too_many)
                .await,
        )?;
    }
    Ok(())
}

/// Its assistant is gone.
pub async fn forget_all(app: &App, assistant: &Resource) -> Result<(), ApiError> {
    let latest = assistant.version();
    for version in (latest - MOST).max(0) + 1..=latest {
        let id = id_of(assistant.id, version);
        stored(app.resources.remove(Kind::AssistantVersion, id).await)?;
    }
    Ok(())
}

/// The same for the same version: it is kept once, and found without looking through the others.
fn id_of(assistant: Uuid, version: i64) -> Uuid {
    let digest = Sha256::new()
        .chain_update(assistant.as_bytes())
        .chain_update(version.to_be_bytes())
        .finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn label(version: i64) -> String {
    format!("v{version}")
}

fn number(label: &str) -> Option<i64> {
    label.strip_prefix('v')?.parse().ok()
}

fn limit(asked: Option<&str>) -> Result<u32, ApiError> {
    let limit = asked.map_or(Ok(USUAL_PAGE), |asked| asked.parse().map_err(|_| ()));
    match limit {
        Ok(limit @ 1..=100) => Ok(limit),
        _ => Err(ApiError::Parameter {
            name: "limit",
            expected: "a whole number from 1 to 100",
        }),
    }
}

fn shown(version: &Resource) -> Shown {
    let mut body = version.body.expose_secret().clone();
    let own = json!({
        "id": version.id.to_string(),
        "orgId": ORGANISATION,
        "createdAt": format!("{:.3}", version.created_at),
    });
    if let Value::Object(own) = own {
        body.extend(own);
    }
    Shown(Secret::new(body))
}
