//! What is sent along to a service elsewhere so that it knows a request for ours: the headers of the credential that a server names
//! by its `credentialId`. They are never told to a program, and not printed. The token of a plan of OAuth 2 is asked for by
//! [`crate::bearer_tokens`].

use aws_lc_rs::hmac;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use platform::resource::{
    AuthenticationPlan, AuthenticationPlanType, CreateCredential, HmacAlgorithm, SignatureEncoding,
    known,
};
use redact::Secret;
use resources::{Kind, Resources};
use uuid::Uuid;

use crate::bearer_tokens::{BearerTokens, NoToken};

/// A request that is to be sent, as far as a signature may cover it.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    pub method: &'a str,
    pub url: &'a str,
    /// The same each time that this is tried.
    pub message_id: &'a str,
    pub at: Timestamp,
    /// It may hold a caller's words.
    pub body: &'a Secret<String>,
}

/// Why a credential gives no headers. Nothing of it is repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    #[error("there is no such credential: see the list of them with GET /credential")]
    Unknown,
    #[error("credentials cannot be reached at the moment")]
    Unavailable,
    #[error(
        "this credential is of a provider whose requests are not ours to make: use one of the provider `webhook`"
    )]
    OfAProvider,
    #[error(transparent)]
    NoToken(#[from] NoToken),
    #[error("the credential's {0} cannot be sent in a header: change it with PATCH /credential")]
    Unfit(&'static str),
}

/// The headers of the credential of this id for this request.
pub async fn headers(
    resources: &Resources,
    tokens: &BearerTokens,
    id: &str,
    request: &Outgoing<'_>,
) -> Result<HeaderMap, CredentialError> {
    let id: Uuid = id.parse().map_err(|_| CredentialError::Unknown)?;
    let found = resources.get(Kind::Credential, id).await;
    let found = found.map_err(|error| {
        tracing::error!(%error, "a credential cannot be read");
        CredentialError::Unavailable
    })?;
    let credential = found.ok_or(CredentialError::Unknown)?;
    if credential.unopened {
        return Err(CredentialError::Unavailable);
    }
    let plan = known::<CreateCredential>(&credential.body).and_then(|credential| credential.plan());
    let plan = plan.ok().flatten().ok_or(CredentialError::OfAProvider)?;
    match plan.kind {
        Some(AuthenticationPlanType::Oauth2) => {
            let token = tokens.token(id, credential.version(), &plan).await?;
            let mut headers = HeaderMap::new();
            let bearer = format!("Bearer {}", token.expose_secret());
            headers.insert(AUTHORIZATION, value(&bearer, "token")?);
            Ok(headers)
        }
        _ => of_plan(&plan, request),
    }
}

/// Of a plan for which nobody is asked.
fn of_plan(
    plan: &AuthenticationPlan,
    request: &Outgoing<'_>,
) -> Result<HeaderMap, CredentialError> {
    match plan.kind {
        Some(AuthenticationPlanType::Bearer) => bearer(plan),
        Some(AuthenticationPlanType::Hmac) => signed(plan, request),
        Some(AuthenticationPlanType::Oauth2) | None => Err(CredentialError::Unfit("type")),
    }
}

fn bearer(plan: &AuthenticationPlan) -> Result<HeaderMap, CredentialError> {
    let token = plan.token.as_ref().map(Secret::expose_secret);
    let token = token.ok_or(CredentialError::Unfit("token"))?;
    let prefix = match plan.bearer_prefix_enabled {
        Some(false) => "",
        Some(true) | None => "Bearer ",
    };
    let mut headers = HeaderMap::new();
    let name = name(&plan.header_name, "authorization", "headerName")?;
    headers.insert(name, value(&format!("{prefix}{token}"), "token")?);
    Ok(headers)
}

fn signed(plan: &AuthenticationPlan, request: &Outgoing<'_>) -> Result<HeaderMap, CredentialError> {
    let secret = plan.secret_key.as_ref().map(Secret::expose_secret);
    let secret = secret.ok_or(CredentialError::Unfit("secretKey"))?;
    let secret = match plan.secret_is_base64 {
        Some(true) => STANDARD
            .decode(secret)
            .map_err(|_| CredentialError::Unfit("secretKey"))?,
        Some(false) | None => secret.as_bytes().to_vec(),
    };
    let algorithm = match plan.algorithm {
        Some(HmacAlgorithm::Sha512) => hmac::HMAC_SHA512,
        Some(HmacAlgorithm::Sha1) => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Some(HmacAlgorithm::Sha256) | None => hmac::HMAC_SHA256,
    };
    let dated = plan.include_timestamp != Some(false);
    let usual = match dated {
        true => "{timestamp}.{body}",
        false => "{body}",
    };
    let timestamp = request.at.as_second().to_string();
    let payload = filled(
        plan.payload_format.as_deref().unwrap_or(usual),
        &[
            ("{timestamp}", &timestamp),
            ("{method}", request.method),
            ("{url}", request.url),
            ("{svix-id}", request.message_id),
            ("{body}", request.body.expose_secret()),
        ],
    );
    let key = hmac::Key::new(algorithm, &secret);
    let signature = hmac::sign(&key, payload.expose_secret().as_bytes());
    let signature = match plan.signature_encoding {
        Some(SignatureEncoding::Base64) => STANDARD.encode(signature.as_ref()),
        Some(SignatureEncoding::Hex) | None => {
            let digits = signature.as_ref().iter();
            digits.map(|byte| format!("{byte:02x}")).collect()
        }
    };
    let prefix = plan.signature_prefix.as_deref().unwrap_or_default();
    let mut headers = HeaderMap::new();
    headers.insert(
        name(&plan.signature_header, "x-signature", "signatureHeader")?,
        value(&format!("{prefix}{signature}"), "signaturePrefix")?,
    );
    if dated {
        let name = name(&plan.timestamp_header, "x-timestamp", "timestampHeader")?;
        headers.insert(name, value(&timestamp, "timestampHeader")?);
    }
    if plan.message_id_header.is_some() {
        let name = name(&plan.message_id_header, "", "messageIdHeader")?;
        headers.insert(name, value(request.message_id, "messageIdHeader")?);
    }
    Ok(headers)
}

/// The format with each of these in its place. What stands in one of them is not looked at again: a body may hold anything.
fn filled(format: &str, places: &[(&str, &str)]) -> Secret<String> {
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let place = places.iter().find(|(name, _)| rest.starts_with(name));
        let (taken, put) = place.map_or(("{", "{"), |(name, filling)| (*name, *filling));
        text.push_str(put);
        rest = &rest[taken.len()..];
    }
    text.push_str(rest);
    Secret::new(text)
}

/// Those that say how a request is read are no credential's to set.
const NOT_ITS_OWN: [&str; 5] = [
    "host",
    "content-length",
    "content-type",
    "transfer-encoding",
    "connection",
];

fn name(
    named: &Option<String>,
    usual: &str,
    field: &'static str,
) -> Result<HeaderName, CredentialError> {
    let name: HeaderName = named
        .as_deref()
        .unwrap_or(usual)
        .parse()
        .map_err(|_| CredentialError::Unfit(field))?;
    match NOT_ITS_OWN.contains(&name.as_str()) {
        true => Err(CredentialError::Unfit(field)),
        false => Ok(name),
    }
}

fn value(text: &str, field: &'static str) -> Result<HeaderValue, CredentialError> {
    let mut value = HeaderValue::from_str(text).map_err(|_| CredentialError::Unfit(field))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::*;

    fn told(plan: Value) -> Result<Vec<(String, String)>, CredentialError> {
        let fields = plan.as_object().unwrap().clone();
        let plan: AuthenticationPlan = known(&Secret::new(fields)).unwrap();
        let body = Secret::new(String::from(r#"{"message":"{url}"}"#));
        let request = Outgoing {
            method: "POST",
            url: "https://crm.example/hook",
            message_id: "msg_1",
            at: Timestamp::from_second(1_800_000_000).unwrap(),
            body: &body,
        };
        let headers = of_plan(&plan, &request)?;
        assert!(headers.values().all(HeaderValue::is_sensitive));
        let headers = headers.iter();
        let mut told: Vec<_> = headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        told.sort();
        Ok(told)
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_bearer_is_sent_as_it_says() {
        let usual = told(json!({"type": "bearer", "token": "t0ken"}));
        assert_eq!(usual.unwrap(), [pair("authorization", "Bearer t0ken")]);
        let own = json!({
            "type": "bearer", "token": "t0ken", "headerName": "X-Api-Key", "bearerPrefixEnabled": false,
        });
        assert_eq!(told(own).unwrap(), [pair("x-api-key", "t0ken")]);
    }

    /// The signatures are those of `openssl dgst -hmac`.
    #[test]
    fn a_request_is_signed_as_the_plan_says() {
        let usual = json!({"type": "hmac", "secretKey": "key", "algorithm": "sha256"});
        assert_eq!(
            told(usual).unwrap(),
            [
                pair(
                    "x-signature",
                    "e16f9a0aad276c9a00bfe94cfce104b1a4ff07cfb9f1a5bc941cdc496a702e0c"
                ),
                pair("x-timestamp", "1800000000")
            ]
        );
        let own = json!({
            "type": "hmac", "secretKey": "a2V5", "secretIsBase64": true, "algorithm": "sha1", "signatureEncoding": "base64",
            "signatureHeader": "webhook-signature", "signaturePrefix": "v1,", "includeTimestamp": false,
            "messageIdHeader": "webhook-id", "payloadFormat": "{svix-id}:{method}:{url}:{other}:{body}",
        });
        assert_eq!(
            told(own).unwrap(),
            [
                pair("webhook-id", "msg_1"),
                pair("webhook-signature", "v1,RBuQNXVEkyex4+DqCNJnxAqZVsY=")
            ]
        );
    }

    #[test]
    fn what_cannot_be_sent_is_refused_without_being_repeated() {
        let two_lines = told(json!({"type": "bearer", "token": "t0ken\r\nHost: evil.example"}));
        let refused = two_lines.unwrap_err();
        assert_eq!(refused, CredentialError::Unfit("token"));
        assert!(!refused.to_string().contains("evil"));
        let host = told(json!({"type": "bearer", "token": "t0ken", "headerName": "Host"}));
        assert_eq!(host, Err(CredentialError::Unfit("headerName")));
    }
}
