//! The finished (or running) call as the dashboard reads it, and the analysis schema
//! inside it. How a note is written is the flow's matter.

use std::str::FromStr;

use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::{CallKind, CallStatus};
use crate::conversation::ConversationMessage;
use crate::time;

/// A call as a list shows it, one element of `GET /api/calls`: without what was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedCall {
    pub call_id: String,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// Up to now, while the call runs.
    pub duration_seconds: f64,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub summary: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub summary_title: Secret<String>,
    /// Absent until the call has been analysed.
    pub structured_data: Option<StructuredData>,

    /// The dashboard's running number.
    pub id: i64,
    /// One of the fictional records every visitor sees.
    pub sample: bool,
    /// `webCall`, or `chat` for a written conversation.
    #[serde(rename = "type", default = "by_voice")]
    pub kind: CallKind,
    pub status: CallStatus,
    pub ended_reason: Option<String>,
    #[serde(default, with = "time::optional_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
}

/// The answer of `GET /api/getCallInfo` and the data of a `call-updated` event: a listed call and what was said in it.
/// The specification's fields are `messages` and the first six of the list's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallInfo {
    #[serde(flatten)]
    pub listed: ListedCall,
    pub messages: Vec<ConversationMessage>,
    /// Which of the caller's words each claim of the note rests on.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// The words that raised the urgent flag.
    #[serde(default)]
    pub escalation_triggers: Vec<Evidence>,
    /// What the page told the caller before the call; absent where nothing did.
    #[serde(default)]
    pub notice: Option<ShownNotice>,
}

/// What a caller was told before a call: a version of the words, and the days that they named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownNotice {
    /// The day since which the notice has had these words.
    #[schema(example = "2026-11-23")]
    pub version: String,
    /// For how many days it said that the record is kept.
    pub kept_days: u16,
}

fn by_voice() -> CallKind {
    CallKind::Web
}

/// One claim of a note and the words behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// A signal's name, "denies …", or "…, asked about and not denied".
    pub claim: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub words: Secret<String>,
    /// Which of the caller's turns, from 0.
    pub turn: usize,
    /// Where in `messages` these words stand.
    #[serde(default)]
    pub message_index: Option<usize>,
    /// From 0 to 1.
    pub confidence: f32,
}

/// The analysis schema: all fields are required, and none may be null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StructuredData {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub name: Secret<String>,
    pub urgent: bool,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub location: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub follow_up: Secret<String>,
    /// Physical, Sexual, Emotional, Psychological, Financial, Other or Neglect; sample
    /// records also hold free text such as "Emotional & Verbal".
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub abuse_type: Secret<String>,
    pub transfer_to: TransferTo,
    pub transferred: bool,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub latest_incident_date: Secret<String>,
}

/// Where the caller was taken. PAVE is the flow's; the schema's own list forgot it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TransferTo {
    #[serde(rename = "NAVH")]
    Navh,
    #[serde(rename = "FSC")]
    Fsc,
    #[serde(rename = "SPF")]
    Spf,
    #[serde(rename = "DVERT")]
    Dvert,
    #[serde(rename = "PAVE")]
    Pave,
    #[serde(rename = "APS")]
    Aps,
    #[serde(rename = "CPS")]
    Cps,
    #[serde(rename = "SACC")]
    Sacc,
    #[serde(rename = "SOS")]
    Sos,
    #[serde(rename = "Not Applicable")]
    NotApplicable,
}

impl TransferTo {
    pub const ALL: [Self; 10] = [
        Self::Navh,
        Self::Fsc,
        Self::Spf,
        Self::Dvert,
        Self::Pave,
        Self::Aps,
        Self::Cps,
        Self::Sacc,
        Self::Sos,
        Self::NotApplicable,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Navh => "NAVH",
            Self::Fsc => "FSC",
            Self::Spf => "SPF",
            Self::Dvert => "DVERT",
            Self::Pave => "PAVE",
            Self::Aps => "APS",
            Self::Cps => "CPS",
            Self::Sacc => "SACC",
            Self::Sos => "SOS",
            Self::NotApplicable => "Not Applicable",
        }
    }
}

/// Not a code of [`TransferTo`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use an agency's code, such as SPF, or \"Not Applicable\"")]
pub struct UnknownTransfer;

impl FromStr for TransferTo {
    type Err = UnknownTransfer;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|transfer| transfer.as_str() == code)
            .ok_or(UnknownTransfer)
    }
}
