//! Calls of made-up callers beside those of callers: who has the lines, and what is told of them.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use call::media::{SocketFrame, WebSocketTransport};
use call::{
    CallStarted, EndedCall, Journal, JournalError, Manner, SavedTurn, Switchboard,
    SwitchboardParts, Trial, TrialBroken,
};
use flow::{AssistantScript, EndReason, Secret};
use speech::{FliteVoice, Standing, TranscribeError, Transcriber};
use tokio::sync::mpsc;
use uuid::Uuid;

const MAX_CALLS: usize = 2;

struct Deaf;

#[async_trait]
impl Transcriber for Deaf {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        Ok(Secret::new(String::new()))
    }
}

/// How often it is told something.
#[derive(Default)]
struct Told(AtomicUsize);

#[async_trait]
impl Journal for Told {
    async fn started(&self, _: CallStarted) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    async fn turn(&self, _: Uuid, _: SavedTurn) -> Result<(), JournalError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn finished(&self, _: Uuid, _: EndedCall) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

async fn switchboard() -> (Arc<Switchboard>, Arc<Told>) {
    let told = Arc::new(Told::default());
    let parts = SwitchboardParts {
        transcriber: Arc::new(Deaf),
        voices: vec![Arc::new(FliteVoice::named("slt").unwrap())],
        end_of_turn: None,
        script: Arc::new(AssistantScript::built_in()),
        reader: Arc::new(reader::Reader::rules_alone()),
        plan: turn::Plan::default(),
        end_call_phrases: turn::EndCallPhrases::new(["goodbye"]),
        authorities: String::from("Authorities"),
        journal: Arc::clone(&told) as Arc<dyn Journal>,
        chat_model: None,
        desk: None,
        answered_within: Duration::from_secs(60),
        max_calls: MAX_CALLS,
        return_within: Duration::from_secs(30),
    };
    (Switchboard::open(parts).await.unwrap(), told)
}

/// The made-up caller's end.
struct Line {
    to_call: mpsc::Sender<SocketFrame>,
    from_call: mpsc::Receiver<SocketFrame>,
}

impl Line {
    async fn until(&mut self, holds: impl Fn(&SocketFrame) -> bool) {
        while let Some(frame) = self.from_call.recv().await {
            if holds(&frame) {
                return;
            }
        }
    }
}

fn begun(board: &Arc<Switchboard>) -> Option<(Trial, Line)> {
    let (to_call, incoming) = mpsc::channel(50);
    let (outgoing, from_call) = mpsc::channel(50);
    let transport = WebSocketTransport::new(incoming, outgoing);
    let trial = board.begin_trial(Manner::default(), Box::new(transport))?;
    Some((trial, Line { to_call, from_call }))
}

async fn until_nobody_is_on_a_line(board: &Switchboard) {
    while board.live_calls() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_made_up_caller_waits_while_a_caller_is_on_a_line_or_promised_one() {
    let (board, _) = switchboard().await;
    let promised = board.reserve().unwrap();
    assert!(begun(&board).is_none());
    drop(promised);
    let first = begun(&board).unwrap();
    assert!(begun(&board).is_none(), "one at a time");
    drop(first);
    until_nobody_is_on_a_line(&board).await;
    assert!(begun(&board).is_some());
}

#[tokio::test]
async fn a_caller_who_asks_ends_it_whether_or_not_a_line_is_free_and_every_line_is_callers() {
    let (board, _) = switchboard().await;
    let (trial, _line) = begun(&board).unwrap();
    let lines = [(); MAX_CALLS].map(|()| board.reserve().unwrap());
    assert!(board.reserve().is_err());
    assert_eq!(trial.ended().await.err(), Some(TrialBroken::GaveWay));
    drop(lines);
    until_nobody_is_on_a_line(&board).await;
    assert_eq!(board.free_lines(), MAX_CALLS);
}

#[tokio::test]
async fn its_end_is_told_to_who_tried_it_and_to_nobody_else() {
    let (board, told) = switchboard().await;
    let (trial, mut line) = begun(&board).unwrap();
    line.until(|frame| matches!(frame, SocketFrame::Pcm(_)))
        .await;
    line.to_call.send(SocketFrame::Close).await.unwrap();
    let ended = trial.ended().await.unwrap();
    assert_eq!(ended.reason, EndReason::CallerEnded);
    until_nobody_is_on_a_line(&board).await;
    assert_eq!(board.free_lines(), MAX_CALLS);
    assert_eq!(told.0.load(Ordering::Relaxed), 0, "it is in no journal");
}

#[tokio::test]
async fn one_that_nobody_waits_for_is_hung_up() {
    let (board, _) = switchboard().await;
    let (trial, mut line) = begun(&board).unwrap();
    line.until(|frame| matches!(frame, SocketFrame::Pcm(_)))
        .await;
    drop(trial);
    until_nobody_is_on_a_line(&board).await;
    assert_eq!(board.free_lines(), MAX_CALLS);
}
