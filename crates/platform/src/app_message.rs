//! What the page and the assistant say to each other during a call, over the data
//! channel or as WebSocket text: JSON objects told apart by `type`, and two bare words,
//! `listening` and `playable`. When to send which is the call's to decide.

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::chat::MOST_CHARACTERS;
use crate::event::{
    ConversationUpdate, Hang, ModelOutput, SpeechUpdate, StatusUpdate, ToolCalls, Transcript,
    TransferUpdate, UserInterrupted, VoiceInput,
};
use crate::invalid::{Invalid, from_value, json, tag};

/// From the page.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientMessage {
    /// The assistant's track plays; the assistant may speak.
    Playable,
    AddMessage(AddMessage),
    Control(Control),
    Say(Say),
    EndCall,
}

/// Something is added to the conversation as if it had been said.
#[derive(Debug, Clone, PartialEq)]
pub struct AddMessage {
    /// `user` when the caller typed it; `system` and others instruct the assistant.
    pub role: String,
    pub content: Secret<String>,
    /// Whether the assistant is to answer it now.
    pub trigger_response: bool,
}

impl AddMessage {
    /// The most that a caller may type at once, in characters: as much as in a chat. (Ours; the hosted platform names none.)
    pub const LONGEST: usize = MOST_CHARACTERS;

    fn checked(self) -> Result<Self, Invalid> {
        let is_the_callers = self.role == "user";
        if is_the_callers && self.content.expose_secret().chars().count() > Self::LONGEST {
            let expected = format!(
                "expected at most {} characters; send the rest in a second message",
                Self::LONGEST
            );
            return Err(Invalid::field("message.content", expected));
        }
        Ok(self)
    }
}

/// Steers the assistant's microphone and first message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Control {
    pub control: ControlKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_recording_start_delay_seconds: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ControlKind {
    MuteAssistant,
    UnmuteAssistant,
    SayFirstMessage,
    /// The caller's microphone is off, so that silence is not taken for absence. (Ours; the hosted
    /// platform has no word for it.)
    MuteCaller,
    UnmuteCaller,
}

/// The assistant is to say something outside its flow. Absent flags mean no, as the
/// platform's own client fills them in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Say {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub message: Secret<String>,
    #[serde(default, deserialize_with = "null_is_no")]
    pub end_call_after_spoken: bool,
    /// Whether the caller may interrupt it.
    #[serde(default, deserialize_with = "null_is_no")]
    pub interruptions_enabled: bool,
    /// Whether it cuts off what the assistant is saying now.
    #[serde(default, deserialize_with = "null_is_no")]
    pub interrupt_assistant_enabled: bool,
}

impl Say {
    /// The most that may be said at once, in characters: about two minutes. (Ours; the hosted platform names none.)
    pub const LONGEST: usize = 2_000;

    fn checked(self) -> Result<Self, Invalid> {
        if self.message.expose_secret().chars().count() > Self::LONGEST {
            let expected = format!(
                "expected at most {} characters; say the rest in a second message",
                Self::LONGEST
            );
            return Err(Invalid::field("message", expected));
        }
        Ok(self)
    }
}

fn null_is_no<'de, D: serde::Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Option::<bool>::deserialize(from).map(|flag| flag.unwrap_or(false))
}

const CLIENT_TYPES: &str = "expected one of `add-message`, `control`, `say`, `end-call`";

impl ClientMessage {
    /// Reads one message as it came: a bare word, or JSON.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        if bare(text) == "playable" {
            return Ok(Self::Playable);
        }
        let value = json(text.as_bytes())?;
        match tag(&value, "type")? {
            "add-message" => from_value::<AddMessageWire>(&value)
                .and_then(|wire| AddMessage::from(wire).checked())
                .map(Self::AddMessage),
            "control" => from_value(&value).map(Self::Control),
            "say" => from_value(&value).and_then(Say::checked).map(Self::Say),
            "end-call" => Ok(Self::EndCall),
            _ => Err(Invalid::field("type", CLIENT_TYPES)),
        }
    }

    /// The message as it is sent.
    pub fn to_text(&self) -> String {
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "kebab-case")]
        enum Wire<'m> {
            #[serde(rename_all = "camelCase")]
            AddMessage {
                message: ChatMessage<'m>,
                trigger_response_enabled: bool,
            },
            Control(&'m Control),
            Say(&'m Say),
            EndCall,
        }
        #[derive(Serialize)]
        struct ChatMessage<'m> {
            role: &'m str,
            content: &'m str,
        }
        let wire = match self {
            Self::Playable => return "playable".to_owned(),
            Self::AddMessage(added) => Wire::AddMessage {
                message: ChatMessage {
                    role: &added.role,
                    content: added.content.expose_secret(),
                },
                trigger_response_enabled: added.trigger_response,
            },
            Self::Control(control) => Wire::Control(control),
            Self::Say(say) => Wire::Say(say),
            Self::EndCall => Wire::EndCall,
        };
        written(&wire)
    }
}

/// The platform takes a message in the shape of OpenAI's chat API.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AddMessageWire {
    message: ChatMessageWire,
    #[serde(default)]
    trigger_response_enabled: Option<bool>,
}

#[derive(Deserialize)]
struct ChatMessageWire {
    role: String,
    #[serde(default)]
    content: Content,
}

/// A string, or parts of which only the text ones are read.
#[derive(Default)]
struct Content(String);

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Self::default()),
            Value::String(text) => Ok(Self(text)),
            Value::Array(parts) => {
                let texts: Vec<&str> = parts
                    .iter()
                    .filter_map(|part| part.get("text")?.as_str())
                    .collect();
                Ok(Self(texts.join(" ")))
            }
            _ => Err(serde::de::Error::invalid_type(
                serde::de::Unexpected::Other("something else"),
                &"a string, or an array of text parts",
            )),
        }
    }
}

impl From<AddMessageWire> for AddMessage {
    fn from(wire: AddMessageWire) -> Self {
        Self {
            role: wire.message.role,
            content: Secret::new(wire.message.content.0),
            trigger_response: wire.trigger_response_enabled.unwrap_or(true),
        }
    }
}

/// A message of the page was not taken, and nothing follows from it. (Ours; the hosted platform says nothing of it.)
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageRefused {
    /// Stable, for programs.
    #[schema(example = "field-invalid")]
    pub code: String,
    /// For people: what is wrong with it, and never what was in it.
    pub message: String,
}

impl MessageRefused {
    pub fn because(error: &Invalid) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.to_string(),
        }
    }
}

/// To the page.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AssistantMessage {
    /// The call has started. Sent as a bare word; everything else is JSON.
    #[serde(skip)]
    Listening,
    StatusUpdate(StatusUpdate),
    Transcript(Transcript),
    SpeechUpdate(SpeechUpdate),
    ConversationUpdate(ConversationUpdate),
    UserInterrupted(UserInterrupted),
    TransferUpdate(TransferUpdate),
    ToolCalls(ToolCalls),
    ModelOutput(ModelOutput),
    VoiceInput(VoiceInput),
    Hang(Hang),
    MessageRefused(MessageRefused),
    /// A type this program does not know (only ever read).
    #[serde(skip)]
    Unknown,
}

impl AssistantMessage {
    /// Reads one message as it came.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        if bare(text) == "listening" {
            return Ok(Self::Listening);
        }
        let value = json(text.as_bytes())?;
        match tag(&value, "type")? {
            "status-update" => from_value(&value).map(Self::StatusUpdate),
            kind if is_transcript(kind) => from_value(&value).map(Self::Transcript),
            "speech-update" => from_value(&value).map(Self::SpeechUpdate),
            "conversation-update" => from_value(&value).map(Self::ConversationUpdate),
            "user-interrupted" => from_value(&value).map(Self::UserInterrupted),
            "transfer-update" => from_value(&value).map(Self::TransferUpdate),
            "tool-calls" => from_value(&value).map(Self::ToolCalls),
            "model-output" => from_value(&value).map(Self::ModelOutput),
            "voice-input" => from_value(&value).map(Self::VoiceInput),
            "hang" => from_value(&value).map(Self::Hang),
            "message-refused" => from_value(&value).map(Self::MessageRefused),
            _ => Ok(Self::Unknown),
        }
    }

    /// The message as it is sent; `None` for [`AssistantMessage::Unknown`].
    pub fn to_text(&self) -> Option<String> {
        match self {
            Self::Listening => Some("listening".to_owned()),
            Self::Unknown => None,
            message => Some(written(message)),
        }
    }
}

/// The platform also names the type with a filter behind it,
/// `transcript[transcriptType="final"]`, when only final ones were subscribed to.
pub(crate) fn is_transcript(kind: &str) -> bool {
    kind == "transcript" || kind.starts_with("transcript[")
}

/// Some clients put even the bare words through a JSON writer, which quotes them.
fn bare(text: &str) -> &str {
    text.trim().trim_matches('"')
}

fn written(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages hold only strings, numbers and JSON values")
}
