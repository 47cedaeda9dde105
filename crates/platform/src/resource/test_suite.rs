//! A test suite: scripted callers, what their conversations are scored by, and its runs. The words are those of earlier
//! releases of the official clients; a scorer that needs no model is ours.

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::eval::Verdict;
use super::{Kept, Known, between, required};
use crate::call::{AssistantOverrides, Inline};
use crate::call_info::TransferTo;
use crate::chat::MOST_CHARACTERS;
use crate::conversation::Artifact;
use crate::invalid::Invalid;

const MOST_LINES: usize = 100;
/// By voice each takes its time, and a voice takes a sentence or two at once.
const MOST_SPOKEN_LINES: usize = 20;
const MOST_SPOKEN_CHARACTERS: usize = 300;
pub const MOST_ATTEMPTS: f64 = 10.0;

/// The body of `POST /test-suite`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateTestSuite {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    /// Whom its callers talk to: the helpline, unless told.
    #[serde(default)]
    pub target_plan: Option<TargetPlan>,
    #[serde(default)]
    pub phone_number_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub tester_plan: Option<Inline>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetPlan {
    #[serde(default)]
    pub assistant_id: Option<String>,
    /// What its callers find changed in it.
    #[serde(default)]
    pub assistant_overrides: Option<AssistantOverrides>,
    #[serde(default)]
    pub phone_number_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub phone_number: Option<Inline>,
}

impl Known for CreateTestSuite {
    fn check(&self) -> Result<(), Invalid> {
        const NO_PHONE: &str = "leave it out: no telephone is rung";
        let plan = self.target_plan.as_ref();
        let rung = [
            ("phoneNumberId", self.phone_number_id.is_some()),
            (
                "targetPlan.phoneNumberId",
                plan.is_some_and(|plan| plan.phone_number_id.is_some()),
            ),
            (
                "targetPlan.phoneNumber",
                plan.is_some_and(|plan| plan.phone_number.is_some()),
            ),
        ];
        if let Some((path, _)) = rung.into_iter().find(|(_, given)| *given) {
            return Err(Invalid::field(path, NO_PHONE));
        }
        match self.tester_plan {
            Some(_) => Err(Invalid::field(
                "testerPlan",
                "leave it out: a caller says the lines of the test's script",
            )),
            None => Ok(()),
        }
    }
}

/// A test suite that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestSuite {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateTestSuite,
}

/// The body of `POST /test-suite/{id}/test`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateTest {
    #[serde(rename = "type", default)]
    #[schema(required, value_type = TestType)]
    pub kind: Option<TestType>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    /// What the caller says, a line for each turn; by voice, 20 lines of 300 characters at most.
    #[serde(default)]
    #[schema(required, value_type = String)]
    pub script: Option<Secret<String>>,
    #[serde(default)]
    #[schema(required, value_type = Vec<Scorer>, min_items = 1)]
    pub scorers: Option<Vec<Scorer>>,
    /// How often it is tried: once, unless told.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10)]
    pub num_attempts: Option<f64>,
}

/// How the caller talks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestType {
    /// Writes.
    Chat,
    /// Speaks, on a call of the server's own.
    Voice,
}

/// What a conversation is scored by.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scorer {
    #[serde(rename = "type")]
    pub kind: ScorerType,
    /// `ai`: what this server's chat model is to look for.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub rubric: Option<Secret<String>>,
    /// `outcome`: whom the caller is handed to. (Ours.)
    #[serde(default)]
    pub transfer_to: Option<TransferTo>,
    /// `outcome`: whether the case is urgent. (Ours.)
    #[serde(default)]
    pub urgent: Option<bool>,
    /// `outcome`: how the conversation ends, such as `assistant-ended-call`; `customer-ended-call` where it is the caller who
    /// stops writing, or hangs up. (Ours.)
    #[serde(default)]
    pub ended_reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScorerType {
    Ai,
    /// Ours: what the note says, and how it ended. It needs no model.
    Outcome,
}

impl CreateTest {
    /// What the caller says, turn by turn.
    pub fn lines(&self) -> Vec<Secret<String>> {
        let script = self.script.iter().flat_map(|it| it.expose_secret().lines());
        let lines = script.map(str::trim).filter(|line| !line.is_empty());
        lines.map(|line| Secret::new(line.to_owned())).collect()
    }

    pub fn attempts(&self) -> u32 {
        self.num_attempts.unwrap_or(1.0).clamp(1.0, MOST_ATTEMPTS) as u32
    }
}

impl Known for CreateTest {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.kind, "type")?;
        required(&self.script, "script")?;
        required(&self.scorers, "scorers")?;
        between(self.num_attempts, 1.0, MOST_ATTEMPTS, "numAttempts")?;
        let lines = self.lines();
        let (most_lines, most_characters) = match self.kind {
            Some(TestType::Voice) => (MOST_SPOKEN_LINES, MOST_SPOKEN_CHARACTERS),
            Some(TestType::Chat) | None => (MOST_LINES, MOST_CHARACTERS),
        };
        if !(1..=most_lines).contains(&lines.len()) {
            let problem =
                format!("expected 1 to {most_lines} lines, one for each turn of the caller");
            return Err(Invalid::field("script", problem));
        }
        let is_long =
            |line: &Secret<String>| line.expose_secret().chars().count() > most_characters;
        if lines.iter().any(is_long) {
            let problem = format!("expected at most {most_characters} characters in a line");
            return Err(Invalid::field("script", problem));
        }
        let scorers = self.scorers.as_deref().unwrap_or_default();
        if scorers.is_empty() {
            let problem = "expected at least one: without one nothing is looked at";
            return Err(Invalid::field("scorers", problem));
        }
        for (index, scorer) in scorers.iter().enumerate() {
            let (is_asked, problem) = match scorer.kind {
                ScorerType::Ai => (scorer.rubric.is_some(), "expected `rubric`"),
                ScorerType::Outcome => (
                    scorer.transfer_to.is_some()
                        || scorer.urgent.is_some()
                        || scorer.ended_reason.is_some(),
                    "expected `transferTo`, `urgent` or `endedReason`",
                ),
            };
            if !is_asked {
                return Err(Invalid::field(format!("scorers[{index}]"), problem));
            }
        }
        Ok(())
    }
}

/// A test that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    #[serde(flatten)]
    pub kept: Kept,
    pub test_suite_id: String,
    #[serde(flatten)]
    pub fields: CreateTest,
}

/// The body of `POST /test-suite/{id}/run`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
pub struct CreateTestSuiteRun {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
}

impl Known for CreateTestSuiteRun {}

/// What came of a suite, as it is kept beside its id and times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestSuiteRunFields {
    pub test_suite_id: String,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    pub status: TestSuiteRunStatus,
    /// Why it failed. It repeats no words. (Ours.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_message: Option<String>,
    pub test_results: Vec<TestResult>,
}

/// `completed` where every test was tried, whatever came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestSuiteRunStatus {
    Queued,
    InProgress,
    Completed,
    Failed,
}

/// A run that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestSuiteRun {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: TestSuiteRunFields,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TestResult {
    /// As it stood.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Test)]
    pub test: Inline,
    pub attempts: Vec<Attempt>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    pub scorer_results: Vec<ScorerResult>,
    pub call: AttemptCall,
}

/// What was said. There is no record of it among the calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptCall {
    pub artifact: Artifact,
    pub ended_reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScorerResult {
    #[serde(rename = "type")]
    pub kind: String,
    pub result: Verdict,
    /// Of what was to be, and what was. It repeats no words.
    pub reasoning: String,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub rubric: Option<Secret<String>>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::*;
    use crate::resource::read_resource;

    fn problem<T: Known + std::fmt::Debug>(body: Value) -> String {
        let refused = read_resource::<T>(body.to_string().as_bytes());
        refused.map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_script_is_a_line_for_each_turn() {
        let body = json!({
            "type": "chat", "script": "I feel low\n\n  It is my work \n", "numAttempts": 2,
            "scorers": [{"type": "outcome", "transferTo": "SOS"}],
        });
        let (test, _) = read_resource::<CreateTest>(body.to_string().as_bytes()).unwrap();
        let lines = test.lines();
        let lines: Vec<&str> = lines.iter().map(|it| it.expose_secret().as_str()).collect();
        assert_eq!(lines, ["I feel low", "It is my work"]);
        assert_eq!(test.attempts(), 2);
    }

    #[test]
    fn a_caller_who_speaks_says_less_than_one_who_writes() {
        let test = |kind: &str, script: String| {
            let scorers = json!([{"type": "outcome", "urgent": true}]);
            let body = json!({"type": kind, "script": script, "scorers": scorers});
            read_resource::<CreateTest>(body.to_string().as_bytes()).map(drop)
        };
        for script in ["Hello\n".repeat(21), "Hello ".repeat(60)] {
            assert!(test("chat", script.clone()).is_ok());
            let refused = test("voice", script).unwrap_err().to_string();
            assert!(refused.contains("script"), "{refused}");
        }
        assert!(test("voice", "Hello\n".repeat(20)).is_ok());
    }

    #[test]
    fn what_looks_at_nothing_or_rings_somebody_is_refused() {
        let test = |scorers: Value| {
            let body = json!({"type": "chat", "script": "Hello", "scorers": scorers});
            problem::<CreateTest>(body)
        };
        assert!(test(json!([])).contains("scorers"));
        assert!(test(json!([{"type": "ai"}])).contains("scorers[0]"));
        assert!(test(json!([{"type": "outcome"}])).contains("scorers[0]"));
        let rung = json!({"targetPlan": {"phoneNumberId": "x"}});
        assert!(problem::<CreateTestSuite>(rung).contains("targetPlan.phoneNumberId"));
        assert!(problem::<CreateTestSuite>(json!({"testerPlan": {}})).contains("testerPlan"));
    }
}
