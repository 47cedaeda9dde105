//! Whom a call or a chat is for. All of them are served by the embedded assistant: the flow and its safety are the helpline's,
//! whatever prompt comes with an assistant. What is followed of one that a program has made, `honoured` says.

use call::Manner;
use platform::AssistantOverrides;
use platform::call::Inline;
use platform::resource::{CreateSquad, SquadMember, known};
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

    /// As a record says it: `None` for both is the helpline.
    pub fn of(label: &Label) -> Self {
        match (&label.assistant, &label.squad) {
            (None, None) => Self::by_the_helpline(),
            (assistant, squad) => Self {
                assistant: assistant.clone(),
                squad: squad.clone(),
                honoured: Honoured::default(),
            },
        }
    }

    pub fn label(&self, name: Option<Secret<String>>) -> Label {
        Label {
            name,
            assistant: self.assistant.clone().filter(|id| id != ASSISTANT_ID),
            squad: self.squad.clone(),
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
    let assistant = kept::find(app, Kind::Assistant, id)
        .await
        .map_err(unknown)?;
    Ok(Served {
        assistant: Some(assistant.id.to_string()),
        squad: None,
        honoured: honoured(app, &assistant.body, overrides).await,
    })
}

/// One that is given in full, for this call or chat alone.
pub async fn in_full(
    app: &App,
    assistant: &Inline,
    overrides: Overrides<'_>,
) -> Result<Served, ApiError> {
    known::<platform::resource::CreateAssistant>(assistant)?;
    honoured::check_voice(app, assistant)?;
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
    let squad = kept::find(app, Kind::Squad, id).await.map_err(unknown)?;
    let members = known::<CreateSquad>(&squad.body)
        .ok()
        .and_then(|squad| squad.members);
    let first = members.and_then(|members| members.into_iter().next());
    Ok(Served {
        assistant: None,
        squad: Some(squad.id.to_string()),
        honoured: first_members(app, first, overrides).await,
    })
}

async fn first_members(
    app: &App,
    first: Option<SquadMember>,
    overrides: Overrides<'_>,
) -> Honoured {
    match first {
        Some(SquadMember {
            assistant: Some(assistant),
            ..
        }) => honoured(app, &assistant, overrides).await,
        // One that is gone leaves its squad to the helpline.
        Some(SquadMember {
            assistant_id: Some(id),
            ..
        }) => {
            let served = by_assistant(app, &id, overrides).await;
            served.map(|served| served.honoured).unwrap_or_default()
        }
        _ => Honoured::default(),
    }
}

fn unknown(error: ApiError) -> ApiError {
    match error {
        ApiError::UnknownResource { .. } => ApiError::NothingByThisId,
        error => error,
    }
}
