//! What a webhook receives, `{"message":{"type":…}}`, and what it may reply. We send
//! these for embedded calls and take them from the hosted platform. Sending, secrets and
//! retries are the server's matter.

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::app_message::is_transcript;
use crate::call::{Call, CallAssistant};
use crate::conversation::Artifact;
use crate::event::{
    ConversationUpdate, Destination, EndOfCallReport, Hang, ModelOutput, SpeechUpdate,
    StatusUpdate, ToolCalls, Transcript, TransferDestinationRequest, TransferUpdate,
    UserInterrupted, VoiceInput,
};
use crate::invalid::{Invalid, from_value, json, tag, within};
use crate::lifecycle::{AssistantStarted, ChatEvent, SessionEvent};
use crate::time::EpochMillis;

/// One message to a webhook. Every part but the event may be absent in what we read.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerMessage {
    #[serde(flatten)]
    pub event: ServerEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub timestamp: Option<EpochMillis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assistant: Option<CallAssistant>,
    /// Who calls. A web call knows nothing of them.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub customer: Option<Secret<Map<String, Value>>>,
    /// What was said so far. An end-of-call report carries its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
}

/// What has happened, or what is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerEvent {
    StatusUpdate(StatusUpdate),
    Transcript(Transcript),
    SpeechUpdate(SpeechUpdate),
    ToolCalls(ToolCalls),
    TransferDestinationRequest(TransferDestinationRequest),
    TransferUpdate(TransferUpdate),
    ConversationUpdate(ConversationUpdate),
    EndOfCallReport(EndOfCallReport),
    ModelOutput(ModelOutput),
    UserInterrupted(UserInterrupted),
    VoiceInput(VoiceInput),
    Hang(Hang),
    #[serde(rename = "assistant.started")]
    AssistantStarted(AssistantStarted),
    #[serde(rename = "chat.created")]
    ChatCreated(ChatEvent),
    #[serde(rename = "chat.deleted")]
    ChatDeleted(ChatEvent),
    #[serde(rename = "session.created")]
    SessionCreated(SessionEvent),
    #[serde(rename = "session.updated")]
    SessionUpdated(SessionEvent),
    #[serde(rename = "session.deleted")]
    SessionDeleted(SessionEvent),
    /// A type this program does not know (only ever read): to be answered with success,
    /// so that the platform's list may grow.
    #[serde(skip)]
    Unknown,
}

impl ServerEvent {
    /// The event's name on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::StatusUpdate(_) => "status-update",
            Self::Transcript(_) => "transcript",
            Self::SpeechUpdate(_) => "speech-update",
            Self::ToolCalls(_) => "tool-calls",
            Self::TransferDestinationRequest(_) => "transfer-destination-request",
            Self::TransferUpdate(_) => "transfer-update",
            Self::ConversationUpdate(_) => "conversation-update",
            Self::EndOfCallReport(_) => "end-of-call-report",
            Self::ModelOutput(_) => "model-output",
            Self::UserInterrupted(_) => "user-interrupted",
            Self::VoiceInput(_) => "voice-input",
            Self::Hang(_) => "hang",
            Self::AssistantStarted(_) => "assistant.started",
            Self::ChatCreated(_) => "chat.created",
            Self::ChatDeleted(_) => "chat.deleted",
            Self::SessionCreated(_) => "session.created",
            Self::SessionUpdated(_) => "session.updated",
            Self::SessionDeleted(_) => "session.deleted",
            Self::Unknown => "unknown",
        }
    }

    fn read(message: &Value) -> Result<Self, Invalid> {
        match tag(message, "message.type")? {
            "status-update" => from_value(message).map(Self::StatusUpdate),
            kind if is_transcript(kind) => from_value(message).map(Self::Transcript),
            "speech-update" => from_value(message).map(Self::SpeechUpdate),
            "tool-calls" => from_value(message).map(Self::ToolCalls),
            "transfer-destination-request" => {
                from_value(message).map(Self::TransferDestinationRequest)
            }
            "transfer-update" => from_value(message).map(Self::TransferUpdate),
            "conversation-update" => from_value(message).map(Self::ConversationUpdate),
            "end-of-call-report" => from_value(message).map(Self::EndOfCallReport),
            "model-output" => from_value(message).map(Self::ModelOutput),
            "user-interrupted" => from_value(message).map(Self::UserInterrupted),
            "voice-input" => from_value(message).map(Self::VoiceInput),
            "hang" => from_value(message).map(Self::Hang),
            "assistant.started" => from_value(message).map(Self::AssistantStarted),
            "chat.created" => from_value(message).map(Self::ChatCreated),
            "chat.deleted" => from_value(message).map(Self::ChatDeleted),
            "session.created" => from_value(message).map(Self::SessionCreated),
            "session.updated" => from_value(message).map(Self::SessionUpdated),
            "session.deleted" => from_value(message).map(Self::SessionDeleted),
            _ => return Ok(Self::Unknown),
        }
        .map_err(|error| within("message", error))
    }
}

impl ServerMessage {
    pub fn of(event: ServerEvent) -> Self {
        Self {
            event,
            timestamp: None,
            call: None,
            assistant: None,
            customer: None,
            artifact: None,
        }
    }

    /// Reads the body of a webhook.
    pub fn parse(body: &[u8]) -> Result<Self, Invalid> {
        #[derive(Deserialize)]
        struct Common {
            #[serde(default)]
            timestamp: Option<EpochMillis>,
            #[serde(default)]
            call: Option<Call>,
            #[serde(default)]
            assistant: Option<CallAssistant>,
            #[serde(default)]
            customer: Option<Secret<Map<String, Value>>>,
            #[serde(default)]
            artifact: Option<Artifact>,
        }
        let body = json(body)?;
        let message = match &body {
            Value::Object(fields) => fields
                .get("message")
                .ok_or_else(|| Invalid::field("message", "is missing"))?,
            _ => return Err(Invalid::field("", "expected an object")),
        };
        let event = ServerEvent::read(message)?;
        let common: Common = from_value(message).map_err(|error| within("message", error))?;
        // The report's artifact is the event's own; kept in one place only.
        let artifact = match event {
            ServerEvent::EndOfCallReport(_) => None,
            _ => common.artifact,
        };
        Ok(Self {
            event,
            timestamp: common.timestamp,
            call: common.call,
            assistant: common.assistant,
            customer: common.customer,
            artifact,
        })
    }

    /// The body of the webhook's request.
    pub fn to_body(&self) -> String {
        #[derive(Serialize)]
        struct Body<'m> {
            message: &'m ServerMessage,
        }
        serde_json::to_string(&Body { message: self })
            .expect("messages hold only strings, numbers and JSON values")
    }
}

/// The reply to `tool-calls`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallsReply {
    pub results: Vec<ToolCallResult>,
}

/// One tool's outcome: a result or an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallResult {
    pub tool_call_id: String,
    #[serde(default)]
    pub name: String,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub result: Option<Secret<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The reply to `transfer-destination-request`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TransferDestinationReply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
    /// What the assistant says before the transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<SpokenMessage>,
    /// Why there is no destination; the assistant says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A sentence for the assistant to say, in the platform's shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpokenMessage {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub content: Option<Secret<String>>,
    /// The same in several languages, which go before `content`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<SpokenVariant>,
}

/// A sentence in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpokenVariant {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub text: Secret<String>,
    /// Such as `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl SpokenMessage {
    /// What there is to say of it as something begins, in English: nothing of what is meant for when it fails or takes long.
    pub fn said_first(&self) -> Option<&Secret<String>> {
        if ["request-failed", "request-response-delayed"].contains(&self.kind.as_str()) {
            return None;
        }
        let is_english = |variant: &&SpokenVariant| {
            let language = variant.language.as_deref();
            language.is_none_or(|language| language.to_ascii_lowercase().starts_with("en"))
        };
        match self.contents.is_empty() {
            true => self.content.as_ref(),
            false => self.contents.iter().find(is_english).map(|it| &it.text),
        }
    }

    /// Said as the transfer begins.
    pub fn at_start(sentence: Secret<String>) -> Self {
        Self {
            kind: "request-start".to_owned(),
            content: Some(sentence),
            contents: Vec::new(),
        }
    }
}
