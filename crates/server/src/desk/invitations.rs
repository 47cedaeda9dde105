//! `/api/desk/invitation`: what an invited person is shown, and how they get in. The token comes in the body: an address is
//! kept in logs and histories.

use axum::Json;
use axum::extract::State;
use desk::AcceptError;
use jiff::Timestamp;
use platform::Invalid;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::sign_in::{failed, may_try};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::request_body::JsonBody;

/// An invitation's token, out of its link.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskToken {
    #[schema(value_type = String)]
    token: Secret<String>,
}

/// What the invited person sets up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskInvitation {
    name: String,
    sign_in_name: String,
    until: String,
    /// For an authenticator app, to be typed: in base 32.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    totp_secret: Secret<String>,
    /// The same as an `otpauth:` address, to be shown as a picture.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    totp_address: Secret<String>,
}

/// Shows an invitation.
#[utoipa::path(
    post,
    path = "/api/desk/invitation",
    operation_id = "desk_invitation",
    tag = "desk",
    request_body = DeskToken,
    responses(
        (status = 200, body = DeskInvitation),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`invitation-not-found`: it was used, has ended or never was"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn show(
    State(app): State<App>,
    holder: Holder,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskInvitation>, ApiError> {
    may_try(&app, holder)?;
    let DeskToken { token } = platform::read(&body)?;
    let now = Timestamp::now();
    let invitation = app.desk.invitation(token.expose_secret(), now).await;
    let invitation = invitation.map_err(refusal)?.ok_or(ApiError::NoInvitation)?;
    Ok(Json(DeskInvitation {
        name: invitation.name,
        sign_in_name: invitation.sign_in_name.to_string(),
        until: invitation.until.to_string(),
        totp_secret: invitation.totp_secret,
        totp_address: invitation.totp_address,
    }))
}

/// What the invited person has set up.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeskAcceptance {
    #[schema(value_type = String)]
    token: Secret<String>,
    /// 12 characters or more.
    #[schema(value_type = String, format = Password)]
    password: Secret<String>,
    /// The one that the authenticator app shows.
    #[schema(value_type = String)]
    code: Secret<String>,
}

/// Codes that sign in once each where the app is lost. They are shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskRecoveryCodes {
    #[serde(serialize_with = "expose_all")]
    #[schema(value_type = Vec<String>)]
    recovery_codes: Vec<Secret<String>>,
}

/// Sets password and authenticator. Signing in comes after.
#[utoipa::path(
    post,
    path = "/api/desk/invitation/accept",
    operation_id = "desk_accept_invitation",
    tag = "desk",
    request_body = DeskAcceptance,
    responses(
        (status = 200, body = DeskRecoveryCodes),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`; `field-invalid`: also a password that is too simple, or a code that does not fit"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`invitation-not-found`: it was used, has ended or never was"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`, `desk-busy`")
    )
)]
pub async fn accept(
    State(app): State<App>,
    holder: Holder,
    JsonBody(body): JsonBody,
) -> Result<Json<DeskRecoveryCodes>, ApiError> {
    may_try(&app, holder)?;
    let acceptance: DeskAcceptance = platform::read(&body)?;
    let token = acceptance.token.expose_secret();
    let (password, code) = (acceptance.password, acceptance.code);
    let codes = app.desk.accept(token, password, code, Timestamp::now());
    let codes = codes.await.map_err(refusal)?;
    Ok(Json(DeskRecoveryCodes {
        recovery_codes: codes.0,
    }))
}

fn refusal(error: AcceptError) -> ApiError {
    let field = |path: &str| {
        ApiError::Body(Invalid::Field {
            path: path.to_owned(),
            problem: error.to_string(),
        })
    };
    match error {
        AcceptError::NoInvitation => ApiError::NoInvitation,
        AcceptError::BadPassword => field("password"),
        AcceptError::WrongCode => field("code"),
        AcceptError::Busy => ApiError::DeskBusy,
        AcceptError::Unreadable => {
            tracing::error!(%error, "an invitation cannot be accepted");
            ApiError::Internal
        }
        AcceptError::Store(error) => failed(error),
    }
}

fn expose_all<S: Serializer>(codes: &[Secret<String>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(codes.iter().map(Secret::expose_secret))
}
