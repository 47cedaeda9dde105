//! `POST /api/webHook`: the hosted platform's server messages. What it tells (that a call began, what was said, the report at
//! its end) is recorded; what it asks (a tool's result, where to transfer to) is answered from the same directory and knowledge
//! as the embedded assistant's.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use platform::{
    Call, ServerEvent, ServerMessage, ToldBody, ToolCall, ToolCallResult, ToolCalls, ToolCallsReply,
};
use redact::Secret;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::app::{App, MAX_BODY_BYTES};
use crate::emergency::RING_NOW;
use crate::errors::{ApiError, ErrorAnswer};
use crate::helpline::HELPLINE;
use crate::hosted::under_way::{self, News};
use crate::hosted::{self, report, transfer};
use crate::keys;
use crate::request_body::JsonBody;

/// The most of a message that anybody may send, where no secret is set: a question, with what was said before it. Reports are
/// longer, and without a secret no call is recorded on their word.
const MAX_BYTES_WITHOUT_A_SECRET: usize = 128 * 1024;

/// A message of the hosted platform. Kinds that need no reply are answered with `{}`.
#[utoipa::path(
    post,
    path = "/api/webHook",
    tag = "platform",
    request_body(content = ToldBody, description = "The platform's server messages, as far as they are read"),
    responses(
        (status = 200, body = Object, description = "`tool-calls`: `{results}`; `transfer-destination-request`: `{destination}`; others: `{}`"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`webhook-secret-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`webhook-secret-unset`: the report of an unknown call, while no secret is set"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security((), ("webhook-secret" = []))
)]
pub async fn web_hook(
    State(app): State<App>,
    MessageBody(body): MessageBody,
) -> Result<Response, ApiError> {
    let message = parsed(body).await?;
    metrics::counter!("nightlight_webhook_messages_total", "type" => message.event.kind())
        .increment(1);
    let told_at = told_at(&message);
    match message.event {
        ServerEvent::ToolCalls(calls) => Ok(Json(answer_tools(&app, &calls)).into_response()),
        ServerEvent::TransferDestinationRequest(_) => {
            Ok(Json(transfer::destination(&app, &message, told_at).await).into_response())
        }
        ServerEvent::EndOfCallReport(report) => {
            report::record(&app, message.call, told_at, report).await?;
            Ok(Json(json!({})).into_response())
        }
        event => {
            if let Some(call) = &message.call {
                keep(&app, call, told_at, &event).await?;
            }
            Ok(Json(json!({})).into_response())
        }
    }
}

/// When the platform sent it, as far as it says so; never later than now.
fn told_at(message: &ServerMessage) -> Timestamp {
    let now = Timestamp::now();
    let said = message.timestamp.map(|millis| millis.0);
    let said = said.and_then(|millis| Timestamp::from_millisecond(millis).ok());
    said.unwrap_or(now).min(now)
}

/// Keeps what a message tells of a call under way there. Where calls are held here, these are kept by the calls themselves; and
/// without a secret, which hosted mode does not start without, anybody could tell it.
async fn keep(
    app: &App,
    call: &Call,
    told_at: Timestamp,
    event: &ServerEvent,
) -> Result<(), ApiError> {
    if app.settings.hosted_platform.calls.is_none() {
        return Ok(());
    }
    let Some(id) = hosted::id_of(Some(call)) else {
        return Ok(());
    };
    let news = match event {
        ServerEvent::StatusUpdate(update) => News::of_status(update),
        ServerEvent::Transcript(transcript) => News::of_transcript(transcript),
        _ => None,
    };
    match news {
        Some(news) => under_way::keep(app, id, call, told_at, news).await,
        None => Ok(()),
    }
}

/// Refused before anything of it is read, if its secret is missing or wrong.
pub struct MessageBody(Bytes);

impl FromRequest<App> for MessageBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        keys::webhook_secret(request.headers(), &app.settings)?;
        let limit = match app.settings.webhook_secret {
            Some(_) => MAX_BODY_BYTES,
            None => MAX_BYTES_WITHOUT_A_SECRET,
        };
        let JsonBody(body) = JsonBody::of_at_most(limit, request, app).await?;
        Ok(Self(body))
    }
}

/// A message may be as large as a long call's report, and comes from anybody where no secret is set: it is parsed away from
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
    let tool = &HELPLINE.look_up;
    if call.name != tool.name {
        result.error = Some(format!(
            "there is no such tool: {} is the only one",
            tool.name
        ));
        return result;
    }
    let query = call
        .arguments
        .expose_secret()
        .get(&tool.parameter)
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
            result.error = Some(format!(
                "`{}` is missing: give the question as text",
                tool.parameter
            ));
        }
    }
    result
}
