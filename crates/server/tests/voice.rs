//! What the default voice always says: it ships rendered, all of it, and a listener understands it.
#![allow(clippy::unwrap_used)]

#[path = "voice/understood.rs"]
mod understood;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use flow::AssistantScript;
use server::settings::{Settings, VoiceName};
use server::voices::kokoro;
use speech::{
    EngineFiles, MoonshineTranscriber, RenderedVoice, Secret, Sound, Standing, Transcriber, Voice,
};

/// Said wrongly in more than this share of the sentences means that a listener does not follow.
const UNCLEAR: f64 = 0.02;

static VOICE: LazyLock<(RenderedVoice, tempfile::TempDir)> = LazyLock::new(|| {
    let own = tempfile::tempdir().unwrap();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let settings = Settings::from_sources(
        Some(&format!(
            "engine_dir = '{}'\nvoices_dir = '{}'\nrendered_dir = '{}'",
            engines::usual_directory().display(),
            own.path().display(),
            checkout.join("crates/speech/rendered").display(),
        )),
        [],
    )
    .unwrap();
    let VoiceName::Kokoro(speaker) = settings.voice.name else {
        panic!("the default voice is one that ships rendered");
    };
    let voice = kokoro(speaker, &settings.engine_dir, &settings.voice).unwrap();
    (voice, own)
});

fn fixed() -> Vec<String> {
    call::fixed_sentences(&AssistantScript::built_in())
}

#[test]
fn everything_that_is_always_said_ships_rendered() {
    let missing = VOICE.0.missing(fixed());
    assert!(
        missing.is_empty(),
        "{} sentences are not rendered: run `make voice` and commit {:#?}",
        missing.len(),
        &missing[..missing.len().min(5)]
    );
}

#[tokio::test]
async fn what_ships_rendered_is_understood_by_who_hears_it() {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let transcriber = Arc::new(MoonshineTranscriber::load(&files, cores).unwrap());
    let mut heard = tokio::task::JoinSet::new();
    let slots = Arc::new(tokio::sync::Semaphore::new(cores * 2));
    for sentence in fixed() {
        let stream = VOICE.0.speak(Secret::new(sentence.clone()));
        let transcriber = Arc::clone(&transcriber);
        let slots = Arc::clone(&slots);
        heard.spawn(async move {
            let _slot = slots.acquire_owned().await.unwrap();
            let samples: Arc<[i16]> = stream.collect().await.unwrap().into();
            let words = transcriber
                .transcribe(samples, Standing::Ordinary)
                .await
                .unwrap();
            (sentence, words.expose_secret().clone())
        });
    }
    let (mut count, mut unclear) = (0, Vec::new());
    while let Some(outcome) = heard.join_next().await {
        let (said, heard) = outcome.unwrap();
        count += 1;
        let wrong = understood::wrong_words(&said, &heard);
        assert!(
            wrong.len() < understood::TOO_MANY,
            "{said:?} is heard as {heard:?}: {wrong:?}"
        );
        if !wrong.is_empty() {
            unclear.push(format!("{said:?} is heard as {heard:?}: {wrong:?}"));
        }
    }
    let share = unclear.len() as f64 / count as f64;
    assert!(
        share <= UNCLEAR,
        "{} of {count} sentences are not understood: {unclear:#?}",
        unclear.len()
    );
}

#[tokio::test]
async fn a_rendered_sentence_comes_whole_and_at_once() {
    let sentence = fixed().swap_remove(2);
    let mut stream = VOICE.0.speak(Secret::new(sentence));
    let sound = stream.next().await.unwrap().unwrap();
    assert!(matches!(sound, Sound::Rendered(rendering) if rendering.packets() > 20));
    assert!(stream.next().await.is_none());
}
