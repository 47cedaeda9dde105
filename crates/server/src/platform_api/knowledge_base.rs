//! `/v2/knowledge-base`: knowledge bases, each a name for files that belong together. An assistant that has one answers callers'
//! questions from it where the helpline's own knowledge has no answer.

use axum::extract::State;
use axum::http::StatusCode;
use platform::resource::changed_resource;
use platform::resource::{CreateKnowledgeBase, KnowledgeBase, read_changes, read_resource};
use redact::Secret;
use resources::{Kind, NewResource, Resource};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kept::{self, Id, Shown, kept_resource};
use super::list_query::ListQuery;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::request_body::JsonBody;

/// What the server says of a base. Nobody else sets it.
const THE_SERVERS: [&str; 2] = ["files", "toolId"];

kept_resource!(list: KnowledgeBase, KnowledgeBase, "/v2/knowledge-base", "list_knowledge_bases");
kept_resource!(remove: KnowledgeBase, KnowledgeBase, "/v2/knowledge-base/{id}", "remove_knowledge_base");

/// Keeps a new one, without files. `toolId` is its own id: in an assistant's `model.toolIds` it lets the assistant look things up
/// in this base.
#[utoipa::path(
    post,
    path = "/v2/knowledge-base",
    operation_id = "create_knowledge_base",
    tag = "platform",
    request_body = CreateKnowledgeBase,
    responses(
        (status = 201, body = KnowledgeBase),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let (_, fields) = read_resource::<CreateKnowledgeBase>(&body)?;
    let mut fields = fields.expose_secret().clone();
    let id = Uuid::now_v7();
    fields.insert("files".into(), json!([]));
    fields.insert("toolId".into(), id.to_string().into());
    let new = NewResource {
        id: Some(id),
        ..NewResource::of(Kind::KnowledgeBase, Secret::new(fields))
    };
    kept::add(&app, new).await
}

/// One that is kept, with its files.
#[utoipa::path(
    get,
    path = "/v2/knowledge-base/{id}",
    operation_id = "read_knowledge_base",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = KnowledgeBase),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read(State(app): State<App>, _: PrivateKey, Id(id): Id) -> Result<Shown, ApiError> {
    let base = kept::find(&app, Kind::KnowledgeBase, &id).await?;
    Ok(shown(&base))
}

/// Changes the fields that are named; `null` takes one out. Files are attached and detached, not changed.
#[utoipa::path(
    patch,
    path = "/v2/knowledge-base/{id}",
    operation_id = "update_knowledge_base",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
    responses(
        (status = 200, body = KnowledgeBase),
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
pub async fn update(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<Shown, ApiError> {
    let mut changes = read_changes(&body)?.expose_secret().clone();
    changes.retain(|name, _| !THE_SERVERS.contains(&name.as_str()));
    let changes = Secret::new(changes);
    let changed = kept::change(&app, Kind::KnowledgeBase, &id, |stands| {
        changed_resource::<CreateKnowledgeBase>(&stands.body, &changes)
    });
    Ok(shown(&changed.await?))
}

/// One of an earlier version of this program has no files.
fn shown(base: &Resource) -> Shown {
    let mut body = base.body.expose_secret().clone();
    let files = body.entry("files").or_insert(Value::Null);
    if !files.is_array() {
        *files = json!([]);
    }
    body.entry("toolId").or_insert(base.id.to_string().into());
    Shown(kept::kept(base).with(&Secret::new(body)))
}
