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
    /// Turns and those cut off, by kind and by caller.
    by_kind: BTreeMap<String, (usize, usize)>,
    by_caller: BTreeMap<String, (usize, usize)>,
}

impl Figures {
    pub fn count(&mut self, heard: &Heard, outcome: Outcome) {
        let cut_off = matches!(outcome, Outcome::CutOff { .. });
        self.turns += 1;
        self.with_pauses += usize::from(!heard.pauses.is_empty());
        self.cut_off += usize::from(cut_off);
        for (table, key) in [
            (&mut self.by_kind, &heard.kind),
            (&mut self.by_caller, &heard.caller),
        ] {
            let entry = table.entry(key.clone()).or_default();
            entry.0 += 1;
            entry.1 += usize::from(cut_off);
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
        json!({
            "turns": self.turns,
            "with_pauses": self.with_pauses,
            "cut_off": self.cut_off,
            "unanswered": self.unanswered,
            "wait_s": { "p50": at(0.5), "p90": at(0.9), "mean": mean },
            "cut_off_by_kind": self.by_kind,
            "cut_off_by_caller": self.by_caller,
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
