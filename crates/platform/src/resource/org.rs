//! The organisation of a server, and who is in it.

use redact::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Kept, Known};
use crate::call::Inline;
use crate::invalid::Invalid;

/// The body of `PATCH /org/{id}`. Nothing but the name is another's to set.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateOrg {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
}

impl Known for UpdateOrg {}

impl UpdateOrg {
    /// A change of the name alone. What else the platform's organisations have is the server's settings here: kept and not
    /// followed, it would claim what is not so.
    pub fn only_the_name(changes: &Inline) -> Result<(), Invalid> {
        match changes.expose_secret().keys().find(|name| *name != "name") {
            // What it is called is its sender's word: it is not repeated.
            Some(_) => Err(Invalid::field(
                "",
                "expected `name` alone: the rest of an organisation is set in the server's settings",
            )),
            None => Ok(()),
        }
    }
}

/// The organisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Org {
    pub id: String,
    #[serde(with = "crate::time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: jiff::Timestamp,
    #[serde(with = "crate::time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: jiff::Timestamp,
    #[serde(serialize_with = "redact::expose_secret")]
    #[schema(value_type = String)]
    pub name: Secret<String>,
    /// How many calls there can be at once: a setting of the server.
    pub concurrency_limit: u64,
}

impl Org {
    pub fn of(kept: Kept, name: Secret<String>, concurrency_limit: u64) -> Self {
        Self {
            id: kept.org_id,
            created_at: kept.created_at,
            updated_at: kept.updated_at,
            name,
            concurrency_limit,
        }
    }
}

/// The body of `POST /org/{id}/invite`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InviteMembers {
    pub emails: Vec<String>,
    pub role: MemberRole,
}

/// The body of `PATCH /org/{id}/role`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateMemberRole {
    pub user_id: String,
    pub role: MemberRole,
}

/// What a member may do, in the platform's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemberRole {
    Admin,
    Editor,
    Viewer,
}

/// Somebody of the organisation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub id: String,
    /// What they sign in with at the desk.
    pub email: String,
    pub full_name: String,
    /// When they were invited.
    #[serde(with = "crate::time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: jiff::Timestamp,
    pub role: MemberRole,
    /// At the duty desk. (Ours.)
    pub desk_role: String,
    /// `invited`, `active` or `locked`; `closed` as they are removed. (Ours.)
    pub state: String,
}
