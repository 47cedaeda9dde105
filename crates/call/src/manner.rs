//! How a call is held where it is asked for with an assistant of a program's: turns, words and voice other than the switchboard's.

use std::fmt;
use std::sync::Arc;

use flow::AssistantScript;
use speech::Voice;

/// What is not given is as the switchboard has it.
#[derive(Clone, Default)]
pub struct Manner {
    pub plan: Option<turn::Plan>,
    pub script: Option<Arc<AssistantScript>>,
    /// Where it has room as the call begins, and can say the safe fallback.
    pub voice: Option<Arc<dyn Voice>>,
}

impl fmt::Debug for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manner")
            .field("plan", &self.plan)
            .field("script", &self.script.is_some())
            .field("voice", &self.voice.is_some())
            .finish()
    }
}
