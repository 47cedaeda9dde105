//! Whom a call or a chat is for. All of them are served by the embedded assistant: the flow and its safety are the helpline's,
//! whatever prompt comes with an assistant. What is followed of one that a program has made, `honoured` says; a workflow is
//! served so where it is a single conversation.

use call::Manner;
use platform::AssistantOverrides;
use platform::call::Inline;
use platform::resource::{
    CreateAssistant, CreateSquad, CreateWorkflow, SquadMember, in_full, known,
};
use records::Label;
use redact::Secret;
use resources::Kind;

use super::honoured::{self, Honoured, honoured};
use super::kept;
use crate::api::{ASSISTANT_ID, SQUAD_ID};
use crate::app::App;
use crate::errors::ApiError;

/// What a call or a chat is served by, as its answer names it.
#[derive(Debug, Clone, Default)]
pub struct Served {
    pub assistant: Option<String>,
    pub squad: Option<String>,
    pub workflow: Option<String>,
    /// Where it is not held as the helpline holds its own.
    pub honoured: Honoured,
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
                honoured: Honoured::default(),
            },
        }
    }

    pub fn label(&self, name: Option<Secret<String>>) -> Label {
        Label {
            name,
            assistant: self.assistant.clone().filter(|id| id != ASSISTANT_ID),
            squad: self.squad.clone(),
            workflow: self.workflow.clone(),
            manner: self.honoured.kept.clone(),
        }
    }

    pub fn manner(&self) -> Manner {
        self.honoured.manner.clone()
    }
}

type Overrides<'o> = Option<&'o AssistantOverrides>;

/// An id must be one that is kept here, or part of the program. The helpline's own words are nobody's to change.
pub async fn by_assistant(
    app: &App,
    id: &str,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    if id == ASSISTANT_ID {
        return Ok(Served::by_the_helpline());
    }
    honoured::check_overrides(app, overrides)?;
    let assistant = kept::find(app, Kind::Assistant, id)
        .await
        .map_err(unknown)?;
    Ok(Served {
        assistant: Some(assistant.id.to_string()),
        squad: None,
        workflow: None,
        honoured: honoured(app, &assistant.body, overrides).await,
    })
}

/// One that is given in full, for this call or chat alone.
pub async fn by_assistant_in_full(
    app: &App,
    assistant: &Inline,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    in_full::<CreateAssistant>("assistant", assistant)?;
    honoured::check_voice(app, assistant)?;
    honoured::check_overrides(app, overrides)?;
    Ok(Served {
        honoured: honoured(app, assistant, overrides).await,
        ..Served::default()
    })
}

/// A squad begins with its first member.
pub async fn by_squad(app: &App, id: &str, overrides: Overrides<'_>) -> Result<Served, ApiError> {
    if id == SQUAD_ID {
        return Ok(Served {
            squad: Some(SQUAD_ID.to_owned()),
            ..Served::default()
        });
    }
    honoured::check_overrides(app, overrides)?;
    let squad = kept::find(app, Kind::Squad, id).await.map_err(unknown)?;
    // A program may have kept it when less was known of it; then it is left to the helpline.
    let known = known::<CreateSquad>(&squad.body).unwrap_or_default();
    Ok(Served {
        assistant: None,
        squad: Some(squad.id.to_string()),
        workflow: None,
        honoured: first_members(app, &known, overrides).await?,
    })
}

/// One that is given in full, for this call or chat alone.
pub async fn by_squad_in_full(
    app: &App,
    squad: &Inline,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    let known: CreateSquad = in_full("squad", squad)?;
    honoured::check_overrides(app, overrides)?;
    let members = known.members.iter().flatten();
    let own = members.flat_map(|member| [&member.assistant, &member.assistant_overrides]);
    for fields in own.chain([&known.members_overrides]).flatten() {
        honoured::check_voice(app, fields)?;
    }
    Ok(Served {
        honoured: first_members(app, &known, overrides).await?,
        ..Served::default()
    })
}

/// What the member changes in its assistant comes first, then what the squad changes in all of them, then what this call changes.
async fn first_members(
    app: &App,
    squad: &CreateSquad,
    overrides: Overrides<'_>,
) -> Result<Honoured, ApiError> {
    let Some(first) = squad.members.iter().flatten().next() else {
        return Ok(Honoured::default());
    };
    let layers = [&first.assistant_overrides, &squad.members_overrides];
    let lasting = layers.into_iter().flatten();
    // As above: one that cannot be followed changes nothing.
    let lasting = lasting.filter_map(|fields| in_full::<AssistantOverrides>("", fields).ok());
    let all = lasting.chain(overrides.cloned());
    let all = all.reduce(|before, after| before.then(&after));
    match first {
        SquadMember {
            assistant: Some(assistant),
            ..
        } => Ok(honoured(app, assistant, all.as_ref()).await),
        SquadMember {
            assistant_id: Some(id),
            ..
        } if id != ASSISTANT_ID => match kept::find(app, Kind::Assistant, id).await {
            Ok(assistant) => Ok(honoured(app, &assistant.body, all.as_ref()).await),
            // One that is gone leaves its squad to the helpline.
            Err(ApiError::UnknownResource { .. }) => Ok(Honoured::default()),
            Err(error) => Err(error),
        },
        _ => Ok(Honoured::default()),
    }
}

/// A workflow that is a single conversation is served as an assistant is.
pub async fn by_workflow(
    app: &App,
    id: &str,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    let workflow = kept::find(app, Kind::Workflow, id).await.map_err(unknown)?;
    let known: CreateWorkflow = known(&workflow.body).map_err(|_| ApiError::NothingByThisId)?;
    Ok(Served {
        workflow: Some(workflow.id.to_string()),
        ..by_conversation(app, &known, &workflow.body, overrides).await?
    })
}

pub async fn by_workflow_in_full(
    app: &App,
    workflow: &Inline,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    let known: CreateWorkflow = in_full("workflow", workflow)?;
    honoured::check_voice(app, workflow)?;
    by_conversation(app, &known, workflow, overrides).await
}

async fn by_conversation(
    app: &App,
    known: &CreateWorkflow,
    workflow: &Inline,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    if !known.is_one_conversation() {
        return Err(ApiError::WorkflowOfSeveralNodes);
    }
    honoured::check_overrides(app, overrides)?;
    Ok(Served {
        honoured: honoured(app, workflow, overrides).await,
        ..Served::default()
    })
}

fn unknown(error: ApiError) -> ApiError {
    match error {
        ApiError::UnknownResource { .. } => ApiError::NothingByThisId,
        error => error,
    }
}
