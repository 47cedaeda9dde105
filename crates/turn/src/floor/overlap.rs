//! The caller's voice while the assistant speaks, or is about to: interruption or not.
//!
//! Asking for transcripts is paced by the caller's voice; deciding is done when one comes. While
//! nothing is decided the assistant speaks on, then holds for a moment, then speaks on again.

use std::time::Duration;

use super::Floor;
use crate::Command;

/// Overlap after which interim transcriptions, which grow with the segment, are asked less often.
const LONG_OVERLAP: Duration = Duration::from_secs(2);

impl Floor {
    /// One more frame has come in an open segment.
    pub(super) fn attend_to_voice(&mut self, voiced: bool) {
        match self.assistant.is_quiet() {
            true => self.attend_to_held_reply(),
            false if self.may_be_interrupted() => self.attend_to_overlap(voiced),
            false => {}
        }
    }

    /// Acts on what the words over the assistant amount to by now.
    pub(super) fn judge_overlap(&mut self) {
        if self.assistant.is_quiet() {
            return;
        }
        let takes_floor = self.caller.takes_floor(self.plan.stop_words);
        if takes_floor && self.may_be_interrupted() {
            self.stop_playout();
        } else if !self.caller.may_take_floor() {
            self.resume_playout();
        }
    }

    pub(super) fn resume_playout(&mut self) {
        if self.assistant.is_paused() {
            self.assistant.resume(self.now);
            self.command(Command::ResumePlayout);
        }
    }

    pub(super) fn may_be_interrupted(&self) -> bool {
        self.interruptions_allowed && self.is_answering()
    }

    fn attend_to_overlap(&mut self, voiced: bool) {
        let any_voice_stops = self.plan.stop_words == 0;
        let voice = self.voice.voiced();
        let last_voiced = self.voice.last_voiced();
        let may_take_floor = self.caller.may_take_floor();
        let Some(segment) = self.caller.open_over_assistant() else {
            return;
        };
        if any_voice_stops {
            if voice >= self.plan.stop_voice {
                self.stop_playout();
            }
            return;
        }

        let lasted = self.now.saturating_sub(segment.began);
        let every = match lasted < LONG_OVERLAP {
            true => self.plan.interim_every,
            false => self.plan.interim_later,
        };
        let asks = segment.ask_interim(every, last_voiced, self.now, &self.plan);
        let pauses = voiced
            && self.assistant.is_heard()
            && may_take_floor
            && lasted >= self.plan.pause_after
            && !segment.pause_spent;
        segment.pause_spent |= pauses;
        let id = segment.id;
        if pauses {
            self.assistant.pause(self.now, &self.plan);
            self.command(Command::PausePlayout);
        }
        if let Some(segment) = id.filter(|_| asks) {
            self.command(Command::TranscribeSoFar { segment });
        }
    }

    /// A sound that keeps a due reply waiting has to turn out to be words.
    fn attend_to_held_reply(&mut self) {
        let reply_is_due = self.caller.asks_for_reply() && self.now >= self.reply_planned_at();
        if !reply_is_due {
            return;
        }
        let every = self.plan.interim_later;
        let last_voiced = self.voice.last_voiced();
        let Some(segment) = self.caller.open_holding_reply() else {
            return;
        };
        let asks = segment.ask_interim(every, last_voiced, self.now, &self.plan);
        if let Some(segment) = segment.id.filter(|_| asks) {
            self.command(Command::TranscribeSoFar { segment });
        }
    }
}
