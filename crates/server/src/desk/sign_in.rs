//! `/api/desk/sign-in`, `/api/desk/sign-out` and `/api/desk/me`: getting in, being in, and leaving.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use desk::{Account, Act, Attempt, Extent, SignInError};
use jiff::Timestamp;
use redact::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cookie;
use super::signed::{SeeOwnAccount, Signed};
use super::wire::DeskAccount;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// Who is signed in, and what they may do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSession {
    account: DeskAccount,
    /// How far, for each act: `never`, `own-agency` or `all`.
    may: BTreeMap<&'static str, &'static str>,
    /// It ends then at the latest; earlier when it rests.
    until: String,
    /// How many recovery codes are left. Told when one has signed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_codes: Option<usize>,
}

impl DeskSession {
    fn of(account: &Account, until: Timestamp, recovery_codes: Option<usize>) -> Self {
        let may = Act::ALL.iter().map(|act| {
            let extent = match account.extent(*act) {
                Extent::Never => "never",
                Extent::OwnAgency => "own-agency",
                Extent::All => "all",
            };
            (act.as_str(), extent)
        });
        Self {
            account: DeskAccount::from(account),
            may: may.collect(),
            until: until.to_string(),
            recovery_codes,
        }
    }
}

/// What somebody brings who wants in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAttempt {
    sign_in_name: String,
    #[schema(value_type = String, format = Password)]
    password: Secret<String>,
    /// The authenticator app's, or a recovery code.
    #[schema(value_type = String)]
    code: Secret<String>,
}

/// Signs in. A session that the browser had ends, and another begins.
#[utoipa::path(
    post,
    path = "/api/desk/sign-in",
    operation_id = "desk_sign_in",
    tag = "desk",
    request_body = DeskAttempt,
    responses(
        (status = 200, body = DeskSession, description = "The cookie `nightlight-desk` holds the session"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`sign-in-refused`: the same whatever is wrong"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`, `desk-busy`")
    )
)]
pub async fn sign_in(
    State(app): State<App>,
    holder: Holder,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<(HeaderMap, Json<DeskSession>), ApiError> {
    may_try(&app, holder)?;
    if !stored(app.desk.is_open().await)? {
        return Err(ApiError::NoSuchPath);
    }
    let attempt: DeskAttempt = platform::read(&body)?;
    let attempt = Attempt {
        sign_in_name: attempt.sign_in_name,
        password: attempt.password,
        code: attempt.code,
    };
    let held = cookie::token_of(&headers);
    let held = held.as_ref().map(|token| token.expose_secret().as_str());
    let now = Timestamp::now();
    let signed_in = app.desk.sign_in(attempt, held, now).await;
    let signed_in = signed_in.map_err(|error| match error {
        SignInError::Refused => ApiError::SignInRefused,
        SignInError::Busy => ApiError::DeskBusy,
        SignInError::Unreadable => {
            tracing::error!(%error, "nobody signs in with an account");
            ApiError::Internal
        }
        SignInError::Store(error) => failed(error),
    })?;
    let token = signed_in.token.expose_secret();
    let signed = stored(app.desk.signed(token, now).await)?;
    // It was closed in this moment.
    let signed = signed.ok_or(ApiError::SignInRefused)?;
    let mut headers = HeaderMap::new();
    let cookie = cookie::holding(&signed_in.token, &app.settings);
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| ApiError::Internal)?;
    headers.insert(header::SET_COOKIE, cookie);
    let codes = Some(signed_in.recovery_codes);
    let session = DeskSession::of(&signed.account, signed.until, codes);
    Ok((headers, Json(session)))
}

/// Ends the session.
#[utoipa::path(
    post,
    path = "/api/desk/sign-out",
    operation_id = "desk_sign_out",
    tag = "desk",
    extensions(("x-act" = json!("see-own-account"))),
    responses(
        (status = 204),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn sign_out(
    State(app): State<App>,
    signed: Signed<SeeOwnAccount>,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    stored(app.desk.sign_out(&signed.session, Timestamp::now()).await)?;
    app.duty.set_on_duty(signed.account(), false);
    let mut headers = HeaderMap::new();
    let cookie = cookie::taken_back(&app.settings);
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| ApiError::Internal)?;
    headers.insert(header::SET_COOKIE, cookie);
    Ok((StatusCode::NO_CONTENT, headers))
}

/// Who one is, and what one may do.
#[utoipa::path(
    get,
    path = "/api/desk/me",
    operation_id = "desk_me",
    tag = "desk",
    extensions(("x-act" = json!("see-own-account"))),
    responses(
        (status = 200, body = DeskSession),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn me(signed: Signed<SeeOwnAccount>) -> Json<DeskSession> {
    let session = &signed.session;
    Json(DeskSession::of(&session.account, session.until, None))
}

/// Counts a try from where it comes.
pub fn may_try(app: &App, holder: Holder) -> Result<(), ApiError> {
    match holder.address {
        Some(address) => Ok(app.rates.sign_ins.take(address, Instant::now())?),
        None => Ok(()),
    }
}

/// A change that the store refused.
pub fn failed(error: records::StoreError) -> ApiError {
    match stored::<()>(Err(error)) {
        Err(error) => error,
        Ok(()) => ApiError::RecordsUnavailable,
    }
}
