//! How a call judges the caller's pauses: the end-of-turn model is asked, and its
//! opinion handed to the floor. Without a model, or when it is busy, there is none.

use std::sync::Arc;

use speech::NoOpinion;
use tokio::time::Instant;
use turn::{Event, SegmentId};

use super::{Done, LiveCall};

impl LiveCall {
    pub(super) fn ask_whether_finished(&mut self, segment: SegmentId, sound: Arc<[i16]>) {
        let Some(model) = self.shared.end_of_turn.clone() else {
            return;
        };
        let done = self.done_tx.clone();
        let span = self.turn_span().within("opinion on a pause");
        self.spawn(async move {
            let asked = Instant::now();
            let opinion = model.opinion(sound).await;
            metrics::histogram!("nightlight_opinion_seconds").record(asked.elapsed());
            drop(span);
            // The call may be over by now; then nobody waits for this.
            let _ = done.send(Done::Judged { segment, opinion });
        });
    }

    pub(super) fn take_opinion(
        &mut self,
        segment: SegmentId,
        opinion: Result<speech::Opinion, NoOpinion>,
    ) {
        let now = self.now();
        let opinion = match opinion {
            Ok(speech::Opinion { finished, hushed }) => Some(turn::Opinion { finished, hushed }),
            Err(error) => {
                tracing::debug!(call = %self.id, %error, "no opinion on a pause");
                None
            }
        };
        let sounds_finished = opinion.and_then(|opinion| {
            let adaptive = self.floor.plan().adaptive_wait.as_ref()?;
            Some(adaptive.sounds_finished(opinion))
        });
        let sounds = match sounds_finished {
            Some(true) => "finished",
            Some(false) => "unfinished",
            None => "none",
        };
        metrics::counter!("nightlight_opinions_total", "pause" => sounds).increment(1);
        self.floor
            .handle(Event::OpinionGiven { segment, opinion }, now);
    }
}
