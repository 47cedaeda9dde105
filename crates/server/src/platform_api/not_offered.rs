//! What the platform has and this server does not: each path answers with a refusal that says so and what to use instead,
//! never with a success that is none. One table is the routes and their description.

use axum::Router;
use axum::routing::{MethodFilter, on};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{
    ContentBuilder, OpenApi, OpenApiBuilder, Paths, Ref, Required, Response, ResponseBuilder,
};
use utoipa_axum::router::OpenApiRouter;

use HttpMethod::{Delete, Get, Patch, Post, Put};

use crate::app::App;
use crate::errors::ApiError;
use crate::keys::PrivateKey;

/// A path that is refused, for these methods.
struct Refused {
    path: &'static str,
    methods: &'static [HttpMethod],
    what: &'static str,
    instead: &'static str,
}

const NO_SOUND: &str = "no sound of a call is kept; what was said is in the call's artifact";
const RECORDS_AND_METRICS: &str = "count calls with POST /analytics; the server's own numbers are at GET /metrics, in Prometheus' form, for operators (operator_key), and the desk has a morning report";
const SIMULATED: &str =
    "run an eval or a test suite; `make eval` and `make eval-voice` have callers simulated";
const LOGS_GO_WITH_RECORDS: &str = "delete the call's record with DELETE /call/{id}: its log goes with it, and all go after records_kept_days";
const NO_PROVIDER: &str = "this server has no provider: its voices and models are its own";
const ONE_HOUSE: &str = "a server is one organisation: see GET /org";
const NOBODYS_ACCOUNT: &str =
    "a key is no member: remove one with DELETE /org/{id}/member/{memberId}/leave";
const THEIR_OWN_VOICES: &str = "set `voice` to one of those that `make setup` fetched";
const NO_DRAFTS: &str = "PATCH changes it at once; of an assistant each change is a version: GET /assistant/{id}/version";
const AN_ASSISTANTS_VERSIONS: &str =
    "use /assistant/{id}/version; to go back, PATCH the fields of an earlier one";
const A_TOOLS_VERSIONS: &str =
    "a tool is what it was changed to last: keep another with POST /tool";
const WRITTEN_ON_PAGES: &str = "use POST /chat, which a public key opens too";
const NO_NUMBERS_FETCHED: &str =
    "keep the number with POST /phone-number; nothing of it is fetched";
const MEMBERS_AT_ONCE: &str =
    "POST /org/{id}/invite makes a member at once: see GET /org/{id}/user";
const OWN_STORAGE: &str =
    "what is kept, and how long, are the settings records_kept_days and closed_kept_days";
const LIST_IN_PAGES: &str = "list them in pages, and of calls GET /v2/call/export";
const RING_NOBODY: &str = "calls come from the web page, and from programs with POST /call";

macro_rules! refused {
    ($($path:literal $methods:tt $what:expr, $instead:expr;)+) => {
        &[$(Refused { path: $path, methods: &$methods, what: $what, instead: $instead }),+]
    };
}

const ALL: &[Refused] = refused! {
    "/call/{id}/mono-recording" [Get] "recordings", NO_SOUND;
    "/call/{id}/stereo-recording" [Get] "recordings", NO_SOUND;
    "/call/{id}/video-recording" [Get] "recordings", NO_SOUND;
    "/call/{id}/customer-recording" [Get] "recordings", NO_SOUND;
    "/call/{id}/assistant-recording" [Get] "recordings", NO_SOUND;
    "/call/{id}/pcap" [Get] "packet captures", NO_SOUND;
    "/call/phone" [Post] "phone calls", RING_NOBODY;
    "/assistant/background-sound/validate" [Post] "background sound", "leave it out: nothing plays behind the assistant";
    "/assistant/{id}" [Put] "replacing an assistant", "PATCH its fields; `null` takes one out";
    "/assistant/draft" [Get] "drafts", NO_DRAFTS;
    "/assistant/{id}/draft" [Get, Post] "drafts", NO_DRAFTS;
    "/assistant/{id}/draft/{draftId}" [Get, Patch, Delete] "drafts", NO_DRAFTS;
    "/assistant/{id}/restore/{version}" [Post] "going back to a version", AN_ASSISTANTS_VERSIONS;
    "/assistant/{id}/versions/{version}" [Patch, Delete] "changing and deleting versions", AN_ASSISTANTS_VERSIONS;
    "/v2/assistant" [Get] "assistants in pages", "use GET /assistant";
    "/tool/draft" [Get] "drafts", NO_DRAFTS;
    "/tool/{id}/draft" [Get, Post] "drafts", NO_DRAFTS;
    "/tool/{id}/draft/{draftId}" [Get, Patch, Delete] "drafts", NO_DRAFTS;
    "/tool/{id}/versions" [Get] "versions of a tool", A_TOOLS_VERSIONS;
    "/tool/{id}/versions/{version}" [Get, Patch, Delete] "versions of a tool", A_TOOLS_VERSIONS;
    "/chat/web" [Post] "chats under another path", WRITTEN_ON_PAGES;
    "/chat/web/responses" [Post] "chats under another path", "use POST /chat/responses, which a public key opens too";
    "/chat/export" [Get] "files of all chats", LIST_IN_PAGES;
    "/session/export" [Get] "files of all sessions", LIST_IN_PAGES;
    "/phone-number/import/twilio" [Post] "fetching numbers", NO_NUMBERS_FETCHED;
    "/phone-number/import/vonage" [Post] "fetching numbers", NO_NUMBERS_FETCHED;
    "/credential/session" [Post] "signing in to others' services", "keep the key itself with POST /credential";
    "/credential/webhook" [Post] "signing in to others' services", "keep the key itself with POST /credential";
    "/credential/trigger" [Post] "signing in to others' services", "keep the key itself with POST /credential";
    "/org/{id}/invitations/pending" [Get] "invitations that wait", MEMBERS_AT_ONCE;
    "/org/{id}/invitations/{invitationId}" [Delete] "invitations that wait", MEMBERS_AT_ONCE;
    "/org/{id}/zdr" [Post, Delete] "keeping nothing", OWN_STORAGE;
    "/11labs/voice/clone" [Post] "making voices", THEIR_OWN_VOICES;
    "/vapi/voice/clone" [Post] "making voices", THEIR_OWN_VOICES;
    "/{provider}/voice/add" [Post] "other providers' voices", THEIR_OWN_VOICES;
    "/{provider}/voices/add" [Post] "other providers' voices", THEIR_OWN_VOICES;
    "/{provider}/voice/search" [Get] "voices under another path", "use GET /{provider}/voices/search";
    "/{provider}/locations" [Get] "places of other providers", NO_PROVIDER;
    "/{provider}/workflows" [Get] "workflows of other providers", NO_PROVIDER;
    "/{provider}/workflows/{workflowId}/hooks" [Get] "workflows of other providers", NO_PROVIDER;
    "/voice-library/{provider}" [Patch, Delete] "changing voices of the library", THEIR_OWN_VOICES;
    "/campaign" [Get, Post] "campaigns", RING_NOBODY;
    "/campaign/{id}" [Get, Patch, Delete] "campaigns", RING_NOBODY;
    "/v2/campaign" [Get, Post] "campaigns", RING_NOBODY;
    "/v2/campaign/{id}" [Get, Patch, Delete] "campaigns", RING_NOBODY;
    "/v2/campaign/{id}/contacts" [Get] "campaigns", RING_NOBODY;
    "/eval/simulation" [Get, Post] "simulations", SIMULATED;
    "/eval/simulation/concurrency" [Get] "simulations", SIMULATED;
    "/eval/simulation/{id}" [Get, Patch, Delete] "simulations", SIMULATED;
    "/eval/simulation/personality" [Get, Post] "simulations", SIMULATED;
    "/eval/simulation/personality/{id}" [Get, Patch, Delete] "simulations", SIMULATED;
    "/eval/simulation/scenario" [Get, Post] "simulations", SIMULATED;
    "/eval/simulation/scenario/generate" [Post] "simulations", SIMULATED;
    "/eval/simulation/scenario/{id}" [Get, Patch, Delete] "simulations", SIMULATED;
    "/eval/simulation/suite" [Get, Post] "simulations", SIMULATED;
    "/eval/simulation/suite/{id}" [Get, Patch, Delete] "simulations", SIMULATED;
    "/eval/simulation/suite/{id}/duplicate" [Post] "simulations", SIMULATED;
    "/eval/simulation/run" [Get, Post] "simulations", SIMULATED;
    "/eval/simulation/run/{id}" [Get, Patch] "simulations", SIMULATED;
    "/eval/simulation/run/{id}/item" [Get] "simulations", SIMULATED;
    "/eval/simulation/run/{id}/item/{itemId}" [Get, Patch] "simulations", SIMULATED;
    "/eval/simulation/run/{id}/item/{itemId}/generate" [Post] "simulations", SIMULATED;
    "/observability/scorecard" [Get, Post] "scorecards", RECORDS_AND_METRICS;
    "/observability/scorecard/{id}" [Get, Patch, Delete] "scorecards", RECORDS_AND_METRICS;
    "/reporting/board" [Get, Post] "boards", RECORDS_AND_METRICS;
    "/reporting/board/default/metrics-overview" [Get] "boards", RECORDS_AND_METRICS;
    "/reporting/board/{id}" [Get, Patch, Delete] "boards", RECORDS_AND_METRICS;
    "/reporting/insight" [Get, Post] "insights", RECORDS_AND_METRICS;
    "/reporting/insight/preview" [Post] "insights", RECORDS_AND_METRICS;
    "/reporting/insight/{id}" [Get, Patch, Delete] "insights", RECORDS_AND_METRICS;
    "/reporting/insight/{id}/run" [Post] "insights", RECORDS_AND_METRICS;
    "/provider/{provider}/{resource}" [Get, Post] "resources of providers", NO_PROVIDER;
    "/provider/{provider}/{resource}/{id}" [Get, Patch, Delete] "resources of providers", NO_PROVIDER;
    "/v2/call/metadata" [Get] "metadata of calls", RECORDS_AND_METRICS;
    "/log" [Get] "logs under another path", "use GET /logs";
    "/logs" [Delete] "deleting logs", LOGS_GO_WITH_RECORDS;
    "/knowledge-base" [Get, Post] "knowledge bases of the first version", "use /v2/knowledge-base";
    "/knowledge-base/{id}" [Get, Patch, Delete] "knowledge bases of the first version", "use /v2/knowledge-base";
    "/org" [Post] "other organisations", ONE_HOUSE;
    "/org/{id}" [Delete] "removing its organisation", ONE_HOUSE;
    "/org/{id}/auth" [Get] "tokens of an organisation that expire", "make one with POST /token, and revoke it";
    "/org/{id}/leave" [Delete] "leaving its organisation", NOBODYS_ACCOUNT;
    "/org/feature-flag" [Get] "feature flags", "see /openapi.json for what there is";
    "/template/pinned" [Get] "pinned templates", "list all with GET /template";
    "/voice-library" [Get] "voices of every provider at once", "ask by provider: /voice-library/kokoro, piper, flite or openai";
    "/voice-library/create-sesame-voice" [Post] "making voices", THEIR_OWN_VOICES;
    "/voice-library/sync" [Post] "other providers' voices", THEIR_OWN_VOICES;
    "/voice-library/sync/{provider}" [Post] "other providers' voices", THEIR_OWN_VOICES;
    "/traffic-allocations" [Get, Post] "traffic allocations", "name the assistant with each call";
    "/traffic-allocations/latest" [Get] "traffic allocations", "name the assistant with each call";
    "/traffic-allocations/{id}" [Get] "traffic allocations", "name the assistant with each call";
};

/// These paths, and their description.
pub fn routes() -> OpenApiRouter<App> {
    let mut router = Router::new();
    for &Refused {
        path,
        methods,
        what,
        instead,
    } in ALL
    {
        for method in methods {
            let refuse = move |_: PrivateKey| async move { ApiError::NotOffered { what, instead } };
            router = router.route(path, on(filter(method), refuse));
        }
    }
    OpenApiRouter::from(router).merge(OpenApiRouter::with_openapi(description()))
}

fn filter(method: &HttpMethod) -> MethodFilter {
    match method {
        Get => MethodFilter::GET,
        Post => MethodFilter::POST,
        Patch => MethodFilter::PATCH,
        Delete => MethodFilter::DELETE,
        Put => MethodFilter::PUT,
        _ => unreachable!("the table has no others"),
    }
}

fn description() -> OpenApi {
    let mut paths = Paths::new();
    for refused in ALL {
        for method in refused.methods {
            paths.add_path_operation(
                refused.path,
                vec![method.clone()],
                refused.operation(method),
            );
        }
    }
    OpenApiBuilder::new().paths(paths).build()
}

impl Refused {
    fn operation(&self, method: &HttpMethod) -> OperationBuilder {
        let refused = |status: &'static str, codes: &'static str| (status, refusal(codes));
        let mut operation = OperationBuilder::new()
            .tag("platform")
            .operation_id(Some(self.name(method)))
            .summary(Some(format!("Not offered: {}.", self.what)))
            .description(Some(format!("Instead: {}.", self.instead)))
            .security(SecurityRequirement::new("key", Vec::<String>::new()));
        for (status, response) in [
            refused("401", "`key-missing`, `key-wrong`"),
            refused("403", "`private-key-unset`, `origin-foreign`"),
            refused("501", "`not-offered`: the message says what to use instead"),
        ] {
            operation = operation.response(status, response);
        }
        for name in self.parameters() {
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
            operation = operation.parameter(parameter);
        }
        operation
    }

    fn parameters(&self) -> impl Iterator<Item = &str> {
        let parts = self.path.split('/');
        parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Of its own: the method and the path, in the letters of a name.
    fn name(&self, method: &HttpMethod) -> String {
        let method = match method {
            Get => "get",
            Post => "post",
            Patch => "patch",
            Put => "put",
            _ => "delete",
        };
        let path: String = self
            .path
            .chars()
            .map(|letter| match letter.is_ascii_alphanumeric() {
                true => letter.to_ascii_lowercase(),
                false => '_',
            })
            .collect();
        format!("refuse_{method}{path}")
    }
}

fn refusal(codes: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorAnswer")));
    ResponseBuilder::new()
        .description(codes)
        .content("application/json", body.build())
        .build()
}
