//! One call's conversation: events in, commands out.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use redact::Secret;
use serde::{Deserialize, Serialize};

use crate::{
    Agency, AssistantScript, CaseNote, EndReason, TransferMode,
    machine::{Machine, State},
    note,
    wording::{self, Spoken, Told},
};

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

/// A saved conversation could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a saved conversation of this version: start a new one")]
pub struct RestoreError;

/// The saved form. A version that is not [`VERSION`] is not read.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    version: u32,
    state: S,
}

const VERSION: u32 = 1;

impl Conversation {
    /// A conversation that has not begun: give it [`Event::CallStarted`].
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            state: State::default(),
            commands: VecDeque::new(),
        }
    }

    /// The case note so far; at any time, also mid-call.
    pub fn note(&self) -> CaseNote {
        note::write(&self.state)
    }

    /// Whether the conversation has ended and will say nothing more.
    pub fn has_ended(&self) -> bool {
        self.state.ended.is_some()
    }

    /// The state as JSON, for [`Conversation::restore`]. It holds the caller's words. Commands not
    /// yet polled are not in it: save between turns.
    pub fn save(&self) -> Secret<String> {
        let saved = Saved {
            version: VERSION,
            state: &self.state,
        };
        Secret::new(serde_json::to_string(&saved).expect("the state holds only plain data"))
    }

    /// A conversation that goes on where the saved one was.
    pub fn restore(setup: Setup, saved: &str) -> Result<Self, RestoreError> {
        let saved: Saved<State> = serde_json::from_str(saved).map_err(|_| RestoreError)?;
        if saved.version != VERSION {
            return Err(RestoreError);
        }
        Ok(Self {
            setup,
            state: saved.state,
            commands: VecDeque::new(),
        })
    }

    /// Something happened, at this offset from the call's start. The offset is not yet used: what
    /// is said does not depend on how long it took.
    pub fn handle(&mut self, event: Event, _now: Duration) {
        if let Event::CallEnded { reason } = event {
            self.state.ended.get_or_insert(reason);
            self.commands.clear();
            return;
        }
        if self.state.ended.is_some() {
            return;
        }
        let mut machine = Machine {
            state: &mut self.state,
            knowledge: &self.setup.assistant.knowledge,
            called_at: self.setup.called_at,
            moves: Vec::new(),
        };
        match &event {
            Event::CallStarted => machine.call_started(),
            Event::CallerSaid { words } => machine.caller_said(words.expose_secret()),
            Event::CallerNotUnderstood => machine.not_understood(),
            Event::CallerSilent => machine.caller_silent(),
            Event::CallEnded { .. } => {}
        }
        let moves = machine.moves;
        let route = self.state.route.map(|route| route.agency);
        let spoken = wording::word(
            &moves,
            route,
            &told(&self.state),
            &self.setup.assistant,
            &mut self.state.wording,
        );
        self.commands
            .extend(spoken.into_iter().map(|spoken| match spoken {
                Spoken::Sentence(sentence) => Command::Say {
                    sentence: Secret::new(sentence),
                },
                Spoken::LookUp(query) => Command::LookedUp { query },
                Spoken::Transfer(mode, agency) => Command::Transfer { mode, agency },
                Spoken::EndAfterTransfer => Command::End {
                    reason: EndReason::Forwarded,
                },
                Spoken::End => Command::End {
                    reason: EndReason::AssistantEnded,
                },
            }));
    }

    /// The next thing to do, in order.
    pub fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }
}

/// What the caller told that may be said back.
fn told(state: &State) -> Told {
    /// Longer than this an address is heard better than repeated.
    const LONGEST_PLACE: usize = 48;
    let plain = |text: &str| !text.contains(['?', '!', '\n', '{']);
    Told {
        name: state
            .name
            .as_ref()
            .map(|name| name.heard.value.0.expose_secret().clone())
            .filter(|name| plain(name)),
        place: state
            .place
            .as_ref()
            .map(|place| place.heard.value.name.expose_secret().clone())
            .filter(|place| plain(place) && place.len() <= LONGEST_PLACE),
        who: state.abuser.as_ref().and_then(|abuser| {
            let words = abuser.heard.words.expose_secret().to_lowercase();
            let role = words.strip_prefix("my ")?;
            (plain(role) && role.split(' ').count() <= 4).then(|| format!("your {role}"))
        }),
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation")
            .field("turns", &self.state.turns)
            .field("route", &self.state.route)
            .field("ended", &self.state.ended)
            .finish_non_exhaustive()
    }
}
