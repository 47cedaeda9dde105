//! An eval, run: its caller's words are said one after another, and the answers are held to what it says.

use call::Manner;
use jiff::Timestamp;
use platform::resource::eval::{
    CreateEval, EvalMessage, EvalRole, EvalRunEnded, EvalRunFields, EvalRunMessage, EvalRunResult,
    EvalRunStatus, Verdict,
};
use redact::Secret;
use resources::{Body, Kind, Resource};
use uuid::Uuid;

use super::judging::{self, NoVerdict, Turn};
use super::{CutShort, LONGEST, Place, body, in_turn, keep, read, was_cut_off};
use crate::app::App;
use crate::written::rehearsal::Rehearsal;

/// How a run ended, and what had been said by then.
struct Ended {
    reason: EvalRunEnded,
    message: Option<String>,
    result: Option<EvalRunResult>,
}

/// Runs it once it is its turn, with an assistant that is held so, and keeps what came of it.
pub async fn run(app: App, place: Place, id: Uuid, eval: CreateEval, manner: Manner) {
    let work = async {
        keep(&app, Kind::EvalRun, id, |run: &mut EvalRunFields| {
            run.status = EvalRunStatus::Running;
            run.started_at = Some(Timestamp::now());
        })
        .await;
        converse(&app, &eval, &manner).await
    };
    let ended = match in_turn(&app, &place, LONGEST, work).await {
        Ok(ended) => ended,
        Err(short) => Ended {
            reason: match short {
                CutShort::TooLong => EvalRunEnded::Timeout,
                CutShort::Stopping => EvalRunEnded::Aborted,
            },
            message: Some(short.message().to_owned()),
            result: None,
        },
    };
    keep(&app, Kind::EvalRun, id, |run: &mut EvalRunFields| {
        run.status = EvalRunStatus::Ended;
        run.ended_at = Some(Timestamp::now());
        run.ended_reason = Some(ended.reason);
        run.ended_message = ended.message.clone();
        run.results = ended.result.iter().cloned().collect();
    })
    .await;
}

async fn converse(app: &App, eval: &CreateEval, manner: &Manner) -> Ended {
    let started_at = Timestamp::now();
    let mut rehearsal = Rehearsal::begin(app, manner.script.as_ref());
    let mut said: Vec<EvalRunMessage> = Vec::new();
    let messages = eval.messages.as_deref().unwrap_or_default();
    let (mut reason, mut trouble, mut fails) = (EvalRunEnded::Done, None, false);
    let mut unanswered: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if message.role == EvalRole::User {
            let words = message.content.as_ref().map(|it| it.expose_secret());
            unanswered.extend(words.map(String::as_str));
            let next = messages.get(index + 1);
            if next.is_some_and(|next| next.role == EvalRole::User) {
                continue;
            }
            if rehearsal.over().is_some() {
                // What comes after was never said: it cannot pass.
                (reason, fails) = (EvalRunEnded::Error, true);
                trouble = Some(format!(
                    "the conversation was over before message {index}: what comes after was not said"
                ));
                break;
            }
            let words = Secret::new(std::mem::take(&mut unanswered).join("\n"));
            said.push(EvalRunMessage {
                role: String::from("user"),
                content: words.clone(),
                tool_calls: Vec::new(),
                judge: None,
            });
            if rehearsal.say(app, &words).await.is_err() {
                (reason, fails) = (EvalRunEnded::Error, true);
                trouble = Some(String::from("too many callers wait: run it again"));
                break;
            }
            if next.is_none() {
                said.push(answer(&rehearsal));
            }
            continue;
        }
        rehearsal.greet();
        let mut answer = answer(&rehearsal);
        match judged(app, message, &rehearsal, &mut answer).await {
            Ok(()) => {}
            Err(none) => {
                (reason, fails) = (EvalRunEnded::Error, true);
                trouble = Some(none.message().to_owned());
            }
        }
        let failed = answer
            .judge
            .as_ref()
            .is_some_and(|it| it.status == Verdict::Fail);
        said.push(answer);
        fails |= failed;
        let plan = message.continue_plan.as_ref();
        let exits = failed && plan.is_some_and(|it| it.exit_on_failure_enabled == Some(true));
        if exits || trouble.is_some() {
            break;
        }
    }
    Ended {
        reason,
        message: trouble,
        result: Some(EvalRunResult {
            status: judging::verdict(!fails),
            messages: said,
            started_at,
            ended_at: Timestamp::now(),
        }),
    }
}

/// What the assistant said last.
fn answer(rehearsal: &Rehearsal) -> EvalRunMessage {
    EvalRunMessage {
        role: String::from("assistant"),
        content: rehearsal.latest().text(),
        tool_calls: judging::made_calls(rehearsal.latest()),
        judge: None,
    }
}

async fn judged(
    app: &App,
    message: &EvalMessage,
    rehearsal: &Rehearsal,
    answer: &mut EvalRunMessage,
) -> Result<(), NoVerdict> {
    let Some(plan) = &message.judge_plan else {
        return Ok(());
    };
    let turn = Turn {
        text: &answer.content,
        calls: &answer.tool_calls,
        talk: rehearsal.talk(),
    };
    answer.judge = Some(judging::judge(app.chat_model.as_deref(), plan, turn).await?);
    Ok(())
}

/// As it is shown: one that its server left without an end has one.
pub fn shown(stands: &Resource, now: Timestamp) -> Body {
    match read::<EvalRunFields>(&stands.body) {
        Some(mut run)
            if run.status != EvalRunStatus::Ended && was_cut_off(stands.created_at, now) =>
        {
            run.status = EvalRunStatus::Ended;
            run.ended_reason = Some(EvalRunEnded::Aborted);
            run.ended_message = Some(CutShort::Stopping.message().to_owned());
            run.ended_at = Some(stands.updated_at);
            body(&run)
        }
        _ => stands.body.clone(),
    }
}
