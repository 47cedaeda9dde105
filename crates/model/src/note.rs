//! A note's first sentences, told by the model once a call is over, if every one of them holds.

use std::time::{Duration, Instant};

use flow::{CaseNote, Conversation, ToldSentence};
use redact::Secret;
use serde::Deserialize;
use serde_json::json;

use crate::endpoint::Trouble;
use crate::turn::count;
use crate::{ChatModel, Line, Speaker};

const PROMPT: &str = include_str!("../../../config/prompts/note.md");
/// Nobody waits on the line for a note; the page reads it ten seconds after the call.
const NOTE_WITHIN: Duration = Duration::from_secs(4);

#[derive(Deserialize)]
struct Answer {
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    text: Secret<String>,
    #[serde(default)]
    quotes: Vec<Secret<String>>,
}

impl ChatModel {
    /// The note as the model tells it, if that holds; `None` leaves the flow's own.
    pub async fn note(&self, conversation: &Conversation, said: &[Line]) -> Option<CaseNote> {
        let callers: Vec<&str> = said
            .iter()
            .filter(|line| line.speaker == Speaker::Caller)
            .map(|line| line.words.expose_secret().as_str())
            .collect();
        if callers.is_empty() || !self.rest.is_over(Instant::now()) {
            return None;
        }
        let telling = self.tell(conversation, said);
        let told = tokio::time::timeout(NOTE_WITHIN, telling).await;
        let sentences = match told.unwrap_or(Err(Trouble::TooLate)) {
            Ok(sentences) => sentences,
            Err(trouble) => {
                count(trouble.as_str());
                tracing::warn!(%trouble, "the chat model is of no help with a note");
                return None;
            }
        };
        match conversation.note_told(&sentences, &callers) {
            Ok(note) => Some(note),
            Err(unfit) => {
                count(unfit.as_str());
                tracing::debug!(%unfit, "a chat model's note is not kept");
                None
            }
        }
    }

    async fn tell(
        &self,
        conversation: &Conversation,
        said: &[Line],
    ) -> Result<Vec<ToldSentence>, Trouble> {
        let note = conversation.note();
        let mut grave: Vec<&str> = note
            .evidence
            .iter()
            .filter(|evidence| evidence.escalates)
            .map(|evidence| evidence.claim.as_str())
            .collect();
        grave.dedup();
        let grave = match grave.is_empty() {
            true => String::from("none"),
            false => grave.join(", "),
        };
        let transcript: Vec<String> = said
            .iter()
            .map(|line| {
                let who = match line.speaker {
                    Speaker::Assistant => "Counsellor",
                    Speaker::Caller => "Caller",
                };
                format!("{who}: {}", line.words.expose_secret())
            })
            .collect();
        let messages = [
            json!({"role": "system", "content": PROMPT.replace("{grave}", &grave)}),
            json!({"role": "user", "content": transcript.join("\n")}),
        ];
        let answer = self.endpoint.complete(&messages, None).await?;
        let text = answer.text.as_str();
        // Some models put a fence around their JSON.
        let json = text
            .find('{')
            .zip(text.rfind('}'))
            .and_then(|(from, to)| text.get(from..=to))
            .ok_or(Trouble::Garbled)?;
        let answer: Answer = serde_json::from_str(json).map_err(|_| Trouble::Garbled)?;
        let told = answer.sentences.into_iter().map(|sentence| ToldSentence {
            text: sentence.text,
            quotes: sentence.quotes,
        });
        Ok(told.collect())
    }
}
