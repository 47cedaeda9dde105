//! `/file`: files that a program sends, kept with their content. None of them is told to callers.

use axum::Json;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use platform::Invalid;
use platform::resource::{File, FileFields, UpdateFile, changed_resource, read_changes};
use redact::Secret;
use resources::{Kind, NewResource, Resource};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};

use super::kept::{self, Id, Shown, kept_resource};
use super::list_query::{Asked, ListQuery};
use crate::app::{App, MAX_BODY_BYTES};
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::origin;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// The body of `POST /file`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "for the description")]
pub struct SentFile {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    purpose: Option<String>,
    /// A JSON object.
    metadata: Option<String>,
}

/// Keeps a file, of a megabyte at most.
#[utoipa::path(
    post,
    path = "/file",
    operation_id = "create_file",
    tag = "platform",
    request_body(content = SentFile, content_type = "multipart/form-data"),
    responses(
        (status = 201, body = File),
        (status = 400, body = ErrorAnswer, description = "`body-incomplete`, `field-invalid`"),
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
    headers: HeaderMap,
    Sent(sent): Sent,
) -> Result<(StatusCode, Shown), ApiError> {
    let Some((name, kind, content)) = sent.file else {
        return Err(field("file", "is missing"));
    };
    let mut fields = Map::new();
    let name = name.unwrap_or_else(|| String::from("file"));
    fields.insert("object".into(), "file".into());
    fields.insert("status".into(), "done".into());
    fields.insert("name".into(), name.clone().into());
    fields.insert("originalName".into(), name.into());
    fields.insert("bytes".into(), content.len().into());
    if let Some(kind) = kind {
        fields.insert("mimetype".into(), kind.into());
    }
    if let Some(purpose) = sent.purpose {
        fields.insert("purpose".into(), purpose.into());
    }
    if let Some(metadata) = sent.metadata {
        match serde_json::from_str::<Value>(&metadata) {
            Ok(Value::Object(metadata)) => fields.insert("metadata".into(), metadata.into()),
            _ => return Err(field("metadata", "expected a JSON object")),
        };
    }
    let new = NewResource {
        content: Some(Secret::new(BASE64_STANDARD.encode(&content))),
        ..NewResource::of(Kind::File, Secret::new(fields))
    };
    let added = stored(app.resources.add(new, jiff::Timestamp::now()).await)?;
    let added = added.ok_or(ApiError::Internal)?;
    Ok((StatusCode::CREATED, shown(&app, &headers, &added)))
}

/// The same, by the path that older programs know.
#[utoipa::path(
    post,
    path = "/file/upload",
    operation_id = "upload_file",
    tag = "platform",
    request_body(content = SentFile, content_type = "multipart/form-data"),
    responses(
        (status = 201, body = File),
        (status = 400, body = ErrorAnswer, description = "`body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn upload(
    app: State<App>,
    key: PrivateKey,
    headers: HeaderMap,
    sent: Sent,
) -> Result<(StatusCode, Shown), ApiError> {
    create(app, key, headers, sent).await
}

/// Which files.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Those that were sent for this purpose.
    purpose: Option<String>,
}

/// The files that are kept, the newest first, without their content.
#[utoipa::path(
    get,
    path = "/file",
    operation_id = "list_files",
    tag = "platform",
    params(Which, ListQuery),
    responses(
        (status = 200, body = [File]),
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
    headers: HeaderMap,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
) -> Result<Json<Vec<Shown>>, ApiError> {
    let fields = [("purpose", &which.purpose)];
    let page = kept::found(&app, Kind::File, query.wanted()?, None, &fields).await?;
    let files = page.resources.iter();
    Ok(Json(
        files.map(|file| shown(&app, &headers, file)).collect(),
    ))
}

/// What is known of a file.
#[utoipa::path(
    get,
    path = "/file/{id}",
    operation_id = "read_file",
    tag = "platform",
    params(("id" = String, Path, description = "The file")),
    responses(
        (status = 200, body = File),
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
    headers: HeaderMap,
    Id(id): Id,
) -> Result<Shown, ApiError> {
    let file = kept::find(&app, Kind::File, &id).await?;
    Ok(shown(&app, &headers, &file))
}

/// Gives a file another name.
#[utoipa::path(
    patch,
    path = "/file/{id}",
    operation_id = "update_file",
    tag = "platform",
    params(("id" = String, Path, description = "The file")),
    request_body = UpdateFile,
    responses(
        (status = 200, body = File),
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
    headers: HeaderMap,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<Shown, ApiError> {
    let changes = read_changes(&body)?;
    let mut named = Map::new();
    // All else of a file is what was sent.
    if let Some(name) = changes.expose_secret().get("name") {
        named.insert("name".into(), name.clone());
    }
    let named = Secret::new(named);
    let file = kept::change(&app, Kind::File, &id, |stands| {
        changed_resource::<FileFields>(&stands.body, &named)
    });
    Ok(shown(&app, &headers, &file.await?))
}

kept_resource!(remove: File, File, "/file/{id}", "remove_file");

/// What is in a file, as it was sent.
#[utoipa::path(
    get,
    path = "/file/{id}/content",
    operation_id = "read_file_content",
    tag = "platform",
    params(("id" = String, Path, description = "The file")),
    responses(
        (status = 200, body = String, content_type = "application/octet-stream"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn content(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let file = kept::find(&app, Kind::File, &id).await?;
    let content = stored(app.resources.content(Kind::File, file.id).await)?;
    let content = content.unwrap_or_default();
    let bytes = BASE64_STANDARD.decode(content.expose_secret());
    // Never as what it says it is: a page that a program sent would be a page of this site.
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    Ok((
        headers.into_iter().collect(),
        bytes.map_err(|_| ApiError::Internal)?,
    ))
}

/// With where its content is read.
fn shown(app: &App, headers: &HeaderMap, file: &Resource) -> Shown {
    let mut body = file.body.expose_secret().clone();
    let origin = origin::of_request(headers, &app.settings);
    body.insert(
        "url".into(),
        json!(format!("{origin}/file/{}/content", file.id)),
    );
    Shown(kept::kept(file).with(&Secret::new(body)))
}

/// A form that was sent.
pub struct Sent(SentParts);

#[derive(Default)]
struct SentParts {
    /// Its name, its kind, and what is in it.
    file: Option<(Option<String>, Option<String>, Vec<u8>)>,
    purpose: Option<String>,
    metadata: Option<String>,
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let form = Multipart::from_request(request, state).await;
        let mut form = form.map_err(|_| ApiError::WrongContentType {
            expected: "multipart/form-data",
        })?;
        let mut sent = SentParts::default();
        while let Some(part) = form.next_field().await.map_err(refused)? {
            match part.name() {
                Some("file") => {
                    let name = part.file_name().map(str::to_owned);
                    let kind = part.content_type().map(str::to_owned);
                    let content = part.bytes().await.map_err(refused)?;
                    sent.file = Some((name, kind, content.to_vec()));
                }
                Some("purpose") => sent.purpose = Some(part.text().await.map_err(refused)?),
                Some("metadata") => sent.metadata = Some(part.text().await.map_err(refused)?),
                _ => {}
            }
        }
        Ok(Self(sent))
    }
}

fn refused(error: MultipartError) -> ApiError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::BodyTooLarge {
            limit: MAX_BODY_BYTES,
        },
        _ => ApiError::BodyIncomplete,
    }
}

fn field(path: &str, problem: &str) -> ApiError {
    ApiError::Body(Invalid::Field {
        path: path.to_owned(),
        problem: problem.to_owned(),
    })
}
