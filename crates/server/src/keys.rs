//! Which key a request carries. The public one starts calls and chats; every other path of the platform API asks for the private
//! one, and is closed while none is set. Beside these two of the settings programs make keys of their own, of either sort:
//! `tokens` knows them. The operator's opens what is seen of the server itself. Secrets are compared in constant time.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use platform::resource::TokenRestrictions;
use redact::Secret;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::app::App;
use crate::errors::ApiError;
use crate::settings::Settings;
use crate::{read_limits, tokens};

/// What a key opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// Every path of the platform.
    Private,
    /// The page's own, which everybody may know: calls and chats.
    OfThePage,
    /// A public token: what the page's does, within these bounds.
    Public(TokenRestrictions),
}

/// Whom a call or a chat is to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins<'a> {
    With(&'a str),
    /// With a squad or a workflow by its id.
    WithSeveral,
    /// With what is given in full.
    InFull,
    /// It has begun: it goes on with whom it has.
    GoesOn,
}

impl Key {
    pub fn is_private(&self) -> bool {
        *self == Self::Private
    }

    /// Whether it opens what asks for a private key.
    fn opens_all(&self, settings: &Settings) -> Result<(), ApiError> {
        match self {
            Self::Private => Ok(()),
            _ if settings.private_key.is_none() => Err(ApiError::PrivateKeyUnset),
            Self::OfThePage => Err(ApiError::KeyWrong),
            Self::Public(_) => Err(ApiError::KeyPublic),
        }
    }

    /// Whether it may begin a call or a chat so.
    pub fn may_begin(&self, begins: Begins<'_>) -> Result<(), ApiError> {
        let Self::Public(bounds) = self else {
            return Ok(());
        };
        let ids = bounds.allowed_assistant_ids.as_ref();
        let allowed = match begins {
            Begins::With(id) => ids.is_none_or(|ids| ids.iter().any(|allowed| allowed == id)),
            // Who is in it can change.
            Begins::WithSeveral => ids.is_none(),
            Begins::InFull => ids.is_none() && bounds.allow_transient_assistant != Some(false),
            Begins::GoesOn => true,
        };
        allowed.then_some(()).ok_or(ApiError::AssistantNotAllowed)
    }
}

/// What this request's key opens; it must carry one.
async fn opened(parts: &Parts, app: &App) -> Result<Key, ApiError> {
    let key = bearer(&parts.headers).ok_or(ApiError::KeyMissing)?;
    if same(key, &app.settings.public_key) {
        return Ok(Key::OfThePage);
    }
    if is_private(key, &app.settings) {
        read_limits::by_key(Uuid::nil(), parts, &app.rates)?;
        return Ok(Key::Private);
    }
    tokens::opened(key, parts, app).await
}

/// On a request that carries a key of either sort; another is refused before its body is read.
#[derive(Debug, Clone)]
pub struct AnyKey(pub Key);

impl FromRequestParts<App> for AnyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        opened(parts, app).await.map(Self)
    }
}

/// On a request that carries a private key; another is refused before its body is read.
#[derive(Debug, Clone, Copy)]
pub struct PrivateKey;

impl FromRequestParts<App> for PrivateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if bearer(&parts.headers).is_some() && app.settings.private_key.is_none() {
            return Err(ApiError::PrivateKeyUnset);
        }
        let key = opened(parts, app).await?;
        key.opens_all(&app.settings).map(|()| Self)
    }
}

/// Whether a request sees everything, by a private key, or what is its visitor's, by none. A key that is shown must be right.
#[derive(Debug, Clone, Copy)]
pub struct SeesAll(pub bool);

impl FromRequestParts<App> for SeesAll {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(false));
        }
        PrivateKey::from_request_parts(parts, app).await?;
        Ok(Self(true))
    }
}

/// The same where a page sends its key with everything it asks: that is its visitor's request too.
#[derive(Debug, Clone, Copy)]
pub struct SeesAllOrPage(pub bool);

impl FromRequestParts<App> for SeesAllOrPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(false));
        }
        match opened(parts, app).await {
            Ok(key) => Ok(Self(key.is_private())),
            Err(ApiError::KeyWrong) if app.settings.private_key.is_none() => {
                Err(ApiError::PrivateKeyUnset)
            }
            Err(error) => Err(error),
        }
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
