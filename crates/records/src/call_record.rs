//! What is kept of a call.

use std::fmt;
use std::str::FromStr;

use flow::{CaseNote, EndReason};
use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::label::Label;
use crate::notice::Notice;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new one, unguessable.
            pub fn random() -> Self {
                Self(Uuid::new_v4())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

id! {
    /// A call, as the platform names it.
    CallId
}
id! {
    /// One visitor's session. Whoever holds it sees its calls, so it is never logged or
    /// shown.
    VisitorId
}
id! {
    /// A duty officer, as the desk knows them: their account there. Shown to nobody; the desk has a name for it.
    OfficerId
}

/// How a call came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallKind {
    /// By voice, from a browser or a program.
    WebCall,
    /// By text.
    Chat,
}

impl CallKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WebCall => "webCall",
            Self::Chat => "chat",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::WebCall, Self::Chat]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// A call that begins. Times are kept to the microsecond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCall {
    pub call_id: CallId,
    /// Absent for a call that no browser session made.
    pub visitor: Option<VisitorId>,
    pub started_at: Timestamp,
    pub kind: CallKind,
    /// What the caller was told before it; none where nothing told them.
    pub notice: Option<Notice>,
}

/// Who said a message: `bot` is the assistant and `user` the caller, the platform's words; `officer` is ours, for a duty
/// officer who was brought onto the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Bot,
    User,
    System,
    Officer,
}

/// One message of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub role: Role,
    /// Which officer said it. Absent for all others, and where that was not kept: in records made before it was, and of calls
    /// that were held elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub officer: Option<OfficerId>,
    #[serde(serialize_with = "expose_secret")]
    pub message: Secret<String>,
    pub seconds_from_start: f64,
    pub duration_seconds: f64,
    /// The caller spoke over it; `message` holds what was heard.
    #[serde(default)]
    pub interrupted: bool,
}

/// One turn of a running call.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// From 0.
    pub index: u32,
    /// What was said in this turn.
    pub messages: Vec<Message>,
    /// The flow's state after it, from which the conversation can go on.
    pub conversation: Secret<String>,
}

/// A call that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedCall {
    pub ended_at: Timestamp,
    pub ended_reason: EndReason,
    pub note: CaseNote,
    /// The whole transcript; replaces what the turns held.
    pub messages: Vec<Message>,
}

/// A call on record, running or ended.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRecord {
    /// The dashboard's number.
    pub id: i64,
    pub call_id: CallId,
    pub visitor: Option<VisitorId>,
    /// One of the fictional records every visitor sees.
    pub sample: bool,
    pub kind: CallKind,
    pub started_at: Timestamp,
    /// What the caller was told before it.
    pub notice: Option<Notice>,
    /// What the program says of it that asked for it.
    pub label: Label,
    /// Absent while the call runs.
    pub ended_at: Option<Timestamp>,
    pub ended_reason: Option<EndReason>,
    /// Absent while the call runs, and when it could not be read back.
    pub note: Option<CaseNote>,
    /// The kind of abuse where it was written in other words than the schema's.
    pub abuse_in_other_words: Option<Secret<String>>,
    pub messages: Vec<Message>,
    /// Part of it could not be read back and is left out.
    pub damaged: bool,
    /// That is because it is sealed with a key that is not set, or was altered.
    pub unopened: bool,
}

impl CallRecord {
    /// Absent while the call runs.
    pub fn duration_seconds(&self) -> Option<f64> {
        let ended_at = self.ended_at?;
        Some(
            ended_at
                .duration_since(self.started_at)
                .as_secs_f64()
                .max(0.0),
        )
    }

    /// The kind of abuse, in the words it is to be shown in.
    pub fn abuse_type(&self) -> Option<&str> {
        match (&self.abuse_in_other_words, &self.note) {
            (Some(words), _) => Some(words.expose_secret()),
            (None, Some(note)) => Some(note.structured_data.abuse_type.as_str()),
            (None, None) => None,
        }
    }
}

/// A call without an end, and all that is needed to go on with it or to end it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnfinishedCall {
    pub call_id: CallId,
    pub visitor: Option<VisitorId>,
    pub kind: CallKind,
    pub started_at: Timestamp,
    /// The flow's state after the last durable turn; none if there was no turn.
    pub conversation: Option<Secret<String>>,
    /// That turn's index.
    pub last_turn: Option<u32>,
    /// What was said up to then.
    pub messages: Vec<Message>,
    /// They ended their session since, and will not come back to it.
    pub visitor_has_left: bool,
    /// How its program wants it held: see [`crate::Label`].
    pub manner: Option<Secret<String>>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_message_that_tells_of_no_officer_is_kept_as_it_was_before_officers_were_told_apart() {
        let before = r#"{"role":"officer","message":"hello","secondsFromStart":1.0,"durationSeconds":2.0,"interrupted":false}"#;
        let message: Message = serde_json::from_str(before).unwrap();
        assert_eq!(message.officer, None);
        assert_eq!(serde_json::to_string(&message).unwrap(), before);
    }
}
