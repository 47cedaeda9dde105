//! Keeps the caller's sound continuous in time while nothing arrives.
//!
//! Whoever listens for the end of speech needs to be told of silence; a network that has gone
//! quiet in mid-word would otherwise look like speech that never ends. After [`STALL`] without
//! sound, one silent frame is due every 20 ms until sound is back. This does not conceal lost
//! packets (that is the decoder's work) and does not decide that a caller is gone.

use std::time::Duration;

use tokio::time::Instant;

use super::FRAME_DURATION;

/// How long sound may be missing before silence stands in for it. Longer than the gaps that jitter
/// and reordering make, so that late packets are not mistaken for missing ones.
pub(super) const STALL: Duration = Duration::from_millis(200);

#[derive(Debug, Default)]
pub(super) struct StallFiller {
    /// When the next silent frame is due; `None` until there has been any sound.
    due: Option<Instant>,
    filled: u32,
}

impl StallFiller {
    /// Sound arrived. Returns how many silent frames stood in for it since the last time, so that
    /// a gap which was filled once is not filled again.
    pub(super) fn handle_sound(&mut self, now: Instant) -> u32 {
        self.due = Some(now + STALL);
        std::mem::take(&mut self.filled)
    }

    /// When to ask [`poll_silence`](Self::poll_silence) again.
    pub(super) fn poll_deadline(&self) -> Option<Instant> {
        self.due
    }

    /// Whether one silent frame is due by now.
    pub(super) fn poll_silence(&mut self, now: Instant) -> bool {
        match self.due {
            Some(due) if due <= now => {
                // A task that was held up for seconds does not owe seconds of silence.
                self.due = Some((due + FRAME_DURATION).max(now.checked_sub(STALL).unwrap_or(due)));
                self.filled += 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_any_sound_no_silence_is_due() {
        let mut filler = StallFiller::default();
        assert_eq!(filler.poll_deadline(), None);
        assert!(!filler.poll_silence(Instant::now()));
    }

    #[test]
    fn a_stall_is_filled_with_fifty_frames_a_second() {
        let start = Instant::now();
        let mut filler = StallFiller::default();
        filler.handle_sound(start);
        assert!(!filler.poll_silence(start + STALL - Duration::from_millis(1)));

        let mut frames = 0;
        for ms in 0..1000 {
            while filler.poll_silence(start + STALL + Duration::from_millis(ms)) {
                frames += 1;
            }
        }
        assert_eq!(frames, 50);
        assert_eq!(filler.handle_sound(start + Duration::from_secs(2)), 50);
        assert_eq!(filler.handle_sound(start + Duration::from_secs(2)), 0);
    }

    #[test]
    fn a_task_held_up_for_a_minute_owes_only_a_moment_of_silence() {
        let start = Instant::now();
        let mut filler = StallFiller::default();
        filler.handle_sound(start);
        let late = start + Duration::from_secs(60);
        let owed = std::iter::from_fn(|| filler.poll_silence(late).then_some(())).count();
        assert!((1..=12).contains(&owed), "{owed}");
    }
}
