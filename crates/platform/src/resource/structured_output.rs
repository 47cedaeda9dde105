//! A structured output: a schema that the facts of a call are to be brought into.

use std::collections::BTreeMap;

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
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

/// The body of `POST /structured-output/run`: over which calls, and what is to be found.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunStructuredOutput {
    /// A hundred at most, and one alone where it is a preview.
    #[serde(default)]
    #[schema(required, value_type = Vec<String>)]
    pub call_ids: Option<Vec<String>>,
    /// What is found is answered, and not kept with the call.
    #[serde(default)]
    pub preview_enabled: Option<bool>,
    /// One that is kept.
    #[serde(default)]
    pub structured_output_id: Option<String>,
    /// One in full.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub structured_output: Option<Inline>,
}

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StructuredOutputRun {
    /// By the id of the structured output.
    Preview(BTreeMap<String, StructuredOutputResult>),
    Done {
        message: String,
    },
}

/// What was found in a call.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StructuredOutputResult {
    /// The structured output's.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub name: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Object)]
    pub result: Secret<Value>,
}

impl RunStructuredOutput {
    pub fn is_preview(&self) -> bool {
        self.preview_enabled == Some(true)
    }
}

impl Known for RunStructuredOutput {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.call_ids, "callIds")?;
        let count = self.call_ids.as_ref().map_or(0, Vec::len);
        if self.is_preview() && count != 1 {
            return Err(Invalid::field(
                "callIds",
                "expected one id: it is a preview",
            ));
        }
        if !(1..=100).contains(&count) {
            return Err(Invalid::field("callIds", "expected 1 to 100 ids"));
        }
        if self.structured_output_id.is_none() && self.structured_output.is_none() {
            let problem = "expected this or `structuredOutput`";
            return Err(Invalid::field("structuredOutputId", problem));
        }
        Ok(())
    }
}
