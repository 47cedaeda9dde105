//! From an attempt to join to a live call: whether there is such a call for who asks, here or left behind by another node;
//! waits until media connects, then hands the call to the switchboard, and follows it to its end. A call that never connects never begins, leaves no
//! record, and can be joined in another way until its minute is over.

use std::time::Instant;

use async_trait::async_trait;
use call::media::{AudioFrame, CloseReason, FromCaller, Transport};
use call::traces::Span;
use call::{CallEvent, NewCall};
use jiff::Timestamp;
use records::{CallId, CallKind, VisitorId};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::app::App;
use crate::call_steps::CallSteps;
use crate::errors::ApiError;
use crate::lines::{Attempt, Joins, LineError};
use crate::platform_api::honoured;
use crate::records_unavailable::stored;
use crate::recovery;
use crate::webhooks::{Begun, News};

/// Begins an attempt to join a call: one that was asked for here, one that goes on here, or one of this visitor that was
/// cut off and that no node answers for.
pub async fn attempt(app: &App, call: Uuid, visitor: VisitorId) -> Result<Attempt, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let attempt = || {
        let reserve = || app.switchboard.reserve().ok();
        app.lines.attempt(call, visitor, Instant::now(), reserve)
    };
    match attempt() {
        Err(LineError::Unknown) => {}
        known => return Ok(known?),
    }
    if app.journal.has(call) {
        // Its end is being stored.
        return Err(ApiError::CallExpired);
    }
    match stored(app.records.may_take(visitor, CallId(call)).await)? {
        None => Err(ApiError::UnknownCall),
        Some(false) => Err(ApiError::CallElsewhere),
        Some(true) => {
            let within = app.settings.return_within;
            app.lines.expect_back(call, visitor, Instant::now(), within);
            Ok(attempt()?)
        }
    }
}

/// Joins the call by this transport as soon as it connects. Returns at once.
pub fn join_when_connected(app: &App, call: Uuid, attempt: Attempt, transport: Box<dyn Transport>) {
    let app = app.clone();
    app.tasks
        .clone()
        .spawn(async move { join(&app, call, attempt, transport).await });
}

async fn join(app: &App, call: Uuid, attempt: Attempt, mut transport: Box<dyn Transport>) {
    let span = Span::of(call, "join");
    let first = tokio::select! {
        first = transport.next() => first,
        () = attempt.cancelled.cancelled() => FromCaller::Closed(CloseReason::CallerLeft),
        () = app.stopping.cancelled() => FromCaller::Closed(CloseReason::Failed),
    };
    if let FromCaller::Closed(reason) = first {
        tracing::info!(%call, ?reason, "an attempt to join ended before it connected");
        metrics::counter!("nightlight_joins_failed_total").increment(1);
        span.failed("it did not connect");
        app.lines.fail(call, &attempt);
        transport.close().await;
        return;
    }
    drop(span);
    let joins = app.lines.join(call, &attempt);
    let mut transport = Box::new(Connected {
        first: Some(first),
        transport,
    });
    let (visitor, line, was_cut_off) = match joins {
        Some(Joins::Begins {
            visitor,
            line,
            was_cut_off,
        }) => (visitor, line, was_cut_off),
        Some(Joins::Returns) => {
            if let Err(mut transport) = app.switchboard.hand_back(call, transport) {
                // It ended just now.
                transport.close().await;
            }
            return;
        }
        None => {
            app.lines.fail(call, &attempt);
            transport.close().await;
            return;
        }
    };
    let mut asked = app.asked.take(call);
    let (started_at, manner, cut_off) = match was_cut_off {
        false => (Timestamp::now(), asked.manner, None),
        true => match app.records.take_call(CallId(call)).await {
            Ok(Some(left)) => {
                let manner = honoured::again(app, left.manner.as_ref()).await;
                let script = manner.script.as_ref().unwrap_or(&app.script);
                let cut_off = recovery::taken_up(&left, script);
                // Whoever is told of it is told whose it is.
                let record = app.records.call(CallId(call)).await.ok().flatten();
                asked.label = record.map(|record| record.label).unwrap_or_default();
                (left.started_at, manner, cut_off)
            }
            outcome => {
                let trouble = outcome.err().map(|error| error.to_string());
                tracing::warn!(%call, trouble, "a call that was cut off does not go on here");
                app.lines.not_back(call);
                transport.close().await;
                return;
            }
        },
    };
    let (kind, notice) = (CallKind::WebCall, asked.notice);
    let label = asked.label.clone();
    app.journal.expect(call, visitor, kind, notice, asked.label);
    app.webhooks.begin(Begun {
        call,
        kind,
        label,
        wishes: asked.wishes,
        started_at,
        goes_on: was_cut_off,
        stored: app.journal.stored(call).unwrap_or_default(),
    });
    let (events, happened) = mpsc::unbounded_channel();
    let new_call = NewCall {
        id: call,
        started_at,
        manner,
        cut_off,
        events,
    };
    app.switchboard.begin(new_call, line, transport);
    follow(app, call, happened).await;
}

/// Until the call's last event, or its task is gone.
async fn follow(app: &App, call: Uuid, mut happened: mpsc::UnboundedReceiver<CallEvent>) {
    let mut steps = CallSteps::default();
    while let Some(event) = happened.recv().await {
        app.duty.happened(call, &event);
        steps.take(&event, Timestamp::now());
        app.webhooks.tell(call, || News::Happened(event.clone()));
        match event {
            CallEvent::Transferred { mode, agency } => {
                let labels = [("mode", mode.as_str()), ("agency", agency.as_str())];
                metrics::counter!("nightlight_transfers_total", &labels).increment(1);
            }
            CallEvent::Ended { reason } => {
                app.ends.count(reason);
                break;
            }
            CallEvent::Started
            | CallEvent::SpeechStarted { .. }
            | CallEvent::SpeechStopped { .. }
            | CallEvent::Transcript { .. }
            | CallEvent::Interrupted { .. }
            | CallEvent::AnsweredLate
            | CallEvent::LookedUp { .. }
            | CallEvent::Noted { .. }
            | CallEvent::Stepped { .. }
            | CallEvent::OfficersRung { .. }
            | CallEvent::OfficerAlsoRung { .. }
            | CallEvent::OfficerAccepted { .. }
            | CallEvent::OfficerNeverCame { .. }
            | CallEvent::OfficerJoined { .. }
            | CallEvent::OfficerLeft { .. }
            | CallEvent::CallerOnHold
            | CallEvent::HoldEndsSoon { .. }
            | CallEvent::CallerOffHold
            | CallEvent::OfficersUnreached { .. } => {}
        }
    }
    app.webhooks.let_go(call);
    app.lines.over(call);
    steps.keep(&app.resources, call).await;
}

/// A transport whose first news has been heard already, and is told again.
struct Connected {
    first: Option<FromCaller>,
    transport: Box<dyn Transport>,
}

#[async_trait]
impl Transport for Connected {
    async fn next(&mut self) -> FromCaller {
        match self.first.take() {
            Some(first) => first,
            None => self.transport.next().await,
        }
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        self.transport.send_audio(frame);
    }

    fn send_packet(&mut self, packet: &[u8]) {
        self.transport.send_packet(packet);
    }

    fn send_message(&mut self, text: &str) {
        self.transport.send_message(text);
    }

    async fn close(&mut self) {
        self.transport.close().await;
    }
}
