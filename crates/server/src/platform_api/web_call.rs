//! `POST /call/web`, and `POST /call` for programs: asks for a call, and says how to join it.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use call::traces::Span;
use jiff::Timestamp;
use platform::call::ArtifactPlan;
use platform::resource::MessagePlan;
use platform::{
    Call, CallAssistant, CallStatus, CreateCall, CreateWebCall, ProgramsCall, Target, VoiceChoice,
};
use records::Label;
use redact::Secret;

use super::not_followed;
use super::served::{self, Served};
use super::transport;
use crate::app::App;
use crate::asked_calls::{self, Asked};
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::keys::{AnyKey, Begins, Key, PrivateKey};
use crate::request_body::JsonBody;
use crate::webhooks;

/// The one organisation of a server of one's own.
pub const ORGANISATION: &str = "nightlight";

/// Asks for a call. It is to be joined within a minute: by posting a WebRTC offer to `webCallUrl`
/// (WHIP), or over the WebSocket at `transport.websocketCallUrl`, also after the first has failed.
#[utoipa::path(
    post,
    path = "/call/web",
    tag = "platform",
    request_body = CreateWebCall,
    responses(
        (
            status = 201, body = Call,
            links(
                ("read" = (operation_id = "call", parameters(("id" = "$response.body#/id")))),
                ("join" = (operation_id = "offer", parameters(("id" = "$response.body#/id"))))
            )
        ),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`, `assistant-or-squad-or-workflow-required`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked; `origin-not-allowed`, `assistant-not-allowed`: the token's bounds"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 501, body = ErrorAnswer, description = "`workflow-of-several-nodes`: with the numbers to ring"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`: with the numbers to ring, and Retry-After")
    ),
    security(("key" = []))
)]
pub async fn start(
    State(app): State<App>,
    AnyKey(key): AnyKey,
    holder: Holder,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, HeaderMap, Json<Call>), ApiError> {
    if !key.is_private() {
        app.rates.calls.take(holder, Instant::now())?;
    }
    let asked = CreateWebCall::parse(&body)?;
    not_followed::refuse_promises(&body)?;
    key.may_begin(match asked.target()? {
        Target::AssistantId(id) => Begins::With(id),
        Target::SquadId(_) | Target::WorkflowId(_) => Begins::WithSeveral,
        Target::Assistant(_) | Target::Squad(_) | Target::Workflow(_) => Begins::InFull,
    })?;
    let wishes = webhooks::wishes(&key, &body);
    let call = ask(&app, holder, &headers, &asked, None, wishes).await?;
    Ok((StatusCode::CREATED, not_followed::named(&body), Json(call)))
}

/// Asks for a call as a program does: the same, and it may have a name. Nobody is rung by telephone.
#[utoipa::path(
    post,
    path = "/call",
    operation_id = "create_call",
    tag = "platform",
    request_body = CreateCall,
    responses(
        (
            status = 201, body = Call,
            links(
                ("read" = (operation_id = "call", parameters(("id" = "$response.body#/id")))),
                ("join" = (operation_id = "offer", parameters(("id" = "$response.body#/id"))))
            )
        ),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`, `assistant-or-squad-or-workflow-required`, `assistant-unknown`, `voice-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: a phone call, or one that is to begin later; `workflow-of-several-nodes`"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`: with the numbers to ring, and Retry-After")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    _: PrivateKey,
    holder: Holder,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, HeaderMap, Json<Call>), ApiError> {
    let Some(asked) = ProgramsCall::parse(&body)? else {
        return Err(ApiError::NotOffered {
            what: "phone calls, nor calls that begin later",
            instead: "leave out phone number, customer and schedule, and join the call at its webCallUrl",
        });
    };
    not_followed::refuse_promises(&body)?;
    let wishes = webhooks::wishes(&Key::Private, &body);
    let call = ask(&app, holder, &headers, &asked.web, asked.name, wishes).await?;
    Ok((StatusCode::CREATED, not_followed::named(&body), Json(call)))
}

async fn ask(
    app: &App,
    holder: Holder,
    headers: &HeaderMap,
    asked: &CreateWebCall,
    name: Option<Secret<String>>,
    wishes: Vec<MessagePlan>,
) -> Result<Call, ApiError> {
    let target = known_target(app, asked).await?;
    if app.leaving.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let call_id = app
        .lines
        .ask(holder, Instant::now(), || app.switchboard.reserve().ok())?;
    let _span = Span::first_of(call_id, "admission");
    let transport = transport::asked_for(asked);
    let label = target.label(name.clone());
    let said = Asked {
        notice: asked_calls::notice_shown(asked.assistant_overrides.as_ref()),
        label: Label {
            manner: transport::noted(label.manner, transport),
            ..label
        },
        manner: target.manner(),
        wishes,
    };
    app.asked.put(call_id, said, Instant::now());
    tracing::info!(call = %call_id, "a call was asked for");

    let joining = transport::joining(app, headers, call_id, transport);
    let now = Timestamp::now();
    let voice = target.honoured.voice.as_ref().unwrap_or(&app.voice);
    let call = Call {
        org_id: Some(ORGANISATION.to_owned()),
        created_at: Some(now),
        updated_at: Some(now),
        kind: Some(transport::kind(transport)),
        status: Some(CallStatus::Queued),
        name,
        assistant_id: target.assistant,
        squad_id: target.squad,
        workflow_id: target.workflow,
        assistant: Some(CallAssistant {
            name: Some(app.script.name.clone()),
            voice: Some(VoiceChoice {
                provider: Some(voice.provider().to_owned()),
                voice_id: Some(voice.as_str().to_owned()),
            }),
        }),
        web_call_url: joining.call_url.clone(),
        transport: Some(joining),
        artifact_plan: Some(ArtifactPlan {
            video_recording_enabled: false,
            recording_enabled: Some(false),
        }),
        ..Call::with_id(call_id.to_string())
    };
    Ok(call)
}

/// An id must be one we have. What is given in full is served like one that is kept: the flow
/// is the helpline's, whatever prompt comes with it.
async fn known_target(app: &App, asked: &CreateWebCall) -> Result<Served, ApiError> {
    let overrides = asked.assistant_overrides.as_ref();
    match asked.target()? {
        Target::AssistantId(id) => served::by_assistant(app, id, overrides).await,
        Target::SquadId(id) => {
            served::by_squad(app, id, asked.squad_overrides.as_ref().or(overrides)).await
        }
        Target::Assistant(assistant) => {
            served::by_assistant_in_full(app, assistant, overrides).await
        }
        Target::Squad(squad) => {
            let overrides = asked.squad_overrides.as_ref().or(overrides);
            served::by_squad_in_full(app, squad, overrides).await
        }
        Target::WorkflowId(id) => {
            served::by_workflow(app, id, asked.workflow_overrides.as_ref().or(overrides)).await
        }
        Target::Workflow(workflow) => {
            let overrides = asked.workflow_overrides.as_ref().or(overrides);
            served::by_workflow_in_full(app, workflow, overrides).await
        }
    }
}
