//! When the voice detector hears a voice begin and end. Real detector, real speech.

#![allow(clippy::unwrap_used)]

mod callers;

use callers::{espeak, flite, trimmed};
use speech::{FRAME_SAMPLES, VoiceDetector};

const SENTENCES: [&str; 11] = [
    "I don't want to live any more.",
    "He said he would kill me if I left.",
    "Please do not tell my mother that I called.",
    "I have locked myself in the bathroom.",
    "Yes.",
    "Help me.",
    "It happened last night, after dinner.",
    "I have taken a lot of pills.",
    "I had a very long day at work.",
    "My boss touched me and told me to keep quiet.",
    "I have been giving my things away.",
];

/// Samples in 20 ms.
const TWENTY_MS: usize = 320;

/// The sentence in four voices, without the silence around it.
async fn voices(sentence: &str) -> Vec<(&'static str, Vec<i16>)> {
    let mut voices = Vec::new();
    for name in ["slt", "rms", "awb"] {
        voices.push((name, trimmed(&flite(name, 1.0, sentence).await)));
    }
    voices.push(("espeak-ng", trimmed(&espeak("en-gb", 160, sentence))));
    voices
}

/// A room that is never quite silent: noise of this amplitude, the same each time.
fn with_room_noise(samples: &mut [i16], amplitude: i16) {
    let mut state = 1_u32;
    for sample in samples {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (state >> 16) as i32 % (2 * i32::from(amplitude) + 1) - i32::from(amplitude);
        *sample = sample.saturating_add(noise as i16);
    }
}

/// The frames in which a voice is heard.
fn verdicts(samples: &[i16]) -> Vec<bool> {
    let mut detector = VoiceDetector::new();
    samples
        .chunks_exact(FRAME_SAMPLES)
        .map(|frame| detector.is_voice(frame.try_into().unwrap()))
        .collect()
}

#[tokio::test]
async fn a_voice_that_has_ceased_is_no_longer_heard() {
    for sentence in SENTENCES {
        for (voice, speech) in voices(sentence).await {
            for amplitude in [0, 30, 60] {
                let before = 16_000;
                let mut samples = vec![0; before];
                samples.extend(&speech);
                let end = samples.len();
                samples.resize(end + 16_000, 0);
                with_room_noise(&mut samples, amplitude);

                let last = verdicts(&samples).iter().rposition(|voiced| *voiced);
                let heard_until = (last.unwrap() + 1) * FRAME_SAMPLES;
                let late = heard_until as i64 - end as i64;
                println!("{voice}, noise {amplitude}, {sentence:?}: {} ms", late / 16);
                assert!(
                    late <= 2 * TWENTY_MS as i64,
                    "{voice}, noise {amplitude}: {sentence:?} is heard {} ms past its end",
                    late / 16
                );
            }
        }
    }
}

#[tokio::test]
async fn someone_who_falls_to_a_whisper_is_heard() {
    for (voice, speech) in voices("He said he would kill me if I left.").await {
        let peak = speech.iter().map(|sample| sample.unsigned_abs()).max();
        let at_peak = |wanted: i32| -> Vec<i16> {
            let level = |sample: &i16| i32::from(*sample) * wanted / i32::from(peak.unwrap());
            speech.iter().map(|sample| level(sample) as i16).collect()
        };
        // 30 dB between them.
        let (loud, soft) = (at_peak(32_000), at_peak(1_000));
        let pause = 8_000;
        let mut samples = vec![0; 16_000];
        samples.extend(&loud);
        samples.resize(samples.len() + pause, 0);
        let whisper = samples.len() / FRAME_SAMPLES;
        samples.extend(&soft);

        let verdicts = verdicts(&samples);
        let onset = verdicts[whisper..]
            .windows(4)
            .position(|window| window.iter().filter(|voiced| **voiced).count() >= 3);
        println!("{voice}: {onset:?} frames");
        // The ear keeps 320 ms from before an onset.
        assert!(
            onset.is_some_and(|frames| frames + 4 <= 20),
            "{voice}: {onset:?} frames"
        );
    }
}
