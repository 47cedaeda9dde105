//! What has been heard of the caller: a short memory of the last moments, from
//! which each utterance is cut with its beginning intact.
//!
//! Only what lies between the opening and the closing of a segment is ever given
//! out for words, so silence is never transcribed. It does not decide where speech
//! begins or ends (the `turn` crate does) and does not understand it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use speech::{SAMPLE_RATE, VoiceDetector};
use turn::SegmentId;

/// Samples in one frame of the voice detector: 16 ms.
const DETECTOR_FRAME: usize = 256;

/// How much sound before an onset can still be asked for: longer than any
/// pre-roll in a [`turn::Plan`].
const MEMORY: Duration = Duration::from_millis(1500);

/// The same where opinions are asked on pauses.
const LONG_MEMORY: usize = speech::SOUND_SAMPLES;

/// A segment is never kept longer than this, whatever its closing waits for.
const LONGEST_SEGMENT: Duration = Duration::from_secs(30);

/// The caller's sound, as far as it is still needed.
pub struct Ear {
    detector: VoiceDetector,
    /// Samples that do not fill a detector frame yet.
    partial: [i16; DETECTOR_FRAME],
    partial_len: usize,
    /// The last `memory` samples.
    recent: VecDeque<i16>,
    memory: usize,
    open: HashMap<SegmentId, Vec<i16>>,
}

impl Default for Ear {
    fn default() -> Self {
        Self::remembering(samples_in(MEMORY))
    }
}

impl Ear {
    /// An ear for a call in which `plan` holds.
    pub fn for_plan(plan: &turn::Plan) -> Self {
        match plan.adaptive_wait {
            Some(_) => Self::remembering(LONG_MEMORY),
            None => Self::default(),
        }
    }

    /// All room for the memory is made here, and none for a frame.
    fn remembering(memory: usize) -> Self {
        Self {
            detector: VoiceDetector::new(),
            partial: [0; DETECTOR_FRAME],
            partial_len: 0,
            recent: VecDeque::with_capacity(memory + DETECTOR_FRAME),
            memory,
            open: HashMap::new(),
        }
    }

    /// Takes in sound (16 kHz mono) and tells `voiced` of each completed detector
    /// frame whether it holds a voice, and how long before the end of `sound` it ended.
    /// `voiced` may open and close segments of the ear it is handed.
    pub fn hear(&mut self, mut sound: &[i16], mut voiced: impl FnMut(&mut Self, bool, Duration)) {
        while !sound.is_empty() {
            let take = (DETECTOR_FRAME - self.partial_len).min(sound.len());
            let (now, rest) = sound.split_at(take);
            self.partial[self.partial_len..self.partial_len + take].copy_from_slice(now);
            self.partial_len += take;
            sound = rest;
            if self.partial_len == DETECTOR_FRAME {
                self.partial_len = 0;
                let frame = self.partial;
                self.remember(&frame);
                let is_voice = self.detector.is_voice(&frame);
                let after = sound.len() as u64 * 1_000_000 / u64::from(SAMPLE_RATE);
                voiced(self, is_voice, Duration::from_micros(after));
            }
        }
    }

    /// Starts keeping sound, from `pre_roll` before now.
    pub fn open(&mut self, segment: SegmentId, pre_roll: Duration) {
        let wanted = samples_in(pre_roll).min(self.recent.len());
        let mut kept = Vec::with_capacity(wanted + samples_in(Duration::from_secs(4)));
        kept.extend(self.recent.range(self.recent.len() - wanted..));
        self.open.insert(segment, kept);
    }

    /// The last moments, whoever spoke in them; as much of them as is remembered.
    pub fn last(&self, span: Duration) -> Arc<[i16]> {
        let wanted = samples_in(span).min(self.recent.len());
        self.recent
            .range(self.recent.len() - wanted..)
            .copied()
            .collect()
    }

    /// What has been kept of an open segment so far.
    pub fn so_far(&self, segment: SegmentId) -> Option<Arc<[i16]>> {
        self.open
            .get(&segment)
            .map(|kept| Arc::from(kept.as_slice()))
    }

    /// Ends a segment and hands over its sound.
    pub fn close(&mut self, segment: SegmentId) -> Option<Arc<[i16]>> {
        self.open.remove(&segment).map(Arc::from)
    }

    /// Forgets a segment.
    pub fn drop_segment(&mut self, segment: SegmentId) {
        self.open.remove(&segment);
    }

    fn remember(&mut self, frame: &[i16; DETECTOR_FRAME]) {
        let overflow = (self.recent.len() + DETECTOR_FRAME).saturating_sub(self.memory);
        self.recent.drain(..overflow);
        self.recent.extend(frame);
        for kept in self.open.values_mut() {
            if kept.len() < samples_in(LONGEST_SEGMENT) {
                kept.extend_from_slice(frame);
            }
        }
    }
}

fn samples_in(span: Duration) -> usize {
    (span.as_secs_f64() * f64::from(SAMPLE_RATE)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(from: i16, count: usize) -> Vec<i16> {
        (0..count).map(|i| from + i as i16).collect()
    }

    #[test]
    fn it_is_told_how_long_before_the_end_of_the_sound_a_frame_ended() {
        let mut ear = Ear::default();
        let mut ends = Vec::new();
        for _ in 0..4 {
            ear.hear(&[0; 320], |_, _, ago| ends.push(ago.as_millis()));
        }
        assert_eq!(ends, [4, 8, 12, 16, 0], "of five frames in four packets");
    }

    #[test]
    fn a_segment_begins_before_the_moment_it_was_opened() {
        let mut ear = Ear::default();
        ear.hear(&ramp(0, 512), |_, _, _| {});
        ear.open(SegmentId(1), Duration::from_millis(16));
        ear.hear(&ramp(512, 256), |_, _, _| {});
        let sound = ear.close(SegmentId(1)).expect("it was opened");
        assert_eq!(sound.as_ref(), ramp(256, 512).as_slice());
    }

    #[test]
    fn a_pre_roll_longer_than_what_was_heard_gives_what_there_is() {
        let mut ear = Ear::default();
        ear.hear(&ramp(0, 256), |_, _, _| {});
        ear.open(SegmentId(1), Duration::from_secs(5));
        assert_eq!(ear.so_far(SegmentId(1)).expect("open").len(), 256);
    }

    #[test]
    fn sound_after_the_close_is_not_kept() {
        let mut ear = Ear::default();
        ear.open(SegmentId(1), Duration::ZERO);
        ear.hear(&ramp(0, 256), |_, _, _| {});
        assert_eq!(ear.close(SegmentId(1)).expect("open").len(), 256);
        ear.hear(&ramp(0, 256), |_, _, _| {});
        assert!(ear.close(SegmentId(1)).is_none());
    }

    #[test]
    fn the_last_moments_can_be_asked_for_as_far_as_they_are_remembered() {
        let mut ear = Ear::for_plan(&turn::Plan {
            adaptive_wait: Some(turn::AdaptiveWait::default()),
            ..turn::Plan::default()
        });
        let room = ear.recent.capacity();
        ear.hear(&ramp(0, 512), |_, _, _| {});
        assert_eq!(ear.last(Duration::from_millis(16)).as_ref(), ramp(256, 256));
        assert_eq!(ear.last(Duration::from_secs(60)).len(), 512);
        for _ in 0..(12 * 16_000 / 320) {
            ear.hear(&[0; 320], |_, _, _| {});
        }
        let all = ear.last(Duration::from_secs(60)).len();
        assert_eq!(all, speech::SOUND_SAMPLES);
        assert_eq!(ear.recent.capacity(), room, "no room is made for a frame");
        assert!(Ear::default().recent.capacity() < room / 4);
    }

    #[test]
    fn frames_of_any_size_reach_the_detector_in_its_own_size() {
        let mut ear = Ear::default();
        let mut frames = 0;
        for _ in 0..50 {
            ear.hear(&[0; 320], |_, _, _| frames += 1);
        }
        assert_eq!(frames, 50 * 320 / 256);
    }

    #[test]
    fn a_segment_that_is_never_closed_stops_growing() {
        let mut ear = Ear::default();
        ear.open(SegmentId(1), Duration::ZERO);
        for _ in 0..(40 * 16_000 / 320) {
            ear.hear(&[0; 320], |_, _, _| {});
        }
        let kept = ear.so_far(SegmentId(1)).expect("open").len();
        assert!(kept <= samples_in(LONGEST_SEGMENT) + 256, "{kept}");
    }
}
