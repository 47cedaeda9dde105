//! Calls of made-up callers beside those of callers: who has the lines, and what is told of them.
#![allow(clippy::unwrap_used)]

#[path = "support/board.rs"]
mod board;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use board::{Told, parts};
use call::media::{SocketFrame, WebSocketTransport};
use call::{Manner, Switchboard, Trial, TrialBroken};
use flow::EndReason;
use speech::FliteVoice;
use tokio::sync::mpsc;

const MAX_CALLS: usize = 2;

async fn switchboard() -> (Arc<Switchboard>, Arc<Told>) {
    let told = Arc::new(Told::default());
    let voice = Arc::new(FliteVoice::named("slt").unwrap());
    let board = Switchboard::open(parts(voice, Arc::clone(&told), MAX_CALLS)).await;
    (board.unwrap(), told)
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
