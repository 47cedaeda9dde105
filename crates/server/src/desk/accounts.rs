//! `/api/desk/accounts`: who has an account, for administrators.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use desk::{AccountId, Change, ChangeError, InviteError, NewAccount};
use jiff::Timestamp;
use platform::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::sign_in::failed;
use super::signed::{ManageAccounts, Signed};
use super::wire::{DeskAccount, DeskInvited, read, read_all};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// Every account, closed ones too.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAccounts {
    accounts: Vec<DeskAccount>,
}

/// Lists the accounts, in the order in which they were made.
#[utoipa::path(
    get,
    path = "/api/desk/accounts",
    operation_id = "desk_accounts",
    tag = "desk",
    extensions(("x-act" = json!("manage-accounts"))),
    responses(
        (status = 200, body = DeskAccounts),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: Signed<ManageAccounts>,
) -> Result<Json<DeskAccounts>, ApiError> {
    let accounts = stored(app.desk.accounts(Timestamp::now()).await)?;
    let accounts = accounts.iter().map(DeskAccount::from).collect();
    Ok(Json(DeskAccounts { accounts }))
}

/// Who is to be invited.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskNewAccount {
    name: String,
    /// Of the form of an e-mail address. Nothing is sent there.
    sign_in_name: String,
    /// `officer`, `supervisor`, `administrator` or `auditor`.
    role: String,
    #[serde(default)]
    agencies: Vec<String>,
    /// Their codes (ISO 639).
    #[serde(default)]
    languages: Vec<String>,
}

/// Makes an account, and an invitation to be handed to its holder.
#[utoipa::path(
    post,
    path = "/api/desk/accounts",
    operation_id = "desk_invite",
    tag = "desk",
    extensions(("x-act" = json!("manage-accounts"))),
    request_body = DeskNewAccount,
    responses(
        (status = 201, body = DeskInvited),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`sign-in-name-taken`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn invite(
    State(app): State<App>,
    signed: Signed<ManageAccounts>,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<DeskInvited>), ApiError> {
    let new: DeskNewAccount = platform::read(&body)?;
    let new = NewAccount {
        name: new.name,
        sign_in_name: read("signInName", &new.sign_in_name)?,
        role: read("role", &new.role)?,
        agencies: read_all("agencies", &new.agencies)?,
        languages: read_all("languages", &new.languages)?,
    };
    let invited = app.desk.invite(signed.who(), new, Timestamp::now()).await;
    let invited = invited.map_err(not_invited)?;
    Ok((StatusCode::CREATED, Json(DeskInvited::from(invited))))
}

/// What is to be other than before.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskAccountChange {
    name: Option<String>,
    /// Another one signs its holder out.
    role: Option<String>,
    /// Others than before sign its holder out too.
    agencies: Option<Vec<String>>,
    languages: Option<Vec<String>>,
}

/// Changes an account. Nobody changes their own role.
#[utoipa::path(
    patch,
    path = "/api/desk/accounts/{id}",
    operation_id = "desk_change_account",
    tag = "desk",
    extensions(("x-act" = json!("manage-accounts"))),
    params(("id" = Uuid, Path)),
    request_body = DeskAccountChange,
    responses(
        (status = 200, body = DeskAccount),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`account-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`account-closed`, `account-ones-own`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn change(
    State(app): State<App>,
    signed: Signed<ManageAccounts>,
    id: Result<Path<Uuid>, PathRejection>,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskAccount>, ApiError> {
    let id = known(id)?;
    let change: DeskAccountChange = platform::read(&body)?;
    let agencies = change.agencies.map(|all| read_all("agencies", &all));
    let languages = change.languages.map(|all| read_all("languages", &all));
    let change = Change {
        name: change.name,
        role: change.role.map(|role| read("role", &role)).transpose()?,
        agencies: agencies.transpose()?,
        languages: languages.transpose()?,
    };
    let changed = app
        .desk
        .change_account(signed.who(), id, change, Timestamp::now());
    let changed = changed.await.map_err(not_changed)?;
    Ok(Json(DeskAccount::from(&changed)))
}

/// Closes an account for good. It stays on the list and on the audit trail.
#[utoipa::path(
    delete,
    path = "/api/desk/accounts/{id}",
    operation_id = "desk_close_account",
    tag = "desk",
    extensions(("x-act" = json!("manage-accounts"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 204, description = "Closed, also if it was"),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`account-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`account-ones-own`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn close(
    State(app): State<App>,
    signed: Signed<ManageAccounts>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = known(id)?;
    let closed = app.desk.close_account(signed.who(), id, Timestamp::now());
    closed.await.map_err(not_changed)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes another invitation for an account whose holder has lost the first, a password or an authenticator.
#[utoipa::path(
    post,
    path = "/api/desk/accounts/{id}/invitation",
    operation_id = "desk_invite_again",
    tag = "desk",
    extensions(("x-act" = json!("manage-accounts"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 201, body = DeskInvited),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`account-not-found`; `path-not-found`: there is no desk yet"),
        (status = 409, body = ErrorAnswer, description = "`account-closed`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn invite_again(
    State(app): State<App>,
    signed: Signed<ManageAccounts>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<(StatusCode, Json<DeskInvited>), ApiError> {
    let id = known(id)?;
    let invited = app.desk.invite_again(signed.who(), id, Timestamp::now());
    let invited = invited.await.map_err(not_invited)?;
    Ok((StatusCode::CREATED, Json(DeskInvited::from(invited))))
}

fn not_invited(error: InviteError) -> ApiError {
    match error {
        InviteError::NameTaken => ApiError::SignInNameTaken,
        InviteError::Unknown => ApiError::UnknownAccount,
        InviteError::Closed => ApiError::AccountClosed,
        InviteError::FirstIsAnAdministrator => field("role", &error),
        InviteError::BadName(problem) => field("name", &problem),
        InviteError::Store(error) => failed(error),
    }
}

fn not_changed(error: ChangeError) -> ApiError {
    match error {
        ChangeError::Unknown => ApiError::UnknownAccount,
        ChangeError::Closed => ApiError::AccountClosed,
        ChangeError::OnesOwn => ApiError::OnesOwnAccount,
        ChangeError::BadName(problem) => field("name", &problem),
        ChangeError::Store(error) => failed(error),
    }
}

fn field(path: &str, problem: &impl ToString) -> ApiError {
    ApiError::Body(Invalid::Field {
        path: path.to_owned(),
        problem: problem.to_string(),
    })
}

/// What is no id is no account's.
fn known(id: Result<Path<Uuid>, PathRejection>) -> Result<AccountId, ApiError> {
    match id {
        Ok(Path(id)) => Ok(AccountId(id)),
        Err(_) => Err(ApiError::UnknownAccount),
    }
}
