//! Headers that every answer carries: what a browser may load, whom it may tell where it came
//! from, and which of its powers this site asks for (the microphone, on its own pages only).

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::settings::Settings;

/// `blob:` is for audio worklets and media made in the page. Styles and scripts come from files alone: what a script sets
/// on an element (chart sizes, the volume meter) is neither, and the web app's build refuses a page that has any written into it.
const CONTENT: &str = "default-src 'self'; script-src 'self'{script}; worker-src 'self' blob:; \
    style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; \
    font-src 'self' data:; connect-src 'self'{connect}; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// Where the call library's own script comes from, and what its noise canceller is compiled as. Nothing else may be evaluated.
const CALL_LIBRARY_SCRIPTS: &str = " https://c.daily.co 'wasm-unsafe-eval'";
/// Where that library signals, asks which place is near and fetches what it lacks. Sound itself is not under this policy.
const CALL_LIBRARY_CONNECTS: &str =
    "https://*.daily.co wss://*.daily.co https://prod-ks.pluot.blue";

const HEADERS: [(HeaderName, &str); 6] = [
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

/// What depends on the settings.
#[derive(Clone)]
pub struct Headers {
    content: HeaderValue,
    /// How browsers reach this site.
    by_https: bool,
}

impl Headers {
    /// Pages go nowhere but here; where the hosted platform holds the calls, to it and to where its call library needs.
    pub fn of(settings: &Settings) -> Self {
        let (script, connect) = match settings.hosted_platform.calls {
            None => (String::new(), String::new()),
            Some(_) => (
                CALL_LIBRARY_SCRIPTS.to_owned(),
                format!(
                    " {} {CALL_LIBRARY_CONNECTS}",
                    settings.hosted_platform.url.origin()
                ),
            ),
        };
        let content = CONTENT
            .replace("{script}", &script)
            .replace("{connect}", &connect);
        Self {
            content: HeaderValue::from_str(&content).expect("an origin has no control characters"),
            by_https: settings.is_reached_by_https(),
        }
    }
}

/// Told to browsers that came by https, for a year.
const HTTPS_ONLY: &str = "max-age=31536000";

/// Sets them where a handler has not set its own. What is not marked otherwise is not stored by
/// anyone: answers hold call records.
pub async fn set(State(own): State<Headers>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if own.by_https {
        let value = HeaderValue::from_static(HTTPS_ONLY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(own.content);
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
