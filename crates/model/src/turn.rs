//! One turn: the model is asked for signals and for words, within the turn's bound, and what holds
//! of its answer becomes part of the conversation.

use std::time::{Duration, Instant};

use flow::reading::Reading;
use flow::{Brief, Conversation, Event};
use redact::Secret;
use serde_json::{Value, json};

use crate::endpoint::{Completion, Trouble};
use crate::tools::Proposals;
use crate::{ChatModel, Line, Speaker};

const PROMPT: &str = include_str!("../../../config/prompts/turn.md");
/// Answers of one turn: the first may only call tools.
const MOST_ROUNDS: usize = 3;
/// What the model reads of what was said before.
const MOST_LINES: usize = 20;

/// A caller turn that a reply is worked out for.
pub struct Turn<'t> {
    /// The conversation before it.
    pub before: &'t Conversation,
    /// The turn, as it was read.
    pub reading: &'t Reading,
    /// The offset from the call's start.
    pub at: Duration,
    /// What was said up to then.
    pub said: &'t [Line],
}

/// What a model proposes for a turn.
#[derive(Default)]
struct Advice {
    text: Option<String>,
    proposals: Proposals,
}

impl ChatModel {
    /// The conversation after the turn, with whatever held of the model's advice; its commands are
    /// not yet polled. `None` if nothing did: then it is as the flow has it by itself.
    pub async fn reply(&self, turn: Turn<'_>) -> Option<Conversation> {
        let mut advised = turn.before.clone();
        turn.hand_to(&mut advised);
        if advised.help_is_under_way() {
            // Nothing could be added that is worth a moment's wait.
            return None;
        }
        if !self.rest.is_over(Instant::now()) {
            count("resting");
            return None;
        }
        let mut advice = Advice::default();
        let brief = advised.brief();
        let asking = self.ask(&turn, brief.as_ref(), &mut advice);
        let asked = tokio::time::timeout(self.timeout, asking).await;
        let trouble = asked.unwrap_or(Err(Trouble::TooLate)).err();
        let failed = trouble.is_some_and(|trouble| trouble != Trouble::Declined);
        self.rest.note(failed, Instant::now());
        if let Some(trouble) = trouble {
            count(trouble.as_str());
            tracing::warn!(%trouble, "the chat model is of no help in this turn");
        }

        let mut better = false;
        if !advice.proposals.suggestions.is_empty() {
            let mut heard = turn.before.clone();
            heard.suggest(std::mem::take(&mut advice.proposals.suggestions));
            turn.hand_to(&mut heard);
            let decided_anew = !heard.decided_as(&advised);
            advised = heard;
            better = true;
            if decided_anew {
                // The words were for another decision.
                count("heard");
                return Some(advised);
            }
        }
        if let Some(text) = advice.text {
            let caller = turn
                .said
                .iter()
                .filter(|line| line.speaker == Speaker::Caller);
            let said: Vec<&str> = caller
                .map(|line| line.words.expose_secret().as_str())
                .chain([turn.reading.words.expose_secret().as_str()])
                .collect();
            let looked_up = advice.proposals.looked_up.iter().map(String::as_str);
            let looked_up: Vec<&str> = looked_up.collect();
            match advised.reword(&text, &said, &looked_up) {
                Ok(()) => {
                    count("worded");
                    better = true;
                }
                Err(unfit) => {
                    count(unfit.as_str());
                    tracing::debug!(%unfit, "a chat model's words are not said");
                }
            }
        }
        better.then_some(advised)
    }

    async fn ask(
        &self,
        turn: &Turn<'_>,
        brief: Option<&Brief>,
        advice: &mut Advice,
    ) -> Result<(), Trouble> {
        let mut messages = self.messages(turn, brief);
        for _ in 0..MOST_ROUNDS {
            let answer = self.endpoint.complete(&messages, Some(&self.tools)).await?;
            let mut results = Vec::new();
            for call in &answer.calls {
                let knowledge = &self.script.knowledge;
                let result = advice.proposals.take(call, &self.look_up, knowledge);
                results.push(json!({"role": "tool", "tool_call_id": call.id, "content": result}));
            }
            let text = without_thoughts(&answer.text);
            if !text.is_empty() {
                advice.text = Some(text.to_owned());
                return Ok(());
            }
            if results.is_empty() {
                return Err(Trouble::Empty);
            }
            if brief.is_none() {
                // There is nothing to word.
                return Ok(());
            }
            messages.push(calls_made(&answer));
            messages.append(&mut results);
        }
        Ok(())
    }

    fn messages(&self, turn: &Turn<'_>, brief: Option<&Brief>) -> Vec<Value> {
        let mut messages = vec![json!({"role": "system", "content": self.prompt(brief)})];
        let from = turn.said.len().saturating_sub(MOST_LINES);
        let before = turn.said[from..].iter().map(|line| {
            let role = match line.speaker {
                Speaker::Assistant => "assistant",
                Speaker::Caller => "user",
            };
            json!({"role": role, "content": line.words.expose_secret()})
        });
        messages.extend(before);
        messages.push(json!({"role": "user", "content": turn.reading.words.expose_secret()}));
        messages
    }

    fn prompt(&self, brief: Option<&Brief>) -> String {
        let joined = |sentences: &[Secret<String>]| -> String {
            let all: Vec<&str> = sentences
                .iter()
                .map(|one| one.expose_secret().as_str())
                .collect();
            match all.is_empty() {
                true => String::from("(nothing)"),
                false => all.join(" "),
            }
        };
        let (open, fixed, may_ask) = match brief {
            Some(brief) => (joined(&brief.open), joined(&brief.fixed), brief.may_ask),
            None => (String::from("(nothing: only listen)"), String::new(), false),
        };
        let question = match may_ask {
            true => "You may end with one open question.",
            false => "Ask nothing.",
        };
        PROMPT
            .replace("{assistant}", &self.script.name)
            .replace("{look_up}", &self.look_up.name)
            .replace("{open}", &open)
            .replace("{fixed}", &fixed)
            .replace("{question}", question)
    }
}

impl Turn<'_> {
    fn hand_to(&self, conversation: &mut Conversation) {
        let reading = Box::new(self.reading.clone());
        conversation.handle(Event::CallerSaid { reading }, self.at);
    }
}

/// Some models think aloud before they speak.
fn without_thoughts(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix("<think>") {
        Some(thoughts) => thoughts
            .split_once("</think>")
            .map_or("", |(_, spoken)| spoken.trim()),
        None => text,
    }
}

/// The model's own message, for the next round.
fn calls_made(answer: &Completion) -> Value {
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .map(|call| {
            json!({"id": call.id, "type": "function", "function": {
                "name": call.name,
                "arguments": call.arguments.expose_secret(),
            }})
        })
        .collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

pub(crate) fn count(outcome: &'static str) {
    metrics::counter!("nightlight_model_turns_total", "outcome" => outcome).increment(1);
}
