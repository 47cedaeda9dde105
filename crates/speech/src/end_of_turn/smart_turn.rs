//! The embedded [`EndOfTurn`]: the model on a thread of its own, behind a short queue.
//!
//! An opinion that comes when the pause is over is worth nothing, so little may wait: who finds the queue full is
//! told at once.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::oneshot;

use super::{EndOfTurn, EndOfTurnModel, NoOpinion, OpenError, Opinion};

/// Pauses that may wait. At some 60 ms each, the last of them still comes within the time limit.
const QUEUE: usize = 8;
/// From the request to the opinion, waiting included.
const TIME_LIMIT: Duration = Duration::from_millis(800);

struct Job {
    sound: Arc<[i16]>,
    reply: oneshot::Sender<Result<Opinion, NoOpinion>>,
}

/// One loaded model. Dropping it waits for the opinion under way.
#[derive(Debug)]
pub struct SmartTurn {
    /// `None` only while being dropped.
    queue: Option<SyncSender<Job>>,
    worker: Option<JoinHandle<()>>,
}

impl SmartTurn {
    /// The model that was fetched into `engines`. Blocks while loading.
    pub fn load(engines: &Path) -> Result<Self, OpenError> {
        let model = EndOfTurnModel::open(engines)?;
        Self::on_a_thread(model_that_judges(model)).map_err(OpenError::Thread)
    }

    fn on_a_thread(
        judge: impl FnMut(&[i16]) -> Result<Opinion, NoOpinion> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel(QUEUE);
        let worker = std::thread::Builder::new()
            .name(String::from("end-of-turn"))
            .spawn(move || work(judge, &jobs))?;
        Ok(Self {
            queue: Some(queue),
            worker: Some(worker),
        })
    }
}

#[async_trait]
impl EndOfTurn for SmartTurn {
    async fn opinion(&self, sound: Arc<[i16]>) -> Result<Opinion, NoOpinion> {
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().expect("only `drop` takes the queue");
        queue
            .try_send(Job { sound, reply })
            .map_err(|refused| match refused {
                TrySendError::Full(_) => NoOpinion::Busy,
                TrySendError::Disconnected(_) => stopped(),
            })?;
        match tokio::time::timeout(TIME_LIMIT, answer).await {
            Err(_) => Err(NoOpinion::TimedOut { limit: TIME_LIMIT }),
            Ok(Err(_)) => Err(stopped()),
            Ok(Ok(opinion)) => opinion,
        }
    }
}

impl Drop for SmartTurn {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(worker) = self.worker.take() {
            // A worker that panicked has said so already.
            let _ = worker.join();
        }
    }
}

fn stopped() -> NoOpinion {
    NoOpinion::EngineFailed {
        reason: String::from("its thread has stopped"),
    }
}

fn model_that_judges(
    mut model: EndOfTurnModel,
) -> impl FnMut(&[i16]) -> Result<Opinion, NoOpinion> {
    move |sound| model.opinion(sound)
}

/// The thread: takes jobs until the queue is closed, but for those that nobody waits for any more.
fn work(mut judge: impl FnMut(&[i16]) -> Result<Opinion, NoOpinion>, jobs: &Receiver<Job>) {
    while let Ok(Job { sound, reply }) = jobs.recv() {
        if !reply.is_closed() {
            // The asker may have given up meanwhile.
            let _ = reply.send(judge(&sound));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::mpsc::channel;

    use super::*;

    const OPINION: Opinion = Opinion {
        finished: 0.9,
        hushed: false,
    };

    fn sound() -> Arc<[i16]> {
        Arc::from([0; 16])
    }

    #[tokio::test]
    async fn who_finds_the_queue_full_is_told_at_once_and_who_waits_is_served() {
        let (go_on, told) = channel::<()>();
        let judge = move |_: &[i16]| {
            told.recv().unwrap();
            Ok(OPINION)
        };
        let model = Arc::new(SmartTurn::on_a_thread(judge).unwrap());
        let mut waiting = tokio::task::JoinSet::new();
        // One under way at most, and the queue; the rest is refused.
        for _ in 0..QUEUE + 5 {
            let model = Arc::clone(&model);
            waiting.spawn(async move { model.opinion(sound()).await });
        }
        let mut refused = 0;
        while refused < 4 {
            assert_eq!(
                waiting.join_next().await.unwrap().unwrap(),
                Err(NoOpinion::Busy)
            );
            refused += 1;
        }
        for _ in 0..waiting.len() {
            go_on.send(()).unwrap();
        }
        while let Some(served) = waiting.join_next().await {
            assert!(matches!(
                served.unwrap(),
                Ok(OPINION) | Err(NoOpinion::Busy)
            ));
        }
    }

    #[tokio::test]
    async fn a_model_that_broke_gives_no_opinion_and_hangs_nobody() {
        // Without a trace of where: on a busy machine its names are found more slowly than the opinion is waited for.
        let broken = |_: &[i16]| -> Result<Opinion, NoOpinion> {
            std::panic::resume_unwind(Box::new("the engine broke"))
        };
        let model = SmartTurn::on_a_thread(broken).unwrap();
        for _ in 0..2 {
            assert_eq!(model.opinion(sound()).await, Err(stopped()));
        }
    }
}
