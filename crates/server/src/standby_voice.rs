//! A voice that is loaded when it is first needed: most nights the lighter one never is, and it would hold memory
//! beside the natural one.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use redact::Secret;
use speech::{SpeechStream, Standing, Voice, VoiceError, VoiceLoadError};

/// A voice not loaded yet. It has no room until it is.
pub struct Standby {
    loaded: Arc<OnceLock<Arc<dyn Voice>>>,
    /// Taken by the first who asks for room.
    load: Mutex<Option<Load>>,
}

type Load = Box<dyn FnOnce() -> Result<Arc<dyn Voice>, VoiceLoadError> + Send>;

impl Standby {
    pub fn of<V: Voice + 'static>(
        load: impl FnOnce() -> Result<V, VoiceLoadError> + Send + 'static,
    ) -> Self {
        Self {
            loaded: Arc::default(),
            load: Mutex::new(Some(Box::new(move || {
                Ok(Arc::new(load()?) as Arc<dyn Voice>)
            }))),
        }
    }

    fn begin(&self) {
        let load = self
            .load
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(load) = load else { return };
        let loaded = Arc::clone(&self.loaded);
        let thread = std::thread::Builder::new().name("voice-standby".to_owned());
        let begun = thread.spawn(move || match load() {
            Ok(voice) => {
                let _ = loaded.set(voice);
                tracing::info!("the lighter voice is loaded");
            }
            Err(error) => {
                tracing::error!(
                    error = format!("{error:#}"),
                    "the lighter voice cannot be had, calls take the last resort"
                );
            }
        });
        if let Err(error) = begun {
            tracing::error!(%error, "no thread could be started for the lighter voice");
        }
    }
}

impl Voice for Standby {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        match self.loaded.get() {
            Some(voice) => voice.speak_to(standing, sentence),
            None => SpeechStream::ready([Err(VoiceError::Busy)]),
        }
    }

    fn begins_within(
        &self,
        standing: Standing,
        sentence: &Secret<String>,
        within: Duration,
    ) -> bool {
        let loaded = self.loaded.get();
        loaded.is_some_and(|voice| voice.begins_within(standing, sentence, within))
    }

    fn has_room(&self) -> bool {
        match self.loaded.get() {
            Some(voice) => voice.has_room(),
            None => {
                self.begin();
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::mpsc::channel;

    use speech::FliteVoice;

    use super::*;

    #[test]
    fn it_is_loaded_once_when_it_is_first_needed_and_has_no_room_until_then() {
        let (go_on, wait) = channel::<()>();
        let standby = Standby::of(move || {
            wait.recv().unwrap();
            Ok(FliteVoice::named("slt").unwrap())
        });
        assert!(!standby.has_room());
        assert!(!standby.has_room());
        go_on.send(()).unwrap();
        let voice = standby.loaded.wait();
        assert!(voice.has_room());
        assert!(standby.has_room());
    }
}
