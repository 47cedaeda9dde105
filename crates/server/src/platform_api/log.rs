//! `/logs`: how calls began and ended, and what became of the messages to programs' servers, page by page. Put together from the
//! records and from what is kept of each message; a request of a program's own is in no log of ours.

use std::cmp::Reverse;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use platform::CallStatus;
use platform::log::{Log, LogError, LogType};
use platform::resource::Paginated;
use records::{CallId, CallKind, CallRecord, Wanted, Window};
use resources::{Kind, Resource};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::call::asked_for_with;
use super::kept;
use super::list_query::{Asked, ListQuery, PageQuery, pagination, skipped};
use super::served::Served;
use super::walk::Walk;
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::webhooks::deliveries::{self, Delivery};

/// So many calls are looked at for one answer at most, and so many entries stand before the end of a page.
const MOST: u32 = 20_000;
const PORTION: u32 = 200;

/// Which entries.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Of this type; of `API` and `Provider` there are none.
    #[serde(rename = "type")]
    #[param(value_type = Option<LogType>, inline)]
    kind: Option<String>,
    /// Messages to programs' servers that are of this type, such as `end-of-call-report`.
    webhook_type: Option<String>,
    /// Of calls with this assistant.
    assistant_id: Option<String>,
    /// Of calls with this squad.
    squad_id: Option<String>,
    /// Of this call.
    call_id: Option<String>,
    /// Of this phone number: there are none.
    phone_number_id: Option<String>,
    /// Of this customer: there are none.
    customer_id: Option<String>,
}

/// Which entries, from when until when, and which of them.
struct WantedLogs {
    calls: bool,
    webhooks: bool,
    webhook_type: Option<String>,
    assistant: Option<String>,
    squad: Option<String>,
    call: Option<Uuid>,
    created: Window,
    updated: Window,
    newest_first: bool,
    /// That stand before the page, and to its end.
    skip: u32,
    until: u32,
}

/// Some of the entries, and how many there are in all.
#[derive(Default)]
struct SomeLogs {
    logs: Vec<Log>,
    total: u64,
}

/// What happened with calls, the newest first: `Call` for each change of a call's status that is on record, and `Webhook` for each
/// message to a program's server, with what became of it. Nothing that was said is in them, and no address. Written conversations
/// have entries of the type `Webhook` alone. They are kept as long as records are.
#[utoipa::path(
    get,
    path = "/logs",
    operation_id = "list_logs",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Log>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`: also of a time with more than 20000 calls, and of a page past the first 20000 entries"),
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
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Log>>, ApiError> {
    let (most, number) = (query.limit()?, page.page()?);
    let found = match wanted(which, &query, &page)? {
        Some(wanted) => found(&app, &wanted).await?,
        None => SomeLogs::default(),
    };
    Ok(Json(Paginated {
        results: found.logs,
        metadata: pagination(number, most, found.total),
    }))
}

/// `None` where there can be none.
fn wanted(
    which: Which,
    query: &ListQuery,
    page: &PageQuery,
) -> Result<Option<WantedLogs>, ApiError> {
    let kind = which.kind.as_deref().map(str::parse::<LogType>);
    let kind = kind.transpose().map_err(|_| ApiError::Parameter {
        name: "type",
        expected: "`API`, `Webhook`, `Call` or `Provider`",
    })?;
    let most = query.limit()?;
    let skip = skipped(page.page()?, most);
    let until = skip.saturating_add(most);
    if until > MOST {
        return Err(ApiError::Parameter {
            name: "page",
            expected: "a page of the first 20000 entries: ask for another time with createdAtLt",
        });
    }
    let call = which.call_id.as_deref().map(str::parse::<Uuid>);
    let wanted = WantedLogs {
        calls: which.webhook_type.is_none() && matches!(kind, None | Some(LogType::Call)),
        webhooks: matches!(kind, None | Some(LogType::Webhook)),
        webhook_type: which.webhook_type,
        assistant: which.assistant_id,
        squad: which.squad_id,
        created: query.created()?,
        updated: query.updated()?,
        newest_first: page.newest_first()?,
        skip,
        until,
        // What is not an id names nothing.
        call: match call.transpose() {
            Ok(call) => call,
            Err(_) => return Ok(None),
        },
    };
    let nobody = which.phone_number_id.is_some() || which.customer_id.is_some();
    Ok((!nobody).then_some(wanted))
}

async fn found(app: &App, wanted: &WantedLogs) -> Result<SomeLogs, ApiError> {
    let record = match wanted.call {
        None => None,
        Some(call) => match stored(app.records.call(CallId(call)).await)? {
            Some(record) if !record.sample => Some(record),
            // What its record was deleted with is in no log any more.
            Some(_) | None => return Ok(SomeLogs::default()),
        },
    };
    let calls = match wanted.calls {
        true => of_calls(app, wanted).await?,
        false => SomeLogs::default(),
    };
    let webhooks = match wanted.webhooks {
        true => of_webhooks(app, wanted, record.as_ref()).await?,
        false => SomeLogs::default(),
    };
    let mut logs = calls.logs;
    logs.extend(webhooks.logs);
    // What has the same time stays in the order of its source: a page begins where the last one ended.
    match wanted.newest_first {
        true => logs.sort_by_key(|log| Reverse(log.time)),
        false => logs.sort_by_key(|log| log.time),
    }
    let page = (wanted.until - wanted.skip) as usize;
    let page = logs.into_iter().skip(wanted.skip as usize).take(page);
    Ok(SomeLogs {
        logs: page.collect(),
        total: calls.total + webhooks.total,
    })
}

/// All of the calls: of none of them it is known when it ended before it is looked at.
async fn of_calls(app: &App, wanted: &WantedLogs) -> Result<SomeLogs, ApiError> {
    let all = Wanted {
        ids: wanted.call.map(|call| vec![CallId(call)]),
        ..Wanted::of(CallKind::WebCall, 1)
    };
    let (assistant, squad) = (wanted.assistant.as_deref(), wanted.squad.as_deref());
    let squads = squad.map(|id| vec![id]);
    let Some(all) = asked_for_with(all, assistant, None, squads) else {
        return Ok(SomeLogs::default());
    };
    // Those that began in the time, and those that ended in it and began before.
    let began = Wanted {
        began: wanted.created,
        ..all.clone()
    };
    let ended = Wanted {
        began: Window::ALL.before(wanted.created.begins()),
        changed: wanted.created,
        ..all
    };
    let mut logs = Vec::new();
    let mut left = u64::from(MOST);
    for calls in [began, ended] {
        let count = stored(app.records.find_calls(calls.clone()).await)?.total;
        left = left.checked_sub(count).ok_or(ApiError::Parameter {
            name: "createdAtGe",
            expected: "a time with at most 20000 calls, such as the last day",
        })?;
        if count == 0 {
            continue;
        }
        let mut walk = Walk::over(calls, PORTION, None);
        while let Some(portion) = stored(walk.next(&app.records).await)? {
            let changes = portion.iter().flat_map(changes_of_status);
            logs.extend(
                changes
                    .filter(|log| wanted.created.holds(log.time) && wanted.updated.holds(log.time)),
            );
        }
    }
    let total = logs.len() as u64;
    Ok(SomeLogs { logs, total })
}

/// That it began, and that it ended.
fn changes_of_status(record: &CallRecord) -> Vec<Log> {
    let served = Served::of(&record.label);
    let change = |at: Timestamp, status: CallStatus| Log {
        status: Some(status),
        assistant_id: served.assistant.clone(),
        squad_id: served.squad.clone(),
        ..Log::of(LogType::Call, at, ORGANISATION, record.call_id.to_string())
    };
    let mut changes = vec![change(record.started_at, CallStatus::InProgress)];
    if let Some(ended_at) = record.ended_at {
        changes.push(Log {
            ended_reason: record.ended_reason.map(|reason| reason.as_str().to_owned()),
            ..change(ended_at, CallStatus::Ended)
        });
    }
    changes
}

/// As many of them as there can be to the end of the page.
async fn of_webhooks(
    app: &App,
    wanted: &WantedLogs,
    record: Option<&CallRecord>,
) -> Result<SomeLogs, ApiError> {
    let mut created = wanted.created;
    if let Some(record) = record {
        let window = deliveries::window(record, Timestamp::now());
        created = created.from(window.begins()).before(window.ends());
    }
    let listed = resources::Wanted {
        created,
        updated: wanted.updated,
        newest_first: wanted.newest_first,
        skip: 0,
        most: wanted.until,
    };
    let call = wanted.call.map(|call| call.to_string());
    let fields = [
        ("call", &call),
        ("type", &wanted.webhook_type),
        ("assistantId", &wanted.assistant),
        ("squadId", &wanted.squad),
    ];
    let listed = kept::found(app, Kind::Delivery, listed, None, &fields).await?;
    Ok(SomeLogs {
        total: listed.total,
        logs: listed.resources.iter().filter_map(webhook).collect(),
    })
}

/// `None` where it is sealed with a key that is not set.
fn webhook(kept: &Resource) -> Option<Log> {
    let delivery = Delivery::read(kept)?;
    let (began, ended) = delivery.last_try()?;
    Some(Log {
        webhook_type: Some(delivery.kind),
        request_http_method: Some("POST".to_owned()),
        request_started_at: Some(began),
        request_finished_at: Some(ended),
        request_duration_seconds: Some(deliveries::lasted(began, ended).as_secs_f64()),
        response_http_code: delivery.code,
        error: delivery.trouble.map(|message| LogError { message }),
        assistant_id: delivery.assistant_id,
        squad_id: delivery.squad_id,
        tries: Some(delivery.tries),
        outcome: Some(delivery.outcome),
        ..Log::of(
            LogType::Webhook,
            kept.created_at,
            ORGANISATION,
            delivery.call,
        )
    })
}
