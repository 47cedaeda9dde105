//! What became of each message that a program's server was sent: which it was, when, how often it was tried and how that went.
//! Not a word of it is here, nor where it went: an address may hold a key. A call never waits for this, and what cannot be kept
//! of it is missing in the logs and nowhere else.
//!
//! Kept is what is tried until it is delivered, and what is asked. What is of use at once or never is only counted.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use platform::log::WebhookOutcome;
use records::{CallId, CallRecord, Label, StoreError};
use redact::Secret;
use reqwest::StatusCode;
use resources::{ChangeError, Kind, NewResource, Resource, Resources};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::sending::Undelivered;
use crate::platform_api::served::Served;

/// The call that a message is of, and who holds it.
#[derive(Debug, Clone)]
pub struct OfCall {
    pub call: Uuid,
    pub assistant: Option<String>,
    pub squad: Option<String>,
}

impl OfCall {
    pub fn of(call: Uuid, label: &Label) -> Self {
        let served = Served::of(label);
        Self {
            call,
            assistant: served.assistant,
            squad: served.squad,
        }
    }

    /// Nothing is known of who holds it.
    pub fn unlabelled(call: Uuid) -> Self {
        Self {
            call,
            assistant: None,
            squad: None,
        }
    }

    pub fn on_record(record: &CallRecord) -> Self {
        Self::of(record.call_id.0, &record.label)
    }
}

/// A message that is tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// Of what is kept of it: the same at each try.
    id: Uuid,
    of: OfCall,
    kind: String,
    /// By its name.
    tool: Option<String>,
}

impl Tried {
    /// One that waits in this row of the outbox.
    pub fn in_row(row: Uuid, of: OfCall, kind: &str) -> Self {
        Self {
            id: kept_of_row(row),
            of,
            kind: kind.to_owned(),
            tool: None,
        }
    }

    /// One that is made of the record when the call is over.
    pub fn of_the_end(of: OfCall, kind: &str) -> Self {
        Self {
            id: kept_of_the_end(of.call, kind),
            of,
            kind: kind.to_owned(),
            tool: None,
        }
    }

    /// A question, which is asked once.
    pub fn question(of: OfCall, kind: &str, tool: Option<String>) -> Self {
        Self {
            id: Uuid::now_v7(),
            of,
            kind: kind.to_owned(),
            tool,
        }
    }
}

/// What is kept of the message in a row: found by the row.
pub fn kept_of_row(row: Uuid) -> Uuid {
    turned(row, 0x1d64_a07c_52e9_4b8f_93c1_6e05_b7d2_48aa)
}

/// What is kept of a message about a call's end.
pub fn kept_of_the_end(call: Uuid, kind: &str) -> Uuid {
    let turn = match kind {
        "end-of-call-report" => 0x7b90_31e8_c4a6_4d52_a8f7_09db_3c16_e57f,
        _ => 0xc2f5_8e17_604d_4391_b36a_f851_92ec_0d34,
    };
    turned(call, turn)
}

/// None of the other ids that there are.
fn turned(id: Uuid, by: u128) -> Uuid {
    Uuid::from_u128(id.as_u128() ^ by)
}

/// A try, and how it went.
#[derive(Debug, Clone)]
pub struct Attempt {
    began: Timestamp,
    ended: Timestamp,
    outcome: WebhookOutcome,
    code: Option<u16>,
    trouble: Option<&'static str>,
}

impl Attempt {
    /// One that is over now.
    pub fn over(began: Timestamp, outcome: &Result<StatusCode, Undelivered>) -> Self {
        let ended = Timestamp::now().max(began);
        match outcome {
            Ok(status) => Self {
                began,
                ended,
                outcome: WebhookOutcome::Delivered,
                code: Some(status.as_u16()),
                trouble: None,
            },
            Err(Undelivered { trouble, again }) => Self {
                began,
                ended,
                outcome: match again {
                    true => WebhookOutcome::Waiting,
                    false => WebhookOutcome::GivenUp,
                },
                code: trouble.code,
                trouble: Some(trouble.what),
            },
        }
    }

    /// The same of what is tried once.
    pub fn for_good(self) -> Self {
        Self {
            outcome: match self.outcome {
                WebhookOutcome::Waiting => WebhookOutcome::GivenUp,
                outcome => outcome,
            },
            ..self
        }
    }
}

/// What is kept of a message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// As it is written in the paths of calls.
    pub call: String,
    pub assistant_id: Option<String>,
    pub squad_id: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    /// What was asked for, by name.
    pub tool: Option<String>,
    pub tries: u32,
    pub outcome: WebhookOutcome,
    /// What the server answered at the last try.
    pub code: Option<u16>,
    /// Why it was not delivered then.
    pub trouble: Option<String>,
    began_ms: i64,
    ended_ms: i64,
}

impl Delivery {
    /// `None` where it is sealed with a key that is not set.
    pub fn read(resource: &Resource) -> Option<Self> {
        Self::deserialize(Value::Object(resource.body.expose_secret().clone())).ok()
    }

    fn first(message: &Tried, attempt: &Attempt) -> Self {
        let first = Self {
            call: message.of.call.to_string(),
            assistant_id: message.of.assistant.clone(),
            squad_id: message.of.squad.clone(),
            kind: message.kind.clone(),
            tool: message.tool.clone(),
            tries: 0,
            outcome: attempt.outcome,
            code: None,
            trouble: None,
            began_ms: 0,
            ended_ms: 0,
        };
        first.after(attempt)
    }

    fn after(self, attempt: &Attempt) -> Self {
        Self {
            tries: self.tries.saturating_add(1),
            outcome: attempt.outcome,
            code: attempt.code,
            trouble: attempt.trouble.map(str::to_owned),
            began_ms: attempt.began.as_millisecond(),
            ended_ms: attempt.ended.as_millisecond(),
            ..self
        }
    }

    fn body(&self) -> resources::Body {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => Secret::new(fields),
            _ => Secret::default(),
        }
    }

    /// When the last try began and ended.
    pub fn last_try(&self) -> Option<(Timestamp, Timestamp)> {
        let began = Timestamp::from_millisecond(self.began_ms).ok()?;
        Some((began, Timestamp::from_millisecond(self.ended_ms).ok()?))
    }
}

/// Before a call began nothing is told of it, and long after its end neither.
const BEFORE: SignedDuration = SignedDuration::from_secs(1);
const AFTER: SignedDuration = SignedDuration::from_hours(49);

/// When the first tries of a call's messages can have been.
pub fn window(record: &CallRecord, now: Timestamp) -> records::Window {
    let from = record.started_at.saturating_sub(BEFORE);
    let until = record.ended_at.unwrap_or(now).saturating_add(AFTER);
    records::Window::ALL
        .from(from.unwrap_or(Timestamp::UNIX_EPOCH))
        .until(until.unwrap_or(Timestamp::MAX))
}

/// All of one database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Deliveries {
    resources: Resources,
}

/// Nothing is to be changed.
struct StandsAsItIs;

impl Deliveries {
    pub fn of(resources: Resources) -> Self {
        Self { resources }
    }

    /// Keeps how a try went.
    pub async fn tried(&self, message: &Tried, attempt: &Attempt) {
        if let Err(error) = self.keep(message, attempt).await {
            let call = CallId(message.of.call);
            tracing::warn!(%call, %error, "what became of a server message is missing in the logs");
        }
    }

    async fn keep(&self, message: &Tried, attempt: &Attempt) -> Result<(), StoreError> {
        let new = NewResource {
            id: Some(message.id),
            ..NewResource::of(Kind::Delivery, Delivery::first(message, attempt).body())
        };
        match self.resources.add(new, attempt.began).await? {
            Some(_) => Ok(()),
            None => {
                let again = |stands: Delivery| Some(stands.after(attempt));
                self.change(message.id, again).await
            }
        }
    }

    /// Nobody tries this message any more. One that was never tried is not in the logs.
    pub async fn given_up(&self, id: Uuid) {
        let changed = self.change(id, |stands| match stands.outcome {
            WebhookOutcome::Waiting => Some(Delivery {
                outcome: WebhookOutcome::GivenUp,
                ..stands
            }),
            WebhookOutcome::Delivered | WebhookOutcome::GivenUp => None,
        });
        if let Err(error) = changed.await {
            tracing::warn!(%error, "the logs do not say that a server message was given up");
        }
    }

    async fn change(
        &self,
        id: Uuid,
        change: impl Fn(Delivery) -> Option<Delivery>,
    ) -> Result<(), StoreError> {
        let changed = self
            .resources
            .change(Kind::Delivery, id, Timestamp::now(), |stands| {
                let changed = Delivery::read(stands).and_then(&change);
                changed.map(|it| it.body()).ok_or(StandsAsItIs)
            });
        match changed.await {
            Ok(_) | Err(ChangeError::Unknown | ChangeError::Refused(StandsAsItIs)) => Ok(()),
            Err(ChangeError::Store(error)) => Err(error),
        }
    }
}

/// For how long a try lasted.
pub fn lasted(began: Timestamp, ended: Timestamp) -> Duration {
    Duration::try_from(ended.duration_since(began)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jobs::Trouble;
    use records::Records;
    use resources::Wanted;

    use super::*;

    fn refused(again: bool) -> Result<StatusCode, Undelivered> {
        Err(Undelivered {
            trouble: Trouble {
                what: "the server refuses it",
                code: Some(503),
            },
            again,
        })
    }

    fn message() -> Tried {
        let of = OfCall::of(Uuid::from_u128(1), &Label::default());
        Tried::in_row(Uuid::from_u128(7), of, "status-update")
    }

    async fn deliveries() -> Deliveries {
        let records = Records::open("sqlite::memory:").await.unwrap();
        Deliveries::of(Resources::on(&records.database().unwrap()))
    }

    async fn kept(deliveries: &Deliveries) -> Vec<Delivery> {
        let listed = deliveries.resources.list(Kind::Delivery, Wanted::latest(9));
        let listed = listed.await.unwrap().resources;
        listed
            .iter()
            .map(|it| Delivery::read(it).unwrap())
            .collect()
    }

    #[tokio::test]
    async fn a_message_that_is_tried_again_is_one_with_so_many_tries() {
        let deliveries = deliveries().await;
        let now = Timestamp::now();
        let message = message();
        let first = Attempt::over(now, &refused(true));
        deliveries.tried(&message, &first).await;
        let waiting = &kept(&deliveries).await[0];
        assert_eq!(
            (waiting.tries, waiting.outcome, waiting.code),
            (1, WebhookOutcome::Waiting, Some(503))
        );
        let second = Attempt::over(now, &Ok(StatusCode::OK));
        deliveries.tried(&message, &second).await;
        let all = kept(&deliveries).await;
        assert_eq!(all.len(), 1);
        assert_eq!(
            (all[0].tries, all[0].outcome, all[0].code),
            (2, WebhookOutcome::Delivered, Some(200))
        );
        assert_eq!(all[0].trouble, None);
        assert_eq!(all[0].assistant_id.as_deref(), Some("helpline"));
        assert_eq!(
            all[0].last_try().unwrap().0.as_millisecond(),
            now.as_millisecond()
        );
    }

    #[tokio::test]
    async fn what_was_given_up_says_so_and_what_was_delivered_stays_delivered() {
        let deliveries = deliveries().await;
        let (now, row) = (Timestamp::now(), Uuid::from_u128(7));
        deliveries.given_up(kept_of_row(row)).await;
        assert!(kept(&deliveries).await.is_empty(), "it was never tried");
        let waits = Attempt::over(now, &refused(true));
        deliveries.tried(&message(), &waits).await;
        deliveries.given_up(kept_of_row(row)).await;
        assert_eq!(kept(&deliveries).await[0].outcome, WebhookOutcome::GivenUp);
        let delivered = Attempt::over(now, &Ok(StatusCode::OK));
        deliveries.tried(&message(), &delivered).await;
        deliveries.given_up(kept_of_row(row)).await;
        assert_eq!(
            kept(&deliveries).await[0].outcome,
            WebhookOutcome::Delivered
        );
    }

    #[test]
    fn what_is_not_to_be_tried_again_is_given_up_at_once() {
        let now = Timestamp::now();
        assert_eq!(
            Attempt::over(now, &refused(false)).outcome,
            WebhookOutcome::GivenUp
        );
        let once = Attempt::over(now, &refused(true)).for_good();
        assert_eq!(once.outcome, WebhookOutcome::GivenUp);
    }
}
