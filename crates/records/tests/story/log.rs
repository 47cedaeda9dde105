//! What is logged while a test runs.

use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, Instant};

use tracing::subscriber::DefaultGuard;

const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Everything at every level, of this thread.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Listens until the guard is dropped.
    pub fn listen() -> (Self, DefaultGuard) {
        // Where another thread, which nobody listens to, comes first to a line of the log, it would be off for all of them.
        static EVERY_LINE_IS_ON: Once = Once::new();
        EVERY_LINE_IS_ON.call_once(|| {
            let _ = tracing_subscriber::fmt()
                .with_writer(std::io::sink)
                .with_max_level(tracing::Level::TRACE)
                .try_init();
        });
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(log.clone())
            .with_max_level(tracing::Level::TRACE)
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    /// Until this stands there.
    pub async fn until(&self, words: &str) {
        let begun = Instant::now();
        while !self.text().contains(words) {
            assert!(begun.elapsed() < PATIENCE, "{words:?} in {}", self.text());
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
