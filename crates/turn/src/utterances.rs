//! The utterances of a person whom nobody answers by machine: a duty officer in a call. Where each
//! begins and ends is all there is to decide; the floor is between people then, and theirs to share.

use std::time::Duration;

use crate::voice_activity::{VoiceActivity, VoiceChange};
use crate::{Plan, SegmentId};

/// Finds one person's utterances in the detector's verdicts.
#[derive(Debug)]
pub struct Utterances {
    plan: Plan,
    voice: VoiceActivity,
    open: Option<SegmentId>,
    next: u64,
    /// The open one holds enough voice to be speech, and that has been told.
    is_speech: bool,
}

/// What one frame changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UtteranceChange {
    Nothing,
    /// Keep the sound as this segment, from `pre_roll` before now; its voice began at `began`.
    Opened {
        segment: SegmentId,
        pre_roll: Duration,
        began: Duration,
    },
    /// What is being kept is speech.
    Spoke,
    /// Keep no more; transcribe it.
    Closed {
        segment: SegmentId,
    },
    /// Too short to be speech: forget it.
    Dropped {
        segment: SegmentId,
    },
    /// As long as one may be: transcribe `full`, and keep what follows as `segment`.
    Full {
        full: SegmentId,
        segment: SegmentId,
    },
}

impl Utterances {
    /// Edges are found as `plan` has them for a caller.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            voice: VoiceActivity::default(),
            open: None,
            next: 0,
            is_speech: false,
        }
    }

    /// Takes in the verdict on one [`crate::VOICE_FRAME`] that ends at `now`.
    pub fn handle_frame(&mut self, voiced: bool, now: Duration) -> UtteranceChange {
        match self.voice.handle_frame(voiced, now, &self.plan) {
            VoiceChange::Nothing => {
                let speaks = self.voice.is_open()
                    && !self.is_speech
                    && self.voice.voiced() >= self.plan.shortest_speech;
                self.is_speech |= speaks;
                match speaks {
                    true => UtteranceChange::Spoke,
                    false => UtteranceChange::Nothing,
                }
            }
            VoiceChange::Onset { pre_roll, began } => UtteranceChange::Opened {
                segment: self.fresh(),
                pre_roll,
                began,
            },
            VoiceChange::Closed(closed) => match (self.open.take(), closed.spoke) {
                (Some(segment), true) => UtteranceChange::Closed { segment },
                (Some(segment), false) => UtteranceChange::Dropped { segment },
                (None, _) => UtteranceChange::Nothing,
            },
            VoiceChange::Full(_) => {
                let full = self.open.take();
                let segment = self.fresh();
                match full {
                    Some(full) => UtteranceChange::Full { full, segment },
                    None => UtteranceChange::Opened {
                        segment,
                        pre_roll: Duration::ZERO,
                        began: now,
                    },
                }
            }
        }
    }

    /// They are not listened to any more: what is open ends here.
    pub fn end(&mut self) -> UtteranceChange {
        self.voice = VoiceActivity::default();
        let spoke = std::mem::take(&mut self.is_speech);
        match (self.open.take(), spoke) {
            (Some(segment), true) => UtteranceChange::Closed { segment },
            (Some(segment), false) => UtteranceChange::Dropped { segment },
            (None, _) => UtteranceChange::Nothing,
        }
    }

    fn fresh(&mut self) -> SegmentId {
        self.next += 1;
        let segment = SegmentId(self.next);
        self.open = Some(segment);
        self.is_speech = false;
        segment
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VOICE_FRAME;

    /// What changes over these verdicts: `#` voice, `.` none; `#40` is forty of them.
    fn changes(frames: &[(bool, u32)]) -> Vec<UtteranceChange> {
        let mut utterances = Utterances::new(Plan::default());
        let mut now = Duration::ZERO;
        let mut changes = Vec::new();
        for (voiced, count) in frames {
            for _ in 0..*count {
                now += VOICE_FRAME;
                let change = utterances.handle_frame(*voiced, now);
                if change != UtteranceChange::Nothing {
                    changes.push(change);
                }
            }
        }
        changes
    }

    #[test]
    fn an_utterance_is_kept_from_before_its_voice_to_the_pause_after_it() {
        let said = changes(&[(false, 30), (true, 40), (false, 20)]);
        let segment = SegmentId(1);
        assert!(
            matches!(
                said.as_slice(),
                [
                    UtteranceChange::Opened { segment: opened, pre_roll, .. },
                    UtteranceChange::Spoke,
                    UtteranceChange::Closed { segment: closed },
                ] if *opened == segment && *closed == segment && *pre_roll > Plan::default().pre_roll
            ),
            "{said:?}"
        );
    }

    #[test]
    fn a_cough_is_forgotten_and_nobody_is_told_of_it() {
        let said = changes(&[(false, 30), (true, 3), (false, 20)]);
        assert!(
            matches!(
                said.as_slice(),
                [
                    UtteranceChange::Opened { .. },
                    UtteranceChange::Dropped { .. }
                ]
            ),
            "{said:?}"
        );
    }

    #[test]
    fn who_is_not_listened_to_any_more_has_said_what_was_open_and_begins_anew() {
        let mut utterances = Utterances::new(Plan::default());
        let mut now = Duration::ZERO;
        let mut speak = |utterances: &mut Utterances, frames: u32| {
            for _ in 0..frames {
                now += VOICE_FRAME;
                utterances.handle_frame(true, now);
            }
        };
        speak(&mut utterances, 40);
        let segment = SegmentId(1);
        assert_eq!(utterances.end(), UtteranceChange::Closed { segment });
        assert_eq!(utterances.end(), UtteranceChange::Nothing, "once");
        speak(&mut utterances, 40);
        let segment = SegmentId(2);
        assert_eq!(utterances.end(), UtteranceChange::Closed { segment });
    }

    #[test]
    fn who_talks_without_a_pause_is_written_down_in_pieces_that_lose_nothing() {
        let said = changes(&[(true, 1_500), (false, 20)]);
        let kept = said.iter().filter_map(|change| match change {
            UtteranceChange::Full { full, .. } => Some(*full),
            UtteranceChange::Closed { segment } => Some(*segment),
            _ => None,
        });
        let kept: Vec<_> = kept.collect();
        assert_eq!(kept, [SegmentId(1), SegmentId(2)], "{said:?}");
    }
}
