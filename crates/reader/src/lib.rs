//! What a caller said: from the words of one turn to a [`Reading`], which is all that the flow knows
//! of it.
//!
//! [`Reader::read`] is given the words and what the conversation is [`Listening`] for. It remembers
//! nothing and decides nothing. It takes milliseconds of one core, so async code calls it from a
//! blocking thread.

pub mod rules;
pub mod trained;

use std::time::Duration;

use flow::reading::{Listening, Reading};
use flow::{Conversation, Event, Secret};

/// Reads callers' turns; one serves a whole process.
#[derive(Debug, Default)]
pub struct Reader {}

impl Reader {
    /// The rules by themselves. The lexicons are compiled here (a second in a debug build), so that
    /// no caller waits for it.
    pub fn rules_alone() -> Self {
        rules::prepare();
        Self {}
    }

    /// Reads one caller turn.
    pub fn read(&self, words: &str, listening: &Listening) -> Reading {
        rules::read(words, listening)
    }

    /// Reads one caller turn and hands it to the conversation, at this offset from the call's start.
    pub fn tell(&self, conversation: &mut Conversation, words: &Secret<String>, now: Duration) {
        let reading = self.read(words.expose_secret(), &conversation.listening());
        let reading = Box::new(reading);
        conversation.handle(Event::CallerSaid { reading }, now);
    }
}
