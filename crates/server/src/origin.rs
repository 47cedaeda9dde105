//! Where a client reaches this server, for the URLs it is given: the public origin that is set, or
//! the host it asked for. Behind a proxy that ends TLS the origin must be set.

use axum::http::{HeaderMap, header};

use crate::settings::Settings;

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
