//! `POST /api/webHook`: the hosted platform's server messages. What it tells (a report at the end
//! of a call) is recorded; what it asks (a tool's result, where to transfer to) is answered from
//! the same directory and knowledge as the embedded assistant's.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use flow::{AbuseType, CaseNote, EndReason};
use jiff::Timestamp;
use platform::{
    Call, Destination, EndOfCallReport, Invalid, MessageRole, ServerEvent, ServerMessage, ToolCall,
    ToolCallResult, ToolCalls, ToolCallsReply, TransferDestinationReply,
};
use records::{CallId, CallKind, FinishedCall, Message, NewCall, Role};
use redact::Secret;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::app::App;
use crate::emergency::RING_NOW;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys;
use crate::request_body::JsonBody;
use crate::storage::stored;

/// The look-up tool's name in the assistant's configuration.
const PRODUCT_QUERY: &str = "product_query";
/// The squad member that callers are handed to.
const AUTHORITIES: &str = "Authorities";

/// A message of the hosted platform. Kinds that need no reply are answered with `{}`.
#[utoipa::path(
    post,
    path = "/api/webHook",
    tag = "platform",
    request_body(content = Object, description = "`{\"message\":{\"type\":…}}`, the platform's server messages"),
    responses(
        (status = 200, body = Object, description = "`tool-calls`: `{results}`; `transfer-destination-request`: `{destination}`; others: `{}`"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`webhook-secret-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`webhook-secret-unset`: the report of an unknown call, while no secret is set"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`")
    ),
    security((), ("webhook-secret" = []))
)]
pub async fn web_hook(
    State(app): State<App>,
    _: CarriesTheSecret,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let message = parsed(body).await?;
    metrics::counter!("nightlight_webhook_messages_total", "type" => message.event.kind())
        .increment(1);
    match message.event {
        ServerEvent::ToolCalls(calls) => Ok(Json(answer_tools(&app, &calls)).into_response()),
        ServerEvent::TransferDestinationRequest(_) => Ok(Json(authorities()).into_response()),
        ServerEvent::EndOfCallReport(report) => {
            record(&app, message.call, report).await?;
            Ok(Json(json!({})).into_response())
        }
        _ => Ok(Json(json!({})).into_response()),
    }
}

/// Refuses before anything of the body is read.
pub struct CarriesTheSecret;

impl FromRequestParts<App> for CarriesTheSecret {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        keys::webhook_secret(&parts.headers, &app.settings).map(|()| Self)
    }
}

/// A message may be as large as a long call's report, and comes from anybody where no secret is set: it is read away from
/// the threads that carry calls, and one at a time.
async fn parsed(body: Bytes) -> Result<ServerMessage, ApiError> {
    static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);
    let turn = ONE_AT_A_TIME.acquire().await;
    let message = tokio::task::spawn_blocking(move || ServerMessage::parse(&body)).await;
    drop(turn);
    Ok(message.map_err(|_| ApiError::Internal)??)
}

fn answer_tools(app: &App, calls: &ToolCalls) -> ToolCallsReply {
    let results = calls
        .tool_call_list
        .iter()
        .map(|call| answer_tool(app, call));
    ToolCallsReply {
        results: results.collect(),
    }
}

fn answer_tool(app: &App, call: &ToolCall) -> ToolCallResult {
    let mut result = ToolCallResult {
        tool_call_id: call.id.clone(),
        name: call.name.clone(),
        result: None,
        error: None,
    };
    if call.name != PRODUCT_QUERY {
        result.error = Some(String::from(
            "there is no such tool: product_query is the only one",
        ));
        return result;
    }
    let query = call
        .arguments
        .expose_secret()
        .get("query")
        .and_then(Value::as_str);
    match query {
        Some(query) => {
            let found = app.script.knowledge.look_up(query);
            let answer = match found {
                Some(entry) => entry.answer.clone(),
                None => format!("I don't have that information; {RING_NOW}."),
            };
            result.result = Some(Secret::new(answer));
        }
        None => {
            result.error = Some(String::from(
                "`query` is missing: give the question as text",
            ))
        }
    }
    result
}

fn authorities() -> TransferDestinationReply {
    TransferDestinationReply {
        destination: Some(Destination::Assistant {
            assistant_name: AUTHORITIES.to_owned(),
            description: None,
        }),
        message: None,
        error: None,
    }
}

/// Keeps the record of a call that the hosted platform held. A call that this server knows is left
/// as it is: its own record is the better one, and a report repeated changes nothing. Without a
/// secret nobody's word is taken for a call that this server does not know.
async fn record(app: &App, call: Option<Call>, report: EndOfCallReport) -> Result<(), ApiError> {
    let call_id = call
        .as_ref()
        .and_then(|call| call.id.parse::<Uuid>().ok())
        .map(CallId)
        .ok_or_else(|| Invalid::Field {
            path: String::from("message.call.id"),
            problem: String::from("expected a call's id, a UUID"),
        })?;
    if app.lines.whose(call_id.0).is_some() || stored(app.records.call(call_id).await)?.is_some() {
        return Ok(());
    }
    if app.settings.webhook_secret.is_none() {
        return Err(ApiError::WebhookSecretUnset);
    }
    let ended_at = report.ended_at.unwrap_or_else(Timestamp::now);
    let started_at = report
        .started_at
        .or_else(|| call.as_ref()?.started_at)
        .or_else(|| call.as_ref()?.created_at)
        .unwrap_or(ended_at);
    let new_call = NewCall {
        call_id,
        visitor: None,
        started_at,
        kind: CallKind::WebCall,
        notice: None,
    };
    let finished = FinishedCall {
        ended_at,
        ended_reason: report
            .ended_reason
            .as_deref()
            .map_or(EndReason::CallerEnded, end_reason),
        note: note(&report),
        messages: messages(&report),
    };
    stored(app.records.start_call(new_call).await)?;
    stored(app.records.finish_call(call_id, finished).await)?;
    tracing::info!(call = %call_id.0, "recorded a call that the hosted platform reported");
    Ok(())
}

/// The platform knows dozens of reasons; the records keep the kinds that matter here.
fn end_reason(reason: &str) -> EndReason {
    reason.parse().unwrap_or(match reason {
        "assistant-said-end-call-phrase" => EndReason::AssistantEnded,
        _ if reason.starts_with("customer-") => EndReason::CallerEnded,
        _ if reason.starts_with("assistant-") && !reason.contains("error") => {
            EndReason::AssistantEnded
        }
        _ => EndReason::Error,
    })
}

fn note(report: &EndOfCallReport) -> CaseNote {
    let text = |text: &str| Secret::new(text.to_owned());
    let structured = report.analysis.structured().unwrap_or_else(|problem| {
        tracing::warn!(%problem, "a reported analysis does not follow the schema; it is left out");
        None
    });
    let structured_data = match structured {
        Some(data) => flow::StructuredData {
            name: data.name,
            urgent: data.urgent,
            location: data.location,
            follow_up: data.follow_up,
            abuse_type: abuse_type(data.abuse_type.expose_secret()),
            transfer_to: data.transfer_to.as_str().parse().ok(),
            transferred: data.transferred,
            latest_incident_date: data.latest_incident_date,
        },
        // The specification's words for what an analysis left out.
        None => flow::StructuredData {
            name: text("Unknown"),
            urgent: false,
            location: text("Unknown"),
            follow_up: text("No follow-up required"),
            abuse_type: AbuseType::Other,
            transfer_to: None,
            transferred: false,
            latest_incident_date: text("N/A"),
        },
    };
    CaseNote {
        summary_title: text("Caller was served by the hosted platform"),
        summary: report
            .analysis
            .summary
            .clone()
            .unwrap_or_else(|| text("No summary provided")),
        structured_data,
        evidence: Vec::new(),
    }
}

fn abuse_type(text: &str) -> AbuseType {
    serde_json::from_value(Value::String(text.to_owned())).unwrap_or(AbuseType::Other)
}

fn messages(report: &EndOfCallReport) -> Vec<Message> {
    report
        .artifact
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
