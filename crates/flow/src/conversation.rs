//! One call's conversation: events in, commands out.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

use crate::{Agency, AssistantScript, CaseNote, EndReason, TransferMode};

/// What a conversation needs to know before it starts.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Singapore's local time when the call started; "last night" is resolved against it.
    pub called_at: jiff::civil::DateTime,
    pub assistant: Arc<AssistantScript>,
}

/// What happened in the call.
#[derive(Debug, Clone)]
pub enum Event {
    /// The line is open: the assistant speaks first.
    CallStarted,
    /// One whole caller turn.
    CallerSaid { words: Secret<String> },
    /// The sound of speech, in which no words were found.
    CallerNotUnderstood,
    /// The caller has been silent so long that a check-in is due.
    CallerSilent,
    /// The call is over, whoever ended it.
    CallEnded { reason: EndReason },
}

/// What the conversation wants done.
#[derive(Debug, Clone)]
pub enum Command {
    /// Say one sentence, after those before it.
    Say { sentence: Secret<String> },
    /// Hand the caller on, after what was said before it.
    Transfer { mode: TransferMode, agency: Agency },
    /// The `product_query` look-up was run. The query is the conversation's own, never the caller's
    /// words.
    LookedUp { query: String },
    /// End the call, after what was said before it.
    End { reason: EndReason },
}

/// One call's conversation. Cheap to clone; its `Debug` shows no words.
#[derive(Clone)]
pub struct Conversation {
    setup: Setup,
    state: State,
    commands: VecDeque<Command>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    turns: Vec<Said>,
    ended: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Said {
    #[serde(serialize_with = "expose_secret")]
    words: Secret<String>,
}

/// A saved conversation could not be read.
#[derive(Debug, thiserror::Error)]
#[error("not a saved conversation of this version: start a new one")]
pub struct RestoreError;

impl Conversation {
    pub fn new(setup: Setup) -> Self {
        Self { setup, state: State::default(), commands: VecDeque::new() }
    }

    /// The state as JSON, for [`Conversation::restore`]. Commands not yet polled are not in it.
    pub fn save(&self) -> Secret<String> {
        Secret::new(serde_json::to_string(&self.state).expect("the state holds only plain data"))
    }

    /// A conversation that goes on where the saved one was.
    pub fn restore(setup: Setup, saved: &str) -> Result<Self, RestoreError> {
        let state = serde_json::from_str(saved).map_err(|_| RestoreError)?;
        Ok(Self { setup, state, commands: VecDeque::new() })
    }

    /// The case note so far; at any time, also mid-call.
    pub fn note(&self) -> CaseNote {
        crate::note::empty()
    }

    /// `now` is the offset from the call's start.
    pub fn handle(&mut self, event: Event, _now: Duration) {
        if self.state.ended {
            return;
        }
        let sentence = match event {
            Event::CallStarted => format!("Hello, this is {}, an AI counsellor. Are you safe right now?", self.setup.assistant.name),
            Event::CallerSaid { words } => { self.state.turns.push(Said { words }); "I'm listening.".to_owned() }
            Event::CallerNotUnderstood => "Sorry, I didn't catch that.".to_owned(),
            Event::CallerSilent => "I'm still here.".to_owned(),
            Event::CallEnded { .. } => { self.state.ended = true; return; }
        };
        self.commands.push_back(Command::Say { sentence: Secret::new(sentence) });
    }

    /// The next thing to do, in order.
    pub fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation").field("turns", &self.state.turns.len()).finish_non_exhaustive()
    }
}
