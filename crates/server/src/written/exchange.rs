//! Has written conversations talk: each exchange is durable before it is answered, as a turn of a
//! call is before it is spoken, and runs to its end also when whoever asked has gone. Who may talk
//! in which conversation is checked here; what a chat looks like on the wire is the route's.

use std::sync::Arc;
use std::time::{Duration, Instant};

use call::traces::Span;
use call::{CallEvent, CallStarted, ChatModel, Journal, JournalError, SAVE_BOUND};
use flow::reading::Reading;
use flow::{AssistantScript, Conversation, EndReason};
use jiff::Timestamp;
use platform::resource::MessagePlan;
use records::{CallId, CallKind, Label, Notice};
use redact::Secret;
use speech::Standing;
use uuid::Uuid;

use super::chat_id::ChatId;
use super::queue::{Admitted, Waiting};
use super::talk::Talk;
use super::{Full, Written};
use crate::app::App;
use crate::carried_through::carried_through;
use crate::errors::ApiError;
use crate::holder::Holder;
use crate::platform_api::{chat, honoured};
use crate::records_unavailable::stored;
use crate::recovery;
use crate::webhooks::{Begun, Exchanged, News};

/// How long whoever writes waits for the records to say that their conversation has not gone on elsewhere.
const ASKED_WITHIN: Duration = Duration::from_millis(500);

/// A conversation as it stands after an exchange.
pub struct Answered {
    pub conversation: Arc<Written>,
    pub talk: Arc<Talk>,
}

/// A conversation that goes on here, and has not gone on elsewhere since.
pub async fn find(app: &App, id: Uuid) -> Option<Arc<Written>> {
    let conversation = app.written.find(id)?;
    if !conversation.is_over() && is_elsewhere(app, id).await {
        let_go(app, id);
        return None;
    }
    Some(conversation)
}

/// Where the records cannot say so soon, it is here that it goes on.
async fn is_elsewhere(app: &App, id: Uuid) -> bool {
    let asking = app.records.is_elsewhere(CallId(id));
    matches!(
        tokio::time::timeout(ASKED_WITHIN, asking).await,
        Ok(Ok(true))
    )
}

/// Takes up a conversation from the records, from wherever it went on; `None` where it is over.
pub async fn take_up(app: &App, id: Uuid) -> Result<Option<Arc<Written>>, ApiError> {
    let _one_at_a_time = app.written.taking_up.lock().await;
    if let Some(conversation) = app.written.find(id) {
        return Ok(Some(conversation));
    }
    let Some(left) = stored(app.records.take_call(CallId(id)).await)? else {
        return Ok(None);
    };
    let idle_after = app.settings.written.idle_after;
    if let Some(reason) = recovery::how_over(&left, &app.script, idle_after) {
        let finished = recovery::finished(&left, &app.script, reason);
        stored(app.records.finish_call(CallId(id), finished).await)?;
        return Ok(None);
    }
    let manner = honoured::again(app, left.manner.as_ref()).await;
    let script = manner.script.as_ref().unwrap_or(&app.script);
    let (Some(visitor), Ok(talk)) = (left.visitor, Talk::restore(script, &left)) else {
        return Ok(None);
    };
    let started_at = talk.started_at;
    let (conversation, displaced) = match app.written.take_in(id, visitor, talk, Instant::now()) {
        Ok(taken) => taken,
        Err(Full) => {
            stored(app.records.give_back(CallId(id)).await)?;
            return Err(ApiError::AllLinesBusy);
        }
    };
    end_displaced(app, displaced);
    // Its record has its notice already.
    let record = app.records.call(CallId(id)).await.ok().flatten();
    let label = record.map(|record| record.label).unwrap_or_default();
    let (kind, of_the_teller) = (CallKind::Chat, label.clone());
    app.journal.expect(id, visitor, kind, None, label);
    tells_of(app, id, of_the_teller, Vec::new(), started_at, true);
    app.journal.started(CallStarted { id, started_at }).await;
    tracing::info!(call = %id, "a written conversation goes on here");
    Ok(Some(conversation))
}

/// Another node has taken the conversation.
fn let_go(app: &App, id: Uuid) {
    app.written.let_go(id);
    app.journal.let_go(id);
    app.webhooks.let_go(id);
}

/// Has whoever is to be told of this conversation told of it from now on.
fn tells_of(
    app: &App,
    call: Uuid,
    label: Label,
    wishes: Vec<MessagePlan>,
    started_at: Timestamp,
    goes_on: bool,
) {
    app.webhooks.begin(Begun {
        call,
        kind: CallKind::Chat,
        label,
        wishes,
        started_at,
        goes_on,
        stored: app.journal.stored(call).unwrap_or_default(),
    });
}

fn end_displaced(app: &App, displaced: Option<Arc<Written>>) {
    if let Some(displaced) = displaced {
        let tasks = app.tasks.clone();
        let app = app.clone();
        tasks.spawn(async move { end(&app, &displaced, EndReason::SilenceTimedOut).await });
    }
}

/// What is known of a conversation before it begins.
#[derive(Default)]
pub struct Beginning {
    /// A session that was made before anything was said in it; otherwise a new one.
    pub session: Option<Uuid>,
    pub notice: Option<Notice>,
    pub label: Label,
    /// Where server messages go, as far as whoever asked may say so.
    pub wishes: Vec<MessagePlan>,
    /// Whose words are said in it, where not the helpline's alone.
    pub script: Option<Arc<AssistantScript>>,
}

/// Begins a conversation: with the greeting, or with the caller's first words.
pub async fn begin(
    app: &App,
    holder: Holder,
    beginning: Beginning,
    words: Secret<String>,
) -> Result<Answered, ApiError> {
    let Beginning {
        session,
        notice,
        label,
        wishes,
        script,
    } = beginning;
    // Nobody has read their first words.
    let waiting = app.exchanges.line_up(holder, Standing::Ordinary)?;
    let app = app.clone();
    let tasks = app.tasks.clone();
    let beginning = async move {
        let id = session.unwrap_or_else(|| ChatId::first().conversation);
        let span = Span::first_of(id, "written conversation begins");
        let mut admitted = Some(admitted(waiting, &span).await);
        let (talk, greeting) =
            Talk::begin(script.as_ref().unwrap_or(&app.script), Timestamp::now());
        let talk = match words.expose_secret().is_empty() {
            true => talk.greet(greeting),
            false => {
                let reading = read(&app, &words, &talk, &span).await;
                if app.chat_model.is_some() {
                    admitted = None;
                }
                let advised = advised(&app, id, &talk, &reading, talk.started_at, &span).await;
                let _flow = span.within("flow");
                talk.greet_and_answer(greeting, reading, advised)
            }
        };
        // Nobody else waits here: whoever holds this may be waiting for the records.
        let one_at_a_time = match session {
            Some(_) => Some(app.written.taking_up.lock().await),
            None => None,
        };
        if app.written.find(id).is_some() {
            // Another program was quicker with the first words of this session.
            return Err(ApiError::ChatNotLatest);
        }
        let taken = app.written.take_in(id, holder, talk, Instant::now());
        drop(one_at_a_time);
        let (conversation, displaced) = taken.map_err(|Full| ApiError::AllLinesBusy)?;
        end_displaced(&app, displaced);
        metrics::counter!("nightlight_written_conversations_total").increment(1);
        tracing::info!(call = %id, "a written conversation began");
        app.journal
            .expect(id, holder.visitor, CallKind::Chat, notice, label.clone());
        let exchange = conversation.exchange.lock().await;
        let talk = conversation.talk();
        let started_at = talk.started_at;
        tells_of(&app, id, label, wishes, started_at, false);
        app.journal.started(CallStarted { id, started_at }).await;
        settle(&app, &conversation, &talk, &span).await?;
        drop((exchange, admitted));
        Ok(Answered { conversation, talk })
    };
    carried_through(tasks, beginning).await
}

/// Goes on after a chat, or wherever the conversation stands.
pub async fn go_on(
    app: &App,
    conversation: Arc<Written>,
    holder: Holder,
    after: Option<u16>,
    words: Secret<String>,
) -> Result<Answered, ApiError> {
    let app = app.clone();
    let tasks = app.tasks.clone();
    let going_on = async move {
        let exchange = conversation.exchange.lock().await;
        let mut talk = conversation.talk();
        let latest = talk.number();
        // The answer got lost on its way, and is asked for again.
        let again = after.is_some_and(|after| after.checked_add(1) == Some(latest))
            && talk.latest().words.expose_secret() == words.expose_secret();
        if again {
            drop(exchange);
            return Ok(Answered { conversation, talk });
        }
        if talk.over().is_some() {
            return Err(ApiError::ChatOver);
        }
        if after.is_some_and(|after| after != latest) {
            return Err(ApiError::ChatNotLatest);
        }
        let waiting = app.exchanges.line_up(holder, talk.standing())?;
        let span = Span::of(conversation.id, "turn");
        let mut admitted = Some(admitted(waiting, &span).await);
        let at = Timestamp::now();
        let reading = read(&app, &words, &talk, &span).await;
        if app.chat_model.is_some() || app.webhooks.may_answer(conversation.id) {
            // It takes long, and none of this machine.
            admitted = None;
        }
        let id = conversation.id;
        let advised = advised(&app, id, &talk, &reading, at, &span).await;
        // On a copy: what breaks off leaves the conversation as it stood.
        let flow = span.within("flow");
        Arc::make_mut(&mut talk).go_on(reading, at, advised);
        drop(flow);
        settle(&app, &conversation, &talk, &span).await?;
        conversation.stands(Arc::clone(&talk));
        drop((exchange, admitted));
        Ok(Answered { conversation, talk })
    };
    carried_through(tasks, going_on).await
}

/// Whose turn it is, once it is theirs.
pub(super) async fn admitted(waiting: Waiting, span: &Span) -> Admitted {
    let _span = span.within("queue");
    waiting.admitted().await
}

pub(super) async fn read(app: &App, words: &Secret<String>, talk: &Talk, span: &Span) -> Reading {
    let _span = span.within("reading");
    call::read(&app.reader, words, talk.listening()).await
}

/// What the chat model makes of these words, where one is configured, and what the assistant's server answers, where it is
/// asked.
pub(super) async fn advised(
    app: &App,
    call: Uuid,
    talk: &Talk,
    reading: &Reading,
    at: Timestamp,
    span: &Span,
) -> Option<Conversation> {
    let heard = || talk.heard(call, reading, at);
    let by_model = match &app.chat_model {
        Some(model) => {
            let _span = span.within("chat model");
            model.reply(heard()).await
        }
        None => None,
    };
    if !app.webhooks.may_answer(call) {
        return by_model;
    }
    let _span = span.within("tool calls");
    app.webhooks.answered(&heard(), by_model).await
}

/// Ends a conversation, unless it is over, and gives it as it then stands.
pub async fn end(app: &App, conversation: &Arc<Written>, reason: EndReason) -> Arc<Talk> {
    let _exchange = conversation.exchange.lock().await;
    let mut talk = conversation.talk();
    if talk.over().is_none() {
        Arc::make_mut(&mut talk).end(reason);
        conversation.stands(Arc::clone(&talk));
        finish(app, conversation, &talk, reason).await;
    }
    talk
}

/// Ends those in which nothing was said for too long.
pub fn end_the_idle(app: &App) {
    metrics::gauge!("nightlight_written_conversations_live").set(app.written.live() as f64);
    for conversation in app.written.sweep(Instant::now()) {
        let tasks = app.tasks.clone();
        let app = app.clone();
        tasks.spawn(async move {
            if is_elsewhere(&app, conversation.id).await {
                let_go(&app, conversation.id);
            } else {
                end(&app, &conversation, EndReason::SilenceTimedOut).await;
            }
        });
    }
}

/// Makes the latest exchange durable, and the conversation's end if it was the last. Where it has gone on elsewhere
/// meanwhile, this exchange is none.
async fn settle(
    app: &App,
    conversation: &Written,
    talk: &Talk,
    span: &Span,
) -> Result<(), ApiError> {
    let storage = span.within("storage");
    let saving = app.journal.turn(conversation.id, talk.saved());
    let problem = match tokio::time::timeout(SAVE_BOUND, saving).await {
        Ok(Ok(())) => None,
        Ok(Err(JournalError::HeldElsewhere)) => {
            let_go(app, conversation.id);
            return Err(ApiError::ChatNotLatest);
        }
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(String::from("the records are slow")),
    };
    if problem.is_some() {
        storage.failed("not stored before it is answered");
    }
    drop(storage);
    if let Some(problem) = problem {
        metrics::counter!("nightlight_turns_unsaved_total").increment(1);
        tracing::error!(call = %conversation.id, problem, "an exchange is answered unsaved");
    }
    if let Some((mode, agency)) = talk.latest().transfer {
        let labels = [("mode", mode.as_str()), ("agency", agency.as_str())];
        metrics::counter!("nightlight_transfers_total", &labels).increment(1);
    }
    app.webhooks.tell(conversation.id, || {
        News::Exchanged(Exchanged {
            said: talk.messages().to_vec(),
            reply: talk.latest().text(),
            number: talk.number(),
            chat: Box::new(chat::as_it_stands(app, conversation, talk)),
            transfer: talk.latest().transfer.map(|(_, agency)| agency),
        })
    });
    match talk.over() {
        Some(reason) => finish(app, conversation, talk, reason).await,
        None => conversation.touch(Instant::now(), false),
    }
    Ok(())
}

async fn finish(app: &App, conversation: &Written, talk: &Talk, reason: EndReason) {
    let span = Span::of(conversation.id, "end");
    span.tell("end_reason", reason.as_str());
    conversation.touch(Instant::now(), true);
    let over = CallEvent::Ended { reason };
    app.webhooks.tell(conversation.id, || News::Happened(over));
    let ended = talk.ended(reason, Timestamp::now());
    let stored = app.journal.finish(conversation.id, ended);
    if app.chat_model.is_none() {
        // Told as ended when it reads as ended, if that is soon; the journal tries on. A note that
        // is told by a chat model takes longer than anybody should wait for their answer.
        let _ = tokio::time::timeout(SAVE_BOUND, stored).await;
    }
    app.ends.count(reason);
    tracing::info!(call = %conversation.id, reason = reason.as_str(), "a written conversation ended");
}
