//! What a machine can tell of a voice, and its samples. One voice a run, so that the memory is its own.
//!
//!     cargo run --release -p speech --example voices -- judge af_heart [SENTENCES]
//!     cargo run --release -p speech --example voices -- sample af_heart FILE.wav < lines.txt
//!     cargo run --release -p speech --example voices -- say am_michael DIRECTORY < lines.txt
//!
//! `sample` says what is always said, into one file; `say` anything, a line a file: 0.wav, 1.wav and so on.
//! `judge` prints JSON: how well the transcriber understands the voice, its pitch, pace and level, and what it costs.
//! It cannot tell whether anybody would want to hear it. Every sound is heard as a caller receives it: through Opus.
#![allow(clippy::unwrap_used)]

#[path = "../../tests/callers/mod.rs"]
mod callers;
mod cost;
mod named;
mod pitch;
mod sentences;

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use callers::{word_errors, words};
use named::Named;
use serde_json::{Value, json};
use speech::{EngineFiles, MoonshineTranscriber, SAMPLE_RATE, Standing, Transcriber};

const SENTENCES: usize = 40;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next();
    match (next().as_deref(), next(), next()) {
        (Some("judge"), Some(voice), count) => {
            let count = count.map_or(SENTENCES, |count| {
                count.parse().expect("SENTENCES is a number")
            });
            println!("{:#}", judge(&voice, count).await);
        }
        (Some("sample"), Some(voice), Some(file)) => {
            let voice = Named::load(&voice);
            let mut samples = Vec::new();
            for line in std::io::stdin().lock().lines() {
                let line = line.unwrap();
                assert!(
                    sentences::is_always_said(&line),
                    "the flow no longer says {line:?}: change web/src/pages/demo/voices/script.ts"
                );
                samples.extend(voice.spoken(&line).await);
            }
            write(Path::new(&file), &samples);
        }
        (Some("say"), Some(voice), Some(directory)) => {
            let voice = Named::load(&voice);
            for (number, line) in std::io::stdin().lock().lines().enumerate() {
                let file = Path::new(&directory).join(format!("{number}.wav"));
                write(&file, &voice.spoken(&line.unwrap()).await);
            }
        }
        _ => panic!(
            "say `judge VOICE [SENTENCES]`, `sample VOICE FILE.wav` or `say VOICE DIRECTORY`"
        ),
    }
}

async fn judge(name: &str, count: usize) -> Value {
    let sentences = sentences::chosen(count);
    let voice = Named::load(name);
    let loaded = cost::processor_seconds();
    let mut spoken = Vec::new();
    for sentence in &sentences {
        spoken.push(voice.spoken(sentence).await);
    }
    let worked = cost::processor_seconds() - loaded;
    // Before the transcriber takes its own.
    let memory = cost::most_memory_mb();
    let lasts: f64 = spoken.iter().map(|samples| seconds(samples)).sum();

    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let transcriber = MoonshineTranscriber::load(&files, 1).unwrap();
    let (mut errors, mut said) = (0, 0);
    let mut misheard = Vec::new();
    let (mut syllables, mut talking, mut frames, mut levels) = (0, 0.0, Vec::new(), Vec::new());
    for (sentence, samples) in sentences.iter().zip(spoken) {
        let samples = callers::trimmed(&samples);
        said += words(sentence).len();
        syllables += sentences::syllables(sentence);
        talking += seconds(&samples);
        frames.extend(pitch::hertz(&samples));
        levels.push(pitch::level(&samples));
        let heard = transcriber
            .transcribe(Arc::from(samples), Standing::Ordinary)
            .await
            .unwrap();
        let heard = heard.expose_secret();
        let wrong = word_errors(sentence, heard);
        errors += wrong;
        if wrong > 0 {
            misheard.push(json!({"said": sentence, "heard": heard, "word_errors": wrong}));
        }
    }
    frames.sort_by(f64::total_cmp);
    levels.sort_by(f64::total_cmp);
    json!({
        "voice": name,
        "sentences": sentences.len(),
        "words": said,
        "word_errors": errors,
        "word_error_rate": rounded(errors as f64 / said as f64, 4),
        "pitch_hz": {
            "mean": rounded(frames.iter().sum::<f64>() / frames.len() as f64, 0),
            "p10": rounded(at(&frames, 0.1), 0),
            "p90": rounded(at(&frames, 0.9), 0),
        },
        "pitch_range_semitones": rounded(12.0 * (at(&frames, 0.9) / at(&frames, 0.1)).log2(), 1),
        "words_a_minute": rounded(said as f64 / talking * 60.0, 0),
        "syllables_a_second": rounded(syllables as f64 / talking, 2),
        "level_dbfs": rounded(at(&levels, 0.5), 1),
        "processor_seconds_a_second": rounded(worked / lasts, 3),
        "most_memory_mb": memory,
        "sound_s": rounded(lasts, 1),
        "misheard": misheard,
    })
}

fn seconds(samples: &[i16]) -> f64 {
    samples.len() as f64 / f64::from(SAMPLE_RATE)
}

fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[(share * (sorted.len() - 1) as f64).round() as usize]
}

fn rounded(figure: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (figure * scale).round() / scale
}

fn write(file: &Path, samples: &[i16]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(file, spec).unwrap();
    for sample in samples {
        file.write_sample(*sample).unwrap();
    }
    file.finalize().unwrap();
}
