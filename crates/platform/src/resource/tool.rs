//! A tool: something that an assistant may do beside speaking.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::call::Inline;
use crate::invalid::Invalid;

/// The body of `POST /tool`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateTool {
    #[serde(rename = "type", default)]
    #[schema(required, value_type = ToolType)]
    pub kind: Option<ToolType>,
    #[serde(default)]
    pub function: Option<ToolFunction>,
    #[serde(rename = "async", default)]
    pub asynchronous: Option<bool>,
    /// Where it is carried out. It may hold a secret.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub server: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub messages: Option<Vec<Inline>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub rejection_plan: Option<Inline>,
    /// What a `query` looks up.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub knowledge_bases: Option<Vec<Inline>>,
    /// An `apiRequest`'s.
    #[serde(default)]
    pub url: Option<String>,
    /// An `apiRequest`'s.
    #[serde(default)]
    pub method: Option<String>,
}

/// What a model is told of a tool.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolFunction {
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub description: Option<Secret<String>>,
    /// A JSON schema.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Inline>,
    #[serde(default)]
    pub strict: Option<bool>,
}

/// What kind of tool it is. Stored alike; the embedded assistant carries out its own only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum ToolType {
    #[serde(rename = "apiRequest")]
    ApiRequest,
    #[serde(rename = "dtmf")]
    Dtmf,
    #[serde(rename = "endCall")]
    EndCall,
    #[serde(rename = "function")]
    Function,
    #[serde(rename = "transferCall")]
    TransferCall,
    #[serde(rename = "handoff")]
    Handoff,
    #[serde(rename = "bash")]
    Bash,
    #[serde(rename = "computer")]
    Computer,
    #[serde(rename = "textEditor")]
    TextEditor,
    #[serde(rename = "query")]
    Query,
    #[serde(rename = "google.calendar.event.create")]
    GoogleCalendarEventCreate,
    #[serde(rename = "google.sheets.row.append")]
    GoogleSheetsRowAppend,
    #[serde(rename = "google.calendar.availability.check")]
    GoogleCalendarAvailabilityCheck,
    #[serde(rename = "slack.message.send")]
    SlackMessageSend,
    #[serde(rename = "sms")]
    Sms,
    #[serde(rename = "mcp")]
    Mcp,
    #[serde(rename = "gohighlevel.calendar.availability.check")]
    GoHighLevelCalendarAvailabilityCheck,
    #[serde(rename = "gohighlevel.calendar.event.create")]
    GoHighLevelCalendarEventCreate,
    #[serde(rename = "gohighlevel.contact.create")]
    GoHighLevelContactCreate,
    #[serde(rename = "gohighlevel.contact.get")]
    GoHighLevelContactGet,
    #[serde(rename = "sipRequest")]
    SipRequest,
    #[serde(rename = "voicemail")]
    Voicemail,
    #[serde(rename = "code")]
    Code,
}

impl Known for CreateTool {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.kind, "type")?;
        if let Some(function) = &self.function {
            required(&function.name, "function.name")?;
        }
        if self.kind == Some(ToolType::ApiRequest) {
            required(&self.url, "url")?;
            required(&self.method, "method")?;
        }
        Ok(())
    }
}

/// A tool that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateTool,
}
