//! What was said in a call, as the platform lists it. Not how it came to be said.

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::call::text_of;
use crate::time::EpochMillis;

/// Who a listed message is from. `user` is the caller and `bot` the assistant: the
/// platform's words, used only on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", from = "String")]
pub enum MessageRole {
    Bot,
    User,
    System,
    ToolCalls,
    ToolCallResult,
    /// A duty officer who was brought onto the call. (Ours; the hosted platform has no such speaker.)
    Officer,
    /// A role this program does not know; it is carried, and shown to nobody.
    Other,
}

impl From<String> for MessageRole {
    fn from(role: String) -> Self {
        match role.as_str() {
            "bot" | "assistant" => Self::Bot,
            "user" => Self::User,
            "system" => Self::System,
            "tool_calls" => Self::ToolCalls,
            "tool_call_result" => Self::ToolCallResult,
            "officer" => Self::Officer,
            _ => Self::Other,
        }
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMessage {
    pub role: MessageRole,
    #[serde(default, serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub message: Secret<String>,
    /// When it began, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub time: Option<EpochMillis>,
    /// When it ended, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub end_time: Option<EpochMillis>,
    #[serde(default)]
    pub seconds_from_start: f64,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// The caller spoke over it: only the part that was heard is in `message`.
    /// (Ours; the hosted platform does not say.)
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// A message in the shape of OpenAI's chat API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OpenAiMessage {
    /// `assistant`, `user`, `system`, `tool` or `function`.
    pub role: String,
    #[serde(default, serialize_with = "expose_secret")]
    #[schema(value_type = Option<String>)]
    pub content: Option<Secret<String>>,
}

impl OpenAiMessage {
    /// The same message in this shape; `None` for roles that it has no place for.
    pub fn of(message: &ConversationMessage) -> Option<Self> {
        let role = match message.role {
            MessageRole::Bot => "assistant",
            MessageRole::User => "user",
            MessageRole::System => "system",
            MessageRole::ToolCalls
            | MessageRole::ToolCallResult
            | MessageRole::Officer
            | MessageRole::Other => return None,
        };
        Some(Self {
            role: role.to_owned(),
            content: Some(message.message.clone()),
        })
    }
}

/// What a call leaves behind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    #[serde(default)]
    pub messages: Vec<ConversationMessage>,
    #[serde(
        default,
        rename = "messagesOpenAIFormatted",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub messages_open_ai_formatted: Vec<OpenAiMessage>,
    /// The whole conversation as lines of text.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub transcript: Option<Secret<String>>,
    /// The variables as they stand now.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub variable_values: Option<Secret<Map<String, Value>>>,
    /// What was found by structured outputs, by their ids.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub structured_outputs: Option<Secret<Map<String, Value>>>,
}

impl Artifact {
    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Option<Secret<String>> {
        text_of(self.variable_values.as_ref()?, name)
    }

    /// Fills the other two forms from the messages: `AI: …` and `User: …` lines, as the
    /// platform writes a transcript.
    pub fn of(messages: Vec<ConversationMessage>) -> Self {
        let lines: Vec<String> = messages
            .iter()
            .filter_map(|message| {
                let speaker = match message.role {
                    MessageRole::Bot => "AI",
                    MessageRole::User => "User",
                    _ => return None,
                };
                Some(format!("{speaker}: {}", message.message.expose_secret()))
            })
            .collect();
        Self {
            messages_open_ai_formatted: messages.iter().filter_map(OpenAiMessage::of).collect(),
            transcript: Some(Secret::new(lines.join("\n"))),
            messages,
            variable_values: None,
            structured_outputs: None,
        }
    }
}
