//! What the page asks of a call by its app messages.

use flow::{EndReason, Reply};
use platform::{AssistantMessage, Invalid, MessageRefused};
use redact::Secret;
use turn::Event;

use super::LiveCall;
use crate::app_messages::{self, FromPage};
use crate::media::Transport;

impl LiveCall {
    pub(super) fn take_message(&mut self, transport: &mut dyn Transport, text: &Secret<String>) {
        let now = self.now();
        match app_messages::read(text, &self.shared.end_call_phrases) {
            Ok(FromPage::Playable) => {
                if self.held_until.is_some() {
                    self.release_greeting(transport);
                }
            }
            Ok(FromPage::Typed { words }) => {
                self.floor.handle(Event::CallerTyped { words }, now);
            }
            Ok(FromPage::Say {
                sentences,
                end_call_after,
                interruptible,
            }) => {
                self.floor.handle(Event::AssistantTold, now);
                self.floor
                    .handle(Event::InterruptionsAllowed(interruptible), now);
                let end = end_call_after.then_some(EndReason::AssistantEnded);
                self.stop_speaking(transport, false);
                self.say_as_asked(Reply::of(sentences, end), transport);
                self.start_playing(transport);
            }
            Ok(FromPage::MuteAssistant(muted)) => {
                self.assistant_muted = muted;
                self.floor.handle(Event::AssistantMuted(muted), now);
            }
            Ok(FromPage::MuteCaller(muted)) => {
                self.caller_muted = muted;
                self.floor.handle(Event::CallerMuted(muted), now);
            }
            Ok(FromPage::EndCall) => self.hang_up(EndReason::CallerEnded),
            Ok(FromPage::Nothing) => {}
            Err(error) => self.refuse_message(transport, &error),
        }
    }

    /// The caller has to know what did not reach the conversation, and may send it otherwise.
    pub(super) fn refuse_message(&self, transport: &mut dyn Transport, error: &Invalid) {
        metrics::counter!("nightlight_app_messages_refused_total").increment(1);
        tracing::debug!(call = %self.id, %error, "app message refused");
        let refused = AssistantMessage::MessageRefused(MessageRefused::because(error));
        if let Some(text) = refused.to_text() {
            transport.send_message(&text);
        }
    }
}
