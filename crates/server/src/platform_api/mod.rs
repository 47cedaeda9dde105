//! The voice platform's own paths, served by this server. One file a path.

mod call;
mod chat;
mod socket;
mod web_call;
mod whip;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::errors::ApiError;
use crate::lines::LineError;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(web_call::start))
        .routes(routes!(call::call))
        .routes(routes!(whip::offer))
        .routes(routes!(whip::leave))
        .routes(routes!(socket::socket))
        .routes(routes!(chat::create))
        .routes(routes!(chat::read, chat::end))
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
