//! `POST /call/web`: asks for a call, and says how to join it.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use call::traces::Span;
use jiff::Timestamp;
use platform::call::ArtifactPlan;
use platform::{
    AudioFormat, Call, CallAssistant, CallKind, CallStatus, CallTransport, CreateWebCall, Target,
    TransportProvider, VoiceChoice,
};

use crate::api::{ASSISTANT_ID, SQUAD_ID};
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::request_body::JsonBody;
use crate::{keys, notices, origin, relay};

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
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`, `assistant-or-squad-or-workflow-required`, `assistant-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`: with the numbers to ring, and Retry-After")
    ),
    security(("key" = []))
)]
pub async fn start(
    State(app): State<App>,
    holder: Holder,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<Call>), ApiError> {
    keys::either_key(&headers, &app.settings)?;
    if keys::private_key(&headers, &app.settings).is_err() {
        app.rates.calls.take(holder, Instant::now())?;
    }
    let asked = CreateWebCall::parse(&body)?;
    let target = known_target(&asked)?;
    if app.leaving.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    let call_id = app
        .lines
        .ask(holder, Instant::now(), || app.switchboard.reserve().ok())?;
    let _span = Span::first_of(call_id, "admission");
    if let Some(notice) = notices::shown(asked.assistant_overrides.as_ref()) {
        app.notices.put(call_id, notice, Instant::now());
    }
    tracing::info!(call = %call_id, "a call was asked for");

    let origin = origin::of_request(&headers, &app.settings);
    let path = format!("{}/call/{call_id}", origin::path_here(&app.settings));
    let whip = format!("{origin}{path}/whip");
    let socket = format!("{}{path}/socket", origin::for_sockets(&origin));
    let by_socket = asked
        .transport
        .is_some_and(|transport| transport.provider == TransportProvider::VapiWebsocket);
    let provider = match by_socket {
        true => TransportProvider::VapiWebsocket,
        false => TransportProvider::Whip,
    };
    let now = Timestamp::now();
    let call = Call {
        org_id: Some(ORGANISATION.to_owned()),
        created_at: Some(now),
        updated_at: Some(now),
        kind: Some(match by_socket {
            true => CallKind::Websocket,
            false => CallKind::Web,
        }),
        status: Some(CallStatus::Queued),
        assistant_id: target.assistant,
        squad_id: target.squad,
        assistant: Some(CallAssistant {
            name: Some(app.script.name.clone()),
            voice: Some(VoiceChoice {
                provider: Some(app.voice.provider().to_owned()),
                voice_id: Some(app.voice.as_str().to_owned()),
            }),
        }),
        transport: Some(CallTransport {
            provider: Some(provider.as_str().to_owned()),
            call_url: Some(whip.clone()),
            websocket_call_url: Some(socket),
            audio_format: Some(AudioFormat::pcm_16k()),
            ice_servers: relay::ice_servers(&app.settings, now),
        }),
        web_call_url: Some(whip),
        artifact_plan: Some(ArtifactPlan {
            video_recording_enabled: false,
            recording_enabled: Some(false),
        }),
        ..Call::with_id(call_id.to_string())
    };
    Ok((StatusCode::CREATED, Json(call)))
}

/// What a call or a chat is served by, as its answer names it.
#[derive(Default)]
pub struct Served {
    pub assistant: Option<String>,
    pub squad: Option<String>,
}

/// An id must be one we have. What is given in full is served by the embedded assistant: the flow
/// is the helpline's, whatever prompt comes with it.
fn known_target(asked: &CreateWebCall) -> Result<Served, ApiError> {
    let (assistant, squad) = match asked.target()? {
        Target::AssistantId(id) if id == ASSISTANT_ID => (Some(id.to_owned()), None),
        Target::SquadId(id) if id == SQUAD_ID => (None, Some(id.to_owned())),
        Target::Assistant(_) | Target::Squad(_) => (None, None),
        Target::AssistantId(_)
        | Target::SquadId(_)
        | Target::WorkflowId(_)
        | Target::Workflow(_) => {
            return Err(ApiError::NothingByThisId);
        }
    };
    Ok(Served { assistant, squad })
}
