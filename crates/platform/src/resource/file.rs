//! A file that a program has sent. Its content is read apart.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known};
use crate::call::Inline;

/// What the server says of a file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileFields {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub original_name: Option<Secret<String>>,
    #[serde(default)]
    pub bytes: Option<f64>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub purpose: Option<Secret<String>>,
    #[serde(default)]
    pub mimetype: Option<String>,
    /// `done`: it is stored.
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub object: Option<String>,
    /// Where its content is read, with the private key.
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Inline>,
}

/// The body of `PATCH /file/{id}`: all else of a file is what was sent.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateFile {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
}

impl Known for FileFields {}

impl Known for UpdateFile {}

/// A file that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct File {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: FileFields,
}
