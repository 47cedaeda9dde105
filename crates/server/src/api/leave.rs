//! `POST /api/leave`: "Exit this page" was pressed. The browser forgets the visitor's session, which
//! the page's own script cannot reach, so that the next person at it finds no calls of theirs.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};

use crate::session;

/// The records stay where they are, bound to a session that nobody holds any more.
#[utoipa::path(
    post,
    path = "/api/leave",
    operation_id = "leave_site",
    tag = "page",
    responses((status = 204, description = "The session's cookie is taken back"))
)]
pub async fn leave() -> (StatusCode, [(HeaderName, HeaderValue); 1]) {
    (
        StatusCode::NO_CONTENT,
        [(header::SET_COOKIE, session::cookie_taken_back())],
    )
}
