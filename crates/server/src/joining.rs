//! From an attempt to join to a live call: waits until media connects, then hands the call to the
//! switchboard, and follows it to its end. A call that never connects never begins, leaves no
//! record, and can be joined in another way until its minute is over.

use async_trait::async_trait;
use call::media::{AudioFrame, CloseReason, FromCaller, Transport};
use call::traces::Span;
use call::{CallEvent, NewCall};
use jiff::Timestamp;
use records::CallKind;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::app::App;
use crate::lines::{Attempt, Joins};
use crate::recovery;

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
    let (visitor, line) = match joins {
        Some(Joins::Begins { visitor, line }) => (visitor, line),
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
    app.journal.expect(call, visitor, CallKind::WebCall);
    let (events, happened) = mpsc::unbounded_channel();
    let (started_at, cut_off) = match app.cut_off_calls.take(call) {
        Some(left) => (left.started_at, recovery::taken_up(&left, &app.script)),
        None => (Timestamp::now(), None),
    };
    let new_call = NewCall {
        id: call,
        started_at,
        plan: None,
        cut_off,
        events,
    };
    app.switchboard.begin(new_call, line, transport);
    follow(app, call, happened).await;
}

/// Until the call's last event, or its task is gone.
async fn follow(app: &App, call: Uuid, mut happened: mpsc::UnboundedReceiver<CallEvent>) {
    while let Some(event) = happened.recv().await {
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
            | CallEvent::LookedUp { .. } => {}
        }
    }
    app.lines.over(call);
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
