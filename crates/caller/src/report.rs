//! The report: what one call was like, the totals over all calls, and both as text.
//!
//! Words stand in it on purpose: this is a test tool, and its callers are scripted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use crate::director::SayKind;
use crate::measure::{Reaction, Spread, spread};
use crate::place::TransportKind;

#[derive(Debug, Serialize)]
pub struct CallReport {
    pub call: usize,
    pub call_id: Option<String>,
    pub transport: TransportKind,
    pub connected: bool,
    /// Why the call counts as failed; empty when it went well.
    pub failures: Vec<String>,
    pub setup: Setup,
    pub utterances: Vec<Utterance>,
    /// Utterances of the script that the call's end came before.
    pub unsaid: usize,
    pub audio: Audio,
    pub duration_seconds: f64,
    pub end: Option<End>,
    pub captions: Vec<Caption>,
    /// App messages by type.
    pub messages: BTreeMap<String, usize>,
    /// What the embedded engine understood of the received audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcribed: Option<Vec<Transcribed>>,
    pub record: Option<Value>,
}

/// From the moment before POST /call/web, in milliseconds.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Setup {
    pub created_ms: Option<f64>,
    pub answered_ms: Option<f64>,
    pub connected_ms: Option<f64>,
    pub first_packet_ms: Option<f64>,
    /// To the assistant's first sound.
    pub greeting_ms: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Utterance {
    pub says: String,
    pub kind: SayKind,
    /// Of its sound, since the call's start.
    pub from_seconds: f64,
    pub to_seconds: f64,
    #[serde(flatten)]
    pub reaction: Reaction,
}

#[derive(Debug, Default, Serialize)]
pub struct Audio {
    pub packets_received: u64,
    pub packets_lost: u64,
    pub packets_late: u64,
    pub concealed_ms: f64,
    pub packets_sent: u64,
    /// Datagrams, media and others.
    pub dropped_on_purpose: u64,
    /// How far this process fell behind its own clock: its part in the measured delays.
    pub caller_lateness_ms: f64,
    /// Seconds of the assistant's speech by the sound of it.
    pub speech_heard_seconds: f64,
    /// When it sounded, since the call's start.
    pub speech_spans_seconds: Vec<(f64, f64)>,
}

#[derive(Debug, Clone, Serialize)]
pub struct End {
    pub by: EndedBy,
    /// The reason that the app messages gave.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    Server,
    Caller,
    MediaLost,
    /// The bound given to the call was reached.
    Bound,
}

#[derive(Debug, Clone, Serialize)]
pub struct Caption {
    pub at_seconds: f64,
    pub role: String,
    pub words: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Transcribed {
    pub at_seconds: f64,
    pub words: String,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub totals: Totals,
    pub calls: Vec<CallReport>,
}

#[derive(Debug, Serialize)]
pub struct Totals {
    pub calls: usize,
    pub connected: usize,
    pub failed: usize,
    pub utterances: usize,
    pub replies: usize,
    pub first_packet_ms: Option<Spread>,
    pub greeting_ms: Option<Spread>,
    pub reply_gap_ms: Option<Spread>,
    pub reply_first_packet_ms: Option<Spread>,
    pub assistant_stopped_after_ms: Option<Spread>,
    pub packets_received: u64,
    pub packets_lost: u64,
    pub packets_late: u64,
    pub concealed_ms: f64,
    pub caller_lateness_ms: f64,
}

impl Report {
    pub fn of(calls: Vec<CallReport>) -> Self {
        let each = |value: fn(&CallReport) -> Option<f64>| spread(calls.iter().filter_map(value));
        let reactions = || {
            calls
                .iter()
                .flat_map(|call| &call.utterances)
                .map(|said| said.reaction)
        };
        let sum = |value: fn(&Audio) -> u64| calls.iter().map(|call| value(&call.audio)).sum();
        let totals = Totals {
            calls: calls.len(),
            connected: calls.iter().filter(|call| call.connected).count(),
            failed: calls
                .iter()
                .filter(|call| !call.failures.is_empty())
                .count(),
            utterances: reactions().count(),
            replies: reactions()
                .filter(|reaction| reaction.reply_gap_ms.is_some())
                .count(),
            first_packet_ms: each(|call| call.setup.first_packet_ms),
            greeting_ms: each(|call| call.setup.greeting_ms),
            reply_gap_ms: spread(reactions().filter_map(|reaction| reaction.reply_gap_ms)),
            reply_first_packet_ms: spread(
                reactions().filter_map(|reaction| reaction.reply_first_packet_ms),
            ),
            assistant_stopped_after_ms: spread(
                calls
                    .iter()
                    .flat_map(|call| &call.utterances)
                    .filter(|said| said.kind == SayKind::BargeIn)
                    .filter_map(|said| said.reaction.assistant_stopped_after_ms),
            ),
            packets_received: sum(|audio| audio.packets_received),
            packets_lost: sum(|audio| audio.packets_lost),
            packets_late: sum(|audio| audio.packets_late),
            concealed_ms: calls.iter().map(|call| call.audio.concealed_ms).sum(),
            caller_lateness_ms: calls
                .iter()
                .map(|call| call.audio.caller_lateness_ms)
                .fold(0.0, f64::max),
        };
        Self { totals, calls }
    }

    pub fn has_failed(&self) -> bool {
        self.totals.failed > 0
    }

    /// For a person at a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for call in &self.calls {
            call.write_text(&mut text);
        }
        self.totals.write_text(&mut text);
        text
    }
}

// Writing to a String cannot fail, so the results of `writeln!` below are dropped.
impl CallReport {
    fn write_text(&self, out: &mut String) {
        let verdict = if self.failures.is_empty() {
            "ok"
        } else {
            "FAILED"
        };
        let id = self.call_id.as_deref().unwrap_or("no id");
        let _ = writeln!(out, "call {} ({id}): {verdict}", self.call);
        for failure in &self.failures {
            let _ = writeln!(out, "  failure: {failure}");
        }
        let _ = writeln!(
            out,
            "  set-up: answered {}, connected {}, first packet {}, greeting heard {}",
            ms(self.setup.answered_ms),
            ms(self.setup.connected_ms),
            ms(self.setup.first_packet_ms),
            ms(self.setup.greeting_ms),
        );
        for said in &self.utterances {
            let reaction = &said.reaction;
            let _ = write!(
                out,
                "  {:6.2} s  \"{}\": reply after {}",
                said.from_seconds,
                said.says,
                ms(reaction.reply_gap_ms)
            );
            if let Some(stopped) = reaction.assistant_stopped_after_ms {
                let _ = write!(out, ", assistant silent {stopped:.0} ms after the onset");
            }
            if reaction.assistant_interrupted {
                out.push_str(", the assistant cut in");
            }
            out.push('\n');
        }
        if self.unsaid > 0 {
            let _ = writeln!(out, "  {} utterances were left unsaid", self.unsaid);
        }
        let audio = &self.audio;
        let _ = writeln!(
            out,
            "  heard {:.1} s of speech; packets: {} received, {} lost, {} late, {} sent, {} dropped on purpose; concealed {:.0} ms",
            audio.speech_heard_seconds,
            audio.packets_received,
            audio.packets_lost,
            audio.packets_late,
            audio.packets_sent,
            audio.dropped_on_purpose,
            audio.concealed_ms,
        );
        for caption in &self.captions {
            let _ = writeln!(
                out,
                "  {:6.2} s  {}: {}",
                caption.at_seconds, caption.role, caption.words
            );
        }
        for heard in self.transcribed.iter().flatten() {
            let _ = writeln!(out, "  {:6.2} s  heard: {}", heard.at_seconds, heard.words);
        }
        if let Some(end) = &self.end {
            let _ = writeln!(
                out,
                "  ended by {} after {:.1} s: {}",
                match end.by {
                    EndedBy::Server => "the assistant",
                    EndedBy::Caller => "the caller",
                    EndedBy::MediaLost => "loss of media",
                    EndedBy::Bound => "the bound",
                },
                self.duration_seconds,
                end.reason.as_deref().unwrap_or("no reason was given"),
            );
        }
        if let Some(record) = &self.record {
            let field = |name: &str| record[name].as_str().unwrap_or("-").to_owned();
            let structured = &record["structuredData"];
            let _ = writeln!(
                out,
                "  record: {} | transfer to {} | urgent {}",
                field("summaryTitle"),
                structured["transfer_to"].as_str().unwrap_or("-"),
                structured["urgent"],
            );
        }
    }
}

impl Totals {
    fn write_text(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "{} calls, {} connected, {} failed; {} of {} utterances were answered",
            self.calls, self.connected, self.failed, self.replies, self.utterances
        );
        for (what, spread) in [
            ("first packet", self.first_packet_ms),
            ("greeting", self.greeting_ms),
            ("reply gap", self.reply_gap_ms),
            ("reply's first packet", self.reply_first_packet_ms),
            ("barge-in stop", self.assistant_stopped_after_ms),
        ] {
            if let Some(spread) = spread {
                let _ = writeln!(
                    out,
                    "  {what:<21} p50 {:.0} ms, p95 {:.0} ms, max {:.0} ms ({} measured)",
                    spread.p50, spread.p95, spread.max, spread.count
                );
            }
        }
        let _ = writeln!(
            out,
            "  packets: {} received, {} lost, {} late; concealed {:.0} ms; this caller was {:.0} ms late at worst",
            self.packets_received,
            self.packets_lost,
            self.packets_late,
            self.concealed_ms,
            self.caller_lateness_ms
        );
    }
}

fn ms(value: Option<f64>) -> String {
    value.map_or_else(|| String::from("never"), |value| format!("{value:.0} ms"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(call: usize, gap: Option<f64>, failures: &[&str]) -> CallReport {
        CallReport {
            call,
            call_id: Some(format!("id-{call}")),
            transport: TransportKind::Webrtc,
            connected: true,
            failures: failures
                .iter()
                .map(|failure| (*failure).to_owned())
                .collect(),
            setup: Setup {
                first_packet_ms: Some(80.0),
                ..Setup::default()
            },
            utterances: vec![Utterance {
                says: String::from("hello"),
                kind: SayKind::InTurn,
                from_seconds: 4.0,
                to_seconds: 5.0,
                reaction: Reaction {
                    reply_gap_ms: gap,
                    reply_first_packet_ms: gap,
                    assistant_stopped_after_ms: None,
                    assistant_interrupted: false,
                },
            }],
            unsaid: 0,
            audio: Audio {
                packets_received: 100,
                packets_lost: 3,
                ..Audio::default()
            },
            duration_seconds: 12.0,
            end: None,
            captions: Vec::new(),
            messages: BTreeMap::new(),
            transcribed: None,
            record: None,
        }
    }

    #[test]
    fn totals_span_all_calls_and_tell_what_failed() {
        let report = Report::of(vec![
            call(1, Some(3_020.0), &[]),
            call(2, None, &["no reply"]),
            call(3, Some(3_060.0), &[]),
        ]);
        assert!(report.has_failed());
        assert_eq!(report.totals.failed, 1);
        assert_eq!((report.totals.replies, report.totals.utterances), (2, 3));
        assert_eq!(report.totals.packets_lost, 9);
        let gap = report
            .totals
            .reply_gap_ms
            .expect("two replies were measured");
        assert_eq!((gap.count, gap.p50, gap.p95), (2, 3_020.0, 3_060.0));
        let text = report.text();
        assert!(text.contains("call 2 (id-2): FAILED"), "{text}");
        assert!(text.contains("reply after never"), "{text}");
    }
}
