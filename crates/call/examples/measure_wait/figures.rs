//! What is counted.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::one_turn::{Heard, Outcome};

/// The outcomes of one plan.
#[derive(Default)]
pub struct Figures {
    turns: usize,
    with_pauses: usize,
    cut_off: usize,
    unanswered: usize,
    waits: Vec<Duration>,
    /// Turns and those cut off.
    by_kind: BTreeMap<String, (usize, usize)>,
    /// Those cut off, and the others' waits.
    by_caller: BTreeMap<String, (usize, Vec<f64>)>,
}

impl Figures {
    pub fn count(&mut self, heard: &Heard, outcome: Outcome) {
        let cut_off = matches!(outcome, Outcome::CutOff { .. });
        self.turns += 1;
        self.with_pauses += usize::from(!heard.pauses.is_empty());
        self.cut_off += usize::from(cut_off);
        let kind = self.by_kind.entry(heard.kind.clone()).or_default();
        kind.0 += 1;
        kind.1 += usize::from(cut_off);
        let caller = self.by_caller.entry(heard.caller.clone()).or_default();
        caller.0 += usize::from(cut_off);
        if let Outcome::Answered { waited } = outcome {
            caller.1.push(waited.as_secs_f64());
        }
        match outcome {
            Outcome::CutOff { .. } => {}
            Outcome::Answered { waited } => self.waits.push(waited),
            Outcome::Unanswered => self.unanswered += 1,
        }
    }

    pub fn as_json(&self) -> Value {
        let mut waits = self.waits.clone();
        waits.sort();
        let at = |share: f64| {
            let last = waits.len().checked_sub(1)?;
            Some(waits[(last as f64 * share).round() as usize].as_secs_f64())
        };
        let mean = waits.iter().sum::<Duration>().as_secs_f64() / waits.len().max(1) as f64;
        let by_caller: BTreeMap<_, _> = (self.by_caller.iter())
            .map(|(caller, (cut_off, waits))| {
                let mean = waits.iter().sum::<f64>() / waits.len().max(1) as f64;
                (caller, json!({ "cut_off": cut_off, "mean_wait_s": mean }))
            })
            .collect();
        json!({
            "turns": self.turns,
            "with_pauses": self.with_pauses,
            "cut_off": self.cut_off,
            "unanswered": self.unanswered,
            "wait_s": { "p50": at(0.5), "p90": at(0.9), "mean": mean },
            "cut_off_by_kind": self.by_kind,
            "by_caller": by_caller,
        })
    }
}

/// How often the model is right, by the sound alone: at ends of turns, and in pauses within.
pub fn of_opinions(heard: &[Heard]) -> Value {
    let mut ends = Vec::new();
    let mut within = Vec::new();
    let (mut hushed, mut all) = (0, 0);
    for heard in heard {
        for ((until, _), opinion) in &heard.opinions {
            let until = Duration::from_secs(*until as u64) / speech::SAMPLE_RATE;
            match until > heard.end {
                true => ends.push(opinion.finished),
                false => within.push(opinion.finished),
            }
            hushed += usize::from(opinion.hushed);
            all += 1;
        }
    }
    let share = |opinions: &[f32], from: f32| {
        opinions
            .iter()
            .filter(|finished| **finished >= from)
            .count()
    };
    let from = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95];
    json!({
        "ends": ends.len(),
        "pauses_within": within.len(),
        "hushed": hushed,
        "opinions": all,
        "taken_for_finished": from.map(|from| json!({
            "from": from,
            "of_ends": share(&ends, from),
            "of_pauses_within": share(&within, from),
        })),
    })
}
