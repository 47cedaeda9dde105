//! Forgetting: every hour, and first at the start, the records of calls that ended too long ago are deleted, and of cases that
//! were closed and whose time is over. What a deletion is, what stops it and what remains, the store knows; how long records are
//! kept is a setting.

use std::time::Duration;

use desk::{About, Desk, NewEntry, What, Who};
use jiff::{SignedDuration, Timestamp};
use records::{CallId, Past, Purged, StoreError};
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_hours(1);

/// Deleted at once. What a live call has to store waits no longer than for so many.
const PORTION: u32 = 200;

/// Deletes through `purge`, which gives what it deleted of what is past its time, until the server stops. What fails is tried
/// again at the next turn.
pub async fn keep_for<P>(
    time: SignedDuration,
    purge: impl Fn(Past, u32) -> P,
    stopping: CancellationToken,
) where
    P: Future<Output = Result<Purged, StoreError>>,
{
    let mut turns = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            _ = turns.tick() => {}
            () = stopping.cancelled() => return,
        }
        let now = Timestamp::now();
        let past = Past {
            now,
            ended_before: now - time,
        };
        let mut deleted = 0;
        let purged = loop {
            match purge(past, PORTION).await {
                Ok(Purged {
                    records: portion, ..
                }) => {
                    metrics::counter!("nightlight_records_purged_total").increment(portion);
                    deleted += portion;
                    if portion < u64::from(PORTION) || stopping.is_cancelled() {
                        break Ok(());
                    }
                }
                Err(error) => break Err(error),
            }
        };
        match purged {
            Ok(()) if deleted > 0 => {
                tracing::info!(deleted, "records past their time were deleted")
            }
            Ok(()) => {}
            Err(error) => {
                tracing::error!(
                    deleted,
                    %error,
                    "records past their time are not all deleted; tried again in an hour"
                );
            }
        }
    }
}

/// Puts on the desk's audit trail that the records of these cases were deleted. They are, and their receipts are written, also
/// where that fails.
pub async fn note(desk: &Desk, who: Who, cases: &[CallId]) {
    for case in cases {
        let purged = NewEntry {
            at: Timestamp::now(),
            who,
            what: What::RecordPurged,
            about: Some(About::Call(*case)),
        };
        if let Err(error) = desk.note(purged).await {
            tracing::error!(%error, "the audit trail does not say that a case's record was deleted; its receipt does");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::cell::RefCell;

    use super::*;

    const A_DAY: SignedDuration = SignedDuration::from_hours(24);

    /// A store that answers by a script, and what it was asked.
    struct Asked {
        answers: RefCell<Vec<Result<u64, StoreError>>>,
        asked: RefCell<Vec<Past>>,
    }

    impl Asked {
        /// Answers these in turn, and then that there was nothing.
        fn answering(answers: impl IntoIterator<Item = Result<u64, StoreError>>) -> Self {
            let mut answers: Vec<_> = answers.into_iter().collect();
            answers.reverse();
            Self {
                answers: RefCell::new(answers),
                asked: RefCell::default(),
            }
        }

        async fn purge(&self, past: Past, _: u32) -> Result<Purged, StoreError> {
            self.asked.borrow_mut().push(past);
            self.answers
                .borrow_mut()
                .pop()
                .unwrap_or(Ok(0))
                .map(so_many)
        }

        fn times(&self) -> usize {
            self.asked.borrow().len()
        }
    }

    fn so_many(records: u64) -> Purged {
        Purged {
            records,
            cases: Vec::new(),
        }
    }

    /// Runs the room for so long, by the clock of the test.
    async fn kept_for(asked: &Asked, time: Duration) {
        let purge = |past, most| asked.purge(past, most);
        let running = keep_for(A_DAY, purge, CancellationToken::new());
        assert!(tokio::time::timeout(time, running).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn records_past_their_time_are_deleted_at_the_start_and_every_hour() {
        let asked = Asked::answering([]);
        kept_for(&asked, Duration::from_secs(1)).await;
        assert_eq!(asked.times(), 1, "at the start");
        let asked = Asked::answering([]);
        kept_for(&asked, Duration::from_mins(150)).await;
        assert_eq!(asked.times(), 3);
        let past = asked.asked.borrow()[0];
        assert_eq!(past.now.duration_since(past.ended_before), A_DAY);
        assert!(Timestamp::now().duration_since(past.now).as_hours() == 0);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_more_than_a_portion_goes_at_the_same_turn() {
        let most = u64::from(PORTION);
        let asked = Asked::answering([Ok(most), Ok(most), Ok(3)]);
        kept_for(&asked, Duration::from_secs(1)).await;
        assert_eq!(asked.times(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_fails_is_tried_again_at_the_next_turn() {
        let asked = Asked::answering([Err(StoreError::Unavailable("locked".into())), Ok(1)]);
        kept_for(&asked, Duration::from_secs(1)).await;
        assert_eq!(asked.times(), 1, "not over and over");
        kept_for(&asked, Duration::from_mins(90)).await;
        assert_eq!(asked.times(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn it_stops_with_the_server() {
        let stopping = CancellationToken::new();
        let full = u64::from(PORTION);
        // Never done: it ends after the portion under way.
        let purge = |_, _| {
            assert!(!stopping.is_cancelled(), "nothing more is asked for");
            stopping.cancel();
            std::future::ready(Ok(so_many(full)))
        };
        keep_for(A_DAY, purge, stopping.clone()).await;
    }
}
