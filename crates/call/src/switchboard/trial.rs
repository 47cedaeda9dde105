//! A call of a made-up caller: held as any other, and kept apart from those of callers. Nothing of it goes to the journal, nobody
//! at the desk is rung, no figure counts it, and it ends when a caller asks for a line.
//!
//! Who speaks in it, and what, is the server's.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use flow::EndReason;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Line, NewCall, Reach, Shared, Switchboard};
use crate::events::{CallStarted, EndedCall, Journal, JournalError, SavedTurn};
use crate::manner::Manner;
use crate::media::Transport;
use crate::traces::Span;

/// A made-up caller's call. It is hung up when this is dropped.
pub struct Trial {
    pub started_at: jiff::Timestamp,
    id: Uuid,
    board: Arc<Switchboard>,
    ended: oneshot::Receiver<Result<EndedCall, TrialBroken>>,
    gives_way: CancellationToken,
    _span: Span,
}

/// Why a made-up caller's call came to no end of its own.
#[derive(Debug, Clone, Copy, thiserror::Error, PartialEq, Eq)]
pub enum TrialBroken {
    #[error("a caller asked for a line: try it again when nobody is on one")]
    GaveWay,
    #[error("the call broke")]
    Failed,
}

impl Trial {
    /// Its end, with all that was said.
    pub async fn ended(mut self) -> Result<EndedCall, TrialBroken> {
        let ended = (&mut self.ended).await;
        // One that had not begun to be held has no end to tell.
        ended.unwrap_or_else(|_| match self.gives_way.is_cancelled() {
            true => Err(TrialBroken::GaveWay),
            false => Err(TrialBroken::Failed),
        })
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.board.hang_up(self.id, EndReason::CallerEnded);
    }
}

impl Switchboard {
    /// Begins a made-up caller's call, on a line of its own; not while a caller is on one, or is promised one.
    pub fn begin_trial(
        self: &Arc<Self>,
        manner: Manner,
        transport: Box<dyn Transport>,
    ) -> Option<Trial> {
        let (id, started_at) = (Uuid::new_v4(), jiff::Timestamp::now());
        let gives_way = CancellationToken::new();
        let wires = {
            // Whoever asks for a line meanwhile has it first, or finds this call and ends it.
            let mut live = self.live();
            if !live.is_empty() || self.lines.available_permits() < self.max_calls {
                return None;
            }
            let permit = Arc::clone(&self.lines).try_acquire_owned().ok()?;
            let (reach, wires) = Reach::of(Line(permit), Some(gives_way.clone()));
            live.insert(id, reach);
            wires
        };
        let (tell, ended) = oneshot::channel();
        let journal = OnlyTheEnd {
            gives_way: gives_way.clone(),
            tell: Mutex::new(Some(tell)),
        };
        let span = Span::first_of(id, "rehearsal");
        // Its events are told to nobody.
        let (events, _) = mpsc::unbounded_channel();
        let call = NewCall {
            id,
            started_at,
            manner,
            cut_off: None,
            events,
        };
        let shared = Shared {
            journal: Arc::new(journal),
            desk: None,
            is_counted: false,
            ..Shared::clone(&self.shared)
        };
        self.run(Arc::new(shared), call, wires, transport);
        Some(Trial {
            started_at,
            id,
            board: Arc::clone(self),
            ended,
            gives_way,
            _span: span,
        })
    }

    /// Ends the made-up callers' calls there are, and takes their line.
    pub(super) fn end_trials(&self) -> Option<Line> {
        let live = self.live();
        let mut line = None;
        for reach in live.values() {
            if let Some(gives_way) = &reach.gives_way {
                gives_way.cancel();
                // One that was told before ends already.
                let _ = reach.orders.try_send(EndReason::CallerEnded);
                line = reach.line.give_up().or(line);
            }
        }
        line
    }
}

/// The journal of a call of which nothing is stored.
struct OnlyTheEnd {
    gives_way: CancellationToken,
    tell: Mutex<Option<oneshot::Sender<Result<EndedCall, TrialBroken>>>>,
}

#[async_trait]
impl Journal for OnlyTheEnd {
    async fn started(&self, _: CallStarted) {}

    async fn turn(&self, _: Uuid, _: SavedTurn) -> Result<(), JournalError> {
        Ok(())
    }

    async fn finished(&self, _: Uuid, ended: EndedCall) {
        let tell = {
            let mut tell = self.tell.lock().unwrap_or_else(PoisonError::into_inner);
            tell.take()
        };
        if let Some(tell) = tell {
            // Who tried it may have gone.
            let _ = tell.send(match self.gives_way.is_cancelled() {
                true => Err(TrialBroken::GaveWay),
                false => Ok(ended),
            });
        }
    }
}
