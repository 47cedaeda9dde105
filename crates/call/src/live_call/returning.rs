//! How a call outlives its line. When the media is lost, or the caller comes by another line, the call waits for them
//! with all that it knows, and goes on where it was. After a crash the same happens with what was durable.

use std::sync::Arc;
use std::time::Duration;

use flow::EndReason;
use tokio::time::Instant;
use turn::Event;

use super::{LiveCall, sleep_until, with_a_welcome};
use crate::ear::Ear;
use crate::legs::FromAssistant;
use crate::media::{CloseReason, Transport};

/// What a call that goes on has left of its longest duration, at least: to be told whom to ring takes as long.
const LEAST_LEFT: Duration = Duration::from_secs(120);

impl LiveCall {
    /// Whether what ended is the line, and not the call.
    pub(super) fn is_cut_off(&self) -> bool {
        let lost = matches!(
            self.closed,
            Some(CloseReason::MediaLost | CloseReason::Failed)
        );
        lost && self.connected.is_some() && self.over == Some(EndReason::Error)
    }

    /// The caller comes by another line: this one is lost to them, whether or not that is known here.
    pub(super) fn find_another_line(&mut self, line: Box<dyn Transport>) {
        self.returned = Some(line);
        if self.closed.is_none() {
            self.closed = Some(CloseReason::MediaLost);
            let now = self.now();
            self.floor.handle(Event::CallerLeft, now);
        }
    }

    /// Keeps what was said, and waits for the caller, an order to end, or the bound.
    pub(super) async fn wait_for_return(
        &mut self,
        lost: &mut dyn Transport,
    ) -> Result<Box<dyn Transport>, EndReason> {
        let now = self.now();
        self.cut_off = Some((jiff::Timestamp::now(), now));
        metrics::counter!("nightlight_calls_cut_off_total").increment(1);
        let _span = self.span.within("cut off");
        if self.take_in_last_words(now).await {
            self.keep();
        }
        if let Some(line) = self.returned.take() {
            return Ok(line);
        }
        tracing::info!(call = %self.id, "the caller was cut off; the call waits for them");
        self.wires.line.caller_is_cut_off();
        let given_up = Instant::now() + self.shared.return_within;
        loop {
            let hand_over_due = self.hand_over_due();
            // Officers go on meanwhile: they are rung, come, and talk with each other.
            tokio::select! {
                biased;
                Some(reason) = self.wires.orders.recv() => return Err(reason),
                Some(line) = self.wires.returns.recv() => return Ok(line),
                () = tokio::time::sleep_until(given_up) => return Err(EndReason::Error),
                Some(news) = self.wires.desk.recv() => self.hear_desk(lost, news),
                Some(done) = self.done_rx.recv() => self.take_in(lost, done),
                from = self.legs.next(), if !self.legs.is_empty() => self.hear_officer(lost, from),
                _ = self.ticker.tick(), if !self.legs.is_empty() => self.exchange(lost, FromAssistant::Nothing),
                () = sleep_until(hand_over_due), if hand_over_due.is_some() => self.pass_hand_over_deadline(),
            }
            self.carry_out_hand_over(lost);
            while self.tasks.try_join_next().is_some() {}
            if let Some(reason) = self.over.take_if(|reason| *reason != EndReason::Error) {
                return Err(reason);
            }
        }
    }

    /// Begins on a new line where the old one was lost.
    pub(super) fn take_up_again(&mut self, mut lost: Box<dyn Transport>) {
        self.wires.line.caller_is_back();
        // Nothing waits for a goodbye that may not arrive.
        tokio::spawn(async move { lost.close().await });
        let mut plan = self.plan.clone();
        plan.max_duration = plan.max_duration.saturating_sub(self.now()).max(LEAST_LEFT);
        self.ear = Ear::for_plan(&plan);
        // What is still under way for the old line comes to nothing there; what is for officers, and for the record, goes on.
        self.floor = self.floor.after(with_a_welcome(plan));
        self.reading = None;
        self.turn_span = None;
        self.preparing = None;
        self.hinted.clear();
        self.speaking = None;
        self.said_next = None;
        self.held_until = None;
        self.caller_from = None;
        self.ending = None;
        self.closed = None;
        self.over = None;
        self.cut_off = None;
        self.on_the_line = false;
        self.goes_on = true;
    }

    /// Says that the line is back, and goes on where the conversation was.
    pub(super) fn welcome_back(&mut self, now: Duration, transport: &mut dyn Transport) {
        metrics::counter!("nightlight_calls_taken_up_again_total").increment(1);
        tracing::info!(call = %self.id, "the caller is back");
        self.conversation.handle(flow::Event::CallerReturned, now);
        let reply = self.conversation.take_reply();
        let (shared, started) = (Arc::clone(&self.shared), self.started());
        // Of a call that an earlier run began, the journal does not know yet.
        self.spawn(async move { shared.journal.started(started).await });
        self.say(reply, transport);
        self.tell_step(transport);
        self.ring_again(transport);
    }
}
