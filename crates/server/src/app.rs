//! The application: what handlers share, the head of the API's description, and how paths, sessions, limits, refusals, headers
//! and logs are put together into one router. What each path does is in `api`, `platform_api`, `desk`, `telemetry` and `web_app`.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use call::Switchboard;
use call::media::Media;
use flow::AssistantScript;
use jiff::Timestamp;
use reader::Reader;
use records::{Records, VisitorId};
use resources::Resources;
use speech::Voice;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi as OpenApiDocument;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::asked_calls::AskedCalls;
use crate::chat_model::Configured;
use crate::client_address::ClientAddress;
use crate::duty::DutyRoom;
use crate::ends::Ends;
use crate::errors::ApiError;
use crate::holder::Holder;
use crate::identity_provider::IdentityProvider;
use crate::journal::RecordsJournal;
use crate::lease::Lease;
use crate::lines::Lines;
use crate::open_pages::Notifications;
use crate::rate::{Rate, TooOften};
use crate::session::{CookiePolicy, know_the_visitor};
use crate::settings::{Settings, VoiceName};
use crate::trials::Trials;
use crate::voices::InstalledVoices;
use crate::watched_ears::EarsHealth;
use crate::watched_records::StorageHealth;
use crate::webhooks::Webhooks;
use crate::written::WrittenConversations;
use crate::written::queue::ExchangeQueue;
use crate::{
    api, api_document, desk, hosted, origin, platform_api, read_limits, request_body, request_log,
    security_headers, telemetry, web_app,
};

/// The largest body any path takes. A webhook's end-of-call report carries a whole transcript.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// What every handler may use. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub settings: Arc<Settings>,
    pub script: Arc<AssistantScript>,
    pub reader: Arc<Reader>,
    pub records: Records,
    pub storage: StorageHealth,
    pub ears: EarsHealth,
    /// How the calls of the last hour ended.
    pub ends: Arc<Ends>,
    pub started_at: Timestamp,
    pub journal: Arc<RecordsJournal>,
    pub notifications: Notifications,
    /// What was said of the calls that are yet to begin.
    pub asked: Arc<AskedCalls>,
    pub switchboard: Arc<Switchboard>,
    /// Who else is told of what happens in calls.
    pub webhooks: Arc<Webhooks>,
    /// What programs keep through the platform's API.
    pub resources: Resources,
    /// The desk's accounts, sessions and audit trail.
    pub desk: ::desk::Desk,
    /// Officers may sign in by it, if there is one.
    pub identity_provider: Option<Arc<IdentityProvider>>,
    /// The people on duty, and the calls that are live here as they see them.
    pub duty: Arc<DutyRoom>,
    /// Rung when something of a case, or a record, has changed.
    pub case_bell: Arc<Notify>,
    /// Whose look at the list of cases is on the audit trail already.
    pub queue_views: Arc<desk::QueueViews>,
    /// In which new calls are answered while there is room for it.
    pub voice: Arc<VoiceName>,
    pub first_voice: Arc<dyn Voice>,
    /// Those that a call may be asked for with.
    pub installed_voices: Arc<InstalledVoices>,
    pub lines: Arc<Lines<call::Line>>,
    pub lease: Arc<Lease>,
    pub chat_model: Option<Arc<Configured>>,
    pub written: Arc<WrittenConversations>,
    /// Whose exchange of a written conversation is next.
    pub exchanges: Arc<ExchangeQueue>,
    /// Whose turn it is to have the assistant tried.
    pub trials: Arc<Trials>,
    /// How often one visitor, and one address, may ask for calls, write, and read.
    pub rates: Arc<Rates>,
    pub media: Arc<Media>,
    /// Cancelled when the server is told to stop: no call and no written conversation begins; all else goes on.
    pub leaving: CancellationToken,
    /// Cancelled when live calls have had the time to come to their own end: those left are ended.
    pub stopping: CancellationToken,
    /// Cancelled when live calls have been drained: streams end.
    pub stopped: CancellationToken,
    /// Work that a shutdown waits for.
    pub tasks: TaskTracker,
}

/// Requests of one visitor and of one address, counted by kind.
pub struct Rates {
    pub calls: HolderRate,
    pub messages: HolderRate,
    pub reads: HolderRate,
    /// By a private key, from whatever addresses.
    pub reads_by_key: Rate<Uuid>,
    /// Of tries to get in at the desk.
    pub sign_ins: Rate<ClientAddress>,
    /// Of pages that tell of their failures.
    pub page_faults: Rate<ClientAddress>,
    /// Of keys that look like a token and are none.
    pub wrong_tokens: Rate<ClientAddress>,
}

/// One kind of request.
pub struct HolderRate {
    pub of_visitors: Rate<VisitorId>,
    pub of_addresses: Rate<ClientAddress>,
}

impl HolderRate {
    pub fn take(&self, holder: Holder, now: Instant) -> Result<(), TooOften> {
        if let Some(address) = holder.address {
            self.of_addresses.take(address, now)?;
        }
        self.of_visitors.take(holder.visitor, now)
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Nightlight",
        description = "An after-hours voice line. Paths under /api serve the web page; those of calls, chats, assistants and all that a program keeps are the voice platform's own.",
        license(name = "MIT")
    ),
    tags(
        (name = "page", description = "What the web page reads"),
        (name = "platform", description = "The voice platform: starting, joining and reading calls, written conversations, and what programs keep"),
        (name = "desk", description = "The duty desk: signing in, accounts, the audit trail and live calls. There is one from the first account on"),
        (name = "operations", description = "Whether and how the server runs")
    ),
    modifiers(&Keys)
)]
struct Description;

/// The keys that paths ask for, as `keys` reads them.
struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut OpenApiDocument) {
        let bearer = Http::builder()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The public key, or a public token, starts calls and chats; the private one, where it is set, and a private token open every path of the platform"))
            .build();
        let secret =
            ApiKeyValue::with_description("X-Vapi-Secret", "`webhook_secret`, where it is set");
        let components = document.components.get_or_insert_default();
        let desk = ApiKeyValue::with_description(
            "nightlight-desk",
            "A session at the desk, from POST /api/desk/sign-in; its role must include the act that the path names as `x-act`",
        );
        components
            .add_security_scheme("desk-session", SecurityScheme::ApiKey(ApiKey::Cookie(desk)));
        components.add_security_scheme("key", SecurityScheme::Http(bearer));
        components.add_security_scheme(
            "webhook-secret",
            SecurityScheme::ApiKey(ApiKey::Header(secret)),
        );
    }
}

/// Every described path, and the document that describes them.
fn described_routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(api::routes())
        .merge(platform_api::routes())
        .merge(desk::routes())
        .merge(telemetry::routes())
}

/// The OpenAPI document, without a running server.
pub fn openapi() -> OpenApiDocument {
    described_routes().into_openapi()
}

/// The whole site.
pub fn router(app: App) -> Router {
    let described = Router::<App>::from(described_routes());
    let cookies = CookiePolicy::of(&app.settings);
    let headers = security_headers::Headers::of(&app.settings);
    let node_name = app.settings.node_name.clone();
    let site = described
        .route("/openapi.json", axum::routing::get(api_document::serve))
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(&app.rates),
            read_limits::hold_back,
        ))
        .fallback(web_app::page_or_file)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app.settings),
            hosted::refusal::refuse_calls,
        ))
        .layer(middleware::from_fn_with_state(cookies, know_the_visitor))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app.settings),
            origin::refuse_foreign_pages,
        ))
        .layer(middleware::from_fn(request_body::take_in_short))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(
            headers,
            security_headers::set,
        ))
        .layer(CatchPanicLayer::custom(
            |_panic: Box<dyn std::any::Any + Send>| -> Response {
                ApiError::Internal.into_response()
            },
        ))
        .layer(middleware::from_fn(request_log::note))
        .with_state(app);
    // Before it is seen which path it is.
    let here = move |request| origin::without_node(node_name.as_deref(), request);
    Router::new().fallback_service(site.map_request(here))
}
