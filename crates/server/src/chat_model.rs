//! The configured chat model between its room and those who ask it: calls, written conversations,
//! notes. How it is asked and held is the `model` room's. Should that break, the flow's own reply
//! and note stand: no caller and no record pays for it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use call::{EndedCall, HeardTurn, SpokenMessage};
use flow::reading::Reading;
use flow::{AssistantScript, CaseNote, Conversation};
use futures_util::FutureExt;
use model::{Line, ModelSettings, Speaker, Turn};
use redact::Secret;
use uuid::Uuid;

use crate::helpline::HELPLINE;
use crate::settings::Settings;
use crate::webhooks::Webhooks;

/// The chat model that the settings name.
pub struct Configured(model::ChatModel);

impl Configured {
    /// `None` if the settings name none.
    pub fn of(
        settings: &Settings,
        script: &Arc<AssistantScript>,
    ) -> anyhow::Result<Option<Arc<Self>>> {
        let Some(chosen) = &settings.model else {
            return Ok(None);
        };
        let settings = ModelSettings {
            address: chosen.address.clone(),
            key: chosen.key.clone(),
            name: chosen.name.clone(),
            temperature: HELPLINE.temperature,
            look_up: HELPLINE.look_up.clone(),
            timeout: chosen.timeout,
        };
        let model =
            model::ChatModel::new(settings, Arc::clone(script)).context("the chat model")?;
        Ok(Some(Arc::new(Self(model))))
    }

    /// Whether it has failed of late, and is not asked for a while.
    pub fn is_left_alone(&self) -> bool {
        self.0.is_left_alone()
    }

    /// The conversation after these words; `None` if the model has nothing to add.
    pub async fn reply_to(
        &self,
        before: &Conversation,
        reading: &Reading,
        at: Duration,
        said: &[Line],
    ) -> Option<Conversation> {
        let turn = Turn {
            before,
            reading,
            at,
            said,
        };
        unbroken(self.0.reply(turn)).await
    }

    /// The note of a conversation, as the model tells it; `None` if the flow's own is to stand.
    pub async fn note(&self, conversation: &Conversation, said: &[Line]) -> Option<CaseNote> {
        unbroken(self.0.note(conversation, said)).await
    }

    /// Whether a trial passes; `None` if the model says neither.
    pub async fn judges(&self, messages: &[(String, Secret<String>)]) -> Option<bool> {
        unbroken(self.0.judges(messages)).await
    }

    pub async fn note_of(&self, ended: &EndedCall) -> Option<CaseNote> {
        self.note(&ended.conversation, &lines(&ended.messages))
            .await
    }
}

/// What comes of it; nothing where it panics.
async fn unbroken<T>(asking: impl Future<Output = Option<T>>) -> Option<T> {
    AssertUnwindSafe(asking)
        .catch_unwind()
        .await
        .unwrap_or_default()
}

#[async_trait]
impl call::ChatModel for Configured {
    async fn reply(&self, turn: HeardTurn) -> Option<Conversation> {
        let said = lines(&turn.said);
        self.reply_to(&turn.before, &turn.reading, turn.at, &said)
            .await
    }
}

/// Who may have a better reply than the flow's own, in calls by voice: the chat model, and then the server of the call's
/// assistant.
pub struct Advisers {
    pub model: Option<Arc<Configured>>,
    pub webhooks: Arc<Webhooks>,
}

#[async_trait]
impl call::ChatModel for Advisers {
    fn has_something_for(&self, call: Uuid) -> bool {
        self.model.is_some() || self.webhooks.may_answer(call)
    }

    async fn reply(&self, turn: HeardTurn) -> Option<Conversation> {
        let by_model = match &self.model {
            Some(model) => model.reply(turn.clone()).await,
            None => None,
        };
        unbroken(self.webhooks.answered(&turn, by_model)).await
    }
}

fn lines(messages: &[SpokenMessage]) -> Vec<Line> {
    let line = |message: &SpokenMessage| {
        let speaker = match message.speaker {
            call::Speaker::Assistant => Speaker::Assistant,
            call::Speaker::Caller => Speaker::Caller,
            // What a person said on the call is no model's to learn from, or to answer.
            call::Speaker::Officer(_) => return None,
        };
        let words = message.words.clone();
        Some(Line { speaker, words })
    };
    messages.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_model_that_breaks_is_a_model_with_nothing_to_add() {
        let breaks = async || -> Option<u8> { panic!("on purpose") };
        assert!(unbroken(breaks()).await.is_none());
        assert_eq!(unbroken(async { Some(1) }).await, Some(1));
    }
}
