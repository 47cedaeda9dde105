//! A test suite, run: each test's caller says the lines of its script, in writing or by voice, as often as it is to be tried, and
//! the conversation is scored.

use call::SpokenMessage;
use flow::{CaseNote, EndReason};
use jiff::Timestamp;
use platform::Artifact;
use platform::Inline;
use platform::resource::test_suite::{
    Attempt, AttemptCall, CreateTest, TestResult, TestSuiteRunFields, TestSuiteRunStatus, TestType,
};
use redact::Secret;
use resources::{Body, Kind, Resource};
use uuid::Uuid;

use super::by_voice::{Script, Target};
use super::{
    CutShort, LONGEST, LONGEST_BY_VOICE, Place, body, in_turn, judging, keep, read, was_cut_off,
};
use crate::app::App;
use crate::call_record;
use crate::journal;
use crate::written::rehearsal::Rehearsal;

/// A test as it stood when the run began, and as it is shown with its results.
pub struct Tried {
    pub shown: Inline,
    pub test: CreateTest,
}

impl Tried {
    pub fn is_by_voice(&self) -> bool {
        self.test.kind == Some(TestType::Voice)
    }
}

/// What was said in an attempt, and what came of it.
pub struct Conversed {
    pub started_at: Timestamp,
    pub messages: Vec<SpokenMessage>,
    pub reason: EndReason,
    pub note: CaseNote,
}

/// Runs them once it is their turn, and keeps what came of each.
pub async fn run(app: App, place: Place, id: Uuid, tests: Vec<Tried>, target: Target) {
    let longest = match tests.iter().any(Tried::is_by_voice) {
        true => LONGEST_BY_VOICE,
        false => LONGEST,
    };
    let work = async {
        keep(
            &app,
            Kind::TestSuiteRun,
            id,
            |run: &mut TestSuiteRunFields| run.status = TestSuiteRunStatus::InProgress,
        )
        .await;
        for tried in &tests {
            let attempts = tried_out(&app, tried, &target).await?;
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
    let trouble = match in_turn(&app, &place, longest, work).await {
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

async fn tried_out(
    app: &App,
    tried: &Tried,
    target: &Target,
) -> Result<Vec<Attempt>, &'static str> {
    let (test, lines) = (&tried.test, tried.test.lines());
    let script = match tried.is_by_voice() {
        true => Some(Script::spoken(app, target, &lines).await?),
        false => None,
    };
    let mut attempts = Vec::new();
    for _ in 0..test.attempts() {
        let conversed = match &script {
            Some(script) => script.held(app).await?,
            None => written(app, target, &lines).await?,
        };
        attempts.push(scored(app, test, &conversed).await?);
    }
    Ok(attempts)
}

async fn written(
    app: &App,
    target: &Target,
    lines: &[Secret<String>],
) -> Result<Conversed, &'static str> {
    let mut rehearsal = Rehearsal::begin(app, target.manner.script.as_ref());
    rehearsal.greet();
    for line in lines {
        if rehearsal.over().is_some() {
            break;
        }
        let said = rehearsal.say(app, line).await;
        said.map_err(|_| "too many callers wait: run it again")?;
    }
    let (reason, note) = rehearsal.ended();
    let talk = rehearsal.talk();
    Ok(Conversed {
        started_at: talk.started_at,
        messages: talk.messages().to_vec(),
        reason,
        note,
    })
}

async fn scored(
    app: &App,
    test: &CreateTest,
    conversed: &Conversed,
) -> Result<Attempt, &'static str> {
    let facts = call_record::analysis(&conversed.note);
    let model = app.chat_model.as_deref();
    let mut scorer_results = Vec::new();
    for scorer in test.scorers.iter().flatten() {
        let scored = judging::score(model, scorer, conversed, &facts).await;
        scorer_results.push(scored.map_err(|none| none.message())?);
    }
    let messages: Vec<_> = conversed.messages.iter().map(journal::message).collect();
    Ok(Attempt {
        scorer_results,
        call: AttemptCall {
            artifact: Artifact::of(call_record::messages(conversed.started_at, &messages)),
            ended_reason: conversed.reason.as_str().to_owned(),
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
