//! `/call/{id}/call-logs`: what happened in a call, in order, without a word of it. It is put together from what is kept: the
//! record's times, the steps of the call, and what became of the messages to a program's server. What is kept nowhere is not in it.

use std::io::Write;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use platform::CallStatus;
use platform::log::{CallLogEvent, CallLogLine, Spoke};
use records::{CallId, CallKind, CallRecord, Message, Role};
use resources::{Kind, Resource, Wanted};

use super::kept::{self, Id};
use super::whip::call_id;
use crate::app::App;
use crate::call_steps::{self, Step};
use crate::errors::{ApiError, ErrorAnswer};
use crate::kept_beside;
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::webhooks::deliveries::{self, Delivery};

/// The log of a call that is on record, as a gzipped file of JSON lines, each with `time`, `secondsFromStart`, `type`, `body` (the
/// same for people) and what belongs to its type: changes of status, who spoke and for how long, tools by name, steps of a
/// hand-over, and messages to a program's server with what became of them. Nothing that was said is in it, no name and no
/// address. Of a call under way it ends where the call stands.
#[utoipa::path(
    get,
    path = "/call/{id}/call-logs",
    operation_id = "download_call_log",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    responses(
        (status = 200, body = String, content_type = "application/gzip"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`: also of a call whose record was deleted"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn download(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let call = CallId(call_id(&id)?);
    let record = stored(app.records.call(call).await)?;
    let record = record.ok_or(ApiError::UnknownCall)?;
    let steps = stored(call_steps::of_call(&app.resources, call).await)?;
    let told = told_of(&app, &record).await?;
    let lines = lines(&record, &steps, &told);
    let headers = [
        (header::CONTENT_TYPE, "application/gzip".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{call}.jsonl.gz\""),
        ),
    ];
    Ok((headers, gzipped(&lines)).into_response())
}

/// What is kept of the messages that are about this call, the oldest first.
async fn told_of(app: &App, record: &CallRecord) -> Result<Vec<Resource>, ApiError> {
    let wanted = Wanted {
        created: deliveries::window(record, Timestamp::now()),
        newest_first: false,
        ..Wanted::latest(u32::MAX)
    };
    let call = record.call_id.to_string();
    let is_of_it = |kept: &Resource| {
        let body = kept.body.expose_secret();
        body.get("call").is_some_and(|it| *it == call)
    };
    let found = kept::all_that(app, Kind::Delivery, wanted, is_of_it).await?;
    Ok(found.resources)
}

/// Removes what is kept beside the record of a call, which was deleted: its log, and messages of it that are not delivered. Returns
/// at once.
pub fn forget(app: &App, record: CallRecord) {
    let app = app.clone();
    app.tasks.clone().spawn(async move {
        let forgotten = async {
            let call = record.call_id;
            stored(kept_beside::forget_messages(&app.resources, &[call]).await)?;
            for kept in told_of(&app, &record).await? {
                stored(app.resources.remove(Kind::Delivery, kept.id).await)?;
            }
            Ok::<_, ApiError>(())
        };
        if let Err(error) = forgotten.await {
            let call = record.call_id;
            tracing::warn!(%call, %error, "of a call whose record was deleted something is left in the logs; it goes after records_kept_days");
        }
    });
}

/// In the order of time; what is of the same moment stays in the order of its source.
fn lines(record: &CallRecord, steps: &[Step], told: &[Resource]) -> Vec<CallLogLine> {
    let mut all = vec![(
        record.started_at,
        CallLogEvent::StatusUpdate {
            status: CallStatus::InProgress,
            ended_reason: None,
        },
    )];
    all.extend(record.messages.iter().filter_map(|it| spoken(record, it)));
    let steps = steps.iter();
    all.extend(steps.filter_map(|step| Some((step.at()?, step.event.clone()))));
    for kept in told {
        if let Some(delivery) = Delivery::read(kept) {
            // Of a call by voice its own steps name it.
            if let Some(tool) = &delivery.tool
                && record.kind == CallKind::Chat
            {
                let name = tool.clone();
                all.push((kept.created_at, CallLogEvent::ToolCall { name }));
            }
            all.push((kept.created_at, webhook(delivery)));
        }
    }
    if let Some(ended_at) = record.ended_at {
        let ended = CallLogEvent::StatusUpdate {
            status: CallStatus::Ended,
            ended_reason: record.ended_reason.map(|reason| reason.as_str().to_owned()),
        };
        all.push((ended_at, ended));
    }
    all.sort_by_key(|(at, _)| *at);
    let lines = all.into_iter();
    lines
        .map(|(at, event)| CallLogLine::new(at, record.started_at, event))
        .collect()
}

/// That somebody spoke, and nothing of what.
fn spoken(record: &CallRecord, message: &Message) -> Option<(Timestamp, CallLogEvent)> {
    let after = Duration::try_from_secs_f64(message.seconds_from_start).unwrap_or_default();
    let at = record.started_at.saturating_add(after).ok()?;
    let spoke = Spoke {
        duration: (record.kind == CallKind::WebCall).then_some(message.duration_seconds),
        interrupted: message.interrupted,
    };
    let event = match message.role {
        Role::User => CallLogEvent::UserSpoke(spoke),
        Role::Bot => CallLogEvent::AssistantSpoke(spoke),
        Role::Officer => CallLogEvent::OfficerSpoke(spoke),
        Role::System => return None,
    };
    Some((at, event))
}

fn webhook(delivery: Delivery) -> CallLogEvent {
    CallLogEvent::Webhook {
        webhook_type: delivery.kind,
        tries: delivery.tries,
        outcome: delivery.outcome,
        response_http_code: delivery.code,
        error: delivery.trouble,
    }
}

fn gzipped(lines: &[CallLogLine]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::default());
    for line in lines {
        let line = serde_json::to_vec(line).expect("times, numbers and strings are JSON");
        let written = file.write_all(&line).and_then(|()| file.write_all(b"\n"));
        written.expect("memory takes all that is written");
    }
    file.finish().expect("memory takes all that is written")
}
