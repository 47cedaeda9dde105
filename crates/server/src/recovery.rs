//! Calls without an end whose node no longer answers for them: this one before it started again, or another on the same
//! database. A call was cut off: for a while its caller may come back to it, on any node, and it goes on where its last
//! durable turn left it. One whose caller does not gets the note of that turn and a presumed end: `worker-shutdown`, to be
//! rung back, or that of a caller who hung up where they have left the page since. A written conversation was only interrupted: whichever node is asked takes it and goes on, unless it was idle
//! for too long meanwhile. Where the software fails in one of them, what is known of it is kept and marked for a person,
//! and the others are given their ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use call::CutOff;
use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, RestoreError, Setup};
use futures_util::FutureExt;
use jiff::Timestamp;
use records::{CallId, CallKind, FinishedCall, Records, StoreError, UnfinishedCall};

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
    // An attempt that began in time is let finish.
    let cut_off_for = app.settings.return_within + ATTEMPT_WITHIN;
    let idle_for = app.settings.written.idle_after;
    // After a database that was away for all, nobody's lease says anything until each node has had time to renew its own.
    if app.lease.held_for(Instant::now()) < Some(cut_off_for) {
        return;
    }
    for (kind, since) in [(CallKind::WebCall, cut_off_for), (CallKind::Chat, idle_for)] {
        let found = match app.records.left_behind(kind, since, AT_A_TIME).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "calls that were cut off are not looked for; trying again");
                return;
            }
        };
        for call in found {
            let given_up = give_up_one(app, kind, since, &call);
            if AssertUnwindSafe(given_up).catch_unwind().await.is_err() {
                tracing::error!(call = %call.call_id, "the software failed as a call was to be given its end; it is tried again");
            }
        }
    }
}

async fn give_up_one(app: &App, kind: CallKind, since: Duration, call: &UnfinishedCall) {
    let id = call.call_id.0;
    // A machine that slept has not lost its own calls.
    if app.journal.has(id) || app.lines.whose(id).is_some() {
        return;
    }
    if let Some(there) = UnderWay::of(call) {
        return give_up_there(app, call, &there).await;
    }
    let reason = match kind {
        CallKind::WebCall => Some(how_given_up(call)),
        CallKind::Chat => how_over(call, &app.script, since),
    };
    if let Some(reason) = reason {
        let finished = finished(call, &app.script, reason);
        presume_over(&app.records, call, finished, since).await;
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
    let restored = contained(left.call_id, || {
        Conversation::restore(setup, saved.expose_secret())
    });
    Some(CutOff {
        conversation: restored?.ok()?,
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
    let restored = contained(chat.call_id, || Talk::restore(script, chat));
    let Some(Ok(talk)) = restored else {
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
    let end = |conversation: &mut Conversation| {
        conversation.handle(Event::CallEnded { reason }, lasted);
    };
    note_by(call, &setup(call, script), Conversation::restore, end)
}

/// The note of the call as it was saved and ended, or of as much of that as does not fail, marked for a person.
fn note_by(
    call: &UnfinishedCall,
    setup: &Setup,
    restore: impl FnOnce(Setup, &str) -> Result<Conversation, RestoreError>,
    end: impl FnOnce(&mut Conversation),
) -> CaseNote {
    let restored = call.conversation.as_ref().map(|saved| {
        let restored = contained(call.call_id, || {
            restore(setup.clone(), saved.expose_secret())
        });
        restored.and_then(Result::ok)
    });
    // There was a turn, and nobody knows any more what it came to.
    let is_lost = matches!(restored, Some(None));
    let conversation = restored
        .flatten()
        .unwrap_or_else(|| Conversation::new(setup.clone()));
    let ended = contained(call.call_id, || {
        let mut ended = conversation.clone();
        end(&mut ended);
        ended
    });
    let note = ended.as_ref().unwrap_or(&conversation).note();
    match is_lost || ended.is_none() {
        true => note.of_a_call_broken_off(),
        false => note,
    }
}

/// What comes of it; nothing where the software fails in it.
fn contained<T>(call: CallId, doing: impl FnOnce() -> T) -> Option<T> {
    let outcome = catch_unwind(AssertUnwindSafe(doing));
    if outcome.is_err() {
        tracing::error!(%call, "the software failed in a call that was left behind: a person has to read it");
    }
    outcome.ok()
}

fn setup(call: &UnfinishedCall, script: &Arc<AssistantScript>) -> Setup {
    Setup {
        called_at: call::singapore_time(call.started_at),
        assistant: Arc::clone(script),
        medium: flow::Medium::Speech,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use redact::Secret;

    use super::*;

    const READ_FIRST: &str = "Read this call's transcript first";

    /// A call cut off after its caller said that they are being hit.
    fn left_behind(kind: CallKind) -> (UnfinishedCall, Setup) {
        let mut call = UnfinishedCall {
            call_id: CallId::random(),
            visitor: None,
            kind,
            started_at: "2026-11-20T18:00:00Z".parse().unwrap(),
            conversation: None,
            last_turn: Some(1),
            messages: Vec::new(),
            visitor_has_left: false,
            manner: None,
        };
        let setup = setup(&call, &Arc::new(AssistantScript::built_in()));
        let mut conversation = Conversation::new(setup.clone());
        conversation.handle(Event::CallStarted, Duration::ZERO);
        let words = Secret::new(String::from("He is hitting me right now"));
        let reader = reader::Reader::rules_alone();
        reader.tell(&mut conversation, &words, Duration::from_secs(9));
        call.conversation = Some(conversation.save());
        (call, setup)
    }

    fn is_for_a_person(note: &CaseNote) -> bool {
        let data = &note.structured_data;
        data.urgent && data.follow_up.expose_secret().starts_with(READ_FIRST)
    }

    #[test]
    fn a_call_that_cannot_be_restored_is_for_a_person() {
        let (call, setup) = left_behind(CallKind::WebCall);
        let fails =
            |_: Setup, _: &str| -> Result<Conversation, RestoreError> { panic!("on purpose") };
        assert!(is_for_a_person(&note_by(&call, &setup, fails, |_| {})));
        let is_unread = |_: Setup, _: &str| Err(RestoreError);
        assert!(is_for_a_person(&note_by(&call, &setup, is_unread, |_| {})));
        let none = UnfinishedCall {
            conversation: None,
            ..call
        };
        let note = note_by(&none, &setup, is_unread, |_| {});
        assert!(!is_for_a_person(&note), "nothing was said in it");
    }

    #[test]
    fn a_call_that_cannot_be_ended_keeps_what_is_known_and_is_for_a_person() {
        let (call, setup) = left_behind(CallKind::WebCall);
        let whole = note_by(&call, &setup, Conversation::restore, |_| {});
        assert!(!is_for_a_person(&whole));
        let fails = |_: &mut Conversation| panic!("on purpose");
        let note = note_by(&call, &setup, Conversation::restore, fails);
        assert!(is_for_a_person(&note));
        let agency = note.structured_data.transfer_to;
        assert_eq!(agency, whole.structured_data.transfer_to);
    }

    #[test]
    fn a_chat_in_which_the_software_fails_is_over_and_found_by_a_person() {
        let (chat, _) = left_behind(CallKind::Chat);
        let fails = || -> Conversation { panic!("on purpose") };
        assert!(contained(chat.call_id, fails).is_none());
        let unread = UnfinishedCall {
            conversation: Some(Secret::new(String::from("{}"))),
            ..chat
        };
        let script = Arc::new(AssistantScript::built_in());
        let reason = how_over(&unread, &script, Duration::MAX).unwrap();
        assert_eq!(reason, EndReason::WorkerShutdown);
        let note = finished(&unread, &script, reason).note;
        assert!(is_for_a_person(&note));
    }
}
