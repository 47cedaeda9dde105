//! What the web page reads, and the webhook. One file a path, or a purpose.

mod call_info;
mod call_ticket;
pub use call_ticket::PATH as CALL_TICKET;
mod calls;
mod config;
pub use config::{ASSISTANT_ID, SQUAD_ID};
mod events;
mod page_fault;
mod session;
mod status;
mod web_hook;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(config::config))
        .routes(routes!(calls::calls))
        .routes(routes!(call_ticket::call_ticket))
        .routes(routes!(events::events))
        .routes(routes!(call_info::call_info))
        .routes(routes!(session::end))
        .routes(routes!(session::leave))
        .routes(routes!(web_hook::web_hook))
        .routes(routes!(status::status))
        .routes(routes!(page_fault::page_fault))
}
