//! `/chat`: the same assistant by text. A chat is one exchange; those of one conversation are
//! joined by `previousChatId`, or by the conversation itself as `sessionId`, and stand in the
//! records as one call. Only the visitor who began a conversation reaches it, and whoever holds the
//! private key, who finds all of them, may have one that is gone on with by a session of theirs, and deletes it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use flow::EndReason;
use futures_util::stream;
use platform::chat::MOST_CHARACTERS;
use platform::resource::Paginated;
use platform::{
    CallStatus, Chat, ChatDelta, ChatInput, ChatTarget, ChatTransfer, ChatTransferMode, CreateChat,
    Invalid, MessageRole, OpenAiMessage, ServerEvent,
};
use records::{CallId, CallKind, CallRecord, Label, VisitorId, Wanted};
use redact::Secret;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::call::{asked_for_with, delete_record};
use super::honoured;
use super::kept::Id;
use super::list_query::{Asked, ListQuery, PageQuery, any_of, one_of, pagination, skipped};
use super::not_followed;
use super::served::{self, Served};
use super::session;
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::asked_calls;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::keys::{AnyKey, Begins, Key, PrivateKey, SeesAllOrPage};
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;
use crate::session::Visitor;
use crate::webhooks;
use crate::webhooks::subscriber::{Subscriber, Whose, of_chat};
use crate::written::Written;
use crate::written::chat_id::ChatId;
use crate::written::exchange::{self, Answered, Beginning};
use crate::written::talk::Talk;

/// Says something to the assistant in writing. The first chat of a conversation with an empty
/// `input` is answered with the greeting. What was said is durable before it is answered; the same
/// input sent again after the same chat is answered with the same output.
#[utoipa::path(
    post,
    path = "/chat",
    operation_id = "create_chat",
    tag = "platform",
    request_body = CreateChat,
    responses(
        (
            status = 201, body = Chat, description = "The answer",
            links(
                ("read" = (operation_id = "read_chat", parameters(("id" = "$response.body#/id")))),
                ("end" = (operation_id = "end_chat", parameters(("id" = "$response.body#/id"))))
            )
        ),
        (status = 200, body = Object, content_type = "text/event-stream", description = "With `stream`: server-sent events, each a ChatDelta, and last one named `chat-complete` with the whole Chat"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`, `input-too-long`, `assistant-or-squad-or-workflow-required`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked; `origin-not-allowed`, `assistant-not-allowed`: the token's bounds"),
        (status = 404, body = ErrorAnswer, description = "`chat-not-found`, also for a conversation that is somebody else's"),
        (status = 409, body = ErrorAnswer, description = "`chat-not-latest`"),
        (status = 410, body = ErrorAnswer, description = "`chat-over`: with the numbers to ring"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 501, body = ErrorAnswer, description = "`workflow-of-several-nodes`: with the numbers to ring"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`: with the numbers to ring, and Retry-After")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    AnyKey(key): AnyKey,
    holder: Holder,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let parse = || CreateChat::parse(&body);
    let conversed = converse(&app, &key, holder, &body, parse).await?;
    let answer = answer(&conversed.answered, conversed.served, conversed.asked);
    Ok((not_followed::named(&body), answer).into_response())
}

/// What was said, and by whom it is answered.
pub struct Conversed {
    pub answered: Answered,
    pub served: Served,
    pub asked: CreateChat,
}

/// Says what is asked for in its conversation, or in a new one.
pub async fn converse(
    app: &App,
    key: &Key,
    holder: Holder,
    body: &[u8],
    asked: impl FnOnce() -> Result<CreateChat, Invalid>,
) -> Result<Conversed, ApiError> {
    let sees_all = key.is_private();
    if !sees_all {
        app.rates.messages.take(holder, Instant::now())?;
    }
    let visitor = holder.visitor;
    let asked = asked()?;
    not_followed::refuse_promises(body)?;
    let words = asked.words()?;
    if words.expose_secret().chars().count() > MOST_CHARACTERS {
        return Err(ApiError::InputTooLong {
            limit: MOST_CHARACTERS,
        });
    }
    let blank = words.expose_secret().trim().is_empty();
    let target = asked.target()?;
    key.may_begin(match target {
        ChatTarget::AssistantId(id) => Begins::With(id),
        ChatTarget::SquadId(_) | ChatTarget::WorkflowId(_) => Begins::WithSeveral,
        ChatTarget::InFull | ChatTarget::Workflow(_) => Begins::InFull,
        ChatTarget::After(_) | ChatTarget::Session(_) => Begins::GoesOn,
    })?;
    let served = served_by(app, target, &asked).await?;
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let answered = match target {
        ChatTarget::AssistantId(_)
        | ChatTarget::SquadId(_)
        | ChatTarget::WorkflowId(_)
        | ChatTarget::InFull
        | ChatTarget::Workflow(_) => {
            if app.leaving.is_cancelled() {
                return Err(ApiError::ShuttingDown);
            }
            let words = match blank {
                true => Secret::default(),
                false => words,
            };
            let beginning = Beginning {
                session: None,
                notice: asked_calls::notice_shown(asked.assistant_overrides.as_ref()),
                label: served.label(None),
                wishes: webhooks::wishes(key, body),
                script: served.manner().script,
            };
            exchange::begin(app, holder, beginning, words).await?
        }
        ChatTarget::After(id) | ChatTarget::Session(id) => {
            let id = ChatId::parse(id).ok_or(ApiError::UnknownChat)?;
            let overrides = asked.assistant_overrides.as_ref();
            let session = match sees_all {
                true => session::of_conversation(app, id.conversation, overrides).await?,
                false => None,
            };
            if session.as_ref().is_some_and(|session| session.is_over) {
                return Err(ApiError::ChatOver);
            }
            let written = match reached(app, visitor, sees_all, id).await {
                Ok(Reached::GoesOn(written)) => written,
                Ok(Reached::Over(_)) => return Err(ApiError::ChatOver),
                // Nothing has been said in it yet.
                Err(ApiError::UnknownChat) => match session {
                    Some(session) => {
                        honoured::check_overrides(app, overrides)?;
                        let beginning = Beginning {
                            session: Some(id.conversation),
                            notice: asked_calls::notice_shown(asked.assistant_overrides.as_ref()),
                            label: session.served.label(session.name),
                            wishes: webhooks::wishes(key, body),
                            script: session.served.manner().script,
                        };
                        let words = match blank {
                            true => Secret::default(),
                            false => words,
                        };
                        let answered = exchange::begin(app, holder, beginning, words).await?;
                        return Ok(conversed(answered, session.served, asked));
                    }
                    None => return Err(ApiError::UnknownChat),
                },
                Err(error) => return Err(error),
            };
            if blank {
                return Err(ApiError::Body(Invalid::Field {
                    path: String::from("input"),
                    problem: String::from(
                        "expected words: only the first chat of a conversation may be empty",
                    ),
                }));
            }
            let after = matches!(target, ChatTarget::After(_)).then_some(id.number);
            let served = served_here(app, id.conversation);
            let answered = exchange::go_on(app, written, holder, after, words).await?;
            return Ok(conversed(answered, served, asked));
        }
    };
    Ok(conversed(answered, served, asked))
}

fn conversed(answered: Answered, served: Served, asked: CreateChat) -> Conversed {
    Conversed {
        answered,
        served,
        asked,
    }
}

fn answer(answered: &Answered, served: Served, asked: CreateChat) -> Response {
    let mut chat = chat_of(&answered.conversation, &answered.talk, served);
    chat.input = asked.input;
    match asked.stream {
        Some(true) => streamed(answered, chat),
        Some(false) | None => (StatusCode::CREATED, Json(chat)).into_response(),
    }
}

/// Which chats.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The conversation of this chat.
    id: Option<String>,
    /// The conversations of these chats, with commas between: at most 100.
    id_any: Option<String>,
    /// The conversation of this session.
    session_id: Option<String>,
    /// The conversation that went on after this chat.
    previous_chat_id: Option<String>,
    /// Those that began with this assistant.
    assistant_id: Option<String>,
    /// Those that began with one of these assistants, with commas between: at most 100.
    assistant_id_any: Option<String>,
    /// Those that began with this squad.
    squad_id: Option<String>,
}

/// Every written conversation that is on record, by its latest chat, the newest first.
#[utoipa::path(
    get,
    path = "/chat",
    operation_id = "list_chats",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Chat>),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: PrivateKey,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
    Asked(page): Asked<PageQuery>,
) -> Result<Json<Paginated<Chat>>, ApiError> {
    let (most, number) = (query.limit()?, page.page()?);
    let ids = any_of(which.id_any.as_deref(), "idAny")?;
    let assistants = any_of(which.assistant_id_any.as_deref(), "assistantIdAny")?;
    let wanted = Wanted {
        began: query.created()?,
        changed: query.updated()?,
        newest_first: page.newest_first()?,
        skip: skipped(number, most),
        ..Wanted::of(CallKind::Chat, most)
    };
    let nothing = Paginated {
        results: Vec::new(),
        metadata: pagination(number, most, 0),
    };
    let mut conversation = None;
    for id in [&which.id, &which.session_id, &which.previous_chat_id]
        .into_iter()
        .flatten()
    {
        let named = ChatId::parse(id).map(|id| id.conversation);
        if named.is_none() || conversation.is_some() && conversation != named {
            return Ok(Json(nothing));
        }
        conversation = named;
    }
    let conversations: Option<Vec<CallId>> = ids.map(|ids| {
        let chats = ids.into_iter().filter_map(ChatId::parse);
        chats.map(|chat| CallId(chat.conversation)).collect()
    });
    let wanted = Wanted {
        ids: one_of(conversation.map(CallId), conversations),
        ..wanted
    };
    let (assistant, squad) = (which.assistant_id.as_deref(), which.squad_id.as_deref());
    let squads = squad.map(|id| vec![id]);
    let Some(wanted) = asked_for_with(wanted, assistant, assistants, squads) else {
        return Ok(Json(nothing));
    };
    let found = stored(app.records.find_calls(wanted).await)?;
    Ok(Json(Paginated {
        results: found.records.iter().map(chat_on_record).collect(),
        metadata: pagination(number, most, found.total),
    }))
}

/// The latest chat of a conversation, by the id of any of its chats.
#[utoipa::path(
    get,
    path = "/chat/{id}",
    operation_id = "read_chat",
    tag = "platform",
    params(("id" = String, Path, description = "A chat")),
    responses(
        (status = 200, body = Chat),
        (status = 401, body = ErrorAnswer, description = "`key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`chat-not-found`, also for a conversation that is somebody else's"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security((), ("key" = []))
)]
pub async fn read(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Id(id): Id,
    SeesAllOrPage(sees_all): SeesAllOrPage,
) -> Result<Json<Chat>, ApiError> {
    let id = ChatId::parse(&id).ok_or(ApiError::UnknownChat)?;
    Ok(Json(match reached(&app, visitor, sees_all, id).await? {
        Reached::GoesOn(written) => as_it_stands(&app, &written, &written.talk()),
        Reached::Over(record) => chat_on_record(&record),
    }))
}

/// Ends a conversation: the caller leaves. Its record stays. Ending what is over changes nothing. With the private key the
/// record is deleted too, for good.
#[utoipa::path(
    delete,
    path = "/chat/{id}",
    operation_id = "end_chat",
    tag = "platform",
    params(("id" = String, Path, description = "A chat of the conversation")),
    responses(
        (status = 200, body = Chat, description = "Ended"),
        (status = 401, body = ErrorAnswer, description = "`key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`chat-not-found`, also for a conversation that is somebody else's"),
        (status = 409, body = ErrorAnswer, description = "`record-on-hold`, `call-under-way`: with the private key, where its end is not stored yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security((), ("key" = []))
)]
pub async fn end(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Id(id): Id,
    SeesAllOrPage(sees_all): SeesAllOrPage,
) -> Result<Json<Chat>, ApiError> {
    let id = ChatId::parse(&id).ok_or(ApiError::UnknownChat)?;
    let reached = reached(&app, visitor, sees_all, id).await?;
    let subscriber = match sees_all {
        true => subscriber(&app, id.conversation, &reached).await?,
        false => None,
    };
    let chat = match reached {
        Reached::GoesOn(written) => {
            // Before its end, with which the journal is done with it.
            let served = Served::of(&label_of(&app, written.id).await?);
            let talk = exchange::end(&app, &written, EndReason::CallerEnded).await;
            chat_of(&written, &talk, served)
        }
        Reached::Over(record) => chat_on_record(&record),
    };
    if sees_all {
        delete(&app, id.conversation).await?;
        let deleted = ServerEvent::ChatDeleted(of_chat(&without_words(&chat)));
        app.webhooks.tell_subscriber(subscriber, deleted).await;
    }
    Ok(Json(chat))
}

/// Who is told that a conversation is deleted: whoever is told of it, while it goes on.
async fn subscriber(
    app: &App,
    conversation: Uuid,
    reached: &Reached,
) -> Result<Option<Subscriber>, ApiError> {
    let label = match reached {
        Reached::GoesOn(_) => label_of(app, conversation).await?,
        Reached::Over(record) => record.label.clone(),
    };
    let whose = Whose {
        call: conversation,
        label: &label,
        wishes: &[],
        goes_on: true,
    };
    Ok(app.webhooks.subscriber(whose).await)
}

/// What a program says of a conversation that stands here: one that has just ended does so for a while, and its record has it then.
async fn label_of(app: &App, conversation: Uuid) -> Result<Label, ApiError> {
    if let Some(label) = app.journal.label(conversation) {
        return Ok(label);
    }
    let record = stored(app.records.call(CallId(conversation)).await)?;
    Ok(record.map(|record| record.label).unwrap_or_default())
}

/// What was deleted is sent to nobody.
fn without_words(chat: &Chat) -> Chat {
    Chat {
        messages: Vec::new(),
        input: ChatInput::default(),
        output: Vec::new(),
        ..chat.clone()
    }
}

/// Deletes the record of a conversation that is over, and what is remembered of it.
async fn delete(app: &App, conversation: Uuid) -> Result<(), ApiError> {
    if let Some(record) = stored(app.records.call(CallId(conversation)).await)? {
        delete_record(app, &record).await?;
    }
    app.written.let_go(conversation);
    Ok(())
}

/// By whom a conversation is served that goes on here. The records are not asked: nobody waits for them who writes.
fn served_here(app: &App, conversation: Uuid) -> Served {
    Served::of(&app.journal.label(conversation).unwrap_or_default())
}

/// A conversation that goes on here, by its latest chat.
pub fn as_it_stands(app: &App, written: &Written, talk: &Talk) -> Chat {
    chat_of(written, talk, served_here(app, written.id))
}

/// What was said in a conversation, by whoever has it; `None` where nothing was.
pub async fn said_in(app: &App, conversation: Uuid) -> Result<Option<Chat>, ApiError> {
    match exchange::find(app, conversation).await {
        Some(written) => Ok(Some(chat_of(&written, &written.talk(), Served::default()))),
        None => {
            let record = stored(app.records.call(CallId(conversation)).await)?;
            Ok(record.as_ref().map(chat_on_record))
        }
    }
}

/// An id must be one we have; what is given in full is served like what is kept. A conversation that goes on has its
/// assistant already, whoever is named: see `served_here`.
async fn served_by(
    app: &App,
    target: ChatTarget<'_>,
    asked: &CreateChat,
) -> Result<Served, ApiError> {
    let overrides = asked.assistant_overrides.as_ref();
    match target {
        ChatTarget::AssistantId(id) => served::by_assistant(app, id, overrides).await,
        ChatTarget::SquadId(id) => served::by_squad(app, id, overrides).await,
        ChatTarget::InFull => match (&asked.assistant, &asked.squad) {
            (Some(assistant), _) => served::by_assistant_in_full(app, assistant, overrides).await,
            (None, Some(squad)) => served::by_squad_in_full(app, squad, overrides).await,
            (None, None) => Ok(Served::default()),
        },
        ChatTarget::WorkflowId(id) => {
            let overrides = asked.workflow_overrides.as_ref().or(overrides);
            served::by_workflow(app, id, overrides).await
        }
        ChatTarget::Workflow(workflow) => {
            let overrides = asked.workflow_overrides.as_ref().or(overrides);
            served::by_workflow_in_full(app, workflow, overrides).await
        }
        ChatTarget::After(_) | ChatTarget::Session(_) => Ok(Served::by_the_helpline()),
    }
}

/// A written conversation of who asks.
enum Reached {
    /// Here: also when it went on on another node until now, or before this one started.
    GoesOn(Arc<Written>),
    Over(Box<CallRecord>),
}

async fn reached(
    app: &App,
    visitor: VisitorId,
    sees_all: bool,
    id: ChatId,
) -> Result<Reached, ApiError> {
    let here = exchange::find(app, id.conversation).await;
    if let Some(written) = here.filter(|written| sees_all || written.visitor == visitor) {
        return Ok(Reached::GoesOn(written));
    }
    let record = stored(app.records.call(CallId(id.conversation)).await)?
        .filter(|record| record.kind == CallKind::Chat)
        .filter(|record| sees_all || record.visitor == Some(visitor))
        .ok_or(ApiError::UnknownChat)?;
    if record.ended_at.is_none()
        && let Some(written) = exchange::take_up(app, id.conversation).await?
    {
        return Ok(Reached::GoesOn(written));
    }
    Ok(Reached::Over(Box::new(record)))
}

fn chat_of(written: &Written, talk: &Talk, served: Served) -> Chat {
    let said: Vec<OpenAiMessage> = talk
        .messages()
        .iter()
        .map(|message| OpenAiMessage {
            role: match message.speaker {
                // Nobody is brought onto a written conversation.
                call::Speaker::Assistant | call::Speaker::Officer(_) => "assistant",
                call::Speaker::Caller => "user",
            }
            .to_owned(),
            content: Some(message.words.clone()),
        })
        .collect();
    let at = |number| ChatId {
        conversation: written.id,
        number,
    };
    let mut chat = laid_out(at(talk.number()), said);
    chat.assistant_id = served.assistant;
    chat.squad_id = served.squad;
    chat.workflow_id = served.workflow;
    chat.created_at = talk.started_at;
    chat.updated_at = talk.last_said();
    chat.status = match talk.over() {
        Some(_) => CallStatus::Ended,
        None => CallStatus::InProgress,
    };
    chat.ended_reason = talk.over().map(|reason| reason.as_str().to_owned());
    chat.transfer = talk.latest().transfer.and_then(|(mode, agency)| {
        Some(ChatTransfer {
            mode: match mode {
                flow::TransferMode::Warm => ChatTransferMode::Warm,
                flow::TransferMode::Cold => ChatTransferMode::Cold,
            },
            agency: agency.as_str().parse().ok()?,
        })
    });
    chat
}

fn chat_on_record(record: &CallRecord) -> Chat {
    let messages = call_record::messages(record.started_at, &record.messages);
    let said: Vec<OpenAiMessage> = messages.iter().filter_map(OpenAiMessage::of).collect();
    let answers = messages
        .iter()
        .filter(|message| message.role == MessageRole::Bot)
        .count();
    let id = ChatId {
        conversation: record.call_id.0,
        number: u16::try_from(answers.saturating_sub(1)).unwrap_or(u16::MAX),
    };
    let mut chat = laid_out(id, said);
    let served = Served::of(&record.label);
    chat.assistant_id = served.assistant;
    chat.squad_id = served.squad;
    chat.workflow_id = served.workflow;
    chat.created_at = record.started_at;
    chat.updated_at = record.ended_at.unwrap_or(record.started_at);
    chat.status = match record.ended_at {
        Some(_) => CallStatus::Ended,
        None => CallStatus::InProgress,
    };
    chat.ended_reason = record.ended_reason.map(|reason| reason.as_str().to_owned());
    chat
}

/// The latest exchange as input and output, and what came before it.
fn laid_out(id: ChatId, mut said: Vec<OpenAiMessage>) -> Chat {
    let last_input = said.iter().rposition(|message| message.role == "user");
    let (input, output) = match last_input {
        Some(at) => {
            let output = said.split_off(at + 1);
            (said.pop().and_then(|message| message.content), output)
        }
        None => (None, std::mem::take(&mut said)),
    };
    let before = id
        .number
        .checked_sub(1)
        .map(|number| ChatId { number, ..id });
    Chat {
        id: id.uuid().to_string(),
        org_id: ORGANISATION.to_owned(),
        session_id: id.conversation.to_string(),
        assistant_id: None,
        squad_id: None,
        workflow_id: None,
        previous_chat_id: before.map(|before| before.uuid().to_string()),
        messages: said,
        input: ChatInput::Text(input.unwrap_or_default()),
        output,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        updated_at: jiff::Timestamp::UNIX_EPOCH,
        status: CallStatus::InProgress,
        ended_reason: None,
        transfer: None,
    }
}

/// Sentence by sentence, then whole: everything is known before the first piece goes out, because a
/// reply is held to its move, and is durable, before anyone reads of it.
fn streamed(answered: &Answered, chat: Chat) -> Response {
    let mut events: Vec<Result<Event, Infallible>> = Vec::new();
    for (index, sentence) in answered.talk.latest().output.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        let delta = ChatDelta {
            id: chat.id.clone(),
            session_id: chat.session_id.clone(),
            path: String::from("chat.output[0].content"),
            delta: Secret::new(format!("{space}{}", sentence.expose_secret())),
        };
        events.extend(Event::default().json_data(&delta).ok().map(Ok));
    }
    let whole = Event::default().event("chat-complete").json_data(&chat);
    events.extend(whole.ok().map(Ok));
    Sse::new(stream::iter(events)).into_response()
}
