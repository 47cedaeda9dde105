//! Placing a call over HTTP: configuration, `POST /call/web`, WHIP, hang-up and the record.
//!
//! Each call is a visitor of its own with a session cookie of its own, as a browser would be.
//! Nothing here touches media.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::{Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

/// No single answer of the server may take longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// How often the record is asked for after the call's end.
const RECORD_EVERY: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TransportKind {
    Webrtc,
    Websocket,
}

#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error("cannot reach {url} ({source}): is the server running there?")]
    Unreachable { url: String, source: reqwest::Error },
    #[error("{what} was answered with {status}: {body}")]
    Refused {
        what: &'static str,
        status: StatusCode,
        body: String,
    },
    #[error("{what} was answered with something unexpected: {problem}")]
    Unexpected { what: &'static str, problem: String },
}

/// One visitor: the server's address, its configuration and the session's cookie.
#[derive(Debug)]
pub struct Visitor {
    http: reqwest::Client,
    origin: Url,
    cookies: Vec<String>,
    config: Config,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Config {
    public_key: String,
    assistant_id: Option<String>,
    squad_id: Option<String>,
}

/// A call that the server has made ready.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadyCall {
    pub id: String,
    web_call_url: Option<String>,
    #[serde(default)]
    transport: Option<ReadyTransport>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadyTransport {
    websocket_call_url: Option<String>,
}

impl ReadyCall {
    pub fn web_call_url(&self) -> Result<&str, PlaceError> {
        self.web_call_url
            .as_deref()
            .ok_or_else(|| PlaceError::Unexpected {
                what: "POST /call/web",
                problem: String::from("there is no webCallUrl"),
            })
    }

    pub fn websocket_url(&self) -> Result<&str, PlaceError> {
        self.transport
            .as_ref()
            .and_then(|transport| transport.websocket_call_url.as_deref())
            .ok_or_else(|| PlaceError::Unexpected {
                what: "POST /call/web",
                problem: String::from("there is no transport.websocketCallUrl"),
            })
    }
}

/// What WHIP answers an offer with.
#[derive(Debug)]
pub struct WhipSession {
    pub answer: String,
    pub location: Url,
}

pub fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .timeout(ANSWER_WITHIN)
        // A redirect would hide a wrong URL in a test.
        .redirect(reqwest::redirect::Policy::none())
        .build()
}

impl Visitor {
    /// Reads the configuration as a page does when it opens.
    pub async fn arrive(http: reqwest::Client, origin: Url) -> Result<Self, PlaceError> {
        const WHAT: &str = "GET /api/config";
        let url = join(&origin, "/api/config", WHAT)?;
        let response = successful(send(http.get(url.clone()), &url).await?, WHAT).await?;
        let cookies = cookies_in(response.headers());
        let config = parsed(response, WHAT).await?;
        Ok(Self {
            http,
            origin,
            cookies,
            config,
        })
    }

    pub async fn start_call(&self, transport: TransportKind) -> Result<ReadyCall, PlaceError> {
        const WHAT: &str = "POST /call/web";
        let mut body = match (&self.config.assistant_id, &self.config.squad_id) {
            (Some(assistant), _) => json!({ "assistantId": assistant }),
            (None, Some(squad)) => json!({ "squadId": squad }),
            (None, None) => {
                return Err(PlaceError::Unexpected {
                    what: "GET /api/config",
                    problem: String::from("there is neither an assistantId nor a squadId"),
                });
            }
        };
        if transport == TransportKind::Websocket {
            body["transport"] = json!({
                "provider": "vapi.websocket",
                "audioFormat": { "format": "pcm_s16le", "container": "raw", "sampleRate": 16_000 },
            });
        }
        let url = join(&self.origin, "/call/web", WHAT)?;
        let request = self
            .http
            .post(url.clone())
            .header(AUTHORIZATION, format!("Bearer {}", self.config.public_key))
            .header(COOKIE, self.cookie_header())
            .json(&body);
        parsed(successful(send(request, &url).await?, WHAT).await?, WHAT).await
    }

    pub async fn offer(&self, web_call_url: &str, sdp: String) -> Result<WhipSession, PlaceError> {
        const WHAT: &str = "the offer to webCallUrl";
        let url = join(&self.origin, web_call_url, WHAT)?;
        let request = self
            .http
            .post(url.clone())
            .header(CONTENT_TYPE, "application/sdp")
            .header(COOKIE, self.cookie_header())
            .body(sdp);
        let response = successful(send(request, &url).await?, WHAT).await?;
        let location = response
            .headers()
            .get(LOCATION)
            .and_then(|value| value.to_str().ok())
            .ok_or_else(|| PlaceError::Unexpected {
                what: WHAT,
                problem: String::from("there is no Location to end the session at"),
            })?;
        let location = join(&url, location, WHAT)?;
        let answer = response
            .text()
            .await
            .map_err(|source| PlaceError::Unreachable {
                url: url.to_string(),
                source,
            })?;
        Ok(WhipSession { answer, location })
    }

    /// Ends a WHIP session. One that has ended already is no error.
    pub async fn end(&self, location: &Url) -> Result<(), PlaceError> {
        let request = self
            .http
            .delete(location.clone())
            .header(COOKIE, self.cookie_header());
        let response = send(request, location).await?;
        if matches!(response.status(), StatusCode::NOT_FOUND | StatusCode::GONE) {
            return Ok(());
        }
        successful(response, "DELETE of the WHIP session")
            .await
            .map(drop)
    }

    /// The call's record once it is filled, or as it stands when the time is over.
    pub async fn record(&self, call_id: &str, within: Duration) -> Result<Value, PlaceError> {
        const WHAT: &str = "GET /api/getCallInfo";
        let mut url = join(&self.origin, "/api/getCallInfo", WHAT)?;
        url.query_pairs_mut().append_pair("callId", call_id);
        let deadline = Instant::now() + within;
        loop {
            let request = self
                .http
                .get(url.clone())
                .header(COOKIE, self.cookie_header());
            let answer = successful(send(request, &url).await?, WHAT).await;
            let over = Instant::now() + RECORD_EVERY > deadline;
            match answer {
                Ok(response) => {
                    let record: Value = parsed(response, WHAT).await?;
                    if is_filled(&record) || over {
                        return Ok(record);
                    }
                }
                Err(error) if over => return Err(error),
                Err(_) => {}
            }
            sleep(RECORD_EVERY).await;
        }
    }

    fn cookie_header(&self) -> String {
        self.cookies.join("; ")
    }
}

/// A record is filled once the call has ended and its case note is written.
pub fn is_filled(record: &Value) -> bool {
    record["status"] == "ended" && record["structuredData"].is_object()
}

fn cookies_in(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(SET_COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok()?.split(';').next())
        .map(|pair| pair.trim().to_owned())
        .collect()
}

fn join(base: &Url, reference: &str, what: &'static str) -> Result<Url, PlaceError> {
    base.join(reference)
        .map_err(|error| PlaceError::Unexpected {
            what,
            problem: format!("{reference:?} is no URL ({error})"),
        })
}

async fn send(request: reqwest::RequestBuilder, url: &Url) -> Result<Response, PlaceError> {
    request
        .send()
        .await
        .map_err(|source| PlaceError::Unreachable {
            url: url.to_string(),
            source,
        })
}

async fn successful(response: Response, what: &'static str) -> Result<Response, PlaceError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let body = response.text().await.unwrap_or_default();
    Err(PlaceError::Refused {
        what,
        status,
        body: body.chars().take(500).collect(),
    })
}

async fn parsed<T: serde::de::DeserializeOwned>(
    response: Response,
    what: &'static str,
) -> Result<T, PlaceError> {
    response
        .json()
        .await
        .map_err(|error| PlaceError::Unexpected {
            what,
            problem: error.to_string(),
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_record_is_filled_when_the_case_note_stands() {
        let mut record = json!({
            "callId": "1", "status": "in-progress", "summaryTitle": "Caller reports distress", "structuredData": {},
        });
        assert!(!is_filled(&record), "the call has not ended");
        record["status"] = json!("ended");
        record["summaryTitle"] = json!("Active Call");
        assert!(is_filled(&record), "whatever its title");
        record["structuredData"] = Value::Null;
        assert!(!is_filled(&record));
    }

    #[test]
    fn only_a_cookies_name_and_value_are_sent_back() {
        let mut headers = HeaderMap::new();
        headers.append(
            SET_COOKIE,
            "visitor=abc; HttpOnly; SameSite=Lax".parse().unwrap(),
        );
        headers.append(SET_COOKIE, "other=1".parse().unwrap());
        assert_eq!(cookies_in(&headers), ["visitor=abc", "other=1"]);
    }

    #[test]
    fn a_ready_call_without_its_url_says_so() {
        let call: ReadyCall = serde_json::from_value(json!({ "id": "1" })).unwrap();
        assert!(
            call.web_call_url()
                .unwrap_err()
                .to_string()
                .contains("webCallUrl")
        );
        assert!(
            call.websocket_url()
                .unwrap_err()
                .to_string()
                .contains("websocketCallUrl")
        );
    }
}
