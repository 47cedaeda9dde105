//! A voice by its name, with sentences made as the fixed ones of a call are: whole, and sent as Opus.

use engines::{Runtime, Threads, usual_directory};
use speech::{FliteVoice, NeuralVoice, Packs, RenderedVoice, Rendering, Secret, Voice};
use tempfile::TempDir;

pub enum Named {
    /// Renders into a directory of its own, so that it finds nothing made before.
    Rendered(
        RenderedVoice,
        #[expect(dead_code, reason = "kept as long")] TempDir,
    ),
    AsItSpeaks(Box<dyn Voice>),
}

impl Named {
    pub fn load(name: &str) -> Self {
        if let Ok(voice) = FliteVoice::named(name) {
            return Self::AsItSpeaks(Box::new(voice));
        }
        let engines = usual_directory();
        let runtime = Runtime::load(&engines).unwrap_or_else(|error| panic!("{error}"));
        if name == "joe" {
            let voice = NeuralVoice::piper(&engines, &runtime, Threads(1));
            return Self::AsItSpeaks(Box::new(voice.unwrap_or_else(|error| panic!("{error}"))));
        }
        let speaker = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let voice = NeuralVoice::kokoro(&engines, &runtime, speaker, Threads(1))
            .unwrap_or_else(|error| panic!("{error}"));
        let directory = tempfile::tempdir().unwrap();
        let packs = Packs {
            shipped: directory.path().join("shipped.pack"),
            own: directory.path().join("own.pack"),
        };
        Self::Rendered(RenderedVoice::open(voice, &packs).unwrap(), directory)
    }

    /// The sentence as a caller receives it, with the voice's own pause after it.
    pub async fn spoken(&self, sentence: &str) -> Vec<i16> {
        let words = Secret::new(sentence.to_owned());
        match self {
            Self::Rendered(voice, _) => {
                voice.render(sentence).await.unwrap();
                voice.speak(words).collect().await.unwrap()
            }
            Self::AsItSpeaks(voice) => {
                let samples = voice.speak(words).collect().await.unwrap();
                Rendering::of(&samples).unwrap().decoded().unwrap()
            }
        }
    }
}
