//! The keys that programs make. A token's value is its id and 256 random bits; what is kept is a digest of it, among its fields
//! and sealed with them. To look one up is one read by its id, on any node, so one that is revoked opens nothing from then on.
//!
//! SHA-256 without salt or stretching is enough: nobody guesses 256 random bits, however fast they are hashed.
//!
//! While no private key is set no token opens anything: they are made with it, and end with it.

use std::time::Instant;

use axum::http::header;
use axum::http::request::Parts;
use desk::token::{Digest, new_token};
use jiff::Timestamp;
use platform::call::Inline;
use platform::resource::{CreateToken, TokenTag, known};
use redact::Secret;
use resources::{Kind, Resource};
use serde_json::Value;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::app::App;
use crate::client_address::ClientAddress;
use crate::errors::ApiError;
use crate::keys::Key;
use crate::read_limits;
use crate::records_unavailable::stored;

/// The field of a token's body in which its digest stands. No program sets it or sees it.
const DIGEST: &str = "digest";
/// The field in which its value is told, once.
pub const VALUE: &str = "value";

const DIGITS_OF_AN_ID: usize = 32;
const DIGITS_OF_A_SECRET: usize = 64;

/// What is to be kept of a new token, and its value.
pub fn new(id: Uuid, asked: &Inline) -> (Inline, Secret<String>) {
    let (secret, _) = new_token();
    let value = format!("{}.{}", id.simple(), secret.expose_secret());
    let mut fields = without_keys(asked).expose_secret().clone();
    let digest = Digest::of(&value).as_str().to_owned();
    fields.insert(DIGEST.to_owned(), Value::from(digest));
    (Secret::new(fields), Secret::new(value))
}

/// As it is shown, and as a program may send it: without value and digest.
pub fn without_keys(fields: &Inline) -> Inline {
    let mut fields = fields.expose_secret().clone();
    fields.remove(DIGEST);
    fields.remove(VALUE);
    Secret::new(fields)
}

/// What a key opens that is none of the settings'.
pub async fn opened(key: &str, parts: &Parts, app: &App) -> Result<Key, ApiError> {
    let id = id_in(key).filter(|_| app.settings.private_key.is_some());
    // What has not the form of a token is looked up nowhere.
    let id = id.ok_or(ApiError::KeyWrong)?;
    let address = parts.extensions.get::<ClientAddress>().copied();
    if let Some(address) = address {
        app.rates.wrong_tokens.has_room(address, Instant::now())?;
    }
    let token = stored(app.resources.get(Kind::Token, id).await)?;
    let Some(token) = token.filter(|token| is_its_value(key, token)) else {
        if let Some(address) = address {
            app.rates.wrong_tokens.take(address, Instant::now())?;
        }
        return Err(ApiError::KeyWrong);
    };
    let token: CreateToken = known(&token.body).map_err(|_| ApiError::KeyWrong)?;
    let bounds = token.restrictions.unwrap_or_default();
    if bounds.enabled == Some(false) {
        return Err(ApiError::KeyRevoked);
    }
    if bounds.expires_at.is_some_and(|at| at <= Timestamp::now()) {
        return Err(ApiError::KeyExpired);
    }
    if token.tag == Some(TokenTag::Private) {
        read_limits::by_key(id, parts, &app.rates)?;
        return Ok(Key::Private);
    }
    let origin = parts.headers.get(header::ORIGIN);
    let origin = origin.and_then(|origin| origin.to_str().ok());
    let named = |origins: &Vec<String>| origins.iter().any(|it| Some(it.as_str()) == origin);
    match bounds.allowed_origins.as_ref().is_none_or(named) {
        true => Ok(Key::Public(bounds)),
        false => Err(ApiError::OriginNotAllowed),
    }
}

/// The id in a key that has the form of a token.
fn id_in(key: &str) -> Option<Uuid> {
    let (id, secret) = key.split_once('.')?;
    let in_digits = |text: &str, count| {
        text.len() == count
            && text
                .bytes()
                .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    };
    let sound = in_digits(id, DIGITS_OF_AN_ID) && in_digits(secret, DIGITS_OF_A_SECRET);
    sound.then(|| Uuid::parse_str(id).ok()).flatten()
}

/// Of one that cannot be opened nothing is known, and nothing is its value.
fn is_its_value(key: &str, token: &Resource) -> bool {
    let digest = Digest::of(key);
    let kept = token.body.expose_secret().get(DIGEST);
    let kept = kept.and_then(Value::as_str).unwrap_or_default();
    kept.as_bytes().ct_eq(digest.as_str().as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[test]
    fn what_is_kept_of_a_token_is_a_digest_and_a_program_cannot_set_it() {
        let id = Uuid::now_v7();
        let asked = json!({"name": "Page", "digest": "mine", "value": "mine"});
        let asked = asked.as_object().cloned().unwrap_or_default();
        let (kept, value) = new(id, &Secret::new(asked));
        assert_eq!(id_in(value.expose_secret()), Some(id));
        let text = Value::from(kept.expose_secret().clone()).to_string();
        let (_, secret) = value.expose_secret().split_once('.').unwrap_or_default();
        assert!(secret.len() == DIGITS_OF_A_SECRET && !text.contains(secret));
        assert!(!text.contains("mine"), "{text}");
        let shown = Value::from(without_keys(&kept).expose_secret().clone());
        assert_eq!(shown, json!({"name": "Page"}));
        let (_, other) = new(id, &Secret::new(Map::new()));
        assert_ne!(value.expose_secret(), other.expose_secret());
    }

    #[test]
    fn what_has_not_the_form_of_a_token_is_looked_up_nowhere() {
        let id = "0".repeat(DIGITS_OF_AN_ID);
        let secret = "a".repeat(DIGITS_OF_A_SECRET);
        assert!(id_in(&format!("{id}.{secret}")).is_some());
        for odd in [
            String::new(),
            id.clone(),
            format!("{id}."),
            format!("{id}.{secret}a"),
            format!("{id}.{}", secret.to_uppercase()),
            format!("{id}a.{secret}"),
            format!("{id}.{secret}.{secret}"),
            format!("{}.{secret}", "g".repeat(DIGITS_OF_AN_ID)),
        ] {
            assert_eq!(id_in(&odd), None, "{odd}");
        }
    }
}
