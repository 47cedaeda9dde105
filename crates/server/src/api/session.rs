//! `DELETE /api/session`: the visitor leaves, and the browser forgets who they were.

use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use flow::EndReason;

use crate::app::App;
use crate::session::{CookiePolicy, Visitor};
use crate::written::exchange;

/// Ends the visitor's session: their calls and written conversations end as if they had hung up,
/// their event streams close, and the cookie is taken back. Their records stay with the duty team,
/// and this browser no longer reaches them.
#[utoipa::path(
    delete,
    path = "/api/session",
    operation_id = "end_session",
    tag = "page",
    responses((status = 204, description = "Over, also if there was none"))
)]
pub async fn end(State(app): State<App>, Visitor(visitor): Visitor) -> (StatusCode, HeaderMap) {
    for call in app.lines.leave_all(visitor) {
        app.switchboard.hang_up(call, EndReason::CallerEnded);
    }
    for conversation in app.written.of(visitor) {
        // Carried through also when the page is gone by now, as it is likely to be.
        let tasks = app.tasks.clone();
        let app = app.clone();
        tasks
            .spawn(async move { exchange::end(&app, &conversation, EndReason::CallerEnded).await });
    }
    app.notifications.close(visitor);
    let mut headers = HeaderMap::new();
    let cookie = CookiePolicy::of(&app.settings).taken_back();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    (StatusCode::NO_CONTENT, headers)
}
