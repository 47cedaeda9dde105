//! How a visit ends: `DELETE /api/session` from the page's script, and `GET /leave` by the plain link
//! of *Exit this page*, for the moments before that script, and for browsers without one.

use axum::extract::State;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use records::VisitorId;

use crate::app::App;
use crate::end_of_visit;
use crate::errors::ErrorAnswer;
use crate::session::{CookiePolicy, Visitor};

/// Where *Exit this page* leads: a page anyone might be looking at. The page's own script leads there too.
const NEUTRAL_PAGE: &str = "https://www.weather.gov.sg/home/";

/// What the browser is told to clear on the way. Not `"cache"`: Chromium takes seconds over it, with this
/// page still in view.
const CLEARED: (HeaderName, &str) = (
    HeaderName::from_static("clear-site-data"),
    "\"cookies\", \"storage\"",
);

/// Ends the visitor's session: their calls and written conversations end as if they had hung up,
/// their event streams close, and the cookie is taken back. Their records stay with the duty team,
/// and this browser no longer reaches them.
#[utoipa::path(
    delete,
    path = "/api/session",
    operation_id = "end_session",
    tag = "page",
    responses(
        (status = 204, description = "Over, also if there was none"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked")
    )
)]
pub async fn end(State(app): State<App>, Visitor(visitor): Visitor) -> (StatusCode, HeaderMap) {
    (StatusCode::NO_CONTENT, end_session(&app, visitor))
}

/// Ends the visitor's session too, has the browser clear what the site stored, and leads on to a
/// neutral page. Only looked at (by `HEAD`, fetched ahead, or from another site) it leads on and ends nothing.
#[utoipa::path(
    get,
    path = "/leave",
    operation_id = "exit_page",
    tag = "page",
    responses((status = 303, description = "To a page anyone might be looking at"))
)]
pub async fn leave(
    method: Method,
    asked: HeaderMap,
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> (StatusCode, HeaderMap) {
    let mut headers = HeaderMap::new();
    if is_meant(&method, &asked) {
        headers = end_session(&app, visitor);
        let (clear_site_data, what) = CLEARED;
        headers.insert(clear_site_data, HeaderValue::from_static(what));
    }
    headers.insert(header::LOCATION, HeaderValue::from_static(NEUTRAL_PAGE));
    (StatusCode::SEE_OTHER, headers)
}

/// Whether somebody followed the link on one of our pages, or typed its address. Browsers too old to say where a request
/// comes from are believed: who must leave at once must get away.
fn is_meant(method: &Method, asked: &HeaderMap) -> bool {
    let says = |name: &str| asked.get(name).and_then(|value| value.to_str().ok());
    let fetched_ahead = ["sec-purpose", "purpose", "x-moz"]
        .into_iter()
        .filter_map(says)
        .any(|purpose| purpose.contains("prefetch"));
    let from_here = matches!(says("sec-fetch-site"), None | Some("same-origin" | "none"));
    *method == Method::GET && !fetched_ahead && from_here
}

/// What there is of the visit ends; the headers have the browser forget it.
fn end_session(app: &App, visitor: VisitorId) -> HeaderMap {
    end_of_visit::everywhere(app, visitor);
    let mut headers = HeaderMap::new();
    let cookie = CookiePolicy::of(&app.settings).taken_back();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    headers
}
