//! `/test-suite`: scripted callers, by suites, and the runs of a suite. Earlier releases of the official clients have them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use platform::resource::test_suite::{
    CreateTest, CreateTestSuite, CreateTestSuiteRun, ScorerType, TargetPlan, Test, TestSuite,
    TestSuiteRun, TestSuiteRunFields, TestSuiteRunStatus,
};
use platform::resource::{Known, Paginated, changed_resource, known, read_changes, read_resource};
use platform::{Inline, Invalid};
use redact::Secret;
use resources::{Kind, NewResource, Resource, Wanted};
use serde_json::Value;

use super::kept::{self, Id, Ids, Shown, kept_resource};
use super::list_query::{Asked, ListQuery, PageQuery};
use super::served::{self, Served};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;
use crate::settings::VoiceName;
use crate::trials::by_voice::Target;
use crate::trials::suite::Tried;
use crate::trials::{self, MOST_CALLS};

/// The tests of a suite, and so the longest run.
const MOST_TESTS: u32 = 50;
const SUITE: &str = "testSuiteId";

kept_resource!(create: TestSuite, CreateTestSuite, TestSuite, "/test-suite", "create_test_suite");
kept_resource!(read: TestSuite, TestSuite, "/test-suite/{id}", "read_test_suite");
kept_resource!(update: TestSuite, CreateTestSuite, TestSuite, "/test-suite/{id}", "update_test_suite");

/// A page of those that are kept, the newest first.
#[utoipa::path(
    get,
    path = "/test-suite",
    operation_id = "list_test_suites",
    tag = "platform",
    params(ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<TestSuite>),
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
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    kept::list_page(&app, Kind::TestSuite, &query, &page).await
}

/// Removes one for good, with its tests and runs, and gives it as it was.
#[utoipa::path(
    delete,
    path = "/test-suite/{id}",
    operation_id = "remove_test_suite",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = TestSuite),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove(State(app): State<App>, _: PrivateKey, Id(id): Id) -> Result<Shown, ApiError> {
    let suite = kept::find(&app, Kind::TestSuite, &id).await?;
    // What is left where this breaks off is removed when it is asked for again.
    for kind in [Kind::Test, Kind::TestSuiteRun] {
        for part in parts_of(&app, kind, &suite, u32::MAX).await?.resources {
            stored(app.resources.remove(kind, part.id).await)?;
        }
    }
    Ok(kept::shown(
        &kept::remove(&app, Kind::TestSuite, &id).await?,
    ))
}

/// Adds a test.
#[utoipa::path(
    post,
    path = "/test-suite/{id}/test",
    operation_id = "create_test",
    tag = "platform",
    params(("id" = String, Path, description = "The suite")),
    request_body = CreateTest,
    responses(
        (status = 201, body = Test),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn create_test(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let suite = kept::find(&app, Kind::TestSuite, &id).await?;
    let (_, fields) = read_resource::<CreateTest>(&body)?;
    let new = NewResource::of(Kind::Test, of_suite(&suite, fields));
    kept::add(&app, new).await
}

/// A page of a suite's tests, the newest first.
#[utoipa::path(
    get,
    path = "/test-suite/{id}/test",
    operation_id = "list_tests",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Test>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_tests(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    page_of(&app, Kind::Test, &id, &query, &page, kept::shown).await
}

/// A test.
#[utoipa::path(
    get,
    path = "/test-suite/{id}/test/{testId}",
    operation_id = "read_test",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("testId" = String, Path, description = "The test")),
    responses(
        (status = 200, body = Test),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read_test(
    State(app): State<App>,
    _: PrivateKey,
    Ids(suite, id): Ids,
) -> Result<Shown, ApiError> {
    let test = part(&app, Kind::Test, &suite, &id).await?;
    Ok(kept::shown(&test))
}

/// Changes the fields that are named; `null` takes one out.
#[utoipa::path(
    patch,
    path = "/test-suite/{id}/test/{testId}",
    operation_id = "update_test",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("testId" = String, Path, description = "The test")),
    request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
    responses(
        (status = 200, body = Test),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update_test(
    State(app): State<App>,
    _: PrivateKey,
    Ids(suite, id): Ids,
    JsonBody(body): JsonBody,
) -> Result<Shown, ApiError> {
    let test = part(&app, Kind::Test, &suite, &id).await?;
    let changes = read_changes(&body)?;
    let changed = changed::<CreateTest>(&app, &test, &changes).await?;
    Ok(kept::shown(&changed))
}

/// Removes a test for good, and gives it as it was.
#[utoipa::path(
    delete,
    path = "/test-suite/{id}/test/{testId}",
    operation_id = "remove_test",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("testId" = String, Path, description = "The test")),
    responses(
        (status = 200, body = Test),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove_test(
    State(app): State<App>,
    _: PrivateKey,
    Ids(suite, id): Ids,
) -> Result<Shown, ApiError> {
    part(&app, Kind::Test, &suite, &id).await?;
    Ok(kept::shown(&kept::remove(&app, Kind::Test, &id).await?))
}

/// Runs a suite's tests as they stand. Their callers' lines are said to the assistant as any caller's are: in writing, or, in
/// a test of type `voice`, aloud on a call with the suite's assistant, which waits until no caller is on a line; five attempts
/// by voice at most. Nothing of it is among the calls, and nobody is told. The answer comes at once: read the run until its
/// status is `completed` or `failed`.
#[utoipa::path(
    post,
    path = "/test-suite/{id}/run",
    operation_id = "run_test_suite",
    tag = "platform",
    params(("id" = String, Path, description = "The suite")),
    request_body = CreateTestSuiteRun,
    responses(
        (status = 201, body = TestSuiteRun),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `assistant-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: several wait already, and Retry-After"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: a scorer of type `ai`, where no chat model is set"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`, `shutting-down`")
    ),
    security(("key" = []))
)]
pub async fn run(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Shown), ApiError> {
    let suite = kept::find(&app, Kind::TestSuite, &id).await?;
    let (asked, _) = read_resource::<CreateTestSuiteRun>(&body)?;
    if app.leaving.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let plan = known::<CreateTestSuite>(&suite.body)?.target_plan;
    let target = target(&app, plan.unwrap_or_default()).await?;
    let tests = tests_of(&app, &suite).await?;
    let place = app.trials.line_up()?;
    let fields = TestSuiteRunFields {
        test_suite_id: suite.id.to_string(),
        name: asked.name,
        status: TestSuiteRunStatus::Queued,
        ended_message: None,
        test_results: Vec::new(),
    };
    let new = NewResource::of(Kind::TestSuiteRun, trials::body(&fields));
    let run = kept::add_resource(&app, new).await?;
    let tasks = app.tasks.clone();
    tasks.spawn(trials::suite::run(app, place, run.id, tests, target));
    Ok((StatusCode::CREATED, kept::shown(&run)))
}

/// Whom its callers talk to: the helpline, or the assistant that it names.
async fn target(app: &App, plan: TargetPlan) -> Result<Target, ApiError> {
    let overrides = plan.assistant_overrides.as_ref();
    let served = match plan.assistant_id {
        Some(id) => served::by_assistant(app, &id, overrides).await?,
        None => Served::by_the_helpline(),
    };
    let manner = served.manner();
    let voice = served.honoured.voice;
    let voice = voice.unwrap_or_else(|| VoiceName::clone(&app.voice));
    Ok(Target { manner, voice })
}

/// In the order in which they were made.
async fn tests_of(app: &App, suite: &Resource) -> Result<Vec<Tried>, ApiError> {
    let found = parts_of(app, Kind::Test, suite, MOST_TESTS).await?;
    if !(1..=u64::from(MOST_TESTS)).contains(&found.total) {
        return Err(ApiError::Body(Invalid::Field {
            path: String::from("id"),
            problem: format!("expected a suite of 1 to {MOST_TESTS} tests"),
        }));
    }
    let mut tests = Vec::new();
    for one in &found.resources {
        let test = known::<CreateTest>(&one.body)?;
        let mut scorers = test.scorers.iter().flatten();
        if app.chat_model.is_none() && scorers.any(|scorer| scorer.kind == ScorerType::Ai) {
            return Err(trials::NO_JUDGE);
        }
        let shown = kept::shown(one).0;
        tests.push(Tried { shown, test });
    }
    let by_voice = tests.iter().filter(|tried| tried.is_by_voice());
    let calls: u32 = by_voice.map(|tried| tried.test.attempts()).sum();
    if calls > MOST_CALLS {
        return Err(ApiError::Body(Invalid::Field {
            path: String::from("id"),
            problem: format!(
                "expected at most {MOST_CALLS} attempts by voice in a suite, and it has {calls}"
            ),
        }));
    }
    Ok(tests)
}

/// A page of a suite's runs, the newest first.
#[utoipa::path(
    get,
    path = "/test-suite/{id}/run",
    operation_id = "list_test_suite_runs",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<TestSuiteRun>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list_runs(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    page_of(&app, Kind::TestSuiteRun, &id, &query, &page, shown).await
}

/// A run: what was said in each attempt of each test, and how it scored.
#[utoipa::path(
    get,
    path = "/test-suite/{id}/run/{runId}",
    operation_id = "read_test_suite_run",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("runId" = String, Path, description = "The run")),
    responses(
        (status = 200, body = TestSuiteRun),
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
    Ids(suite, id): Ids,
) -> Result<Shown, ApiError> {
    let run = part(&app, Kind::TestSuiteRun, &suite, &id).await?;
    Ok(shown(&run))
}

/// Names a run. All else of it is what happened.
#[utoipa::path(
    patch,
    path = "/test-suite/{id}/run/{runId}",
    operation_id = "update_test_suite_run",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("runId" = String, Path, description = "The run")),
    request_body = CreateTestSuiteRun,
    responses(
        (status = 200, body = TestSuiteRun),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update_run(
    State(app): State<App>,
    _: PrivateKey,
    Ids(suite, id): Ids,
    JsonBody(body): JsonBody,
) -> Result<Shown, ApiError> {
    let run = part(&app, Kind::TestSuiteRun, &suite, &id).await?;
    let mut changes = read_changes(&body)?.expose_secret().clone();
    changes.retain(|field, _| field == "name");
    let changed = changed::<CreateTestSuiteRun>(&app, &run, &Secret::new(changes)).await?;
    Ok(shown(&changed))
}

/// Removes a run for good, and gives it as it was. One that runs goes on, and is kept no more.
#[utoipa::path(
    delete,
    path = "/test-suite/{id}/run/{runId}",
    operation_id = "remove_test_suite_run",
    tag = "platform",
    params(("id" = String, Path, description = "The suite"), ("runId" = String, Path, description = "The run")),
    responses(
        (status = 200, body = TestSuiteRun),
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
    Ids(suite, id): Ids,
) -> Result<Shown, ApiError> {
    part(&app, Kind::TestSuiteRun, &suite, &id).await?;
    Ok(shown(&kept::remove(&app, Kind::TestSuiteRun, &id).await?))
}

fn shown(run: &Resource) -> Shown {
    let body = trials::suite::shown(run, Timestamp::now());
    Shown(kept::kept(run).with(&body))
}

/// What is kept of a suite says whose it is; nobody else sets that.
fn of_suite(suite: &Resource, fields: Inline) -> Inline {
    let mut fields = fields.expose_secret().clone();
    fields.insert(SUITE.to_owned(), Value::from(suite.id.to_string()));
    Secret::new(fields)
}

/// A test or a run, if it is this suite's.
async fn part(app: &App, kind: Kind, suite: &str, id: &str) -> Result<Resource, ApiError> {
    let suite = kept::find(app, Kind::TestSuite, suite).await?;
    let part = kept::find(app, kind, id).await?;
    match part.body.expose_secret().get(SUITE) {
        Some(of) if *of == suite.id.to_string() => Ok(part),
        _ => Err(kept::unknown(kind)),
    }
}

async fn changed<T: Known>(
    app: &App,
    stands: &Resource,
    changes: &Inline,
) -> Result<Resource, ApiError> {
    let mut changes = changes.expose_secret().clone();
    changes.remove(SUITE);
    let changes = Secret::new(changes);
    kept::change(app, stands.kind, &stands.id.to_string(), |stands| {
        changed_resource::<T>(&stands.body, &changes)
    })
    .await
}

/// The tests or runs of a suite, the oldest first.
async fn parts_of(
    app: &App,
    kind: Kind,
    suite: &Resource,
    most: u32,
) -> Result<resources::Page, ApiError> {
    let wanted = Wanted {
        newest_first: false,
        ..Wanted::latest(most)
    };
    let of = Some(suite.id.to_string());
    kept::found(app, kind, wanted, None, &[(SUITE, &of)]).await
}

async fn page_of(
    app: &App,
    kind: Kind,
    suite: &str,
    query: &ListQuery,
    page: &PageQuery,
    show: impl Fn(&Resource) -> Shown,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let suite = kept::find(app, Kind::TestSuite, suite).await?;
    let (wanted, number) = query.wanted_on(page)?;
    let of = Some(suite.id.to_string());
    let found = kept::found(app, kind, wanted, None, &[(SUITE, &of)]).await?;
    Ok(Json(kept::paginated(&found, wanted, number, show)))
}
