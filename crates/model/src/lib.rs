//! A chat model, where one is configured: any endpoint that speaks OpenAI's chat completions.
//!
//! The flow decides; a model may hear a signal the reader missed, say the open part of a turn, and
//! tell a note's first sentences. What it proposes goes to [`flow`] as data and is held there to
//! the caller's words and to the flow's decision. Trouble of any kind (a time-out, an outage, a
//! refusal, nonsense) leaves the turn as the flow has it: nothing here fails, and nothing takes
//! longer than its bound.
//!
//! | question | module |
//! |---|---|
//! | what is a turn asked, and what becomes of the answer? | `turn` |
//! | which tools may the model call, and what do they do? | `tools` |
//! | how is a note told? | `note` |
//! | does a trial pass? | `judge` |
//! | how is an endpoint spoken to, and how may it fail? | `endpoint` |
//! | when is it left alone? | `rest` |
//!
//! The caller's words go to the configured endpoint, and nowhere else: not into a log, not along a
//! redirect, not through a proxy of the environment.

mod endpoint;
mod judge;
mod note;
mod rest;
mod tools;
mod turn;

use std::sync::Arc;
use std::time::{Duration, Instant};

use flow::AssistantScript;
use redact::Secret;
use serde_json::Value;

pub use ::endpoint::{Address, AddressError, ClientError};
use endpoint::Endpoint;
pub use endpoint::Trouble;
use rest::Rest;
pub use turn::Turn;

/// Where the model is, and how long a turn may wait for it.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    pub address: Address,
    pub key: Option<Secret<String>>,
    pub name: String,
    pub temperature: f64,
    pub look_up: LookUpTool,
    pub timeout: Duration,
}

/// The tool that the knowledge base is asked by, as the endpoint is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct LookUpTool {
    pub name: String,
    pub description: String,
    /// A JSON schema, in which one text is required.
    pub parameters: Value,
    /// The name of that text: what the question is put into.
    pub parameter: String,
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Assistant,
    Caller,
}

/// Something that was said.
#[derive(Debug, Clone)]
pub struct Line {
    pub speaker: Speaker,
    pub words: Secret<String>,
}

/// A configured model. One for the whole process.
pub struct ChatModel {
    endpoint: Endpoint,
    script: Arc<AssistantScript>,
    look_up: LookUpTool,
    /// All tools, as the endpoint is told of them.
    tools: Value,
    timeout: Duration,
    rest: Rest,
}

impl ChatModel {
    pub fn new(settings: ModelSettings, script: Arc<AssistantScript>) -> Result<Self, ClientError> {
        Ok(Self {
            timeout: settings.timeout,
            tools: tools::definitions(&settings.look_up),
            look_up: settings.look_up.clone(),
            endpoint: Endpoint::new(settings)?,
            script,
            rest: Rest::default(),
        })
    }

    /// Whether it has failed of late, and is not asked for a while.
    pub fn is_left_alone(&self) -> bool {
        !self.rest.is_over(Instant::now())
    }
}
