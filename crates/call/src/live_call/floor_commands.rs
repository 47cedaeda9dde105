//! What the floor decides, carried out: what is heard, when a reply begins, and when the assistant is quiet.

use flow::EndReason;
use platform::Invalid;
use turn::{Ended, Event};

use super::{LiveCall, end_of};
use crate::events::{CallEvent, Speaker};
use crate::media::Transport;

impl LiveCall {
    /// Carries out what the floor has decided.
    pub(super) fn carry_out(&mut self, transport: &mut dyn Transport) {
        while let Some(command) = self.floor.poll_command() {
            self.obey(command, transport);
        }
    }

    pub(super) fn obey(&mut self, command: turn::Command, transport: &mut dyn Transport) {
        match command {
            turn::Command::OpenSegment { segment, pre_roll } => self.ear.open(segment, pre_roll),
            turn::Command::CloseSegment { segment } => {
                let sound = self.ear.close(segment);
                self.transcribe(segment, sound, true);
            }
            turn::Command::TranscribeSoFar { segment } => {
                let sound = self.ear.so_far(segment);
                self.transcribe(segment, sound, false);
            }
            turn::Command::DropSegment { segment } => self.ear.drop_segment(segment),
            turn::Command::AskWhetherFinished { segment, sound } => {
                let sound = self.ear.last(sound);
                self.ask_whether_finished(segment, sound);
            }
            turn::Command::PrepareReply { turn, words } => self.prepare(turn, words, transport),
            turn::Command::DiscardReply { turn } => {
                self.reading.take_if(|reading| *reading == turn);
                self.preparing.take_if(|preparing| preparing.turn == turn);
            }
            turn::Command::StartReply { turn, waited, late } => {
                if let Some(waited) = waited {
                    metrics::histogram!("nightlight_start_wait_seconds").record(waited);
                }
                self.start_reply(turn, late, transport);
            }
            turn::Command::PausePlayout => {
                if let Some(speaking) = &mut self.speaking {
                    speaking.playout.pause();
                }
            }
            turn::Command::ResumePlayout => {
                if let Some(speaking) = &mut self.speaking {
                    speaking.playout.resume();
                    self.ticker.reset_immediately();
                }
            }
            turn::Command::StopPlayout => {
                // The floor also stops a playout at its bound and before the end.
                let hangs_up = self.leaving.is_some();
                let by_caller = !self.floor.has_ended() && self.closed.is_none() && !hangs_up;
                self.stop_speaking(transport, by_caller || hangs_up);
                if by_caller {
                    let turn = self.turns;
                    self.tell(transport, CallEvent::Interrupted { turn });
                }
            }
            turn::Command::CheckIn => {
                let now = self.now();
                self.conversation.handle(flow::Event::CallerSilent, now);
                let reply = self.conversation.take_reply();
                self.stop_speaking(transport, false);
                self.say(reply, transport);
                self.start_playing(transport);
            }
            turn::Command::SayFallback { reason } => {
                if !self.a_person_talks() {
                    metrics::counter!("nightlight_fallbacks_said_total").increment(1);
                    tracing::warn!(call = %self.id, ?reason, "the safe fallback is said");
                }
                if let turn::Fallback::ReplyLate { turn } | turn::Fallback::ReplyFailed { turn } =
                    reason
                {
                    self.reading.take_if(|reading| *reading == turn);
                    self.preparing.take_if(|preparing| preparing.turn == turn);
                }
                self.stop_speaking(transport, false);
                if self.a_person_talks() {
                    // Nobody is left without an answer: an officer has heard it.
                    self.floor.handle(Event::PlayoutFinished, self.now());
                    return;
                }
                if let turn::Fallback::ReplyLate { .. } | turn::Fallback::ReplyFailed { .. } =
                    reason
                {
                    self.tell(transport, CallEvent::AnsweredLate);
                }
                self.say_fallback();
                self.start_playing(transport);
            }
            turn::Command::End { reason } => {
                self.over = Some(match reason {
                    Ended::AssistantEnded => self.ending.unwrap_or(EndReason::AssistantEnded),
                    Ended::SilenceTimedOut => EndReason::SilenceTimedOut,
                    Ended::ExceededMaxDuration => EndReason::ExceededMaxDuration,
                    Ended::CallerLeft => {
                        // A line that breaks after its caller hung up cuts nobody off.
                        let closed = || self.closed.map(end_of);
                        let reason = self.leaving.or_else(closed);
                        reason.unwrap_or(EndReason::CallerEnded)
                    }
                    Ended::AssistantUnheard => EndReason::Error,
                });
            }
            turn::Command::CallerStarted => {
                let now = self.now();
                tracing::debug!(at = ?now, "the caller began to speak");
                self.caller_from.get_or_insert(now);
                self.turn_span();
                let turn = self.turns;
                let speaker = Speaker::Caller;
                self.tell(transport, CallEvent::SpeechStarted { speaker, turn });
            }
            turn::Command::CallerStopped => {
                let turn = self.turns;
                let speaker = Speaker::Caller;
                self.tell(transport, CallEvent::SpeechStopped { speaker, turn });
            }
            turn::Command::RefuseTyped => {
                let most = self.floor.plan().most_typed;
                let too_much = Invalid::Field {
                    path: "message.content".to_owned(),
                    problem: format!(
                        "expected at most {most} characters before the assistant answers; send it again then"
                    ),
                };
                self.refuse_message(transport, &too_much);
            }
        }
    }
}
