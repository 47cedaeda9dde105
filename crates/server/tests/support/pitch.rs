//! Tells voices apart by how high they are.

use redact::Secret;
use speech::{FliteVoice, Voice};

const RATE: usize = 16_000;

/// The one of these two of flite's that is heard.
pub async fn heard_of<'v>(heard: &[i16], voices: [&'v str; 2]) -> &'v str {
    let pitch = median_pitch(heard);
    let mut nearest = (f64::INFINITY, "");
    for name in voices {
        let sentence = String::from("I'm an AI counsellor, and I'm here to listen.");
        let voice = FliteVoice::named(name).unwrap();
        let sound = voice.speak(Secret::new(sentence)).collect().await.unwrap();
        let away = (median_pitch(&sound) - pitch).abs();
        if away < nearest.0 {
            nearest = (away, name);
        }
    }
    nearest.1
}

/// In Hz, of all that is loud enough to be voiced.
fn median_pitch(samples: &[i16]) -> f64 {
    const QUIET: f64 = 300.0 * 300.0;
    const LAGS: std::ops::Range<usize> = RATE / 300..RATE / 70;
    let mut pitches: Vec<f64> = Vec::new();
    for frame in samples.chunks_exact(RATE / 25) {
        let alike = |lag: usize| -> f64 {
            let pairs = frame[lag..].iter().zip(frame);
            pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        if alike(0) / frame.len() as f64 > QUIET {
            let best = LAGS.map(|lag| (lag, alike(lag)));
            let best = best.max_by(|(_, a), (_, b)| a.total_cmp(b));
            pitches.extend(best.map(|(lag, _)| RATE as f64 / lag as f64));
        }
    }
    pitches.sort_by(f64::total_cmp);
    assert!(!pitches.is_empty(), "nothing was said");
    pitches[pitches.len() / 2]
}
