//! The hosted platform's API, as far as a push needs it: reading, making and changing definitions with the private key.

use std::time::Duration;

use endpoint::Address;
use redact::Secret;
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use serde_json::{Map, Value};

use super::files::Kind;

/// The platform answers within a second or two, or not at all.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// The most it gives at once.
const MOST_LISTED: usize = 1000;
/// Of what it says is wrong.
const MOST_TOLD: usize = 500;

pub struct HostedApi {
    address: Address,
    key: Secret<String>,
    client: Client,
}

/// None of them holds the key.
#[derive(Debug, thiserror::Error)]
pub enum HostedApiError {
    #[error("the HTTP client cannot be made")]
    Client(#[from] endpoint::ClientError),
    #[error(
        "{place} cannot be reached: look at hosted_platform_url and at this machine's way to the internet"
    )]
    Unreachable {
        place: String,
        #[source]
        cause: reqwest::Error,
    },
    #[error(
        "{place} does not take the key: set hosted_private_key to a private key of your organisation there; the public one may change nothing"
    )]
    KeyRefused { place: String },
    #[error("{place} refused {doing}: {said}. Mend the file, and push again")]
    Refused {
        place: String,
        doing: String,
        said: String,
    },
    #[error("{place} answered {status} to {doing}: try again in a while")]
    Failed {
        place: String,
        doing: String,
        status: StatusCode,
    },
    #[error(
        "{place} answered something else than its API's description says: is hosted_platform_url its base?"
    )]
    UnlikeItself { place: String },
    #[error(
        "{place} has {most} {kind}s or more, and gives no more at once: remove some, so that none is made twice",
        most = MOST_LISTED
    )]
    TooMany { place: String, kind: Kind },
}

impl HostedApi {
    pub fn new(address: Address, key: Secret<String>) -> Result<Self, HostedApiError> {
        Ok(Self {
            address,
            key,
            client: endpoint::client()?,
        })
    }

    /// Every definition of a kind.
    pub async fn list(&self, kind: Kind) -> Result<Vec<Map<String, Value>>, HostedApiError> {
        let path = self.address.path(kind.as_str());
        let request = self.request(Method::GET, with_limit(path));
        let answer = self.answer(request, format!("to list its {kind}s")).await?;
        let Value::Array(items) = answer else {
            return Err(self.unlike_itself());
        };
        if items.len() >= MOST_LISTED {
            let place = self.address.place();
            return Err(HostedApiError::TooMany { place, kind });
        }
        let objects = items.into_iter().filter_map(|item| match item {
            Value::Object(fields) => Some(fields),
            _ => None,
        });
        Ok(objects.collect())
    }

    /// Makes one, and gives its id.
    pub async fn create(
        &self,
        kind: Kind,
        wanted: &Map<String, Value>,
    ) -> Result<String, HostedApiError> {
        let request = self
            .request(Method::POST, self.address.path(kind.as_str()))
            .json(wanted);
        let answer = self.answer(request, format!("the {kind}")).await?;
        let id = answer.get("id").and_then(Value::as_str);
        id.map(str::to_owned).ok_or_else(|| self.unlike_itself())
    }

    pub async fn update(
        &self,
        kind: Kind,
        id: &str,
        wanted: &Map<String, Value>,
    ) -> Result<(), HostedApiError> {
        let path = self.address.path(&format!("{kind}/{id}"));
        let request = self.request(Method::PATCH, path).json(wanted);
        self.answer(request, format!("the {kind}")).await.map(drop)
    }

    pub fn unlike_itself(&self) -> HostedApiError {
        HostedApiError::UnlikeItself {
            place: self.address.place(),
        }
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client
            .request(method, url)
            .bearer_auth(self.key.expose_secret())
            .timeout(ANSWER_WITHIN)
    }

    async fn answer(
        &self,
        request: RequestBuilder,
        doing: String,
    ) -> Result<Value, HostedApiError> {
        let place = self.address.place();
        let unreachable = |cause: reqwest::Error| HostedApiError::Unreachable {
            place: place.clone(),
            cause: cause.without_url(),
        };
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let body = response.bytes().await.map_err(unreachable)?;
        match status {
            _ if status.is_success() => {
                serde_json::from_slice(&body).map_err(|_| self.unlike_itself())
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(HostedApiError::KeyRefused { place })
            }
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Err(self.unlike_itself()),
            _ if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                Err(HostedApiError::Refused {
                    place,
                    doing,
                    said: self.said(&body),
                })
            }
            _ => Err(HostedApiError::Failed {
                place,
                doing,
                status,
            }),
        }
    }

    /// What it says is wrong: a sentence, or several. It may repeat what it was sent.
    fn said(&self, body: &[u8]) -> String {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let said = match body.get("message") {
            Some(Value::String(sentence)) => sentence.clone(),
            Some(Value::Array(sentences)) => {
                let sentences = sentences.iter().filter_map(Value::as_str);
                sentences.collect::<Vec<_>>().join("; ")
            }
            _ => "it gave no reason".to_owned(),
        };
        let said: String = said.chars().take(MOST_TOLD).collect();
        said.replace(self.key.expose_secret(), "(key)")
    }
}

fn with_limit(mut url: Url) -> Url {
    url.query_pairs_mut()
        .append_pair("limit", &MOST_LISTED.to_string());
    url
}
