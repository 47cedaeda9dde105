//! The call as a whole: what the encoder made of every turn so far, and what all of it together speaks against.
//!
//! One turn by itself may tell of a knife, and three later the knife was in a film. What each label reached at most and on the
//! average is weighed here, one straight line for each doubt (`training/whole_call.py`, `weights/whole-call.json`).

use std::collections::BTreeSet;

use flow::Question;
use flow::reading::{Doubt, SoFar};
use serde::Deserialize;

use super::OpenError;
use super::labels::Labels;

/// A logit beyond this is no surer.
const SUREST: f32 = 6.0;

/// `whole-call.json`, as the training program writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// The encoder's outputs, in their order.
    labels: Vec<String>,
    danger_now: Weights,
    suicide: Weights,
    need: Weights,
    /// What danger is doubted below once the caller is asked what happened: by then much has been said.
    danger_now_on_the_way_below: f32,
}

/// What each label weighs, in the order of the outputs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    bias: f32,
    highest_logit: Vec<f32>,
    highest_probability: Vec<f32>,
    mean_logit: Vec<f32>,
    mean_probability: Vec<f32>,
    /// Below this score it is doubted.
    doubted_below: f32,
}

pub(super) struct WholeCall {
    doubts: [(Doubt, Weights); 3],
    danger_now_on_the_way_below: f32,
}

impl WholeCall {
    pub fn read(json: &str, labels: &Labels) -> Result<Self, OpenError> {
        let written: Written = serde_json::from_str(json).map_err(OpenError::WholeCall)?;
        let doubts = [
            (Doubt::DangerNow, written.danger_now),
            (Doubt::Suicide, written.suicide),
            (Doubt::Need, written.need),
        ];
        let fits = written.labels == labels.outputs()
            && doubts.iter().all(|(_, weights)| weights.fit(labels.len()));
        match fits {
            true => Ok(Self {
                doubts,
                danger_now_on_the_way_below: written.danger_now_on_the_way_below,
            }),
            false => Err(OpenError::WholeCallUnfit),
        }
    }

    /// Nothing is doubted of who has said nothing.
    pub fn doubts(&self, so_far: &SoFar, question: Option<Question>) -> BTreeSet<Doubt> {
        let on_the_way = matches!(question, Some(Question::Account | Question::IncidentTime));
        let doubted = self.doubts.iter().filter(|(doubt, weights)| {
            let below = match doubt {
                Doubt::DangerNow if on_the_way => self.danger_now_on_the_way_below,
                _ => weights.doubted_below,
            };
            so_far.turns > 0 && weights.score(so_far) < below
        });
        doubted.map(|(doubt, _)| *doubt).collect()
    }
}

impl Weights {
    fn fit(&self, labels: usize) -> bool {
        [
            &self.highest_logit,
            &self.highest_probability,
            &self.mean_logit,
            &self.mean_probability,
        ]
        .iter()
        .all(|weights| weights.len() == labels)
    }

    fn score(&self, so_far: &SoFar) -> f32 {
        let mean = 1.0 / f32::from(so_far.turns);
        let highest_probability: f32 = so_far
            .highest
            .iter()
            .zip(&self.highest_probability)
            .map(|(logit, weight)| probability(*logit) * weight)
            .sum();
        self.bias
            + weighed(&so_far.highest, &self.highest_logit)
            + highest_probability
            + mean * weighed(&so_far.logits, &self.mean_logit)
            + mean * weighed(&so_far.probabilities, &self.mean_probability)
    }
}

/// A turn, passage by passage, with those before it. What was kept by other weights is forgotten.
pub(super) fn added<'p>(so_far: &SoFar, passages: impl Iterator<Item = &'p [f32]>) -> SoFar {
    let Some(turn) = passages
        .map(<[f32]>::to_vec)
        .reduce(|highest, logits| highest_of(&highest, &logits))
    else {
        return so_far.clone();
    };
    let turn: Vec<f32> = turn.iter().map(|it| it.clamp(-SUREST, SUREST)).collect();
    let probabilities: Vec<f32> = turn.iter().map(|logit| probability(*logit)).collect();
    let known = [&so_far.highest, &so_far.logits, &so_far.probabilities];
    if known.iter().any(|figures| figures.len() != turn.len()) {
        return SoFar {
            turns: 1,
            highest: turn.clone(),
            logits: turn,
            probabilities,
        };
    }
    SoFar {
        turns: so_far.turns.saturating_add(1),
        highest: highest_of(&so_far.highest, &turn),
        logits: sum_of(&so_far.logits, &turn),
        probabilities: sum_of(&so_far.probabilities, &probabilities),
    }
}

fn highest_of(these: &[f32], those: &[f32]) -> Vec<f32> {
    let pairs = these.iter().zip(those);
    pairs.map(|(this, that)| this.max(*that)).collect()
}

fn sum_of(these: &[f32], those: &[f32]) -> Vec<f32> {
    let pairs = these.iter().zip(those);
    pairs.map(|(this, that)| this + that).collect()
}

fn weighed(figures: &[f32], weights: &[f32]) -> f32 {
    let pairs = figures.iter().zip(weights);
    pairs.map(|(figure, weight)| figure * weight).sum()
}

fn probability(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
