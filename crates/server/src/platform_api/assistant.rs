//! `/assistant`: assistants. The embedded one is among them. Every change is a version of its own.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use platform::resource::{
    Assistant, CreateAssistant, changed_resource, read_changes, read_resource,
};
use resources::{Kind, NewResource};

use super::asked_tools::check_tools;
use super::assistant_version;
use super::honoured::check_voice;
use super::kept::{self, Id, Shown, kept_resource};
use super::list_query::ListQuery;
use super::not_followed;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

kept_resource!(list: Assistant, Assistant, "/assistant", "list_assistants");
kept_resource!(read: Assistant, Assistant, "/assistant/{id}", "read_assistant");

/// Keeps a new one. Fields that are not known here are kept as they are, and given back.
#[utoipa::path(
    post,
    path = "/assistant",
    operation_id = "create_assistant",
    tag = "platform",
    request_body = CreateAssistant,
    responses(
        (status = 201, body = Assistant),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `voice-unknown`: the message names those that are installed"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: a function with a server, and with anything but one required text"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, HeaderMap, Shown), ApiError> {
    let (_, fields) = read_resource::<CreateAssistant>(&body)?;
    not_followed::refuse_promises(&body)?;
    check_voice(&app, &fields)?;
    check_tools(&app, &fields).await?;
    let new = NewResource::of(Kind::Assistant, fields);
    let added = stored(app.resources.add(new, jiff::Timestamp::now()).await)?;
    let added = added.ok_or(ApiError::Internal)?;
    assistant_version::keep(&app, &added).await?;
    let named = not_followed::named(&body);
    Ok((StatusCode::CREATED, named, kept::shown(&added)))
}

/// Changes the fields that are named; `null` takes one out. What it was before stays as a version.
#[utoipa::path(
    patch,
    path = "/assistant/{id}",
    operation_id = "update_assistant",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
    responses(
        (status = 200, body = Assistant),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`resource-built-in`: it is part of the program"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: a function with a server, and with anything but one required text"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(HeaderMap, Shown), ApiError> {
    let changes = read_changes(&body)?;
    not_followed::refuse_promises(&body)?;
    check_voice(&app, &changes)?;
    check_tools(&app, &changes).await?;
    if let Ok(stands) = kept::find(&app, Kind::Assistant, &id).await {
        // One that was made by an earlier version of this program, or whose version could not be stored.
        assistant_version::keep(&app, &stands).await?;
    }
    let changed = kept::change(&app, Kind::Assistant, &id, |stands| {
        changed_resource::<CreateAssistant>(&stands.body, &changes)
    })
    .await?;
    assistant_version::keep(&app, &changed).await?;
    Ok((not_followed::named(&body), kept::shown(&changed)))
}

/// Removes one for good, with its versions.
#[utoipa::path(
    delete,
    path = "/assistant/{id}",
    operation_id = "remove_assistant",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = Assistant),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`resource-built-in`: it is part of the program"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove(State(app): State<App>, _: PrivateKey, Id(id): Id) -> Result<Shown, ApiError> {
    let removed = kept::remove(&app, Kind::Assistant, &id).await?;
    assistant_version::forget_all(&app, &removed).await?;
    Ok(kept::shown(&removed))
}
