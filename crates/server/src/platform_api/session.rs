//! `/session`: sessions. One is a written conversation that has a name and an end before anything is said in it: its id is
//! the conversation's, and the first chat that names it begins that. What was said stands in the records, not here.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use jiff::{SignedDuration, Timestamp};
use platform::lifecycle::SessionEvent;
use platform::resource::{
    CreateSession, MessagePlan, Paginated, Session, SessionStatus, in_full, known, read_resource,
};
use platform::{AssistantOverrides, Invalid, ServerEvent};
use records::Label;
use redact::Secret;
use resources::{Kind, NewResource, Resource};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;
use uuid::Uuid;

use super::chat::said_in;
use super::honoured;
use super::kept::{self, Id, Shown};
use super::list_query::{Asked, ListQuery, PageQuery, any_of};
use super::not_followed;
use super::served::{self, Served};
use crate::api::ASSISTANT_ID;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::kept_beside;
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;
use crate::webhooks::subscriber::{Whose, of_session};
use crate::written::chat_id::ChatId;

/// Unless it is told.
const OVER_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// Makes a session. Its assistant, squad or workflow must be one that there is; what `assistantOverrides` changes in it is
/// changed in the conversation, and a chat's own go over that. What was said before, elsewhere, is not taken.
#[utoipa::path(
    post,
    path = "/session",
    operation_id = "create_session",
    tag = "platform",
    request_body = CreateSession,
    responses(
        (status = 201, body = Session),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`workflow-of-several-nodes`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, HeaderMap, Shown), ApiError> {
    let (asked, fields) = read_resource::<CreateSession>(&body)?;
    not_followed::refuse_promises(&body)?;
    check(&app, &asked).await?;
    let mut fields = fields.expose_secret().clone();
    let usual = [
        ("status", json!(SessionStatus::Active.as_str())),
        ("expirationSeconds", json!(OVER_AFTER.as_secs())),
        ("messages", json!([])),
    ];
    for (name, value) in usual {
        let field = fields.entry(name).or_insert(Value::Null);
        if field.is_null() {
            *field = value;
        }
    }
    let new = NewResource {
        id: Some(ChatId::first().conversation),
        ..NewResource::of(Kind::Session, Secret::new(fields))
    };
    let added = kept::add_resource(&app, new).await?;
    tell(&app, &added, ServerEvent::SessionCreated).await;
    let named = not_followed::named(&body);
    Ok((StatusCode::CREATED, named, kept::shown(&added)))
}

/// Which sessions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The one of this id.
    id: Option<String>,
    /// Those of this name.
    name: Option<String>,
    /// Those with this assistant.
    assistant_id: Option<String>,
    /// Those with this squad.
    squad_id: Option<String>,
    /// Those with this workflow.
    workflow_id: Option<String>,
    /// Those that a program made for this phone number.
    phone_number_id: Option<String>,
    /// Those of these ids, with commas between: at most 100.
    id_any: Option<String>,
    /// Those with one of these assistants, with commas between: at most 100.
    assistant_id_any: Option<String>,
}

impl Which {
    fn agrees(
        &self,
        session: &Resource,
        ids: Option<&[&str]>,
        assistants: Option<&[&str]>,
    ) -> bool {
        let (id, body) = (session.id.to_string(), session.body.expose_secret());
        let field = |name: &str| body.get(name).and_then(Value::as_str);
        let is = |asked: &Option<String>, with: Option<&str>| {
            let asked = asked.as_deref();
            asked.is_none_or(|asked| with == Some(asked))
        };
        let is_among = |asked: Option<&[&str]>, with: Option<&str>| {
            asked.is_none_or(|asked| with.is_some_and(|with| asked.contains(&with)))
        };
        is(&self.id, Some(&id))
            && is(&self.name, field("name"))
            && is(&self.assistant_id, field("assistantId"))
            && is(&self.squad_id, field("squadId"))
            && is(&self.workflow_id, field("workflowId"))
            && is(&self.phone_number_id, field("phoneNumberId"))
            && is_among(ids, Some(&id))
            && is_among(assistants, field("assistantId"))
    }
}

/// A page of the sessions, without what was said in them.
#[utoipa::path(
    get,
    path = "/session",
    operation_id = "list_sessions",
    tag = "platform",
    params(Which, ListQuery, PageQuery),
    responses(
        (status = 200, body = Paginated<Session>),
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
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let (wanted, number) = query.wanted_on(&page)?;
    let fields = [
        ("name", &which.name),
        ("assistantId", &which.assistant_id),
        ("squadId", &which.squad_id),
        ("workflowId", &which.workflow_id),
        ("phoneNumberId", &which.phone_number_id),
    ];
    let ids = any_of(which.id_any.as_deref(), "idAny")?;
    let assistants = any_of(which.assistant_id_any.as_deref(), "assistantIdAny")?;
    let listed = match (ids.as_deref(), assistants.as_deref()) {
        (None, None) => {
            let id = which.id.as_deref();
            kept::found(&app, Kind::Session, wanted, id, &fields).await?
        }
        (ids, assistants) => {
            let agrees = |session: &Resource| which.agrees(session, ids, assistants);
            kept::all_that(&app, Kind::Session, wanted, agrees).await?
        }
    };
    let now = Timestamp::now();
    let show = |session: &Resource| shown(session, now, None);
    Ok(Json(kept::paginated(&listed, wanted, number, show)))
}

/// A session, with what was said in it.
#[utoipa::path(
    get,
    path = "/session/{id}",
    operation_id = "read_session",
    tag = "platform",
    params(("id" = String, Path, description = "The session")),
    responses(
        (status = 200, body = Session),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read(State(app): State<App>, _: PrivateKey, Id(id): Id) -> Result<Shown, ApiError> {
    let session = kept::find(&app, Kind::Session, &id).await?;
    whole(&app, &session).await
}

/// Changes the fields that are named; `null` takes one out. In a session that is `completed` nothing more is said.
#[utoipa::path(
    patch,
    path = "/session/{id}",
    operation_id = "update_session",
    tag = "platform",
    params(("id" = String, Path, description = "The session")),
    request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
    responses(
        (status = 200, body = Session),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`workflow-of-several-nodes`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(HeaderMap, Shown), ApiError> {
    let asked: CreateSession = known(&platform::resource::read_changes(&body)?)?;
    check(&app, &asked).await?;
    let session = kept::update::<CreateSession>(&app, Kind::Session, &id, &body).await?;
    tell(&app, &session, ServerEvent::SessionUpdated).await;
    let shown = whole(&app, &session).await?;
    Ok((not_followed::named(&body), shown))
}

/// Removes one for good, and gives it as it was. The record of what was said in it stays.
#[utoipa::path(
    delete,
    path = "/session/{id}",
    operation_id = "remove_session",
    tag = "platform",
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = Session),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove(State(app): State<App>, _: PrivateKey, Id(id): Id) -> Result<Shown, ApiError> {
    let removed = kept::remove(&app, Kind::Session, &id).await?;
    let forgotten = kept_beside::forget_session(&app.resources, removed.id).await;
    if let Err(error) = forgotten {
        tracing::warn!(session = %removed.id, %error, "what was yet to be told of a deleted session is left; it is told, or given up in two days");
    }
    tell(
        &app,
        &without_messages(&removed),
        ServerEvent::SessionDeleted,
    )
    .await;
    Ok(kept::shown(&removed))
}

/// Tells whoever the session, or its assistant, says is to be told. What was said in it stands in messages of its own.
async fn tell(app: &App, session: &Resource, event: impl FnOnce(SessionEvent) -> ServerEvent) {
    let known: CreateSession = known(&session.body).unwrap_or_default();
    let fields = Value::Object(session.body.expose_secret().clone());
    let whose = Whose {
        call: session.id,
        label: &label(&known),
        wishes: &MessagePlan::all_of_a_call(&fields),
        goes_on: false,
    };
    let subscriber = app.webhooks.subscriber(whose).await;
    let told = of_session(&shown(session, Timestamp::now(), None));
    app.webhooks.tell_subscriber(subscriber, event(told)).await;
}

/// What was deleted is sent to nobody.
fn without_messages(session: &Resource) -> Resource {
    let mut fields = session.body.expose_secret().clone();
    fields.remove("messages");
    let mut told = session.clone();
    told.body = Secret::new(fields);
    told
}

/// A session as a chat finds it.
pub struct OfConversation {
    /// Completed, or past its time.
    pub is_over: bool,
    pub name: Option<Secret<String>>,
    pub served: Served,
}

/// For so long whoever writes in a conversation that goes on here waits to hear of its session.
const ASKED_WITHIN: Duration = Duration::from_millis(500);

/// The session that a conversation is of, where a program has made one; with what this chat changes in its assistant. Where the
/// conversation goes on here and the database cannot say so soon, it goes on.
pub async fn of_conversation(
    app: &App,
    conversation: Uuid,
    overrides: Option<&AssistantOverrides>,
) -> Result<Option<OfConversation>, ApiError> {
    let asking = made_for(app, conversation, overrides);
    match app.written.find(conversation) {
        None => asking.await,
        Some(_) => match tokio::time::timeout(ASKED_WITHIN, asking).await {
            Ok(Ok(session)) => Ok(session),
            Ok(Err(_)) | Err(_) => Ok(None),
        },
    }
}

async fn made_for(
    app: &App,
    conversation: Uuid,
    overrides: Option<&AssistantOverrides>,
) -> Result<Option<OfConversation>, ApiError> {
    let session = stored(app.resources.get(Kind::Session, conversation).await)?;
    let Some(session) = session else {
        return Ok(None);
    };
    let known: CreateSession = known(&session.body).unwrap_or_default();
    let lasting = overrides_of(&known).unwrap_or_default();
    // As in a squad: what cannot be followed any more changes nothing.
    let lasting = lasting.filter(|them| honoured::check_overrides(app, Some(them)).is_ok());
    let all = lasting.into_iter().chain(overrides.cloned());
    let all = all.reduce(|before, after| before.then(&after));
    let served = served_by(app, &known, all.as_ref()).await;
    // An assistant that was removed since leaves its sessions to the helpline.
    let served = served.unwrap_or_default();
    Ok(Some(OfConversation {
        is_over: status(&session, &known, Timestamp::now()) == SessionStatus::Completed,
        name: known.name,
        served,
    }))
}

/// Whom it is for must be there, and what it changes in that be as an assistant's own. What was said elsewhere is not known to
/// the assistant, and is not taken as if it were.
async fn check(app: &App, asked: &CreateSession) -> Result<(), ApiError> {
    if asked.messages.iter().flatten().next().is_some() {
        return Err(ApiError::Body(Invalid::Field {
            path: String::from("messages"),
            problem: String::from(
                "expected none: the assistant knows what was said to it, and nothing that was said before",
            ),
        }));
    }
    let overrides = overrides_of(asked)?;
    honoured::check_overrides(app, overrides.as_ref())?;
    served_by(app, asked, overrides.as_ref()).await.map(drop)
}

fn overrides_of(asked: &CreateSession) -> Result<Option<AssistantOverrides>, Invalid> {
    let fields = asked.assistant_overrides.as_ref();
    fields
        .map(|fields| in_full("assistantOverrides", fields))
        .transpose()
}

/// What is named goes before what is given in full.
async fn served_by(
    app: &App,
    asked: &CreateSession,
    overrides: Option<&AssistantOverrides>,
) -> Result<Served, ApiError> {
    let ids = [&asked.assistant_id, &asked.squad_id, &asked.workflow_id].map(given);
    match (ids, &asked.assistant, &asked.squad, &asked.workflow) {
        ([Some(assistant), ..], ..) => served::by_assistant(app, &assistant, overrides).await,
        ([None, Some(squad), _], ..) => served::by_squad(app, &squad, overrides).await,
        ([None, None, Some(workflow)], ..) => served::by_workflow(app, &workflow, overrides).await,
        (_, Some(assistant), ..) => served::by_assistant_in_full(app, assistant, overrides).await,
        (_, None, Some(squad), _) => served::by_squad_in_full(app, squad, overrides).await,
        (_, None, None, Some(workflow)) => {
            served::by_workflow_in_full(app, workflow, overrides).await
        }
        (_, None, None, None) => Ok(Served::by_the_helpline()),
    }
}

/// As the record of its conversation is labelled.
fn label(asked: &CreateSession) -> Label {
    let [assistant, squad, workflow] =
        [&asked.assistant_id, &asked.squad_id, &asked.workflow_id].map(given);
    let squad = squad.filter(|_| assistant.is_none());
    Label {
        workflow: workflow.filter(|_| assistant.is_none() && squad.is_none()),
        squad,
        assistant: assistant.filter(|id| id != ASSISTANT_ID),
        ..Label::default()
    }
}

fn given(id: &Option<String>) -> Option<String> {
    id.clone().filter(|id| !id.trim().is_empty())
}

fn status(session: &Resource, known: &CreateSession, now: Timestamp) -> SessionStatus {
    let lasts = known.expiration_seconds.map_or(OVER_AFTER, |seconds| {
        SignedDuration::try_from_secs_f64(seconds).unwrap_or(OVER_AFTER)
    });
    match known.status {
        Some(SessionStatus::Completed) => SessionStatus::Completed,
        _ if now.duration_since(session.created_at) >= lasts => SessionStatus::Completed,
        _ => SessionStatus::Active,
    }
}

async fn whole(app: &App, session: &Resource) -> Result<Shown, ApiError> {
    let said = said_in(app, session.id).await?;
    Ok(shown(session, Timestamp::now(), said))
}

/// As it is answered: what a program gave it as said before, then what was said in it; over where its conversation is.
fn shown(session: &Resource, now: Timestamp, said: Option<platform::Chat>) -> Shown {
    let known: CreateSession = known(&session.body).unwrap_or_default();
    let mut status = status(session, &known, now);
    let mut body = session.body.expose_secret().clone();
    if let Some(chat) = said {
        if chat.status == platform::CallStatus::Ended {
            status = SessionStatus::Completed;
        }
        if let Some(Value::Array(messages)) = body.get_mut("messages") {
            let chat = serde_json::to_value(&chat).unwrap_or_default();
            let of = |part: &str| chat[part].as_array().cloned().unwrap_or_default();
            messages.extend(of("messages"));
            if chat["input"]
                .as_str()
                .is_some_and(|input| !input.is_empty())
            {
                messages.push(json!({"role": "user", "content": chat["input"]}));
            }
            messages.extend(of("output"));
        }
    }
    body.insert("status".to_owned(), status.as_str().into());
    Shown(kept::kept(session).with(&Secret::new(body)))
}
