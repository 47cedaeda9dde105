//! Whose voices say it.

use std::sync::Arc;

use engines::{Runtime, Threads};
use speech::{NeuralVoice, Voice};

pub type Caller = (String, Arc<dyn Voice>);

/// A pace of 1 is the speaker's own.
const CALLERS: [(&str, f32); 4] = [
    ("af_heart", 1.0),
    ("am_michael", 1.2),
    ("bf_emma", 0.85),
    ("bm_george", 1.0),
];

/// Natural voices, at several paces. Making their sound takes most of the measurement.
pub fn all() -> Vec<Caller> {
    let engines = speech::engines_directory();
    let runtime = Runtime::load(&engines).unwrap_or_else(|error| panic!("{error}"));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    CALLERS
        .into_iter()
        .map(|(name, pace)| {
            let speaker = name.parse().unwrap();
            let voice =
                NeuralVoice::kokoro_at_pace(pace, &engines, &runtime, speaker, Threads(cores))
                    .unwrap_or_else(|error| panic!("{error}"));
            (
                format!("{name} at {pace}"),
                Arc::new(voice) as Arc<dyn Voice>,
            )
        })
        .collect()
}
