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
    /// Of danger, once the caller is on the way to the police and was asked what happened: by then much has been said.
    danger_now_on_the_way: Weights,
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
    danger_now: Weights,
    danger_now_on_the_way: Weights,
    suicide: Weights,
    need: Weights,
}

impl WholeCall {
    pub fn read(json: &str, labels: &Labels) -> Result<Self, OpenError> {
        let written: Written = serde_json::from_str(json).map_err(OpenError::WholeCall)?;
        let all = [
            &written.danger_now,
            &written.danger_now_on_the_way,
            &written.suicide,
            &written.need,
        ];
        let fits = written.labels == labels.outputs()
            && all.iter().all(|weights| weights.fit(labels.len()));
        match fits {
            true => Ok(Self {
                danger_now: written.danger_now,
                danger_now_on_the_way: written.danger_now_on_the_way,
                suicide: written.suicide,
                need: written.need,
            }),
            false => Err(OpenError::WholeCallUnfit),
        }
    }

    /// Nothing is doubted of who has said nothing, nor suicide at the first words: "I want to die" is answered at once. Nor is a danger
    /// of who may be in any need: who was hurt may want to die, and may be hurt again.
    pub fn doubts(&self, so_far: &SoFar, question: Option<Question>) -> BTreeSet<Doubt> {
        let mut doubts = BTreeSet::new();
        if so_far.turns == 0 {
            return doubts;
        }
        if self.need.speak_against_it(so_far) {
            doubts.insert(Doubt::Need);
            if self.danger_now.speak_against_it(so_far) {
                doubts.insert(Doubt::DangerNow);
            }
            if so_far.turns >= 2 && self.suicide.speak_against_it(so_far) {
                doubts.insert(Doubt::Suicide);
            }
        }
        // All that comes of it is one question.
        if question == Some(Question::Account)
            && self.danger_now_on_the_way.speak_against_it(so_far)
        {
            doubts.insert(Doubt::DangerNow);
        }
        doubts
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

    fn speak_against_it(&self, so_far: &SoFar) -> bool {
        self.score(so_far) < self.doubted_below
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
    if turn.iter().any(|it| it.is_nan()) {
        return so_far.clone();
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// What ships, for whichever labels.
    const SHIPPED: &str = include_str!("../../weights/whole-call.json");

    fn labels() -> Labels {
        Labels::for_specifications()
    }

    /// Danger is as likely as the highest logit of the first label, and everything else is beyond doubt.
    fn by_the_first_label() -> WholeCall {
        let nothing = || Weights {
            bias: 0.0,
            highest_logit: vec![0.0; 2],
            highest_probability: vec![0.0; 2],
            mean_logit: vec![0.0; 2],
            mean_probability: vec![0.0; 2],
            doubted_below: -1.0,
        };
        let danger = Weights {
            highest_logit: vec![1.0, 0.0],
            mean_probability: vec![0.0, -2.0],
            ..nothing()
        };
        let on_the_way = Weights {
            highest_logit: vec![1.0, 0.0],
            doubted_below: 3.0,
            ..nothing()
        };
        let need = Weights {
            doubted_below: 1.0,
            ..nothing()
        };
        WholeCall {
            danger_now: danger,
            danger_now_on_the_way: on_the_way,
            suicide: nothing(),
            need,
        }
    }

    fn after(turns: &[[f32; 2]]) -> SoFar {
        turns.iter().fold(SoFar::default(), |so_far, logits| {
            added(&so_far, std::iter::once(&logits[..]))
        })
    }

    #[test]
    fn turns_add_up_and_the_surest_of_a_turns_passages_counts() {
        let passages: [&[f32]; 2] = [&[1.0, -9.0], &[-2.0, 0.0]];
        let one = added(&SoFar::default(), passages.into_iter());
        assert_eq!(one.turns, 1);
        assert_eq!(one.highest, [1.0, 0.0]);
        let two = added(&one, std::iter::once(&[0.0, 100.0][..]));
        assert_eq!(two.turns, 2);
        assert_eq!(two.highest, [1.0, SUREST]);
        assert_eq!(two.logits, [1.0, SUREST]);
        assert!((two.probabilities[0] - (probability(1.0) + 0.5)).abs() < 1e-6);
    }

    #[test]
    fn what_other_weights_made_of_the_turns_before_is_forgotten() {
        let of_others = SoFar {
            turns: 7,
            highest: vec![6.0; 3],
            logits: vec![42.0; 3],
            probabilities: vec![7.0; 3],
        };
        let these = added(&of_others, std::iter::once(&[1.0, 2.0][..]));
        assert_eq!(these, after(&[[1.0, 2.0]]));
    }

    #[test]
    fn what_was_told_once_is_doubted_the_more_the_rest_speaks_against_it() {
        let whole_call = by_the_first_label();
        let doubts = |turns: &[[f32; 2]]| whole_call.doubts(&after(turns), None);
        assert!(doubts(&[]).is_empty(), "nothing was said");
        assert_eq!(doubts(&[[0.0, -6.0]]), BTreeSet::from([Doubt::Need]));
        let against = [0.0, 6.0];
        assert_eq!(
            doubts(&[[0.0, -6.0], against, against]),
            BTreeSet::from([Doubt::DangerNow, Doubt::Need])
        );
    }

    #[test]
    fn no_danger_is_doubted_of_who_may_be_in_need() {
        let mut whole_call = by_the_first_label();
        whole_call.need.doubted_below = -1.0;
        whole_call.suicide.doubted_below = 1.0;
        let so_far = after(&[[0.0, 6.0], [0.0, 6.0]]);
        assert!(whole_call.doubts(&so_far, None).is_empty());
    }

    #[test]
    fn asked_what_happened_on_the_way_to_the_police_danger_is_doubted_by_itself_and_from_its_own_point_on()
     {
        let mut whole_call = by_the_first_label();
        whole_call.need.doubted_below = -1.0;
        let so_far = after(&[[2.0, -6.0]]);
        for question in [Question::Open, Question::IncidentTime] {
            assert!(whole_call.doubts(&so_far, Some(question)).is_empty());
        }
        assert_eq!(
            whole_call.doubts(&so_far, Some(Question::Account)),
            BTreeSet::from([Doubt::DangerNow])
        );
    }

    #[test]
    fn a_turn_that_came_to_no_figures_is_left_out() {
        let one = after(&[[1.0, 2.0]]);
        assert_eq!(added(&one, std::iter::once(&[f32::NAN, 1.0][..])), one);
    }

    #[test]
    fn what_ships_fits_the_labels_and_weights_of_others_are_refused() {
        WholeCall::read(SHIPPED, &labels()).unwrap();
        let mut other: serde_json::Value = serde_json::from_str(SHIPPED).unwrap();
        other["labels"][0] = "answer.maybe".into();
        let refused = WholeCall::read(&other.to_string(), &labels());
        assert!(matches!(refused, Err(OpenError::WholeCallUnfit)));
        let mut short: serde_json::Value = serde_json::from_str(SHIPPED).unwrap();
        short["need"]["mean_logit"] = serde_json::json!([1.0]);
        let refused = WholeCall::read(&short.to_string(), &labels());
        assert!(matches!(refused, Err(OpenError::WholeCallUnfit)));
        assert!(matches!(
            WholeCall::read("{}", &labels()),
            Err(OpenError::WholeCall(_))
        ));
    }
}
