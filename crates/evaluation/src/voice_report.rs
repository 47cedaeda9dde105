//! How the callers who rang by voice were served, from the reports of `nightlight-caller`, beside the
//! figures by text; and for those who were served wrongly, what was heard of their words.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::ensure;
use flow::{Agency, EndReason, TransferMode};
use serde::Deserialize;

use crate::caller::Caller;
use crate::figures::Share;
use crate::hearing::{self, Hearing};
use crate::score::{self, Outcome, Route};
use crate::text_call::Helpline;

/// A caller whose sound comes later than this from its own machine is not heard as it spoke.
const MOST_LATENESS_MS: f64 = 1_000.0;

/// What `nightlight-caller --json` reports, as far as it is judged.
#[derive(Debug, Deserialize)]
struct CallerReport {
    calls: Vec<PlacedCall>,
}

#[derive(Debug, Deserialize)]
struct PlacedCall {
    #[serde(default)]
    failures: Vec<String>,
    #[serde(default)]
    audio: Audio,
    #[serde(default)]
    utterances: Vec<hearing::Utterance>,
    #[serde(default)]
    captions: Vec<hearing::Caption>,
    record: Option<Record>,
}

#[derive(Debug, Default, Deserialize)]
struct Audio {
    caller_lateness_ms: f64,
}

impl PlacedCall {
    /// Why the figures may not be the server's doing.
    fn troubles(&self) -> Vec<String> {
        let late = self.audio.caller_lateness_ms;
        let stall = (late > MOST_LATENESS_MS)
            .then(|| format!("this machine kept the caller itself waiting for {late:.0} ms"));
        self.failures.iter().cloned().chain(stall).collect()
    }
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
    heard: Vec<Hearing>,
    failures: Vec<String>,
}

impl Rung<'_> {
    fn went_wrong(&self) -> bool {
        self.voice.as_ref().is_none_or(|(_, route)| {
            !route.agency_right
                || !route.mode_right
                || route.high_risk_found == Some(false)
                || route.false_alarm == Some(true)
        })
    }
}

/// The report on the calls whose `ID.report.json` lie in the directory.
pub fn report(
    callers: &[Caller],
    helpline: &Helpline,
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
        let (text, _) = score::run(caller, helpline);
        let text = Route {
            agency_right: text.agency_right,
            mode_right: text.mode_right,
            high_risk_found: text.high_risk_found,
            false_alarm: text.false_alarm,
        };
        let failures = match &placed {
            Some(call) => call.troubles(),
            None => vec![String::from("no report of the call")],
        };
        let heard = placed.as_ref().map_or_else(Vec::new, |call| {
            hearing::matched(&call.utterances, &call.captions)
        });
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
            heard,
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
         text ([evaluation.md](evaluation.md)). Written by `make eval-voice`. A caller answers what it hears the\n\
         assistant ask, as by text; it speaks in one of three synthetic voices.\n\n\
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
    let errors: usize = rung
        .iter()
        .flat_map(|it| &it.heard)
        .map(Hearing::errors)
        .sum();
    let words: usize = rung
        .iter()
        .flat_map(|it| &it.heard)
        .map(Hearing::words)
        .sum();
    let _ = writeln!(
        text,
        "\nOf {words} words said, {errors} were missing, added or others in the transcript: a word error rate of\n\
         {:.1} %, numbers compared as numbers.",
        errors as f64 * 100.0 / words.max(1) as f64
    );
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
    text.push_str(&misheard(rung));
    text
}

/// For each caller who was served wrongly, what was said and heard differently.
fn misheard(rung: &[Rung<'_>]) -> String {
    let mut text = String::new();
    for it in rung.iter().filter(|it| it.went_wrong()) {
        let _ = writeln!(text, "\n### {}\n", it.caller.id);
        if it.heard.is_empty() {
            text.push_str("Nothing was said.\n");
            continue;
        }
        let mut differing = it
            .heard
            .iter()
            .filter(|heard| heard.errors() > 0)
            .peekable();
        if differing.peek().is_none() {
            text.push_str("Every word was heard as it was said.\n");
            continue;
        }
        text.push_str("| said | heard |\n| --- | --- |\n");
        for heard in differing {
            let turns = match heard.turns.as_slice() {
                [] => String::from("(nothing)"),
                turns => turns.join(" … "),
            };
            let row = format!("| {} | {turns} |", heard.said);
            let _ = writeln!(text, "{row}");
        }
    }
    match text.is_empty() {
        true => text,
        false => format!(
            "\n## What was heard of those who were served wrongly\n\n\
             Only what differs; \u{201c}…\u{201d} stands between two turns that one utterance was taken for.\n{text}"
        ),
    }
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
    use serde_json::json;

    use super::*;

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
}
