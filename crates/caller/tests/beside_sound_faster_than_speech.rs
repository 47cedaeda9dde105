//! Three callers beside a socket of nobody's that sends speech fifty times faster than anybody speaks. Every word of
//! theirs that is marked is heard all the same, and they are answered on time.
//!
//! The server as it ships, in a process of its own, with one transcriber for all four; the good calls by `nightlight-caller`.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use redact::Secret;
use reqwest::Client;
use serde_json::{Value, json};
use speech::{FliteVoice, SAMPLE_RATE, Voice};
use support::{Server, good_call};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const CALLS: usize = 3;
const TIMES_FASTER: u32 = 50;
const SECOND: Duration = Duration::from_secs(1);
/// More than is taken ahead of the clock: the good calls begin when the line that sends it has had that.
const BEFORE: u64 = 60;
const START_WAIT_SECONDS: f64 = 1.0;
const SAYS: [&str; 2] = [
    "I have been feeling very lonely",
    "Nobody talks to me at work",
];
const MARKED: [&str; 2] = ["lonely", "nobody"];
/// Said over and over, without a pause.
const SENT: &str = "It has been a long week at the office. I sleep badly these nights. My sister does not help me.";

#[tokio::test(flavor = "multi_thread")]
async fn three_callers_do_not_notice_a_socket_that_sends_speech_fifty_times_faster() {
    let wait = START_WAIT_SECONDS.to_string();
    let server = Server::start(&[
        ("START_WAIT_SECONDS", wait.as_str()),
        ("RETURN_WITHIN_SECONDS", "0.5"),
        // It warns of what it does not take.
        ("LOG", "error"),
        ("VOICE", "slt"),
        ("LIGHTER_VOICE", "slt"),
    ]);
    let (seconds_sent, mut sent) = watch::channel(0);
    let origin = server.origin.clone();
    let flood = tokio::spawn(async move {
        let speech = a_second_each(SENT).await;
        speak_too_fast(&origin, &speech, &seconds_sent).await;
    });
    sent.wait_for(|sent| *sent >= BEFORE).await.unwrap();
    let (before, begun) = (*sent.borrow(), Instant::now());
    let calls = good_call::place(&server.origin, CALLS, &SAYS).await;
    let (beside, took) = (*sent.borrow() - before, begun.elapsed());
    flood.abort();
    let stopped = flood
        .await
        .expect_err("it goes on for as long as it is let");
    assert!(stopped.is_cancelled(), "{stopped}");

    let least = took.as_secs() * u64::from(TIMES_FASTER) / 2;
    assert!(beside > least, "only {beside} s were sent in {took:?}");
    assert_eq!(calls.len(), CALLS);
    for call in &calls {
        good_call::is_on_record(call, &MARKED);
        good_call::was_answered_on_time(call, START_WAIT_SECONDS);
    }
}

/// What is said, in messages of a second each. What is left over is left out.
async fn a_second_each(words: &str) -> Vec<Message> {
    let voice = FliteVoice::named("kal").unwrap();
    let said = voice.speak(Secret::new(words.to_owned())).collect().await;
    let bytes = |samples: &[i16]| -> Vec<u8> {
        let samples = samples.iter();
        samples.flat_map(|sample| sample.to_le_bytes()).collect()
    };
    let said = said.unwrap();
    let seconds = said.chunks_exact(SAMPLE_RATE as usize);
    seconds
        .map(|second| Message::binary(bytes(second)))
        .collect()
}

/// For as long as it is let: where its call has ended, in another.
async fn speak_too_fast(origin: &str, speech: &[Message], seconds_sent: &watch::Sender<u64>) {
    loop {
        let (mut to_call, mut from_call) = ring(origin).await.split();
        // Who reads nothing would be cut off for that.
        let reading =
            tokio::spawn(async move { while let Some(Ok(_)) = from_call.next().await {} });
        // Its own pace: the program that it harms has no virtual time.
        let mut ticks = tokio::time::interval(SECOND / TIMES_FASTER);
        for second in speech.iter().cycle() {
            ticks.tick().await;
            if to_call.send(second.clone()).await.is_err() {
                break;
            }
            seconds_sent.send_modify(|sent| *sent += 1);
        }
        reading.abort();
    }
}

/// A new call's socket, asked for as by any page, of a visitor whom nobody knows.
async fn ring(origin: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
    let http = Client::new();
    let config = http.get(format!("{origin}/api/config")).send().await;
    let config: Value = config.unwrap().json().await.unwrap();
    let asked = http
        .post(format!("{origin}/call/web"))
        .bearer_auth(config["publicKey"].as_str().unwrap())
        .json(&json!({"assistantId": "helpline"}));
    let call: Value = asked.send().await.unwrap().json().await.unwrap();
    let id = call["id"].as_str().expect("there is a line for it");
    let url = format!("{}/call/{id}/socket", origin.replacen("http", "ws", 1));
    connect_async(url).await.unwrap().0
}
