//! What an assistant's server is asked, and how far its answer is obeyed. No answer, a late one or an odd one changes nothing.

use std::time::Duration;

use call::HeardTurn;
use flow::{Conversation, Event};
use jiff::Timestamp;
use platform::event::{Destination, ToolCall, ToolCalls, TransferDestinationRequest};
use platform::{Artifact, Call, ServerEvent, ToolCallsReply, TransferDestinationReply};
use redact::Secret;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::deliveries::{OfCall, Tried};
use super::messages;
use super::outbox::Outbox;
use super::receiver::Receiver;

/// How long a hand-over's destination is waited for. The caller is being handed on meanwhile.
const DESTINATION_WITHIN: Duration = Duration::from_secs(5);

/// The tool that callers' questions are looked up with.
pub const LOOK_UP: &str = "product_query";
/// How long a caller waits for it, whatever the assistant's own time-out is; then the reply is ours.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The conversation after a turn in which the caller asks something of their own, in the server's words: they are held to
/// what an assistant may say. `None` where nothing is asked, or the server's words are not to be said.
pub(super) async fn answered(
    outbox: &Outbox,
    to: &Receiver,
    call: Call,
    turn: &HeardTurn,
    advised: Option<&Conversation>,
) -> Option<Conversation> {
    let mut conversation = match advised {
        Some(advised) => advised.clone(),
        None => {
            let mut conversation = turn.before.clone();
            let reading = Box::new(turn.reading.clone());
            conversation.handle(Event::CallerSaid { reading }, turn.at);
            conversation
        }
    };
    if !conversation.answers_a_question() {
        return None;
    }
    let words = turn.reading.words.expose_secret();
    let id = Uuid::new_v4().to_string();
    let arguments = Map::from_iter([("query".to_owned(), Value::from(words.clone()))]);
    let asked = ServerEvent::ToolCalls(ToolCalls {
        tool_call_list: vec![ToolCall {
            id: id.clone(),
            name: LOOK_UP.to_owned(),
            arguments: Secret::new(arguments),
        }],
    });
    let question = Tried::question(of(turn.call, &call), asked.kind(), Some(LOOK_UP));
    let body = messages::body(asked, call, Timestamp::now(), None);
    let answer = outbox.ask(to, body, ANSWER_WITHIN, question).await?;
    let reply: ToolCallsReply = platform::read(&answer).ok()?;
    let result = reply.results.into_iter().find(|one| one.tool_call_id == id);
    let text = result?.result?;
    match conversation.answer_instead(text.expose_secret(), &[words]) {
        Ok(()) => Some(conversation),
        Err(unfit) => {
            tracing::info!(%unfit, "what an assistant's server answers is not said; our own answer stands");
            None
        }
    }
}

/// Where the server would have the caller handed to.
pub(super) async fn destination(
    outbox: &Outbox,
    to: &Receiver,
    id: Uuid,
    call: Call,
    said: Artifact,
    at: Timestamp,
) -> Option<Destination> {
    let event = ServerEvent::TransferDestinationRequest(TransferDestinationRequest {});
    if !to.is_told_of(&event) {
        return None;
    }
    let question = Tried::question(of(id, &call), event.kind(), None);
    let body = messages::body(event, call, at, Some(said));
    let answer = outbox.ask(to, body, DESTINATION_WITHIN, question).await?;
    let reply: TransferDestinationReply = platform::read(&answer).ok()?;
    reply.destination
}

fn of(id: Uuid, call: &Call) -> OfCall {
    OfCall {
        call: id,
        assistant: call.assistant_id.clone(),
        squad: call.squad_id.clone(),
    }
}
