//! Whether a speaker has hardly any voice: whispering, or speaking under their breath through tears.
//!
//! It asks of every stretch of speech whether it holds a pitch. Loudness tells nothing: browsers level it out.

/// Pitch is looked for at a quarter of the sample rate, which is enough for it and saves most of the work.
const FOLD: usize = 4;
const RATE: usize = crate::SAMPLE_RATE as usize / FOLD;
/// 40 ms, two periods of the deepest voice.
const STRETCH: usize = RATE / 25;
/// Pitches of 70 to 500 Hz, a crying voice's among them.
const LAGS: std::ops::RangeInclusive<usize> = RATE / 500..=RATE / 70;
/// How like itself a stretch is one period later.
const HOLDS_PITCH: f32 = 0.6;
/// A stretch at least so loud beside the loudest is speech, as an amplitude.
const SPEECH: f32 = 0.1;
/// Under this share of its stretches with a pitch, speech is hushed.
const LEAST_PITCHED: f32 = 0.2;
/// Less speech than this says nothing about the voice: 0.3 s.
const LEAST_STRETCHES: usize = 15;

/// Of the last eight seconds, at most.
pub fn is_hushed(sound: &[i16]) -> bool {
    let sound = &sound[sound.len().saturating_sub(super::SOUND_SAMPLES)..];
    let folded: Vec<f32> = sound
        .chunks_exact(FOLD)
        .map(|few| few.iter().map(|sample| f32::from(*sample)).sum::<f32>() / FOLD as f32)
        .collect();
    let span = STRETCH + LAGS.end();
    let stretches = || folded.windows(span).step_by(STRETCH / 2);
    let loudest = stretches()
        .map(|s| power(&s[..STRETCH]))
        .fold(0.0, f32::max);
    let is_speech = |stretch: &&[f32]| power(&stretch[..STRETCH]) >= loudest * SPEECH * SPEECH;
    let (mut speech, mut pitched) = (0, 0);
    for stretch in stretches().filter(is_speech) {
        speech += 1;
        pitched += usize::from(holds_pitch(stretch));
    }
    loudest > 0.0 && speech >= LEAST_STRETCHES && (pitched as f32) < LEAST_PITCHED * speech as f32
}

fn holds_pitch(stretch: &[f32]) -> bool {
    let now = &stretch[..STRETCH];
    LAGS.into_iter().any(|lag| {
        let later = &stretch[lag..lag + STRETCH];
        let alike: f32 = now.iter().zip(later).map(|(a, b)| a * b).sum();
        alike >= HOLDS_PITCH * (power(now) * power(later)).sqrt()
    })
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum()
}
