//! A structured output: a schema that the facts of a call are to be brought into.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::call::Inline;
use crate::invalid::Invalid;

/// The body of `POST /structured-output`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateStructuredOutput {
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub name: Option<Secret<String>>,
    /// A JSON schema.
    #[serde(default)]
    #[schema(required, value_type = Object)]
    pub schema: Option<Inline>,
    #[serde(rename = "type", default)]
    pub kind: Option<StructuredOutputType>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub description: Option<Secret<String>>,
    /// What a `regex` looks for.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub regex: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub model: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub compliance_plan: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub conditions: Option<Vec<Inline>>,
    #[serde(default)]
    pub assistant_ids: Option<Vec<String>>,
    #[serde(default)]
    pub workflow_ids: Option<Vec<String>>,
}

/// How it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StructuredOutputType {
    Ai,
    Regex,
}

impl Known for CreateStructuredOutput {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.name, "name")?;
        required(&self.schema, "schema")
    }
}

/// A structured output that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StructuredOutput {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateStructuredOutput,
}
