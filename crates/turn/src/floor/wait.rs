//! How long the caller is waited for before the reply: the plan's fixed wait, or one that fits the
//! speaker.
//!
//! Adaptive, the wait is
//!
//! * the fixed one while there is no opinion on the pause: none was given, or it came too late;
//! * `least` where the pause sounds finished and the words do not lead on;
//! * `most` where it sounds unfinished, or they do; between the two where that is in doubt;
//! * the longer of `most` and the fixed one for someone who whispers (the opinion says so) or whose
//!   voice was heard without words (sobbing is), then and for a while after;
//! * and never shorter than `least`.
//!
//! An opinion belongs to the pause after one segment. Whoever goes on opens another segment, which
//! has its own pause; a noise that proves to be nothing leaves the opinion as it was.

use std::time::Duration;

use super::Floor;
use crate::{Command, Opinion, SegmentId};

impl Floor {
    pub(super) fn start_wait(&self) -> Duration {
        let fixed = self.plan.start_wait;
        let Some(adaptive) = &self.plan.adaptive_wait else {
            return fixed;
        };
        let wait = match self.caller.opinion() {
            _ if self.is_gentle() => adaptive.most.max(fixed),
            None => fixed,
            Some(_) if self.caller.leads_on(adaptive.whole_number) => adaptive.most,
            Some(opinion) => adaptive.after(opinion),
        };
        wait.max(adaptive.least)
    }

    /// A segment has closed at a pause.
    pub(super) fn ask_whether_finished(&mut self, segment: SegmentId) {
        if self.plan.adaptive_wait.is_none() || !self.is_answering() {
            return;
        }
        let began = self.caller.began().unwrap_or(self.now);
        let sound = self.now.saturating_sub(began) + self.plan.pre_roll;
        self.caller.pause_judged(segment, self.now);
        self.command(Command::AskWhetherFinished { segment, sound });
    }

    pub(super) fn take_opinion(&mut self, segment: SegmentId, opinion: Opinion) {
        let Some(adaptive) = &self.plan.adaptive_wait else {
            return;
        };
        let by = adaptive.opinion_bound;
        self.caller.opinion_given(segment, opinion, by, self.now);
        if opinion.hushed {
            self.be_gentle();
        }
    }

    /// More of what the caller said is known.
    pub(super) fn attend_to_manner(&mut self) {
        if self.caller.has_wordless_sound() {
            self.be_gentle();
        }
    }

    fn be_gentle(&mut self) {
        if let Some(adaptive) = &self.plan.adaptive_wait {
            self.gentle_until = Some(self.now + adaptive.gentle_for);
        }
    }

    fn is_gentle(&self) -> bool {
        self.gentle_until
            .is_some_and(|until| self.caller.ended() <= until)
    }
}
