//! A written conversation: what is asked of `POST /chat`, and the chat that is answered. Which
//! conversation a chat belongs to, and who may continue it, is the server's to decide.

use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::call::{AssistantOverrides, CallStatus, Inline, check_overrides};
use crate::call_info::TransferTo;
use crate::conversation::OpenAiMessage;
use crate::invalid::{Invalid, from_value, json, read};
use crate::time;

/// The longest input: some minutes of typing, and far from what would burden anybody.
pub const MOST_CHARACTERS: usize = 4000;

/// The body of `POST /chat`. A conversation begins with an assistant (or squad, or workflow) and goes on from
/// `previousChatId` or `sessionId`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateChat {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    /// An assistant in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub assistant: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_overrides: Option<AssistantOverrides>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    /// A squad in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub squad: Option<Inline>,
    /// A workflow that is a single conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<String>,
    /// A workflow in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub workflow: Option<Inline>,
    /// In the place of `assistantOverrides`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_overrides: Option<AssistantOverrides>,
    /// What is said. Empty at the beginning of a conversation: the assistant greets.
    pub input: ChatInput,
    /// The chat before this one. Not together with `sessionId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_chat_id: Option<String>,
    /// The conversation, wherever it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether the answer comes piece by piece, as server-sent events ([`ChatDelta`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
}

/// What is said: as text, or as messages of the role `user`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected text, or a list of messages with role and content"
)]
pub enum ChatInput {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    Text(Secret<String>),
    Messages(Vec<OpenAiMessage>),
}

impl Default for ChatInput {
    fn default() -> Self {
        Self::Text(Secret::new(String::new()))
    }
}

/// Whom a chat is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChatTarget<'c> {
    /// A conversation that begins, with the assistant of this id.
    AssistantId(&'c str),
    /// A conversation that begins, with the squad of this id.
    SquadId(&'c str),
    /// A conversation that begins, with the workflow of this id.
    WorkflowId(&'c str),
    /// A conversation that begins, with an assistant or a squad in full.
    InFull,
    /// The same with a workflow.
    Workflow(&'c Inline),
    /// The conversation that this chat is the latest of.
    After(&'c str),
    /// The conversation of this session.
    Session(&'c str),
}

impl CreateChat {
    /// Reads and checks the body.
    pub fn parse(body: &[u8]) -> Result<Self, Invalid> {
        let create: Self = read(body)?;
        create.check()?;
        Ok(create)
    }

    /// The same of `POST /chat/responses`, whose messages have what is said as `message` where they are the platform's own.
    pub fn parse_response(body: &[u8]) -> Result<Self, Invalid> {
        let mut body = json(body)?;
        let messages = body.get_mut("input").and_then(Value::as_array_mut);
        for message in messages.into_iter().flatten() {
            if let Value::Object(fields) = message
                && !fields.contains_key("content")
                && let Some(said) = fields.remove("message")
            {
                fields.insert(String::from("content"), said);
            }
        }
        let create: Self = from_value(&body)?;
        create.check()?;
        Ok(create)
    }

    fn check(&self) -> Result<(), Invalid> {
        self.target()?;
        self.words()?;
        check_overrides([
            ("assistantOverrides", &self.assistant_overrides),
            ("workflowOverrides", &self.workflow_overrides),
        ])
    }

    /// Whom the chat is for. A conversation that goes on has its assistant already.
    pub fn target(&self) -> Result<ChatTarget<'_>, Invalid> {
        match (given(&self.previous_chat_id), given(&self.session_id)) {
            (Some(_), Some(_)) => Err(Invalid::field(
                "sessionId",
                "expected only one of `previousChatId` and `sessionId`",
            )),
            (Some(chat), None) => Ok(ChatTarget::After(chat)),
            (None, Some(session)) => Ok(ChatTarget::Session(session)),
            (None, None) => self.begins_with().ok_or(Invalid::NothingToCall),
        }
    }

    /// Of several kinds the assistant comes first, then the squad; what is named goes before what is given in full.
    fn begins_with(&self) -> Option<ChatTarget<'_>> {
        let in_full = self.assistant.is_some() || self.squad.is_some();
        given(&self.assistant_id)
            .map(ChatTarget::AssistantId)
            .or_else(|| given(&self.squad_id).map(ChatTarget::SquadId))
            .or_else(|| in_full.then_some(ChatTarget::InFull))
            .or_else(|| given(&self.workflow_id).map(ChatTarget::WorkflowId))
            .or_else(|| self.workflow.as_ref().map(ChatTarget::Workflow))
    }

    /// The caller's words; empty if there are none. Only messages of the role `user` are taken:
    /// the assistant's side, and its instructions, are the server's own.
    pub fn words(&self) -> Result<Secret<String>, Invalid> {
        let messages = match &self.input {
            ChatInput::Text(text) => return Ok(text.clone()),
            ChatInput::Messages(messages) => messages,
        };
        let mut words: Vec<&str> = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            if message.role != "user" {
                return Err(Invalid::field(
                    format!("input[{index}].role"),
                    "expected `user`: what the assistant says is not the caller's to write",
                ));
            }
            if let Some(content) = &message.content {
                words.push(content.expose_secret());
            }
        }
        Ok(Secret::new(words.join("\n")))
    }
}

/// An empty id counts as none: that is how an unset value arrives.
fn given(id: &Option<String>) -> Option<&str> {
    id.as_deref().filter(|id| !id.trim().is_empty())
}

/// One exchange of a written conversation: the caller's input and the assistant's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// To be given as `previousChatId` with what is said next.
    pub id: String,
    pub org_id: String,
    /// The conversation. The record's call id.
    pub session_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    /// (Ours.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_chat_id: Option<String>,
    /// What was said before.
    pub messages: Vec<OpenAiMessage>,
    pub input: ChatInput,
    pub output: Vec<OpenAiMessage>,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// `in-progress`, or `ended`. (Ours; the hosted platform does not say.)
    pub status: CallStatus,
    /// (Ours.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
    /// The agency that is brought in with this chat. (Ours.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<ChatTransfer>,
}

/// The agency that a written conversation is handed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatTransfer {
    pub mode: ChatTransferMode,
    pub agency: TransferTo,
}

/// How: `warm` connects now, `cold` passes the case on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChatTransferMode {
    Warm,
    Cold,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatDelta {
    pub id: String,
    pub session_id: String,
    /// Where the piece belongs: `chat.output[0].content`.
    pub path: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub delta: Secret<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &str) -> Result<CreateChat, Invalid> {
        CreateChat::parse(body.as_bytes())
    }

    fn words(body: &str) -> String {
        let words = parse(body).and_then(|chat| chat.words());
        words.expect("this is a chat").expose_secret().clone()
    }

    #[test]
    fn what_is_said_comes_as_text_or_as_the_callers_messages() {
        assert_eq!(words(r#"{"assistantId":"a","input":""}"#), "");
        assert_eq!(words(r#"{"assistantId":"a","input":[]}"#), "");
        assert_eq!(words(r#"{"sessionId":"s","input":"Hello"}"#), "Hello");
        assert_eq!(
            words(
                r#"{"assistantId":"a","input":[{"role":"user","content":"Hi."},{"role":"user","content":"Me again."}]}"#
            ),
            "Hi.\nMe again."
        );
    }

    #[test]
    fn a_response_takes_messages_of_the_platforms_own_shape_too() {
        let body = r#"{"assistantId":"a","input":[{"role":"user","message":"Hi.","time":1}]}"#;
        let asked = CreateChat::parse_response(body.as_bytes()).and_then(|chat| chat.words());
        assert_eq!(asked.expect("this is a chat").expose_secret(), "Hi.");
        let body = r#"{"assistantId":"a","input":[{"role":"bot","message":"Hi."}]}"#;
        assert!(CreateChat::parse_response(body.as_bytes()).is_err());
    }

    #[test]
    fn nobody_writes_the_assistants_side() {
        for role in ["assistant", "system", "developer", "tool"] {
            let body = format!(
                r#"{{"assistantId":"a","input":[{{"role":"user","content":"x"}},{{"role":"{role}","content":"secret words"}}]}}"#
            );
            let problem = parse(&body).expect_err("this must be refused").to_string();
            assert!(problem.contains("input[1].role"), "{problem}");
            assert!(!problem.contains("secret words"), "{problem}");
        }
    }

    #[test]
    fn a_chat_begins_with_an_assistant_or_goes_on_from_one_place() {
        assert_eq!(parse(r#"{"input":"x"}"#), Err(Invalid::NothingToCall));
        let both = parse(r#"{"input":"x","previousChatId":"c","sessionId":"s"}"#);
        assert!(both.is_err());
        let on = parse(r#"{"input":"x","assistantId":"a","previousChatId":"c"}"#);
        let on = on.expect("this goes on");
        assert_eq!(on.target(), Ok(ChatTarget::After("c")));
        let empty = parse(r#"{"input":"x","assistantId":"a","previousChatId":""}"#);
        let empty = empty.expect("this begins");
        assert_eq!(empty.target(), Ok(ChatTarget::AssistantId("a")));
        let workflow = parse(r#"{"input":"x","workflowId":"w","workflow":{}}"#);
        let workflow = workflow.expect("this begins");
        assert_eq!(workflow.target(), Ok(ChatTarget::WorkflowId("w")));
        let in_full = parse(r#"{"input":"x","workflow":{"nodes":[]}}"#);
        let in_full = in_full.expect("this begins");
        assert!(matches!(in_full.target(), Ok(ChatTarget::Workflow(_))));
    }

    #[test]
    fn an_input_of_another_kind_is_refused_by_its_place() {
        for body in [
            r#"{"assistantId":"a"}"#,
            r#"{"assistantId":"a","input":7}"#,
            r#"{"assistantId":"a","input":[7]}"#,
            r#"{"assistantId":"a","input":{"role":"user"}}"#,
        ] {
            let problem = parse(body).expect_err("this must be refused").to_string();
            assert!(problem.contains("`input`"), "{body}: {problem}");
            let says_what = problem.contains("is missing") || problem.contains("expected text");
            assert!(says_what, "{body}: {problem}");
        }
    }
}
