//! Whoever is told of a chat or a session that is made, changed or deleted: found by what is said of where its messages go,
//! before it is gone, and told when that is done. What is told is stored by then, and waits like all messages of calls.

use std::sync::Arc;

use jiff::Timestamp;
use platform::ServerEvent;
use platform::call::Inline;
use platform::lifecycle::{ChatEvent, SessionEvent};
use platform::resource::MessagePlan;
use records::Label;
use redact::Secret;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::deliveries::{OfCall, Tried};
use super::outbox::Message;
use super::receiver::Receiver;
use super::{Webhooks, messages};

/// Of whom it is asked who is told.
pub struct Whose<'w> {
    /// The call, or the conversation.
    pub call: Uuid,
    pub label: &'w Label,
    /// What whoever asked for it says of where messages go.
    pub wishes: &'w [MessagePlan],
    /// It began earlier, and whoever was told of that is told of the rest.
    pub goes_on: bool,
}

/// A server that is told of one conversation.
pub struct Subscriber {
    about: Uuid,
    to: Arc<Receiver>,
}

/// A chat, as it is told of.
pub fn of_chat(chat: &impl Serialize) -> ChatEvent {
    ChatEvent { chat: fields(chat) }
}

/// A session, as it is told of.
pub fn of_session(session: &impl Serialize) -> SessionEvent {
    SessionEvent {
        session: fields(session),
    }
}

fn fields(answered: &impl Serialize) -> Inline {
    match serde_json::to_value(answered) {
        Ok(Value::Object(fields)) => Secret::new(fields),
        _ => Secret::default(),
    }
}

impl Webhooks {
    /// `None` where nobody is told.
    pub async fn subscriber(&self, whose: Whose<'_>) -> Option<Subscriber> {
        let nobody = self.own.is_none() && whose.wishes.is_empty() && whose.label.is_empty();
        if nobody && !whose.goes_on {
            return None;
        }
        let answering = self.who_is_told(&whose).await;
        let about = whose.call;
        answering.assistants.map(|to| Subscriber { about, to })
    }

    /// Tells a subscriber, if it asks for that. Returns once it is stored.
    pub async fn tell_subscriber(&self, subscriber: Option<Subscriber>, event: ServerEvent) {
        let Some(Subscriber { about, to }) = subscriber.filter(|it| it.to.is_told_of(&event))
        else {
            return;
        };
        let now = Timestamp::now();
        let kind = event.kind();
        let body = messages::of_no_call(event, now);
        let message = Message {
            call: about,
            kind,
            body: &body,
            to: &to,
        };
        let row = self.outbox.put(message, now).await;
        if let Err(error) = &row {
            tracing::warn!(%kind, %error, "a server message is not stored: it is tried once");
        }
        let (outbox, stopping) = (Arc::clone(&self.outbox), self.stopping.clone());
        self.tasks.spawn(async move {
            let sending = async {
                match row {
                    Ok(row) => {
                        let message = Tried::in_row(row, OfCall::unlabelled(about), kind);
                        outbox.try_now(row, &to, body, &message).await;
                    }
                    Err(_) => outbox.try_once(&to, body).await,
                }
            };
            // What is stored is left to the next start.
            tokio::select! {
                () = sending => {}
                () = stopping.cancelled() => {}
            }
        });
    }
}
