//! Whose voices say it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use engines::{Runtime, Threads};
use speech::{NeuralVoice, Secret, SpeechStream, Voice, VoiceError};

const THREADS: Threads = Threads(2);

pub type Caller = (String, Arc<dyn Voice>);

/// Natural voices, at several paces. Making their sound takes most of the measurement: some twenty minutes.
pub fn made_here() -> Vec<Caller> {
    let engines = speech::engines_directory();
    let runtime = Runtime::load(&engines).unwrap_or_else(|error| panic!("{error}"));
    [
        ("af_heart", 1.0),
        ("am_michael", 1.2),
        ("bf_emma", 0.85),
        ("bm_george", 1.0),
    ]
    .into_iter()
    .map(|(name, pace)| {
        let speaker = name.parse().unwrap();
        let voice =
            NeuralVoice::kokoro_at_pace(pace, &engines, &runtime, speaker, THREADS).unwrap();
        (
            format!("{name} at {pace}"),
            Arc::new(voice) as Arc<dyn Voice>,
        )
    })
    .collect()
}

/// Voices that have spoken already: a directory for each under `clips`.
pub fn recorded(clips: &Path) -> Vec<Caller> {
    let mut callers: Vec<Caller> = std::fs::read_dir(clips)
        .expect("the directory of clips can be read")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("index.tsv").is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, Arc::new(Recorded::open(&path)) as Arc<dyn Voice>)
        })
        .collect();
    callers.sort_by(|a, b| a.0.cmp(&b.0));
    callers
}

/// A voice that knows some sentences.
struct Recorded(HashMap<String, Vec<i16>>);

impl Recorded {
    fn open(directory: &Path) -> Self {
        let index = std::fs::read_to_string(directory.join("index.tsv")).unwrap();
        let sentences = index.lines().map(|line| {
            let (file, words) = line
                .split_once('\t')
                .expect("file and words, with a tab between");
            let mut file = hound::WavReader::open(directory.join(file)).unwrap();
            let format = file.spec();
            assert_eq!((format.sample_rate, format.channels), (16_000, 1));
            (
                words.to_owned(),
                file.samples().map(Result::unwrap).collect(),
            )
        });
        Self(sentences.collect())
    }
}

impl Voice for Recorded {
    fn speak(&self, sentence: Secret<String>) -> SpeechStream {
        let words = sentence.expose_secret();
        let spoken = self.0.get(words).cloned();
        SpeechStream::ready([spoken.map(speech::Sound::Samples).ok_or_else(|| {
            VoiceError::EngineFailed {
                reason: format!("there is no clip of \"{words}\""),
            }
        })])
    }
}
