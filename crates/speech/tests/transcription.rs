//! What the embedded transcriber hears of synthesised callers. Real engine, real speech.

#![allow(clippy::unwrap_used)]

mod callers;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use callers::{espeak, flite, trimmed, word_errors, words};
use speech::{
    EngineFiles, MissingEngine, MoonshineTranscriber, Standing, TranscribeError, Transcriber,
};
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::JoinSet;

/// One engine for all tests of this file that any model serves: a model takes 120 MB.
static ENGINE: LazyLock<Arc<MoonshineTranscriber>> = LazyLock::new(|| Arc::new(load(2)));

/// Tests take turns: each is to be answered within the engine's time limit, on two cores.
async fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    TURN.lock().await
}

fn load(pool: usize) -> MoonshineTranscriber {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    MoonshineTranscriber::load(&files, pool).unwrap()
}

async fn heard(samples: &[i16]) -> String {
    heard_by(&ENGINE, samples).await
}

/// What a line hears on which nobody has spoken before: the fuller model is for quiet times.
async fn heard_in_quiet(samples: &[i16]) -> String {
    heard_by(&load(1), samples).await
}

async fn heard_by(engine: &MoonshineTranscriber, samples: &[i16]) -> String {
    let words = engine
        .transcribe(samples.into(), Standing::Ordinary)
        .await
        .unwrap();
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
    let _turn = turn().await;
    for (word, opposite) in [("yes", "no"), ("no", "yes")] {
        let mut callers = Vec::new();
        for (voice, pace) in [("slt", 1.25), ("rms", 1.0), ("rms", 1.4), ("kal", 1.0)] {
            callers.push((voice, trimmed(&flite(voice, pace, word).await)));
        }
        callers.push(("en-gb", trimmed(&espeak("en-gb", 250, word))));
        callers.push(("en-us+f3", trimmed(&espeak("en-us+f3", 250, word))));
        let (mut right, mut shortest) = (0, usize::MAX);
        for (voice, samples) in &callers {
            let milliseconds = samples.len() / 16;
            let heard = heard(samples).await;
            println!("{voice}: {word}, {milliseconds} ms: {heard:?}");
            assert!(
                !words(&heard).contains(&opposite.to_owned()),
                "{voice} said {word}"
            );
            if words(&heard) == [word] {
                right += 1;
                shortest = shortest.min(milliseconds);
            }
        }
        // flite never says a word twice alike, so one of them may be misheard: the assistant
        // asks again. The opposite must never be heard.
        assert!(
            right + 1 >= callers.len(),
            "{word}: {right} of {}",
            callers.len()
        );
        assert!(
            shortest < 300,
            "{word}: the shortest heard had {shortest} ms"
        );
    }
}

/// flite never says a sentence twice alike, and one time in thirty says so much of it badly that a bound on one take fails:
/// judged is how the engine hears a voice, over several. A voice keeps what it has said, so no two have the same pace.
async fn takes(voice: &str, sentence: &str) -> Vec<Vec<i16>> {
    let mut takes = Vec::new();
    for pace in [1.0, 0.998, 1.002, 0.996, 1.004] {
        takes.push(flite(voice, pace, sentence).await);
    }
    takes
}

#[tokio::test]
async fn sentences_of_a_caller_in_distress_are_heard() {
    let _turn = turn().await;
    // The bounds are about twice what was measured: they hold the engine's quality, not luck.
    for (caller, bound) in [("slt", 0.12), ("rms", 0.12), ("espeak-ng", 0.18)] {
        let (mut errors, mut count) = (0, 0);
        for sentence in SENTENCES {
            let takes = match caller {
                "espeak-ng" => vec![espeak("en-gb", 150, sentence)],
                voice => takes(voice, sentence).await,
            };
            for samples in takes {
                let heard = heard(&samples).await;
                println!("{caller}: {sentence:?} heard as {heard:?}");
                errors += word_errors(sentence, &heard);
                count += words(sentence).len();
            }
        }
        let rate = errors as f64 / count as f64;
        println!("{caller}: word error rate {rate:.3}");
        assert!(rate <= bound, "{caller}: word error rate {rate:.3}");
    }
}

/// All the sentences one after another: about half a minute with hardly a pause.
async fn a_long_story() -> Vec<i16> {
    let mut samples = Vec::new();
    for sentence in SENTENCES {
        samples.extend(flite("slt", 1.0, sentence).await);
    }
    samples
}

#[tokio::test]
async fn a_long_stretch_of_speech_is_heard_to_its_end() {
    let _turn = turn().await;
    let samples = a_long_story().await;
    let said = SENTENCES.join(" ");
    let heard = heard(&samples).await;
    let rate = word_errors(&said, &heard) as f64 / words(&said).len() as f64;
    println!(
        "{} s: {heard:?}, word error rate {rate:.3}",
        samples.len() / 16_000
    );
    assert!(rate <= 0.15, "word error rate {rate:.3}");
}

/// Transcribes both at once, the long one asked for first; says which was heard first.
async fn first_heard(
    engine: &Arc<MoonshineTranscriber>,
    long: Vec<i16>,
    short: Vec<i16>,
) -> &'static str {
    let mut answers = JoinSet::new();
    for (name, samples) in [("long", long), ("short", short)] {
        let engine = Arc::clone(engine);
        answers.spawn(async move {
            engine
                .transcribe(samples.into(), Standing::Ordinary)
                .await
                .is_ok()
                .then_some(name)
        });
    }
    loop {
        // What has waited too long was not heard first.
        if let Some(name) = answers.join_next().await.unwrap().unwrap() {
            return name;
        }
    }
}

#[tokio::test]
async fn a_pool_of_two_answers_a_short_yes_while_a_long_story_is_at_work() {
    let _turn = turn().await;
    let (long, short) = (a_long_story().await, flite("slt", 1.0, "yes").await);
    assert_eq!(
        first_heard(&ENGINE, long.clone(), short.clone()).await,
        "short"
    );

    let one = Arc::new(load(1));
    assert_eq!(
        first_heard(&one, long, short).await,
        "long",
        "one handle takes turns"
    );
}

#[tokio::test]
async fn a_full_queue_is_an_error_at_once_and_the_rest_is_still_heard() {
    let _turn = turn().await;
    let engine = Arc::new(load(1));
    let samples: Arc<[i16]> = flite("slt", 1.0, "yes").await.into();
    let mut answers = JoinSet::new();
    for _ in 0..80 {
        let (engine, samples) = (Arc::clone(&engine), Arc::clone(&samples));
        answers.spawn(async move { engine.transcribe(samples, Standing::Ordinary).await });
    }
    let (mut busy, mut heard) = (0, 0);
    while busy == 0 || heard == 0 {
        match answers.join_next().await.unwrap().unwrap() {
            Ok(_) => heard += 1,
            Err(TranscribeError::Busy) => busy += 1,
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn more_than_a_minute_at_once_is_refused() {
    let _turn = turn().await;
    let minute_and_a_second = vec![0; 61 * 16_000];
    let refused = ENGINE
        .transcribe(minute_and_a_second.into(), Standing::Ordinary)
        .await
        .unwrap_err();
    assert!(matches!(
        refused,
        TranscribeError::TooLong { seconds: 61, .. }
    ));
}

#[tokio::test]
async fn an_age_alone_is_heard() {
    let _turn = turn().await;
    for (age, figures) in [("Twenty-nine.", "29"), ("Forty-five.", "45")] {
        let heard = heard_in_quiet(&flite("slt", 1.0, age).await).await;
        println!("{age} heard as {heard:?}");
        let in_words = words(&age.replace('-', " "));
        assert!(
            words(&heard) == [figures] || words(&heard) == in_words,
            "{age} heard as {heard:?}"
        );
    }
}

/// A voice that breaks off and begins again, of one pitch that rises and falls a little: no words.
fn sobs(seconds: f32) -> Vec<i16> {
    use std::f32::consts::TAU;
    let mut phase = 0.0;
    let sample = |number: usize| {
        let time = number as f32 / 16_000.0;
        phase += (220.0 + 40.0 * (TAU * 2.0 * time).sin()) / 16_000.0;
        let voice: f32 = (1..8)
            .map(|harmonic| (TAU * phase * harmonic as f32).sin() / harmonic as f32)
            .sum();
        let is_sobbing = (TAU * 2.5 * time).sin() > 0.0;
        if is_sobbing {
            (voice * 1_500.0) as i16
        } else {
            0
        }
    };
    (0..(seconds * 16_000.0) as usize).map(sample).collect()
}

#[tokio::test]
async fn sobs_are_no_words() {
    let _turn = turn().await;
    for seconds in [0.3, 0.6, 1.0, 2.0, 4.0] {
        let heard = heard_in_quiet(&sobs(seconds)).await;
        assert_eq!(heard, "", "{seconds} s");
    }
}

#[tokio::test]
async fn no_audio_at_all_is_no_words() {
    let _turn = turn().await;
    assert_eq!(heard(&[]).await, "");
}

#[test]
fn a_truncated_model_is_an_error_and_never_reaches_the_library() {
    let whole = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let engine = whole.directory();
    let copy = tempfile::tempdir().unwrap();
    let name = engine.file_name().unwrap();
    link_all(engine, &copy.path().join(name));
    EngineFiles::locate(copy.path()).unwrap();

    let model = "moonshine_voice/assets/tiny-en/encoder_model.ort";
    let truncated = copy.path().join(name).join(model);
    let content = std::fs::read(&truncated).unwrap();
    std::fs::remove_file(&truncated).unwrap();
    std::fs::write(&truncated, &content[..content.len() / 2]).unwrap();

    let error = EngineFiles::locate(copy.path()).unwrap_err();
    assert_eq!(error, MissingEngine::Damaged { file: truncated });
    assert!(error.to_string().contains("make setup"));
}

/// The same tree of directories with every file a symbolic link.
fn link_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            link_all(&entry.path(), &target);
        } else {
            std::os::unix::fs::symlink(entry.path(), target).unwrap();
        }
    }
}
