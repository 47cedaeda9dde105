//! One message to one server: sent, and what came of it. Nothing of what either side said is in a log or an error.

use jiff::Timestamp;
use jobs::Trouble;
use redact::Secret;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, StatusCode};
use resources::Resources;

use super::receiver::Receiver;
use crate::bearer_tokens::{BearerTokens, NoToken};
use crate::credentials::{self, CredentialError, Outgoing};

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 256 * 1024;

/// How messages go out.
pub struct Way {
    pub client: Client,
    /// Where credentials are kept.
    pub resources: Resources,
    /// Those of credentials that have to ask for one.
    pub tokens: BearerTokens,
}

/// One that is to be sent.
pub struct Letter {
    /// The same each time that it is tried.
    pub id: String,
    pub body: Secret<String>,
}

/// Why a message is not delivered.
#[derive(Debug)]
pub struct Undelivered {
    pub trouble: Trouble,
    /// Whether it is worth another try.
    pub again: bool,
}

/// Sends it. What is answered with success is delivered, whatever the answer says.
pub async fn deliver(way: &Way, to: &Receiver, letter: Letter) -> Result<StatusCode, Undelivered> {
    let answer = send(way, to, letter).await?;
    Ok(answer.status())
}

/// Sends it, and reads the answer; an error also where that is too long.
pub async fn ask(
    way: &Way,
    to: &Receiver,
    letter: Letter,
) -> Result<(StatusCode, Vec<u8>), Undelivered> {
    let mut answer = send(way, to, letter).await?;
    let status = answer.status();
    let mut read = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|error| trouble(&error))? {
        if read.len() + piece.len() > LONGEST_ANSWER {
            return Err(because("its answer is too long", None));
        }
        read.extend_from_slice(&piece);
    }
    Ok((status, read))
}

/// Of what was not answered within the time that its asker has.
pub fn too_late() -> Undelivered {
    because("the server does not answer in time", None)
}

async fn send(way: &Way, to: &Receiver, letter: Letter) -> Result<reqwest::Response, Undelivered> {
    let request = way
        .client
        .post(to.url())
        .headers(to.headers.clone())
        .headers(known_by(way, to, &letter).await?)
        .header(CONTENT_TYPE, "application/json")
        .timeout(to.timeout)
        .body(letter.body.expose_secret().clone());
    let answer = request.send().await.map_err(|error| trouble(&error))?;
    let status = answer.status();
    if status == StatusCode::UNAUTHORIZED
        && let Some(Ok(credential)) = to.credential.as_deref().map(str::parse)
    {
        // It may have been taken back before its time.
        way.tokens.forget(credential).await;
    }
    match status.is_success() {
        true => Ok(answer),
        false => Err(refused(to, status)),
    }
}

/// The headers of the server's credential.
async fn known_by(way: &Way, to: &Receiver, letter: &Letter) -> Result<HeaderMap, Undelivered> {
    let Some(credential) = &to.credential else {
        return Ok(HeaderMap::new());
    };
    let url = to.url();
    let request = Outgoing {
        method: "POST",
        url: url.as_str(),
        message_id: &letter.id,
        at: Timestamp::now(),
        body: &letter.body,
    };
    let headers = credentials::headers(&way.resources, &way.tokens, credential, &request).await;
    headers.map_err(|error| {
        let mut code = None;
        let what = match error {
            CredentialError::Unknown => "its credential is not there",
            CredentialError::Unavailable => "its credential cannot be read now",
            CredentialError::OfAProvider => "its credential is another provider's",
            CredentialError::NoToken(NoToken::Refused { status }) => {
                code = Some(status);
                "its credential's authorization server refuses it"
            }
            CredentialError::NoToken(NoToken::Unreachable) => {
                "its credential's authorization server cannot be reached"
            }
            CredentialError::NoToken(NoToken::Unfit) => {
                "its credential's secret may not go to its authorization server's address"
            }
            CredentialError::NoToken(NoToken::NoBearer) => {
                "its credential's authorization server gives no bearer token"
            }
            CredentialError::Unfit(_) => "its credential cannot be sent in a header",
        };
        because(what, code)
    })
}

fn refused(to: &Receiver, status: StatusCode) -> Undelivered {
    Undelivered {
        again: !to.not_again.contains(&status.as_u16()),
        ..because("the server refuses it", Some(status.as_u16()))
    }
}

/// Its own words would repeat the address, which may hold a key.
fn trouble(error: &reqwest::Error) -> Undelivered {
    let what = match error {
        error if error.is_timeout() => "the server does not answer in time",
        error if error.is_connect() => "the server cannot be reached",
        _ => "the way to the server breaks off",
    };
    because(what, None)
}

fn because(what: &'static str, code: Option<u16>) -> Undelivered {
    Undelivered {
        trouble: Trouble { what, code },
        again: true,
    }
}
