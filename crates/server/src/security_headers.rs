//! Headers that every answer carries: what a browser may load, whom it may tell where it came
//! from, and which of its powers this site asks for (the microphone, on its own pages only).

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// `blob:` is for audio worklets and media made in the page. Styles and scripts come from files alone: what a script sets
/// on an element (chart sizes, the volume meter) is neither, and the web app's build refuses a page that has any written into it.
const CONTENT: &str = "default-src 'self'; script-src 'self'; worker-src 'self' blob:; \
    style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; \
    font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
    ),
];

/// Told to browsers that came by https, for a year.
const HTTPS_ONLY: &str = "max-age=31536000";

/// Sets them where a handler has not set its own; `by_https` is how browsers reach this site. What is not marked otherwise is not stored by
/// anyone: answers hold call records.
pub async fn set(State(by_https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if by_https {
        let value = HeaderValue::from_static(HTTPS_ONLY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
