//! Tokens that an authorization server gives out for a client's id and secret, by which another service knows requests for
//! ours: the client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). One is asked for when it is first needed, and kept, here
//! alone, until it expires or is not taken any more. Neither the secret nor a token is in a log or an error.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use endpoint::Address;
use openidconnect::url::form_urlencoded;
use platform::resource::AuthenticationPlan;
use redact::Secret;
use reqwest::Client;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

const ANSWER_WITHIN: Duration = Duration::from_secs(10);
const LONGEST_ANSWER: usize = 64 * 1024;
/// A token is on its way for a while.
const SPARE: Duration = Duration::from_secs(30);
/// One that does not say how long it lasts is asked for anew after this.
const USUAL: Duration = Duration::from_mins(5);
const LONGEST: Duration = Duration::from_hours(24);

/// Why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoToken {
    #[error("its authorization server's address is none that a secret may go to")]
    Unfit,
    #[error("its authorization server cannot be reached")]
    Unreachable,
    #[error("its authorization server refuses it")]
    Refused { status: u16 },
    #[error("its authorization server gives no bearer token")]
    NoBearer,
}

/// The tokens of this process, by the credential that each is for.
pub struct BearerTokens {
    client: Client,
    places: Mutex<HashMap<Uuid, Arc<Place>>>,
}

/// Whoever asks for one holds it: all others wait for the same.
type Place = tokio::sync::Mutex<Option<Kept>>;

struct Kept {
    /// Of the credential: a changed one has another token.
    version: i64,
    token: Secret<String>,
    until: Instant,
}

/// What the authorization server answers.
#[derive(Deserialize)]
struct Granted {
    access_token: Secret<String>,
    #[serde(default)]
    token_type: Option<String>,
    /// In seconds: a number, or one in letters.
    #[serde(default)]
    expires_in: Value,
}

impl BearerTokens {
    /// By a client that follows no redirect.
    pub fn new(client: Client) -> Self {
        Self {
            client,
            places: Mutex::default(),
        }
    }

    /// The token of a credential, by its plan of this version.
    pub async fn token(
        &self,
        credential: Uuid,
        version: i64,
        plan: &AuthenticationPlan,
    ) -> Result<Secret<String>, NoToken> {
        let place = self.place(credential);
        let mut place = place.lock().await;
        let now = Instant::now();
        let good = |kept: &&Kept| kept.version == version && kept.until > now;
        if let Some(kept) = place.as_ref().filter(good) {
            return Ok(kept.token.clone());
        }
        *place = None;
        let granted = self.ask(plan).await?;
        let token = granted.access_token.clone();
        *place = Some(Kept {
            version,
            token: token.clone(),
            until: now + granted.lasts(),
        });
        Ok(token)
    }

    /// It is not taken any more: the next is asked for.
    pub async fn forget(&self, credential: Uuid) {
        *self.place(credential).lock().await = None;
    }

    fn place(&self, credential: Uuid) -> Arc<Place> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(places.entry(credential).or_default())
    }

    async fn ask(&self, plan: &AuthenticationPlan) -> Result<Granted, NoToken> {
        let address = plan.url.as_deref().unwrap_or_default().trim();
        let address = Address::of(address).map_err(|_| NoToken::Unfit)?;
        let request = self
            .client
            .post(address.whole())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json")
            .timeout(ANSWER_WITHIN)
            .body(form(plan).expose_secret().clone());
        // What the client says of it would repeat the address, which may hold a key.
        let mut answer = request.send().await.map_err(|_| NoToken::Unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            let status = status.as_u16();
            return Err(NoToken::Refused { status });
        }
        let mut read = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(|_| NoToken::Unreachable)? {
            if read.len() + piece.len() > LONGEST_ANSWER {
                return Err(NoToken::NoBearer);
            }
            read.extend_from_slice(&piece);
        }
        let granted: Granted = serde_json::from_slice(&read).map_err(|_| NoToken::NoBearer)?;
        let kind = granted.token_type.as_deref();
        match kind.is_none_or(|kind| kind.eq_ignore_ascii_case("bearer")) {
            true => Ok(granted),
            false => Err(NoToken::NoBearer),
        }
    }
}

impl Granted {
    /// For how long it is used.
    fn lasts(&self) -> Duration {
        let told = self.expires_in.as_f64();
        let told = told.or_else(|| self.expires_in.as_str()?.trim().parse().ok());
        let told = told.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(SPARE));
        told.map_or(USUAL, |told| told.saturating_sub(SPARE).min(LONGEST))
    }
}

/// The secret goes in the body, which every authorization server of today reads.
fn form(plan: &AuthenticationPlan) -> Secret<String> {
    let secret = plan.client_secret.as_ref();
    let secret = secret.map_or("", |secret| secret.expose_secret().as_str());
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials")
        .append_pair("client_id", plan.client_id.as_deref().unwrap_or_default())
        .append_pair("client_secret", secret);
    if let Some(scope) = plan.scope.as_deref().filter(|scope| !scope.is_empty()) {
        form.append_pair("scope", scope);
    }
    Secret::new(form.finish())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use platform::resource::known;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_used_for_as_long_as_it_lasts_and_no_longer() {
        let lasts = |answer: Value| serde_json::from_value::<Granted>(answer).unwrap().lasts();
        let seconds = Duration::from_secs;
        for (answer, expected) in [
            (
                json!({"access_token": "t", "expires_in": 3600}),
                seconds(3570),
            ),
            (
                json!({"access_token": "t", "expires_in": "3600"}),
                seconds(3570),
            ),
            (
                json!({"access_token": "t", "expires_in": 10}),
                Duration::ZERO,
            ),
            (
                json!({"access_token": "t", "expires_in": -1}),
                Duration::ZERO,
            ),
            (
                json!({"access_token": "t", "expires_in": 1e30}),
                Duration::ZERO,
            ),
            (json!({"access_token": "t", "expires_in": 999_999}), LONGEST),
            (json!({"access_token": "t"}), USUAL),
        ] {
            assert_eq!(lasts(answer.clone()), expected, "{answer}");
        }
    }

    #[test]
    fn what_is_asked_is_written_as_a_form() {
        let plan = json!({
            "type": "oauth2", "url": "https://id.example", "clientId": "night & day", "clientSecret": "s=1", "scope": "a b",
        });
        let plan: AuthenticationPlan =
            known(&Secret::new(plan.as_object().unwrap().clone())).unwrap();
        assert_eq!(
            form(&plan).expose_secret(),
            "grant_type=client_credentials&client_id=night+%26+day&client_secret=s%3D1&scope=a+b"
        );
    }

    #[tokio::test]
    async fn no_secret_goes_to_an_address_that_is_not_fit_for_it() {
        let plan = json!({"type": "oauth2", "url": "http://id.example", "clientId": "c", "clientSecret": "s"});
        let plan: AuthenticationPlan =
            known(&Secret::new(plan.as_object().unwrap().clone())).unwrap();
        let tokens = BearerTokens::new(endpoint::client().unwrap());
        let refused = tokens.token(Uuid::nil(), 1, &plan).await;
        assert_eq!(refused.err(), Some(NoToken::Unfit));
    }
}
