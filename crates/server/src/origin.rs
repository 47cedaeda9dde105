//! Where a client reaches this server, for the URLs it is given: the public origin that is set, or
//! the host it asked for. Behind a proxy that ends TLS the origin must be set.
//!
//! Of several nodes behind one origin, a call's media is with the one that answered: where nodes have names, the paths of a
//! call say which, and a proxy leads there by them. Here they lead wherever they were sent. So do the desk's paths, which ask
//! about live calls (decision 0063); of another node's they are not answered here, or a page would hear of each call here twice.
//!
//! And whose page asks: what changes something, or opens a socket, is for pages of this site and for programs. Browsers send the
//! visitor's cookie with what another site's page asks for too.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::errors::ApiError;
use crate::settings::Settings;

const NODES: &str = "/node/";
// What may be asked of a node by its name. All else is the same wherever it is asked, and has one path.
const CALLS: &str = "call/";
const DESK: &str = "api/desk/";

/// Refuses what the page of another site asks for, unless it only reads.
pub async fn refuse_foreign_pages(
    State(settings): State<Arc<Settings>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let only_reads = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    ) && !headers.contains_key(header::UPGRADE);
    if !only_reads && is_foreign(headers, &settings) {
        return ApiError::ForeignOrigin.into_response();
    }
    next.run(request).await
}

/// Programs name no origin; browsers always do where it matters, and no page can keep them from it.
fn is_foreign(headers: &HeaderMap, settings: &Settings) -> bool {
    let says = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let Ok(origin) = origin.to_str() else {
        return true;
    };
    // Behind a proxy the host may be another than the browser asked for.
    let same = says(header::HeaderName::from_static("sec-fetch-site")) == Some("same-origin");
    let host = origin.split_once("://").map(|(_, host)| host);
    let here = host.is_some() && host == says(header::HOST);
    !(same || here || settings.public_origin.as_deref() == Some(origin))
}

/// `http(s)://host[:port]`.
pub fn of_request(headers: &HeaderMap, settings: &Settings) -> String {
    if let Some(origin) = &settings.public_origin {
        return origin.clone();
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .filter(|host| is_a_host(host));
    match host {
        Some(host) => format!("http://{host}"),
        None => format!("http://{}", settings.listen),
    }
}

/// Where the proxy in front of several nodes finds this one, whose calls' media is here: it may take this off the path
/// again. Empty where there is only one.
pub fn path_here(settings: &Settings) -> String {
    match &settings.node_name {
        Some(name) => format!("{NODES}{name}"),
        None => String::new(),
    }
}

/// Takes a node's name from the path of a request. Whoever a call's was meant for, it is here: that the call is elsewhere is
/// said by what looks for it. The desk's is meant for the node of this name alone.
pub fn without_node(own_name: Option<&str>, mut request: Request) -> Request {
    let path = request.uri().path_and_query().map(|path| path.as_str());
    let named = path.and_then(|path| path.strip_prefix(NODES)?.split_once('/'));
    let is_for_this = |(name, rest): &(&str, &str)| {
        rest.starts_with(CALLS) || rest.starts_with(DESK) && own_name == Some(*name)
    };
    if let Some((_, rest)) = named.filter(is_for_this)
        && let Ok(shorter) = format!("/{rest}").parse()
    {
        *request.uri_mut() = shorter;
    }
    request
}

/// The same place for a WebSocket.
pub fn for_sockets(origin: &str) -> String {
    // "http" is a prefix of "https" too: http → ws, https → wss.
    origin.replacen("http", "ws", 1)
}

fn is_a_host(host: &str) -> bool {
    !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']'))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn sockets_are_as_secure_as_their_origin() {
        assert_eq!(for_sockets("https://line.example"), "wss://line.example");
        assert_eq!(
            for_sockets("http://line.example:8080"),
            "ws://line.example:8080"
        );
    }

    #[test]
    fn a_call_is_reached_by_the_name_of_whatever_node_the_desk_by_its_own_and_nothing_else_is() {
        for (asked, served) in [
            ("/node/a/call/1/whip?x=1", "/call/1/whip?x=1"),
            ("/node/b/call/1/whip", "/call/1/whip"),
            ("/call/1/whip", "/call/1/whip"),
            ("/node/a/api/desk/events", "/api/desk/events"),
            ("/node/b/api/desk/events", "/node/b/api/desk/events"),
            ("/node/a/api/calls", "/node/a/api/calls"),
            ("/node/a/api/deskcalls", "/node/a/api/deskcalls"),
            ("/node/a/desk", "/node/a/desk"),
            ("/node/a/b/call/1", "/node/a/b/call/1"),
            ("/node/call/1", "/node/call/1"),
        ] {
            let request = Request::builder().uri(asked).body(Body::empty());
            let request = without_node(Some("a"), request.expect("a request"));
            assert_eq!(request.uri(), served);
        }
        let desk = Request::builder().uri("/node/a/api/desk/events");
        let request = desk.body(Body::empty()).expect("a request");
        let request = without_node(None, request);
        assert_eq!(request.uri(), "/node/a/api/desk/events", "it has no name");
    }

    #[test]
    fn a_page_of_another_site_is_told_from_our_own_and_from_programs() {
        let own = "public_origin = 'https://line.example'";
        let settings = Settings::from_sources(Some(own), []).expect("sound");
        let asked = |told: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "127.0.0.1:8080".parse().expect("a value"));
            for (name, value) in told {
                headers.insert(*name, value.parse().expect("a value"));
            }
            is_foreign(&headers, &settings)
        };
        assert!(!asked(&[]), "a program");
        assert!(!asked(&[("origin", "https://line.example")]));
        assert!(!asked(&[("origin", "http://127.0.0.1:8080")]));
        assert!(!asked(&[
            ("origin", "https://x"),
            ("sec-fetch-site", "same-origin")
        ]));
        for foreign in [
            "https://evil.example",
            "null",
            "http://line.example",
            "https://line.example.evil",
        ] {
            assert!(asked(&[("origin", foreign)]), "{foreign}");
        }
    }

    #[test]
    fn a_host_header_that_is_no_host_is_not_repeated() {
        let settings = Settings::from_sources(None, []).expect("the defaults are sound");
        let mut headers = HeaderMap::new();
        headers.insert(
            header::HOST,
            "line.example/path?x".parse().expect("a value"),
        );
        assert_eq!(of_request(&headers, &settings), "http://127.0.0.1:8080");
        headers.insert(header::HOST, "localhost:5173".parse().expect("a value"));
        assert_eq!(of_request(&headers, &settings), "http://localhost:5173");
    }
}
