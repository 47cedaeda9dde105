//! A real endpoint on a free port that does as it is told, and what a conversation makes of it.
#![allow(clippy::unwrap_used)]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use flow::{AssistantScript, Command, Conversation, Event, Setup};
use futures_util::{StreamExt, stream};
use model::{Address, ChatModel, Line, LookUpTool, ModelSettings, Speaker, Turn};
use redact::Secret;
use serde_json::{Value, json};

/// What the endpoint does with one request.
#[derive(Clone)]
pub enum Answer {
    /// These chunks, as server-sent events, and `[DONE]`.
    Stream(Vec<Value>),
    /// This text as it is, under this content type.
    Raw(&'static str, String),
    /// A good answer under a status that says that it is none.
    Status(u16, &'static str),
    /// Sends whoever asks to where this is said.
    Redirects(&'static str),
    /// Accepts, and says nothing ever.
    Hangs,
    /// A piece now and again, without an end.
    Trickles,
    /// More than anybody would want.
    Floods,
}

/// More than all buffers on the way hold.
pub const FLOOD: usize = 64 * 1024 * 1024;

/// One piece of a streamed answer.
pub fn piece(delta: Value, finish: Option<&str>) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

/// Text, word by word.
pub fn says(text: &str) -> Answer {
    let mut pieces = vec![piece(json!({"role": "assistant", "content": ""}), None)];
    let words = text.split_inclusive(' ');
    pieces.extend(words.map(|word| piece(json!({"content": word}), None)));
    pieces.push(piece(json!({}), Some("stop")));
    Answer::Stream(pieces)
}

/// A tool call, its arguments in two pieces.
pub fn calls(name: &str, arguments: Value) -> Answer {
    calls_raw(name, &arguments.to_string())
}

pub fn calls_raw(name: &str, arguments: &str) -> Answer {
    let half = (0..=arguments.len() / 2)
        .rev()
        .find(|at| arguments.is_char_boundary(*at))
        .unwrap_or(0);
    let call = |function: Value, id: Option<&str>| json!({"tool_calls": [{"index": 0, "id": id, "function": function}]});
    Answer::Stream(vec![
        piece(
            call(
                json!({"name": name, "arguments": arguments[..half]}),
                Some("c1"),
            ),
            None,
        ),
        piece(call(json!({"arguments": arguments[half..]}), None), None),
        piece(json!({}), Some("tool_calls")),
    ])
}

#[derive(Clone)]
pub struct Endpoint {
    pub url: String,
    script: Arc<Mutex<VecDeque<Answer>>>,
    /// The requests as they came: headers and body.
    pub asked: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
    /// How much of a flood was taken off it.
    pub flooded: Arc<AtomicUsize>,
}

impl Endpoint {
    /// Answers in this order; the last answer is given again and again.
    pub async fn that(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Self {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            script: Arc::new(Mutex::new(answers.into_iter().collect())),
            asked: Arc::default(),
            flooded: Arc::default(),
        };
        let routes = axum::Router::new()
            .route("/v1/chat/completions", post(answer))
            .route("/elsewhere", post(elsewhere))
            .with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        endpoint
    }

    pub fn requests(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub fn model(&self, timeout: Duration) -> ChatModel {
        model_at(&self.url, timeout)
    }
}

pub fn model_at(url: &str, timeout: Duration) -> ChatModel {
    let settings = ModelSettings {
        address: Address::of(url).unwrap(),
        key: Some(Secret::new(String::from("the-key"))),
        name: String::from("small-1"),
        temperature: 0.3,
        look_up: LookUpTool {
            name: String::from("product_query"),
            description: String::from("Looks up agencies."),
            parameters: json!({
                "type": "object", "required": ["query"], "properties": {"query": {"type": "string"}},
            }),
            parameter: String::from("query"),
        },
        timeout,
    };
    ChatModel::new(settings, Arc::new(AssistantScript::built_in())).unwrap()
}

async fn answer(State(endpoint): State<Endpoint>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap();
    endpoint.asked.lock().unwrap().push((headers, body));
    let answer = {
        let mut script = endpoint.script.lock().unwrap();
        match script.len() {
            1 => script[0].clone(),
            _ => script.pop_front().unwrap(),
        }
    };
    let events = |body: Body| {
        Response::builder()
            .header("content-type", "text/event-stream")
            .body(body)
            .unwrap()
    };
    match answer {
        Answer::Stream(pieces) => {
            let mut text: String = pieces
                .iter()
                .map(|piece| format!("data: {piece}\n\n"))
                .collect();
            text.push_str("data: [DONE]\n\n");
            // In small pieces, so that lines and letters are cut anywhere.
            let bytes: Vec<Result<Bytes, Infallible>> = text
                .as_bytes()
                .chunks(7)
                .map(|chunk| Ok(Bytes::copy_from_slice(chunk)))
                .collect();
            events(Body::from_stream(stream::iter(bytes)))
        }
        Answer::Raw(kind, text) => Response::builder()
            .header("content-type", kind)
            .body(Body::from(text))
            .unwrap(),
        Answer::Status(status, text) => {
            let status = StatusCode::from_u16(status).unwrap();
            (status, axum::Json(whole(text))).into_response()
        }
        Answer::Redirects(_) => Response::builder()
            .status(307)
            .header("location", "/elsewhere")
            .body(Body::empty())
            .unwrap(),
        Answer::Hangs => std::future::pending().await,
        Answer::Trickles => {
            let pieces = stream::repeat(()).then(|()| async {
                // The endpoint's misbehaviour itself, over a real socket; no test waits for it to end.
                tokio::time::sleep(Duration::from_millis(20)).await;
                let piece = piece(json!({"content": "and "}), None);
                Ok::<_, Infallible>(Bytes::from(format!("data: {piece}\n\n")))
            });
            events(Body::from_stream(pieces))
        }
        Answer::Floods => {
            let word = "heavy ".repeat(2000);
            let piece = format!("data: {}\n\n", piece(json!({"content": word}), None));
            let pieces = stream::iter(0..FLOOD / piece.len()).map(move |_| {
                endpoint.flooded.fetch_add(piece.len(), Ordering::Relaxed);
                Ok::<_, Infallible>(Bytes::from(piece.clone()))
            });
            events(Body::from_stream(pieces))
        }
    }
}

/// Where another address leads.
async fn elsewhere(State(endpoint): State<Endpoint>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap();
    endpoint.asked.lock().unwrap().push((headers, body));
    let script = endpoint.script.lock().unwrap();
    let Some(Answer::Redirects(text)) = script.front() else {
        panic!("nobody was sent here");
    };
    axum::Json(whole(text)).into_response()
}

/// An answer that is not streamed.
pub fn whole(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"choices": [{"message": message, "finish_reason": "stop"}]})
}

/// What was said and done in a turn, as lines.
pub type Said = Vec<String>;

/// A conversation with a model, or without one.
pub struct Talk {
    pub conversation: Conversation,
    reader: reader::Reader,
    pub lines: Vec<Line>,
}

impl Talk {
    pub fn begun() -> Self {
        let mut conversation = Conversation::new(Setup {
            called_at: "2026-11-20T02:15:00".parse().unwrap(),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: flow::Medium::Speech,
        });
        conversation.handle(Event::CallStarted, Duration::ZERO);
        let mut talk = Self {
            conversation,
            reader: reader::Reader::rules_alone(),
            lines: Vec::new(),
        };
        talk.poll();
        talk
    }

    /// The turn with the model's advice, if any of it holds.
    pub async fn say_with(&mut self, model: &ChatModel, words: &str) -> Said {
        let words = Secret::new(words.to_owned());
        let reading = self
            .reader
            .read(words.expose_secret(), &self.conversation.listening());
        let turn = Turn {
            before: &self.conversation,
            reading: &reading,
            at: Duration::ZERO,
            said: &self.lines,
        };
        match model.reply(turn).await {
            Some(conversation) => self.conversation = conversation,
            None => self.hear(&words),
        }
        self.line(Speaker::Caller, words);
        self.poll()
    }

    /// The turn as the flow has it by itself.
    pub fn say(&mut self, words: &str) -> Said {
        let words = Secret::new(words.to_owned());
        self.hear(&words);
        self.line(Speaker::Caller, words);
        self.poll()
    }

    fn hear(&mut self, words: &Secret<String>) {
        self.reader
            .tell(&mut self.conversation, words, Duration::ZERO);
    }

    fn poll(&mut self) -> Said {
        let mut said = Said::new();
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => {
                    said.push(sentence.expose_secret().clone());
                    self.line(Speaker::Assistant, sentence);
                }
                Command::Transfer { agency, .. } => said.push(format!("-> {agency}")),
                Command::LookedUp { .. } => {}
                Command::End { .. } => said.push(String::from("end")),
            }
        }
        said
    }

    fn line(&mut self, speaker: Speaker, words: Secret<String>) {
        self.lines.push(Line { speaker, words });
    }
}
