//! A stored record as the wire shows it: the call-info of the dashboard and of the platform's
//! call. It decides nothing about who may see it.

use std::time::Duration;

use flow::{CaseNote, StructuredData};
use jiff::Timestamp;
use platform::{
    CallInfo, CallKind, CallStatus, ConversationMessage, ListedCall, MessageRole, ShownNotice,
    TransferTo,
};
use records::{CallRecord, Label, Message, Role};
use redact::Secret;

use crate::evidence_links::Evidence;
use crate::platform_api::transport;

/// The title that marks a call under way, as the specification words it.
const ACTIVE_TITLE: &str = "Active Call";
const ACTIVE_SUMMARY: &str = "Call in progress";
pub const NOTHING_PROVIDED: &str = "No summary provided";
/// Of a record that is kept encrypted, and whose key is not here.
pub const UNREADABLE_TITLE: &str = "Record cannot be read";
const UNREADABLE_SUMMARY: &str = "What was said is stored, but it cannot be decrypted here. Ask whoever runs this line to set the key.";

/// A record as call-info. `now` gives a running call its duration so far.
pub fn call_info(record: &CallRecord, now: Timestamp) -> CallInfo {
    let evidence = record
        .note
        .as_ref()
        .map(|note| Evidence::of(note, &record.messages))
        .unwrap_or_default();
    CallInfo {
        listed: listed(record, now),
        messages: messages(record.started_at, &record.messages),
        evidence: evidence.all,
        escalation_triggers: evidence.escalating,
        notice: record.notice.map(|notice| ShownNotice {
            version: notice.version.to_string(),
            kept_days: notice.kept_days,
        }),
    }
}

/// A record as a list shows it.
pub fn listed(record: &CallRecord, now: Timestamp) -> ListedCall {
    let until = record.ended_at.unwrap_or(now);
    let (title, summary) = match (&record.note, record.ended_at) {
        (Some(note), _) => (note.summary_title.clone(), note.summary.clone()),
        (None, Some(_)) if record.unopened => (fixed(UNREADABLE_TITLE), fixed(UNREADABLE_SUMMARY)),
        (None, None) => (fixed(ACTIVE_TITLE), fixed(ACTIVE_SUMMARY)),
        (None, Some(_)) => (fixed(NOTHING_PROVIDED), fixed(NOTHING_PROVIDED)),
    };
    ListedCall {
        call_id: record.call_id.0.to_string(),
        started_at: record.started_at,
        duration_seconds: seconds_between(record.started_at, until),
        summary,
        summary_title: title,
        structured_data: structured_data(record),
        id: record.id,
        sample: record.sample,
        kind: kind(record.kind, &record.label),
        status: match record.ended_at {
            Some(_) => CallStatus::Ended,
            None => CallStatus::InProgress,
        },
        ended_reason: record.ended_reason.map(|reason| reason.as_str().to_owned()),
        ended_at: record.ended_at,
    }
}

/// As it was asked for.
pub fn kind(kind: records::CallKind, label: &Label) -> CallKind {
    match kind {
        records::CallKind::WebCall => transport::kind(transport::of(label.manner.as_ref())),
        records::CallKind::Chat => CallKind::Chat,
    }
}

/// Whole and decimal seconds between two instants, never below zero.
fn seconds_between(from: Timestamp, to: Timestamp) -> f64 {
    Duration::try_from(to.duration_since(from))
        .unwrap_or_default()
        .as_secs_f64()
}

fn fixed(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn structured_data(record: &CallRecord) -> Option<platform::StructuredData> {
    let mut data = analysis(record.note.as_ref()?);
    if let Some(words) = &record.abuse_in_other_words {
        data.abuse_type = words.clone();
    }
    Some(data)
}

/// The facts of a note in the analysis schema.
pub fn analysis(note: &CaseNote) -> platform::StructuredData {
    facts(&note.structured_data)
}

/// Facts in the analysis schema.
pub fn facts(facts: &StructuredData) -> platform::StructuredData {
    platform::StructuredData {
        name: facts.name.clone(),
        urgent: facts.urgent,
        location: facts.location.clone(),
        follow_up: facts.follow_up.clone(),
        abuse_type: fixed(facts.abuse_type.as_str()),
        transfer_to: facts
            .transfer_to
            .and_then(|agency| agency.as_str().parse().ok())
            .unwrap_or(TransferTo::NotApplicable),
        transferred: facts.transferred,
        latest_incident_date: facts.latest_incident_date.clone(),
    }
}

pub fn messages(started_at: Timestamp, messages: &[Message]) -> Vec<ConversationMessage> {
    messages
        .iter()
        .map(|message| {
            let at = |seconds: f64| {
                let offset = Duration::try_from_secs_f64(seconds).unwrap_or_default();
                Some(started_at.saturating_add(offset).ok()?.into())
            };
            ConversationMessage {
                role: match message.role {
                    Role::Bot => MessageRole::Bot,
                    Role::User => MessageRole::User,
                    Role::System => MessageRole::System,
                    Role::Officer => MessageRole::Officer,
                },
                message: message.message.clone(),
                time: at(message.seconds_from_start),
                end_time: at(message.seconds_from_start + message.duration_seconds),
                seconds_from_start: message.seconds_from_start,
                duration: Some(message.duration_seconds),
                interrupted: message.interrupted,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agency_of_the_flow_has_a_place_on_the_wire() {
        for agency in flow::Agency::ALL {
            assert!(agency.as_str().parse::<TransferTo>().is_ok(), "{agency:?}");
        }
    }
}
