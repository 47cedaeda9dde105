//! The callers who also ring by voice: their words as scripts for `nightlight-caller`, and its reports
//! beside the figures by text.
//!
//! A script is what the caller said by text, in the same order: over the line it is not bent to what
//! the assistant asks, so a misheard answer shows in the figures as it would in a call. This module
//! places no call; `scripts/eval-voice` does.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::{Context, ensure};
use flow::{Agency, AssistantScript, EndReason, TransferMode};
use regex::{Captures, Regex};
use serde::Deserialize;
use serde_json::json;

use crate::caller::Caller;
use crate::figures::Share;
use crate::person::Turn;
use crate::score::{self, Outcome, Route};
use crate::text_call::{Account, Happening};

/// Writes `ID.jsonl` for every caller who rings by voice.
pub fn write_scripts(
    callers: &[Caller],
    script: &Arc<AssistantScript>,
    directory: &Path,
) -> anyhow::Result<usize> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    let mut written = 0;
    for caller in callers.iter().filter(|caller| caller.voice) {
        let (_, account) = score::run(caller, script);
        let account = account.with_context(|| format!("the call of {} panicked", caller.id))?;
        let path = directory.join(format!("{}.jsonl", caller.id));
        std::fs::write(&path, steps(caller, &account))
            .with_context(|| format!("cannot write {}", path.display()))?;
        written += 1;
    }
    ensure!(written > 0, "no caller has voice = true");
    Ok(written)
}

/// What the caller says, and at the end the beginning again: who was not understood starts over.
fn steps(caller: &Caller, account: &Account) -> String {
    let mut steps = String::new();
    let mut say = |words: &str| {
        let _ = writeln!(steps, "{}", json!({ "say": speakable(words) }));
    };
    for happening in &account.happenings {
        if let Happening::Caller(Turn::Says(words)) = happening {
            say(words);
        }
    }
    for words in caller
        .opening
        .iter()
        .filter(|words| !words.starts_with('('))
    {
        say(words);
    }
    steps
}

/// As people read it out: "Blk 12 #08-123" is "Block 12 number zero eight dash one two three".
fn speakable(words: &str) -> String {
    static UNIT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"#?\b(\d+)-(\d+)\b").expect("the tests below compile it"));
    static BLOCK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\bblk\b").expect("the tests below compile it"));
    let digits = |number: &str| -> String {
        let names = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        ];
        let spoken = number
            .bytes()
            .map(|digit| names[usize::from(digit.saturating_sub(b'0')).min(9)]);
        spoken.collect::<Vec<_>>().join(" ")
    };
    let words = BLOCK.replace_all(words, "Block");
    UNIT.replace_all(&words, |unit: &Captures<'_>| {
        format!("{} dash {}", digits(&unit[1]), digits(&unit[2]))
    })
    .into_owned()
}

/// What `nightlight-caller --json` reports, as far as it is judged.
#[derive(Debug, Deserialize)]
struct CallerReport {
    calls: Vec<PlacedCall>,
}

#[derive(Debug, Deserialize)]
struct PlacedCall {
    #[serde(default)]
    failures: Vec<String>,
    record: Option<Record>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    structured_data: Option<StructuredData>,
    ended_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct StructuredData {
    urgent: bool,
    transfer_to: String,
    transferred: bool,
}

impl Record {
    fn outcome(&self) -> Option<Outcome> {
        let data = self.structured_data.as_ref()?;
        let agency: Option<Agency> = data.transfer_to.parse().ok();
        // The record holds no list of transfers: how the call ended tells the last one's mode.
        let forwarded = self.ended_reason.as_deref() == Some(EndReason::Forwarded.as_str());
        let mode = match forwarded {
            true => TransferMode::Warm,
            false => TransferMode::Cold,
        };
        let made = agency.filter(|_| data.transferred);
        Some(Outcome {
            agency,
            urgent: data.urgent,
            transferred: data.transferred,
            transfers: made.map(|to| (mode, to)).into_iter().collect(),
        })
    }
}

/// One caller by voice and by text.
struct Rung<'c> {
    caller: &'c Caller,
    text: Route,
    /// `None`: there was no record to judge.
    voice: Option<(Outcome, Route)>,
    failures: Vec<String>,
}

/// The report on the calls whose `ID.report.json` lie in the directory.
pub fn report(
    callers: &[Caller],
    script: &Arc<AssistantScript>,
    directory: &Path,
    measured: &str,
) -> anyhow::Result<String> {
    let mut rung = Vec::new();
    for caller in callers.iter().filter(|caller| caller.voice) {
        let path = directory.join(format!("{}.report.json", caller.id));
        let placed = std::fs::read_to_string(&path)
            .ok()
            .and_then(|text| serde_json::from_str::<CallerReport>(&text).ok())
            .and_then(|report| report.calls.into_iter().next());
        let (text, _) = score::run(caller, script);
        let text = Route {
            agency_right: text.agency_right,
            mode_right: text.mode_right,
            high_risk_found: text.high_risk_found,
            false_alarm: text.false_alarm,
        };
        let failures = match &placed {
            Some(call) => call.failures.clone(),
            None => vec![String::from("no report of the call")],
        };
        let outcome = placed.and_then(|call| call.record?.outcome());
        let voice = outcome.map(|outcome| {
            let mut expected = caller.expect.clone();
            // Only the last transfer is known.
            expected.first = None;
            let route = outcome.judged(&expected);
            (outcome, route)
        });
        rung.push(Rung {
            caller,
            text,
            voice,
            failures,
        });
    }
    ensure!(!rung.is_empty(), "no caller has voice = true");
    Ok(document(&rung, measured))
}

/// A name, and whether it holds for a call; `None` where it is not asked.
type Measure = (&'static str, fn(&Route) -> Option<bool>);

fn document(rung: &[Rung<'_>], measured: &str) -> String {
    let mut text = format!(
        "# Evaluation by voice\n\n\
         Simulated callers who ring the real server over WebRTC, with spoken words, beside the same callers by\n\
         text ([evaluation.md](evaluation.md)). Written by `make eval-voice`. The script is what the caller said by\n\
         text; it does not answer other questions than were asked there.\n\n\
         Measured: {measured}.\n\n\
         |  | by text | by voice |\n| --- | ---: | ---: |\n"
    );
    let rows: [Measure; 4] = [
        ("agency right", |route| Some(route.agency_right)),
        ("transfer right", |route| Some(route.mode_right)),
        ("high risk found", |route| route.high_risk_found),
        ("false alarms", |route| route.false_alarm),
    ];
    for (what, of) in rows {
        let by_text = Share::of(rung.iter().filter_map(|it| of(&it.text)));
        // A call without a record served nobody: nothing about it is right.
        let lost = |it: &Rung<'_>| of(&it.text).map(|_| false);
        let by_voice = rung.iter().filter_map(|it| match &it.voice {
            Some((_, route)) => of(route),
            None => lost(it),
        });
        let by_voice = Share::of(by_voice);
        let _ = writeln!(
            text,
            "| {what} | {}/{} | {}/{} ({:.0} %) |",
            by_text.count,
            by_text.of,
            by_voice.count,
            by_voice.of,
            by_voice.rate() * 100.0
        );
    }
    text.push_str("\n| caller | expected | by text | by voice | the call itself |\n| --- | --- | --- | --- | --- |\n");
    for it in rung {
        let heard = match &it.voice {
            Some((outcome, route)) => format!(
                "{} {}",
                mark(route.agency_right),
                outcome.agency.map_or("none", Agency::as_str)
            ),
            None => String::from("no record"),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {heard} | {} |",
            it.caller.id,
            it.caller.expect.agency.as_slice().join(" or "),
            mark(it.text.agency_right),
            it.failures.join("; ").replace('|', "/"),
        );
    }
    text
}

fn mark(right: bool) -> &'static str {
    match right {
        true => "right",
        false => "WRONG",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_are_written_as_they_are_said() {
        assert_eq!(
            speakable("Blk 12 Bedok, #08-123"),
            "Block 12 Bedok, zero eight dash one two three"
        );
        assert_eq!(speakable("I'm thirty-four."), "I'm thirty-four.");
    }

    #[test]
    fn a_record_tells_where_the_call_led() {
        let record: Record = serde_json::from_value(json!({
            "structuredData": { "urgent": true, "transfer_to": "SPF", "transferred": true },
            "endedReason": "assistant-forwarded-call",
        }))
        .unwrap();
        let outcome = record.outcome().unwrap();
        assert_eq!(outcome.agency, Some(Agency::Spf));
        assert_eq!(outcome.transfers, [(TransferMode::Warm, Agency::Spf)]);
        let record: Record = serde_json::from_value(json!({
            "structuredData": { "urgent": false, "transfer_to": "Not Applicable", "transferred": false },
            "endedReason": null,
        }))
        .unwrap();
        assert!(record.outcome().unwrap().transfers.is_empty());
    }

    #[test]
    fn a_script_is_what_the_caller_said_and_the_beginning_again() {
        let caller = crate::caller::from_toml(
            "category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\nopening = 'I feel low.'\nvoice = true\n\
             expect.agency = 'none'",
        )
        .unwrap()
        .remove(0);
        let (_, account) = score::run(&caller, &Arc::new(AssistantScript::built_in()));
        let steps = steps(&caller, &account.unwrap());
        let lines: Vec<&str> = steps.lines().collect();
        assert_eq!(lines.first(), lines.last());
        assert!(lines.len() > 2);
        assert_eq!(lines[0], r#"{"say":"I feel low."}"#);
    }
}
