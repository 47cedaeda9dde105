//! What happened in calls, without a word that was said: entries of `GET /logs`, and lines of a call's own log.

use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::CallStatus;
use crate::time;

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub enum LogType {
    /// A request of a program's: none is kept here.
    #[serde(rename = "API")]
    Api,
    /// A message to a program's server.
    Webhook,
    /// A change of a call's status.
    Call,
    /// A request to somebody else's voice or model: none is kept here.
    Provider,
}

/// Not what an entry can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a type of log: use API, Webhook, Call or Provider")]
pub struct NotALogType;

impl FromStr for LogType {
    type Err = NotALogType;

    fn from_str(text: &str) -> Result<Self, NotALogType> {
        match text {
            "API" => Ok(Self::Api),
            "Webhook" => Ok(Self::Webhook),
            "Call" => Ok(Self::Call),
            "Provider" => Ok(Self::Provider),
            _ => Err(NotALogType),
        }
    }
}

/// What became of a message to a program's server. (Ours.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookOutcome {
    Delivered,
    /// Not delivered so far: it is tried again.
    Waiting,
    /// Not delivered, and not tried again.
    GivenUp,
}

/// Why a message was not delivered, in words of ours alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LogError {
    pub message: String,
}

/// An entry of the logs. It holds neither address nor body of a request: an address may hold a key, and a body holds what callers
/// said.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub time: Timestamp,
    pub org_id: String,
    #[serde(rename = "type")]
    pub kind: LogType,
    /// What the message was, such as `end-of-call-report`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_http_method: Option<String>,
    /// Of the last try, as the next three.
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub request_started_at: Option<Timestamp>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub request_finished_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_duration_seconds: Option<f64>,
    /// Where the server answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_http_code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<LogError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    pub call_id: String,
    /// How often the message was tried. (Ours, as all that follow.)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<WebhookOutcome>,
    /// What the call came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<CallStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
}

impl Log {
    /// Of a call, and of nothing else yet.
    pub fn of(kind: LogType, time: Timestamp, org_id: &str, call_id: String) -> Self {
        Self {
            time,
            org_id: org_id.to_owned(),
            kind,
            webhook_type: None,
            request_http_method: None,
            request_started_at: None,
            request_finished_at: None,
            request_duration_seconds: None,
            response_http_code: None,
            error: None,
            assistant_id: None,
            squad_id: None,
            call_id,
            tries: None,
            outcome: None,
            status: None,
            ended_reason: None,
        }
    }
}

/// A line of a call's own log. (The platform has no type for it.)
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallLogLine {
    #[serde(with = "time::instant")]
    pub time: Timestamp,
    pub seconds_from_start: f64,
    /// The same for people.
    pub body: String,
    #[serde(flatten)]
    pub event: CallLogEvent,
}

impl CallLogLine {
    pub fn new(time: Timestamp, started_at: Timestamp, event: CallLogEvent) -> Self {
        let since = time.duration_since(started_at).as_millis();
        Self {
            time,
            seconds_from_start: since as f64 / 1000.0,
            body: event.told(),
            event,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum CallLogEvent {
    StatusUpdate {
        status: CallStatus,
        /// When ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ended_reason: Option<String>,
    },
    UserSpoke(Spoke),
    AssistantSpoke(Spoke),
    /// A duty officer on the line.
    OfficerSpoke(Spoke),
    ToolCall {
        name: String,
    },
    /// The assistant had no reply in time, and said what it says then.
    AssistantLate,
    HandOver {
        step: HandOverStep,
        /// The agency that callers are handed to, by its code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agency: Option<String>,
        /// `warm` or `cold`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<String>,
        /// Why nobody was reached, or `never-came` of an officer who left before their line was there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    Webhook {
        webhook_type: String,
        tries: u32,
        outcome: WebhookOutcome,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response_http_code: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// That somebody spoke, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spoke {
    /// In seconds; none of what was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// The caller spoke over it.
    pub interrupted: bool,
}

/// How far a hand-over has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandOverStep {
    /// The caller is to be handed on.
    Begun,
    OfficersRung,
    OfficerAccepted,
    /// The caller and an officer hear each other.
    OfficerJoined,
    OfficerLeft,
    /// An officer has put the caller on hold: the assistant has them meanwhile.
    CallerOnHold,
    /// The caller and the officer hear each other again.
    CallerOffHold,
    /// The assistant has the caller again.
    OfficersUnreached,
}

impl CallLogEvent {
    /// A step of a hand-over of which there is no more to say.
    pub fn step(step: HandOverStep) -> Self {
        Self::HandOver {
            step,
            agency: None,
            mode: None,
            why: None,
        }
    }

    fn told(&self) -> String {
        let fixed = match self {
            Self::StatusUpdate {
                status: CallStatus::Ended,
                ended_reason: Some(reason),
            } => return format!("call ended: {reason}"),
            Self::StatusUpdate {
                status: CallStatus::Ended,
                ..
            } => "call ended",
            Self::StatusUpdate { .. } => "call began",
            Self::UserSpoke(_) => "user spoke",
            Self::AssistantSpoke(_) => "assistant spoke",
            Self::OfficerSpoke(_) => "officer spoke",
            Self::ToolCall { name } => return format!("tool called: {name}"),
            Self::AssistantLate => "assistant was late",
            Self::HandOver { step, why, .. } => match step {
                HandOverStep::Begun => "hand-over begun",
                HandOverStep::OfficersRung => "officers are rung",
                HandOverStep::OfficerAccepted => "an officer accepted",
                HandOverStep::OfficerJoined => "an officer joined",
                HandOverStep::OfficerLeft if why.is_some() => "an officer's line did not come",
                HandOverStep::OfficerLeft => "an officer left",
                HandOverStep::CallerOnHold => "the caller is on hold",
                HandOverStep::CallerOffHold => "the caller is off hold",
                HandOverStep::OfficersUnreached => "no officer was reached",
            },
            Self::Webhook {
                webhook_type,
                outcome,
                ..
            } => {
                let outcome = match outcome {
                    WebhookOutcome::Delivered => "delivered",
                    WebhookOutcome::Waiting => "not delivered yet",
                    WebhookOutcome::GivenUp => "given up",
                };
                return format!("{webhook_type} {outcome}");
            }
        };
        fixed.to_owned()
    }
}
