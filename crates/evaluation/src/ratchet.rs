//! What may rise and must not fall: how callers and lines of held-out authors are served, against
//! `ratchet.toml`. Only counted, never shown.

use std::path::Path;
use std::sync::Arc;

use flow::AssistantScript;
use serde::Deserialize;

use crate::caller;
use crate::figures::{Figures, Share};
use crate::lines::{self, LineFigures};
use crate::score;
use crate::text_call::Helpline;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ratchet {
    callers: Callers,
    lines: Lines,
}

/// Of callers kept aside: shares from 0 to 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Callers {
    agency_at_least: f64,
    high_risk_at_least: f64,
    false_alarms_at_most: f64,
}

/// Of lines by held-out authors: shares from 0 to 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    answers_right_at_least: f64,
    answers_reversed_at_most: f64,
    suicide_noticed_at_least: f64,
    danger_noticed_at_least: f64,
    false_denials_at_most: f64,
    everyday_asked_about_suicide_at_most: f64,
}

fn share(count: usize, of: usize) -> f64 {
    Share { of, count }.rate()
}

/// Every figure that fell behind, as a sentence.
fn fallen(figures: &[(&str, f64, f64, bool)]) -> Vec<String> {
    figures
        .iter()
        .filter(|(_, found, bound, at_least)| match at_least {
            true => found < bound,
            false => found > bound,
        })
        .map(|(what, found, bound, at_least)| {
            let side = if *at_least { "at least" } else { "at most" };
            format!("{what}: {found:.4}, and was {side} {bound:.4}")
        })
        .collect()
}

#[test]
fn people_nobody_here_has_met_are_served_no_worse_than_before() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ratchet: Ratchet = toml::from_str(include_str!("../ratchet.toml")).expect("ratchet.toml");
    let helpline = Helpline {
        script: Arc::new(AssistantScript::built_in()),
        reader: crate::reader(false).expect("the trained reader"),
    };

    let kept_aside = checkout.join("crates/evaluation/callers/kept-aside");
    let parts = caller::read_parts(&kept_aside).expect("callers");
    let callers = parts.iter().flat_map(|part| &part.callers);
    let verdicts: Vec<_> = callers
        .map(|caller| score::run(caller, &helpline).0)
        .collect();
    let callers = Figures::of(&verdicts);

    let held_out = checkout.join("training/data/held-out");
    let lines = lines::read(&held_out).expect("lines");
    let lines = LineFigures::of(&lines, &helpline.reader);
    let answers = lines.answers_in_all();
    let noticed = |need: &str| {
        let figures = lines.needs[need];
        share(figures.noticed, figures.told)
    };

    let fallen = fallen(&[
        (
            "callers: the right agency",
            callers.agency.rate(),
            ratchet.callers.agency_at_least,
            true,
        ),
        (
            "callers: life at risk found",
            callers.high_risk.rate(),
            ratchet.callers.high_risk_at_least,
            true,
        ),
        (
            "callers: false alarms",
            callers.false_alarms.rate(),
            ratchet.callers.false_alarms_at_most,
            false,
        ),
        (
            "lines: answers right",
            share(answers.right, answers.all),
            ratchet.lines.answers_right_at_least,
            true,
        ),
        (
            "lines: answers reversed",
            share(answers.reversed, answers.all),
            ratchet.lines.answers_reversed_at_most,
            false,
        ),
        (
            "lines: suicide noticed",
            noticed("suicide"),
            ratchet.lines.suicide_noticed_at_least,
            true,
        ),
        (
            "lines: danger now noticed",
            noticed("danger now"),
            ratchet.lines.danger_noticed_at_least,
            true,
        ),
        (
            "lines: yeses about life taken for denials",
            share(lines.denials_made_up, lines.yeses_about_life),
            ratchet.lines.false_denials_at_most,
            false,
        ),
        (
            "lines: everyday first turns asked about suicide",
            share(lines.asked_about_suicide, lines.everyday_first_turns),
            ratchet.lines.everyday_asked_about_suicide_at_most,
            false,
        ),
    ]);
    assert!(fallen.is_empty(), "{fallen:#?}");
}
