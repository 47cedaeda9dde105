//! A workflow: conversations and tools as a graph. One that is a single conversation can be talked to as an assistant can.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{CreateAssistant, Kept, Known, StartSpeakingPlan, StopSpeakingPlan, required};
use crate::call::Inline;
use crate::invalid::{Invalid, within};

/// The body of `POST /workflow`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateWorkflow {
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(required, value_type = Vec<WorkflowNode>)]
    pub nodes: Option<Vec<WorkflowNode>>,
    #[serde(default)]
    #[schema(required, value_type = Vec<WorkflowEdge>)]
    pub edges: Option<Vec<WorkflowEdge>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub global_prompt: Option<Secret<String>>,
    /// The longest call.
    #[serde(default)]
    #[schema(minimum = 10, maximum = 43200)]
    pub max_duration_seconds: Option<f64>,
    #[serde(default)]
    pub start_speaking_plan: Option<StartSpeakingPlan>,
    #[serde(default)]
    pub stop_speaking_plan: Option<StopSpeakingPlan>,
    /// Where server messages go. It may hold a secret.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub server: Option<Inline>,
    /// They may hold secrets.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub credentials: Option<Vec<Inline>>,
    #[serde(default)]
    pub credential_ids: Option<Vec<String>>,
}

/// A place in a workflow.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowNode {
    #[serde(rename = "type", default)]
    #[schema(required, value_type = WorkflowNodeType)]
    pub kind: Option<WorkflowNodeType>,
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    pub is_start: Option<bool>,
    /// A conversation's.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub prompt: Option<Secret<String>>,
    /// A tool's.
    #[serde(default)]
    pub tool_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Inline>,
}

/// What is done there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkflowNodeType {
    Conversation,
    Tool,
}

/// A way from one node to another, by their names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowEdge {
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub from: Option<Secret<String>>,
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub to: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub condition: Option<Inline>,
}

impl CreateWorkflow {
    /// Whether it is one conversation alone.
    pub fn is_one_conversation(&self) -> bool {
        let Some([only]) = self.nodes.as_deref() else {
            return false;
        };
        let edges = self.edges.as_ref().is_some_and(|edges| !edges.is_empty());
        only.kind == Some(WorkflowNodeType::Conversation) && !edges
    }
}

impl Known for CreateWorkflow {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.name, "name")?;
        required(&self.nodes, "nodes")?;
        required(&self.edges, "edges")?;
        for (number, node) in self.nodes.iter().flatten().enumerate() {
            let whole = required(&node.kind, "type").and_then(|()| required(&node.name, "name"));
            whole.map_err(|error| within(&format!("nodes[{number}]"), error))?;
        }
        for (number, edge) in self.edges.iter().flatten().enumerate() {
            let whole = required(&edge.from, "from").and_then(|()| required(&edge.to, "to"));
            whole.map_err(|error| within(&format!("edges[{number}]"), error))?;
        }
        CreateAssistant {
            max_duration_seconds: self.max_duration_seconds,
            start_speaking_plan: self.start_speaking_plan.clone(),
            stop_speaking_plan: self.stop_speaking_plan.clone(),
            ..CreateAssistant::default()
        }
        .check()
    }
}

/// A workflow that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Workflow {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateWorkflow,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::super::read_resource;
    use super::*;

    fn read(body: Value) -> Result<CreateWorkflow, Invalid> {
        read_resource::<CreateWorkflow>(body.to_string().as_bytes()).map(|(known, _)| known)
    }

    #[test]
    fn a_single_conversation_is_one_and_nothing_else_is() {
        let talk = json!({"type": "conversation", "name": "talk"});
        let tool = json!({"type": "tool", "name": "look up"});
        let is_one = |nodes: Value, edges: Value| {
            let body = json!({"name": "n", "nodes": nodes, "edges": edges});
            read(body).unwrap().is_one_conversation()
        };
        assert!(is_one(json!([talk]), json!([])));
        assert!(!is_one(json!([talk, tool]), json!([])));
        assert!(!is_one(
            json!([talk]),
            json!([{"from": "talk", "to": "talk"}])
        ));
        assert!(!is_one(json!([tool]), json!([])));
        assert!(!is_one(json!([]), json!([])));
    }

    #[test]
    fn what_is_missing_in_a_node_or_an_edge_is_named_by_its_place() {
        for (body, problem) in [
            (json!({"name": "n", "edges": []}), "`nodes`: is missing"),
            (
                json!({"name": "n", "nodes": [{"type": "tool"}], "edges": []}),
                "`nodes[0].name`: is missing",
            ),
            (
                json!({"name": "n", "nodes": [], "edges": [{"from": "a"}]}),
                "`edges[0].to`: is missing",
            ),
        ] {
            assert_eq!(read(body).unwrap_err().to_string(), problem);
        }
    }
}
