//! Whether what the assistant said, and did, is what it is held to. Reasons repeat no words.

use call::{Speaker, SpokenMessage};
use platform::Inline;
use platform::resource::eval::{
    ExpectedCall, JudgePlan, JudgeType, Judgement, MadeCall, Verdict, pattern,
};
use platform::resource::test_suite::{Scorer, ScorerResult, ScorerType};
use platform::{StructuredData, TransferTo};
use redact::Secret;
use serde_json::{Map, Value, json};

use super::suite::Conversed;
use crate::chat_model::Configured;
use crate::helpline::HELPLINE;
use crate::written::talk::{Exchange, Talk};

/// Nobody can say whether it passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoVerdict {
    NoModel,
    ModelUnclear,
}

impl NoVerdict {
    pub fn message(self) -> &'static str {
        match self {
            Self::NoModel => "no chat model is set that could judge it: set model_url",
            Self::ModelUnclear => "the chat model said neither pass nor fail in time",
        }
    }
}

/// What a turn of the assistant is looked at with.
pub struct Turn<'t> {
    pub text: &'t Secret<String>,
    pub calls: &'t [MadeCall],
    pub talk: &'t Talk,
}

pub async fn judge(
    model: Option<&Configured>,
    plan: &JudgePlan,
    turn: Turn<'_>,
) -> Result<Judgement, NoVerdict> {
    let failure = match plan.kind {
        JudgeType::Exact => exact(plan, &turn),
        JudgeType::Regex => found(plan, &turn),
        JudgeType::Ai => {
            let model = model.ok_or(NoVerdict::NoModel)?;
            let passes = model.judges(&asked(plan, &turn)).await;
            match passes.ok_or(NoVerdict::ModelUnclear)? {
                true => None,
                false => Some("the chat model says that it fails"),
            }
        }
    };
    Ok(Judgement {
        status: verdict(failure.is_none()),
        failure_reason: failure.map(str::to_owned),
    })
}

pub fn verdict(passes: bool) -> Verdict {
    match passes {
        true => Verdict::Pass,
        false => Verdict::Fail,
    }
}

const OTHER_CALLS: &str = "the assistant did not do with this turn what `toolCalls` expects";

fn exact(plan: &JudgePlan, turn: &Turn<'_>) -> Option<&'static str> {
    let wanted = plan.content.as_ref()?.expose_secret().trim().to_lowercase();
    if turn.text.expose_secret().trim().to_lowercase() != wanted {
        return Some("the words are not those of `content`");
    }
    let same = |wanted: &Value, was: &Value| wanted == was;
    (!calls_are(plan.tool_calls.as_deref(), turn.calls, same)).then_some(OTHER_CALLS)
}

fn found(plan: &JudgePlan, turn: &Turn<'_>) -> Option<&'static str> {
    let is_found = |wanted: &str, text: &str| pattern(wanted).is_some_and(|it| it.is_match(text));
    let content = plan.content.as_ref()?;
    if !is_found(content.expose_secret(), turn.text.expose_secret()) {
        return Some("the pattern of `content` is not found in the words");
    }
    let fits = |wanted: &Value, was: &Value| match (wanted.as_str(), was.as_str()) {
        (Some(wanted), Some(was)) => is_found(wanted, was),
        _ => false,
    };
    (!calls_are(plan.tool_calls.as_deref(), turn.calls, fits)).then_some(OTHER_CALLS)
}

/// Every call that is expected was made; with none expected, none was.
fn calls_are(
    expected: Option<&[ExpectedCall]>,
    made: &[MadeCall],
    fits: impl Fn(&Value, &Value) -> bool,
) -> bool {
    let none = Map::new();
    let was_made = |wanted: &ExpectedCall| {
        let arguments = wanted.arguments.as_ref();
        let arguments = arguments.map_or(&none, |them| them.expose_secret());
        made.iter().any(|made| {
            let was = made.arguments.expose_secret();
            let mut arguments = arguments.iter();
            made.name == wanted.name
                && arguments.all(|(name, wanted)| was.get(name).is_some_and(|it| fits(wanted, it)))
        })
    };
    match expected {
        None => true,
        Some([]) => made.is_empty(),
        Some(expected) => expected.iter().all(was_made),
    }
}

/// What the assistant did with a turn, in the platform's words.
pub fn made_calls(exchange: &Exchange) -> Vec<MadeCall> {
    let call = |name: &str, arguments: Value| MadeCall {
        name: name.to_owned(),
        arguments: inline(arguments),
    };
    let tool = &HELPLINE.look_up;
    let looked_up = exchange.looked_up.iter().map(|query| {
        call(
            &tool.name,
            json!({(tool.parameter.as_str()): query.expose_secret()}),
        )
    });
    let transferred = exchange.transfer.iter().map(|(mode, agency)| {
        let arguments = json!({"destination": agency.as_str(), "mode": mode.as_str()});
        call("transferCall", arguments)
    });
    looked_up.chain(transferred).collect()
}

pub fn inline(object: Value) -> Inline {
    match object {
        Value::Object(fields) => Secret::new(fields),
        _ => Secret::default(),
    }
}

/// The messages that ask a model, with the conversation where they have a place for it, or else after them.
fn asked(plan: &JudgePlan, turn: &Turn<'_>) -> Vec<(String, Secret<String>)> {
    let conversation = conversation(turn.talk.messages());
    let last = format!("Assistant: {}", turn.text.expose_secret());
    let messages = plan
        .model
        .iter()
        .flat_map(|model| &model.messages)
        .flatten();
    let mut has_place = false;
    let mut asked: Vec<(String, Secret<String>)> = messages
        .map(|message| {
            let content = message.content.expose_secret();
            has_place |= content.contains("{{messages");
            // The turn first: it stands for itself, and its words are not looked at again.
            let mut parts = content.split("{{messages[-1]}}").map(|part| {
                let parts: Vec<&str> = part.split("{{messages}}").collect();
                parts.join(conversation.expose_secret().as_str())
            });
            let first = parts.next().unwrap_or_default();
            let content = parts.fold(first, |whole, part| format!("{whole}{last}{part}"));
            (message.role.clone(), Secret::new(content))
        })
        .collect();
    if !has_place && plan.auto_include_message_history != Some(false) {
        asked.push((String::from("user"), conversation));
    }
    asked
}

/// What was said so far, a line each.
fn conversation(messages: &[SpokenMessage]) -> Secret<String> {
    let line = |message: &SpokenMessage| {
        let speaker = match message.speaker {
            Speaker::Caller => "Caller",
            Speaker::Assistant | Speaker::Officer(_) => "Assistant",
        };
        format!("{speaker}: {}", message.words.expose_secret())
    };
    let lines: Vec<String> = messages.iter().map(line).collect();
    Secret::new(lines.join("\n"))
}

const RUBRIC: &str = include_str!("../../../../config/prompts/judge.md");

/// How a whole conversation scores.
pub async fn score(
    model: Option<&Configured>,
    scorer: &Scorer,
    conversed: &Conversed,
    facts: &StructuredData,
) -> Result<ScorerResult, NoVerdict> {
    match scorer.kind {
        ScorerType::Ai => {
            let rubric = scorer.rubric.clone().unwrap_or_default();
            let model = model.ok_or(NoVerdict::NoModel)?;
            let asked = [
                (String::from("system"), Secret::new(RUBRIC.to_owned())),
                (
                    String::from("user"),
                    Secret::new(format!(
                        "Rubric:\n{}\n\nConversation:\n{}",
                        rubric.expose_secret(),
                        conversation(&conversed.messages).expose_secret()
                    )),
                ),
            ];
            let passes = model.judges(&asked).await;
            let passes = passes.ok_or(NoVerdict::ModelUnclear)?;
            Ok(ScorerResult {
                kind: String::from("ai"),
                result: verdict(passes),
                reasoning: String::from("as the chat model says"),
                rubric: Some(rubric),
            })
        }
        ScorerType::Outcome => Ok(outcome(scorer, conversed.reason.as_str(), facts)),
    }
}

/// Whom the caller was handed to, whether the case is urgent, and how it ended: all that is asked must be so.
fn outcome(scorer: &Scorer, ended_reason: &str, facts: &StructuredData) -> ScorerResult {
    let mut wrong = Vec::new();
    if let Some(wanted) = scorer.transfer_to {
        let was = match facts.transferred {
            true => facts.transfer_to,
            false => TransferTo::NotApplicable,
        };
        if wanted != was {
            wrong.push(format!(
                "expected the transfer to be {}, and it was {}",
                wanted.as_str(),
                was.as_str()
            ));
        }
    }
    if let Some(wanted) = scorer.urgent.filter(|wanted| *wanted != facts.urgent) {
        let named = |urgent| if urgent { "urgent" } else { "not urgent" };
        wrong.push(format!(
            "expected the case to be {}, and it was {}",
            named(wanted),
            named(facts.urgent)
        ));
    }
    // What was expected is a program's to write, and not repeated.
    if scorer
        .ended_reason
        .as_ref()
        .is_some_and(|it| it != ended_reason)
    {
        wrong.push(format!("expected another end than {ended_reason}"));
    }
    ScorerResult {
        kind: String::from("outcome"),
        result: verdict(wrong.is_empty()),
        reasoning: match wrong.is_empty() {
            true => String::from("as expected"),
            false => wrong.join("; "),
        },
        rubric: None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn made(arguments: Value) -> Vec<MadeCall> {
        vec![MadeCall {
            name: String::from("transferCall"),
            arguments: inline(arguments),
        }]
    }

    fn expected(arguments: Value) -> Vec<ExpectedCall> {
        vec![ExpectedCall {
            name: String::from("transferCall"),
            arguments: Some(inline(arguments)),
        }]
    }

    #[test]
    fn what_is_expected_of_a_call_is_looked_at_and_no_more() {
        let same = |wanted: &Value, was: &Value| wanted == was;
        let sos = made(json!({"destination": "SOS", "mode": "warm"}));
        assert!(calls_are(None, &sos, same));
        assert!(calls_are(
            Some(&expected(json!({"destination": "SOS"}))),
            &sos,
            same
        ));
        assert!(!calls_are(
            Some(&expected(json!({"destination": "SPF"}))),
            &sos,
            same
        ));
        assert!(!calls_are(
            Some(&expected(json!({"number": "1"}))),
            &sos,
            same
        ));
        assert!(!calls_are(Some(&[]), &sos, same));
        assert!(calls_are(Some(&[]), &[], same));
    }
}
