//! The call so far, as a reader keeps it: numbers that the flow holds between turns and hands back unread, and what they
//! speak against.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the trained reader made of all turns so far: a figure for each of its labels. Empty before the first turn, and where
/// the rules read alone.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SoFar {
    pub turns: u16,
    /// The highest logit of any turn.
    pub highest: Vec<f32>,
    /// The sum of the turns' logits.
    pub logits: Vec<f32>,
    /// The sum of the turns' probabilities.
    pub probabilities: Vec<f32>,
}

/// What they tell of is the caller's own, and is not printed.
impl fmt::Debug for SoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = &self.turns;
        f.debug_struct("SoFar")
            .field("turns", turns)
            .finish_non_exhaustive()
    }
}

/// The call so far is unlike those of people of whom this was true, and like those of people who need nobody: a reason for one more
/// question before it is acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// Somebody is being hurt, or about to be.
    DangerNow,
    /// The caller thinks of suicide.
    Suicide,
    /// There is something that any agency could help with.
    Need,
}
