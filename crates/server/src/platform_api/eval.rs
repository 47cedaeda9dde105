//! `/eval`: conversations that a program makes up, with what the assistant is held to in them, and their runs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use call::Manner;
use jiff::Timestamp;
use platform::AssistantOverrides;
use platform::resource::eval::{
    CreateEval, CreateEvalRun, Eval, EvalRun, EvalRunFields, EvalRunStatus, EvalTarget,
    EvalTargetType, JudgeType,
};
use platform::resource::{Paginated, in_full, known};
use resources::{Kind, NewResource, Resource};
use serde::Deserialize;
use utoipa::IntoParams;

use super::kept::{self, Id, Shown, kept_resource};
use super::list_query::{Asked, ListQuery, PageQuery};
use super::served::{self, Served};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::request_body::JsonBody;
use crate::trials;

kept_resource!(create: Eval, CreateEval, Eval, "/eval", "create_eval");
kept_resource!(read: Eval, Eval, "/eval/{id}", "read_eval");
kept_resource!(update: Eval, CreateEval, Eval, "/eval/{id}", "update_eval");
kept_resource!(remove: Eval, Eval, "/eval/{id}", "remove_eval");

/// Which of them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The one of this id.
    id: Option<String>,
}

/// A page of those that are kept, the newest first.
#[utoipa::path(
    get,
    path = "/eval",
    operation_id = "list_evals",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Eval>),
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
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let (wanted, number) = query.wanted_on(&page)?;
    let found = kept::found(&app, Kind::Eval, wanted, which.id.as_deref(), &[]).await?;
    Ok(Json(kept::paginated(&found, wanted, number, kept::shown)))
}

/// Runs an eval. Its caller's words are said to the assistant as any caller's are in writing; nothing of it is among the
/// calls, and nobody is told. The answer comes at once: read the run until its status is `ended`. One runs at a time.
#[utoipa::path(
    post,
    path = "/eval/run",
    operation_id = "run_eval",
    tag = "platform",
    request_body = CreateEvalRun,
    responses(
        (status = 201, body = EvalRun),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: the eval of `evalId`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: several wait already, and Retry-After"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: a judge of type `ai`, where no chat model is set"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`, `shutting-down`")
    ),
    security(("key" = []))
)]
pub async fn run(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let (asked, given) = CreateEvalRun::parse(&body)?;
    if app.leaving.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let manner = target(&app, &asked.target).await?;
    let (eval, eval_id) = match (given, &asked.eval_id) {
        (Some(eval), _) => (eval, None),
        (None, id) => {
            let id = id.as_deref().unwrap_or_default();
            let kept = kept::find(&app, Kind::Eval, id).await?;
            (known::<CreateEval>(&kept.body)?, Some(kept.id.to_string()))
        }
    };
    let messages = eval.messages.as_deref().unwrap_or_default();
    let mut plans = messages.iter().flat_map(|it| &it.judge_plan);
    if app.chat_model.is_none() && plans.any(|plan| plan.kind == JudgeType::Ai) {
        return Err(trials::NO_JUDGE);
    }
    let place = app.trials.line_up()?;
    let fields = EvalRunFields {
        kind: asked.kind,
        status: EvalRunStatus::Queued,
        eval_id,
        eval: asked.eval,
        target: asked.target,
        started_at: None,
        ended_at: None,
        ended_reason: None,
        ended_message: None,
        results: Vec::new(),
        cost: 0.0,
        costs: Vec::new(),
    };
    let new = NewResource::of(Kind::EvalRun, trials::body(&fields));
    let run = kept::add_resource(&app, new).await?;
    let tasks = app.tasks.clone();
    tasks.spawn(trials::eval::run(app, place, run.id, eval, manner));
    Ok((StatusCode::CREATED, kept::shown(&run)))
}

/// How whoever is tried holds a chat. An id must be one we have; whoever it is, the helpline's flow serves it.
async fn target(app: &App, target: &EvalTarget) -> Result<Manner, ApiError> {
    let overrides = target.assistant_overrides.as_ref();
    let overrides = overrides
        .map(|fields| in_full::<AssistantOverrides>("target.assistantOverrides", fields))
        .transpose()?;
    let overrides = overrides.as_ref();
    let served = match target.kind {
        EvalTargetType::Assistant => match (&target.assistant_id, &target.assistant) {
            (Some(id), _) => served::by_assistant(app, id, overrides).await?,
            (None, Some(assistant)) => {
                served::by_assistant_in_full(app, assistant, overrides).await?
            }
            (None, None) => Served::by_the_helpline(),
        },
        EvalTargetType::Squad => match (&target.squad_id, &target.squad) {
            (Some(id), _) => served::by_squad(app, id, overrides).await?,
            (None, Some(squad)) => served::by_squad_in_full(app, squad, overrides).await?,
            (None, None) => Served::by_the_helpline(),
        },
    };
    Ok(served.manner())
}

/// A page of the runs, the newest first.
#[utoipa::path(
    get,
    path = "/eval/run",
    operation_id = "list_eval_runs",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<EvalRun>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_runs(
    State(app): State<App>,
    _: PrivateKey,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let (wanted, number) = query.wanted_on(&page)?;
    let found = kept::found(&app, Kind::EvalRun, wanted, which.id.as_deref(), &[]).await?;
    Ok(Json(kept::paginated(&found, wanted, number, shown)))
}

/// A run: what was said, and what became of it.
#[utoipa::path(
    get,
    path = "/eval/run/{id}",
    operation_id = "read_eval_run",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = EvalRun),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read_run(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<Shown, ApiError> {
    Ok(shown(&kept::find(&app, Kind::EvalRun, &id).await?))
}

/// Removes a run for good, and gives it as it was. One that runs goes on, and is kept no more.
#[utoipa::path(
    delete,
    path = "/eval/run/{id}",
    operation_id = "remove_eval_run",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = EvalRun),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove_run(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<Shown, ApiError> {
    Ok(shown(&kept::remove(&app, Kind::EvalRun, &id).await?))
}

fn shown(run: &Resource) -> Shown {
    let body = trials::eval::shown(run, Timestamp::now());
    Shown(kept::kept(run).with(&body))
}
