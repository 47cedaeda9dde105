//! A live call that somebody has open: what is said and found in it, as it happens. Of a call that nobody has open nothing is
//! handed on.

use std::sync::Arc;

use desk::{AccountId, Case};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use uuid::Uuid;

use super::live::{LiveCall, Words};
use super::{DutyRoom, State};

/// What a slow page may fall behind in one call before it is to open it anew: more than a minute of talk.
const BEHIND: usize = 256;

/// One live call, open until this is dropped.
pub struct OpenCall {
    words: broadcast::Receiver<Arc<Words>>,
}

impl OpenCall {
    /// What comes next; closed where the call is over.
    pub async fn next(&mut self) -> Result<Arc<Words>, RecvError> {
        self.words.recv().await
    }
}

impl DutyRoom {
    /// Opens a call that is live here: as it stands, and what comes after that. Who may is decided by the one that asks.
    pub fn open_call(&self, call: Uuid) -> Option<(LiveCall, OpenCall)> {
        let mut state = self.state();
        let as_it_stands = state.calls.get(&call)?.clone();
        let open = state
            .open_calls
            .entry(call)
            .or_insert_with(|| broadcast::channel(BEHIND).0);
        let words = open.subscribe();
        Some((as_it_stands, OpenCall { words }))
    }

    /// As much of a live call as tells whether this account may see it.
    pub fn case_for(&self, call: Uuid, account: AccountId) -> Option<Case> {
        let state = self.state();
        let live = state.calls.get(&call)?;
        Some(live.case_for(account))
    }
}

impl State {
    /// Tells those who have this call open.
    pub(super) fn tell_of(&mut self, call: Uuid, words: Words) {
        let Some(open) = self.open_calls.get(&call) else {
            return;
        };
        if open.send(Arc::new(words)).is_err() {
            // The last of them has closed it.
            self.open_calls.remove(&call);
        }
    }
}
