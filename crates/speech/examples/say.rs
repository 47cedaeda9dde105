//! Says each line of its input with a voice, into WAV files, and how long that took:
//! `cargo run --release -p speech --example say -- af_heart DIRECTORY < lines.txt`
#![allow(clippy::unwrap_used)]

use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

use engines::{Runtime, Threads, usual_directory};
use speech::{FliteVoice, NeuralVoice, SAMPLE_RATE, Secret, Sound, Voice};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap();
    let place = arguments.next().unwrap();
    let voice = voice(&name);
    std::fs::create_dir_all(&place).unwrap();
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.unwrap();
        let asked = Instant::now();
        let mut stream = voice.speak(Secret::new(line.clone()));
        let (mut first, mut samples) = (None, Vec::new());
        while let Some(chunk) = stream.next().await {
            first.get_or_insert(asked.elapsed());
            match chunk.unwrap() {
                Sound::Samples(chunk) => samples.extend(chunk),
                Sound::Rendered(rendering) => samples.extend(rendering.decoded().unwrap()),
            }
        }
        let lasts = samples.len() as f64 / f64::from(SAMPLE_RATE);
        let took = asked.elapsed().as_secs_f64();
        println!(
            "{number:03} first {:.2} s, all {took:.2} s, lasts {lasts:.2} s, factor {:.2}: {line}",
            first.unwrap_or_default().as_secs_f64(),
            took / lasts,
        );
        write(
            &Path::new(&place).join(format!("{number:03}.wav")),
            &samples,
        );
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    println!(
        "{}",
        status
            .lines()
            .find(|line| line.starts_with("VmHWM"))
            .unwrap()
    );
}

fn voice(name: &str) -> Box<dyn Voice> {
    if let Ok(voice) = FliteVoice::named(name) {
        return Box::new(voice);
    }
    let engines = usual_directory();
    let runtime = Runtime::load(&engines).unwrap();
    let threads = std::env::var("THREADS").map_or(1, |count| count.parse().unwrap());
    let threads = Threads(threads);
    Box::new(match name {
        "joe" => NeuralVoice::piper(&engines, &runtime, threads).unwrap(),
        name => NeuralVoice::kokoro(&engines, &runtime, name.parse().unwrap(), threads).unwrap(),
    })
}

fn write(path: &Path, samples: &[i16]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, spec).unwrap();
    for sample in samples {
        file.write_sample(*sample).unwrap();
    }
    file.finalize().unwrap();
}
