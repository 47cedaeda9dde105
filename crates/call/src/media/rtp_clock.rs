//! Which RTP time the assistant's next 20 ms get.
//!
//! RTP time follows the sound while the assistant speaks, and the wall clock over its pauses:
//! otherwise the caller's jitter buffer would take each pause for a delay of the network and try
//! to make up for it. Pure: it is told the time.

use std::time::Duration;

const TICKS_PER_FRAME: u64 = 960;
const TICKS_PER_MS: u64 = 48;

/// A frame this late begins a new stretch of speech. Less is a caller of `send_audio` whose timer
/// was late, where keeping in step frame by frame sounds better than a jump.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RtpStamp {
    pub rtp_time: u64,
    /// The first frame after a pause: it carries the marker bit (RFC 3551 §4.1).
    pub starts_talkspurt: bool,
}

#[derive(Debug, Default)]
pub(super) struct RtpClock {
    next: Option<u64>,
}

impl RtpClock {
    /// Stamps one frame that leaves `now` after the call's media began.
    pub(super) fn stamp(&mut self, now: Duration) -> RtpStamp {
        let wall = now.as_millis() as u64 * TICKS_PER_MS;
        let wall = wall - wall % TICKS_PER_FRAME;
        let late = PAUSE.as_millis() as u64 * TICKS_PER_MS;
        let (rtp_time, starts_talkspurt) = match self.next {
            Some(next) if wall < next + late => (next, false),
            Some(next) => (wall.max(next), true),
            None => (wall, true),
        };
        self.next = Some(rtp_time + TICKS_PER_FRAME);
        RtpStamp {
            rtp_time,
            starts_talkspurt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn frames_of_one_stretch_of_speech_follow_each_other_whatever_the_timer_does() {
        let mut clock = RtpClock::default();
        let times = [500, 522, 538, 575, 580, 640];
        let stamps: Vec<_> = times.iter().map(|t| clock.stamp(ms(*t))).collect();
        assert!(stamps[0].starts_talkspurt);
        assert!(stamps[1..].iter().all(|s| !s.starts_talkspurt));
        assert!(
            stamps
                .windows(2)
                .all(|w| w[1].rtp_time == w[0].rtp_time + 960)
        );
    }

    #[test]
    fn after_a_pause_rtp_time_is_back_in_step_with_the_wall_clock() {
        let mut clock = RtpClock::default();
        let first = clock.stamp(ms(1_000));
        let second = clock.stamp(ms(4_000));
        assert_eq!(second.rtp_time - first.rtp_time, 3_000 * 48);
        assert!(second.starts_talkspurt);
    }

    #[test]
    fn rtp_time_never_goes_back_even_if_frames_come_in_a_burst() {
        let mut clock = RtpClock::default();
        let mut last = clock.stamp(ms(0)).rtp_time;
        for i in 0..200 {
            let stamp = clock.stamp(ms(i));
            assert!(stamp.rtp_time > last);
            last = stamp.rtp_time;
        }
    }
}
