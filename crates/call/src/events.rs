//! What a call tells the world while it runs: events for the page, the webhook and
//! the metrics, and the journal that makes its turns durable.

use std::time::Duration;

use async_trait::async_trait;
use flow::{Agency, CaseNote, Conversation, EndReason, Step, TransferMode};
use redact::Secret;
use turn::{Ring, Unreached};
use uuid::Uuid;

use crate::legs::OfficerId;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Assistant,
    Caller,
    /// A duty officer, each a speaker of their own. Without one where a record does not tell which.
    Officer(Option<OfficerId>),
}

/// Something that happened in a call.
#[derive(Debug, Clone)]
pub enum CallEvent {
    /// The caller is connected.
    Started,
    /// Somebody began or ceased to speak, in their `turn`-th turn (from 0).
    SpeechStarted {
        speaker: Speaker,
        turn: u32,
    },
    SpeechStopped {
        speaker: Speaker,
        turn: u32,
    },
    /// Words that were heard or spoken; partial ones may still change.
    Transcript {
        speaker: Speaker,
        words: Secret<String>,
        is_final: bool,
    },
    /// The caller took the floor from the assistant.
    Interrupted {
        turn: u32,
    },
    /// The assistant had no reply in time, and said the safe fallback.
    AnsweredLate,
    /// The assistant looked something up in the knowledge base.
    LookedUp {
        query: String,
    },
    /// The agency is being brought in.
    Transferred {
        mode: TransferMode,
        agency: Agency,
    },
    /// The case note as it stands after what the caller said last.
    Noted {
        note: Box<CaseNote>,
    },
    /// The conversation has come to another step of the flow.
    Stepped {
        step: Step,
    },
    /// Duty officers are being rung for it.
    OfficersRung {
        agency: Agency,
        whom: Ring,
        /// Whose desk rings.
        officers: Vec<OfficerId>,
    },
    /// One more is, who could not be rung before.
    OfficerAlsoRung {
        officer: OfficerId,
    },
    /// This one has the call; nobody is rung any more.
    OfficerAccepted {
        officer: OfficerId,
    },
    /// This one had accepted, and their line has not come in time: the call is not theirs any more.
    OfficerNeverCame {
        officer: OfficerId,
    },
    /// The caller and this officer hear each other.
    OfficerJoined {
        officer: OfficerId,
    },
    OfficerLeft {
        officer: OfficerId,
    },
    /// The caller is with the assistant alone for a while; officers speak with each other.
    CallerOnHold,
    /// That ends by itself after so long.
    HoldEndsSoon {
        within: Duration,
    },
    /// The caller and the officers hear each other again.
    CallerOffHold,
    /// No officer talks with the caller, who was told that one would: the assistant does again.
    OfficersUnreached {
        why: Unreached,
    },
    /// The call is over. Always the last event, exactly once.
    Ended {
        reason: EndReason,
    },
}

/// One message of the transcript, as it was really spoken.
#[derive(Debug, Clone)]
pub struct SpokenMessage {
    pub speaker: Speaker,
    pub words: Secret<String>,
    /// Offsets from the call's start.
    pub from: Duration,
    pub to: Duration,
    /// The caller cut the assistant off in it.
    pub interrupted: bool,
}

/// A call that has begun.
#[derive(Debug, Clone)]
pub struct CallStarted {
    pub id: Uuid,
    pub started_at: jiff::Timestamp,
}

/// A turn that must be durable before the reply to it is spoken.
#[derive(Debug, Clone)]
pub struct SavedTurn {
    /// 0 is the greeting, then one a caller turn. Saving the same index again replaces it.
    pub index: u32,
    /// What was said since the last saved turn, the caller's words last.
    pub messages: Vec<SpokenMessage>,
    /// The conversation's state after this turn, as [`flow::Conversation::save`] writes it.
    pub conversation: Secret<String>,
}

/// A call that was cut off, as its last durable turn left it. It goes on when its caller is back.
#[derive(Debug, Clone)]
pub struct CutOff {
    pub conversation: Conversation,
    pub messages: Vec<SpokenMessage>,
    /// The last durable turn's index.
    pub turns: u32,
}

/// A call that is over.
#[derive(Debug, Clone)]
pub struct EndedCall {
    pub ended_at: jiff::Timestamp,
    pub reason: EndReason,
    pub note: CaseNote,
    /// What the note is of: for one that is told better.
    pub conversation: Conversation,
    /// The whole transcript; replaces what was saved turn by turn.
    pub messages: Vec<SpokenMessage>,
}

/// Why a turn could not be made durable. Carries no words.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the turn could not be saved: {0}")]
    Unsaved(String),
    /// It goes on there, and what is said here is nobody's.
    #[error("another node has taken the call")]
    HeldElsewhere,
}

/// Where a call's turns are kept. Implemented over the records by the server.
///
/// A call never waits on it for long: `started` and `finished` return once the
/// work is queued, and a turn that is not saved within the call's bound is spoken
/// all the same and counted.
#[async_trait]
pub trait Journal: Send + Sync {
    async fn started(&self, call: CallStarted);
    async fn turn(&self, call: Uuid, turn: SavedTurn) -> Result<(), JournalError>;
    async fn finished(&self, call: Uuid, ended: EndedCall);
}
