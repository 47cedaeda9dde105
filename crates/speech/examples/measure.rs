//! Measures the embedded engines on what callers say, and prints the figures as JSON.
//!
//!     cargo run --release -p speech --example measure [POOL]
//!
//! Latencies are of one request at a time; throughput is of POOL handles (default 2) with more to hear than they can.
//! The sentences are synthesised first, so the voices' times are measured alone.

#![allow(clippy::unwrap_used)]

#[path = "../tests/callers/mod.rs"]
mod callers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use callers::{espeak, flite, word_errors, words};
use serde_json::{Value, json};
use speech::{
    EngineFiles, FliteVoice, MoonshineTranscriber, Secret, Sound, Standing, Transcriber, Voice,
};
use tokio::task::JoinSet;

const SENTENCES: [&str; 26] = [
    "Yes.",
    "No.",
    "Help me.",
    "I can't talk right now.",
    "He is outside the door.",
    "My husband hit me.",
    "My husband is drunk and he has a knife.",
    "He said he would kill me if I left.",
    "He grabbed me by the neck and I could not breathe.",
    "I don't want to live any more.",
    "Everyone would be better off without me.",
    "I have taken a lot of pills.",
    "I have been giving my things away.",
    "Is there somewhere safe I can stay tonight?",
    "I have locked myself in the bathroom with my daughter.",
    "My boss touched me and told me to keep quiet.",
    "My father shouts at me every day and calls me names.",
    "I am fifteen years old.",
    "My mother takes all of my pension money.",
    "She is seventy two and she cannot look after herself.",
    "It happened last night, after dinner.",
    "The last time was on the third of November.",
    "I would rather not give my name.",
    "I live in Bedok, near the market.",
    "Please do not tell my mother that I called.",
    "Yes, you can share my case with them.",
];
const CALLERS: [&str; 4] = ["slt", "rms", "awb", "espeak-ng"];

fn main() {
    let pool = std::env::args()
        .nth(1)
        .map_or(2, |n| n.parse().expect("POOL is a number"))
        .max(1);
    let figures = tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(measure(pool));
    println!("{figures:#}");
}

async fn measure(pool: usize) -> Value {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let start = Instant::now();
    let engine = Arc::new(MoonshineTranscriber::load(&files, pool).unwrap());
    let load = start.elapsed();

    let mut clips = Vec::new();
    for caller in CALLERS {
        for sentence in SENTENCES {
            let samples: Arc<[i16]> = match caller {
                "espeak-ng" => espeak("en-gb", 160, sentence).into(),
                voice => flite(voice, 1.0, sentence).await.into(),
            };
            clips.push((caller, sentence, samples));
        }
    }
    json!({
        "transcriber": {
            "engine": "moonshine base-en while the line is quiet, tiny-en else",
            "pool": pool,
            "load_ms": ms(load),
            "one_at_a_time": one_at_a_time(&engine, &clips).await,
            "all_at_once": all_at_once(&engine, pool, &clips).await,
        },
        "voices": [voice("slt").await, voice("rms").await],
    })
}

type Clip = (&'static str, &'static str, Arc<[i16]>);

async fn one_at_a_time(engine: &MoonshineTranscriber, clips: &[Clip]) -> Value {
    let mut latencies = Vec::new();
    let mut audio = 0.0;
    let mut sentences = Vec::new();
    let mut totals = CALLERS.map(|caller| (caller, 0, 0));
    for (caller, said, samples) in clips {
        // A call's pace: to one who is asked without a pause the line is busy, and hears less well.
        tokio::time::sleep(Duration::from_secs_f64(seconds(samples))).await;
        let start = Instant::now();
        let heard = engine
            .transcribe(Arc::clone(samples), Standing::Ordinary)
            .await
            .unwrap();
        let latency = start.elapsed();
        latencies.push(latency);
        audio += seconds(samples);
        let heard = heard.expose_secret();
        let (errors, count) = (word_errors(said, heard), words(said).len());
        for total in totals.iter_mut().filter(|total| total.0 == *caller) {
            total.1 += errors;
            total.2 += count;
        }
        sentences.push(json!({
            "caller": caller,
            "said": said,
            "heard": heard,
            "word_error_rate": rate(errors, count),
            "audio_s": round(seconds(samples)),
            "latency_ms": ms(latency),
        }));
    }
    let busy: Duration = latencies.iter().sum();
    let by_caller: serde_json::Map<String, Value> = totals
        .iter()
        .map(|(caller, errors, count)| ((*caller).to_owned(), rate(*errors, *count)))
        .collect();
    json!({
        "audio_s": round(audio),
        "real_time_factor": round(busy.as_secs_f64() / audio),
        "latency_ms": percentiles(latencies),
        "word_error_rate": by_caller,
        "word_error_rate_of_all": rate(
            totals.iter().map(|(_, errors, _)| errors).sum(),
            totals.iter().map(|(_, _, count)| count).sum(),
        ),
        "sentences": sentences,
    })
}

/// So many askers for each handle that what waits is always heard together.
const ASKERS: usize = 6;

async fn all_at_once(engine: &Arc<MoonshineTranscriber>, pool: usize, clips: &[Clip]) -> Value {
    let start = Instant::now();
    let mut askers = JoinSet::new();
    for share in clips.chunks(clips.len().div_ceil(pool * ASKERS)) {
        let (engine, share) = (Arc::clone(engine), share.to_vec());
        askers.spawn(async move {
            let (mut errors, mut count) = (0, 0);
            for (_, said, samples) in share {
                let heard = engine
                    .transcribe(samples, Standing::Ordinary)
                    .await
                    .unwrap();
                errors += word_errors(said, heard.expose_secret());
                count += words(said).len();
            }
            (errors, count)
        });
    }
    let wrong = askers.join_all().await;
    let elapsed = start.elapsed();
    let audio: f64 = clips.iter().map(|(_, _, samples)| seconds(samples)).sum();
    json!({
        "audio_s": round(audio),
        "elapsed_ms": ms(elapsed),
        "times_real_time": round(audio / elapsed.as_secs_f64()),
        "word_error_rate": rate(
            wrong.iter().map(|(errors, _)| errors).sum(),
            wrong.iter().map(|(_, count)| count).sum(),
        ),
    })
}

/// Times of sentences not said before, so that none comes from memory.
async fn voice(name: &str) -> Value {
    let voice = FliteVoice::named(name).unwrap().at_pace(0.99);
    let (mut firsts, mut wholes, mut audio) = (Vec::new(), Vec::new(), 0.0);
    for sentence in SENTENCES {
        let start = Instant::now();
        let mut stream = voice.speak(Secret::new(sentence.to_owned()));
        let mut first = None;
        while let Some(chunk) = stream.next().await {
            first.get_or_insert_with(|| start.elapsed());
            let Sound::Samples(samples) = chunk.unwrap() else {
                unreachable!("flite renders nothing ahead");
            };
            audio += seconds(&samples);
        }
        firsts.push(first.unwrap());
        wholes.push(start.elapsed());
    }
    let busy: Duration = wholes.iter().sum();
    json!({
        "voice": name,
        "audio_s": round(audio),
        "real_time_factor": round(busy.as_secs_f64() / audio),
        "first_chunk_ms": percentiles(firsts),
        "whole_sentence_ms": percentiles(wholes),
    })
}

fn seconds(samples: &[i16]) -> f64 {
    samples.len() as f64 / f64::from(speech::SAMPLE_RATE)
}

fn percentiles(mut times: Vec<Duration>) -> Value {
    times.sort();
    let at = |share: f64| ms(times[((times.len() - 1) as f64 * share).round() as usize]);
    json!({ "p50": at(0.5), "p95": at(0.95), "max": at(1.0) })
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

fn rate(errors: usize, count: usize) -> Value {
    json!(round(errors as f64 / count as f64))
}

fn round(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}
