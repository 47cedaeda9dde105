//! What the caller sends: 50 frames a second from the first to the last moment of the call, as a
//! browser's microphone does, with utterances laid in between.
//!
//! The clock is counted in frames from one start, so it does not drift however late a frame is
//! sent. The mouth hands out frames; it does not know how they travel.

use std::sync::Arc;
use std::time::Duration;

use crate::clip::{Clip, Frame};

pub const FRAME_TIME: Duration = Duration::from_millis(20);

/// Which frame leaves when.
#[derive(Debug)]
pub struct Pace {
    start: Duration,
    sent: u32,
    worst_lateness: Duration,
}

impl Pace {
    pub fn new(start: Duration) -> Self {
        Self {
            start,
            sent: 0,
            worst_lateness: Duration::ZERO,
        }
    }

    /// When the next frame leaves.
    pub fn next(&self) -> Duration {
        self.start + FRAME_TIME * self.sent
    }

    /// Frames that should have left by now and have not.
    pub fn due(&self, now: Duration) -> u32 {
        match now.checked_sub(self.next()) {
            Some(behind) => (behind.as_nanos() / FRAME_TIME.as_nanos()) as u32 + 1,
            None => 0,
        }
    }

    /// The furthest that this process fell behind its own clock: where it is large, the measured
    /// delays are partly the caller's own.
    pub fn worst_lateness(&self) -> Duration {
        self.worst_lateness
    }

    fn sent_one(&mut self, now: Duration) {
        self.worst_lateness = self.worst_lateness.max(now.saturating_sub(self.next()));
        self.sent += 1;
    }
}

/// When an utterance's sound begins and ends on the call's clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Said {
    pub voice_start: Duration,
    pub voice_end: Duration,
}

#[derive(Debug)]
pub struct Mouth {
    pace: Pace,
    room_tone: Arc<Clip>,
    saying: Option<(Arc<Clip>, usize)>,
}

impl Mouth {
    pub fn new(room_tone: Arc<Clip>, start: Duration) -> Self {
        Self {
            pace: Pace::new(start),
            room_tone,
            saying: None,
        }
    }

    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    pub fn frames_sent(&self) -> u32 {
        self.pace.sent
    }

    pub fn is_saying(&self) -> bool {
        self.saying.is_some()
    }

    /// Starts an utterance with the next frame and tells when it will sound.
    ///
    /// A frame leaves when its last sample has been spoken, as from a microphone.
    pub fn say(&mut self, clip: Arc<Clip>) -> Said {
        let start = self.pace.next().saturating_sub(FRAME_TIME);
        let said = Said {
            voice_start: start + clip.voice_starts(),
            voice_end: start + clip.voice_ends(),
        };
        self.saying = Some((clip, 0));
        said
    }

    /// The frame that leaves now, if one is due.
    pub fn next_frame(&mut self, now: Duration) -> Option<&Frame> {
        if self.pace.due(now) == 0 {
            return None;
        }
        let number = self.pace.sent as usize;
        self.pace.sent_one(now);
        if let Some((clip, next)) = &mut self.saying
            && *next >= clip.frames().len()
        {
            self.saying = None;
        }
        match &mut self.saying {
            Some((clip, next)) => {
                *next += 1;
                clip.frames().get(*next - 1)
            }
            None => {
                let frames = self.room_tone.frames();
                frames.get(number % frames.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::sound::Threshold;
    use crate::sound::synthetic::{silence, tone};

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn mouth_at(start: Duration) -> Mouth {
        Mouth::new(Arc::new(Clip::room_tone().unwrap()), start)
    }

    #[test]
    fn lateness_never_adds_up() {
        let mut mouth = mouth_at(millis(7));
        let mut now = millis(7);
        for _ in 0..3_000 {
            // Each time 3 ms late: a clock that counts from its last frame would be 9 s off.
            now = mouth.pace().next() + millis(3);
            assert!(mouth.next_frame(now).is_some());
        }
        assert_eq!(mouth.pace().next(), millis(7) + FRAME_TIME * 3_000);
        assert!(mouth.next_frame(now).is_none());
        assert_eq!(mouth.pace().worst_lateness(), millis(3));
    }

    #[test]
    fn after_a_stall_the_missed_frames_are_due_at_once() {
        let mut mouth = mouth_at(Duration::ZERO);
        assert_eq!(mouth.pace().due(Duration::ZERO), 1);
        assert_eq!(mouth.pace().due(millis(100)), 6);
        while mouth.next_frame(millis(100)).is_some() {}
        assert_eq!(mouth.frames_sent(), 6);
        assert_eq!(mouth.pace().next(), millis(120));
        assert_eq!(mouth.pace().worst_lateness(), millis(100));
    }

    #[test]
    fn nothing_is_due_before_the_start() {
        let mut mouth = mouth_at(millis(50));
        assert!(mouth.next_frame(millis(49)).is_none());
        assert!(mouth.next_frame(millis(50)).is_some());
    }

    #[test]
    fn an_utterance_sounds_when_the_mouth_said_it_would() {
        let clip = Clip::from_samples(
            String::from("a tone"),
            [silence(30), tone(100)].concat(),
            Threshold::default(),
        )
        .unwrap();
        let mut mouth = mouth_at(Duration::ZERO);
        let mut sent = Vec::new();
        let mut said = None;
        for frame in 0..50_u32 {
            if frame == 10 {
                said = Some(
                    mouth.say(Arc::new(
                        Clip::from_samples(
                            clip.label.clone(),
                            clip.frames()
                                .iter()
                                .flat_map(|frame| frame.samples)
                                .collect(),
                            Threshold::default(),
                        )
                        .unwrap(),
                    )),
                );
            }
            let now = FRAME_TIME * frame;
            sent.extend_from_slice(&mouth.next_frame(now).unwrap().samples);
        }
        let said = said.unwrap();
        // The first frame holds what was spoken in the 20 ms before the start.
        let sounding = crate::sound::voiced_part(&sent, Threshold::default()).unwrap();
        assert_eq!(
            said.voice_start + FRAME_TIME,
            crate::sound::to_time(sounding.start as u64)
        );
        assert_eq!(
            said.voice_end + FRAME_TIME,
            crate::sound::to_time(sounding.end as u64)
        );
        assert!(!mouth.is_saying());
        assert_eq!(sent.len(), 50 * 320);
    }
}
