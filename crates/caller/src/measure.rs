//! Timings of a conversation from when it sounded: what was said against what was heard.
//!
//! Pure, and after the fact: the whole call's sound is known. Messages play no part.

use std::time::Duration;

use serde::Serialize;

use crate::mouth::Said;
use crate::sound::{Span, to_samples, to_time};

/// How one utterance was met, in milliseconds of the call's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reaction {
    /// From the end of the caller's last sound to the assistant's first sound after it.
    pub reply_gap_ms: Option<f64>,
    /// The same to the first packet of a new stretch of audio, silent or not.
    pub reply_first_packet_ms: Option<f64>,
    /// From the caller's onset to the assistant's silence, if it was speaking at the onset.
    pub assistant_stopped_after_ms: Option<f64>,
    /// The assistant began to speak before the caller had finished.
    pub assistant_interrupted: bool,
}

/// The reaction to each utterance, in order.
pub fn reactions(said: &[Said], heard: &[Span], stretch_starts: &[Duration]) -> Vec<Reaction> {
    said.iter()
        .enumerate()
        .map(|(index, utterance)| {
            let next = said
                .get(index + 1)
                .map_or(Duration::MAX, |next| next.voice_start);
            let after = |time: Duration| time >= utterance.voice_end && time < next;
            let onset = heard
                .iter()
                .map(|span| to_time(span.start))
                .find(|&start| after(start));
            let packet = stretch_starts.iter().copied().find(|&start| after(start));
            let from = to_samples(utterance.voice_start);
            let spoken_over = heard
                .iter()
                .find(|span| span.start < from && span.end > from);
            Reaction {
                reply_gap_ms: onset.map(|onset| millis(onset - utterance.voice_end)),
                reply_first_packet_ms: packet.map(|packet| millis(packet - utterance.voice_end)),
                assistant_stopped_after_ms: spoken_over
                    .map(|span| millis(to_time(span.end - from))),
                assistant_interrupted: heard
                    .iter()
                    .any(|span| span.start >= from && span.start < to_samples(utterance.voice_end)),
            }
        })
        .collect()
}

/// The spread of a measurement. Percentiles are by nearest rank: each is a value that occurred.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub count: usize,
    pub min: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

pub fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    Some(Spread {
        count: values.len(),
        min: *values.first()?,
        p50: percentile(&values, 50),
        p95: percentile(&values, 95),
        p99: percentile(&values, 99),
        max: *values.last()?,
    })
}

/// Of values in order, at least one.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

/// To a tenth: the ruler is 2 ms.
pub fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn said(start: u64, end: u64) -> Said {
        Said {
            voice_start: at(start),
            voice_end: at(end),
        }
    }

    fn heard(start: u64, end: u64) -> Span {
        start * 16..end * 16
    }

    #[test]
    fn the_reply_gap_runs_from_the_callers_last_sound_to_the_assistants_first() {
        let reactions = reactions(
            &[said(5_000, 6_500), said(15_000, 16_000)],
            &[
                heard(100, 4_000),
                heard(9_510, 13_000),
                heard(16_400, 17_000),
            ],
            &[at(100), at(9_500), at(16_380)],
        );
        assert_eq!(reactions[0].reply_gap_ms, Some(3_010.0));
        assert_eq!(reactions[0].reply_first_packet_ms, Some(3_000.0));
        assert_eq!(reactions[0].assistant_stopped_after_ms, None);
        assert_eq!(reactions[1].reply_gap_ms, Some(400.0));
        assert_eq!(reactions[1].reply_first_packet_ms, Some(380.0));
    }

    #[test]
    fn a_reply_to_the_next_utterance_is_no_reply_to_this_one() {
        let reactions = reactions(
            &[said(1_000, 2_000), said(3_000, 4_000)],
            &[heard(5_000, 6_000)],
            &[],
        );
        assert_eq!(reactions[0].reply_gap_ms, None);
        assert_eq!(reactions[1].reply_gap_ms, Some(1_000.0));
    }

    #[test]
    fn barging_in_is_measured_to_the_assistants_silence() {
        let reaction = reactions(
            &[said(2_000, 3_000)],
            &[heard(500, 2_640), heard(6_000, 7_000)],
            &[at(500)],
        )[0];
        assert_eq!(reaction.assistant_stopped_after_ms, Some(640.0));
        assert_eq!(reaction.reply_gap_ms, Some(3_000.0));
        assert!(!reaction.assistant_interrupted);
    }

    #[test]
    fn an_assistant_that_cuts_in_is_told() {
        let reaction = reactions(&[said(2_000, 4_000)], &[heard(3_500, 5_000)], &[])[0];
        assert!(reaction.assistant_interrupted);
        assert_eq!(reaction.reply_gap_ms, None);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let spread = spread((1..=200).rev().map(f64::from)).unwrap();
        assert_eq!((spread.count, spread.min, spread.max), (200, 1.0, 200.0));
        assert_eq!((spread.p50, spread.p95, spread.p99), (100.0, 190.0, 198.0));
        let one = super::spread([7.0]).unwrap();
        assert_eq!((one.p50, one.p95), (7.0, 7.0));
        assert_eq!(super::spread([]), None);
    }
}
