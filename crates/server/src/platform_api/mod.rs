//! The voice platform's own paths, served by this server. A room for each kind of thing; what is not served is refused by
//! `not_offered`.

mod analytics;
mod asked_tools;
mod assistant;
mod assistant_version;
mod built_in;
mod call;
mod call_log;
pub(crate) mod chat;
mod credential;
mod eval;
mod export;
mod file;
pub mod honoured;
mod kept;
mod knowledge_base;
mod knowledge_base_file;
mod known_files;
mod list_query;
mod log;
mod not_followed;
mod not_offered;
mod of_tokens;
mod org;
mod phone_number;
mod responses;
pub(crate) mod served;
mod session;
mod socket;
mod squad;
mod structured_output;
mod structured_output_run;
mod template;
mod test_suite;
mod token;
mod tool;
pub(crate) mod transport;
mod variables;
mod voice_library;
mod walk;
pub(crate) mod web_call;
mod whip;
mod workflow;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::errors::ApiError;
use crate::lines::LineError;

/// What paths of the platform begin with, whether this server has more of them or not: below these nothing is a page.
pub const ROOTS: [&str; 29] = [
    "analytics",
    "assistant",
    "call",
    "campaign",
    "chat",
    "credential",
    "eval",
    "file",
    "knowledge-base",
    "log",
    "logs",
    "monitoring",
    "observability",
    "org",
    "phone-number",
    "provider",
    "reporting",
    "session",
    "squad",
    "structured-output",
    "template",
    "test-suite",
    "token",
    "tool",
    "traffic-allocations",
    "user",
    "v2",
    "voice-library",
    "workflow",
];

pub fn routes() -> OpenApiRouter<App> {
    let mut routes = OpenApiRouter::new()
        .routes(routes!(web_call::start))
        .routes(routes!(web_call::create, call::list))
        .routes(routes!(call::list_page))
        .routes(routes!(call::call, call::update, call::remove))
        .routes(routes!(call_log::download))
        .routes(routes!(log::list))
        .routes(routes!(whip::offer))
        .routes(routes!(whip::leave))
        .routes(routes!(socket::socket))
        .routes(routes!(chat::create, chat::list))
        .routes(routes!(chat::read, chat::end))
        .routes(routes!(session::create, session::list))
        .routes(routes!(session::read, session::update, session::remove))
        .routes(routes!(assistant::create, assistant::list))
        .routes(routes!(
            assistant::read,
            assistant::update,
            assistant::remove
        ))
        .routes(routes!(assistant_version::name, assistant_version::list))
        .routes(routes!(assistant_version::read))
        .routes(routes!(assistant_version::list_newer))
        .routes(routes!(assistant_version::read_newer))
        .routes(routes!(squad::create, squad::list))
        .routes(routes!(squad::read, squad::update, squad::remove))
        .routes(routes!(tool::create, tool::list))
        .routes(routes!(tool::read, tool::update, tool::remove))
        .routes(routes!(phone_number::create, phone_number::list))
        .routes(routes!(phone_number::list_page))
        .routes(routes!(
            phone_number::read,
            phone_number::update,
            phone_number::remove
        ))
        .routes(routes!(knowledge_base::create, knowledge_base::list))
        .routes(routes!(
            knowledge_base::read,
            knowledge_base::update,
            knowledge_base::remove
        ))
        .routes(routes!(
            knowledge_base_file::attach,
            knowledge_base_file::list
        ))
        .routes(routes!(knowledge_base_file::detach))
        .routes(routes!(knowledge_base_file::retry))
        .routes(routes!(structured_output::create, structured_output::list))
        .routes(routes!(
            structured_output::read,
            structured_output::update,
            structured_output::remove
        ))
        .routes(routes!(structured_output_run::run))
        .routes(routes!(file::create, file::list))
        .routes(routes!(file::upload))
        .routes(routes!(file::read, file::update, file::remove))
        .routes(routes!(file::content))
        .merge(trials())
        .routes(routes!(token::create, token::list))
        .routes(routes!(token::read, token::update, token::remove))
        .routes(routes!(credential::create, credential::list))
        .routes(routes!(
            credential::read,
            credential::update,
            credential::remove
        ))
        .routes(routes!(template::create, template::list))
        .routes(routes!(template::read, template::update, template::remove))
        .routes(routes!(workflow::create, workflow::list))
        .routes(routes!(workflow::read, workflow::update, workflow::remove))
        .routes(routes!(org::list))
        .routes(routes!(org::read_one, org::update))
        .routes(routes!(org::members))
        .routes(routes!(org::invite))
        .routes(routes!(org::update_role))
        .routes(routes!(org::remove_member))
        .routes(routes!(voice_library::list))
        .routes(routes!(voice_library::accents))
        .routes(routes!(voice_library::search))
        .merge(not_offered::routes());
    of_tokens::describe(routes.get_openapi_mut());
    routes
}

/// What a program tries the assistant with, and how it reads of calls in numbers.
fn trials() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(eval::create, eval::list))
        .routes(routes!(eval::read, eval::update, eval::remove))
        .routes(routes!(eval::run, eval::list_runs))
        .routes(routes!(eval::read_run, eval::remove_run))
        .routes(routes!(test_suite::create, test_suite::list))
        .routes(routes!(
            test_suite::read,
            test_suite::update,
            test_suite::remove
        ))
        .routes(routes!(test_suite::create_test, test_suite::list_tests))
        .routes(routes!(
            test_suite::read_test,
            test_suite::update_test,
            test_suite::remove_test
        ))
        .routes(routes!(test_suite::run, test_suite::list_runs))
        .routes(routes!(
            test_suite::read_run,
            test_suite::update_run,
            test_suite::remove_run
        ))
        .routes(routes!(analytics::ask))
        .routes(routes!(export::export))
        .routes(routes!(responses::create))
}

/// How the page's media stands to a call, as an answer.
impl From<LineError> for ApiError {
    fn from(error: LineError) -> Self {
        match error {
            LineError::AllBusy => Self::AllLinesBusy,
            LineError::Unknown => Self::UnknownCall,
            LineError::Expired => Self::CallExpired,
            LineError::Joined => Self::CallJoined,
        }
    }
}
