//! A conversation with a made-up caller: the same flow, reader and chat model as any written conversation, its exchanges in
//! the same queue, and nothing left behind. There is no record, so there is no case, nobody at the desk sees it, and nobody is
//! rung.

use std::sync::Arc;

use flow::{AssistantScript, CaseNote, EndReason};
use jiff::Timestamp;
use records::VisitorId;
use redact::Secret;
use speech::Standing;
use uuid::Uuid;

use call::traces::Span;

use super::exchange::{admitted, advised, read};
use super::queue::TooManyWaiting;
use super::talk::{Exchange, Talk};
use crate::app::App;
use crate::holder::Holder;

pub struct Rehearsal {
    /// Of no call: nothing and nobody knows it.
    id: Uuid,
    span: Span,
    /// A visitor of its own: it waits behind callers as any one of them would.
    holder: Holder,
    talk: Talk,
    /// Ready, and not yet given.
    greeting: Option<Exchange>,
}

impl Rehearsal {
    /// With whom it is held, where not with the helpline: as a chat with them begins.
    pub fn begin(app: &App, script: Option<&Arc<AssistantScript>>) -> Self {
        let script = script.unwrap_or(&app.script);
        let (talk, greeting) = Talk::begin(script, Timestamp::now());
        let id = Uuid::new_v4();
        Self {
            id,
            span: Span::first_of(id, "rehearsal"),
            holder: Holder::from(VisitorId::random()),
            talk,
            greeting: Some(greeting),
        }
    }

    /// The assistant speaks first.
    pub fn greet(&mut self) {
        if let Some(greeting) = self.greeting.take() {
            self.talk = self.talk.clone().greet(greeting);
        }
    }

    /// What the caller writes next. Nothing is said in one that is over.
    pub async fn say(&mut self, app: &App, words: &Secret<String>) -> Result<(), TooManyWaiting> {
        if self.over().is_some() {
            return Ok(());
        }
        // Whatever is said in it, nobody is in danger.
        let waiting = (app.exchanges).line_up(self.holder, Standing::Ordinary)?;
        let span = self.span.within("turn");
        let mut turn = Some(admitted(waiting, &span).await);
        let at = Timestamp::now();
        let reading = read(app, words, &self.talk, &span).await;
        if app.chat_model.is_some() {
            // It takes long, and none of this machine.
            turn = None;
        }
        let advised = advised(app, self.id, &self.talk, &reading, at, &span).await;
        match self.greeting.take() {
            Some(greeting) => {
                self.talk = self
                    .talk
                    .clone()
                    .greet_and_answer(greeting, reading, advised);
            }
            None => self.talk.go_on(reading, at, advised),
        }
        drop(turn);
        Ok(())
    }

    pub fn latest(&self) -> &Exchange {
        self.talk.latest()
    }

    pub fn talk(&self) -> &Talk {
        &self.talk
    }

    pub fn over(&self) -> Option<EndReason> {
        self.talk.over()
    }

    /// How it ended and what a record would say of it: the caller stops writing, unless it is over.
    pub fn ended(&self) -> (EndReason, CaseNote) {
        let reason = self.over().unwrap_or(EndReason::CallerEnded);
        (reason, self.talk.ended(reason, Timestamp::now()).note)
    }
}
