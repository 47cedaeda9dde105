//! Who reads the callers' words: both readers, or the rules alone where the trained one's files are
//! missing or damaged. A helpline that reads less well still answers.

use std::sync::Arc;

use ::reader::Reader;
use ::reader::trained::{Files, OpenError};
use anyhow::Context;

use crate::settings::Settings;

/// The reader of this process, and what is wrong with the trained one, if anything.
pub fn reader(settings: &Settings) -> (Reader, Option<OpenError>) {
    let files = Files::new(&settings.reader_dir, &settings.engine_dir);
    match Reader::open(&files) {
        Ok(reader) => (reader, None),
        Err(trouble) => (Reader::rules_alone(), Some(trouble)),
    }
}

/// The same, made aside of the async threads: it takes a second. What is wrong is in the log.
pub async fn load(settings: &Settings) -> anyhow::Result<Arc<Reader>> {
    let settings = settings.clone();
    let (reader, trouble) = tokio::task::spawn_blocking(move || reader(&settings))
        .await
        .context("the reader stopped while loading")?;
    if let Some(trouble) = &trouble {
        tracing::error!(%trouble, "callers are read by the rules alone");
    }
    Ok(Arc::new(reader))
}
