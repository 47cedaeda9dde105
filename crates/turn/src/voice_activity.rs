//! From the detector's verdict on each frame to the edges of segments: onset, close, noise, full.
//!
//! Time inside a segment is counted in frames, not by the clock, so that audio which arrives in
//! bursts is not taken for pauses. It deliberately knows nothing of turns or of the assistant.

use std::time::Duration;

use crate::{Plan, VOICE_FRAME};

/// Unvoiced audio that closes a segment in its last fifth, when a cut is better than a full stop.
const SHORT_PAUSE: Duration = Duration::from_millis(48);

/// Finds the segments in one caller's frames.
#[derive(Debug, Default)]
pub(crate) struct VoiceActivity {
    /// The latest verdicts, newest in the lowest bit.
    latest: u32,
    /// Frames whose audio no segment has kept yet: a pre-roll must not repeat what another keeps.
    unkept_frames: u32,
    open: Option<Open>,
}

/// The segment being kept.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Audio in the segment, pre-roll included.
    length: Duration,
    voiced: Duration,
    /// Unvoiced audio since the latest voiced frame.
    pause: Duration,
    last_voiced: Duration,
    last_frame: Duration,
}

/// What one frame changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VoiceChange {
    Nothing,
    /// A segment opens, `pre_roll` before the end of this frame; its voice began at `began`.
    Onset {
        pre_roll: Duration,
        began: Duration,
    },
    Closed(Closed),
    /// The segment is as long as it may be and another has opened in its place.
    Full(Closed),
}

/// A segment that keeps no more audio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed {
    /// Enough voice to be speech; otherwise it is noise.
    pub spoke: bool,
    pub voiced: Duration,
    pub last_voiced: Duration,
}

impl VoiceActivity {
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// How much voice the open segment has held.
    pub fn voiced(&self) -> Duration {
        self.open.map_or(Duration::ZERO, |open| open.voiced)
    }

    /// When voice was last heard in the open segment; the call's start when none is open.
    pub fn last_voiced(&self) -> Duration {
        self.open.map_or(Duration::ZERO, |open| open.last_voiced)
    }

    /// When the latest frame of the open segment came.
    pub fn last_frame(&self) -> Option<Duration> {
        self.open.map(|open| open.last_frame)
    }

    pub fn handle_frame(&mut self, voiced: bool, now: Duration, plan: &Plan) -> VoiceChange {
        self.latest = (self.latest << 1) | u32::from(voiced);
        self.unkept_frames = self.unkept_frames.saturating_add(1);
        match self.open {
            None if voiced => self.look_for_onset(now, plan),
            None => VoiceChange::Nothing,
            Some(open) => self.continue_segment(open, voiced, now, plan),
        }
    }

    /// Closes the open segment where it is and forgets all audio so far, as for a mute.
    pub fn stop(&mut self, plan: &Plan) -> Option<Closed> {
        self.latest = 0;
        self.unkept_frames = 0;
        self.open.take().map(|open| open.close(plan))
    }

    fn look_for_onset(&mut self, now: Duration, plan: &Plan) -> VoiceChange {
        let window = self.latest & ((1 << Plan::ONSET_WINDOW) - 1);
        if window.count_ones() < plan.onset_frames {
            return VoiceChange::Nothing;
        }
        let since_first_voiced = VOICE_FRAME * (u32::BITS - window.leading_zeros());
        let pre_roll = (since_first_voiced + plan.pre_roll)
            .min(VOICE_FRAME * self.unkept_frames)
            .min(plan.longest_segment);
        self.unkept_frames = 0;
        self.open = Some(Open {
            length: pre_roll,
            voiced: VOICE_FRAME * window.count_ones(),
            pause: Duration::ZERO,
            last_voiced: now,
            last_frame: now,
        });
        VoiceChange::Onset {
            pre_roll,
            began: now.saturating_sub(since_first_voiced),
        }
    }

    fn continue_segment(
        &mut self,
        mut open: Open,
        voiced: bool,
        now: Duration,
        plan: &Plan,
    ) -> VoiceChange {
        self.unkept_frames = 0;
        open.last_frame = now;
        open.length += VOICE_FRAME;
        if voiced {
            open.voiced += VOICE_FRAME;
            open.last_voiced = now;
            open.pause = Duration::ZERO;
        } else {
            open.pause += VOICE_FRAME;
        }

        let in_last_fifth = open.length >= plan.longest_segment * 4 / 5;
        let pause_that_closes = match in_last_fifth {
            true => plan.segment_close.min(SHORT_PAUSE),
            false => plan.segment_close,
        };
        let full = open.length + VOICE_FRAME > plan.longest_segment;
        if !voiced && (full || open.pause >= pause_that_closes) {
            self.open = None;
            self.latest = 0;
            if !open.is_speech(plan) {
                // Nobody transcribes noise, so speech right after it may reach back into it.
                self.unkept_frames = frames_in(open.length);
            }
            return VoiceChange::Closed(open.close(plan));
        }
        if full {
            self.open = Some(Open {
                length: Duration::ZERO,
                voiced: Duration::ZERO,
                ..open
            });
            return VoiceChange::Full(open.close(plan));
        }
        self.open = Some(open);
        VoiceChange::Nothing
    }
}

impl Open {
    fn is_speech(&self, plan: &Plan) -> bool {
        self.voiced >= plan.shortest_speech
    }

    fn close(&self, plan: &Plan) -> Closed {
        Closed {
            spoke: self.is_speech(plan),
            voiced: self.voiced,
            last_voiced: self.last_voiced,
        }
    }
}

fn frames_in(length: Duration) -> u32 {
    u32::try_from(length.as_micros() / VOICE_FRAME.as_micros()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds verdicts (`#` voiced, `.` not, a number repeats the one before) and gives the changes.
    fn changes(plan: &Plan, frames: &str) -> Vec<(u128, VoiceChange)> {
        let mut voice = VoiceActivity::default();
        let mut changes = Vec::new();
        let mut now = Duration::ZERO;
        let mut feed = |voiced: bool| {
            now += VOICE_FRAME;
            let change = voice.handle_frame(voiced, now, plan);
            if change != VoiceChange::Nothing {
                changes.push((now.as_millis(), change));
            }
        };
        for run in frames.split_whitespace() {
            let voiced = run.starts_with('#');
            let count: u32 = run[1..].parse().unwrap_or(1);
            (0..count).for_each(|_| feed(voiced));
        }
        changes
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn three_voiced_frames_in_four_are_an_onset_with_audio_from_before_it() {
        let changes = changes(&Plan::default(), ".100 # . #2");
        assert_eq!(
            changes,
            [(
                1664,
                VoiceChange::Onset {
                    pre_roll: ms(64 + 320),
                    began: ms(1600)
                }
            )]
        );
    }

    #[test]
    fn two_voiced_frames_in_four_are_not() {
        assert_eq!(changes(&Plan::default(), ".10 #2 .2 #2 .2 # . # .3"), []);
    }

    #[test]
    fn a_pre_roll_reaches_no_further_than_the_audio_there_is() {
        let changes = changes(&Plan::default(), ".2 #3");
        assert!(matches!(changes[0].1, VoiceChange::Onset { pre_roll, .. } if pre_roll == ms(80)));
    }

    #[test]
    fn a_pre_roll_never_repeats_what_another_segment_keeps() {
        let changes = changes(&Plan::default(), ".30 #30 .15 #3");
        let (opened, last) = changes[changes.len() - 1];
        let closed = changes[changes.len() - 2].0;
        assert!(
            matches!(last, VoiceChange::Onset { pre_roll, .. } if pre_roll.as_millis() == opened - closed),
            "{changes:?}"
        );
    }

    #[test]
    fn a_pre_roll_may_reach_into_noise_which_nobody_keeps() {
        let changes = changes(&Plan::default(), ".30 #4 .13 #3");
        let (_, last) = changes[changes.len() - 1];
        assert!(
            matches!(last, VoiceChange::Onset { pre_roll, .. } if pre_roll == ms(48 + 320)),
            "{changes:?}"
        );
    }

    #[test]
    fn a_segment_closes_after_the_pause_of_the_plan() {
        let changes = changes(&Plan::default(), "#20 .12 #20 .20");
        let closed = changes.last().expect("it closed");
        let last_voiced = 52 * 16;
        assert_eq!(closed.0, last_voiced + 208);
        assert_eq!(
            closed.1,
            VoiceChange::Closed(Closed {
                spoke: true,
                voiced: ms(40 * 16),
                last_voiced: ms(last_voiced as u64)
            })
        );
    }

    #[test]
    fn a_short_burst_is_noise_and_a_short_yes_is_not() {
        let spoke = |frames: &str| {
            let changes = changes(&Plan::default(), frames);
            match changes.last() {
                Some((_, VoiceChange::Closed(closed))) => closed.spoke,
                other => panic!("did not close: {other:?}"),
            }
        };
        assert!(!spoke("#5 .20"));
        assert!(spoke("#6 .20"));
        assert!(spoke("#12 .20"));
    }

    #[test]
    fn no_segment_is_longer_than_the_plan_allows() {
        let plan = Plan {
            longest_segment: ms(1600),
            ..Plan::default()
        };
        let changes = changes(&plan, ".10 #400 .20");
        let mut began = Duration::ZERO;
        let mut pieces = 0;
        for (at, change) in changes {
            let at = ms(at as u64);
            match change {
                VoiceChange::Onset { pre_roll, .. } => began = at - pre_roll,
                VoiceChange::Full(_) | VoiceChange::Closed(_) => {
                    assert!(at - began <= plan.longest_segment);
                    pieces += 1;
                    began = at;
                }
                _ => {}
            }
        }
        assert_eq!(pieces, 5);
    }

    #[test]
    fn near_its_longest_a_segment_closes_at_any_short_pause() {
        let plan = Plan {
            longest_segment: ms(1600),
            ..Plan::default()
        };
        let changes = changes(&plan, "#40 .3 #45 .3 #3");
        assert!(
            matches!(changes[1], (1456, VoiceChange::Closed(_))),
            "{changes:?}"
        );
    }
}
