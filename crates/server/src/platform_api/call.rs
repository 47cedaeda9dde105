//! `GET /call/{id}`: a call as the platform shows it, to its visitor or with the private key.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use platform::{Analysis, Artifact, Call, CallAssistant, CallKind, CallStatus};
use records::{CallId, CallRecord};

use super::web_call::ORGANISATION;
use super::whip::call_id;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::session::Visitor;
use crate::storage::stored;
use crate::{call_record, keys};

/// One call: waiting, live or over.
#[utoipa::path(
    get,
    path = "/call/{id}",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    responses(
        (status = 200, body = Call),
        (status = 401, body = ErrorAnswer, description = "`key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`, also for a call that is somebody else's"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security((), ("key" = []))
)]
pub async fn call(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Call>, ApiError> {
    // A key that is shown must be right; without one it is the visitor who asks.
    let may_see_all = match headers.contains_key(axum::http::header::AUTHORIZATION) {
        true => keys::private_key(&headers, &app.settings).map(|()| true)?,
        false => false,
    };
    let call = call_id(&id)?;
    if let Some(record) = stored(app.records.call(CallId(call)).await)?
        && (may_see_all || record.sample || record.visitor == Some(visitor))
    {
        return Ok(Json(shown(&app, &record)));
    }
    // Not on record yet: asked for, or begun a moment ago.
    let asked = app.lines.since(call).and_then(|since| {
        let ago = SignedDuration::try_from(since.elapsed()).ok()?;
        Timestamp::now().checked_sub(ago).ok()
    });
    match app.lines.whose(call) {
        Some((owner, begun)) if may_see_all || owner == visitor => Ok(Json(Call {
            org_id: Some(ORGANISATION.to_owned()),
            created_at: asked,
            updated_at: asked,
            kind: Some(CallKind::Web),
            status: Some(match begun {
                true => CallStatus::InProgress,
                false => CallStatus::Queued,
            }),
            ..Call::with_id(call.to_string())
        })),
        _ => Err(ApiError::UnknownCall),
    }
}

fn shown(app: &App, record: &CallRecord) -> Call {
    let listed = call_record::listed(record, Timestamp::now());
    let messages = call_record::messages(record.started_at, &record.messages);
    let analysis = listed
        .structured_data
        .as_ref()
        .map(|data| Analysis::of(listed.summary.clone(), data));
    Call {
        org_id: Some(ORGANISATION.to_owned()),
        created_at: Some(record.started_at),
        updated_at: Some(record.ended_at.unwrap_or(record.started_at)),
        started_at: Some(record.started_at),
        ended_at: record.ended_at,
        kind: Some(listed.kind),
        status: Some(listed.status),
        ended_reason: listed.ended_reason,
        assistant: Some(CallAssistant {
            name: Some(app.script.name.clone()),
            voice: None,
        }),
        artifact: Some(Artifact::of(messages)),
        analysis,
        ..Call::with_id(listed.call_id)
    }
}
