//! `/token`: the keys that programs make. The value of one is told in the answer that makes it, and is known here by its digest
//! alone: see `tokens`. One is revoked by removing it, or by `restrictions.enabled`.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use platform::Invalid;
use platform::resource::{CreateToken, Token, changed_resource, read_changes, read_resource};
use redact::Secret;
use resources::{Kind, NewResource};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kept::{self, Id, Shown, kept_resource};
use super::list_query::ListQuery;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;
use crate::tokens;

kept_resource!(list: Token, Token, "/token", "list_tokens");
kept_resource!(read: Token, Token, "/token/{id}", "read_token");
kept_resource!(remove: Token, Token, "/token/{id}", "remove_token");

/// Makes a token. The answer has its `value`, which is told nowhere else.
#[utoipa::path(
    post,
    path = "/token",
    operation_id = "create_token",
    tag = "platform",
    request_body = CreateToken,
    responses(
        (status = 201, body = Token),
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
    let (asked, fields) = read_resource::<CreateToken>(&body)?;
    let mut fields = fields.expose_secret().clone();
    if asked.tag.is_none() {
        fields.insert("tag".to_owned(), json!("public"));
    }
    let id = Uuid::now_v7();
    let (kept, value) = tokens::new(id, &Secret::new(fields));
    let new = NewResource {
        id: Some(id),
        ..NewResource::of(Kind::Token, kept)
    };
    let added = stored(app.resources.add(new, Timestamp::now()).await)?;
    // An id of our own is taken by nothing.
    let added = added.ok_or(ApiError::Internal)?;
    let Shown(shown) = kept::shown(&added);
    let mut shown = shown.expose_secret().clone();
    let value = Value::from(value.expose_secret().as_str());
    shown.insert(tokens::VALUE.to_owned(), value);
    Ok((StatusCode::CREATED, Shown(Secret::new(shown))))
}

/// Changes name and restrictions; `null` takes one out. What it opens stays: a key that stood in a page must not become a private
/// one.
#[utoipa::path(
    patch,
    path = "/token/{id}",
    operation_id = "update_token",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
    responses(
        (status = 200, body = Token),
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
    let changes = tokens::without_keys(&read_changes(&body)?);
    let changed = kept::change(&app, Kind::Token, &id, |stands| {
        let changed = changed_resource::<CreateToken>(&stands.body, &changes)?;
        let tag = |fields: &platform::Inline| fields.expose_secret().get("tag").cloned();
        match tag(&changed) == tag(&stands.body) {
            true => Ok(changed),
            false => Err(Invalid::Field {
                path: "tag".to_owned(),
                problem: "expected the one it was made with: make another token".to_owned(),
            }),
        }
    })
    .await?;
    Ok(kept::shown(&changed))
}
