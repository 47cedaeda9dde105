//! What an earlier run of this server left without an end. A call was cut off: for a while its caller
//! may come back to it, and it goes on where its last durable turn left it. One whose caller does not
//! gets the note of that turn and ends as `worker-shutdown`, to be rung back. A written conversation was
//! only interrupted: it goes on where its last durable exchange left it, unless it was idle for too long
//! meanwhile.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use call::{CallStarted, CutOff, Journal};
use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, Setup};
use jiff::Timestamp;
use records::{CallKind, FinishedCall, Records, StoreError, UnfinishedCall, VisitorId};
use uuid::Uuid;

use crate::app::App;
use crate::written::talk::{Talk, spoken};

/// What was found at the start.
pub struct LeftBehind {
    /// How many were given their end.
    pub completed: usize,
    pub going_on: Vec<GoingOn>,
    /// Calls whose callers may come back.
    pub cut_off: Vec<(VisitorId, UnfinishedCall)>,
}

/// Calls that a crash cut off, each until its caller is back or is given up.
#[derive(Default)]
pub struct CutOffCalls(Mutex<HashMap<Uuid, UnfinishedCall>>);

impl CutOffCalls {
    /// What is durable of it, once.
    pub fn take(&self, call: Uuid) -> Option<UnfinishedCall> {
        self.calls().remove(&call)
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Uuid, UnfinishedCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A written conversation that goes on.
pub struct GoingOn {
    id: Uuid,
    visitor: VisitorId,
    talk: Talk,
}

/// Gives what goes on or may go on, and ends the rest.
pub async fn complete_unfinished(
    records: &Records,
    script: &Arc<AssistantScript>,
    idle_after: Duration,
) -> Result<LeftBehind, StoreError> {
    let mut left = LeftBehind {
        completed: 0,
        going_on: Vec::new(),
        cut_off: Vec::new(),
    };
    for call in records.unfinished().await? {
        if let Some(visitor) = call.visitor
            && taken_up(&call, script).is_some()
        {
            left.cut_off.push((visitor, call));
            continue;
        }
        let reason = match written(&call, script, idle_after) {
            Some(Standing::GoesOn(conversation)) => {
                left.going_on.push(*conversation);
                continue;
            }
            Some(Standing::Over(reason)) => reason,
            None => EndReason::WorkerShutdown,
        };
        left.completed += usize::from(complete(records, script, &call, reason).await);
    }
    Ok(left)
}

/// Gives a call its end. Whether it is stored.
async fn complete(
    records: &Records,
    script: &Arc<AssistantScript>,
    call: &UnfinishedCall,
    reason: EndReason,
) -> bool {
    let lasted = lasted(call);
    let finished = FinishedCall {
        ended_at: call
            .started_at
            .saturating_add(lasted)
            .unwrap_or(call.started_at),
        ended_reason: reason,
        note: note(call, script, lasted, reason),
        messages: call.messages.clone(),
    };
    match records.finish_call(call.call_id, finished).await {
        Ok(()) => {
            tracing::warn!(call = %call.call_id, reason = reason.as_str(), "a call of an earlier run had no end, and was given one");
            true
        }
        // One record is no reason to take no calls.
        Err(error) => {
            tracing::error!(call = %call.call_id, %error, "a call of an earlier run stays without its end until the next start");
            false
        }
    }
}

/// What a live call goes on from; `None` for a written conversation, and for what cannot be gone on with.
pub fn taken_up(left: &UnfinishedCall, script: &Arc<AssistantScript>) -> Option<CutOff> {
    if left.kind != CallKind::WebCall {
        return None;
    }
    let saved = left.conversation.as_ref()?;
    let setup = setup(left, script);
    Some(CutOff {
        conversation: Conversation::restore(setup, saved.expose_secret()).ok()?,
        messages: left.messages.iter().map(spoken).collect(),
        turns: left.last_turn?,
    })
}

/// From now on their callers may come back.
pub fn expect_back(app: &App, cut_off: Vec<(VisitorId, UnfinishedCall)>) {
    let within = app.settings.return_within;
    for (visitor, call) in cut_off {
        let id = call.call_id.0;
        app.cut_off_calls.calls().insert(id, call);
        app.lines.expect_back(id, visitor, Instant::now(), within);
    }
}

/// Ends calls whose callers did not come back.
pub async fn give_up(app: &App, calls: Vec<Uuid>) {
    for call in calls {
        let Some(left) = app.cut_off_calls.take(call) else {
            continue;
        };
        let ended = complete(&app.records, &app.script, &left, EndReason::WorkerShutdown).await;
        match left.visitor {
            Some(visitor) if ended => app.notifications.changed(visitor, left.call_id),
            _ => {}
        }
    }
}

/// Takes up the written conversations that go on. What has no place ends as idle.
pub async fn take_up(app: &App, going_on: Vec<GoingOn>) {
    for GoingOn { id, visitor, talk } in going_on {
        let started_at = talk.started_at;
        // Its record has its notice already.
        app.journal.expect(id, visitor, CallKind::Chat, None);
        app.journal.started(CallStarted { id, started_at }).await;
        let ended = talk.ended(EndReason::SilenceTimedOut, talk.last_said());
        if app
            .written
            .take_in(id, visitor, talk, Instant::now())
            .is_err()
        {
            drop(app.journal.finish(id, ended));
        }
    }
}

enum Standing {
    GoesOn(Box<GoingOn>),
    Over(EndReason),
}

/// How a written conversation stands; `None` for a call, and for what cannot be gone on with.
fn written(
    call: &UnfinishedCall,
    script: &Arc<AssistantScript>,
    idle_after: Duration,
) -> Option<Standing> {
    if call.kind != CallKind::Chat {
        return None;
    }
    let talk = Talk::restore(script, call).ok()?;
    if let Some(reason) = talk.over() {
        return Some(Standing::Over(reason));
    }
    let quiet_for = Timestamp::now().duration_since(talk.last_said());
    if Duration::try_from(quiet_for).is_ok_and(|quiet_for| quiet_for >= idle_after) {
        return Some(Standing::Over(EndReason::SilenceTimedOut));
    }
    Some(Standing::GoesOn(Box::new(GoingOn {
        id: call.call_id.0,
        visitor: call.visitor?,
        talk,
    })))
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

fn note(
    call: &UnfinishedCall,
    script: &Arc<AssistantScript>,
    lasted: Duration,
    reason: EndReason,
) -> CaseNote {
    let setup = setup(call, script);
    let saved = call.conversation.as_ref();
    let mut conversation = saved
        .and_then(|saved| Conversation::restore(setup.clone(), saved.expose_secret()).ok())
        .unwrap_or_else(|| Conversation::new(setup));
    conversation.handle(Event::CallEnded { reason }, lasted);
    conversation.note()
}

fn setup(call: &UnfinishedCall, script: &Arc<AssistantScript>) -> Setup {
    Setup {
        called_at: call::singapore_time(call.started_at),
        assistant: Arc::clone(script),
        medium: flow::Medium::Speech,
    }
}
