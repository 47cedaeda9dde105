//! An assistant: how a call or a chat is to be led. The conversation and its safety are the embedded engine's; which of these
//! fields it follows, the server says.

use jiff::Timestamp;
use redact::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Kept, Known, between};
use crate::call::Inline;
use crate::invalid::{Invalid, within};
use crate::time;

/// The body of `POST /assistant`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateAssistant {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    /// Said first; on this server before its own notice and question, and without what it asks.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub first_message: Option<Secret<String>>,
    #[serde(default)]
    pub first_message_mode: Option<FirstMessageMode>,
    #[serde(default)]
    pub first_message_interruptions_enabled: Option<bool>,
    /// Said last in a call that the assistant ends.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub end_call_message: Option<Secret<String>>,
    /// Spoken by the assistant, they end a call.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    pub end_call_phrases: Option<Vec<Secret<String>>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub voicemail_message: Option<Secret<String>>,
    /// After so long without a word the call ends.
    #[serde(default)]
    #[schema(minimum = 10, maximum = 3600)]
    pub silence_timeout_seconds: Option<f64>,
    /// The longest call.
    #[serde(default)]
    #[schema(minimum = 10, maximum = 43200)]
    pub max_duration_seconds: Option<f64>,
    #[serde(default)]
    pub start_speaking_plan: Option<StartSpeakingPlan>,
    #[serde(default)]
    pub stop_speaking_plan: Option<StopSpeakingPlan>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub model: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub voice: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub transcriber: Option<Inline>,
    /// Where server messages go. It may hold a secret.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub server: Option<Inline>,
    #[serde(default)]
    pub client_messages: Option<Vec<String>>,
    #[serde(default)]
    pub server_messages: Option<Vec<String>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub analysis_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub artifact_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub monitor_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub compliance_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub background_speech_denoising_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub keypad_input_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub hooks: Option<Vec<Inline>>,
    /// They may hold secrets.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub credentials: Option<Vec<Inline>>,
    #[serde(default)]
    pub credential_ids: Option<Vec<String>>,
    #[serde(default)]
    pub model_output_in_messages_enabled: Option<bool>,
}

/// When the assistant begins to speak.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartSpeakingPlan {
    /// From the end of the caller's speech.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 5)]
    pub wait_seconds: Option<f64>,
}

/// When the assistant gives way.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopSpeakingPlan {
    /// Words over its speech.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 10)]
    pub num_words: Option<f64>,
    /// Voice over its speech, where no words are counted.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 0.5)]
    pub voice_seconds: Option<f64>,
    #[serde(default)]
    #[schema(minimum = 0, maximum = 10)]
    pub backoff_seconds: Option<f64>,
}

/// Who speaks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FirstMessageMode {
    AssistantSpeaksFirst,
    AssistantSpeaksFirstWithModelGeneratedMessage,
    AssistantWaitsForUser,
}

impl Known for CreateAssistant {
    fn check(&self) -> Result<(), Invalid> {
        between(
            self.silence_timeout_seconds,
            10.0,
            3600.0,
            "silenceTimeoutSeconds",
        )?;
        between(
            self.max_duration_seconds,
            10.0,
            43_200.0,
            "maxDurationSeconds",
        )?;
        if let Some(plan) = &self.start_speaking_plan {
            between(plan.wait_seconds, 0.0, 5.0, "waitSeconds")
                .map_err(|error| within("startSpeakingPlan", error))?;
        }
        if let Some(plan) = &self.stop_speaking_plan {
            plan.check()
                .map_err(|error| within("stopSpeakingPlan", error))?;
        }
        Ok(())
    }
}

impl StopSpeakingPlan {
    fn check(&self) -> Result<(), Invalid> {
        between(self.num_words, 0.0, 10.0, "numWords")?;
        between(self.voice_seconds, 0.0, 0.5, "voiceSeconds")?;
        between(self.backoff_seconds, 0.0, 10.0, "backoffSeconds")
    }
}

/// An assistant that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assistant {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateAssistant,
}

/// The body of `POST /assistant/{id}/version`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NameVersion {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub version_name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub version_description: Option<Secret<String>>,
}

impl Known for NameVersion {}

/// What an assistant was after it was made, or changed.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssistantVersion {
    pub id: String,
    pub org_id: String,
    pub assistant_id: String,
    /// `v1` as it was made.
    pub version: String,
    /// The same for the same fields.
    pub config_hash: String,
    /// None of the first.
    #[serde(default)]
    pub parent_version: Option<String>,
    #[serde(flatten)]
    pub named: NameVersion,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(flatten)]
    pub fields: CreateAssistant,
}

/// Where a page of versions stands.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CursorMeta {
    /// The `cursor` of the next page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    pub has_next_page: bool,
    pub limit: u32,
}

/// One page of a list that is gone through from its end.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CursorPage<T> {
    pub results: Vec<T>,
    pub metadata: CursorMeta,
}
