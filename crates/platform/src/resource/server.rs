//! Where server messages go, and which: what an assistant, the overrides of a call or a tool say of it.

use std::collections::BTreeMap;

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::call::Inline;

/// A server that messages go to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageServer {
    /// Absent, the messages go where the next in order says. It may hold a key.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub url: Option<Secret<String>>,
    /// Sent along in `X-Vapi-Secret`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub secret: Option<Secret<String>>,
    /// Sent along as they are. They may hold keys.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub headers: Option<Secret<BTreeMap<String, Value>>>,
    /// The credential by which it knows who sends: its headers go along too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_id: Option<String>,
    /// How long an answer is waited for. Absent means 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backoff_plan: Option<BackoffPlan>,
}

/// What of a refusal is not tried again. How long all else is, the server decides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackoffPlan {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub excluded_status_codes: Vec<Value>,
}

/// All that something says of server messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessagePlan {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<MessageServer>,
    /// The kinds that are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_messages: Option<Vec<String>>,
}

/// What is sent where an assistant does not say. It names kinds that the embedded platform never sends.
pub const USUAL_SERVER_MESSAGES: [&str; 11] = [
    "conversation-update",
    "end-of-call-report",
    "function-call",
    "hang",
    "speech-update",
    "status-update",
    "tool-calls",
    "transfer-destination-request",
    "handoff-destination-request",
    "user-interrupted",
    "assistant.started",
];

impl MessagePlan {
    /// Reads what an assistant, overrides or a tool say. What cannot be read is as if it were not said.
    pub fn of(fields: &Map<String, Value>) -> Self {
        let part = |name: &str| fields.get(name).filter(|value| !value.is_null());
        let text = |name: &str| part(name).and_then(Value::as_str).map(str::to_owned);
        let server = part("server").and_then(|server| MessageServer::deserialize(server).ok());
        // The platform's older names for the same.
        let server = server.or_else(|| {
            let url = Some(Secret::new(text("serverUrl")?));
            Some(MessageServer {
                url,
                secret: text("serverUrlSecret").map(Secret::new),
                ..MessageServer::default()
            })
        });
        let server_messages = part("serverMessages");
        Self {
            server,
            server_messages: server_messages.and_then(|names| Vec::deserialize(names).ok()),
        }
    }

    /// The same, where something is given in full.
    pub fn of_inline(fields: &Inline) -> Self {
        Self::of(fields.expose_secret())
    }

    /// What the body of `POST /call`, `/call/web` or `/chat` says, the first that says something being the one that holds.
    pub fn all_of_a_call(body: &Value) -> Vec<Self> {
        let first_member = |name: &str| body.pointer(&format!("/squad/members/0/{name}"));
        [
            body.get("assistantOverrides"),
            body.get("squadOverrides"),
            body.get("workflowOverrides"),
            body.pointer("/squad/membersOverrides"),
            first_member("assistantOverrides"),
            body.get("assistant"),
            first_member("assistant"),
            body.get("workflow"),
        ]
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .map(Self::of)
        .filter(|plan| !plan.says_nothing())
        .collect()
    }

    pub fn says_nothing(&self) -> bool {
        self.server
            .as_ref()
            .is_none_or(|server| server.url.is_none())
            && self.server_messages.is_none()
    }

    /// As one that reads the same, for keeping.
    pub fn to_fields(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn plan(value: Value) -> MessagePlan {
        MessagePlan::of(value.as_object().unwrap())
    }

    fn url(plan: &MessagePlan) -> Option<&str> {
        let url = plan.server.as_ref()?.url.as_ref()?;
        Some(url.expose_secret().as_str())
    }

    #[test]
    fn both_ways_of_naming_a_server_are_read_and_the_newer_goes_before() {
        let older = json!({"serverUrl": "https://a.example", "serverUrlSecret": "sesame"});
        let older = plan(older);
        assert_eq!(url(&older), Some("https://a.example"));
        let secret = older.server.unwrap().secret.unwrap();
        assert_eq!(secret.expose_secret(), "sesame");
        let both =
            json!({"serverUrl": "https://a.example", "server": {"url": "https://b.example"}});
        let both = plan(both);
        assert_eq!(url(&both), Some("https://b.example"));
        assert!(both.server.unwrap().secret.is_none(), "it is the other's");
    }

    #[test]
    fn what_cannot_be_read_is_as_if_it_were_not_said() {
        for odd in [
            json!({}),
            json!({"server": null, "serverMessages": null}),
            json!({"server": "https://a.example", "serverMessages": "status-update"}),
            json!({"server": {"url": 7}, "serverMessages": [7]}),
            json!({"server": {"timeoutSeconds": 5}}),
        ] {
            assert!(plan(odd.clone()).says_nothing(), "{odd}");
        }
    }

    #[test]
    fn overrides_go_before_the_assistant_that_they_are_for() {
        let body = json!({
            "assistant": {"server": {"url": "https://a.example"}, "serverMessages": ["hang"]},
            "assistantOverrides": {"server": {"url": "https://b.example"}},
        });
        let plans = MessagePlan::all_of_a_call(&body);
        assert_eq!(url(&plans[0]), Some("https://b.example"));
        assert_eq!(plans[1].server_messages.as_ref().unwrap(), &["hang"]);
        assert!(MessagePlan::all_of_a_call(&json!({"assistantId": "x"})).is_empty());
        let workflow = json!({"workflow": {"server": {"url": "https://c.example"}}});
        let plans = MessagePlan::all_of_a_call(&workflow);
        assert_eq!(url(&plans[0]), Some("https://c.example"));
    }

    #[test]
    fn a_plan_is_kept_and_read_again_and_never_shown() {
        let whole = json!({
            "server": {
                "url": "https://a.example/?k=hunter2", "secret": "hunter2",
                "headers": {"Authorization": "hunter2"}, "timeoutSeconds": 5.0,
                "backoffPlan": {"excludedStatusCodes": [400]},
            },
            "serverMessages": ["status-update"],
        });
        let read = plan(whole.clone());
        assert!(!format!("{read:?}").contains("hunter2"));
        assert_eq!(MessagePlan::of(&read.to_fields()), read);
        assert_eq!(Value::from(read.to_fields()), whole);
    }
}
