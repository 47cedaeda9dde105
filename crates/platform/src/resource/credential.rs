//! A credential: by what another service knows this organisation. Its secrets go in and are not told again: [`without_secrets`]
//! is what an answer shows.

use redact::Secret;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::call::Inline;
use crate::invalid::{Invalid, within};

/// The body of `POST /credential`. Of other providers than `webhook` and `custom-credential` every field is kept as it was sent.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateCredential {
    /// Whose it is, such as `webhook`, `custom-credential` or `openai`.
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub provider: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    /// How requests are shown to be ours. A `webhook`'s and a `custom-credential`'s has the `type` `bearer` (with `token`), `hmac`
    /// (with `secretKey` and `algorithm`) or `oauth2` (with `url`, `clientId` and `clientSecret`): see [`AuthenticationPlan`].
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub authentication_plan: Option<Inline>,
}

/// How a request is shown to be ours.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticationPlan {
    #[serde(rename = "type", default)]
    pub kind: Option<AuthenticationPlanType>,
    /// A `bearer`'s, which is sent with each request.
    #[serde(default)]
    pub token: Option<Secret<String>>,
    /// A `bearer`'s: the header's name, `Authorization` unless told.
    #[serde(default)]
    pub header_name: Option<String>,
    /// A `bearer`'s: whether `Bearer ` stands before the token, as it does unless told.
    #[serde(default)]
    pub bearer_prefix_enabled: Option<bool>,
    /// An `hmac`'s, by which requests are signed.
    #[serde(default)]
    pub secret_key: Option<Secret<String>>,
    #[serde(default)]
    pub algorithm: Option<HmacAlgorithm>,
    /// `x-signature` unless told.
    #[serde(default)]
    pub signature_header: Option<String>,
    /// `x-timestamp` unless told.
    #[serde(default)]
    pub timestamp_header: Option<String>,
    /// Before the signature, such as `sha256=`.
    #[serde(default)]
    pub signature_prefix: Option<String>,
    /// True unless told.
    #[serde(default)]
    pub include_timestamp: Option<bool>,
    /// What is signed, with `{body}`, `{timestamp}`, `{method}`, `{url}` and `{svix-id}` in it; `{timestamp}.{body}` unless told.
    #[serde(default)]
    pub payload_format: Option<String>,
    /// Where the message's own id is sent. None unless told.
    #[serde(default)]
    pub message_id_header: Option<String>,
    /// `hex` unless told.
    #[serde(default)]
    pub signature_encoding: Option<SignatureEncoding>,
    /// False unless told.
    #[serde(default)]
    pub secret_is_base64: Option<bool>,
    /// An `oauth2`'s.
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub client_id: Option<String>,
    #[serde(default)]
    pub client_secret: Option<Secret<String>>,
    #[serde(default)]
    pub scope: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthenticationPlanType {
    Bearer,
    Hmac,
    Oauth2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HmacAlgorithm {
    Sha256,
    Sha512,
    Sha1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignatureEncoding {
    Hex,
    Base64,
}

impl CreateCredential {
    /// How requests are shown to be ours; `None` of a provider whose plan is not known here.
    pub fn plan(&self) -> Result<Option<AuthenticationPlan>, Invalid> {
        match self.provider.as_deref() {
            Some("webhook" | "custom-credential") => {}
            _ => return Ok(None),
        }
        required(&self.authentication_plan, "authenticationPlan")?;
        let fields = self.authentication_plan.as_ref();
        let plan = fields.map(super::known::<AuthenticationPlan>).transpose();
        plan.and_then(|plan| plan.map(|plan| plan.check().map(|()| plan)).transpose())
            .map_err(|error| within("authenticationPlan", error))
    }
}

impl Known for CreateCredential {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.provider, "provider")?;
        self.plan().map(|_| ())
    }
}

impl Known for AuthenticationPlan {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.kind, "type")?;
        match self.kind {
            Some(AuthenticationPlanType::Bearer) => required(&self.token, "token"),
            Some(AuthenticationPlanType::Hmac) => {
                required(&self.secret_key, "secretKey")?;
                required(&self.algorithm, "algorithm")
            }
            Some(AuthenticationPlanType::Oauth2) => {
                required(&self.url, "url")?;
                required(&self.client_id, "clientId")?;
                required(&self.client_secret, "clientSecret")
            }
            None => Ok(()),
        }
    }
}

/// Fields whose name sounds like a secret's and that are none.
const SHOWN: [&str; 2] = ["publickey", "secretisbase64"];
/// What is in the name of a field that holds a secret. Of a provider that is not known, too: rather one field too few is shown.
const SECRET: [&str; 9] = [
    "secret",
    "password",
    "passphrase",
    "token",
    "apikey",
    "privatekey",
    "hookurl",
    "session",
    "assertion",
];

/// All of it but its secrets.
pub fn without_secrets(fields: &Inline) -> Inline {
    let fields = fields.expose_secret();
    let mut told = shown(fields);
    // Whatever is in them: by these a program tells its credentials apart.
    for name in ["provider", "name"] {
        if let Some(value) = fields.get(name) {
            told.insert(name.to_owned(), value.clone());
        }
    }
    Secret::new(told)
}

fn shown(fields: &Map<String, Value>) -> Map<String, Value> {
    let told = fields.iter().filter(|(name, _)| !is_a_secret(name));
    told.map(|(name, value)| (name.clone(), shown_value(value)))
        .collect()
}

fn shown_value(value: &Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(shown(fields)),
        Value::Array(items) => items.iter().map(shown_value).collect(),
        // With a name and a password in it an address is a secret too.
        Value::String(text) if text.contains("://") && text.contains('@') => Value::Null,
        scalar => scalar.clone(),
    }
}

fn is_a_secret(name: &str) -> bool {
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let sounds_so = SECRET.iter().any(|part| name.contains(part)) || name.ends_with("key");
    sounds_so && !SHOWN.contains(&name.as_str())
}

/// A credential that is kept, without its secrets.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateCredential,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::super::read_resource;
    use super::*;

    fn told(fields: Value) -> Value {
        let shown = without_secrets(&Secret::new(fields.as_object().unwrap().clone()));
        Value::from(shown.expose_secret().clone())
    }

    /// Every field of the platform's credentials that holds a secret, and some beside it that do not.
    #[test]
    fn no_secret_of_any_provider_is_shown_and_the_rest_is() {
        let secrets = json!({
            "apiKey": "s", "apiSecret": "s", "authToken": "s", "awsSecretAccessKey": "s", "openAIKey": "s", "gcpKey": {"private_key": "s"},
            "ocpApimSubscriptionKey": "s", "accessToken": "s", "authenticationSession": {"accessToken": "s"}, "webhookUrl": "s",
            "outboundAuthenticationPlan": {"authUsername": "u", "authPassword": "s"}, "customer_secret": "s",
            "bucketPlan": {"name": "b", "hmacAccessKey": "s", "hmacSecret": "s", "path": "p"}, "list": [{"token": "s"}],
            "endpoint": "https://user:s@cloud.example",
        });
        let text = told(secrets).to_string();
        assert!(!text.contains("\"s\"") && !text.contains(":s@"), "{text}");
        let open = json!({
            "provider": "s3", "name": "n", "region": "eu", "awsAccessKeyId": "A", "accountId": "a", "publicKey": "p",
            "apiUrl": "https://a.example", "models": ["m"], "authorizationId": "z",
            "authenticationPlan": {"type": "hmac", "algorithm": "sha256", "signatureHeader": "x", "secretIsBase64": true},
        });
        assert_eq!(told(open.clone()), open);
    }

    #[test]
    fn a_plan_that_is_known_must_be_whole_and_others_are_kept_as_they_are() {
        let read = |body: Value| read_resource::<CreateCredential>(body.to_string().as_bytes());
        for (plan, problem) in [
            (json!(null), "`authenticationPlan`: is missing"),
            (json!({}), "`authenticationPlan.type`: is missing"),
            (
                json!({"type": "bearer"}),
                "`authenticationPlan.token`: is missing",
            ),
            (
                json!({"type": "hmac", "secretKey": "s"}),
                "`authenticationPlan.algorithm`: is missing",
            ),
            (
                json!({"type": "oauth2", "url": "https://a.example"}),
                "`authenticationPlan.clientId`: is missing",
            ),
            (
                json!({"type": "bearer", "token": 7}),
                "`authenticationPlan.token`: expected a string",
            ),
        ] {
            let refused = read(json!({"provider": "webhook", "authenticationPlan": plan}));
            assert_eq!(refused.unwrap_err().to_string(), problem);
        }
        let odd = json!({"provider": "aws", "authenticationPlan": {"type": "aws-sts"}});
        assert!(read(odd).unwrap().0.plan().unwrap().is_none());
        assert!(read(json!({"apiKey": "s"})).is_err(), "nobody's");
    }
}
