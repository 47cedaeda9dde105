//! An officer's line to a call, which lasts no longer than its officer is signed in with what they might do when they asked for it.
//! Where that is over, the line is as good as lost, and the call goes on as it does then: who talked with a caller leaves them to
//! the assistant. Who signs in again meanwhile stays on it.
//!
//! To be on a line is to use the session: nobody is cut off in the middle of a talk because they ask for nothing meanwhile. It ends
//! by all else that ends it.

use async_trait::async_trait;
use call::media::{AudioFrame, CloseReason, FromCaller, Transport};
use desk::Signed;
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::events::LOOKED_EVERY;
use crate::app::App;

pub struct OfficerLine<T> {
    line: T,
    session_over: CancellationToken,
    /// No longer than there is the line.
    _looks: AbortOnDropHandle<()>,
}

impl<T> OfficerLine<T> {
    /// This line, which is lost when that has come.
    pub fn until(session_over: impl Future<Output = ()> + Send + 'static, line: T) -> Self {
        let is_over = CancellationToken::new();
        let tell = is_over.clone();
        let looks = tokio::spawn(async move {
            session_over.await;
            tell.cancel();
        });
        Self {
            line,
            session_over: is_over,
            _looks: AbortOnDropHandle::new(looks),
        }
    }
}

/// Waits until somebody on a line is signed in no more. A database that cannot be asked ends none.
pub async fn end_of(session: Signed, app: App) {
    let mut looks = tokio::time::interval(LOOKED_EVERY);
    loop {
        looks.tick().await;
        let goes_on = app.desk.goes_on_in_use(&session, Timestamp::now()).await;
        if matches!(goes_on, Ok(false)) {
            return;
        }
    }
}

#[async_trait]
impl<T: Transport> Transport for OfficerLine<T> {
    async fn next(&mut self) -> FromCaller {
        tokio::select! {
            // However much comes from it.
            biased;
            () = self.session_over.cancelled() => FromCaller::Closed(CloseReason::MediaLost),
            what = self.line.next() => what,
        }
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        self.line.send_audio(frame);
    }

    fn send_packet(&mut self, packet: &[u8]) {
        self.line.send_packet(packet);
    }

    fn send_message(&mut self, text: &str) {
        self.line.send_message(text);
    }

    async fn close(&mut self) {
        self.line.close().await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use call::media::{FRAME_DURATION, FRAME_SAMPLES};
    use tokio::time::Instant;

    use super::*;

    /// A line from which sound comes without end.
    struct Talks;

    #[async_trait]
    impl Transport for Talks {
        async fn next(&mut self) -> FromCaller {
            // Virtual time: the clock is paused.
            tokio::time::sleep(FRAME_DURATION).await;
            FromCaller::Audio([0; FRAME_SAMPLES])
        }

        fn send_audio(&mut self, _frame: &AudioFrame) {}

        fn send_packet(&mut self, _packet: &[u8]) {}

        fn send_message(&mut self, _text: &str) {}

        async fn close(&mut self) {}
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_is_lost_with_its_session_whatever_comes_from_it() {
        const SESSION: Duration = Duration::from_secs(5);
        let begun = Instant::now();
        let mut line = OfficerLine::until(tokio::time::sleep(SESSION), Talks);
        let lost = FromCaller::Closed(CloseReason::MediaLost);
        while line.next().await != lost {
            assert!(begun.elapsed() <= SESSION + FRAME_DURATION, "it goes on");
        }
        assert!(begun.elapsed() >= SESSION, "not before");
        assert_eq!(line.next().await, lost, "and stays lost");
    }
}
