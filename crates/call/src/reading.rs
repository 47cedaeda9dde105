//! Reading a caller's words off the async threads: it takes milliseconds of a core, which other calls
//! should not wait for.

use std::sync::Arc;

use flow::reading::{Listening, Reading};
use reader::Reader;
use redact::Secret;

/// What the caller's turn says. If the reader breaks, the turn counts as heard and told nothing:
/// the conversation goes on by its questions.
pub async fn read(reader: &Arc<Reader>, words: &Secret<String>, listening: Listening) -> Reading {
    let reader = Arc::clone(reader);
    let of = words.clone();
    let reading =
        tokio::task::spawn_blocking(move || reader.read(of.expose_secret(), &listening)).await;
    reading.unwrap_or_else(|_| {
        metrics::counter!("nightlight_turns_unread_total").increment(1);
        tracing::error!("a turn could not be read: the reader broke on it");
        Reading::unread(words.clone())
    })
}
