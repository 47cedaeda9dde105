//! What happens in a call, as payloads. Messages to the page and messages to a webhook
//! carry the same ones; [`crate::app_message`] and [`crate::server_message`] wrap them.

use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::call::CallStatus;
use crate::call_info::StructuredData;
use crate::conversation::{Artifact, ConversationMessage, OpenAiMessage};
use crate::invalid::{Invalid, from_value, within};
use crate::time;

/// Whose speech an event is about. `user` is the caller: the platform's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpeakerRole {
    Assistant,
    User,
    /// A person who was brought onto the call. Not one of the hosted platform's words, which has no such speaker.
    Officer,
}

/// The call's status changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusUpdate {
    pub status: CallStatus,
    /// When ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
    /// When forwarding: to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
    /// When forwarding: what was said so far.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub transcript: Option<Secret<String>>,
}

impl StatusUpdate {
    pub fn to(status: CallStatus) -> Self {
        Self {
            status,
            ended_reason: None,
            destination: None,
            transcript: None,
        }
    }

    pub fn ended(reason: impl Into<String>) -> Self {
        Self {
            ended_reason: Some(reason.into()),
            ..Self::to(CallStatus::Ended)
        }
    }
}

/// Where a call is handed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Destination {
    /// Another assistant of the squad, by name.
    #[serde(rename_all = "camelCase")]
    Assistant {
        assistant_name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    /// A telephone, in E.164 or a short number.
    #[serde(rename_all = "camelCase")]
    Number {
        number: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    Sip {
        sip_uri: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TranscriptType {
    /// May still change.
    Partial,
    Final,
}

/// Words heard or spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    pub role: SpeakerRole,
    pub transcript_type: TranscriptType,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub transcript: Secret<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpeechStatus {
    Started,
    Stopped,
}

/// Someone began or stopped speaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpeechUpdate {
    pub status: SpeechStatus,
    pub role: SpeakerRole,
    /// Which turn of the conversation, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
}

/// The conversation so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationUpdate {
    #[serde(default)]
    pub messages: Vec<ConversationMessage>,
    #[serde(default, rename = "messagesOpenAIFormatted")]
    pub messages_open_ai_formatted: Vec<OpenAiMessage>,
}

impl ConversationUpdate {
    pub fn of(messages: Vec<ConversationMessage>) -> Self {
        Self {
            messages_open_ai_formatted: messages.iter().filter_map(OpenAiMessage::of).collect(),
            messages,
        }
    }
}

/// The caller took the floor while the assistant spoke.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserInterrupted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The caller is being handed on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TransferUpdate {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
}

/// The assistant was late to answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hang {}

/// A piece of what the model wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelOutput {
    /// Text, or a tool call.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Object)]
    pub output: Secret<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What is about to be spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VoiceInput {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub input: Secret<String>,
}

/// The assistant asks for tools to be run. To be answered by
/// [`crate::ToolCallsReply`].
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCalls {
    pub tool_call_list: Vec<ToolCall>,
}

impl Serialize for ToolCalls {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Function<'c> {
            name: &'c str,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Tool<'c> {
            r#type: &'static str,
            function: Function<'c>,
            tool_call: &'c ToolCall,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Wire<'c> {
            tool_call_list: &'c [ToolCall],
            /// The platform says it twice, here with the tool that is called.
            tool_with_tool_call_list: Vec<Tool<'c>>,
        }
        let tools = self.tool_call_list.iter().map(|call| Tool {
            r#type: "function",
            function: Function { name: &call.name },
            tool_call: call,
        });
        Wire {
            tool_call_list: &self.tool_call_list,
            tool_with_tool_call_list: tools.collect(),
        }
        .serialize(serializer)
    }
}

/// One tool to be run.
#[derive(Debug, Clone, PartialEq, ToSchema)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    #[schema(value_type = Object)]
    pub arguments: Secret<Map<String, Value>>,
}

impl Serialize for ToolCall {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Function<'c> {
            name: &'c str,
            arguments: String,
        }
        #[derive(Serialize)]
        struct Wire<'c> {
            id: &'c str,
            r#type: &'static str,
            function: Function<'c>,
            name: &'c str,
            parameters: &'c Map<String, Value>,
        }
        let arguments = self.arguments.expose_secret();
        Wire {
            id: &self.id,
            r#type: "function",
            function: Function {
                name: &self.name,
                // The platform's type is JSON within a string, as the model wrote it;
                // older clients read `parameters`, an object.
                arguments: serde_json::to_string(arguments).map_err(serde::ser::Error::custom)?,
            },
            name: &self.name,
            parameters: arguments,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolCall {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Function {
            name: String,
            #[serde(default)]
            arguments: Arguments,
        }
        #[derive(Deserialize)]
        struct Wire {
            id: String,
            #[serde(default)]
            function: Option<Function>,
            #[serde(default)]
            name: Option<String>,
            #[serde(default, alias = "arguments")]
            parameters: Arguments,
        }
        let Wire {
            id,
            function,
            name,
            parameters,
        } = Wire::deserialize(deserializer)?;
        let (name, arguments) = match (function, name) {
            (Some(function), _) => (function.name, function.arguments),
            (None, Some(name)) => (name, parameters),
            (None, None) => return Err(serde::de::Error::missing_field("function")),
        };
        Ok(Self {
            id,
            name,
            arguments: arguments.0,
        })
    }
}

/// An object, or an object as JSON within a string: models and platforms write both.
struct Arguments(Secret<Map<String, Value>>);

impl Default for Arguments {
    fn default() -> Self {
        Self(Secret::new(Map::new()))
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || {
            serde::de::Error::invalid_type(
                serde::de::Unexpected::Other("something else"),
                &"an object, or an object as JSON in a string",
            )
        };
        match Value::deserialize(deserializer)? {
            Value::Object(arguments) => Ok(Self(Secret::new(arguments))),
            Value::Null => Ok(Self::default()),
            Value::String(text) if text.trim().is_empty() => Ok(Self::default()),
            Value::String(text) => serde_json::from_str(&text)
                .map(|arguments| Self(Secret::new(arguments)))
                .map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

/// The assistant wants to hand the call on and asks where to. To be answered by
/// [`crate::TransferDestinationReply`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TransferDestinationRequest {}

/// The call is over and has been analysed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndOfCallReport {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    #[serde(default)]
    pub artifact: Artifact,
    #[serde(default)]
    pub analysis: Analysis,
    /// In US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// What was made of a call by the analysis plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub summary: Option<Secret<String>>,
    /// As it came: a model wrote it. [`Analysis::structured`] holds it to the schema.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<StructuredData>)]
    pub structured_data: Option<Secret<Value>>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub success_evaluation: Option<Secret<String>>,
}

impl Analysis {
    pub fn of(summary: Secret<String>, structured: &StructuredData) -> Self {
        Self {
            summary: Some(summary),
            structured_data: serde_json::to_value(structured).ok().map(Secret::new),
            success_evaluation: None,
        }
    }

    /// The structured data, held to the analysis schema. `None` when there is none.
    pub fn structured(&self) -> Result<Option<StructuredData>, Invalid> {
        self.structured_data
            .as_ref()
            .map(|data| from_value(data.expose_secret()))
            .transpose()
            .map_err(|error| within("analysis.structuredData", error))
    }
}
