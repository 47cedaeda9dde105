//! One reply of the conversation, gathered from its commands: what to say, and
//! what to do once it has been heard.

use flow::{Agency, Conversation, EndReason, TransferMode};
use redact::Secret;

/// What the conversation wants said, and done afterwards.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub sentences: Vec<Secret<String>>,
    pub afterwards: Vec<Afterwards>,
}

/// What follows once the sentences have been heard.
#[derive(Debug)]
pub(crate) enum Afterwards {
    LookedUp { query: String },
    Transfer { mode: TransferMode, agency: Agency },
    End(EndReason),
}

impl Afterwards {
    pub fn ends(&self) -> Option<EndReason> {
        match self {
            Self::End(reason) => Some(*reason),
            Self::LookedUp { .. } | Self::Transfer { .. } => None,
        }
    }
}

impl Reply {
    /// Takes all commands the conversation has ready.
    pub fn drain(conversation: &mut Conversation) -> Self {
        let mut reply = Self::default();
        while let Some(command) = conversation.poll_command() {
            match command {
                flow::Command::Say { sentence } => reply.sentences.push(sentence),
                flow::Command::LookedUp { query } => {
                    reply.afterwards.push(Afterwards::LookedUp { query });
                }
                flow::Command::Transfer { mode, agency } => {
                    reply.afterwards.push(Afterwards::Transfer { mode, agency });
                }
                flow::Command::End { reason } => reply.afterwards.push(Afterwards::End(reason)),
            }
        }
        reply
    }
}
