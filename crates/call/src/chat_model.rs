//! What a call asks of a chat model, where one is configured: a better reply than the templates'
//! within a bound. Which model, and how it is held to the flow, is its room's own matter; a call
//! works without one, and with one that fails.

use std::time::Duration;

use async_trait::async_trait;
use flow::Conversation;
use flow::reading::Reading;
use uuid::Uuid;

use crate::events::SpokenMessage;

/// A caller turn that a reply is worked out for.
#[derive(Clone)]
pub struct HeardTurn {
    pub call: Uuid,
    /// The conversation before the turn.
    pub before: Conversation,
    /// The turn, as it was read.
    pub reading: Reading,
    /// The offset from the call's start.
    pub at: Duration,
    /// What was said up to then.
    pub said: Vec<SpokenMessage>,
}

/// A chat model that may have something to add.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Whether there is anything to ask in this call. Where there is not, nothing waits.
    fn has_something_for(&self, _call: Uuid) -> bool {
        true
    }

    /// The conversation after the turn, its commands not yet polled; `None` if it is to be as the
    /// flow has it by itself. Bounded, and never an error: trouble is `None`.
    async fn reply(&self, turn: HeardTurn) -> Option<Conversation>;
}
