//! The transcript of what was really spoken, and how much of it is already durable.

use std::time::Duration;

use redact::Secret;

use crate::events::{Speaker, SpokenMessage};
use crate::legs::OfficerId;

#[derive(Default)]
pub(crate) struct Spoken {
    messages: Vec<Kept>,
}

struct Kept {
    message: SpokenMessage,
    is_saved: bool,
}

impl Spoken {
    /// What was durable before the call was cut off.
    pub fn durable(messages: Vec<SpokenMessage>) -> Self {
        let durable = |message| Kept {
            message,
            is_saved: true,
        };
        Self {
            messages: messages.into_iter().map(durable).collect(),
        }
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
        let unsaved = self.messages.iter().filter(|kept| !kept.is_saved);
        let mut caller = Self::default();
        caller.caller_said(words.clone(), from, to);
        let both = unsaved.chain(&caller.messages);
        both.map(|kept| kept.message.clone()).collect()
    }

    /// How many messages there are; for [`Self::turn_is_saved`].
    pub fn count(&self) -> usize {
        self.messages.len()
    }

    /// A turn is durable: what the caller said in it, and what came before it among the first `count` messages. What was said
    /// since, while its reply was being prepared, is not.
    pub fn turn_is_saved(
        &mut self,
        count: usize,
        words: Secret<String>,
        from: Duration,
        to: Duration,
    ) {
        self.mark_saved(..count);
        let callers = self.messages.len();
        self.caller_said(words, from, to);
        self.mark_saved(callers..);
    }

    /// What is not durable yet, and is made so now.
    pub fn take_unsaved(&mut self) -> Vec<SpokenMessage> {
        let unsaved = self.messages.iter_mut().filter(|kept| !kept.is_saved);
        unsaved
            .map(|kept| {
                kept.is_saved = true;
                kept.message.clone()
            })
            .collect()
    }

    fn mark_saved(&mut self, which: impl std::slice::SliceIndex<[Kept], Output = [Kept]>) {
        for kept in &mut self.messages[which] {
            kept.is_saved = true;
        }
    }

    /// Everything, in the order it was said. What the caller says becomes part of it when their turn is over, what an
    /// officer says at once.
    pub fn messages(&self) -> Vec<SpokenMessage> {
        let messages = self.messages.iter().map(|kept| kept.message.clone());
        let mut messages: Vec<_> = messages.collect();
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
            let message = SpokenMessage {
                speaker,
                words,
                from,
                to,
                interrupted,
            };
            self.messages.push(Kept {
                message,
                is_saved: false,
            });
        }
    }
}
