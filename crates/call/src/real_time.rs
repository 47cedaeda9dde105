//! Holds a caller's sound to real time. Whoever sends it faster would have more heard, judged and transcribed than
//! one call's share, at the cost of every other caller.

use std::time::Duration;

use crate::media::{FRAME_DURATION, FromCaller};

/// How far sound may run ahead of the clock: a network that held it back gives it all at once, and a program may send an
/// utterance whole.
const AHEAD: Duration = Duration::from_secs(10);

/// How much sound has been taken, by the clock of the call.
#[derive(Debug, Default)]
pub struct RealTime {
    /// The sound taken so far lasts until then, counted from when it could have been spoken.
    until: Duration,
}

impl RealTime {
    /// Whether this is taken now. Only sound that the line brings counts: silence that stands in for it comes by the clock, and
    /// what it stood in for may come yet.
    pub fn takes(&mut self, heard: &FromCaller, now: Duration) -> bool {
        match heard {
            FromCaller::Audio(_) => self.takes_a_frame(now),
            FromCaller::Missing
            | FromCaller::Connected
            | FromCaller::Message(_)
            | FromCaller::Closed(_) => true,
        }
    }

    fn takes_a_frame(&mut self, now: Duration) -> bool {
        let until = self.until.max(now) + FRAME_DURATION;
        let takes = until <= now + AHEAD;
        if takes {
            self.until = until;
        }
        takes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::media::FRAME_SAMPLES;

    const SOUND: FromCaller = FromCaller::Audio([0; FRAME_SAMPLES]);

    proptest! {
        #[test]
        fn no_schedule_has_more_taken_than_time_has_passed_and_one_burst(
            waits in proptest::collection::vec(0_u64..100, 1..3_000),
        ) {
            let (mut real_time, mut now, mut taken) = (RealTime::default(), Duration::ZERO, Duration::ZERO);
            for wait in waits {
                now += Duration::from_millis(wait);
                taken += FRAME_DURATION * u32::from(real_time.takes(&SOUND, now));
                prop_assert!(taken <= now + AHEAD);
            }
        }

        #[test]
        fn sound_in_real_time_is_taken_whole_however_long_it_was_held_back_and_whatever_stood_in_for_it(
            held_back in proptest::collection::vec(0_u64..9_000, 1..40),
        ) {
            let (mut real_time, mut said, mut now) = (RealTime::default(), Duration::ZERO, Duration::ZERO);
            for wait in held_back {
                let comes = (said + Duration::from_millis(wait)).max(now);
                while now + FRAME_DURATION <= comes {
                    now += FRAME_DURATION;
                    prop_assert!(real_time.takes(&FromCaller::Missing, now));
                }
                now = comes;
                while said < now {
                    said += FRAME_DURATION;
                    prop_assert!(real_time.takes(&SOUND, now));
                }
            }
        }
    }
}
