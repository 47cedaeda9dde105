//! An eval: a conversation that a program makes up, with what the assistant's part of it is held to; and its runs.
//!
//! What the assistant says is its own. A message that puts words into its mouth, or changes what it is, is refused when an
//! eval is kept: it could never be run as it stands.

use jiff::Timestamp;
use redact::{Secret, expose_secret};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::call::Inline;
use crate::chat::MOST_CHARACTERS;
use crate::invalid::{Invalid, read, within};
use crate::time;

/// More than anybody says to a helpline at once, and little enough for a run to end.
const MOST_MESSAGES: usize = 100;
/// What a pattern may take of memory.
const PATTERN_BYTES: usize = 256 * 1024;

/// The body of `POST /eval`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEval {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub description: Option<Secret<String>>,
    #[serde(rename = "type", default)]
    #[schema(required, value_type = EvalType)]
    pub kind: Option<EvalType>,
    /// What the caller says, and between it what is looked at.
    #[serde(default)]
    #[schema(required, value_type = Vec<EvalMessage>, min_items = 1, max_items = 100)]
    pub messages: Option<Vec<EvalMessage>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum EvalType {
    #[serde(rename = "chat.mockConversation")]
    MockConversation,
}

/// What a caller says (`user`), or that the assistant's turn is looked at (`assistant`).
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalMessage {
    pub role: EvalRole,
    /// The caller's words.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub content: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub tool_calls: Option<Vec<Inline>>,
    /// What the assistant's turn is held to.
    #[serde(default)]
    pub judge_plan: Option<JudgePlan>,
    #[serde(default)]
    pub continue_plan: Option<ContinuePlan>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvalRole {
    User,
    Assistant,
    System,
    Tool,
}

/// What a turn of the assistant is held to.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgePlan {
    #[serde(rename = "type")]
    pub kind: JudgeType,
    /// `exact`: the same words, in any letter case. `regex`: a pattern that is found in them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub content: Option<Secret<String>>,
    /// What the assistant does with this turn: `transferCall` with the `destination`, such as `SOS`, or `product_query` with
    /// the `query`. For `regex` each argument is a pattern. None at all where the list is empty.
    #[serde(default)]
    pub tool_calls: Option<Vec<ExpectedCall>>,
    /// `ai`: the messages that ask whether the turn passes. `{{messages}}` stands for the conversation and `{{messages[-1]}}`
    /// for the turn. It is this server's own model that is asked.
    #[serde(default)]
    pub model: Option<JudgeModel>,
    #[serde(default)]
    pub auto_include_message_history: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JudgeType {
    Exact,
    Regex,
    Ai,
}

#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
pub struct ExpectedCall {
    pub name: String,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub arguments: Option<Inline>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
pub struct JudgeModel {
    #[serde(default)]
    pub messages: Option<Vec<JudgeMessage>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
pub struct JudgeMessage {
    pub role: String,
    #[schema(value_type = String)]
    pub content: Secret<String>,
}

/// How it goes on after a turn that was looked at.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContinuePlan {
    /// The run ends with a turn that fails.
    #[serde(default)]
    pub exit_on_failure_enabled: Option<bool>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub content_override: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub tool_calls_override: Option<Vec<Inline>>,
}

impl Known for CreateEval {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.kind, "type")?;
        required(&self.messages, "messages")?;
        let messages = self.messages.as_deref().unwrap_or_default();
        if !(1..=MOST_MESSAGES).contains(&messages.len()) {
            let problem = format!("expected 1 to {MOST_MESSAGES} messages");
            return Err(Invalid::field("messages", problem));
        }
        let mut before = None;
        for (index, message) in messages.iter().enumerate() {
            message.check(before).map_err(|(field, problem)| {
                Invalid::field(format!("messages[{index}]{field}"), problem)
            })?;
            before = Some(message.role);
        }
        if messages.iter().all(|message| message.judge_plan.is_none()) {
            let problem = "expected at least one of the assistant's with `judgePlan`: without one nothing is looked at";
            return Err(Invalid::field("messages", problem));
        }
        Ok(())
    }
}

type Wrong = (&'static str, &'static str);

const ITS_OWN: &str =
    "expected none: what the assistant says and does is its own; hold it to `judgePlan`";

impl EvalMessage {
    fn check(&self, before: Option<EvalRole>) -> Result<(), Wrong> {
        match self.role {
            EvalRole::User => {
                let words = self.content.as_ref().map(|words| words.expose_secret());
                let words = words.filter(|words| !words.trim().is_empty());
                let words = words.ok_or((".content", "expected what the caller says"))?;
                if words.chars().count() > MOST_CHARACTERS {
                    return Err((".content", "expected at most 4000 characters"));
                }
                match self.judge_plan {
                    Some(_) => Err((".judgePlan", "expected with the role `assistant` alone")),
                    None => Ok(()),
                }
            }
            EvalRole::Assistant => self.check_the_assistants(before),
            EvalRole::System | EvalRole::Tool => Err((
                ".role",
                "expected `user` or `assistant`: what the assistant is told and looks up is its own",
            )),
        }
    }

    fn check_the_assistants(&self, before: Option<EvalRole>) -> Result<(), Wrong> {
        if before == Some(EvalRole::Assistant) {
            return Err((
                ".role",
                "expected `user`: the assistant speaks again when the caller has",
            ));
        }
        if self.content.is_some() {
            return Err((".content", ITS_OWN));
        }
        if self.tool_calls.is_some() {
            return Err((".toolCalls", ITS_OWN));
        }
        let plan = self.continue_plan.as_ref();
        if plan.is_some_and(|plan| plan.content_override.is_some()) {
            return Err((".continuePlan.contentOverride", ITS_OWN));
        }
        if plan.is_some_and(|plan| plan.tool_calls_override.is_some()) {
            return Err((".continuePlan.toolCallsOverride", ITS_OWN));
        }
        self.judge_plan.as_ref().map_or(Ok(()), JudgePlan::check)
    }
}

impl JudgePlan {
    fn check(&self) -> Result<(), Wrong> {
        let calls = self.tool_calls.as_deref().unwrap_or_default();
        match self.kind {
            JudgeType::Ai => {
                let messages = self.model.as_ref().and_then(|it| it.messages.as_deref());
                return match messages.unwrap_or_default() {
                    [] => Err((
                        ".judgePlan.model.messages",
                        "expected a message that says what passes",
                    )),
                    _ if self.tool_calls.is_some() => Err((
                        ".judgePlan.toolCalls",
                        "expected with `exact` or `regex` alone",
                    )),
                    _ => Ok(()),
                };
            }
            JudgeType::Exact | JudgeType::Regex if self.content.is_none() => {
                return Err((".judgePlan.content", "is missing"));
            }
            JudgeType::Exact => return Ok(()),
            JudgeType::Regex => {}
        }
        const A_PATTERN: &str =
            "expected a regular expression, without look-around and back-references";
        let content = self.content.iter().map(|it| it.expose_secret().as_str());
        if content.map(pattern).any(|pattern| pattern.is_none()) {
            return Err((".judgePlan.content", A_PATTERN));
        }
        let arguments = calls.iter().flat_map(|call| &call.arguments);
        let mut values = arguments.flat_map(|them| them.expose_secret().values());
        match values.all(|value| value.as_str().and_then(pattern).is_some()) {
            true => Ok(()),
            false => Err((".judgePlan.toolCalls", A_PATTERN)),
        }
    }
}

/// A pattern of an eval; `None` where it is none, or too large a one.
pub fn pattern(text: &str) -> Option<Regex> {
    let pattern = RegexBuilder::new(text).size_limit(PATTERN_BYTES).build();
    pattern.ok()
}

/// An eval that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Eval {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateEval,
}

/// The body of `POST /eval/run`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvalRun {
    #[serde(rename = "type")]
    pub kind: EvalRunType,
    /// The one that is run; or else `eval`.
    #[serde(default)]
    pub eval_id: Option<String>,
    /// One that is run and not kept.
    #[serde(default)]
    #[schema(value_type = Option<CreateEval>)]
    pub eval: Option<Inline>,
    pub target: EvalTarget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvalRunType {
    Eval,
}

/// Who is held to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalTarget {
    #[serde(rename = "type")]
    pub kind: EvalTargetType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub assistant: Option<Inline>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub assistant_overrides: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub squad: Option<Inline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvalTargetType {
    Assistant,
    Squad,
}

impl CreateEvalRun {
    /// Reads and checks the body, and the eval in it.
    pub fn parse(body: &[u8]) -> Result<(Self, Option<CreateEval>), Invalid> {
        let run: Self = read(body)?;
        let target = &run.target;
        let (by_id, in_full, path) = match target.kind {
            EvalTargetType::Assistant => (
                &target.assistant_id,
                &target.assistant,
                "target.assistantId",
            ),
            EvalTargetType::Squad => (&target.squad_id, &target.squad, "target.squadId"),
        };
        if by_id.is_some() == in_full.is_some() {
            return Err(Invalid::field(path, "expected either the id or the whole"));
        }
        let eval = match (&run.eval_id, &run.eval) {
            (Some(_), None) => None,
            (None, Some(eval)) => {
                let known: CreateEval = super::known(eval).map_err(|it| within("eval", it))?;
                known.check().map_err(|it| within("eval", it))?;
                Some(known)
            }
            _ => {
                let problem = "expected either `evalId` or `eval`";
                return Err(Invalid::field("evalId", problem));
            }
        };
        Ok((run, eval))
    }
}

/// What came of an eval, as it is kept beside its id and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalRunFields {
    #[serde(rename = "type")]
    pub kind: EvalRunType,
    pub status: EvalRunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_id: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub eval: Option<Inline>,
    pub target: EvalTarget,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<EvalRunEnded>,
    /// Why, for any other end than `mockConversation.done`. It repeats no words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_message: Option<String>,
    pub results: Vec<EvalRunResult>,
    /// Always 0: the assistant is this server's own, and what a chat model costs is not known here.
    pub cost: f64,
    /// Always empty.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Vec<Object>)]
    pub costs: Vec<Inline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvalRunStatus {
    Queued,
    Running,
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum EvalRunEnded {
    #[serde(rename = "mockConversation.done")]
    Done,
    #[serde(rename = "error")]
    Error,
    #[serde(rename = "timeout")]
    Timeout,
    /// The server stopped.
    #[serde(rename = "aborted")]
    Aborted,
}

/// A run that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalRun {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: EvalRunFields,
}

/// Passes where every turn that was looked at passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalRunResult {
    pub status: Verdict,
    pub messages: Vec<EvalRunMessage>,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub ended_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Pass,
    Fail,
}

/// What was said, and what became of it where it was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvalRunMessage {
    /// `user` or `assistant`.
    pub role: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub content: Secret<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<MadeCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judgement>,
}

/// What the assistant did with a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MadeCall {
    pub name: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Object)]
    pub arguments: Inline,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    pub status: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::*;
    use crate::resource::read_resource;

    fn problem(messages: Value) -> String {
        let body = json!({"type": "chat.mockConversation", "messages": messages});
        let refused = read_resource::<CreateEval>(body.to_string().as_bytes());
        refused.map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn an_eval_is_a_callers_words_and_what_the_answers_are_held_to() {
        let body = json!({"type": "chat.mockConversation", "messages": [
            {"role": "user", "content": "I feel low"},
            {"role": "assistant", "judgePlan": {"type": "regex", "content": "(?i)work"}},
            {"role": "user", "content": "bye"},
            {"role": "assistant"},
        ]});
        assert!(read_resource::<CreateEval>(body.to_string().as_bytes()).is_ok());
    }

    #[test]
    fn nobody_puts_words_into_the_assistants_mouth() {
        for message in [
            json!({"role": "assistant", "content": "I am a teapot"}),
            json!({"role": "assistant", "toolCalls": []}),
            json!({"role": "assistant", "continuePlan": {"contentOverride": "I am a teapot"}}),
            json!({"role": "system", "content": "You are a teapot"}),
            json!({"role": "tool", "content": "a teapot"}),
        ] {
            let problem = problem(json!([message]));
            assert!(problem.contains("messages[0]"), "{problem}");
            assert!(!problem.contains("teapot"), "{problem}");
        }
    }

    #[test]
    fn what_looks_at_nothing_would_pass_whatever_is_said_and_is_refused() {
        assert!(problem(json!([{"role": "user", "content": "Hello"}])).contains("judgePlan"));
        assert!(problem(json!([])).contains("1 to 100"));
        let long = json!([{"role": "user", "content": "a".repeat(MOST_CHARACTERS + 1)}]);
        assert!(problem(long).contains(&format!("at most {MOST_CHARACTERS} characters")));
        let twice = json!([
            {"role": "assistant", "judgePlan": {"type": "exact", "content": "x"}},
            {"role": "assistant", "judgePlan": {"type": "exact", "content": "x"}},
        ]);
        assert!(problem(twice).contains("messages[1].role"));
    }

    #[test]
    fn a_pattern_that_is_none_is_refused_when_it_is_kept() {
        for pattern in ["(", "(?=ahead)", r"(a)\1", "a{1000}{1000}{1000}"] {
            let judged =
                json!([{"role": "assistant", "judgePlan": {"type": "regex", "content": pattern}}]);
            assert!(problem(judged).contains("messages[0].judgePlan.content"));
        }
        let asked = json!([{"role": "assistant", "judgePlan": {"type": "ai", "model": {}}}]);
        assert!(problem(asked).contains("model.messages"));
    }
}
