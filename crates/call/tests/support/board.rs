//! What a switchboard for several calls is made of, where nothing that callers say matters.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use call::{CallStarted, EndedCall, Journal, JournalError, SavedTurn, SwitchboardParts};
use flow::{AssistantScript, Secret};
use speech::{Standing, TranscribeError, Transcriber, Voice};
use uuid::Uuid;

struct Deaf;

#[async_trait]
impl Transcriber for Deaf {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        Ok(Secret::new(String::new()))
    }
}

/// How often the journal is told something.
#[derive(Default)]
pub struct Told(pub AtomicUsize);

#[async_trait]
impl Journal for Told {
    async fn started(&self, _: CallStarted) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    async fn turn(&self, _: Uuid, _: SavedTurn) -> Result<(), JournalError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn finished(&self, _: Uuid, _: EndedCall) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// In this voice, for so many calls.
pub fn parts(voice: Arc<dyn Voice>, told: Arc<Told>, max_calls: usize) -> SwitchboardParts {
    SwitchboardParts {
        transcriber: Arc::new(Deaf),
        voices: vec![voice],
        end_of_turn: None,
        script: Arc::new(AssistantScript::built_in()),
        reader: Arc::new(reader::Reader::rules_alone()),
        plan: turn::Plan::default(),
        end_call_phrases: turn::EndCallPhrases::new(["goodbye"]),
        authorities: String::from("Authorities"),
        journal: told,
        chat_model: None,
        desk: None,
        answered_within: Duration::from_secs(60),
        max_calls,
        return_within: Duration::from_secs(30),
    }
}
