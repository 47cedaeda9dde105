//! What is told of a run: tables for the terminal and for `docs/evaluation.md`, and whole
//! conversations of the calls that went wrong.

use std::fmt::Write;

use crate::caller::Caller;
use crate::figures::{Figures, PartResult, Share};
use crate::person::Turn;
use crate::score::{Slot, Verdict};
use crate::text_call::{Account, Happening};

const HEADINGS: [&str; 13] = [
    "category",
    "callers",
    "agency",
    "mode",
    "high risk found",
    "false alarms",
    "name",
    "place",
    "date",
    "abuse",
    "rules broken",
    "not said",
    "missed",
];

/// A Markdown table, aligned so that it reads in a terminal too.
pub fn table(part: &PartResult) -> String {
    let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
    for (category, figures) in part.by_category() {
        rows.push(row(category, &figures));
    }
    rows.push(row("**all**", &part.total()));
    let widths: Vec<usize> = (0..HEADINGS.len())
        .map(|at| {
            rows.iter()
                .map(|row| row[at].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut table = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| match at {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        let _ = writeln!(table, "| {} |", cells.join(" | "));
        if index == 0 {
            let rules: Vec<String> = widths
                .iter()
                .enumerate()
                .map(|(at, width)| match at {
                    0 => "-".repeat(*width),
                    _ => format!("{}:", "-".repeat(width.saturating_sub(1))),
                })
                .collect();
            let _ = writeln!(table, "| {} |", rules.join(" | "));
        }
    }
    table
}

fn row(category: &str, figures: &Figures) -> Vec<String> {
    vec![
        category.to_owned(),
        figures.callers.to_string(),
        share(figures.agency),
        share(figures.mode),
        share(figures.high_risk),
        share(figures.false_alarms),
        share(figures.slot(Slot::Name)),
        share(figures.slot(Slot::Place)),
        share(figures.slot(Slot::When)),
        share(figures.slot(Slot::Abuse)),
        figures.rules_broken().to_string(),
        figures.untrue.to_string(),
        figures.missed.to_string(),
    ]
}

fn share(share: Share) -> String {
    match share.of {
        0 => String::from("–"),
        of => format!("{}/{of}", share.count),
    }
}

fn percent(share: Share) -> String {
    format!("{:.1} %", share.rate() * 100.0)
}

/// The figures of a part in sentences.
pub fn summary(figures: &Figures) -> String {
    let mut text = format!(
        "{} callers, {} without any fault. Agency right: {} ({}). Mode right: {}. High risk found: {}. \
         False alarms: {}. Rules broken: {}. Not said but noted: {}. Missed: {}.\n",
        figures.callers,
        figures.passed,
        percent(figures.agency),
        share(figures.agency),
        percent(figures.mode),
        share(figures.high_risk),
        share(figures.false_alarms),
        figures.rules_broken(),
        figures.untrue,
        figures.missed,
    );
    if !figures.broken_rules.is_empty() {
        let broken: Vec<String> = figures
            .broken_rules
            .iter()
            .map(|(rule, count)| format!("{rule:?} {count}"))
            .collect();
        let _ = writeln!(text, "Rules broken: {}.", broken.join(", "));
    }
    if figures.unrecognised_questions > 0 {
        let _ = writeln!(
            text,
            "Questions that the simulated callers did not recognise: {}.",
            figures.unrecognised_questions
        );
    }
    text
}

/// `docs/evaluation.md`. The date and the machine come from outside: a run has no clock.
pub fn document(parts: &[PartResult], measured: &str, command: &str) -> String {
    let mut text = String::from(
        "# Evaluation\n\n\
         Simulated callers, run by text through the conversation that a call runs. Written by `make eval`;\n\
         what a caller is, and what each column counts, is in\n\
         [crates/evaluation/callers/README.md](../crates/evaluation/callers/README.md).\n\n",
    );
    let _ = writeln!(text, "Measured: {measured}. Command: `{command}`.");
    for part in parts {
        let _ = writeln!(text, "\n## {}\n", part.name);
        text.push_str(&summary(&part.total()));
        text.push('\n');
        text.push_str(&table(part));
        let missed = part.total().missed_targets();
        text.push_str("\nTargets: ");
        match missed.is_empty() {
            true => text.push_str("all reached.\n"),
            false => {
                text.push_str("missed.\n\n");
                for target in missed {
                    let _ = writeln!(text, "- {target}");
                }
            }
        }
    }
    text
}

/// What went wrong in a call, one fault a line.
pub fn faults(verdict: &Verdict) -> Vec<String> {
    let mut faults = Vec::new();
    let agency = verdict.agency.map_or("none", flow::Agency::as_str);
    if !verdict.agency_right {
        faults.push(format!(
            "agency {agency}, expected {}",
            verdict.expected_agency.join(" or ")
        ));
    }
    if !verdict.mode_right {
        let made: Vec<String> = verdict
            .transfers
            .iter()
            .map(|(mode, to)| format!("{} to {to}", mode.as_str()))
            .collect();
        faults.push(match made.is_empty() {
            true => String::from("not handed on"),
            false => format!("handed on wrongly: {}", made.join(", then ")),
        });
    }
    if verdict.high_risk_found == Some(false) {
        faults.push(String::from("HIGH RISK NOT FOUND"));
    }
    if verdict.false_alarm == Some(true) {
        faults.push(String::from("FALSE ALARM"));
    }
    for slot in verdict.slots.iter().filter(|slot| !slot.right) {
        faults.push(format!(
            "{:?}: {:?}, expected {:?}",
            slot.slot, slot.got, slot.expected
        ));
    }
    for broken in &verdict.broken_rules {
        faults.push(format!("rule {:?}: {}", broken.rule, broken.detail));
    }
    faults.extend(verdict.untrue.iter().map(|it| format!("not said: {it}")));
    faults.extend(verdict.missed.iter().map(|it| format!("missed: {it}")));
    faults.extend(
        verdict
            .unrecognised_questions
            .iter()
            .map(|it| format!("(question not recognised by the simulated caller: {it})")),
    );
    faults
}

/// The whole conversation, for reading.
pub fn conversation(caller: &Caller, verdict: &Verdict, account: Option<&Account>) -> String {
    let mut text = format!(
        "=== {} ({})\n    {}\n",
        caller.id, caller.category, caller.who
    );
    for happening in account
        .map(|it| it.happenings.as_slice())
        .unwrap_or_default()
    {
        let _ = match happening {
            Happening::Assistant(sentences) => writeln!(text, "  A: {}", sentences.join(" ")),
            Happening::Caller(Turn::Says(words)) => writeln!(text, "  C: {words}"),
            Happening::Caller(Turn::Silent) => writeln!(text, "  C: (silence)"),
            Happening::Caller(Turn::Unclear) => writeln!(text, "  C: (unclear)"),
            Happening::Caller(Turn::HangsUp) => writeln!(text, "  C: (hangs up)"),
            Happening::LookedUp => writeln!(text, "  -- product_query"),
            Happening::Transfer(mode, agency) => {
                writeln!(text, "  -- {} transfer to {agency}", mode.as_str())
            }
            Happening::End(reason) => writeln!(text, "  -- end: {}", reason.as_str()),
        };
    }
    if let Some(account) = account {
        let note = &account.note;
        let data = &note.structured_data;
        let _ = writeln!(text, "  title: {}", note.summary_title.expose_secret());
        let _ = writeln!(text, "  summary: {}", note.summary.expose_secret());
        let _ = writeln!(text, "  follow-up: {}", data.follow_up.expose_secret());
        let _ = writeln!(
            text,
            "  name: {} | location: {} | latest incident: {} | abuse: {} | urgent: {} | to: {} | transferred: {}",
            data.name.expose_secret(),
            data.location.expose_secret(),
            data.latest_incident_date.expose_secret(),
            data.abuse_type.as_str(),
            data.urgent,
            data.transfer_to
                .map_or("Not Applicable", flow::Agency::as_str),
            data.transferred,
        );
        for evidence in &note.evidence {
            let words = evidence.words.expose_secret();
            let _ = writeln!(
                text,
                "  evidence: {} <- turn {}: {words:?}",
                evidence.claim, evidence.turn
            );
        }
    }
    for fault in faults(verdict) {
        let _ = writeln!(text, "  !! {fault}");
    }
    text
}
