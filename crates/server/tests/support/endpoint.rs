//! An endpoint that is a chat model, which always answers the same, and a voice, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

pub const VOICE_KEY: &str = "sesame-zephyrine-4711";

#[derive(Clone)]
pub struct Endpoint {
    url: String,
    status: StatusCode,
    says: String,
    pub asked: Arc<Mutex<Vec<Value>>>,
    /// A chat model answers for each permit; nearly endless as it opens.
    pub answers: Arc<Semaphore>,
    /// The paths and queries it was asked at.
    pub urls: Arc<Mutex<Vec<String>>>,
    /// What it was asked to say aloud.
    pub spoken: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    /// One that says this in every turn, and tells one note.
    pub async fn that_says(says: &str) -> Self {
        Self::open(StatusCode::OK, says).await
    }

    /// One that says this once it is let.
    pub async fn that_waits_to_say(says: &str) -> Self {
        let endpoint = Self::that_says(says).await;
        endpoint.answers.forget_permits(Semaphore::MAX_PERMITS);
        endpoint
    }

    pub async fn out_of_order() -> Self {
        Self::open(StatusCode::INTERNAL_SERVER_ERROR, "").await
    }

    async fn open(status: StatusCode, says: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Self {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            status,
            says: says.to_owned(),
            asked: Arc::default(),
            answers: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
            urls: Arc::default(),
            spoken: Arc::default(),
        };
        let routes = Router::new()
            .route("/v1/chat/completions", post(answer))
            .route("/v1/audio/speech", post(speak))
            .with_state(endpoint.clone());
        let urls = Arc::clone(&endpoint.urls);
        let routes = routes.layer(middleware::map_request(move |asked: Request| {
            urls.lock().unwrap().push(asked.uri().to_string());
            std::future::ready(asked)
        }));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        endpoint
    }

    /// The settings that name it, with time enough on a busy machine.
    pub fn settings(&self) -> String {
        format!(
            "start_wait_seconds = 5\nmodel_timeout_seconds = 4\nmodel_name = 'small-1'\nmodel_url = '{}'",
            self.url
        )
    }

    /// The settings that have it speak.
    pub fn voice_settings(&self) -> String {
        format!(
            "tts_url = '{}'\ntts_model = 'tts-1'\ntts_voice = 'coral'\ntts_key = '{VOICE_KEY}'",
            self.url
        )
    }

    /// The same for a program's environment.
    pub fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("NIGHTLIGHT_MODEL_URL", self.url.clone()),
            ("NIGHTLIGHT_MODEL_NAME", String::from("small-1")),
            ("NIGHTLIGHT_START_WAIT_SECONDS", String::from("5")),
            ("NIGHTLIGHT_MODEL_TIMEOUT_SECONDS", String::from("4")),
        ]
    }
}

/// Says it aloud, unless it holds a caller's word: then it breaks, and tells everybody why.
async fn speak(State(endpoint): State<Endpoint>, axum::Json(body): axum::Json<Value>) -> Response {
    let input = body["input"].as_str().unwrap().to_owned();
    endpoint.spoken.lock().unwrap().push(input.clone());
    if input.contains("Zephyrine") {
        let why = format!("cannot say {input}");
        return (StatusCode::INTERNAL_SERVER_ERROR, why).into_response();
    }
    let tone = (0..24_000).map(|i| ((f64::from(i) * 0.05).sin() * 8_000.0) as i16);
    let sound: Vec<u8> = tone.flat_map(i16::to_le_bytes).collect();
    ([("content-type", "audio/pcm")], sound).into_response()
}

async fn answer(State(endpoint): State<Endpoint>, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap();
    if endpoint.status != StatusCode::OK {
        // And tells everybody what it was asked.
        let why = body.to_string();
        endpoint.asked.lock().unwrap().push(body);
        return (endpoint.status, why).into_response();
    }
    // A note is asked for without tools.
    let wants_note = body.get("tools").is_none();
    endpoint.asked.lock().unwrap().push(body);
    endpoint.answers.acquire().await.unwrap().forget();
    let text = match wants_note {
        true => json!({"sentences": [{
            "text": "The caller said that their boss shouts at them every day.",
            "quotes": ["shouts at me every day"],
        }]})
        .to_string(),
        false => endpoint.says.clone(),
    };
    let message = json!({"role": "assistant", "content": text});
    let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    axum::Json(body).into_response()
}
