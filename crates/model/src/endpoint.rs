//! One request to an endpoint of OpenAI's chat completions, and its answer: streamed as
//! server-sent events, or whole from an endpoint that does not stream. It does not know what is
//! asked, and gives up on what is too large. Errors carry no words.

use std::collections::BTreeMap;

use ::endpoint::ClientError;
use redact::Secret;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ModelSettings;

/// The largest answer taken: many times a turn, with every token in an event of its own.
const MOST_BYTES: usize = 256 * 1024;
/// The most tool calls of one answer.
const MOST_CALLS: usize = 8;

/// Why there is no answer to go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("no answer within the turn's bound")]
    TooLate,
    #[error("the endpoint cannot be reached")]
    Unreachable,
    #[error("refused with status {0}")]
    Refused(u16),
    #[error("the answer ended in the middle")]
    CutOff,
    #[error("the answer is not a chat completion")]
    Garbled,
    #[error("the answer is too large")]
    TooLarge,
    #[error("the answer is empty")]
    Empty,
    #[error("the model declined")]
    Declined,
}

impl Trouble {
    /// A short name, for counting.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLate => "too-late",
            Self::Unreachable => "unreachable",
            Self::Refused(_) => "refused",
            Self::CutOff => "cut-off",
            Self::Garbled => "garbled",
            Self::TooLarge => "too-large",
            Self::Empty => "empty",
            Self::Declined => "declined",
        }
    }
}

/// A whole answer.
#[derive(Debug, Default)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
}

/// A tool the model calls, its arguments not yet read.
#[derive(Debug, Clone)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Secret<String>,
}

pub struct Endpoint {
    http: Client,
    url: Url,
    key: Option<Secret<String>>,
    name: String,
    temperature: f64,
}

impl Endpoint {
    pub fn new(settings: ModelSettings) -> Result<Self, ClientError> {
        Ok(Self {
            http: ::endpoint::client()?,
            url: settings.address.path("chat/completions"),
            key: settings.key,
            name: settings.name,
            temperature: settings.temperature,
        })
    }

    /// Asks once. Not bounded in time: whoever asks is.
    pub async fn complete(
        &self,
        messages: &[Value],
        tools: Option<&Value>,
    ) -> Result<Completion, Trouble> {
        let mut body = json!({
            "model": self.name,
            "temperature": self.temperature,
            "stream": true,
            "messages": messages,
        });
        if let Some(tools) = tools {
            body["tools"] = tools.clone();
        }
        let mut request = self.http.post(self.url.clone()).json(&body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(|_| Trouble::Unreachable)?;
        let status = response.status();
        if !status.is_success() {
            return Err(Trouble::Refused(status.as_u16()));
        }
        let kind = response.headers().get(CONTENT_TYPE);
        let is_whole = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        let mut answer = Answer::default();
        match is_whole {
            true => answer.take_whole(&read_whole(response).await?)?,
            false => read_events(response, &mut answer).await?,
        }
        answer.into_completion()
    }
}

async fn read_whole(mut response: Response) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| Trouble::CutOff)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MOST_BYTES {
            return Err(Trouble::TooLarge);
        }
    }
    Ok(bytes)
}

/// Reads `data:` lines until `[DONE]` or the end.
async fn read_events(mut response: Response, answer: &mut Answer) -> Result<(), Trouble> {
    let mut pending: Vec<u8> = Vec::new();
    let mut total = 0;
    while let Some(piece) = response.chunk().await.map_err(|_| Trouble::CutOff)? {
        total += piece.len();
        if total > MOST_BYTES {
            return Err(Trouble::TooLarge);
        }
        pending.extend_from_slice(&piece);
        while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            let line = std::str::from_utf8(&line)
                .map_err(|_| Trouble::Garbled)?
                .trim();
            let Some(data) = line.strip_prefix("data:").map(str::trim) else {
                let other = [":", "event:", "id:", "retry:"];
                if line.is_empty() || other.iter().any(|field| line.starts_with(field)) {
                    continue;
                }
                return Err(Trouble::Garbled);
            };
            if data == "[DONE]" {
                answer.done = true;
                return Ok(());
            }
            answer.take_piece(data)?;
        }
    }
    Ok(())
}

/// What has come of an answer so far.
#[derive(Default)]
struct Answer {
    text: String,
    calls: BTreeMap<usize, Call>,
    finish: Option<String>,
    refused: bool,
    done: bool,
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    /// In a streamed answer.
    #[serde(default)]
    delta: Option<Message>,
    /// In a whole one.
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct CallPiece {
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<FunctionPiece>,
}

#[derive(Deserialize)]
struct FunctionPiece {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
}

impl Answer {
    fn take_whole(&mut self, body: &[u8]) -> Result<(), Trouble> {
        let chunk: Chunk = serde_json::from_slice(body).map_err(|_| Trouble::Garbled)?;
        self.done = !chunk.choices.is_empty();
        self.take(chunk)
    }

    fn take_piece(&mut self, data: &str) -> Result<(), Trouble> {
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| Trouble::Garbled)?;
        self.take(chunk)
    }

    fn take(&mut self, chunk: Chunk) -> Result<(), Trouble> {
        let Some(choice) = chunk.choices.into_iter().next() else {
            // Usage, or a keep-alive.
            return Ok(());
        };
        if let Some(message) = choice.delta.or(choice.message) {
            self.text
                .push_str(message.content.as_deref().unwrap_or_default());
            self.refused |= message.refusal.is_some_and(|refusal| !refusal.is_empty());
            for (place, piece) in message.tool_calls.into_iter().flatten().enumerate() {
                let index = piece.index.unwrap_or(place);
                if index >= MOST_CALLS {
                    return Err(Trouble::TooLarge);
                }
                let call = self.calls.entry(index).or_default();
                call.id.push_str(piece.id.as_deref().unwrap_or_default());
                if let Some(function) = piece.function {
                    call.name
                        .push_str(function.name.as_deref().unwrap_or_default());
                    call.arguments
                        .push_str(function.arguments.as_deref().unwrap_or_default());
                }
            }
        }
        self.finish = choice.finish_reason.or(self.finish.take());
        Ok(())
    }

    /// Only what came to its end counts.
    fn into_completion(self) -> Result<Completion, Trouble> {
        match self.finish.as_deref() {
            _ if self.refused => return Err(Trouble::Declined),
            Some("content_filter") => return Err(Trouble::Declined),
            Some("length") => return Err(Trouble::CutOff),
            Some(_) => {}
            None if self.done => {}
            None => return Err(Trouble::CutOff),
        }
        let calls = self.calls.into_values().map(|call| ToolCall {
            id: call.id,
            name: call.name,
            arguments: Secret::new(call.arguments),
        });
        Ok(Completion {
            text: self.text,
            calls: calls.collect(),
        })
    }
}
