//! Engines that answer by a script.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use flow::Secret;
use speech::{
    Rendering, Sound, SpeechStream, Standing, TranscribeError, Transcriber, Voice, VoiceError,
};
use tokio::sync::mpsc;

use super::{Engine, Stage};

pub(super) struct ScriptedTranscriber {
    pub(super) stage: Arc<Stage>,
    pub(super) engine: Engine,
}

#[async_trait]
impl Transcriber for ScriptedTranscriber {
    async fn transcribe(
        &self,
        _samples: Arc<[i16]>,
        standing: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        {
            let mut log = self.stage.log.lock().expect("unpoisoned");
            log.transcriptions += 1;
            log.standings.push(standing);
        }
        // Virtual time: the clock is paused.
        tokio::time::sleep(Duration::from_millis(80)).await;
        match self.engine {
            Engine::Works => {
                let words = *self.stage.words.lock().expect("unpoisoned");
                Ok(Secret::new(words.to_owned()))
            }
            Engine::Fails => Err(TranscribeError::Busy),
            Engine::NeverAnswers | Engine::Late => std::future::pending().await,
            Engine::Panics => panic!("the engine broke"),
            Engine::KeepsOnlyWhatIsAlwaysSaid
            | Engine::BreaksOff
            | Engine::IsBusyWithAllElse
            | Engine::TakesForAllElse(_) => {
                unreachable!("a transcriber keeps nothing")
            }
        }
    }
}

pub(super) type Chunks = mpsc::UnboundedSender<Result<Sound, VoiceError>>;

/// Longer than the planned wait, shorter than the bound for a greeting to begin.
const LATE: Duration = Duration::from_millis(3_600);

/// Speaks a buzz as long as the sentence would take. About half of the sentences are rendered ahead, as what is always
/// said is: every rule of a call holds for both, and for a reply that has some of each.
pub(super) struct ScriptedVoice {
    pub(super) engine: Mutex<Engine>,
    /// What is always said.
    pub(super) kept: HashSet<String>,
    /// Ends of streams that stay open without a sound.
    pub(super) unanswered: Mutex<Vec<Chunks>>,
    pub(super) spoken_to: Mutex<Vec<(Standing, String)>>,
}

impl Voice for ScriptedVoice {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        let words = sentence.expose_secret().clone();
        let mut spoken_to = self.spoken_to.lock().expect("unpoisoned");
        spoken_to.push((standing, words));
        drop(spoken_to);
        let engine = *self.engine.lock().expect("unpoisoned");
        match engine {
            Engine::Works => {
                let samples = buzz(&sentence);
                SpeechStream::ready([Ok(sound(&sentence, samples))])
            }
            Engine::Late => later(sentence, LATE),
            _ if engine.keeps_what_is_always_said()
                && self.kept.contains(sentence.expose_secret()) =>
            {
                SpeechStream::ready([Ok(rendered(&buzz(&sentence)))])
            }
            Engine::KeepsOnlyWhatIsAlwaysSaid => SpeechStream::ready([Err(VoiceError::Busy)]),
            Engine::BreaksOff => {
                let begun = buzz(&Secret::new("half a second".to_owned()));
                SpeechStream::ready([
                    Ok(Sound::Samples(begun[..8_000].to_vec())),
                    Err(VoiceError::Busy),
                ])
            }
            Engine::TakesForAllElse(time) => later(sentence, time),
            Engine::NeverAnswers | Engine::IsBusyWithAllElse => {
                let (sender, stream) = SpeechStream::channel();
                self.unanswered.lock().expect("unpoisoned").push(sender);
                stream
            }
            Engine::Fails | Engine::Panics => SpeechStream::ready([Err(VoiceError::Busy)]),
        }
    }

    fn begins_within(&self, _: Standing, sentence: &Secret<String>, within: Duration) -> bool {
        match *self.engine.lock().expect("unpoisoned") {
            Engine::TakesForAllElse(time) => {
                self.kept.contains(sentence.expose_secret()) || time <= within
            }
            _ => self.has_room(),
        }
    }
}

/// The sentence's sound after so long.
fn later(sentence: Secret<String>, time: Duration) -> SpeechStream {
    let (sender, stream) = SpeechStream::channel();
    tokio::spawn(async move {
        // Virtual time: the clock is paused.
        tokio::time::sleep(time).await;
        let _ = sender.send(Ok(Sound::Samples(buzz(&sentence))));
    });
    stream
}

fn sound(sentence: &Secret<String>, samples: Vec<i16>) -> Sound {
    let words = sentence.expose_secret();
    match words.len().is_multiple_of(2) {
        true => rendered(&samples),
        false => Sound::Samples(samples),
    }
}

fn rendered(samples: &[i16]) -> Sound {
    Sound::Rendered(Arc::new(Rendering::of(samples).expect("Opus works")))
}

fn buzz(sentence: &Secret<String>) -> Vec<i16> {
    let samples = sentence.expose_secret().split_whitespace().count() * 16_000 * 3 / 10;
    (0..samples)
        .map(|i| if i / 40 % 2 == 0 { 4000 } else { -4000 })
        .collect()
}
