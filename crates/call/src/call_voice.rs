//! The voice of one call: it never changes in the middle of one.

use std::sync::Arc;

use flow::AssistantScript;
use redact::Secret;
use speech::{Sound, Voice, VoiceError};

use crate::fallback::{self, Fallback};

/// A voice, and what is kept ready in it.
pub(crate) struct CallVoice {
    pub voice: Arc<dyn Voice>,
    pub fallback: Fallback,
    /// Heard first where the beginning of a reply is not ready in time. None for a voice that needs none.
    openings: Vec<(Secret<String>, Sound)>,
}

impl CallVoice {
    pub async fn prepare(
        voice: Arc<dyn Voice>,
        script: &AssistantScript,
    ) -> Result<Arc<Self>, VoiceError> {
        let fallback = Fallback::prepare(voice.as_ref(), &script.directory).await?;
        let mut openings = Vec::new();
        for opening in AssistantScript::openings() {
            let words = Secret::new((*opening).to_owned());
            if let Some(sound) = rendered(voice.as_ref(), &words).await {
                openings.push((words, sound));
            }
        }
        Ok(Arc::new(Self {
            voice,
            fallback,
            openings,
        }))
    }

    /// The `count`th opening of a call: each in turn.
    pub fn opening(&self, count: usize) -> Option<(Secret<String>, Sound)> {
        let place = count.checked_rem(self.openings.len())?;
        self.openings.get(place).cloned()
    }
}

/// The sentence's sound, if it was rendered ahead.
async fn rendered(voice: &dyn Voice, words: &Secret<String>) -> Option<Sound> {
    match voice.speak(words.clone()).next().await {
        Some(Ok(sound @ Sound::Rendered(_))) => Some(sound),
        _ => None,
    }
}

/// The voice for a new call: the first that has room, or else the last, which always has.
pub(crate) fn for_a_new_call(voices: &[Arc<CallVoice>]) -> Option<&Arc<CallVoice>> {
    let chosen = voices
        .iter()
        .position(|voice| voice.voice.has_room())
        .or(voices.len().checked_sub(1))?;
    if chosen > 0 {
        metrics::counter!("nightlight_calls_in_a_lighter_voice_total").increment(1);
    }
    voices.get(chosen)
}

/// Every sentence of a call that holds nothing of the caller's: the flow's, and what is said when something fails.
pub fn fixed_sentences(script: &AssistantScript) -> Vec<String> {
    let mut sentences = fallback::lines(&script.directory);
    sentences.extend(script.fixed_sentences());
    sentences
}
