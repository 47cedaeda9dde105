//! A test suite, run: each test's caller says the lines of its script, as often as it is to be tried, and the conversation is
//! scored.

use jiff::Timestamp;
use platform::Artifact;
use platform::Inline;
use platform::resource::test_suite::{
    Attempt, AttemptCall, CreateTest, TestResult, TestSuiteRunFields, TestSuiteRunStatus,
};
use resources::{Body, Kind, Resource};
use uuid::Uuid;

use super::{CutShort, Place, body, in_turn, judging, keep, read, was_cut_off};
use crate::app::App;
use crate::call_record;
use crate::journal;
use crate::written::rehearsal::Rehearsal;

/// A test as it stood when the run began, and as it is shown with its results.
pub struct Tried {
    pub shown: Inline,
    pub test: CreateTest,
}

/// Runs them once it is their turn, and keeps what came of each.
pub async fn run(app: App, place: Place, id: Uuid, tests: Vec<Tried>) {
    let work = async {
        keep(
            &app,
            Kind::TestSuiteRun,
            id,
            |run: &mut TestSuiteRunFields| run.status = TestSuiteRunStatus::InProgress,
        )
        .await;
        for tried in &tests {
            let attempts = tried_out(&app, &tried.test).await?;
            let result = TestResult {
                test: tried.shown.clone(),
                attempts,
            };
            keep(
                &app,
                Kind::TestSuiteRun,
                id,
                |run: &mut TestSuiteRunFields| run.test_results.push(result.clone()),
            )
            .await;
        }
        Ok::<(), &'static str>(())
    };
    let trouble = match in_turn(&app, &place, work).await {
        Ok(done) => done.err(),
        Err(short) => Some(short.message()),
    };
    keep(
        &app,
        Kind::TestSuiteRun,
        id,
        |run: &mut TestSuiteRunFields| {
            run.status = match trouble {
                None => TestSuiteRunStatus::Completed,
                Some(_) => TestSuiteRunStatus::Failed,
            };
            run.ended_message = trouble.map(str::to_owned);
        },
    )
    .await;
}

async fn tried_out(app: &App, test: &CreateTest) -> Result<Vec<Attempt>, &'static str> {
    let mut attempts = Vec::new();
    for _ in 0..test.attempts() {
        let mut rehearsal = Rehearsal::begin(app);
        rehearsal.greet();
        for line in test.lines() {
            if rehearsal.over().is_some() {
                break;
            }
            let said = rehearsal.say(app, &line).await;
            said.map_err(|_| "too many callers wait: run it again")?;
        }
        attempts.push(scored(app, test, &rehearsal).await?);
    }
    Ok(attempts)
}

async fn scored(
    app: &App,
    test: &CreateTest,
    rehearsal: &Rehearsal,
) -> Result<Attempt, &'static str> {
    let (reason, note) = rehearsal.ended();
    let facts = call_record::analysis(&note);
    let model = app.chat_model.as_deref();
    let mut scorer_results = Vec::new();
    for scorer in test.scorers.iter().flatten() {
        let talk = rehearsal.talk();
        let scored = judging::score(model, scorer, talk, reason.as_str(), &facts).await;
        scorer_results.push(scored.map_err(|none| none.message())?);
    }
    let talk = rehearsal.talk();
    let messages: Vec<_> = talk.messages().iter().map(journal::message).collect();
    Ok(Attempt {
        scorer_results,
        call: AttemptCall {
            artifact: Artifact::of(call_record::messages(talk.started_at, &messages)),
            ended_reason: reason.as_str().to_owned(),
        },
    })
}

/// As it is shown: one that its server left without an end has one.
pub fn shown(stands: &Resource, now: Timestamp) -> Body {
    let is_open = |run: &TestSuiteRunFields| {
        matches!(
            run.status,
            TestSuiteRunStatus::Queued | TestSuiteRunStatus::InProgress
        )
    };
    match read(&stands.body) {
        Some(mut run) if is_open(&run) && was_cut_off(stands.created_at, now) => {
            run.status = TestSuiteRunStatus::Failed;
            run.ended_message = Some(CutShort::Stopping.message().to_owned());
            body(&run)
        }
        _ => stands.body.clone(),
    }
}
