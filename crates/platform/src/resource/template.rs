//! A template: a tool as others may begin with it. It is kept; nothing is made from it here.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{CreateTool, Kept, Known, required};
use crate::call::Inline;
use crate::invalid::{Invalid, within};

/// The body of `POST /template`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateTemplate {
    #[serde(rename = "type", default)]
    #[schema(required, value_type = TemplateType)]
    pub kind: Option<TemplateType>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    /// The tool.
    #[serde(default)]
    pub details: Option<CreateTool>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub provider_details: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Inline>,
    #[serde(default)]
    pub visibility: Option<TemplateVisibility>,
    #[serde(default)]
    pub provider: Option<String>,
}

/// What it is a template of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TemplateType {
    Tool,
}

/// Who sees it. A server is one organisation: whoever has a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TemplateVisibility {
    Public,
    Private,
}

impl Known for CreateTemplate {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.kind, "type")?;
        match &self.details {
            Some(tool) => tool.check().map_err(|error| within("details", error)),
            None => Ok(()),
        }
    }
}

/// A template that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateTemplate,
}
