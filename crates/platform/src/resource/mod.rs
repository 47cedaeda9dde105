//! What a program keeps through the platform's API, kind by kind: the fields that this program knows, each with its type, and
//! what all kinds share. A field that is not known here is kept as it was sent and given back. What is done with any of them
//! is the server's to decide.

mod assistant;
mod credential;
pub mod eval;
mod file;
mod knowledge_base;
mod org;
mod phone_number;
mod server;
mod session;
mod squad;
mod structured_output;
mod template;
pub mod test_suite;
mod token;
mod tool;
mod voice_library;
mod workflow;

use jiff::Timestamp;
use redact::Secret;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::call::Inline;
use crate::invalid::{Invalid, from_value, json, within};
use crate::time;

pub use assistant::{
    Assistant, AssistantVersion, CreateAssistant, CursorMeta, CursorPage, FirstMessageMode,
    NameVersion, StartSpeakingPlan, StopSpeakingPlan,
};
pub use credential::{
    AuthenticationPlan, AuthenticationPlanType, CreateCredential, Credential, HmacAlgorithm,
    SignatureEncoding, without_secrets,
};
pub use file::{File, FileFields, UpdateFile};
pub use knowledge_base::{
    AttachFile, CreateKnowledgeBase, KnowledgeBase, KnowledgeBaseFile, KnowledgeBaseFileStatus,
};
pub use org::{InviteMembers, Member, MemberRole, Org, UpdateMemberRole, UpdateOrg};
pub use phone_number::{CreatePhoneNumber, PhoneNumber, PhoneNumberProvider};
pub use server::{BackoffPlan, MessagePlan, MessageServer, USUAL_SERVER_MESSAGES};
pub use session::{CreateSession, Session, SessionStatus};
pub use squad::{CreateSquad, Squad, SquadMember};
pub use structured_output::{
    CreateStructuredOutput, RunStructuredOutput, StructuredOutput, StructuredOutputResult,
    StructuredOutputRun, StructuredOutputType,
};
pub use template::{CreateTemplate, Template, TemplateType, TemplateVisibility};
pub use token::{CreateToken, Token, TokenRestrictions, TokenTag};
pub use tool::{CreateTool, Tool, ToolFunction, ToolType};
pub use voice_library::{FoundVoice, LibraryVoice, VoiceGender};
pub use workflow::{CreateWorkflow, Workflow, WorkflowEdge, WorkflowNode, WorkflowNodeType};

/// What the server says of everything that is kept. Nobody else sets it: it is left out of what is sent.
const THE_SERVERS: [&str; 4] = ["id", "orgId", "createdAt", "updatedAt"];

/// The fields of one kind that are known.
pub trait Known: DeserializeOwned {
    /// What types alone do not say.
    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }
}

/// Reads what is to be kept, and checks what is known of it.
pub fn read_resource<T: Known>(body: &[u8]) -> Result<(T, Inline), Invalid> {
    checked(fields(body)?)
}

/// Reads what comes in full inside another body, as its field of that name, and checks what is known of it.
pub fn in_full<T: Known>(name: &str, fields: &Inline) -> Result<T, Invalid> {
    let read = checked(fields.clone()).map(|(known, _)| known);
    read.map_err(|error| within(name, error))
}

/// What is kept with these fields in the place of its own; `null` takes one out.
pub fn changed_resource<T: Known>(stands: &Inline, changes: &Inline) -> Result<Inline, Invalid> {
    let mut fields = stands.expose_secret().clone();
    for (name, value) in changes.expose_secret() {
        match value {
            Value::Null => fields.remove(name),
            value => fields.insert(name.clone(), value.clone()),
        };
    }
    checked::<T>(Secret::new(fields)).map(|(_, fields)| fields)
}

/// Reads what is to be changed.
pub fn read_changes(body: &[u8]) -> Result<Inline, Invalid> {
    fields(body)
}

/// What is known of something kept: of one that was checked when it was stored, all of it.
pub fn known<T: Known>(fields: &Inline) -> Result<T, Invalid> {
    from_value(&Value::Object(fields.expose_secret().clone()))
}

fn fields(body: &[u8]) -> Result<Inline, Invalid> {
    match json(body)? {
        Value::Object(mut fields) => {
            for name in THE_SERVERS {
                fields.remove(name);
            }
            Ok(Secret::new(fields))
        }
        _ => Err(Invalid::field("", "expected an object")),
    }
}

fn checked<T: Known>(fields: Inline) -> Result<(T, Inline), Invalid> {
    let known: T = known(&fields)?;
    known.check()?;
    Ok((known, fields))
}

/// A field that a kind cannot be without. In its type it is optional, so that its absence is told as any other's.
fn required<T>(field: &Option<T>, path: &str) -> Result<(), Invalid> {
    match field {
        Some(_) => Ok(()),
        None => Err(Invalid::field(path, "is missing")),
    }
}

fn between(value: Option<f64>, least: f64, most: f64, path: &str) -> Result<(), Invalid> {
    match value {
        Some(value) if !(least..=most).contains(&value) => Err(Invalid::field(
            path,
            format!("expected a number from {least} to {most}"),
        )),
        _ => Ok(()),
    }
}

/// What everything has that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    pub id: String,
    pub org_id: String,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

impl Kept {
    /// All of something kept, as it is answered.
    pub fn with(&self, body: &Inline) -> Inline {
        let mut whole = body.expose_secret().clone();
        let own = serde_json::to_value(self).expect("strings and times are JSON");
        if let Value::Object(own) = own {
            whole.extend(own);
        }
        Secret::new(whole)
    }
}

/// Where a page stands in its list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaginationMeta {
    /// As was asked for.
    pub items_per_page: u32,
    /// On all pages.
    pub total_items: u64,
    /// From 1.
    pub current_page: u32,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Paginated<T> {
    pub results: Vec<T>,
    pub metadata: PaginationMeta,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn problem<T: Known + std::fmt::Debug>(body: Value) -> String {
        let refused = read_resource::<T>(body.to_string().as_bytes());
        refused.map(|_| ()).unwrap_err().to_string()
    }

    fn inline(value: Value) -> Inline {
        Secret::new(value.as_object().unwrap().clone())
    }

    #[test]
    fn what_is_not_known_is_kept_and_what_is_the_servers_is_not_taken() {
        let body = json!({
            "name": "Night line", "id": "mine", "createdAt": "now", "inventedLater": {"deep": [1]},
        });
        let (known, fields) =
            read_resource::<CreateAssistant>(body.to_string().as_bytes()).unwrap();
        assert_eq!(known.name.unwrap().expose_secret(), "Night line");
        let fields = Value::from(fields.expose_secret().clone());
        assert_eq!(
            fields,
            json!({"name": "Night line", "inventedLater": {"deep": [1]}})
        );
    }

    #[test]
    fn a_change_leaves_what_it_does_not_name_and_null_takes_a_field_out() {
        let stands = inline(json!({"name": "Night line", "firstMessage": "Hello", "ours": 7}));
        let changes = inline(json!({"name": "Day line", "firstMessage": null}));
        let changed = changed_resource::<CreateAssistant>(&stands, &changes).unwrap();
        let changed = Value::from(changed.expose_secret().clone());
        assert_eq!(changed, json!({"name": "Day line", "ours": 7}));
        let wrong = inline(json!({"name": 7}));
        let refused = changed_resource::<CreateAssistant>(&stands, &wrong).unwrap_err();
        assert_eq!(refused.to_string(), "`name`: expected a string");
    }

    #[test]
    fn a_kind_is_refused_without_what_it_cannot_be_without() {
        assert_eq!(problem::<CreateSquad>(json!({})), "`members`: is missing");
        assert_eq!(problem::<CreateTool>(json!({})), "`type`: is missing");
        assert_eq!(
            problem::<CreateKnowledgeBase>(json!({"description": "x"})),
            "`name`: is missing"
        );
        assert_eq!(
            problem::<CreateStructuredOutput>(json!({"name": "x"})),
            "`schema`: is missing"
        );
        assert_eq!(
            problem::<CreatePhoneNumber>(json!({"provider": "twilio", "number": "+6561234567"})),
            "`twilioAccountSid`: is missing"
        );
    }

    #[test]
    fn a_field_of_another_type_or_out_of_its_bounds_is_named() {
        assert_eq!(
            problem::<CreateAssistant>(json!({"startSpeakingPlan": {"waitSeconds": 6}})),
            "`startSpeakingPlan.waitSeconds`: expected a number from 0 to 5"
        );
        assert_eq!(
            problem::<CreateAssistant>(json!({"endCallPhrases": ["goodbye", 7]})),
            "`endCallPhrases[1]`: expected a string"
        );
        assert_eq!(
            problem::<CreateSquad>(json!({"members": [{"assistantId": 7}]})),
            "`members[0].assistantId`: expected a string"
        );
        assert_eq!(
            problem::<CreateSquad>(json!({"members": [[null, null]]})),
            "`members[0]`: expected an object"
        );
        assert!(problem::<CreateTool>(json!({"type": "he hit me"})).contains("`type`"));
        assert!(!problem::<CreateTool>(json!({"type": "he hit me"})).contains("hit"));
        assert_eq!(
            problem::<CreateTool>(json!([])),
            "the body: expected an object"
        );
    }
}
