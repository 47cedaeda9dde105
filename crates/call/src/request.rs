//! A request to a live call, which holds for as long as who asks waits for its answer. A call that comes to it later does nothing
//! of it: nobody is told that something was not done, and finds it done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;

/// What is asked of a call.
pub(crate) struct Request<T> {
    /// The call has taken it up, or nobody waits any more: whichever was first.
    is_settled: Arc<AtomicBool>,
    answer: oneshot::Sender<T>,
}

/// What the call is to answer. Dropped, nobody waits for it.
pub(crate) struct Answer<T> {
    is_settled: Arc<AtomicBool>,
    answered: oneshot::Receiver<T>,
}

impl<T> Request<T> {
    pub fn ask() -> (Self, Answer<T>) {
        let is_settled = Arc::<AtomicBool>::default();
        let (answer, answered) = oneshot::channel();
        let request = Self {
            is_settled: Arc::clone(&is_settled),
            answer,
        };
        let answer = Answer {
            is_settled,
            answered,
        };
        (request, answer)
    }

    /// Does it and answers what came of it, if that is still waited for.
    pub fn answer(self, act: impl FnOnce() -> T) {
        if !self.is_settled.swap(true, Ordering::AcqRel) {
            // Who asked may go in this moment.
            let _ = self.answer.send(act());
        }
    }
}

impl<T> Answer<T> {
    /// None where the call is over or has not come to it within so long, and does not do it later.
    pub async fn within(mut self, bound: Duration) -> Option<T> {
        let in_time = tokio::time::timeout(bound, &mut self.answered).await;
        match in_time {
            Ok(answer) => answer.ok(),
            // It was taken up in the last moment, and is answered in the next.
            Err(_) if self.is_settled.swap(true, Ordering::AcqRel) => {
                (&mut self.answered).await.ok()
            }
            Err(_) => None,
        }
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        self.is_settled.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: Duration = Duration::from_secs(2);

    #[tokio::test(start_paused = true)]
    async fn what_is_answered_in_time_is_done() {
        let (request, answer) = Request::ask();
        tokio::spawn(async move {
            // Virtual time: the clock is paused.
            tokio::time::sleep(BOUND / 2).await;
            request.answer(|| "done");
        });
        assert_eq!(answer.within(BOUND).await, Some("done"));
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_told_that_a_call_did_not_answer_does_not_find_it_done() {
        let (request, answer) = Request::<()>::ask();
        assert_eq!(answer.within(BOUND).await, None);
        request.answer(|| panic!("nobody waits for it"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_taken_up_in_the_last_moment_is_answered() {
        let (request, answer) = Request::ask();
        let (go_on, wait) = std::sync::mpsc::channel();
        let call = std::thread::spawn(move || {
            request.answer(|| {
                let _ = wait.recv();
                "done"
            });
        });
        while !answer.is_settled.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        let answered = tokio::spawn(answer.within(BOUND));
        // Virtual time: the clock is paused.
        tokio::time::sleep(2 * BOUND).await;
        assert!(go_on.send(()).is_ok());
        assert_eq!(answered.await.ok(), Some(Some("done")));
        assert!(call.join().is_ok());
    }

    #[test]
    fn what_nobody_waits_for_any_more_is_not_done() {
        let (request, answer) = Request::<()>::ask();
        drop(answer);
        request.answer(|| panic!("who asked has gone"));
    }
}
