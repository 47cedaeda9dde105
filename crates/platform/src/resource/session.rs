//! A session: a written conversation that has a name and an end before anything is said in it.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, between};
use crate::call::Inline;
use crate::invalid::Invalid;

/// The body of `POST /session`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSession {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    pub status: Option<SessionStatus>,
    /// After so long it is over: a day, unless told.
    #[serde(default)]
    #[schema(minimum = 60, maximum = 2592000)]
    pub expiration_seconds: Option<f64>,
    #[serde(default)]
    pub assistant_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub assistant: Option<Inline>,
    /// What is changed in the assistant, the squad's or the workflow in this session's conversation.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub assistant_overrides: Option<Inline>,
    #[serde(default)]
    pub squad_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub squad: Option<Inline>,
    /// A workflow that is a single conversation.
    #[serde(default)]
    pub workflow_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub workflow: Option<Inline>,
    /// What was said in it. A program gives it none: the assistant would know nothing of that.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub messages: Option<Vec<Inline>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub customer: Option<Inline>,
    #[serde(default)]
    pub customer_id: Option<String>,
    #[serde(default)]
    pub phone_number_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub phone_number: Option<Inline>,
}

/// Whether more may be said in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionStatus {
    Active,
    Completed,
}

impl SessionStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
        }
    }
}

impl Known for CreateSession {
    fn check(&self) -> Result<(), Invalid> {
        between(
            self.expiration_seconds,
            60.0,
            2_592_000.0,
            "expirationSeconds",
        )
    }
}

/// A session that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateSession,
}
