//! What a server is told of a chat or a session that was made, changed or deleted, and of an assistant that has begun. A chat
//! and a session are told as objects, like they are answered: the hosted platform's have other fields than ours.

use redact::expose_secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::{CallAssistant, Inline};

/// A chat that was made, with what was said in it; or that was deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChatEvent {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Object)]
    pub chat: Inline,
}

/// A session that was made, changed or deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SessionEvent {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Object)]
    pub session: Inline,
}

/// The assistant of a call has begun to answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssistantStarted {
    pub new_assistant: CallAssistant,
}
