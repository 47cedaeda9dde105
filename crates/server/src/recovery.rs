//! Completes, at start, the calls that an earlier run of this server left without an end: each
//! gets the note of its last durable turn and ends as `worker-shutdown`. It does not call anyone
//! back; the record shows the duty officer that the call was cut off.

use std::sync::Arc;
use std::time::Duration;

use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, Setup};
use records::{FinishedCall, Records, StoreError, UnfinishedCall};

/// How many calls were completed.
pub async fn complete_unfinished(
    records: &Records,
    script: &Arc<AssistantScript>,
) -> Result<usize, StoreError> {
    let unfinished = records.unfinished().await?;
    for call in &unfinished {
        let lasted = lasted(call);
        let finished = FinishedCall {
            ended_at: call
                .started_at
                .saturating_add(lasted)
                .unwrap_or(call.started_at),
            ended_reason: EndReason::WorkerShutdown,
            note: note(call, script, lasted),
            messages: call.messages.clone(),
        };
        records.finish_call(call.call_id, finished).await?;
        tracing::warn!(call = %call.call_id, "a call of an earlier run had no end; it is recorded as cut off");
    }
    Ok(unfinished.len())
}

/// Up to the last words that were saved: nobody knows how much longer.
fn lasted(call: &UnfinishedCall) -> Duration {
    let last = call
        .messages
        .iter()
        .map(|message| message.seconds_from_start + message.duration_seconds)
        .fold(0.0, f64::max);
    Duration::try_from_secs_f64(last).unwrap_or_default()
}

fn note(call: &UnfinishedCall, script: &Arc<AssistantScript>, lasted: Duration) -> CaseNote {
    let setup = Setup {
        called_at: call::singapore_time(call.started_at),
        assistant: Arc::clone(script),
    };
    let saved = call.conversation.as_ref();
    let mut conversation = saved
        .and_then(|saved| Conversation::restore(setup.clone(), saved.expose_secret()).ok())
        .unwrap_or_else(|| Conversation::new(setup));
    let reason = EndReason::WorkerShutdown;
    conversation.handle(Event::CallEnded { reason }, lasted);
    conversation.note()
}
