//! Whom a call or a chat is for. All of them are served by the embedded assistant: the flow and its safety are the helpline's,
//! whatever prompt comes with an assistant. Of one that a program keeps, how turns are taken is followed; of a workflow too, where
//! it is a single conversation.

use std::time::Duration;

use platform::call::Inline;
use platform::resource::{
    CreateAssistant, CreateSquad, CreateWorkflow, FirstMessageMode, in_full, known,
};
use records::Label;
use redact::Secret;
use resources::Kind;

use super::kept;
use crate::api::{ASSISTANT_ID, SQUAD_ID};
use crate::app::App;
use crate::errors::ApiError;
use crate::server;

/// No call is cut shorter than that: whoever rings is in a crisis.
const SHORTEST_CALL: Duration = Duration::from_secs(60);

/// What a call or a chat is served by, as its answer names it.
#[derive(Debug, Clone, Default)]
pub struct Served {
    pub assistant: Option<String>,
    pub squad: Option<String>,
    pub workflow: Option<String>,
    /// Where it is not the helpline's own.
    pub plan: Option<turn::Plan>,
}

impl Served {
    pub fn by_the_helpline() -> Self {
        Self {
            assistant: Some(ASSISTANT_ID.to_owned()),
            ..Self::default()
        }
    }

    /// As a record says it: `None` for all is the helpline.
    pub fn of(label: &Label) -> Self {
        match (&label.assistant, &label.squad, &label.workflow) {
            (None, None, None) => Self::by_the_helpline(),
            (assistant, squad, workflow) => Self {
                assistant: assistant.clone(),
                squad: squad.clone(),
                workflow: workflow.clone(),
                plan: None,
            },
        }
    }

    pub fn label(&self, name: Option<Secret<String>>) -> Label {
        Label {
            name,
            assistant: self.assistant.clone().filter(|id| id != ASSISTANT_ID),
            squad: self.squad.clone(),
            workflow: self.workflow.clone(),
        }
    }
}

/// An id must be one that is kept here, or part of the program.
pub async fn by_assistant(app: &App, id: &str) -> Result<Served, ApiError> {
    if id == ASSISTANT_ID {
        return Ok(Served::by_the_helpline());
    }
    let assistant = kept::find(app, Kind::Assistant, id)
        .await
        .map_err(unknown)?;
    Ok(Served {
        assistant: Some(assistant.id.to_string()),
        squad: None,
        workflow: None,
        plan: known(&assistant.body)
            .ok()
            .and_then(|assistant| plan(server::plan(&app.settings.plan), &assistant)),
    })
}

/// A squad begins with its first member.
pub async fn by_squad(app: &App, id: &str) -> Result<Served, ApiError> {
    if id == SQUAD_ID {
        return Ok(Served {
            squad: Some(SQUAD_ID.to_owned()),
            ..Served::default()
        });
    }
    let squad = kept::find(app, Kind::Squad, id).await.map_err(unknown)?;
    let members = known::<CreateSquad>(&squad.body)
        .ok()
        .and_then(|squad| squad.members);
    let first = members.and_then(|members| members.into_iter().next());
    let plan = match first.and_then(|first| first.assistant_id) {
        // One that is gone leaves its squad to the helpline.
        Some(first) => by_assistant(app, &first).await.ok().and_then(|by| by.plan),
        None => None,
    };
    Ok(Served {
        assistant: None,
        squad: Some(squad.id.to_string()),
        workflow: None,
        plan,
    })
}

/// A workflow that is a single conversation is served as an assistant is.
pub async fn by_workflow(app: &App, id: &str) -> Result<Served, ApiError> {
    let workflow = kept::find(app, Kind::Workflow, id).await.map_err(unknown)?;
    let known: CreateWorkflow = known(&workflow.body).map_err(|_| ApiError::NothingByThisId)?;
    Ok(Served {
        workflow: Some(workflow.id.to_string()),
        ..by_conversation(app, &known)?
    })
}

pub fn by_workflow_in_full(app: &App, workflow: &Inline) -> Result<Served, ApiError> {
    let known: CreateWorkflow = in_full("workflow", workflow)?;
    by_conversation(app, &known)
}

fn by_conversation(app: &App, workflow: &CreateWorkflow) -> Result<Served, ApiError> {
    let conversation = workflow.as_an_assistant();
    let conversation = conversation.ok_or(ApiError::WorkflowOfSeveralNodes)?;
    Ok(Served {
        plan: plan(server::plan(&app.settings.plan), &conversation),
        ..Served::default()
    })
}

fn unknown(error: ApiError) -> ApiError {
    match error {
        ApiError::UnknownResource { .. } => ApiError::NothingByThisId,
        error => error,
    }
}

/// How turns are taken where an assistant says so, and otherwise as the helpline takes them; `None` where it says nothing of
/// it.
fn plan(mut plan: turn::Plan, asked: &CreateAssistant) -> Option<turn::Plan> {
    let waits = asked.start_speaking_plan.as_ref();
    let wait = waits.and_then(|plan| plan.wait_seconds);
    let stops = asked.stop_speaking_plan.as_ref();
    let words = stops.and_then(|plan| plan.num_words);
    let (silence, longest) = (asked.silence_timeout_seconds, asked.max_duration_seconds);
    if [wait, words, silence, longest].iter().all(Option::is_none)
        && asked.first_message_mode != Some(FirstMessageMode::AssistantWaitsForUser)
    {
        return None;
    }
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    if let Some(wait) = wait {
        // A reply is due by its first sound, not by its first packet.
        plan.start_wait = seconds(wait).saturating_sub(speech::LEAD_IN);
        plan.adaptive_wait = None;
    }
    if let Some(words) = words {
        plan.stop_words = words as usize;
    }
    if let Some(silence) = silence {
        plan.silence_timeout = seconds(silence);
        plan.check_in_after = plan.check_in_after.min(plan.silence_timeout / 2);
    }
    if let Some(longest) = longest {
        plan.max_duration = seconds(longest).max(SHORTEST_CALL);
    }
    if asked.first_message_mode == Some(FirstMessageMode::AssistantWaitsForUser) {
        plan.assistant_speaks_first = false;
    }
    Some(plan)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use platform::resource::read_resource;
    use serde_json::{Value, json};

    use super::*;

    fn helplines() -> turn::Plan {
        turn::Plan {
            start_wait: Duration::from_secs(3),
            stop_words: 2,
            silence_timeout: Duration::from_secs(30),
            check_in_after: Duration::from_secs(15),
            max_duration: Duration::from_secs(600),
            ..turn::Plan::default()
        }
    }

    fn planned(assistant: Value) -> Option<turn::Plan> {
        let read = read_resource::<CreateAssistant>(assistant.to_string().as_bytes());
        plan(helplines(), &read.unwrap().0)
    }

    #[test]
    fn an_assistant_that_says_nothing_of_turns_takes_them_as_the_helpline_does() {
        let assistant = json!({"name": "Night line", "firstMessageMode": "assistant-speaks-first"});
        assert!(planned(assistant).is_none());
    }

    #[test]
    fn how_an_assistant_takes_turns_is_followed() {
        let plan = planned(json!({
            "startSpeakingPlan": {"waitSeconds": 1}, "stopSpeakingPlan": {"numWords": 4},
            "silenceTimeoutSeconds": 20, "maxDurationSeconds": 900,
            "firstMessageMode": "assistant-waits-for-user",
        }))
        .unwrap();
        assert_eq!(plan.start_wait, Duration::from_secs(1) - speech::LEAD_IN);
        assert!(plan.adaptive_wait.is_none());
        assert_eq!(plan.stop_words, 4);
        assert_eq!(plan.silence_timeout, Duration::from_secs(20));
        assert_eq!(
            plan.check_in_after,
            Duration::from_secs(10),
            "before it is over"
        );
        assert_eq!(plan.max_duration, Duration::from_secs(900));
        assert!(!plan.assistant_speaks_first);
    }

    #[test]
    fn no_assistant_cuts_a_call_short() {
        let plan = planned(json!({"maxDurationSeconds": 10})).unwrap();
        assert_eq!(plan.max_duration, SHORTEST_CALL);
        assert_eq!(plan.silence_timeout, Duration::from_secs(30));
        assert!(plan.assistant_speaks_first);
    }
}
