//! Steps of a live call that its record does not say: what was looked up, by the tool's name, how a hand-over went, and where
//! the assistant was late. Kept when the call is over here, without a word that was said. Who was rung is kept by their accounts'
//! ids, which the case's timeline names and no log tells. A process that dies takes those of its live calls with it: then the log
//! and the timeline lack them, and the record does not.

use call::CallEvent;
use desk::AccountId;
use jiff::Timestamp;
use platform::log::{CallLogEvent, HandOverStep};
use records::{CallId, StoreError};
use redact::Secret;
use resources::{ChangeError, Kind, NewResource, Resource, Resources};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turn::Ring;
use uuid::Uuid;

use crate::duty::account_of;
use crate::helpline::HELPLINE;

/// More than any call has: what comes after is left out.
const MOST: usize = 500;

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// As fine as the audit trail's times: what caused a step stands before it in the case's timeline.
    #[serde(rename = "atMicros")]
    at_micros: i64,
    pub event: CallLogEvent,
    /// For the desk alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<OfOfficers>,
}

/// Which officers a step is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OfOfficers {
    /// The desks that rang when those of an agency were rung.
    RungFor {
        agency: String,
        officers: Vec<AccountId>,
    },
    /// The same when all were.
    AllRung { officers: Vec<AccountId> },
    /// Who could be rung later.
    AlsoRung { officer: AccountId },
    /// Whose line did not come.
    NeverCame { officer: AccountId },
}

impl Step {
    pub fn at(&self) -> Option<Timestamp> {
        Timestamp::from_microsecond(self.at_micros).ok()
    }
}

/// Of a call that goes on here.
#[derive(Debug, Default)]
pub struct CallSteps {
    steps: Vec<Step>,
}

impl CallSteps {
    /// Something happened in it just now.
    pub fn take(&mut self, event: &CallEvent, now: Timestamp) {
        if self.steps.len() < MOST
            && let Some(step) = step(event)
        {
            self.steps.push(Step {
                at_micros: now.as_microsecond(),
                event: step,
                of: of_officers(event),
            });
        }
    }

    /// Keeps them after those that were kept of it before. What cannot be kept is missing in its log, and nowhere else.
    pub async fn keep(self, resources: &Resources, call: Uuid) {
        if self.steps.is_empty() {
            return;
        }
        if let Err(error) = keep(resources, call, &self.steps).await {
            tracing::warn!(%call, %error, "steps of a call are missing in its log");
        }
    }
}

fn step(event: &CallEvent) -> Option<CallLogEvent> {
    Some(match event {
        // With what it was looked up stays unsaid.
        CallEvent::LookedUp { .. } => CallLogEvent::ToolCall {
            name: HELPLINE.look_up.name.clone(),
        },
        CallEvent::AnsweredLate => CallLogEvent::AssistantLate,
        CallEvent::Transferred { mode, agency } => CallLogEvent::HandOver {
            step: HandOverStep::Begun,
            agency: Some(agency.as_str().to_owned()),
            mode: Some(mode.as_str().to_owned()),
            why: None,
        },
        CallEvent::OfficersRung { .. } | CallEvent::OfficerAlsoRung { .. } => {
            CallLogEvent::step(HandOverStep::OfficersRung)
        }
        CallEvent::OfficerAccepted { .. } => CallLogEvent::step(HandOverStep::OfficerAccepted),
        CallEvent::OfficerNeverCame { .. } => CallLogEvent::HandOver {
            step: HandOverStep::OfficerLeft,
            agency: None,
            mode: None,
            why: Some("never-came".to_owned()),
        },
        CallEvent::OfficerJoined { .. } => CallLogEvent::step(HandOverStep::OfficerJoined),
        CallEvent::OfficerLeft { .. } => CallLogEvent::step(HandOverStep::OfficerLeft),
        CallEvent::CallerOnHold => CallLogEvent::step(HandOverStep::CallerOnHold),
        CallEvent::CallerOffHold => CallLogEvent::step(HandOverStep::CallerOffHold),
        CallEvent::OfficersUnreached { why } => CallLogEvent::HandOver {
            step: HandOverStep::OfficersUnreached,
            agency: None,
            mode: None,
            why: Some(why.as_str().to_owned()),
        },
        CallEvent::Started
        | CallEvent::SpeechStarted { .. }
        | CallEvent::SpeechStopped { .. }
        | CallEvent::Transcript { .. }
        | CallEvent::Interrupted { .. }
        | CallEvent::Noted { .. }
        | CallEvent::Stepped { .. }
        | CallEvent::HoldEndsSoon { .. }
        | CallEvent::Ended { .. } => return None,
    })
}

fn of_officers(event: &CallEvent) -> Option<OfOfficers> {
    Some(match event {
        CallEvent::OfficersRung {
            agency,
            whom,
            officers,
        } => {
            let officers = officers.iter().copied().map(account_of).collect();
            match whom {
                Ring::Those => OfOfficers::RungFor {
                    agency: agency.as_str().to_owned(),
                    officers,
                },
                Ring::Everyone => OfOfficers::AllRung { officers },
            }
        }
        CallEvent::OfficerAlsoRung { officer } => OfOfficers::AlsoRung {
            officer: account_of(*officer),
        },
        CallEvent::OfficerNeverCame { officer } => OfOfficers::NeverCame {
            officer: account_of(*officer),
        },
        _ => return None,
    })
}

/// Found by the call, and none of the other ids that there are.
fn kept_of(call: Uuid) -> Uuid {
    const TURNED: u128 = 0x93a6_7d08_f41b_4c5e_8e27_b0c9_156d_32fa;
    Uuid::from_u128(call.as_u128() ^ TURNED)
}

async fn keep(resources: &Resources, call: Uuid, steps: &[Step]) -> Result<(), StoreError> {
    let now = Timestamp::now();
    let new = NewResource {
        id: Some(kept_of(call)),
        ..NewResource::of(Kind::CallSteps, body(call, steps))
    };
    if resources.add(new, now).await?.is_some() {
        return Ok(());
    }
    // It came back, here or from another node.
    let changed = resources.change(Kind::CallSteps, kept_of(call), now, |stands| {
        let mut all = read(stands);
        all.extend_from_slice(steps);
        Ok::<_, std::convert::Infallible>(body(call, &all))
    });
    match changed.await {
        Ok(_) | Err(ChangeError::Unknown) => Ok(()),
        Err(ChangeError::Refused(never)) => match never {},
        Err(ChangeError::Store(error)) => Err(error),
    }
}

fn body(call: Uuid, steps: &[Step]) -> resources::Body {
    match json!({"call": call, "steps": steps}) {
        Value::Object(fields) => Secret::new(fields),
        _ => Secret::default(),
    }
}

fn read(kept: &Resource) -> Vec<Step> {
    let steps = kept.body.expose_secret().get("steps");
    let steps = steps.and_then(|steps| Vec::deserialize(steps).ok());
    steps.unwrap_or_default()
}

/// Those of a call, in order.
pub async fn of_call(resources: &Resources, call: CallId) -> Result<Vec<Step>, StoreError> {
    let kept = resources.get(Kind::CallSteps, kept_of(call.0)).await?;
    Ok(kept.as_ref().map(read).unwrap_or_default())
}

/// Removes them for good.
pub async fn remove(resources: &Resources, call: CallId) -> Result<(), StoreError> {
    let removed = resources.remove(Kind::CallSteps, kept_of(call.0)).await;
    removed.map(drop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use flow::{Agency, TransferMode};
    use records::Records;

    use super::*;

    #[test]
    fn who_was_rung_is_kept_and_is_in_no_line_of_the_log() {
        let officers = vec![call::OfficerId(Uuid::from_u128(9))];
        let mut steps = CallSteps::default();
        let rung = CallEvent::OfficersRung {
            agency: Agency::Sos,
            whom: Ring::Those,
            officers,
        };
        steps.take(&rung, Timestamp::now());
        let kept = json!(steps.steps);
        let again = Vec::<Step>::deserialize(&kept).unwrap();
        assert_eq!(again, steps.steps);
        let rung_for = OfOfficers::RungFor {
            agency: "SOS".to_owned(),
            officers: vec![AccountId(Uuid::from_u128(9))],
        };
        assert_eq!(again[0].of, Some(rung_for));
        assert_eq!(
            json!(again[0].event),
            json!({"type": "hand-over", "step": "officers-rung"})
        );
        let earlier =
            json!({"atMicros": 7, "event": {"type": "hand-over", "step": "officers-rung"}});
        let earlier = Step::deserialize(&earlier).unwrap();
        assert_eq!(earlier.of, None, "as steps were kept before");
    }

    #[tokio::test]
    async fn what_happens_after_a_call_has_come_back_stands_behind_the_rest() {
        let records = Records::open("sqlite::memory:").await.unwrap();
        let resources = Resources::on(&records.database().unwrap());
        let call = Uuid::from_u128(7);
        for event in [
            CallEvent::LookedUp {
                query: "parking".to_owned(),
            },
            CallEvent::Transferred {
                mode: TransferMode::Warm,
                agency: Agency::Sos,
            },
            CallEvent::CallerOnHold,
            CallEvent::CallerOffHold,
        ] {
            let mut steps = CallSteps::default();
            steps.take(&CallEvent::Started, Timestamp::now());
            steps.take(&event, Timestamp::now());
            steps.keep(&resources, call).await;
        }
        CallSteps::default().keep(&resources, call).await;
        let kept = of_call(&resources, CallId(call)).await.unwrap();
        let told: Vec<Value> = kept.iter().map(|step| json!(step.event)).collect();
        assert_eq!(
            told,
            [
                json!({"type": "tool-call", "name": "product_query"}),
                json!({"type": "hand-over", "step": "begun", "agency": "SOS", "mode": "warm"}),
                json!({"type": "hand-over", "step": "caller-on-hold"}),
                json!({"type": "hand-over", "step": "caller-off-hold"}),
            ]
        );
        remove(&resources, CallId(call)).await.unwrap();
        let none = of_call(&resources, CallId(call)).await.unwrap();
        assert!(none.is_empty());
    }
}
