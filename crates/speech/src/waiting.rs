//! The sentences that wait for a voice's thread: for who is in danger before the others, of equals what is due first,
//! and what is made ahead only while nobody waits.

use std::time::Instant;

use crate::{Precedence, Standing, VoiceError};

/// Sentences that may wait, of callers of each standing: no crowd of others takes the room of who is in danger.
pub(crate) const QUEUE: usize = 64;

/// A sentence that waits.
pub(crate) trait Waits {
    /// Of the caller who waits for it. None of what is made ahead.
    fn standing(&self) -> Option<Standing>;

    /// When more of it is wanted.
    fn due(&self) -> Instant;

    /// Whoever asked may have been interrupted, or have left.
    fn is_wanted(&self) -> bool;
}

/// The sentences, in no order until one is taken.
#[derive(Debug)]
pub(crate) struct Waiting<J> {
    jobs: Vec<J>,
    precedence: Precedence,
}

impl<J> Default for Waiting<J> {
    fn default() -> Self {
        Self {
            jobs: Vec::new(),
            precedence: Precedence::default(),
        }
    }
}

impl<J: Waits> Waiting<J> {
    /// Takes a sentence in, unless too many of its standing wait already.
    pub fn admit(&mut self, job: J) -> Result<(), VoiceError> {
        let standing = job.standing();
        if standing.is_some() && self.of(standing) >= QUEUE {
            // What nobody waits for any more keeps nobody out.
            self.jobs.retain(Waits::is_wanted);
            if self.of(standing) >= QUEUE {
                return Err(VoiceError::Busy);
            }
        }
        self.jobs.push(job);
        Ok(())
    }

    /// One that was taken, and has more to be made. It has had its place.
    pub fn put_back(&mut self, job: J) {
        self.jobs.push(job);
    }

    /// Of the callers whose turn it is, the sentence that is due first; one that is made ahead only when there is no other.
    pub fn take(&mut self) -> Option<J> {
        self.jobs.retain(Waits::is_wanted);
        let waits = |standing| self.of(Some(standing)) > 0;
        let (urgent, ordinary) = (waits(Standing::Urgent), waits(Standing::Ordinary));
        let next = self.precedence.next(urgent, ordinary);
        let jobs = self.jobs.iter().enumerate();
        let (place, _) = jobs
            .filter(|(_, job)| job.standing() == next)
            .min_by_key(|(_, job)| job.due())?;
        Some(self.jobs.swap_remove(place))
    }

    pub fn iter(&self) -> impl Iterator<Item = &J> {
        self.jobs.iter()
    }

    pub fn clear(&mut self) {
        self.jobs.clear();
    }

    fn of(&self, standing: Option<Standing>) -> usize {
        let equals = self.jobs.iter().filter(|job| job.standing() == standing);
        equals.count()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[derive(Debug, PartialEq)]
    struct Sentence {
        name: &'static str,
        standing: Option<Standing>,
        due: Instant,
        is_wanted: bool,
    }

    impl Waits for Sentence {
        fn standing(&self) -> Option<Standing> {
            self.standing
        }

        fn due(&self) -> Instant {
            self.due
        }

        fn is_wanted(&self) -> bool {
            self.is_wanted
        }
    }

    fn sentence(name: &'static str, standing: impl Into<Option<Standing>>) -> Sentence {
        Sentence {
            name,
            standing: standing.into(),
            due: Instant::now(),
            is_wanted: true,
        }
    }

    fn order(mut waiting: Waiting<Sentence>) -> Vec<&'static str> {
        std::iter::from_fn(|| waiting.take().map(|job| job.name)).collect()
    }

    #[test]
    fn who_is_in_danger_is_spoken_to_before_who_asked_first_and_every_fourth_is_anothers() {
        let mut waiting = Waiting::default();
        waiting.put_back(sentence("ahead", None));
        for _ in 0..3 {
            waiting.put_back(sentence("another's", Standing::Ordinary));
        }
        for _ in 0..5 {
            waiting.put_back(sentence("in danger", Standing::Urgent));
        }
        let danger = ["in danger"; 5];
        let expected = [
            &danger[..3],
            &["another's"],
            &danger[3..],
            &["another's", "another's", "ahead"],
        ];
        assert_eq!(order(waiting), expected.concat());
    }

    #[test]
    fn of_equals_what_is_due_first_is_made_first() {
        for standing in [Standing::Ordinary, Standing::Urgent] {
            let mut waiting = Waiting::default();
            let first = sentence("asked for first", standing);
            let mut second = sentence("due first", standing);
            second.due = first.due - SECOND / 2;
            waiting.put_back(first);
            waiting.put_back(second);
            assert_eq!(order(waiting), ["due first", "asked for first"]);
        }
    }

    #[test]
    fn a_crowd_of_others_leaves_room_to_speak_to_who_is_in_danger_and_no_crowd_has_it_all() {
        let mut waiting = Waiting::default();
        for standing in [Standing::Ordinary, Standing::Urgent] {
            for _ in 0..QUEUE {
                assert_eq!(waiting.admit(sentence("waits", standing)), Ok(()));
            }
            let one_more = sentence("one more", standing);
            assert_eq!(waiting.admit(one_more), Err(VoiceError::Busy));
        }
        assert_eq!(waiting.admit(sentence("ahead", None)), Ok(()));
    }

    #[test]
    fn what_nobody_waits_for_any_more_is_not_made_and_keeps_nobody_out() {
        let mut waiting = Waiting::default();
        for _ in 0..QUEUE {
            let mut left = sentence("left", Standing::Ordinary);
            left.is_wanted = false;
            assert_eq!(waiting.admit(left), Ok(()));
        }
        let wanted = sentence("wanted", Standing::Ordinary);
        assert_eq!(waiting.admit(wanted), Ok(()));
        assert_eq!(order(waiting), ["wanted"]);
    }
}
