//! Which key a request carries. The public one starts calls; every other path of the platform API
//! asks for the private one, and is closed while none is set. The operator's opens what is seen of the server itself. Secrets are compared in constant
//! time.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use redact::Secret;
use subtle::ConstantTimeEq;

use crate::app::App;
use crate::errors::ApiError;
use crate::settings::Settings;

/// Lets through a request that carries the public or the private key.
pub fn either_key(headers: &HeaderMap, settings: &Settings) -> Result<(), ApiError> {
    let key = bearer(headers).ok_or(ApiError::KeyMissing)?;
    if same(key, &settings.public_key) || is_private(key, settings) {
        Ok(())
    } else {
        Err(ApiError::KeyWrong)
    }
}

/// Whether a request carries the public key.
pub fn is_public(headers: &HeaderMap, settings: &Settings) -> bool {
    bearer(headers).is_some_and(|key| same(key, &settings.public_key))
}

/// Lets through a request that carries the private key.
pub fn private_key(headers: &HeaderMap, settings: &Settings) -> Result<(), ApiError> {
    let key = bearer(headers).ok_or(ApiError::KeyMissing)?;
    if settings.private_key.is_none() {
        return Err(ApiError::PrivateKeyUnset);
    }
    is_private(key, settings)
        .then_some(())
        .ok_or(ApiError::KeyWrong)
}

/// On a request that carries the private key; another is refused before its body is read.
#[derive(Debug, Clone, Copy)]
pub struct PrivateKey;

impl FromRequestParts<App> for PrivateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        private_key(&parts.headers, &app.settings).map(|()| Self)
    }
}

/// Lets through a request that carries the operator's key.
pub fn operator_key(headers: &HeaderMap, settings: &Settings) -> Result<(), ApiError> {
    let Some(known) = &settings.operator_key else {
        return Err(ApiError::OperatorsOnly);
    };
    let key = bearer(headers).ok_or(ApiError::KeyMissing)?;
    same(key, known.expose_secret())
        .then_some(())
        .ok_or(ApiError::KeyWrong)
}

/// Lets through a webhook message that carries the secret, or any while none is set.
pub fn webhook_secret(headers: &HeaderMap, settings: &Settings) -> Result<(), ApiError> {
    let Some(secret) = &settings.webhook_secret else {
        return Ok(());
    };
    let given = headers
        .get("x-vapi-secret")
        .and_then(|value| value.to_str().ok())
        .or_else(|| bearer(headers));
    given
        .is_some_and(|given| same(given, secret.expose_secret()))
        .then_some(())
        .ok_or(ApiError::WebhookSecret)
}

fn is_private(key: &str, settings: &Settings) -> bool {
    settings
        .private_key
        .as_ref()
        .map(Secret::expose_secret)
        .is_some_and(|private| same(key, private))
}

fn same(given: &str, known: &str) -> bool {
    given.as_bytes().ct_eq(known.as_bytes()).into()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !key.trim().is_empty()).then(|| key.trim())
}
