//! What is kept.

use std::fmt;

use jiff::Timestamp;
use redact::Secret;
use serde_json::{Map, Value};
use uuid::Uuid;

/// All that a program said of a resource, its name too.
pub type Body = Secret<Map<String, Value>>;

/// What kind of thing it is. The names are the platform's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Assistant,
    /// What an assistant was after a change.
    AssistantVersion,
    Squad,
    Tool,
    PhoneNumber,
    Session,
    File,
    KnowledgeBase,
    StructuredOutput,
    Eval,
    EvalRun,
    TestSuite,
    Test,
    TestSuiteRun,
    /// One that waits to be delivered. The server's own: no path leads to it.
    ServerMessage,
    /// What became of one, without a word of it. The server's own too.
    Delivery,
    /// Steps of a call that its record does not say. The server's own too.
    CallSteps,
    Template,
    Workflow,
    Credential,
    Token,
    /// This server's organisation: one at most.
    Org,
}

impl Kind {
    pub const ALL: [Self; 22] = [
        Self::Assistant,
        Self::AssistantVersion,
        Self::Squad,
        Self::Tool,
        Self::PhoneNumber,
        Self::Session,
        Self::File,
        Self::KnowledgeBase,
        Self::StructuredOutput,
        Self::Eval,
        Self::EvalRun,
        Self::TestSuite,
        Self::Test,
        Self::TestSuiteRun,
        Self::ServerMessage,
        Self::Delivery,
        Self::CallSteps,
        Self::Template,
        Self::Workflow,
        Self::Credential,
        Self::Token,
        Self::Org,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::AssistantVersion => "assistant-version",
            Self::Squad => "squad",
            Self::Tool => "tool",
            Self::PhoneNumber => "phone-number",
            Self::Session => "session",
            Self::File => "file",
            Self::KnowledgeBase => "knowledge-base",
            Self::StructuredOutput => "structured-output",
            Self::Eval => "eval",
            Self::EvalRun => "eval-run",
            Self::TestSuite => "test-suite",
            Self::Test => "test",
            Self::TestSuiteRun => "test-suite-run",
            Self::ServerMessage => "server-message",
            Self::Delivery => "delivery",
            Self::CallSteps => "call-steps",
            Self::Template => "template",
            Self::Workflow => "workflow",
            Self::Credential => "credential",
            Self::Token => "token",
            Self::Org => "org",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One that is to be kept.
#[derive(Debug, Clone)]
pub struct NewResource {
    /// A new one where none is given.
    pub id: Option<Uuid>,
    pub kind: Kind,
    pub body: Body,
    /// What is in a file, as text.
    pub content: Option<Secret<String>>,
}

impl NewResource {
    pub fn of(kind: Kind, body: Body) -> Self {
        Self {
            id: None,
            kind,
            body,
            content: None,
        }
    }
}

/// One that is kept. Its content is read apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    pub id: Uuid,
    pub kind: Kind,
    /// To the microsecond, as the next.
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub body: Body,
    /// It is sealed with a key that is not set, or was altered: its body is told empty, and nothing is put in its place.
    pub unopened: bool,
    pub(crate) version: i64,
}

impl Resource {
    /// How often it was written: 1 as it is made, and one more with each change.
    pub fn version(&self) -> i64 {
        self.version
    }
}
