//! Whose server is told of a call: of everything that may name one, in the platform's order.

use std::sync::Arc;

use platform::resource::{CreateSquad, MessagePlan, known};
use records::Label;
use redact::Secret;
use resources::Kind;
use serde_json::{Map, Value};

use super::look_up::{self, AskedTool};
use super::receiver::Receiver;
use super::subscriber::Whose;
use super::{Answering, Webhooks};
use crate::api::SQUAD_ID;
use crate::helpline::HELPLINE;

/// Whether the program's own assistant answers, by itself or in its squad: then what is told is what it tells.
pub fn is_the_helplines(label: &Label) -> bool {
    let squad = label.squad.as_deref();
    label.assistant.is_none()
        && label.workflow.is_none()
        && squad.is_none_or(|squad| squad == SQUAD_ID)
}

/// What an assistant says of whom to tell.
#[derive(Default)]
struct Said {
    plans: Vec<MessagePlan>,
    tool: Option<AskedTool>,
}

impl Webhooks {
    /// Whoever was told before; otherwise, in the platform's order, who asked, the assistant, and what is set for all.
    pub(super) async fn who_is_told(&self, whose: &Whose<'_>) -> Answering {
        let said = self.said_by(whose.label).await;
        let asked = said.tool.map(|tool| (tool.look_up, tool.plan));
        let (look_up, plan) = asked.unwrap_or_default();
        let tools = plan.map(|plan| Receiver::of(&[plan]));
        let tools = tools.and_then(Result::ok).flatten().map(Arc::new);
        let answering = |assistants: Option<Receiver>| Answering {
            assistants: assistants.map(Arc::new),
            tools,
            look_up,
        };
        if whose.goes_on {
            match self.outbox.told_of(whose.call).await {
                Ok(None) => {}
                Ok(told) => return answering(told),
                Err(error) => {
                    tracing::warn!(call = %whose.call, %error, "who was told of a call that goes on cannot be read");
                }
            }
        }
        let mut plans = whose.wishes.to_vec();
        plans.extend(said.plans);
        plans.extend(self.own.clone());
        if is_the_helplines(whose.label) {
            plans.push(HELPLINE.messages.clone());
        }
        let assistants = Receiver::of(&plans).unwrap_or_else(|error| {
            tracing::warn!(call = %whose.call, %error, "nobody is told of this call: its assistant's server is none that callers' words may go to");
            None
        });
        answering(assistants)
    }

    /// What the assistant says, the first member of the squad, or the workflow.
    async fn said_by(&self, label: &Label) -> Said {
        let mut said = Said::default();
        let plans = &mut said.plans;
        let mut assistant = label.assistant.clone();
        if let Some(squad) = label.squad.as_deref().filter(|id| *id != SQUAD_ID)
            && let Some(squad) = self.kept(Kind::Squad, squad).await
            && let Ok(squad) = known::<CreateSquad>(&Secret::new(squad))
        {
            let first = squad.members.and_then(|members| members.into_iter().next());
            let first = first.unwrap_or_default();
            let in_full = [
                first.assistant_overrides,
                squad.members_overrides,
                first.assistant,
            ];
            plans.extend(in_full.iter().flatten().map(MessagePlan::of_inline));
            assistant = first.assistant_id;
        }
        let fields = match (assistant, &label.workflow) {
            (Some(id), _) => self.kept(Kind::Assistant, &id).await,
            // One that is served is a single conversation, and says of it what an assistant says.
            (None, Some(id)) => self.kept(Kind::Workflow, id).await,
            (None, None) => None,
        };
        if let Some(fields) = fields {
            plans.push(MessagePlan::of(&fields));
            said.tool = look_up::first(&self.tools_of(&fields).await);
        }
        said
    }

    pub(super) async fn kept(&self, kind: Kind, id: &str) -> Option<Map<String, Value>> {
        let found = self.resources.get(kind, id.parse().ok()?).await;
        match found {
            Ok(found) => found.map(|found| found.body.expose_secret().clone()),
            Err(error) => {
                tracing::warn!(%kind, %error, "what is kept of where server messages go cannot be read: they go where is set for all");
                None
            }
        }
    }
}
