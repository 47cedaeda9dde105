//! `/api/desk/provider` and `/api/desk/provider/callback`: signing in by an identity provider. The page asks where to go, and
//! goes there; the provider sends the browser back. What went wrong meanwhile is told by the page, from a word in its address.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use desk::SignInError;
use jiff::Timestamp;
use redact::Secret;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cookie;
use super::sign_in::may_try;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::identity_provider::{Held, IdentityProvider, ProviderError};
use crate::records_unavailable::stored;

/// How one gets in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaysIn {
    /// What the identity provider is called that one may sign in by, if there is one.
    provider: Option<String>,
}

/// Where the browser is to go.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderPlace {
    location: String,
}

/// What the provider sends a browser back with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SentBack {
    #[param(value_type = Option<String>)]
    code: Option<Secret<String>>,
    state: Option<String>,
    /// The provider's, when it let nobody in.
    error: Option<String>,
}

/// Whether there is an identity provider to sign in by, beside password and code.
#[utoipa::path(
    get,
    path = "/api/desk/provider",
    operation_id = "desk_ways_in",
    tag = "desk",
    responses(
        (status = 200, body = WaysIn),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn ways_in(State(app): State<App>) -> Result<Json<WaysIn>, ApiError> {
    open(&app).await?;
    let provider = app.identity_provider.as_ref();
    Ok(Json(WaysIn {
        provider: provider.map(|provider| provider.name().to_owned()),
    }))
}

/// Where to go to sign in there. What the browser needs when it is back, it holds in a cookie.
#[utoipa::path(
    post,
    path = "/api/desk/provider",
    operation_id = "desk_to_provider",
    tag = "desk",
    responses(
        (status = 200, body = ProviderPlace),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet, or no provider"),
        (status = 429, body = ErrorAnswer, description = "`too-often`"),
        (status = 503, body = ErrorAnswer, description = "`provider-unreachable`, `records-unavailable`")
    )
)]
pub async fn to_provider(
    State(app): State<App>,
    holder: Holder,
) -> Result<(HeaderMap, Json<ProviderPlace>), ApiError> {
    may_try(&app, holder)?;
    open(&app).await?;
    let provider = provider_of(&app)?;
    let sent = provider.send_there().await.map_err(|error| {
        tracing::warn!(%error, "nobody signs in by the identity provider");
        ApiError::ProviderUnreachable
    })?;
    let cookie = cookie::on_the_way(&sent.held.as_text(), &app.settings);
    let place = ProviderPlace {
        location: sent.location.into(),
    };
    Ok((with_cookies([cookie])?, Json(place)))
}

/// Where the provider sends a browser back to, which goes on to the desk: signed in, or told why not.
#[utoipa::path(
    get,
    path = "/api/desk/provider/callback",
    operation_id = "desk_from_provider",
    tag = "desk",
    params(SentBack),
    responses(
        (status = 303, description = "To `/desk`, with the session in the cookie `nightlight-desk`; or with `?provider=` and `refused`, `unreachable`, `too-often` or `again`"),
        (status = 404, body = ErrorAnswer, description = "`path-not-found`: there is no desk yet, or no provider"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    )
)]
pub async fn from_provider(
    State(app): State<App>,
    holder: Holder,
    headers: HeaderMap,
    Query(back): Query<SentBack>,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    open(&app).await?;
    let provider = provider_of(&app)?;
    let done = cookie::arrived(&app.settings);
    let outcome = match may_try(&app, holder) {
        Ok(()) => signed_in(&app, provider, &headers, back).await?,
        Err(_) => Err("too-often"),
    };
    let (cookies, place) = match outcome {
        Ok(token) => (
            vec![done, cookie::holding(&token, &app.settings)],
            "/desk".to_owned(),
        ),
        Err(why) => (vec![done], format!("/desk?provider={why}")),
    };
    let mut headers = with_cookies(cookies)?;
    let place = HeaderValue::from_str(&place).map_err(|_| ApiError::Internal)?;
    headers.insert(header::LOCATION, place);
    Ok((StatusCode::SEE_OTHER, headers))
}

/// The session of whoever is back, or the word for why there is none.
async fn signed_in(
    app: &App,
    provider: &IdentityProvider,
    headers: &HeaderMap,
    back: SentBack,
) -> Result<Result<Secret<String>, &'static str>, ApiError> {
    let held = cookie::held_on_the_way(headers);
    // Nothing was asked for here, or too long ago, or in another browser.
    let Some(held) = held.as_ref().and_then(Held::of_text) else {
        return Ok(Err("again"));
    };
    let (Some(code), Some(state)) = (back.code, back.state) else {
        let declined = back.error.as_deref() == Some("access_denied");
        tracing::info!(declined, "the identity provider let nobody in");
        return Ok(Err("refused"));
    };
    let vouched = match provider.vouched(held, &state, code).await {
        Ok(vouched) => vouched,
        Err(ProviderError::NotAsked) => return Ok(Err("again")),
        Err(error @ ProviderError::Unreachable(_)) => {
            tracing::warn!(%error, "nobody signs in by the identity provider");
            return Ok(Err("unreachable"));
        }
        Err(error @ ProviderError::DoesNotHold(_)) => {
            tracing::warn!(%error, "nobody is let in on the identity provider's word");
            return Ok(Err("refused"));
        }
    };
    let session = cookie::token_of(headers);
    let session = session.as_ref().map(|token| token.expose_secret().as_str());
    let now = Timestamp::now();
    match app.desk.sign_in_vouched(&vouched, session, now).await {
        Ok(signed_in) => Ok(Ok(signed_in.token)),
        Err(SignInError::Store(error)) => Err(super::sign_in::failed(error)),
        Err(_) => Ok(Err("refused")),
    }
}

async fn open(app: &App) -> Result<(), ApiError> {
    match stored(app.desk.is_open().await)? {
        true => Ok(()),
        false => Err(ApiError::NoSuchPath),
    }
}

fn provider_of(app: &App) -> Result<&IdentityProvider, ApiError> {
    app.identity_provider.as_deref().ok_or(ApiError::NoSuchPath)
}

fn with_cookies(cookies: impl IntoIterator<Item = String>) -> Result<HeaderMap, ApiError> {
    let mut headers = HeaderMap::new();
    for cookie in cookies {
        let cookie = HeaderValue::from_str(&cookie).map_err(|_| ApiError::Internal)?;
        headers.append(header::SET_COOKIE, cookie);
    }
    Ok(headers)
}
