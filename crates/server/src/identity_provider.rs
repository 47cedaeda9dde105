//! The identity provider that officers may sign in by: where a browser is sent, and what its coming back is worth (OpenID
//! Connect's authorization code flow, with PKCE). Who the person is at the desk is `desk::Vouched`'s.
//!
//! What is known of the provider is asked for each time: officers sign in a few times a day, and a key that it has changed is
//! never an old one here. What the browser holds meanwhile is of use to nobody else: the code that comes back is good for this
//! client and this verifier alone.

use std::time::Duration;

use axum::http;
use desk::Vouched;
use endpoint::{Address, ClientError};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreUserInfoClaims,
};
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndUserEmail,
    EndUserUsername, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse,
    IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    TokenResponse,
};
use redact::Secret;
use reqwest::Url;
use subtle::ConstantTimeEq;

use crate::settings::{self, NameClaim};

/// For each of the few requests of one signing in.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Keys, a token, a few claims: some kilobytes each.
const LONGEST_ANSWER: usize = 256 * 1024;

/// Those that a provider's public keys check. With one made of the client's secret, whoever knows the secret could sign.
const SIGNED_BY_KEY: [CoreJwsSigningAlgorithm; 8] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
];

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The provider, as settings name it.
pub struct IdentityProvider {
    http: reqwest::Client,
    set: settings::IdentityProvider,
    issuer: IssuerUrl,
    redirect_uri: RedirectUrl,
}

/// A browser is on its way to the provider.
pub struct SentThere {
    pub location: Url,
    pub held: Held,
}

/// What it holds until it is back.
pub struct Held {
    state: Secret<String>,
    nonce: Secret<String>,
    verifier: Secret<String>,
}

/// Why nobody is vouched for. What the provider or a library says of it holds no token and no code.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    #[error("the identity provider cannot be asked: {0}")]
    Unreachable(String),
    #[error("this is not the answer to what this browser asked for")]
    NotAsked,
    #[error("what the identity provider says does not hold: {0}")]
    DoesNotHold(String),
}

impl IdentityProvider {
    pub fn new(set: settings::IdentityProvider) -> Result<Self, anyhow::Error> {
        Ok(Self {
            http: endpoint::client().map_err(|error: ClientError| anyhow::anyhow!(error))?,
            issuer: IssuerUrl::new(set.issuer.clone())?,
            redirect_uri: RedirectUrl::new(set.redirect_uri.clone())?,
            set,
        })
    }

    /// What the page calls it.
    pub fn name(&self) -> &str {
        &self.set.name
    }

    /// Where a browser is sent that wants in.
    pub async fn send_there(&self) -> Result<SentThere, ProviderError> {
        let client = self.client().await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (location, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        Ok(SentThere {
            location,
            held: Held {
                state: Secret::new(state.secret().clone()),
                nonce: Secret::new(nonce.secret().clone()),
                verifier: Secret::new(verifier.secret().clone()),
            },
        })
    }

    /// Who a browser that is back is, on the provider's word.
    pub async fn vouched(
        &self,
        held: Held,
        state: &str,
        code: Secret<String>,
    ) -> Result<Vouched, ProviderError> {
        let asked = held.state.expose_secret().as_bytes();
        if !bool::from(asked.ct_eq(state.as_bytes())) {
            return Err(ProviderError::NotAsked);
        }
        let client = self.client().await?;
        let code = AuthorizationCode::new(code.expose_secret().clone());
        let verifier = PkceCodeVerifier::new(held.verifier.expose_secret().clone());
        let token = client
            .exchange_code(code)
            .map_err(does_not_hold)?
            .set_pkce_verifier(verifier)
            .request_async(&self.requests())
            .await
            .map_err(does_not_hold)?;
        let id_token = token
            .id_token()
            .ok_or_else(|| ProviderError::DoesNotHold("there is no ID token".to_owned()))?;
        let id_tokens = client.id_token_verifier().set_allowed_algs(SIGNED_BY_KEY);
        let nonce = Nonce::new(held.nonce.expose_secret().clone());
        let claims = id_token.claims(&id_tokens, &nonce).map_err(does_not_hold)?;
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = id_token.signing_alg().map_err(does_not_hold)?;
            let key = id_token.signing_key(&id_tokens).map_err(does_not_hold)?;
            let hash = AccessTokenHash::from_token(token.access_token(), algorithm, key);
            if hash.map_err(does_not_hold)? != *expected {
                return Err(ProviderError::DoesNotHold(
                    "the access token is not the ID token's".to_owned(),
                ));
            }
        }
        let mut name = self.name_in(
            claims.email(),
            claims.email_verified(),
            claims.preferred_username(),
        );
        // Many tell a person's address only where it is asked for by itself.
        if name.is_none()
            && let Ok(request) =
                client.user_info(token.access_token().clone(), Some(claims.subject().clone()))
        {
            let told: CoreUserInfoClaims = request
                .request_async(&self.requests())
                .await
                .map_err(does_not_hold)?;
            name = self.name_in(
                told.email(),
                told.email_verified(),
                told.preferred_username(),
            );
        }
        Ok(Vouched {
            issuer: self.set.issuer.clone(),
            subject: Secret::new(claims.subject().as_str().to_owned()),
            // What is no sign-in name is nobody's here.
            sign_in_name: name.and_then(|name| name.parse().ok()),
        })
    }

    /// What the provider says, in a token or when it is asked, that is held against sign-in names.
    fn name_in(
        &self,
        email: Option<&EndUserEmail>,
        is_verified: Option<bool>,
        username: Option<&EndUserUsername>,
    ) -> Option<String> {
        match self.set.name_claim {
            NameClaim::Email => {
                let email = email.filter(|_| is_verified == Some(true))?;
                Some(email.as_str().to_owned())
            }
            NameClaim::PreferredUsername => Some(username?.as_str().to_owned()),
        }
    }

    async fn client(&self) -> Result<Client, ProviderError> {
        let requests = self.requests();
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &requests)
            .await
            .map_err(|error| ProviderError::Unreachable(whole(&error)))?;
        let secret = ClientSecret::new(self.set.client_secret.expose_secret().clone());
        let id = ClientId::new(self.set.client_id.clone());
        let client = CoreClient::from_provider_metadata(metadata, id, Some(secret));
        Ok(client.set_redirect_uri(self.redirect_uri.clone()))
    }

    /// How the library asks: by a client that follows no redirect, and only where it is fit to.
    fn requests(&self) -> impl Fn(HttpRequest) -> Answering + use<> {
        let http = self.http.clone();
        move |request| Box::pin(answer(http.clone(), request)) as Answering
    }
}

type Answering = std::pin::Pin<Box<dyn Future<Output = Result<HttpResponse, AskError>> + Send>>;

#[derive(Debug, thiserror::Error)]
enum AskError {
    #[error("it would be asked over an unprotected way")]
    Unprotected,
    #[error("its answer is longer than {LONGEST_ANSWER} bytes")]
    TooLong,
    #[error(transparent)]
    Request(#[from] reqwest::Error),
    #[error(transparent)]
    Http(#[from] http::Error),
}

async fn answer(client: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, AskError> {
    // The provider itself says where its other paths are.
    Address::of(&request.uri().to_string()).map_err(|_| AskError::Unprotected)?;
    let mut request = reqwest::Request::try_from(request)?;
    *request.timeout_mut() = Some(ANSWER_WITHIN);
    let without_url = reqwest::Error::without_url;
    let mut response = client.execute(request).await.map_err(without_url)?;
    let mut answer = http::Response::builder().status(response.status());
    if let Some(kind) = response.headers().get(http::header::CONTENT_TYPE) {
        answer = answer.header(http::header::CONTENT_TYPE, kind);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(without_url)? {
        if body.len() + chunk.len() > LONGEST_ANSWER {
            return Err(AskError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(answer.body(body)?)
}

fn does_not_hold(error: impl std::error::Error + 'static) -> ProviderError {
    ProviderError::DoesNotHold(whole(&error))
}

/// With what it comes from.
fn whole(error: &(dyn std::error::Error + 'static)) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        told.push_str(": ");
        told.push_str(&cause.to_string());
        source = cause.source();
    }
    told
}

impl Held {
    /// As a cookie holds it.
    pub fn as_text(&self) -> Secret<String> {
        let parts = [&self.state, &self.nonce, &self.verifier];
        Secret::new(parts.map(|part| part.expose_secret().as_str()).join("."))
    }

    pub fn of_text(text: &Secret<String>) -> Option<Self> {
        let mut parts = text.expose_secret().split('.');
        let mut next = || parts.next().map(|part| Secret::new(part.to_owned()));
        let held = Self {
            state: next()?,
            nonce: next()?,
            verifier: next()?,
        };
        // A verifier of another length would be a slip that the library panics at.
        let length = held.verifier.expose_secret().len();
        let sound = !held.state.expose_secret().is_empty() && (43..=128).contains(&length);
        (sound && parts.next().is_none()).then_some(held)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_browser_holds_reads_as_it_was_written_and_nothing_else_reads() {
        let verifier = "v".repeat(43);
        let text = Secret::new(format!("state.nonce.{verifier}"));
        let held = Held::of_text(&text).unwrap();
        assert_eq!(*held.as_text().expose_secret(), *text.expose_secret());
        for wrong in [
            String::new(),
            "..".to_owned(),
            "state.nonce.short".to_owned(),
            format!(".nonce.{verifier}"),
            format!("state.nonce.{verifier}.more"),
        ] {
            assert!(
                Held::of_text(&Secret::new(wrong.clone())).is_none(),
                "{wrong}"
            );
        }
    }
}
