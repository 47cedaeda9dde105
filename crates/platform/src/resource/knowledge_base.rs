//! A knowledge base: a name for files that belong together.

use jiff::Timestamp;
use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::invalid::Invalid;
use crate::time;

/// The body of `POST /v2/knowledge-base`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateKnowledgeBase {
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub description: Option<Secret<String>>,
}

impl Known for CreateKnowledgeBase {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.name, "name")
    }
}

/// A knowledge base that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeBase {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateKnowledgeBase,
    #[serde(default)]
    pub files: Vec<KnowledgeBaseFile>,
    /// In an assistant's `model.toolIds` it lets the assistant look things up in this base.
    #[serde(default)]
    pub tool_id: Option<String>,
}

/// The body of `POST /v2/knowledge-base/{id}/file`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachFile {
    /// One that was sent with `POST /file`.
    pub file_id: String,
}

/// Whether callers may be told of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KnowledgeBaseFileStatus {
    /// Of the hosted platform: here a file is read as it is attached.
    Indexing,
    Ready,
    Failed,
}

impl KnowledgeBaseFileStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Indexing => "indexing",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}

/// A file of a knowledge base.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeBaseFile {
    pub id: String,
    pub knowledge_base_v2_id: String,
    pub file_id: String,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub file_name: Option<Secret<String>>,
    #[serde(default)]
    pub mimetype: Option<String>,
    #[serde(default)]
    pub bytes: Option<f64>,
    pub status: KnowledgeBaseFileStatus,
    /// Why it failed.
    #[serde(default)]
    pub error: Option<String>,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}
