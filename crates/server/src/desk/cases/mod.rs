//! `/api/desk/cases/…`: the calls that have ended, as the desk works on them. What may be done with a case is for
//! `desk::cases::rules`; here is how it is asked and answered.
//!
//! Whatever changes a case rings the bell of `casework`, which tells the open pages, here and on other nodes.

mod entry;
mod follow_ups;
mod inside;
mod list;
pub mod names;
mod queue_views;
pub mod refusal;
mod timeline;
pub mod wire;
mod work;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use records::CallId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::errors::ApiError;

pub use queue_views::QueueViews;
pub use refusal::CaseRefusal;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list, entry::enter))
        .routes(routes!(inside::inside))
        .routes(routes!(work::take))
        .routes(routes!(work::give_back))
        .routes(routes!(work::touch))
        .routes(routes!(work::edit_note))
        .routes(routes!(work::note_action))
        .routes(routes!(work::set_caller_number))
        .routes(routes!(work::close))
        .routes(routes!(work::reopen))
        .routes(routes!(follow_ups::add))
        .routes(routes!(follow_ups::change))
        .routes(routes!(list::colleagues))
}

/// What is no id is no case's.
pub fn known(id: Result<Path<Uuid>, PathRejection>) -> Result<CallId, ApiError> {
    match id {
        Ok(Path(id)) => Ok(CallId(id)),
        Err(_) => Err(ApiError::Case(CaseRefusal::Unknown)),
    }
}
