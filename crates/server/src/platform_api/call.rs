//! `/call`: a call as the platform shows it, to its visitor or with the private key; and all calls, found, named and deleted
//! with the private key.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use desk::Who;
use flow::EndReason;
use jiff::{SignedDuration, Timestamp};
use platform::resource::Paginated;
use platform::{
    Analysis, Artifact, Call, CallAssistant, CallStatus, DeleteCalls, UpdateCall, read,
};
use records::{Assistants, By, CallId, CallRecord, Found, Label, StoreError, Wanted};
use redact::Secret;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::kept::Id;
use super::list_query::{Asked, ListQuery, PageQuery, any_of, one_of, pagination, skipped};
use super::served::Served;
use super::structured_output_run;
use super::transport;
use super::web_call::ORGANISATION;
use super::whip::call_id;
use super::{call_log, honoured};
use crate::api::{ASSISTANT_ID, SQUAD_ID};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::{PrivateKey, SeesAll};
use crate::records_unavailable::stored;
use crate::request_body::{AnyBody, JsonBody};
use crate::session::Visitor;
use crate::{call_record, retention};

/// Which calls.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The one of this id.
    id: Option<String>,
    /// Those of these ids, with commas between: at most 100.
    id_any: Option<String>,
    /// Those that were asked for with this assistant.
    assistant_id: Option<String>,
    /// Those that were asked for with one of these assistants, with commas between: at most 100.
    assistant_id_any: Option<String>,
    /// Those that were asked for with this squad.
    squad_id: Option<String>,
    /// Those that were asked for with one of these squads, with commas between: at most 100.
    squad_id_any: Option<String>,
    /// Those that ended so.
    ended_reason: Option<String>,
    /// Those that ended in one of these ways, with commas between: at most 100.
    ended_reason_any: Option<String>,
    /// Those of this phone number: there are none.
    phone_number_id: Option<String>,
    /// Those of one of these phone numbers: there are none.
    phone_number_id_any: Option<String>,
}

/// The calls that are on record, whoever's they are, the newest first, with what was said. Written conversations are chats.
#[utoipa::path(
    get,
    path = "/call",
    operation_id = "list_calls",
    tag = "platform",
    params(Which, ListQuery),
    responses(
        (status = 200, body = [Call]),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: PrivateKey,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
) -> Result<Json<Vec<Call>>, ApiError> {
    let found = found(&app, &which, &query, &PageQuery::default()).await?;
    let calls = found.records.iter().map(|record| shown(&app, record));
    Ok(Json(calls.collect()))
}

/// The same in pages.
#[utoipa::path(
    get,
    path = "/v2/call",
    operation_id = "list_calls_in_pages",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Call>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_page(
    State(app): State<App>,
    _: PrivateKey,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Call>>, ApiError> {
    let found = found(&app, &which, &query, &page).await?;
    let calls = found.records.iter().map(|record| shown(&app, record));
    Ok(Json(Paginated {
        results: calls.collect(),
        metadata: pagination(page.page()?, query.limit()?, found.total),
    }))
}

async fn found(
    app: &App,
    which: &Which,
    query: &ListQuery,
    page: &PageQuery,
) -> Result<Found, ApiError> {
    match wanted(which, query, page)? {
        Some(wanted) => stored(app.records.find_calls(wanted).await),
        None => Ok(Found {
            records: Vec::new(),
            total: 0,
        }),
    }
}

/// `None` where there can be none.
pub fn wanted(
    which: &Which,
    query: &ListQuery,
    page: &PageQuery,
) -> Result<Option<Wanted>, ApiError> {
    let most = query.limit()?;
    let id = which.id.as_deref().map(str::parse::<CallId>);
    let ids = any_of(which.id_any.as_deref(), "idAny")?;
    let assistants = any_of(which.assistant_id_any.as_deref(), "assistantIdAny")?;
    let wanted = Wanted {
        began: query.created()?,
        changed: query.updated()?,
        newest_first: page.newest_first()?,
        skip: skipped(page.page()?, most),
        ..Wanted::of(records::CallKind::WebCall, most)
    };
    // What is not an id names nothing, and no telephone has rung.
    let (Ok(id), None, None) = (
        id.transpose(),
        &which.phone_number_id,
        &which.phone_number_id_any,
    ) else {
        return Ok(None);
    };
    let ids: Option<Vec<CallId>> = ids.map(|ids| {
        let ids = ids.into_iter();
        ids.filter_map(|id| id.parse().ok()).collect()
    });
    let wanted = Wanted {
        ids: one_of(id, ids),
        ended: ended(which)?,
        ..wanted
    };
    let assistant = which.assistant_id.as_deref();
    let squads = any_of(which.squad_id_any.as_deref(), "squadIdAny")?;
    let squads = one_of(which.squad_id.as_deref(), squads);
    Ok(asked_for_with(wanted, assistant, assistants, squads))
}

/// A way that no call ends in names nothing.
fn ended(which: &Which) -> Result<Option<Vec<EndReason>>, ApiError> {
    let any = any_of(which.ended_reason_any.as_deref(), "endedReasonAny")?;
    let named = one_of(which.ended_reason.as_deref(), any);
    Ok(named.map(|reasons| {
        let reasons = reasons.into_iter();
        reasons.filter_map(|reason| reason.parse().ok()).collect()
    }))
}

/// Those of an assistant, of one of several, or of one of several squads. `None` where there can be none: what is not an id names nothing.
pub fn asked_for_with(
    wanted: Wanted,
    assistant: Option<&str>,
    any: Option<Vec<&str>>,
    squads: Option<Vec<&str>>,
) -> Option<Wanted> {
    let of_assistant = |id: &str| as_labelled(id, ASSISTANT_ID);
    let assistant = match assistant {
        Some(id) => Some(of_assistant(id)?),
        None => None,
    };
    let any: Option<Vec<String>> =
        any.map(|ids| ids.into_iter().filter_map(of_assistant).collect());
    let assistants = one_of(assistant, any).map(|mut named| {
        let embedded = named.iter().any(|id| id == ASSISTANT_ID);
        named.retain(|id| id != ASSISTANT_ID);
        Assistants { embedded, named }
    });
    let squads = squads.map(|ids| {
        let ids = ids.into_iter();
        ids.filter_map(|id| as_labelled(id, SQUAD_ID)).collect()
    });
    Some(Wanted {
        assistants,
        squads,
        ..wanted
    })
}

/// An id as labels have it: the server's own one, or of something that is kept.
fn as_labelled(id: &str, own: &str) -> Option<String> {
    match id == own {
        true => Some(own.to_owned()),
        false => id.parse::<Uuid>().ok().map(|id| id.to_string()),
    }
}

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
    Id(id): Id,
    SeesAll(may_see_all): SeesAll,
    headers: HeaderMap,
) -> Result<Json<Call>, ApiError> {
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
            created_at: asked,
            updated_at: asked,
            status: Some(match begun {
                true => CallStatus::InProgress,
                false => CallStatus::Queued,
            }),
            ..asked_for(&app, call, &headers)
        })),
        _ => Err(ApiError::UnknownCall),
    }
}

/// What was said of a call when it was asked for, and where it is joined. Of one that begins at this moment only the latter is known.
fn asked_for(app: &App, call: Uuid, headers: &HeaderMap) -> Call {
    let whole = Call {
        org_id: Some(ORGANISATION.to_owned()),
        ..Call::with_id(call.to_string())
    };
    let label = app.asked.label(call);
    let manner = label.as_ref().and_then(|label| label.manner.as_ref());
    let transport = transport::of(manner);
    let joining = transport::joining(app, headers, call, transport);
    let served = label.as_ref().map(Served::of).unwrap_or_default();
    Call {
        kind: Some(transport::kind(transport)),
        name: label.and_then(|label| label.name),
        assistant_id: served.assistant,
        squad_id: served.squad,
        workflow_id: served.workflow,
        assistant: Some(CallAssistant {
            name: Some(app.script.name.clone()),
            voice: None,
        }),
        web_call_url: joining.call_url.clone(),
        transport: Some(joining),
        ..whole
    }
}

/// Names a call. All else of it is what happened.
#[utoipa::path(
    patch,
    path = "/call/{id}",
    operation_id = "update_call",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    request_body = UpdateCall,
    responses(
        (status = 200, body = Call),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update(
    State(app): State<App>,
    _: PrivateKey,
    visitor: Visitor,
    Id(id): Id,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Json<Call>, ApiError> {
    let name = UpdateCall::parse(&body)?.name;
    let call = call_id(&id)?;
    if let Some(name) = name
        && !app.asked.rename(call, name.clone())
    {
        let record = stored(app.records.call(CallId(call)).await)?;
        let record = record
            .filter(|record| !record.sample)
            .ok_or(ApiError::UnknownCall)?;
        let label = Label {
            name,
            ..record.label
        };
        stored(app.records.label_call(CallId(call), label).await)?;
    }
    self::call(State(app), visitor, Id(id), SeesAll(true), headers).await
}

/// Deletes the record of a call that has ended, for good, and gives it as it was. Of one that is a case at the desk a receipt
/// remains.
#[utoipa::path(
    delete,
    path = "/call/{id}",
    operation_id = "delete_call",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    responses(
        (status = 200, body = Call),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, where there is a body"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`call-under-way`, `record-on-hold`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: with `ids`, several at once"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    AnyBody(body): AnyBody,
) -> Result<Json<Call>, ApiError> {
    let asked: DeleteCalls = match body.is_empty() {
        true => DeleteCalls::default(),
        false => read(&body)?,
    };
    if asked.ids.is_some() {
        return Err(ApiError::NotOffered {
            what: "deleting several calls at once",
            instead: "delete them one by one",
        });
    }
    let call = call_id(&id)?;
    let record = stored(app.records.call(CallId(call)).await)?;
    let Some(record) = record.filter(|record| !record.sample) else {
        // One that waits to be joined has no record yet, and would have one.
        return Err(match app.lines.whose(call) {
            Some(_) => ApiError::CallUnderWay,
            None => ApiError::UnknownCall,
        });
    };
    delete_record(&app, &record).await?;
    Ok(Json(shown(&app, &record)))
}

/// Deletes a record for whoever holds the private key. That of a conversation under way would have nowhere to end.
pub async fn delete_record(app: &App, record: &CallRecord) -> Result<(), ApiError> {
    if record.ended_at.is_none() {
        return Err(ApiError::CallUnderWay);
    }
    match app
        .records
        .delete_call_by(record.call_id, By::PrivateKey)
        .await
    {
        Ok(true) => {}
        Ok(false) => return Err(ApiError::UnknownCall),
        Err(StoreError::OnHold) => return Err(ApiError::RecordOnHold),
        Err(error) => return stored(Err(error)),
    }
    if stored(app.desk.is_open().await)? {
        retention::note(&app.desk, Who::PrivateKey, &[record.call_id]).await;
    }
    call_log::forget(app, record.clone());
    Ok(())
}

/// As the platform shows it.
pub fn shown(app: &App, record: &CallRecord) -> Call {
    let listed = call_record::listed(record, Timestamp::now());
    let messages = call_record::messages(record.started_at, &record.messages);
    let analysis = listed.structured_data.as_ref().map(|data| {
        let mut analysis = Analysis::of(listed.summary.clone(), data);
        let facts = analysis.structured_data.take();
        analysis.structured_data = facts.map(|facts| {
            let facts = facts.expose_secret().clone();
            Secret::new(honoured::in_its_schema(facts, record))
        });
        analysis
    });
    let served = Served::of(&record.label);
    Call {
        org_id: Some(ORGANISATION.to_owned()),
        name: record.label.name.clone(),
        assistant_id: served.assistant,
        squad_id: served.squad,
        workflow_id: served.workflow,
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
        artifact: Some(Artifact {
            structured_outputs: structured_output_run::found_before(record.label.manner.as_ref()),
            ..Artifact::of(messages)
        }),
        analysis,
        ..Call::with_id(listed.call_id)
    }
}
