//! `/v2/knowledge-base/{id}/file`: files that were sent, attached to a knowledge base. What is in them is read as it is attached, and
//! whether anything of it can be told is the file's status.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use platform::Invalid;
use platform::resource::{AttachFile, KnowledgeBaseFile, KnowledgeBaseFileStatus};
use redact::Secret;
use resources::{Kind, Resource};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kept::{self, Id, Shown};
use super::known_files;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// What a base holds.
const MOST_FILES: usize = 40;

/// The files of a base, in the order in which they were attached.
#[utoipa::path(
    get,
    path = "/v2/knowledge-base/{id}/file",
    operation_id = "list_knowledge_base_files",
    tag = "platform",
    params(("id" = String, Path, description = "The base")),
    responses(
        (status = 200, body = [KnowledgeBaseFile]),
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
) -> Result<Json<Vec<Shown>>, ApiError> {
    let base = kept::find(&app, Kind::KnowledgeBase, &id).await?;
    Ok(Json(files(&base).into_iter().filter_map(shown).collect()))
}

/// Attaches a file, once. It is `ready` where callers may be told of what is in it, and otherwise `failed`, with the reason in `error`.
#[utoipa::path(
    post,
    path = "/v2/knowledge-base/{id}/file",
    operation_id = "attach_knowledge_base_file",
    tag = "platform",
    params(("id" = String, Path, description = "The base")),
    request_body = AttachFile,
    responses(
        (status = 201, body = KnowledgeBaseFile),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`: also where the base has as many as it holds"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: the base, or the file"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn attach(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let asked: AttachFile = platform::read(&body)?;
    let base = kept::find(&app, Kind::KnowledgeBase, &id).await?;
    let file = kept::find(&app, Kind::File, &asked.file_id).await?;
    let entry = read_now(&app, base.id, &file, None).await;
    let changed = kept::change(&app, Kind::KnowledgeBase, &id, |stands| {
        let mut all = files(stands);
        all.retain(|other| other["fileId"] != entry["fileId"]);
        if all.len() >= MOST_FILES {
            return Err(Invalid::Field {
                path: String::from("fileId"),
                problem: format!(
                    "a base holds {MOST_FILES} files: detach one, or make another base"
                ),
            });
        }
        all.push(entry.clone());
        Ok(with_files(stands, all))
    });
    changed.await?;
    Ok((StatusCode::CREATED, shown(entry).ok_or(ApiError::Internal)?))
}

/// Detaches a file, and gives it as it was. The file itself stays.
#[utoipa::path(
    delete,
    path = "/v2/knowledge-base/{id}/file/{fileId}",
    operation_id = "detach_knowledge_base_file",
    tag = "platform",
    params(("id" = String, Path, description = "The base"), ("fileId" = String, Path, description = "The file")),
    responses(
        (status = 200, body = KnowledgeBaseFile),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn detach(
    State(app): State<App>,
    _: PrivateKey,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Shown, ApiError> {
    let (id, file) = both(path)?;
    let base = kept::find(&app, Kind::KnowledgeBase, &id).await?;
    let was = attached(&base, &file)?;
    let changed = kept::change(&app, Kind::KnowledgeBase, &id, |stands| {
        let mut all = files(stands);
        all.retain(|other| other["fileId"] != was["fileId"]);
        Ok(with_files(stands, all))
    });
    changed.await?;
    shown(was).ok_or(ApiError::Internal)
}

/// Reads an attached file again.
#[utoipa::path(
    post,
    path = "/v2/knowledge-base/{id}/file/{fileId}/retry",
    operation_id = "retry_knowledge_base_file",
    tag = "platform",
    params(("id" = String, Path, description = "The base"), ("fileId" = String, Path, description = "The file")),
    responses(
        (status = 201, body = KnowledgeBaseFile),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: the base, or it has not that file"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn retry(
    State(app): State<App>,
    _: PrivateKey,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<(StatusCode, Shown), ApiError> {
    let (id, file) = both(path)?;
    let base = kept::find(&app, Kind::KnowledgeBase, &id).await?;
    let was = attached(&base, &file)?;
    let file_id = was["fileId"]
        .as_str()
        .and_then(|id| id.parse::<Uuid>().ok());
    let file = match file_id {
        Some(id) => stored(app.resources.get(Kind::File, id).await)?,
        None => None,
    };
    let entry = match file {
        Some(file) => read_now(&app, base.id, &file, Some(&was)).await,
        None => failed(was.clone(), &known_files::NotTold::Gone.to_string()),
    };
    let changed = kept::change(&app, Kind::KnowledgeBase, &id, |stands| {
        let mut all = files(stands);
        for other in &mut all {
            if other["fileId"] == entry["fileId"] {
                *other = entry.clone();
            }
        }
        Ok(with_files(stands, all))
    });
    changed.await?;
    Ok((StatusCode::CREATED, shown(entry).ok_or(ApiError::Internal)?))
}

/// What stands of a file in its base, once it was read.
async fn read_now(app: &App, base: Uuid, file: &Resource, was: Option<&Value>) -> Value {
    let now = now();
    let of = |name: &str| {
        file.body
            .expose_secret()
            .get(name)
            .cloned()
            .unwrap_or(Value::Null)
    };
    let earlier = |name: &str| was.and_then(|was| was.get(name)).cloned();
    let mut entry = json!({
        "id": earlier("id").unwrap_or_else(|| Uuid::now_v7().to_string().into()),
        "knowledgeBaseV2Id": base.to_string(),
        "fileId": file.id.to_string(),
        "status": KnowledgeBaseFileStatus::Ready.as_str(),
        "createdAt": earlier("createdAt").unwrap_or_else(|| now.clone().into()),
        "updatedAt": now,
    });
    for (name, of_file) in [
        ("fileName", "name"),
        ("mimetype", "mimetype"),
        ("bytes", "bytes"),
    ] {
        let value = of(of_file);
        if !value.is_null() {
            entry[name] = value;
        }
    }
    match known_files::tellable(app, file.id).await {
        Ok(_) => entry,
        Err(reason) => failed(entry, &reason.to_string()),
    }
}

fn failed(mut entry: Value, reason: &str) -> Value {
    entry["status"] = KnowledgeBaseFileStatus::Failed.as_str().into();
    entry["error"] = reason.into();
    entry["updatedAt"] = now().into();
    entry
}

fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

fn files(base: &Resource) -> Vec<Value> {
    let files = base.body.expose_secret().get("files");
    files.and_then(Value::as_array).cloned().unwrap_or_default()
}

fn with_files(base: &Resource, files: Vec<Value>) -> resources::Body {
    let mut body = base.body.expose_secret().clone();
    body.insert("files".into(), files.into());
    Secret::new(body)
}

/// By the file's id, or by that of its being attached.
fn attached(base: &Resource, id: &str) -> Result<Value, ApiError> {
    let found = files(base)
        .into_iter()
        .find(|file| file["fileId"] == id || file["id"] == id);
    found.ok_or(ApiError::UnknownResource {
        kind: "file of this knowledge base",
        path: "v2/knowledge-base/{id}/file",
    })
}

/// What is not in UTF-8 names nothing.
fn both(path: Result<Path<(String, String)>, PathRejection>) -> Result<(String, String), ApiError> {
    match path {
        Ok(Path(both)) => Ok(both),
        Err(_) => Ok((String::new(), String::new())),
    }
}

fn shown(entry: Value) -> Option<Shown> {
    match entry {
        Value::Object(entry) => Some(Shown(Secret::new(entry))),
        _ => None,
    }
}
