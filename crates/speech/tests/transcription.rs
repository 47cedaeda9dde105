//! What the embedded transcriber hears of synthesised callers. Real engine, real speech.

#![allow(clippy::unwrap_used)]

mod support;

use std::sync::{Arc, LazyLock};

use speech::{EngineFiles, MissingEngine, MoonshineTranscriber, TranscribeError, Transcriber};
use support::{espeak, flite, trimmed, word_errors, words};
use tokio::task::JoinSet;

/// One engine for all tests of this file: a model takes 120 MB.
static ENGINE: LazyLock<Arc<MoonshineTranscriber>> = LazyLock::new(|| Arc::new(load(2)));

fn load(pool: usize) -> MoonshineTranscriber {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    MoonshineTranscriber::load(&files, pool).unwrap()
}

async fn heard(samples: &[i16]) -> String {
    let words = ENGINE.transcribe(samples.into()).await.unwrap();
    words.expose_secret().clone()
}

const SENTENCES: [&str; 10] = [
    "My husband is drunk and he is shouting at the children.",
    "I don't want to live any more.",
    "Is there somewhere safe I can stay tonight?",
    "He said he would kill me if I left.",
    "My father shouts at me every day and calls me names.",
    "I am fifteen years old.",
    "Please do not tell my mother that I called.",
    "I have locked myself in the bathroom.",
    "It happened last night, after dinner.",
    "Yes, you can share my case with them.",
];

#[tokio::test]
async fn a_short_yes_or_no_is_heard() {
    for word in ["yes", "no"] {
        let mut callers = Vec::new();
        for (voice, pace) in [("slt", 1.25), ("rms", 1.0), ("rms", 1.6), ("kal", 1.0)] {
            callers.push((voice, trimmed(&flite(voice, pace, word).await)));
        }
        callers.push(("en-gb", trimmed(&espeak("en-gb", 250, word))));
        callers.push(("en-us+f3", trimmed(&espeak("en-us+f3", 250, word))));
        for (voice, samples) in callers {
            let milliseconds = samples.len() / 16;
            let heard = heard(&samples).await;
            println!("{voice}: {word}, {milliseconds} ms: {heard:?}");
            assert_eq!(words(&heard), [word], "{voice}, {milliseconds} ms");
        }
    }
}
