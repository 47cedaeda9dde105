//! A squad: assistants that hand a conversation on to each other. The first member starts.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{CreateAssistant, Kept, Known, in_full, required};
use crate::call::{AssistantOverrides, Inline};
use crate::invalid::{Invalid, within};

/// The body of `POST /squad`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSquad {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(required, value_type = Vec<SquadMember>)]
    pub members: Option<Vec<SquadMember>>,
    /// What is changed in the assistant of each member, after its own `assistantOverrides`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub members_overrides: Option<Inline>,
}

/// One of a squad, by its assistant's id or with an assistant in full; with neither, a place that nobody has yet.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SquadMember {
    #[serde(default)]
    pub assistant_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub assistant: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub assistant_overrides: Option<Inline>,
    /// To whom it may hand on.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub assistant_destinations: Option<Vec<Inline>>,
}

impl Known for CreateSquad {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.members, "members")?;
        for (number, member) in self.members.iter().flatten().enumerate() {
            let path = format!("members[{number}]");
            let assistant = given::<CreateAssistant>("assistant", &member.assistant);
            let overrides =
                given::<AssistantOverrides>("assistantOverrides", &member.assistant_overrides);
            assistant
                .and(overrides)
                .map_err(|error| within(&path, error))?;
        }
        given::<AssistantOverrides>("membersOverrides", &self.members_overrides)
    }
}

fn given<T: Known>(name: &str, fields: &Option<Inline>) -> Result<(), Invalid> {
    match fields {
        Some(fields) => in_full::<T>(name, fields).map(drop),
        None => Ok(()),
    }
}

/// A squad that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Squad {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateSquad,
}
