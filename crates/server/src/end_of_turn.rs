//! Who judges the callers' pauses, where `start_wait` asks for that: the model, or nobody where it is missing. A
//! helpline without it still answers, after the fixed wait.

use std::sync::Arc;

use anyhow::Context;
use speech::{EndOfTurn, SmartTurn};

use crate::settings::Settings;

/// The model of these settings. Loading takes a quarter of a second of a thread.
pub async fn load(settings: &Settings) -> anyhow::Result<Option<Arc<dyn EndOfTurn>>> {
    if settings.plan.start_wait.adaptive.is_none() {
        return Ok(None);
    }
    let engines = settings.engine_dir.clone();
    let loaded = tokio::task::spawn_blocking(move || SmartTurn::load(&engines))
        .await
        .context("the end-of-turn model stopped while loading")?;
    match loaded {
        Ok(model) => Ok(Some(Arc::new(model))),
        Err(trouble) => {
            let seconds = settings.plan.start_wait.fixed.as_secs_f64();
            tracing::error!(
                %trouble,
                seconds,
                "start_wait is adaptive and there is no end-of-turn model: every caller is waited for equally long"
            );
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::*;

    async fn is_loaded(way: &str, engines: &Path) -> bool {
        let file = format!("start_wait = '{way}'\nengine_dir = '{}'", engines.display());
        let settings = Settings::from_sources(Some(&file), []).unwrap();
        load(&settings).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn the_model_is_loaded_where_the_wait_is_adaptive_and_there_is_one() {
        let engines = speech::engines_directory();
        assert!(is_loaded("adaptive", &engines).await);
        assert!(!is_loaded("fixed", &engines).await);
    }

    #[tokio::test]
    async fn without_the_model_calls_are_taken_all_the_same() {
        let nowhere = tempfile::tempdir().unwrap();
        assert!(!is_loaded("adaptive", nowhere.path()).await);
    }
}
