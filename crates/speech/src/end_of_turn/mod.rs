//! Whether someone who pauses sounds as if they had finished: an opinion on the sound of the pause.
//!
//! An opinion is no decision: how long a caller is waited for is the `turn` crate's. The model hears how a thing
//! was said, not what. It was not trained on Malay or Tamil.

mod hush;
mod log_mel;
mod model;
mod smart_turn;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::SAMPLE_RATE;

pub use log_mel::LogMel;
pub use model::{EndOfTurnModel, OpenError};
pub use smart_turn::SmartTurn;

/// What an opinion takes in at most, in samples: the last eight seconds.
pub const SOUND_SAMPLES: usize = 8 * SAMPLE_RATE as usize;

/// Gives opinions on pauses.
#[async_trait]
pub trait EndOfTurn: Send + Sync {
    /// On the pause that `sound` (16 kHz mono, from the beginning of the turn) ends with: some 0.2 s of it.
    /// More than the last [`SOUND_SAMPLES`] are not heard.
    ///
    /// Every answer comes within the implementation's time limit. Dropping the future gives up the work if it has
    /// not begun.
    async fn opinion(&self, sound: Arc<[i16]>) -> Result<Opinion, NoOpinion>;
}

/// What a pause sounds like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opinion {
    /// How probable it is that the speaker has finished.
    pub finished: f32,
    /// The speaker whispers, or has hardly any voice left.
    pub hushed: bool,
}

/// Why there is no opinion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoOpinion {
    /// More pauses wait than can be judged while they last.
    #[error(
        "the end-of-turn model is busy; limit the number of calls, or set `start_wait` to fixed"
    )]
    Busy,
    #[error("the end-of-turn model gave no answer within {limit:?}; the machine is overloaded")]
    TimedOut {
        /// The limit that passed.
        limit: Duration,
    },
    #[error("the end-of-turn model failed: {reason}")]
    EngineFailed {
        /// The engine's own words.
        reason: String,
    },
}
