//! What an assistant's server is asked of a caller's own question, and how far its answer is obeyed. No answer, a late one or an odd one changes nothing.

use std::time::Duration;

use call::HeardTurn;
use flow::{Conversation, Event};
use jiff::Timestamp;
use platform::event::{ToolCall, ToolCalls};
use platform::{Call, ServerEvent, ToolCallsReply};
use redact::Secret;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::deliveries::{OfCall, Tried};
use super::look_up::LookUp;
use super::messages;
use super::outbox::Outbox;
use super::receiver::Receiver;

/// How long a caller waits for it, whatever the assistant's own time-out is; then the reply is ours.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The conversation after a turn, before anything of it is said.
pub(super) fn after(turn: &HeardTurn, advised: Option<&Conversation>) -> Conversation {
    match advised {
        Some(advised) => advised.clone(),
        None => {
            let mut conversation = turn.before.clone();
            let reading = Box::new(turn.reading.clone());
            conversation.handle(Event::CallerSaid { reading }, turn.at);
            conversation
        }
    }
}

/// The conversation after a turn in which the caller asks something of their own, in the server's words: they are held to
/// what an assistant may say. `None` where nothing is asked, or the server's words are not to be said.
pub(super) async fn answered(
    outbox: &Outbox,
    to: &Receiver,
    look_up: &LookUp,
    call: Call,
    turn: &HeardTurn,
    conversation: Conversation,
) -> Option<Conversation> {
    if !conversation.answers_a_question() {
        return None;
    }
    let words = turn.reading.words.expose_secret();
    let id = Uuid::new_v4().to_string();
    let arguments = Map::from_iter([(look_up.parameter.clone(), Value::from(words.clone()))]);
    let asked = ServerEvent::ToolCalls(ToolCalls {
        tool_call_list: vec![ToolCall {
            id: id.clone(),
            name: look_up.name.clone(),
            arguments: Secret::new(arguments),
        }],
    });
    let tool = Some(look_up.name.clone());
    let question = Tried::question(of(turn.call, &call), asked.kind(), tool);
    let body = messages::body(asked, call, Timestamp::now(), None);
    let answer = outbox.ask(to, body, ANSWER_WITHIN, question).await?;
    with_answer(&answer, &id, words, conversation)
}

/// The conversation with what came back for this tool call, if that is an answer to it and its words may be said.
pub(super) fn with_answer(
    answer: &[u8],
    id: &str,
    asked: &str,
    mut conversation: Conversation,
) -> Option<Conversation> {
    let reply: ToolCallsReply = platform::read(answer).ok()?;
    let result = reply.results.into_iter().find(|one| one.tool_call_id == id);
    let text = result?.result?;
    match conversation.answer_instead(text.expose_secret(), &[asked]) {
        Ok(()) => Some(conversation),
        Err(unfit) => {
            tracing::info!(%unfit, "what an assistant's server answers is not said; our own answer stands");
            None
        }
    }
}

/// The call that a question is of.
pub(super) fn of(id: Uuid, call: &Call) -> OfCall {
    OfCall {
        call: id,
        assistant: call.assistant_id.clone(),
        squad: call.squad_id.clone(),
    }
}
