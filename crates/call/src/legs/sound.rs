//! One leg's sound on its way into the mix: frames that come when the network brings them, and leave
//! one a beat.

use std::collections::VecDeque;

use crate::media::AudioFrame;

/// Frames to wait for before any leaves, at the beginning and after a gap: what jitter of a beat costs.
const PRIMED: usize = 2;

/// The most that waits: 100 ms. Older sound is left out, so that a talk never falls behind.
const MOST: usize = 5;

#[derive(Debug)]
pub(super) struct SoundQueue {
    waiting: VecDeque<AudioFrame>,
    flows: bool,
}

impl Default for SoundQueue {
    fn default() -> Self {
        Self {
            waiting: VecDeque::with_capacity(MOST),
            flows: false,
        }
    }
}

impl SoundQueue {
    pub fn push(&mut self, frame: AudioFrame) {
        if self.waiting.len() == MOST {
            self.waiting.pop_front();
        }
        self.waiting.push_back(frame);
    }

    /// The frame of this beat, if there is one.
    pub fn take(&mut self) -> Option<AudioFrame> {
        self.flows = match self.flows {
            true => !self.waiting.is_empty(),
            false => self.waiting.len() >= PRIMED,
        };
        if !self.flows {
            return None;
        }
        self.waiting.pop_front()
    }
}

/// Adds a voice to a mix, kept within what a sample can hold.
pub(super) fn add(mix: &mut AudioFrame, voice: &AudioFrame) {
    for (sample, other) in mix.iter_mut().zip(voice) {
        *sample = sample.saturating_add(*other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::FRAME_SAMPLES;

    fn frame(level: i16) -> AudioFrame {
        [level; FRAME_SAMPLES]
    }

    fn take(queue: &mut SoundQueue) -> Option<i16> {
        queue.take().map(|frame| frame[0])
    }

    #[test]
    fn frames_that_come_in_bursts_leave_one_a_beat() {
        let mut queue = SoundQueue::default();
        queue.push(frame(1));
        assert_eq!(take(&mut queue), None, "the next may be late");
        queue.push(frame(2));
        queue.push(frame(3));
        let left: Vec<_> = std::iter::from_fn(|| take(&mut queue)).collect();
        assert_eq!(left, [1, 2, 3]);
        queue.push(frame(4));
        assert_eq!(take(&mut queue), None, "after a gap it is waited for again");
    }

    #[test]
    fn sound_that_piles_up_is_left_out_from_its_oldest() {
        let mut queue = SoundQueue::default();
        for level in 0..20 {
            queue.push(frame(level));
        }
        let left: Vec<_> = std::iter::from_fn(|| take(&mut queue)).collect();
        assert_eq!(left, [15, 16, 17, 18, 19]);
    }

    #[test]
    fn two_loud_voices_are_as_loud_as_a_sample_can_be_and_do_not_turn_over() {
        let mut mix = frame(30_000);
        add(&mut mix, &frame(30_000));
        assert_eq!(mix[0], i16::MAX);
        add(&mut mix, &frame(-1_000));
        assert_eq!(mix[0], i16::MAX - 1_000);
    }
}
