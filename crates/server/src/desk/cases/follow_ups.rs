//! `/api/desk/cases/{id}/follow-ups`: what is still to be done, by whom and until when.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use desk::AccountId;
use desk::cases::{FollowUpChange, NewFollowUp};
use jiff::Timestamp;
use records::CallId;
use redact::Secret;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;
use uuid::Uuid;

use super::names::Names;
use super::refusal::{CaseRefusal, refused};
use super::wire::{DeskFollowUp, MOST_WORDS, moment, some_words};
use super::{known, wire};
use crate::app::App;
use crate::desk::signed::{EditNote, Signed};
use crate::desk::wire::read;
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::JsonBody;

/// What is to be done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNewFollowUp {
    /// `task` or `call-back`.
    kind: String,
    #[schema(value_type = String, max_length = 4000)]
    words: Secret<String>,
    due_at: String,
    /// Somebody who sees the case; without one it is nobody's yet.
    owner_id: Option<Uuid>,
}

/// Adds what is to be done in a case.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/follow-ups",
    operation_id = "desk_add_follow_up",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    request_body = DeskNewFollowUp,
    responses(
        (status = 201, body = DeskFollowUp),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-closed`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn add(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<DeskFollowUp>), ApiError> {
    let call = known(id)?;
    let new: DeskNewFollowUp = platform::read(&body)?;
    let new = NewFollowUp {
        kind: read("kind", &new.kind)?,
        words: some_words("words", new.words, MOST_WORDS)?,
        due_at: moment("dueAt", &new.due_at)?,
        owner: new.owner_id.map(AccountId),
    };
    let added = app
        .desk
        .add_follow_up(signed.account(), call, new, Timestamp::now());
    let added = match added.await {
        Ok(added) => added,
        Err(error) => return Err(refused(error, &app).await),
    };
    app.case_bell.notify_one();
    let names = Names::read(&app).await?;
    let added = DeskFollowUp::of(&added, &names);
    Ok((StatusCode::CREATED, Json(added)))
}

/// What is to be other than before.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFollowUpChange {
    #[schema(value_type = Option<String>, max_length = 4000)]
    words: Option<Secret<String>>,
    due_at: Option<String>,
    /// `null`: nobody's.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Uuid>)]
    owner_id: Option<Option<Uuid>>,
    done: Option<bool>,
}

/// Changes what is to be done, or says that it is done.
#[utoipa::path(
    patch,
    path = "/api/desk/cases/{id}/follow-ups/{followUpId}",
    operation_id = "desk_change_follow_up",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path), ("followUpId" = Uuid, Path)),
    request_body = DeskFollowUpChange,
    responses(
        (status = 200, body = DeskFollowUp),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`, `follow-up-not-found`; `path-not-found`: there is no desk yet"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn change(
    State(app): State<App>,
    signed: Signed<EditNote>,
    ids: Result<Path<(Uuid, Uuid)>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskFollowUp>, ApiError> {
    let Ok(Path((call, id))) = ids else {
        return Err(ApiError::Case(CaseRefusal::UnknownFollowUp));
    };
    let change: DeskFollowUpChange = platform::read(&body)?;
    let words = change.words.map(|it| some_words("words", it, MOST_WORDS));
    let due_at = change.due_at.map(|it| wire::moment("dueAt", &it));
    let change = FollowUpChange {
        words: words.transpose()?,
        due_at: due_at.transpose()?,
        owner: change.owner_id.map(|owner| owner.map(AccountId)),
        done: change.done,
    };
    let (call, now) = (CallId(call), Timestamp::now());
    let changed = app
        .desk
        .change_follow_up(signed.account(), call, id, change, now);
    let changed = match changed.await {
        Ok(changed) => changed,
        Err(error) => return Err(refused(error, &app).await),
    };
    app.case_bell.notify_one();
    let names = Names::read(&app).await?;
    Ok(Json(DeskFollowUp::of(&changed, &names)))
}

/// A value that is `null` is told from one that is not there.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Uuid>>, D::Error> {
    Option::deserialize(from).map(Some)
}
