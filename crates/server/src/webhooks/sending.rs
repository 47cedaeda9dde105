//! One message to one server: sent, and what came of it. Nothing of what either side said is in a log or an error.

use jobs::Trouble;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};

use super::receiver::Receiver;

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 256 * 1024;

/// Why a message is not delivered.
#[derive(Debug)]
pub struct Undelivered {
    pub trouble: Trouble,
    /// Whether it is worth another try.
    pub again: bool,
}

/// Sends it. What is answered with success is delivered, whatever the answer says.
pub async fn deliver(client: &Client, to: &Receiver, body: String) -> Result<(), Undelivered> {
    send(client, to, body).await.map(drop)
}

/// Sends it, and reads the answer; an error also where that is too long.
pub async fn ask(client: &Client, to: &Receiver, body: String) -> Result<Vec<u8>, Undelivered> {
    let mut answer = send(client, to, body).await?;
    let mut read = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|error| trouble(&error))? {
        if read.len() + piece.len() > LONGEST_ANSWER {
            return Err(because("its answer is too long", None));
        }
        read.extend_from_slice(&piece);
    }
    Ok(read)
}

async fn send(
    client: &Client,
    to: &Receiver,
    body: String,
) -> Result<reqwest::Response, Undelivered> {
    let request = client
        .post(to.url())
        .headers(to.headers.clone())
        .header(CONTENT_TYPE, "application/json")
        .timeout(to.timeout)
        .body(body);
    let answer = request.send().await.map_err(|error| trouble(&error))?;
    let status = answer.status();
    match status.is_success() {
        true => Ok(answer),
        false => Err(refused(to, status)),
    }
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
