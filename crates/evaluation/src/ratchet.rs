//! What may rise and must not fall: how callers and lines of held-out authors are served, against
//! `ratchet.toml`. Only counted, never shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flow::AssistantScript;
use serde::Deserialize;

use crate::caller;
use crate::figures::{Figures, Share};
use crate::labelled_lines::{self, LineFigures};
use crate::score;
use crate::text_call::Helpline;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ratchet {
    callers: Vec<Callers>,
    lines: Vec<Lines>,
}

/// Of callers kept aside: shares from 0 to 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Callers {
    /// The parts' names, as the report has them.
    parts: Vec<String>,
    agency_at_least: f64,
    high_risk_at_least: f64,
    false_alarms_at_most: f64,
}

/// Of lines by held-out authors: shares from 0 to 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    authors: Vec<String>,
    answers_right_at_least: f64,
    answers_reversed_at_most: f64,
    suicide_acted_on_at_least: f64,
    suicide_noticed_at_least: f64,
    danger_noticed_at_least: f64,
    false_denials_at_most: f64,
    everyday_asked_about_suicide_at_most: f64,
}

fn share(count: usize, of: usize) -> f64 {
    Share { of, count }.rate()
}

/// Every figure that fell behind, as a sentence.
fn fallen(who: &str, figures: &[(&str, f64, f64, bool)]) -> Vec<String> {
    figures
        .iter()
        .inspect(|(what, found, bound, _)| println!("{who}: {what}: {found:.4}, bound {bound:.4}"))
        .filter(|(_, found, bound, at_least)| match at_least {
            true => found < bound,
            false => found > bound,
        })
        .map(|(what, found, bound, at_least)| {
            let side = if *at_least { "at least" } else { "at most" };
            format!("{who}: {what}: {found:.4}, and was {side} {bound:.4}")
        })
        .collect()
}

#[test]
fn people_nobody_here_has_met_are_served_no_worse_than_before() {
    let ratchet: Ratchet = toml::from_str(include_str!("../ratchet.toml")).expect("ratchet.toml");
    // Each with a reader of its own: one reads one line at a time.
    let behind = std::thread::scope(|scope| {
        let callers = scope.spawn(|| all_callers_behind(&ratchet.callers));
        let mut behind = all_lines_behind(&ratchet.lines);
        behind.extend(callers.join().expect("the callers are judged"));
        behind
    });
    assert!(behind.is_empty(), "{behind:#?}");
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn all_callers_behind(bounds: &[Callers]) -> Vec<String> {
    let helpline = Helpline {
        script: Arc::new(AssistantScript::built_in()),
        reader: crate::reader(false).expect("the trained reader"),
    };
    let kept_aside = checkout().join("crates/evaluation/callers/kept-aside");
    let parts = caller::read_parts(&kept_aside).expect("callers");
    let bound: usize = bounds.iter().map(|callers| callers.parts.len()).sum();
    assert_eq!(parts.len(), bound, "a bound for each part");
    let of_parts = |bounds: &Callers| {
        let mut verdicts = Vec::new();
        for name in &bounds.parts {
            let part = parts.iter().find(|part| part.name == *name);
            let callers = &part.expect("the part is there").callers;
            verdicts.extend(callers.iter().map(|caller| score::run(caller, &helpline).0));
        }
        callers_behind(bounds, &Figures::of(&verdicts))
    };
    bounds.iter().flat_map(of_parts).collect()
}

fn all_lines_behind(bounds: &[Lines]) -> Vec<String> {
    let reader = crate::reader(false).expect("the trained reader");
    let of_authors = |bounds: &Lines| {
        let mut lines = Vec::new();
        for author in &bounds.authors {
            let file = checkout().join(format!("training/data/held-out/{author}.tsv"));
            lines.extend(labelled_lines::read(&file).expect("lines"));
        }
        lines_behind(bounds, &LineFigures::of(&lines, &reader))
    };
    bounds.iter().flat_map(of_authors).collect()
}

fn callers_behind(bounds: &Callers, callers: &Figures) -> Vec<String> {
    fallen(
        &bounds.parts.join(", "),
        &[
            (
                "the right agency",
                callers.agency.rate(),
                bounds.agency_at_least,
                true,
            ),
            (
                "life at risk found",
                callers.high_risk.rate(),
                bounds.high_risk_at_least,
                true,
            ),
            (
                "false alarms",
                callers.false_alarms.rate(),
                bounds.false_alarms_at_most,
                false,
            ),
        ],
    )
}

fn lines_behind(bounds: &Lines, lines: &LineFigures) -> Vec<String> {
    let answers = lines.answers_in_all();
    let noticed = |need: &str| {
        let figures = lines.needs[need];
        share(figures.noticed, figures.told)
    };
    let suicide = lines.needs["suicide"];
    fallen(
        &bounds.authors.join(", "),
        &[
            (
                "answers right",
                share(answers.right, answers.all),
                bounds.answers_right_at_least,
                true,
            ),
            (
                "answers reversed",
                share(answers.reversed, answers.all),
                bounds.answers_reversed_at_most,
                false,
            ),
            (
                "suicide acted on at once",
                share(suicide.acted_on, suicide.told),
                bounds.suicide_acted_on_at_least,
                true,
            ),
            (
                "suicide noticed",
                noticed("suicide"),
                bounds.suicide_noticed_at_least,
                true,
            ),
            (
                "danger now noticed",
                noticed("danger now"),
                bounds.danger_noticed_at_least,
                true,
            ),
            (
                "yeses about life taken for denials",
                share(lines.denials_made_up, lines.yeses_about_life),
                bounds.false_denials_at_most,
                false,
            ),
            (
                "everyday first turns asked about suicide",
                share(lines.asked_about_suicide, lines.everyday_first_turns),
                bounds.everyday_asked_about_suicide_at_most,
                false,
            ),
        ],
    )
}
