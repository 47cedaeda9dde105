//! What of a message of the hosted platform is read, as it is described to programs. [`crate::ServerMessage::parse`] reads it, and
//! of each type what that type has; all else that the platform sends is left unread.

use redact::Secret;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The body of `POST /api/webHook`.
#[derive(Debug, Clone, PartialEq, ToSchema)]
pub struct ToldBody {
    pub message: ToldMessage,
}

#[derive(Debug, Clone, PartialEq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToldMessage {
    #[schema(rename = "type")]
    pub kind: ToldType,
    /// When it was sent, in milliseconds since 1970.
    pub timestamp: Option<i64>,
    pub call: Option<ToldCall>,
    /// A status-update's.
    pub status: Option<String>,
    /// A status-update's and the report's, when the call has ended.
    pub ended_reason: Option<String>,
    /// A transcript's: `assistant` or `user`.
    pub role: Option<String>,
    /// `partial` or `final`.
    pub transcript_type: Option<String>,
    #[schema(value_type = Option<String>)]
    pub transcript: Option<Secret<String>>,
    /// The report's, and what was said until something is asked.
    pub artifact: Option<ToldArtifact>,
    /// The report's.
    pub analysis: Option<ToldAnalysis>,
    /// What is asked by tool-calls: each with its `id`, `name` and `parameters`.
    #[schema(value_type = Option<Vec<Object>>)]
    pub tool_call_list: Option<Secret<Vec<Value>>>,
}

/// Another is answered with success, so that the platform's list may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "kebab-case")]
pub enum ToldType {
    StatusUpdate,
    Transcript,
    ConversationUpdate,
    SpeechUpdate,
    ToolCalls,
    TransferDestinationRequest,
    TransferUpdate,
    EndOfCallReport,
    Hang,
}

#[derive(Debug, Clone, PartialEq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToldCall {
    #[schema(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$")]
    pub id: String,
    #[schema(value_type = Option<Object>)]
    pub assistant_overrides: Option<Secret<Map<String, Value>>>,
}

#[derive(Debug, Clone, PartialEq, ToSchema)]
pub struct ToldArtifact {
    /// Each with its `role`, `message` and `time`.
    #[schema(value_type = Option<Vec<Object>>)]
    pub messages: Option<Secret<Vec<Value>>>,
    #[schema(value_type = Option<String>)]
    pub transcript: Option<Secret<String>>,
}

#[derive(Debug, Clone, PartialEq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToldAnalysis {
    #[schema(value_type = Option<String>)]
    pub summary: Option<Secret<String>>,
    #[schema(value_type = Option<Object>)]
    pub structured_data: Option<Secret<Map<String, Value>>>,
}
