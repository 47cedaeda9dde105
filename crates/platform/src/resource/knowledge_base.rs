//! A knowledge base: a name for files that belong together.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::invalid::Invalid;

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
}
