//! A written conversation in the shape of OpenAI's responses: the answer of `POST /chat/responses`, whole or in events. Its
//! fields are in the letters that OpenAI gives them.

use redact::{Secret, expose_secret};
use serde::Serialize;
use utoipa::ToSchema;

use crate::call::Inline;

/// An exchange. Its id is the chat's, to be given as `previousChatId` with what is said next.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ResponseObject {
    pub id: String,
    /// `response`.
    pub object: &'static str,
    /// In seconds since 1970.
    pub created_at: i64,
    /// `completed`.
    pub status: &'static str,
    pub output: Vec<ResponseOutputMessage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ResponseOutputMessage {
    pub id: String,
    /// `message`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `assistant`.
    pub role: &'static str,
    /// `completed`.
    pub status: &'static str,
    pub content: Vec<ResponseOutputText>,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ResponseOutputText {
    /// `output_text`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub text: Secret<String>,
    /// Always empty.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Vec<Object>)]
    pub annotations: Vec<Inline>,
}

/// A piece of a streamed answer, and what ends it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum ResponseEvent {
    #[serde(rename = "response.output_text.delta")]
    TextDelta {
        item_id: String,
        output_index: usize,
        content_index: usize,
        #[serde(serialize_with = "expose_secret")]
        #[schema(value_type = String)]
        delta: Secret<String>,
    },
    #[serde(rename = "response.output_text.done")]
    TextDone {
        item_id: String,
        output_index: usize,
        content_index: usize,
        #[serde(serialize_with = "expose_secret")]
        #[schema(value_type = String)]
        text: Secret<String>,
    },
    #[serde(rename = "response.completed")]
    Completed { response: ResponseObject },
}

impl ResponseEvent {
    pub fn name(&self) -> &'static str {
        match self {
            Self::TextDelta { .. } => "response.output_text.delta",
            Self::TextDone { .. } => "response.output_text.done",
            Self::Completed { .. } => "response.completed",
        }
    }
}

impl ResponseObject {
    pub fn of(chat: &str, created_at: i64, text: Secret<String>) -> Self {
        let text = ResponseOutputText {
            kind: "output_text",
            text,
            annotations: Vec::new(),
        };
        Self {
            id: chat.to_owned(),
            object: "response",
            created_at,
            status: "completed",
            output: vec![ResponseOutputMessage {
                id: format!("msg_{chat}"),
                kind: "message",
                role: "assistant",
                status: "completed",
                content: vec![text],
            }],
        }
    }
}
