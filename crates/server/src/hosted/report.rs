//! The report at the end of a call that the hosted platform held, as a record. What its analysis says is kept as it says it,
//! with one exception: it is a model's, and no model takes a danger away. Where our own reader hears one in the caller's words
//! the case is urgent, and where nothing was analysed, the note is our own.

use std::sync::Arc;

use flow::{AbuseType, CaseNote, EndReason, StructuredData};
use jiff::Timestamp;
use platform::{Artifact, Call, EndOfCallReport, Invalid, MessageRole};
use records::{FinishedCall, Message, Role, StoreError};
use redact::Secret;
use serde_json::Value;

use super::{id_of, reading, under_way};
use crate::app::App;
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// Keeps the record of a call that the hosted platform held. A call that this server held itself is left
/// as it is: its own record is the better one, and a report repeated changes nothing. Without a
/// secret nobody's word is taken for a call that this server does not know.
pub async fn record(
    app: &App,
    call: Option<Call>,
    told_at: Timestamp,
    report: EndOfCallReport,
) -> Result<(), ApiError> {
    let id = id_of(call.as_ref()).ok_or_else(|| Invalid::Field {
        path: String::from("message.call.id"),
        problem: String::from("expected a call's id, a UUID"),
    })?;
    let call = call.unwrap_or_else(|| Call::with_id(id.0.to_string()));
    if app.lines.whose(id.0).is_some() {
        return Ok(());
    }
    let _turn = under_way::turn_to_write().await;
    let known = stored(app.records.call(id).await)?;
    let is_hosted = app.settings.hosted_platform.calls.is_some();
    match &known {
        Some(record) if !(is_hosted && under_way::goes_on_there(app, record)) => return Ok(()),
        Some(_) => {}
        None if app.settings.webhook_secret.is_none() => return Err(ApiError::WebhookSecretUnset),
        None => {
            let told_of = Call {
                started_at: report.started_at.or(call.started_at),
                ..call
            };
            let ended_at = report.ended_at.unwrap_or(told_at);
            under_way::begin(app, id, &told_of, ended_at).await?;
        }
    }
    let Some(left) = under_way::take(app, id).await? else {
        return Ok(());
    };
    if known.is_some() && !under_way::is_held_there(&left) {
        return stored(app.records.give_back(id).await);
    }
    let finished = finished(app, left.started_at, left.messages, told_at, report).await;
    match app.records.finish_call(id, finished).await {
        // Deleted meanwhile, as its visitor asked.
        Err(StoreError::UnknownCall) => Ok(()),
        finished => {
            stored(finished)?;
            tracing::info!(call = %id.0, "recorded a call that the hosted platform reported");
            Ok(())
        }
    }
}

async fn finished(
    app: &App,
    started_at: Timestamp,
    heard: Vec<Message>,
    told_at: Timestamp,
    report: EndOfCallReport,
) -> FinishedCall {
    let reported = messages(&report.artifact);
    // A report may leave out what was said; what came before it is then all there is.
    let messages = match reported.is_empty() {
        true => heard,
        false => reported,
    };
    let reason = report.ended_reason.as_deref();
    let reason = reason.map_or(EndReason::CallerEnded, end_reason);
    let (reader, script) = (Arc::clone(&app.reader), Arc::clone(&app.script));
    let own = reading::note(&reader, &script, started_at, &messages, Some(reason)).await;
    let spoke = messages.iter().any(|message| message.role == Role::User);
    FinishedCall {
        ended_at: report.ended_at.unwrap_or(told_at).max(started_at),
        ended_reason: reason,
        note: note(&report, own, spoke),
        messages,
    }
}

/// The platform knows dozens of reasons; the records keep the kinds that matter here.
pub fn end_reason(reason: &str) -> EndReason {
    reason.parse().unwrap_or(match reason {
        "assistant-said-end-call-phrase" => EndReason::AssistantEnded,
        _ if reason.starts_with("customer-") => EndReason::CallerEnded,
        _ if reason.starts_with("assistant-") && !reason.contains("error") => {
            EndReason::AssistantEnded
        }
        _ => EndReason::Error,
    })
}

/// The reported note, beside what our own reader heard; `spoke` says whether the caller said anything.
fn note(report: &EndOfCallReport, own: CaseNote, spoke: bool) -> CaseNote {
    let analysis = report.analysis.structured().unwrap_or_else(|problem| {
        tracing::warn!(%problem, "a reported analysis does not follow the schema; it is left out");
        None
    });
    let structured_data = match analysis {
        Some(data) => StructuredData {
            name: data.name,
            urgent: data.urgent || own.structured_data.urgent,
            location: data.location,
            follow_up: data.follow_up,
            abuse_type: abuse_type(data.abuse_type.expose_secret()),
            transfer_to: data.transfer_to.as_str().parse().ok().or(own
                .structured_data
                .transfer_to
                .filter(|_| own.structured_data.urgent)),
            transferred: data.transferred,
            latest_incident_date: data.latest_incident_date,
        },
        None if spoke => own.structured_data.clone(),
        None => nothing_left(),
    };
    CaseNote {
        summary_title: match spoke {
            true => own.summary_title,
            false => text("Caller was served by the hosted platform"),
        },
        summary: match &report.analysis.summary {
            Some(summary) => summary.clone(),
            None if spoke => own.summary,
            None => text("No summary provided"),
        },
        structured_data,
        evidence: own.evidence,
    }
}

/// The specification's words for what an analysis left out.
fn nothing_left() -> StructuredData {
    StructuredData {
        name: text("Unknown"),
        urgent: false,
        location: text("Unknown"),
        follow_up: text("No follow-up required"),
        abuse_type: AbuseType::Other,
        transfer_to: None,
        transferred: false,
        latest_incident_date: text("N/A"),
    }
}

fn text(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn abuse_type(text: &str) -> AbuseType {
    serde_json::from_value(Value::String(text.to_owned())).unwrap_or(AbuseType::Other)
}

/// What was said, without the prompt and the tools.
pub fn messages(artifact: &Artifact) -> Vec<Message> {
    artifact
        .messages
        .iter()
        .filter_map(|message| {
            let role = match message.role {
                MessageRole::Bot => Role::Bot,
                MessageRole::User => Role::User,
                MessageRole::Officer => Role::Officer,
                // The prompt, tools and what is not known are nobody's words.
                _ => return None,
            };
            Some(Message {
                role,
                officer: None,
                message: message.message.clone(),
                seconds_from_start: message.seconds_from_start,
                duration_seconds: message.duration.unwrap_or_default(),
                interrupted: message.interrupted,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_the_hosted_platform_are_kept_by_kind() {
        let kinds = [
            ("customer-ended-call", EndReason::CallerEnded),
            (
                "customer-did-not-give-microphone-permission",
                EndReason::CallerEnded,
            ),
            ("assistant-said-end-call-phrase", EndReason::AssistantEnded),
            ("silence-timed-out", EndReason::SilenceTimedOut),
            ("pipeline-error-openai-llm-failed", EndReason::Error),
        ];
        for (reason, kind) in kinds {
            assert_eq!(end_reason(reason), kind, "{reason}");
        }
    }
}
