//! The sound of an utterance: spoken in one go, with the pauses that the voice makes by itself drawn out to
//! their length, so that what comes before them sounds as it does in the middle of a sentence.

use std::ops::Range;
use std::time::Duration;

use speech::{SAMPLE_RATE, Secret, Voice};

use crate::utterance::Utterance;

/// A window in which loudness is measured: 10 ms.
const WINDOW: usize = 160;
/// A pause of the voice's own is at least so long.
const LEAST_GAP: usize = 6 * WINDOW;
/// And so soft beside its loud moments, as an amplitude.
const SOFT: f32 = 0.03;
/// How far from where its words should be a pause may lie, of the whole length.
const ASTRAY: f32 = 0.2;
/// Sound before and after speech that is softer than this is silence.
const SILENT: u16 = 150;

/// An utterance as sound, from its first to its last sample of speech.
#[derive(Debug)]
pub struct Clip {
    pub sound: Vec<i16>,
    /// Where its pauses are.
    pub pauses: Vec<Range<usize>>,
}

pub async fn make(utterance: &Utterance, voice: &dyn Voice) -> Clip {
    let whole = speak(voice, &utterance.whole()).await;
    let gaps = gaps_for(utterance, &whole);
    let mut clip = Clip {
        sound: Vec::new(),
        pauses: Vec::new(),
    };
    match gaps {
        Some(gaps) => {
            let mut from = 0;
            for (gap, (pause, _)) in gaps.iter().zip(&utterance.rest) {
                clip.sound.extend(&whole[from..gap.start]);
                clip.pause(samples_in(*pause).max(gap.len()));
                from = gap.end;
            }
            clip.sound.extend(&whole[from..]);
        }
        None => {
            // The voice made no pause there: its parts, each by itself.
            clip.sound = speak(voice, &utterance.first).await;
            for (pause, part) in &utterance.rest {
                clip.pause(samples_in(*pause));
                clip.sound.extend(speak(voice, part).await);
            }
        }
    }
    clip
}

impl Clip {
    fn pause(&mut self, samples: usize) {
        let from = self.sound.len();
        self.sound.resize(from + samples, 0);
        self.pauses.push(from..from + samples);
    }
}

async fn speak(voice: &dyn Voice, words: &str) -> Vec<i16> {
    let spoken = voice.speak(Secret::new(words.to_owned())).collect().await;
    let spoken = spoken.unwrap_or_else(|error| panic!("{error}"));
    let loud = |sample: &i16| sample.unsigned_abs() > SILENT;
    let first = spoken.iter().position(loud).unwrap_or(0);
    let last = spoken.iter().rposition(loud).map_or(0, |last| last + 1);
    spoken[first..last].to_vec()
}

/// The voice's own pauses nearest to where the utterance has its, if there is one for each.
fn gaps_for(utterance: &Utterance, sound: &[i16]) -> Option<Vec<Range<usize>>> {
    let letters = utterance.whole().len() as f32;
    let mut said = 0.0;
    let mut from = 0;
    let gaps = gaps(sound);
    let mut parts = utterance.parts();
    let mut chosen = Vec::new();
    for _ in &utterance.rest {
        said += parts.next()?.len() as f32 + 1.0;
        let wanted = said / letters * sound.len() as f32;
        let astray = |gap: &&Range<usize>| (gap.start as f32 - wanted).abs();
        let nearest = gaps
            .iter()
            .filter(|gap| gap.start >= from)
            .min_by(|a, b| astray(a).total_cmp(&astray(b)))?;
        if astray(&nearest) > ASTRAY * sound.len() as f32 {
            return None;
        }
        from = nearest.end;
        chosen.push(nearest.clone());
    }
    Some(chosen)
}

fn gaps(sound: &[i16]) -> Vec<Range<usize>> {
    let loudness: Vec<f32> = sound
        .chunks_exact(WINDOW)
        .map(|window| {
            let power: f32 = window.iter().map(|sample| f32::from(*sample).powi(2)).sum();
            (power / WINDOW as f32).sqrt()
        })
        .collect();
    let mut sorted = loudness.clone();
    sorted.sort_by(f32::total_cmp);
    let loud = sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(0.0);
    let mut gaps = Vec::new();
    let mut began = None;
    for (window, level) in loudness.iter().enumerate() {
        match (*level < loud * SOFT, began) {
            (true, None) => began = Some(window * WINDOW),
            (false, Some(from)) => {
                gaps.push(from..window * WINDOW);
                began = None;
            }
            _ => {}
        }
    }
    gaps.retain(|gap| gap.len() >= LEAST_GAP);
    gaps
}

fn samples_in(span: Duration) -> usize {
    (span.as_secs_f64() * f64::from(SAMPLE_RATE)) as usize
}
