//! What is not served here while the hosted platform holds the calls: asking for one, and joining one. A page or program that
//! asks all the same, such as a page that was opened before the move, is told so, and whom to ring. Reading is served as ever.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::errors::ApiError;
use crate::settings::Settings;

const CALLS: &str = "/call/";

pub async fn refuse_calls(
    State(settings): State<Arc<Settings>>,
    request: Request,
    next: Next,
) -> Response {
    let holds_calls_here = settings.hosted_platform.calls.is_none();
    if holds_calls_here || !begins_or_joins(&request) {
        return next.run(request).await;
    }
    ApiError::CallsAreHosted.into_response()
}

fn begins_or_joins(request: &Request) -> bool {
    let to_a_call = request.uri().path().starts_with(CALLS);
    let upgrades = request.headers().contains_key(header::UPGRADE);
    to_a_call && (request.method() == Method::POST || upgrades)
}
