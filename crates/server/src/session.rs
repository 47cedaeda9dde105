//! Who is asking: the visitor's session, a random token in a cookie, set with the first answer
//! that finds none. Calls are bound to it. It is no login, names nobody, and ends with the
//! browser's session, which matters on a shared computer. The records keep only a digest of the
//! token: who reads them cannot take over a session.
//!
//! What a page's script reads begins none: the page itself did. Where such a request has no
//! session, its visitor has just left, and nothing of the site is to be put back.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use rand::RngExt;
use records::VisitorId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::api::CALL_TICKET;
use crate::settings::Settings;

const COOKIE: &str = "nightlight-visitor";
const TOKEN_BYTES: usize = 24;

/// Sent by browsers: "empty" for what a script asks for.
const FETCHED_FOR: HeaderName = HeaderName::from_static("sec-fetch-dest");
/// Sent by an `EventSource` that connects again.
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// The visitor a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visitor(pub VisitorId);

/// On a request of a visitor who had a session and has left it.
#[derive(Debug, Clone, Copy)]
pub struct HasLeft;

/// How session cookies are marked.
#[derive(Debug, Clone, Copy)]
pub struct CookiePolicy {
    /// The site is reached by https only.
    pub secure: bool,
}

/// Knows the visitor, or begins a session; handlers take [`Visitor`] as an argument.
///
/// A page begins one too, so that the several requests it makes at once share it. Files do not:
/// they are kept in caches, and a cookie must not be.
pub async fn know_the_visitor(
    State(policy): State<CookiePolicy>,
    mut request: Request,
    next: Next,
) -> Response {
    let (token, known) = match token_of(request.headers()) {
        Some(token) => (token, true),
        None => (new_token(), false),
    };
    request.extensions_mut().insert(Visitor(visitor_of(&token)));
    if !known && connects_again(request.headers()) {
        request.extensions_mut().insert(HasLeft);
    }
    let begins = begins_a_session(&request);
    let mut response = next.run(request).await;
    let told_already = response.headers().contains_key(header::SET_COOKIE);
    if !known && !told_already && (begins || is_a_page(&response)) {
        let cookie = policy.cookie(token).to_string();
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

impl CookiePolicy {
    pub fn of(settings: &Settings) -> Self {
        Self {
            secure: settings.is_reached_by_https(),
        }
    }

    /// The cookie that has a browser forget the session.
    pub fn taken_back(self) -> String {
        let mut cookie = self.cookie(String::new());
        cookie.make_removal();
        cookie.to_string()
    }

    fn cookie(self, token: String) -> Cookie<'static> {
        Cookie::build((COOKIE, token))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .path("/")
            .build()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        // Routes without the middleware see a visitor who owns nothing.
        Ok(parts
            .extensions
            .get::<Visitor>()
            .copied()
            .unwrap_or_else(|| Visitor(visitor_of(&new_token()))))
    }
}

/// Whether the answer to this request may be a session's first: a call or a conversation that
/// begins, and whatever is read by other than a page's script. A page may have come out of a cache,
/// without a session: then its stream of events, which lasts, begins one.
fn begins_a_session(request: &Request) -> bool {
    let headers = request.headers();
    let for_a_script = headers.get(FETCHED_FOR).is_some_and(|dest| dest == "empty");
    let first = request.uri().path().split('/').nth(1);
    match (first, request.method()) {
        (Some("call" | "chat"), &Method::POST) => true,
        // A call on the hosted platform begins with it.
        (Some("api"), &Method::POST) => request.uri().path() == CALL_TICKET,
        (Some("api" | "call" | "chat"), &Method::GET) => {
            !for_a_script || opens_a_stream(headers) && !connects_again(headers)
        }
        _ => false,
    }
}

fn opens_a_stream(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept == "text/event-stream")
}

fn connects_again(headers: &HeaderMap) -> bool {
    headers.contains_key(LAST_EVENT)
}

fn is_a_page(response: &Response) -> bool {
    response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

fn token_of(headers: &HeaderMap) -> Option<String> {
    let token = CookieJar::from_headers(headers)
        .get(COOKIE)?
        .value()
        .to_owned();
    let sound = token.len() == TOKEN_BYTES * 2 && token.bytes().all(|b| b.is_ascii_hexdigit());
    sound.then_some(token)
}

fn new_token() -> String {
    let mut bytes = [0u8; TOKEN_BYTES];
    rand::rng().fill(&mut bytes[..]);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn visitor_of(token: &str) -> VisitorId {
    let digest = Sha256::digest(token.as_bytes());
    let mut id = [0u8; 16];
    id.copy_from_slice(&digest[..16]);
    VisitorId(Uuid::from_bytes(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().expect("a header value"));
        headers
    }

    #[test]
    fn a_token_is_long_and_never_the_same() {
        let (one, other) = (new_token(), new_token());
        assert_eq!(one.len(), 48);
        assert_ne!(one, other);
        assert_ne!(visitor_of(&one), visitor_of(&other));
    }

    #[test]
    fn a_cookie_that_we_did_not_make_begins_a_new_session() {
        for cookie in ["nightlight-visitor=", "nightlight-visitor=abc", "other=1"] {
            assert_eq!(token_of(&headers(cookie)), None, "{cookie}");
        }
        let token = new_token();
        let cookie = format!("theme=dark; nightlight-visitor={token}");
        assert_eq!(token_of(&headers(&cookie)), Some(token));
    }
}
