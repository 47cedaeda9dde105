//! What a caller said: from the words of one turn to a [`Reading`], which is all that the flow knows
//! of it.
//!
//! Two readers that fail differently: [`rules`], which know what somebody thought of, and a [`trained`]
//! encoder, which was shown thousands of labelled turns. `settle` says what holds where they differ.
//! Without the encoder's files the rules read alone.
//!
//! [`Reader::read`] is given the words and what the conversation is [`Listening`] for. It remembers
//! nothing and decides nothing. It takes milliseconds of one core, so async code calls it from a
//! blocking thread.

pub mod rules;
mod settle;
pub mod trained;

use std::time::Duration;

use flow::reading::{Listening, Reading};
use flow::{Conversation, Event, Secret};

use trained::{Files, OpenError, TrainedReader};

/// Reads callers' turns; one serves a whole process.
#[derive(Debug)]
pub struct Reader {
    trained: Option<TrainedReader>,
}

impl Reader {
    /// The rules by themselves. The lexicons are compiled here (a second in a debug build), so that
    /// no caller waits for it.
    pub fn rules_alone() -> Self {
        rules::prepare();
        Self { trained: None }
    }

    /// Both readers.
    pub fn open(files: &Files) -> Result<Self, OpenError> {
        let trained = TrainedReader::open(files)?;
        rules::prepare();
        Ok(Self {
            trained: Some(trained),
        })
    }

    /// Whether the trained reader reads too.
    pub fn is_whole(&self) -> bool {
        self.trained.is_some()
    }

    /// Reads one caller turn.
    pub fn read(&self, words: &str, listening: &Listening) -> Reading {
        let mut reading = rules::read(words, listening);
        if let Some(trained) = &self.trained
            && !words.trim().is_empty()
        {
            match trained.opinion(listening.question, words) {
                Ok(opinion) => {
                    reading.so_far = opinion.added_to(&listening.so_far);
                    // Of a call that was begun by another version or other weights, too little was heard to doubt anything.
                    if usize::from(reading.so_far.turns) * 2 > listening.turns {
                        reading.doubts = trained.doubts(&reading.so_far, listening.question);
                    }
                    settle::settle(&mut reading, &opinion, listening.question);
                }
                // The rules' reading stands; whoever runs the process sees that it does.
                Err(error) => tracing::error!(%error, "a turn is read by the rules alone"),
            }
        }
        reading
    }

    /// Reads one caller turn and hands it to the conversation, at this offset from the call's start.
    pub fn tell(&self, conversation: &mut Conversation, words: &Secret<String>, now: Duration) {
        let reading = self.read(words.expose_secret(), &conversation.listening());
        let reading = Box::new(reading);
        conversation.handle(Event::CallerSaid { reading }, now);
    }
}
