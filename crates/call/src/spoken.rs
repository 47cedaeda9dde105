//! The transcript of what was really spoken, and how much of it is already durable.

use std::time::Duration;

use redact::Secret;

use crate::events::{Speaker, SpokenMessage};
use crate::legs::OfficerId;

#[derive(Default)]
pub(crate) struct Spoken {
    messages: Vec<SpokenMessage>,
    saved: usize,
}

impl Spoken {
    /// What was durable before the call was cut off.
    pub fn durable(messages: Vec<SpokenMessage>) -> Self {
        let saved = messages.len();
        Self { messages, saved }
    }

    pub fn assistant_said(
        &mut self,
        words: Secret<String>,
        from: Duration,
        to: Duration,
        interrupted: bool,
    ) {
        self.add(Speaker::Assistant, words, from, to, interrupted);
    }

    pub fn caller_said(&mut self, words: Secret<String>, from: Duration, to: Duration) {
        self.add(Speaker::Caller, words, from, to, false);
    }

    pub fn officer_said(
        &mut self,
        officer: OfficerId,
        words: Secret<String>,
        from: Duration,
        to: Duration,
    ) {
        self.add(Speaker::Officer(Some(officer)), words, from, to, false);
    }

    /// What is not durable yet, with the caller's words that come last.
    pub fn unsaved_with_caller(
        &self,
        words: &Secret<String>,
        from: Duration,
        to: Duration,
    ) -> Vec<SpokenMessage> {
        let mut with_caller = Self {
            messages: self.unsaved(),
            saved: 0,
        };
        with_caller.caller_said(words.clone(), from, to);
        with_caller.messages
    }

    /// What is not durable yet.
    pub fn unsaved(&self) -> Vec<SpokenMessage> {
        self.messages[self.saved..].to_vec()
    }

    /// Everything so far is durable.
    pub fn mark_saved(&mut self) {
        self.saved = self.messages.len();
    }

    /// Everything, in the order it was said. What the caller says becomes part of it when their turn is over, what an
    /// officer says at once.
    pub fn messages(&self) -> Vec<SpokenMessage> {
        let mut messages = self.messages.clone();
        if messages
            .iter()
            .any(|message| matches!(message.speaker, Speaker::Officer(_)))
        {
            messages.sort_by_key(|message| message.from);
        }
        messages
    }

    fn add(
        &mut self,
        speaker: Speaker,
        words: Secret<String>,
        from: Duration,
        to: Duration,
        interrupted: bool,
    ) {
        if !words.expose_secret().is_empty() {
            self.messages.push(SpokenMessage {
                speaker,
                words,
                from,
                to,
                interrupted,
            });
        }
    }
}
