//! `/api/desk/cases/{id}/…`: taking a case, editing its note, noting what was done, closing it, opening it again.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use desk::cases::CaseError;
use jiff::Timestamp;
use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::known;
use super::refusal::refused;
use super::wire::{DeskCaseVersion, DeskWrittenNote, MOST_WORDS, at_most, number, some_words};
use crate::app::App;
use crate::desk::signed::{CloseCase, EditNote, Signed};
use crate::desk::wire::read;
use crate::errors::{ApiError, ErrorAnswer};
use crate::request_body::JsonBody;

/// Takes a case: whoever does answers for it. A colleague's is taken by supervisors alone.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/take",
    operation_id = "desk_take_case",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "Taken, also if it was by the same account"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-taken`: the message names who has it; `case-closed`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn take(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let taken = app.desk.take_case(signed.account(), call, Timestamp::now());
    done(taken.await, &app).await
}

/// Puts a case back into the queue.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/give-back",
    operation_id = "desk_give_back_case",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-taken`, `case-not-taken`, `case-closed`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn give_back(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let given = app
        .desk
        .give_back_case(signed.account(), call, Timestamp::now());
    done(given.await, &app).await
}

/// Says that one is at work on a case of one's own, such as a long note that is not saved yet: it stays one's own meanwhile. On no
/// trail, because nothing was done with it.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/touch",
    operation_id = "desk_touch_case",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-not-taken`, `case-taken`: it is not one's own, or not any more; `case-closed`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn touch(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let (by, untouched) = (signed.account(), app.settings.case_untouched);
    let touched = app.desk.touch_case(by, call, untouched, Timestamp::now());
    done(touched.await, &app).await
}

/// A note as an officer wants it, and the version of the case that they read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskNoteEdit {
    version: i64,
    #[serde(flatten)]
    note: DeskWrittenNote,
}

/// Replaces the officers' version of the note; the machine's stays beside it. The case goes to the agency that it names.
#[utoipa::path(
    put,
    path = "/api/desk/cases/{id}/note",
    operation_id = "desk_edit_note",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    request_body = DeskNoteEdit,
    responses(
        (status = 200, body = DeskCaseVersion),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-changed`: it is at another version; `case-closed`, `case-unreadable`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn edit_note(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskCaseVersion>, ApiError> {
    let call = known(id)?;
    let edit: DeskNoteEdit = platform::read(&body)?;
    let (note, now) = (edit.note.words()?, Timestamp::now());
    let edited = app
        .desk
        .edit_note(signed.account(), call, edit.version, note, now);
    versioned(edited.await, &app).await
}

/// What was done, and the version of the case that was read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskActionNoted {
    version: i64,
    /// Codes of the case's list.
    actions: Vec<String>,
    /// Beside them, or in their place. Without either nothing is noted any more.
    #[schema(value_type = String, max_length = 4000)]
    words: Secret<String>,
}

/// Notes what was done in a case.
#[utoipa::path(
    put,
    path = "/api/desk/cases/{id}/action-taken",
    operation_id = "desk_note_action",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    request_body = DeskActionNoted,
    responses(
        (status = 200, body = DeskCaseVersion),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`: also an action that is not on the list"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-changed`: it is at another version; `case-closed`, `case-unreadable`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn note_action(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskCaseVersion>, ApiError> {
    let call = known(id)?;
    let DeskActionNoted {
        version,
        mut actions,
        words,
    } = platform::read(&body)?;
    at_most("words", &words, MOST_WORDS)?;
    actions.sort();
    actions.dedup();
    let (by, now) = (signed.account(), Timestamp::now());
    let noted = app.desk.note_action(by, call, version, actions, words, now);
    versioned(noted.await, &app).await
}

/// A number, and the version of the case that was read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCallerNumber {
    version: i64,
    /// The eight digits of one in Singapore, or + and the country's code first; `null`: none.
    #[schema(value_type = Option<String>)]
    caller_number: Option<Secret<String>>,
}

/// Sets the number that the caller can be rung on. Cases of the same number are shown beside each other.
#[utoipa::path(
    put,
    path = "/api/desk/cases/{id}/caller-number",
    operation_id = "desk_set_caller_number",
    tag = "desk",
    extensions(("x-act" = json!("edit-note"))),
    params(("id" = Uuid, Path)),
    request_body = DeskCallerNumber,
    responses(
        (status = 200, body = DeskCaseVersion),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-changed`: it is at another version; `case-closed`, `case-unreadable`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn set_caller_number(
    State(app): State<App>,
    signed: Signed<EditNote>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskCaseVersion>, ApiError> {
    let call = known(id)?;
    let told: DeskCallerNumber = platform::read(&body)?;
    let caller = told.caller_number.as_ref();
    let caller = caller.map(|it| number("callerNumber", it)).transpose()?;
    let (by, now) = (signed.account(), Timestamp::now());
    let set = app
        .desk
        .set_caller_number(by, call, told.version, caller, now);
    versioned(set.await, &app).await
}

/// What came of a case, and the version of it that was read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskClosing {
    version: i64,
    /// `helped`, `referred`, `not-reached` or `no-action-needed`.
    outcome: String,
    #[schema(value_type = Option<String>, max_length = 4000)]
    words: Option<Secret<String>>,
}

/// Closes a case for which it is noted what was done. A colleague's is closed by supervisors alone.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/close",
    operation_id = "desk_close_case",
    tag = "desk",
    extensions(("x-act" = json!("close-case"))),
    params(("id" = Uuid, Path)),
    request_body = DeskClosing,
    responses(
        (status = 204),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`action-missing`; `case-changed`: it is at another version; `case-taken`, `case-closed`, `case-unreadable`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn close(
    State(app): State<App>,
    signed: Signed<CloseCase>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let closing: DeskClosing = platform::read(&body)?;
    let outcome = read("outcome", &closing.outcome)?;
    if let Some(words) = &closing.words {
        at_most("words", words, MOST_WORDS)?;
    }
    let words = closing.words.filter(|words| !is_blank(words));
    let (by, now) = (signed.account(), Timestamp::now());
    let keep_until = app.settings.closed_kept.until(now, outcome);
    let closed = app
        .desk
        .close_case(by, call, closing.version, outcome, words, keep_until, now);
    done(closed.await, &app).await
}

/// Why a case is opened again.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskReopening {
    #[schema(value_type = String, max_length = 4000)]
    why: Secret<String>,
}

/// Opens a closed case again: it waits.
#[utoipa::path(
    post,
    path = "/api/desk/cases/{id}/reopen",
    operation_id = "desk_reopen_case",
    tag = "desk",
    extensions(("x-act" = json!("close-case"))),
    params(("id" = Uuid, Path)),
    request_body = DeskReopening,
    responses(
        (status = 204),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`case-not-closed`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn reopen(
    State(app): State<App>,
    signed: Signed<CloseCase>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let call = known(id)?;
    let DeskReopening { why } = platform::read(&body)?;
    let why = some_words("why", why, MOST_WORDS)?;
    let reopened = app
        .desk
        .reopen_case(signed.account(), call, why, Timestamp::now());
    done(reopened.await, &app).await
}

fn is_blank(words: &Secret<String>) -> bool {
    words.expose_secret().trim().is_empty()
}

async fn done(done: Result<(), CaseError>, app: &App) -> Result<StatusCode, ApiError> {
    match done {
        Ok(()) => {
            app.case_bell.notify_one();
            Ok(StatusCode::NO_CONTENT)
        }
        Err(error) => Err(refused(error, app).await),
    }
}

async fn versioned(
    done: Result<i64, CaseError>,
    app: &App,
) -> Result<Json<DeskCaseVersion>, ApiError> {
    match done {
        Ok(version) => {
            app.case_bell.notify_one();
            Ok(Json(DeskCaseVersion { version }))
        }
        Err(error) => Err(refused(error, app).await),
    }
}
