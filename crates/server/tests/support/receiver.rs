//! A server of a program's, which server messages go to: it keeps what it is sent, and answers as it is told.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use platform::{ServerEvent, ServerMessage};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

/// A message as it came.
#[derive(Clone, Debug)]
pub struct Received {
    pub headers: HeaderMap,
    pub message: Value,
}

#[derive(Clone)]
pub struct MessageReceiver {
    address: SocketAddr,
    kept: Arc<Kept>,
}

struct Kept {
    received: Mutex<Vec<Received>>,
    came: Notify,
    /// It answers with these first, then with what it always answers.
    refusals: Mutex<VecDeque<StatusCode>>,
    always: Mutex<StatusCode>,
    /// What it says to messages of a kind; `{}` to others.
    replies: Mutex<Vec<(&'static str, Reply)>>,
    /// It answers for each permit; nearly endless as it opens.
    answers: Semaphore,
}

type Reply = Arc<dyn Fn(&Value) -> Response + Send + Sync>;

impl MessageReceiver {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            address: listener.local_addr().unwrap(),
            kept: Arc::new(Kept {
                received: Mutex::default(),
                came: Notify::new(),
                refusals: Mutex::default(),
                always: Mutex::new(StatusCode::OK),
                replies: Mutex::default(),
                answers: Semaphore::new(Semaphore::MAX_PERMITS),
            }),
        };
        let routes = Router::new()
            .route("/hook", post(answer))
            .with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        receiver
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The settings that have all messages sent here.
    pub fn settings(&self, secret: &str) -> String {
        format!("server_url = '{}'\nserver_secret = '{secret}'", self.url())
    }

    pub fn refuses_first(&self, with: &[StatusCode]) {
        *self.kept.refusals.lock().unwrap() = with.iter().copied().collect();
    }

    pub fn always_answers(&self, status: StatusCode) {
        *self.kept.always.lock().unwrap() = status;
    }

    /// What it says to messages of this kind.
    pub fn replies(
        &self,
        kind: &'static str,
        reply: impl Fn(&Value) -> String + Send + Sync + 'static,
    ) {
        self.answers(kind, move |message| reply(message).into_response());
    }

    /// The same, where what it answers is more than words.
    pub fn answers(
        &self,
        kind: &'static str,
        answer: impl Fn(&Value) -> Response + Send + Sync + 'static,
    ) {
        let mut replies = self.kept.replies.lock().unwrap();
        replies.push((kind, Arc::new(answer)));
    }

    /// Answers nobody until it is let.
    pub fn holds_back(&self) {
        self.kept.answers.forget_permits(Semaphore::MAX_PERMITS);
    }

    pub fn lets_go(&self) {
        self.kept.answers.add_permits(1_000_000);
    }

    pub fn received(&self) -> Vec<Received> {
        self.kept.received.lock().unwrap().clone()
    }

    pub fn kinds(&self) -> Vec<String> {
        let received = self.received();
        let kind = |one: &Received| one.message["type"].as_str().unwrap().to_owned();
        received.iter().map(kind).collect()
    }

    /// Waits until a message came for which this holds, and gives the first.
    pub async fn until(&self, holds: impl Fn(&Received) -> bool) -> Received {
        self.until_after(0, holds).await
    }

    /// The same, of those that came after so many.
    pub async fn until_after(&self, before: usize, holds: impl Fn(&Received) -> bool) -> Received {
        let waiting = async {
            loop {
                let came = self.kept.came.notified();
                tokio::pin!(came);
                came.as_mut().enable();
                let found = self.received().into_iter().skip(before).find(&holds);
                if let Some(found) = found {
                    return found;
                }
                came.await;
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await;
        waited.unwrap_or_else(|_| panic!("it never came; what did: {:?}", self.kinds()))
    }

    /// Where the next message of a kind stands among those that came, from this place on.
    pub async fn place_of(&self, kind: &str, from: usize) -> usize {
        let of_kind = |one: &Received| one.message["type"] == kind;
        self.until_after(from, of_kind).await;
        let came = self.received();
        let place = came.iter().skip(from).position(of_kind);
        from + place.expect("it came")
    }

    pub async fn until_kind(&self, kind: &str) -> Received {
        self.until(|one| one.message["type"] == kind).await
    }
}

/// Every message must be one that our own reader of the platform's messages knows.
async fn answer(
    State(receiver): State<MessageReceiver>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let read = ServerMessage::parse(&body).unwrap();
    assert!(!matches!(read.event, ServerEvent::Unknown));
    // Of a session, and of a chat that is deleted, there is no call.
    let kind = read.event.kind();
    let of_no_call = kind == "chat.deleted" || kind.starts_with("session.");
    assert!((of_no_call || read.call.is_some()) && read.timestamp.is_some());
    let body: Value = serde_json::from_slice(&body).unwrap();
    let message = body["message"].clone();
    let kept = &receiver.kept;
    let refusal = kept.refusals.lock().unwrap().pop_front();
    let status = refusal.unwrap_or(*kept.always.lock().unwrap());
    let replies = kept.replies.lock().unwrap().clone();
    let reply = replies.iter().find(|(kind, _)| message["type"] == *kind);
    let nothing = || json!({}).to_string().into_response();
    let mut reply = reply.map_or_else(nothing, |(_, reply)| reply(&message));
    if status != StatusCode::OK {
        *reply.status_mut() = status;
    }
    kept.received
        .lock()
        .unwrap()
        .push(Received { headers, message });
    kept.came.notify_waiters();
    kept.answers.acquire().await.unwrap().forget();
    reply
}
