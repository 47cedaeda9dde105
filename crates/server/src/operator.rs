//! Who sees how the server runs: whoever asks from this machine itself, and whoever has the operator's key.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::app::App;
use crate::client_address::FromThisMachine;
use crate::errors::ApiError;
use crate::keys;

/// An argument of the handlers that answer nobody else.
#[derive(Debug, Clone, Copy)]
pub struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if parts.extensions.get::<FromThisMachine>().is_some() {
            return Ok(Self);
        }
        keys::operator_key(&parts.headers, &app.settings).map(|()| Self)
    }
}
