//! A log that a test reads.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
pub struct KeptLog(Arc<Mutex<Vec<u8>>>);

/// While it lives, what one thread logs is kept.
#[must_use]
pub struct Keeping(DefaultGuard, Dispatch);

impl KeptLog {
    /// Keeps what this thread logs.
    pub fn of_this_thread(&self) -> Keeping {
        self.keeping("info")
    }

    /// The same to the last detail of what is ours. Libraries that print payloads the program holds at `info`.
    pub fn of_this_thread_at_trace(&self) -> Keeping {
        self.keeping(
            "info,call=trace,desk=trace,flow=trace,jobs=trace,platform=trace,records=trace,resources=trace,server=trace,\
             speech=trace,turn=trace",
        )
    }

    fn keeping(&self, filter: &str) -> Keeping {
        // While there is only one subscriber, the thread that first comes to a line decides for all whether it is wanted, and
        // another test's thread does not want it. Of two, each is asked.
        let other = Dispatch::new(NoSubscriber::new());
        let lines = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(self.clone())
            .finish();
        Keeping(tracing::subscriber::set_default(lines), other)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for KeptLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for KeptLog {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}
