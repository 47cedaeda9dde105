//! What our own reader and flow make of a call that another assistant held: its caller's words, turn by turn, as if they had
//! been said here. An assistant that is a model may miss a danger, leave out an analysis or never report; what was said is
//! read here all the same. It says nothing to anybody, and claims nothing of what the other assistant did.

use std::sync::Arc;
use std::time::Duration;

use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, Medium, Setup};
use jiff::Timestamp;
use reader::Reader;
use records::{Message, Role};
use redact::Secret;

/// As many of a call's turns as are read, the latest: more than ten minutes of talk have.
const MOST_TURNS: usize = 200;

const SUMMARY: &str = "Caller talked with the hosted platform's assistant, which gave no account of it. \
    What stands here this server read from the caller's own words. Whoever follows up has to read the transcript whole.";
const FOLLOW_UP: &str = "Read the transcript, because nobody has told what happened in this call. \
    Decide from it whether the caller has to be rung back";

/// The note of these messages, and nothing that was not in them.
pub async fn note(
    reader: &Arc<Reader>,
    script: &Arc<AssistantScript>,
    started_at: Timestamp,
    messages: &[Message],
    ended: Option<EndReason>,
) -> CaseNote {
    let (reader, script, messages) = (Arc::clone(reader), Arc::clone(script), messages.to_vec());
    let reads = move || note_now(&reader, &script, started_at, &messages, ended);
    tokio::task::spawn_blocking(reads)
        .await
        .expect("reading does not panic, whatever was said")
}

fn note_now(
    reader: &Reader,
    script: &Arc<AssistantScript>,
    started_at: Timestamp,
    messages: &[Message],
    ended: Option<EndReason>,
) -> CaseNote {
    let mut conversation = Conversation::new(Setup {
        called_at: call::singapore_time(started_at),
        assistant: Arc::clone(script),
        medium: Medium::Speech,
    });
    conversation.handle(Event::CallStarted, Duration::ZERO);
    let callers: Vec<&Message> = messages
        .iter()
        .filter(|message| message.role == Role::User)
        .collect();
    let mut at = Duration::ZERO;
    for message in &callers[callers.len().saturating_sub(MOST_TURNS)..] {
        at = Duration::try_from_secs_f64(message.seconds_from_start).unwrap_or(at);
        reader.tell(&mut conversation, &message.message, at);
        // What it would say and do stays here.
        while conversation.poll_command().is_some() {}
    }
    if let Some(reason) = ended {
        conversation.handle(Event::CallEnded { reason }, at);
    }
    let mut note = conversation.note();
    // That our flow would have handed them over does not mean that they were.
    note.structured_data.transferred = ended == Some(EndReason::Forwarded);
    note.structured_data.follow_up = Secret::new(FOLLOW_UP.to_owned());
    note.summary = Secret::new(SUMMARY.to_owned());
    note
}
