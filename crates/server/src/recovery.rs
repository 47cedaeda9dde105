//! Calls without an end whose node no longer answers for them: this one before it started again, or another on the same
//! database. A call was cut off: for a while its caller may come back to it, on any node, and it goes on where its last
//! durable turn left it. One whose caller does not gets the note of that turn and a presumed end: `worker-shutdown`, to be
//! rung back, or that of a caller who hung up where they have left the page since. A written conversation was only interrupted: whichever node is asked takes it and goes on, unless it was idle
//! for too long meanwhile.

use std::sync::Arc;
use std::time::{Duration, Instant};

use call::CutOff;
use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, Setup};
use jiff::Timestamp;
use records::{CallKind, FinishedCall, Records, StoreError, UnfinishedCall};

use crate::app::App;
use crate::hosted::reading;
use crate::hosted::under_way::UnderWay;
use crate::lines::ATTEMPT_WITHIN;
use crate::written::talk::{Talk, spoken};

/// How many calls are given their end at a time.
const AT_A_TIME: u32 = 100;

/// What was found at the start.
#[derive(Default)]
pub struct LeftBehind {
    /// How many were given their end.
    pub completed: usize,
    /// Written conversations that somebody may go on with.
    pub going_on: usize,
    /// Calls whose callers may come back.
    pub cut_off: usize,
}

/// Ends, at the start, what nobody can go on with.
pub async fn complete_left_behind(
    records: &Records,
    script: &Arc<AssistantScript>,
    idle_after: Duration,
) -> Result<LeftBehind, StoreError> {
    let mut left = LeftBehind::default();
    let found = records.left_behind(CallKind::WebCall, Duration::ZERO, u32::MAX);
    for call in found.await? {
        // Nobody was cut off: the hosted platform holds it, and is given time to report it.
        if UnderWay::of(&call).is_some() {
            continue;
        }
        let may_come_back = call.visitor.is_some() && !call.visitor_has_left;
        if may_come_back && taken_up(&call, script).is_some() {
            left.cut_off += 1;
            continue;
        }
        let reason = how_given_up(&call);
        left.completed += usize::from(
            presume_over(
                records,
                &call,
                finished(&call, script, reason),
                Duration::ZERO,
            )
            .await,
        );
    }
    let found = records.left_behind(CallKind::Chat, Duration::ZERO, u32::MAX);
    for chat in found.await? {
        let Some(reason) = how_over(&chat, script, idle_after) else {
            left.going_on += 1;
            continue;
        };
        left.completed += usize::from(
            presume_over(
                records,
                &chat,
                finished(&chat, script, reason),
                Duration::ZERO,
            )
            .await,
        );
    }
    Ok(left)
}

/// Ends calls whose callers did not come back, and written conversations that nobody went on with.
pub async fn give_up(app: &App) {
    let (records, script) = (&app.records, &app.script);
    // An attempt that began in time is let finish.
    let cut_off_for = app.settings.return_within + ATTEMPT_WITHIN;
    let idle_for = app.settings.written.idle_after;
    // After a database that was away for all, nobody's lease says anything until each node has had time to renew its own.
    if app.lease.held_for(Instant::now()) < Some(cut_off_for) {
        return;
    }
    for (kind, since) in [(CallKind::WebCall, cut_off_for), (CallKind::Chat, idle_for)] {
        let found = match records.left_behind(kind, since, AT_A_TIME).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "calls that were cut off are not looked for; trying again");
                return;
            }
        };
        for call in found {
            let id = call.call_id.0;
            // A machine that slept has not lost its own calls.
            if app.journal.has(id) || app.lines.whose(id).is_some() {
                continue;
            }
            if let Some(there) = UnderWay::of(&call) {
                give_up_there(app, &call, &there).await;
                continue;
            }
            let reason = match kind {
                CallKind::WebCall => Some(how_given_up(&call)),
                CallKind::Chat => how_over(&call, script, idle_for),
            };
            let Some(reason) = reason else {
                continue;
            };
            let finished = finished(&call, script, reason);
            presume_over(records, &call, finished, since).await;
        }
    }
}

/// Gives a call that the hosted platform held its end, if its report is overdue: the note is what our own reader makes of
/// what was said.
async fn give_up_there(app: &App, call: &UnfinishedCall, there: &UnderWay) {
    let Some(reason) = there.given_up(Timestamp::now(), call.visitor_has_left) else {
        return;
    };
    let (started_at, messages) = (call.started_at, &call.messages);
    let note = reading::note(&app.reader, &app.script, started_at, messages, Some(reason)).await;
    let finished = FinishedCall {
        note,
        ..finished(call, &app.script, reason)
    };
    presume_over(&app.records, call, finished, Duration::ZERO).await;
}

/// Gives a call its end, for a node that does not answer. Whether it is stored.
async fn presume_over(
    records: &Records,
    call: &UnfinishedCall,
    finished: FinishedCall,
    since: Duration,
) -> bool {
    let reason = finished.ended_reason;
    match records.presume_over(call.call_id, since, finished).await {
        Ok(true) => {
            tracing::warn!(call = %call.call_id, reason = reason.as_str(), "a call was left without an end, and was given one");
            true
        }
        // Another node was quicker, or the call's own is back.
        Ok(false) => false,
        // One record is no reason to take no calls.
        Err(error) => {
            tracing::error!(call = %call.call_id, %error, "a call that was left behind stays without its end for now");
            false
        }
    }
}

/// The end of a call as far as it is durable.
pub fn finished(
    call: &UnfinishedCall,
    script: &Arc<AssistantScript>,
    reason: EndReason,
) -> FinishedCall {
    let lasted = lasted(call);
    FinishedCall {
        ended_at: call
            .started_at
            .saturating_add(lasted)
            .unwrap_or(call.started_at),
        ended_reason: reason,
        note: note(call, script, lasted, reason),
        messages: call.messages.clone(),
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

/// How a call ends whose caller did not come back. One who has left the page hung up: they may have had to get away, and
/// are not to be rung back for having gone.
fn how_given_up(call: &UnfinishedCall) -> EndReason {
    match call.visitor_has_left {
        true => EndReason::CallerEnded,
        false => EndReason::WorkerShutdown,
    }
}

/// How a written conversation is over; `None` where somebody may go on with it.
pub fn how_over(
    chat: &UnfinishedCall,
    script: &Arc<AssistantScript>,
    idle_after: Duration,
) -> Option<EndReason> {
    let Ok(talk) = Talk::restore(script, chat) else {
        return Some(EndReason::WorkerShutdown);
    };
    if let Some(reason) = talk.over() {
        return Some(reason);
    }
    if chat.visitor_has_left {
        return Some(EndReason::CallerEnded);
    }
    let quiet_for = Timestamp::now().duration_since(talk.last_said());
    let is_idle = Duration::try_from(quiet_for).is_ok_and(|quiet_for| quiet_for >= idle_after);
    is_idle.then_some(EndReason::SilenceTimedOut)
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
