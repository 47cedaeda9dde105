//! How a turn comes to be stored, and who waits for it: its caller, as long as they can bear. While storage fails or is
//! late nobody waits for it anew, until something has been stored in time again.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::{JournalError, UnderWay};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{FIRST_WAIT, LONGEST_WAIT, NotStored};

/// Waits between the tries to store a turn: half a second in all. The call has its own bound.
const TURN_RETRIES: [Duration; 3] = [
    Duration::from_millis(50),
    Duration::from_millis(150),
    Duration::from_millis(300),
];
/// A try that takes longer is late: no call waits longer for it.
const LATE: Duration = Duration::from_millis(1500);

/// Whether storage fails or is late, as the latest that was to be stored has it. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Behind(Arc<AtomicBool>);

impl Behind {
    fn is_behind(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn fall_behind(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Something was stored that was begun then. What was late says nothing of how soon the next one is.
    pub fn stored_since(&self, begun: Instant) {
        if begun.elapsed() < LATE {
            self.0.store(false, Ordering::Relaxed);
        }
    }
}

/// One call's turns on their way to the records: one after the other, and of each its latest draft alone, so that nothing older
/// is written over it, however late a try succeeds. A reply that is prepared anew stores its turn anew.
#[derive(Clone, Default)]
pub(super) struct Drafts {
    latest: Arc<Mutex<BTreeMap<u32, CancellationToken>>>,
    in_order: Arc<tokio::sync::Mutex<()>>,
}

impl Drafts {
    /// A draft of this turn; the earlier ones are superseded.
    pub fn next(&self, turn: u32) -> Draft {
        let draft = Draft {
            superseded: CancellationToken::new(),
            in_order: Arc::clone(&self.in_order),
        };
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = latest.insert(turn, draft.superseded.clone()) {
            earlier.cancel();
        }
        draft
    }
}

pub(super) struct Draft {
    /// A later one of the same turn is to be stored.
    superseded: CancellationToken,
    in_order: Arc<tokio::sync::Mutex<()>>,
}

impl Draft {
    /// One try, when those before it are through.
    async fn put(&self, put: impl Future<Output = Result<(), NotStored>>) -> Result<(), NotStored> {
        let _in_order = self.in_order.lock().await;
        if self.superseded.is_cancelled() {
            return Err(NotStored::Yet(String::from(
                "a later draft is to be stored",
            )));
        }
        put.await
    }
}

type Tell = oneshot::Sender<Result<(), JournalError>>;

/// What it takes to store a turn.
pub(super) struct Tries {
    pub call: Uuid,
    pub draft: Draft,
    pub behind: Behind,
    /// The call's end is stored, which holds every turn.
    pub over: CancellationToken,
    pub stopped: CancellationToken,
}

impl Tries {
    /// Has `put` tried until the turn is stored, its call is over or the server stops. Resolves when it is stored, or was
    /// not in the time that a caller can bear; where storage is behind already, at once.
    pub async fn store<Put>(
        self,
        tasks: &TaskTracker,
        put: impl Fn() -> Put + Send + 'static,
    ) -> Result<(), JournalError>
    where
        Put: Future<Output = Result<(), NotStored>> + Send + 'static,
    {
        let is_behind = self.behind.is_behind();
        // A task of its own: who asks may have no time to wait, and the turn is stored all the same.
        let (tell, told) = oneshot::channel();
        tasks.spawn(self.until_stored(put, tell));
        if is_behind {
            let reason = "what was to be stored before it is not yet, or late";
            return Err(JournalError::Unsaved(String::from(reason)));
        }
        told.await.unwrap_or_else(|_| {
            let reason = "it was given up at the stop, the call is over, or a later draft of it is to be stored";
            Err(JournalError::Unsaved(String::from(reason)))
        })
    }

    async fn until_stored<Put>(self, put: impl Fn() -> Put, tell: Tell)
    where
        Put: Future<Output = Result<(), NotStored>>,
    {
        let _under_way = UnderWay::of("storage");
        let call = self.call;
        let mut tell = Some(tell);
        let mut waits = TURN_RETRIES.into_iter();
        let mut wait = FIRST_WAIT;
        loop {
            let (error, is_the_storages) = match self.tried(self.draft.put(put()), &mut tell).await
            {
                Ok(()) => {
                    if let Some(tell) = tell.take() {
                        let _ = tell.send(Ok(()));
                    }
                    return;
                }
                Err(NotStored::HeldElsewhere) => {
                    if let Some(tell) = tell.take() {
                        let _ = tell.send(Err(JournalError::HeldElsewhere));
                    }
                    return;
                }
                Err(NotStored::StorageFails(error)) => (error, true),
                Err(NotStored::Yet(error)) => (error, false),
            };
            if self.draft.superseded.is_cancelled() {
                return;
            }
            metrics::counter!("nightlight_journal_retries_total").increment(1);
            let pause = waits.next().unwrap_or_else(|| {
                if is_the_storages {
                    self.behind.fall_behind();
                }
                if let Some(tell) = tell.take() {
                    tracing::warn!(%call, error, "a turn is not stored yet; trying again");
                    let _ = tell.send(Err(JournalError::Unsaved(error)));
                }
                let pause = wait;
                wait = LONGEST_WAIT.min(wait * 2);
                pause
            });
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                // The later draft holds what this one does.
                () = self.draft.superseded.cancelled() => return,
                // Its end holds every turn.
                () = self.over.cancelled() => return,
                () = self.stopped.cancelled() => return,
            }
        }
    }

    /// One try, to its end. Who waits for it is told when it is late.
    async fn tried(
        &self,
        put: impl Future<Output = Result<(), NotStored>>,
        tell: &mut Option<Tell>,
    ) -> Result<(), NotStored> {
        let begun = Instant::now();
        let mut put = pin!(put);
        tokio::select! {
            stored = &mut put => {
                if stored.is_ok() {
                    self.behind.stored_since(begun);
                }
                return stored;
            }
            () = tokio::time::sleep(LATE) => self.behind.fall_behind(),
        }
        if let Some(tell) = tell.take() {
            let reason = String::from("the records are slow");
            let _ = tell.send(Err(JournalError::Unsaved(reason)));
        }
        put.await
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::watch;

    use super::*;

    const AT_ONCE: Duration = Duration::ZERO;

    #[derive(Default)]
    struct Journal {
        tasks: TaskTracker,
        behind: Behind,
    }

    impl Journal {
        /// Whether a turn is stored before its reply is spoken, and how long its caller waits for that.
        async fn turn<Put>(&self, put: impl Fn() -> Put + Send + 'static) -> (bool, Duration)
        where
            Put: Future<Output = Result<(), NotStored>> + Send + 'static,
        {
            self.draft(Drafts::default().next(1), put).await
        }

        async fn draft<Put>(
            &self,
            draft: Draft,
            put: impl Fn() -> Put + Send + 'static,
        ) -> (bool, Duration)
        where
            Put: Future<Output = Result<(), NotStored>> + Send + 'static,
        {
            let asked = Instant::now();
            let tries = Tries {
                call: Uuid::new_v4(),
                draft,
                behind: self.behind.clone(),
                over: CancellationToken::new(),
                stopped: CancellationToken::new(),
            };
            let stored = tries.store(&self.tasks, put).await;
            (stored.is_ok(), asked.elapsed())
        }
    }

    async fn works() -> Result<(), NotStored> {
        Ok(())
    }

    async fn is_full() -> Result<(), NotStored> {
        Err(NotStored::StorageFails(String::from("it is full")))
    }

    async fn is_unknown() -> Result<(), NotStored> {
        Err(NotStored::Yet(String::from("no such call")))
    }

    #[tokio::test(start_paused = true)]
    async fn one_caller_waits_for_storage_that_stands_still_and_nobody_after_them_until_it_moves() {
        let journal = Journal::default();
        let (moves, does_move) = watch::channel(false);
        let put = move || {
            let mut does_move = does_move.clone();
            async move {
                let moved = does_move.wait_for(|moves| *moves).await;
                let gone = |_| NotStored::StorageFails(String::from("it is gone"));
                moved.map(drop).map_err(gone)
            }
        };
        let (stored, waited) = journal.turn(put.clone()).await;
        assert!(!stored && waited >= LATE, "{waited:?}");
        assert!(waited < LATE + Duration::from_millis(10), "{waited:?}");
        for _ in 0..3 {
            assert_eq!(journal.turn(put.clone()).await, (false, AT_ONCE));
        }
        moves.send_replace(true);
        journal.tasks.close();
        journal.tasks.wait().await;
        assert_eq!(journal.turn(put).await, (true, AT_ONCE), "all is stored");
    }

    #[tokio::test(start_paused = true)]
    async fn while_all_is_stored_late_one_caller_waits_and_nobody_after_them() {
        async fn is_late() -> Result<(), NotStored> {
            tokio::time::sleep(2 * LATE).await;
            Ok(())
        }
        let journal = Journal::default();
        let (stored, waited) = journal.turn(is_late).await;
        assert!(!stored && waited >= LATE, "{waited:?}");
        journal.tasks.close();
        journal.tasks.wait().await;
        assert_eq!(journal.turn(is_late).await, (false, AT_ONCE));
    }

    #[tokio::test(start_paused = true)]
    async fn one_caller_waits_for_storage_that_fails_and_the_next_that_is_stored_ends_it() {
        let journal = Journal::default();
        let (stored, waited) = journal.turn(is_full).await;
        assert!(!stored && waited < LATE, "{waited:?}");
        assert_eq!(journal.turn(is_full).await, (false, AT_ONCE));
        // It is tried at once all the same.
        assert_eq!(journal.turn(works).await, (false, AT_ONCE));
        while journal.behind.is_behind() {
            tokio::task::yield_now().await;
        }
        assert_eq!(journal.turn(works).await, (true, AT_ONCE));
    }

    #[tokio::test(start_paused = true)]
    async fn one_call_that_cannot_be_stored_says_nothing_of_the_others() {
        let journal = Journal::default();
        assert!(!journal.turn(is_unknown).await.0);
        assert_eq!(journal.turn(works).await, (true, AT_ONCE));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_stored_late_never_takes_the_place_of_a_later_draft_of_its_turn() {
        let journal = Journal::default();
        let drafts = Drafts::default();
        let stored: Arc<Mutex<Vec<&str>>> = Arc::default();
        let works = Arc::new(AtomicBool::new(false));
        let put = |words: &'static str| {
            let (stored, works) = (Arc::clone(&stored), Arc::clone(&works));
            move || {
                let (stored, works) = (Arc::clone(&stored), Arc::clone(&works));
                async move {
                    if !works.load(Ordering::Relaxed) {
                        return Err(NotStored::Yet(String::from("not yet")));
                    }
                    stored.lock().expect("no test panics with it").push(words);
                    Ok(())
                }
            }
        };
        assert!(!journal.draft(drafts.next(5), put("he hit me")).await.0);
        works.store(true, Ordering::Relaxed);
        let later = put("he hit me, and she saw it");
        assert!(journal.draft(drafts.next(5), later).await.0);
        assert!(journal.draft(drafts.next(6), put("then he left")).await.0);
        journal.tasks.close();
        journal.tasks.wait().await;
        let stored = stored.lock().expect("no test panics with it");
        assert_eq!(*stored, ["he hit me, and she saw it", "then he left"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_draft_whose_try_hangs_is_through_before_the_next_is_stored() {
        let journal = Arc::new(Journal::default());
        let drafts = Drafts::default();
        let stored: Arc<Mutex<Vec<&str>>> = Arc::default();
        let put = |words: &'static str, takes: Duration| {
            let stored = Arc::clone(&stored);
            move || {
                let stored = Arc::clone(&stored);
                async move {
                    tokio::time::sleep(takes).await;
                    stored.lock().expect("no test panics with it").push(words);
                    Ok(())
                }
            }
        };
        let first = journal.draft(drafts.next(5), put("he hit me", 2 * LATE));
        assert!(!first.await.0, "late");
        let second = put("he hit me, and she saw it", AT_ONCE);
        journal.draft(drafts.next(5), second).await;
        journal.tasks.close();
        journal.tasks.wait().await;
        let stored = stored.lock().expect("no test panics with it");
        assert_eq!(stored.last(), Some(&"he hit me, and she saw it"));
    }
}
