//! One turn of the assistant: what to say, and what to do beside it.

use redact::Secret;

use crate::{Agency, Command, Conversation, EndReason, TransferMode};

/// What the conversation wants said and done, all that it has ready.
#[derive(Debug, Default)]
pub struct Reply {
    pub sentences: Vec<Secret<String>>,
    /// In order; a voice does it once the sentences have been heard.
    pub afterwards: Vec<Afterwards>,
    /// How many sentences come before each of these.
    after: Vec<usize>,
}

/// What is done beside speaking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Afterwards {
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

impl Conversation {
    /// Takes everything that is ready.
    pub fn take_reply(&mut self) -> Reply {
        let mut reply = Reply::default();
        while let Some(command) = self.poll_command() {
            let afterwards = match command {
                Command::Say { sentence } => {
                    reply.sentences.push(sentence);
                    continue;
                }
                Command::LookedUp { query } => Afterwards::LookedUp { query },
                Command::Transfer { mode, agency } => Afterwards::Transfer { mode, agency },
                Command::End { reason } => Afterwards::End(reason),
            };
            reply.afterwards.push(afterwards);
            reply.after.push(reply.sentences.len());
        }
        // Nobody is asked on as they are hung up on.
        let asks = |it: &&Secret<String>| it.expose_secret().ends_with('?');
        let said: Vec<_> = reply
            .sentences
            .iter()
            .filter(|it| !asks(it))
            .cloned()
            .collect();
        if self.ends_with(&said) {
            reply.sentences = said;
            for after in &mut reply.after {
                *after = (*after).min(reply.sentences.len());
            }
            reply
                .afterwards
                .push(Afterwards::End(EndReason::AssistantEnded));
            reply.after.push(reply.sentences.len());
        }
        reply
    }
}

impl Reply {
    /// These sentences, and the end of the call after them if there is a reason for it.
    pub fn of(sentences: Vec<Secret<String>>, end: Option<EndReason>) -> Self {
        let after = end.iter().map(|_| sentences.len()).collect();
        let afterwards = end.into_iter().map(Afterwards::End).collect();
        Self {
            sentences,
            afterwards,
            after,
        }
    }

    /// Why the call is to end with it, if it is.
    pub fn ends(&self) -> Option<EndReason> {
        self.afterwards.iter().find_map(Afterwards::ends)
    }

    /// The sentences up to each thing that is done, with it; then those after the last. Where it is
    /// written down, a transfer stands between the sentences that lead to it and those that follow.
    pub fn stretches(&self) -> impl Iterator<Item = (&[Secret<String>], Option<&Afterwards>)> {
        let starts = std::iter::once(0).chain(self.after.iter().copied());
        let ends = self.after.iter().copied().chain([self.sentences.len()]);
        let done = self.afterwards.iter().map(Some).chain([None]);
        starts
            .zip(ends)
            .zip(done)
            .map(|((start, end), done)| (&self.sentences[start..end], done))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::{AssistantScript, Event, Setup};

    #[test]
    fn everything_that_is_ready_is_taken_once() {
        let mut conversation = Conversation::new(Setup {
            called_at: "2026-11-20T23:10:00".parse().unwrap(),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: crate::Medium::Speech,
        });
        conversation.handle(Event::CallStarted, Duration::ZERO);
        assert!(!conversation.take_reply().sentences.is_empty());
        assert!(conversation.take_reply().sentences.is_empty());
    }

    #[test]
    fn a_transfer_stands_after_the_sentences_that_lead_to_it() {
        let transfer = Afterwards::Transfer {
            mode: TransferMode::Cold,
            agency: Agency::Fsc,
        };
        let sentence = |words: &str| Secret::new(words.to_owned());
        let reply = Reply {
            sentences: vec![sentence("They will reach out."), sentence("Anything else?")],
            afterwards: vec![transfer.clone()],
            after: vec![1],
        };
        let stretches: Vec<(usize, Option<&Afterwards>)> = reply
            .stretches()
            .map(|(sentences, done)| (sentences.len(), done))
            .collect();
        assert_eq!(stretches, [(1, Some(&transfer)), (1, None)]);
    }
}
