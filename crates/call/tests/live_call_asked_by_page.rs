//! What pages ask the assistant to say, in many calls at once, beside what it says by itself.
#![allow(clippy::unwrap_used)]

#[path = "support/board.rs"]
mod board;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use board::{Told, parts};
use call::media::{SocketFrame, WebSocketTransport};
use call::{Manner, NewCall, Switchboard};
use flow::{AssistantScript, Secret};
use serde_json::{Value, json};
use speech::{Sound, SpeechStream, Standing, Voice, VoiceError};
use tokio::sync::mpsc;
use uuid::Uuid;

const CALLS: usize = 20;
const SAID: &str = r#"{"type": "say", "message": "The page says this. And this, too."}"#;

type Making = mpsc::UnboundedSender<Result<Sound, VoiceError>>;

/// Has what is always said; all else is begun, and made when the test lets it.
struct Slow {
    always_said: HashSet<String>,
    making: Mutex<Vec<Making>>,
}

impl Slow {
    /// How many sentences somebody waits for.
    fn waited_for(&self) -> usize {
        let mut making = self.making.lock().unwrap();
        making.retain(|making| !making.is_closed());
        making.len()
    }

    fn makes_one(&self) {
        let making = self.making.lock().unwrap().remove(0);
        making.send(Ok(half_a_second())).unwrap();
    }
}

impl Voice for Slow {
    fn speak_to(&self, _: Standing, sentence: Secret<String>) -> SpeechStream {
        if self.always_said.contains(sentence.expose_secret()) {
            return SpeechStream::ready([Ok(half_a_second())]);
        }
        let (making, stream) = SpeechStream::channel();
        self.making.lock().unwrap().push(making);
        stream
    }
}

fn half_a_second() -> Sound {
    Sound::Samples(vec![900; 8_000])
}

/// A page that plays what it is sent.
fn begun(board: &Arc<Switchboard>) -> mpsc::Sender<SocketFrame> {
    let (to_call, mut from_call) = joined(board);
    tokio::spawn(async move { while from_call.recv().await.is_some() {} });
    to_call
}

fn joined(board: &Arc<Switchboard>) -> (mpsc::Sender<SocketFrame>, mpsc::Receiver<SocketFrame>) {
    let (to_call, incoming) = mpsc::channel(50);
    let (outgoing, from_call) = mpsc::channel(50);
    let call = NewCall {
        id: Uuid::new_v4(),
        started_at: "2026-11-20T18:00:00Z".parse().unwrap(),
        manner: Manner::default(),
        cut_off: None,
        events: mpsc::unbounded_channel().0,
    };
    let transport = WebSocketTransport::new(incoming, outgoing);
    board.begin(call, board.reserve().unwrap(), Box::new(transport));
    (to_call, from_call)
}

async fn type_so_much(page: &mpsc::Sender<SocketFrame>, characters: usize) {
    let message = json!({"role": "user", "content": "é".repeat(characters)});
    let typed = json!({"type": "add-message", "message": message}).to_string();
    page.send(SocketFrame::Text(typed)).await.unwrap();
}

/// Why a message was not taken.
async fn refused(told: &mut mpsc::Receiver<SocketFrame>) -> String {
    loop {
        let frame = told.recv().await.expect("the call goes on");
        if let SocketFrame::Text(text) = frame
            && let Ok(message) = serde_json::from_str::<Value>(&text)
            && message["type"] == "message-refused"
        {
            assert_eq!(message["code"], "field-invalid");
            return message["message"].as_str().unwrap().to_owned();
        }
    }
}

async fn ask(page: &mpsc::Sender<SocketFrame>) {
    let said = SocketFrame::Text(SAID.to_owned());
    page.send(said).await.unwrap();
}

/// Until all have done what they can.
async fn a_moment() {
    // Virtual time: the clock is paused.
    tokio::time::sleep(Duration::from_millis(100)).await;
}

#[tokio::test(start_paused = true)]
async fn what_pages_ask_for_is_made_one_sentence_at_a_time_and_who_hangs_up_is_not_waited_for() {
    let fixed = call::fixed_sentences(&AssistantScript::built_in());
    let voice = Arc::new(Slow {
        always_said: fixed.into_iter().collect(),
        making: Mutex::default(),
    });
    let all = parts(Arc::clone(&voice) as _, Arc::new(Told::default()), CALLS);
    let board = Switchboard::open(all).await.unwrap();
    let mut pages: Vec<_> = (0..CALLS).map(|_| begun(&board)).collect();
    a_moment().await;
    for page in &pages {
        ask(page).await;
        // It thinks better of it, and asks again: of the first nothing is left.
        ask(page).await;
    }
    a_moment().await;
    assert_eq!(voice.waited_for(), 1, "of so many calls");
    for _ in 0..5 {
        voice.makes_one();
        a_moment().await;
        assert_eq!(voice.waited_for(), 1, "the next one's");
    }
    for page in pages.drain(..) {
        page.send(SocketFrame::Close).await.unwrap();
    }
    a_moment().await;
    assert_eq!(voice.waited_for(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_caller_is_told_of_what_they_typed_and_is_not_taken() {
    let fixed = call::fixed_sentences(&AssistantScript::built_in());
    let voice = Arc::new(Slow {
        always_said: fixed.into_iter().collect(),
        making: Mutex::default(),
    });
    let all = parts(voice, Arc::new(Told::default()), 1);
    let board = Switchboard::open(all).await.unwrap();
    let (page, mut told) = joined(&board);
    type_so_much(&page, 4_001).await;
    let why = refused(&mut told).await;
    assert!(why.contains("at most 4000 characters"), "{why}");
    assert!(!why.contains('é'), "{why}");
    for _ in 0..5 {
        type_so_much(&page, 3_500).await;
    }
    let why = refused(&mut told).await;
    assert!(why.contains("at most 16000 characters"), "{why}");
}
