//! A real endpoint on a free port that does as it is told, and the voice that asks it.
#![allow(clippy::unwrap_used)]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use endpoint::Address;
use futures_util::{StreamExt, stream};
use redact::Secret;
use remote_voice::{RemoteSettings, RemoteVoice};
use serde_json::Value;
use speech::{Sound, SpeechStream, Spoken, Standing, Synthesiser, VoiceError};
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};

/// What the endpoint does with one request.
#[derive(Clone)]
pub enum Answer {
    /// This much of a voice, under `audio/pcm`, in uneven pieces.
    Speaks(Duration),
    /// A second of voice, and a second more once it is let.
    Waits(Arc<Notify>),
    /// A second of voice, and then the connection is gone.
    CutOff,
    /// A second of voice, and then nothing ever.
    Stalls,
    /// These bytes under this content type.
    Sends(&'static str, Vec<u8>),
    Status(u16),
    /// Sends whoever asks to where a voice speaks.
    Redirects,
    /// Accepts, and says nothing ever.
    Hangs,
}

/// A second of voice.
pub const SECOND: Duration = Duration::from_secs(1);

/// So much of something like a voice, as an endpoint sends it.
pub fn voice(length: Duration) -> Vec<u8> {
    let tone = |i: usize, pitch: f64| (i as f64 * pitch * std::f64::consts::TAU / 24_000.0).sin();
    let sample = |i: usize| 5_000.0 * (tone(i, 140.0) + tone(i, 620.0));
    (0..(length.as_secs_f64() * 24_000.0) as usize)
        .flat_map(|i| (sample(i) as i16).to_le_bytes())
        .collect()
}

#[derive(Clone)]
pub struct Endpoint {
    pub url: String,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    /// The requests as they came: headers and body; those that see whether it works are not among them.
    pub asked: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
    /// How many answers were given up while they were sent.
    pub given_up: watch::Sender<usize>,
}

impl Endpoint {
    /// Answers in this order; the last answer is given again and again.
    pub async fn that(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Self {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            asked: Arc::default(),
            given_up: watch::Sender::new(0),
        };
        let routes = axum::Router::new()
            .route("/v1/audio/speech", post(answer))
            .route("/elsewhere", post(elsewhere))
            .with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        endpoint
    }

    pub fn now(&self, answers: impl IntoIterator<Item = Answer>) {
        *self.answers.lock().unwrap() = answers.into_iter().collect();
    }

    pub fn voice(&self) -> RemoteVoice {
        voice_at(&self.url)
    }

    pub fn inputs(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .map(|(_, body)| body["input"].as_str().unwrap().to_owned())
            .collect()
    }
}

pub fn voice_at(url: &str) -> RemoteVoice {
    let settings = RemoteSettings {
        address: Address::of(url).unwrap(),
        key: Some(Secret::new(String::from("the-key"))),
        model: String::from("tts-1"),
        voice: String::from("coral"),
        // Of the clock on the wall only what hangs comes near it, and there the clock is paused.
        timeout: Duration::from_secs(20),
    };
    RemoteVoice::new(settings, Handle::current()).unwrap()
}

/// Has a sentence spoken as a call does.
pub fn speak(voice: &RemoteVoice, sentence: &str) -> SpeechStream {
    let (out, stream) = SpeechStream::channel();
    voice.speak_into(Standing::Ordinary, &Spoken::of(sentence), out);
    stream
}

/// How much of the sentence was heard, and what went wrong.
pub async fn heard(mut stream: SpeechStream) -> (Duration, Option<String>) {
    let mut samples = 0;
    while let Some(sound) = stream.next().await {
        match sound {
            Ok(Sound::Samples(chunk)) => samples += chunk.len(),
            Ok(Sound::Rendered(_)) => panic!("nothing was rendered"),
            Err(VoiceError::EngineFailed { reason }) => return (length(samples), Some(reason)),
            Err(other) => panic!("{other}"),
        }
    }
    (length(samples), None)
}

fn length(samples: usize) -> Duration {
    Duration::from_millis(samples as u64 / 16)
}

async fn answer(State(endpoint): State<Endpoint>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap();
    // Whether it works is seen without taking an answer away.
    let probing = body["input"] == "Okay.";
    let answer = {
        let mut answers = endpoint.answers.lock().unwrap();
        if !probing {
            endpoint.asked.lock().unwrap().push((headers, body));
        }
        match answers.len() {
            1 => answers[0].clone(),
            _ if probing => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        }
    };
    let pcm = |body: Body| {
        Response::builder()
            .header("content-type", "audio/pcm")
            .body(body)
            .unwrap()
    };
    let answer = match answer {
        // What is counted is the sentence's, not a try.
        Answer::Stalls if probing => Answer::Speaks(SECOND),
        other => other,
    };
    let first = stream::iter([Ok(Bytes::from(voice(SECOND)))]);
    match answer {
        Answer::Speaks(length) => {
            let pieces: Vec<std::io::Result<Bytes>> = voice(length)
                .chunks(4_097)
                .map(|piece| Ok(Bytes::copy_from_slice(piece)))
                .collect();
            pcm(Body::from_stream(stream::iter(pieces)))
        }
        Answer::Waits(go_on) => {
            let rest = stream::once(async move {
                go_on.notified().await;
                Ok::<_, std::io::Error>(Bytes::from(voice(SECOND)))
            });
            pcm(Body::from_stream(first.chain(rest)))
        }
        Answer::CutOff => {
            let gone = stream::once(async {
                // What came before goes out while nothing is ready.
                for _ in 0..10 {
                    tokio::task::yield_now().await;
                }
                Err(std::io::Error::other("gone"))
            });
            pcm(Body::from_stream(first.chain(gone)))
        }
        Answer::Stalls => {
            let held = GivenUp(endpoint.given_up.clone());
            let never = stream::once(async move {
                let _held = held;
                std::future::pending::<std::io::Result<Bytes>>().await
            });
            pcm(Body::from_stream(first.chain(never)))
        }
        Answer::Sends(kind, bytes) => Response::builder()
            .header("content-type", kind)
            .body(Body::from(bytes))
            .unwrap(),
        Answer::Status(status) => {
            (StatusCode::from_u16(status).unwrap(), voice(SECOND)).into_response()
        }
        Answer::Redirects => Response::builder()
            .status(307)
            .header("location", "/elsewhere")
            .body(Body::empty())
            .unwrap(),
        Answer::Hangs => std::future::pending().await,
    }
}

async fn elsewhere() -> Response {
    panic!("nobody's words go here");
}

struct GivenUp(watch::Sender<usize>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count += 1);
    }
}
