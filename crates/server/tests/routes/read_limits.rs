//! How often the API may be read from elsewhere. What this machine itself asks is not counted: these requests say that a proxy
//! passed them on.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde_json::json;

use crate::support::program::{PRIVATE_KEY, Program, with_a_key};
use crate::support::visitor::{Visitor, refused};
use crate::support::{TestServer, start_server};

/// Whoever asks from this address for the first time.
fn at(server: &TestServer, host: u8) -> Visitor {
    let address = IpAddr::V4(Ipv4Addr::new(127, 0, 2, host));
    Visitor::from_address(&server.url, address)
}

async fn read(visitor: &Visitor, path: &str) -> Response {
    passed_on(visitor, visitor.request(Method::GET, path)).await
}

async fn read_with(visitor: &Visitor, key: &str, path: &str) -> Response {
    let request = visitor.request(Method::GET, path);
    passed_on(visitor, request.bearer_auth(key)).await
}

async fn passed_on(visitor: &Visitor, request: RequestBuilder) -> Response {
    visitor.send(request.header(header::VIA, "1.1 proxy")).await
}

#[tokio::test]
async fn a_visitor_who_reads_too_often_is_told_when_to_read_again_and_can_call_all_the_same() {
    let server = start_server("reads_per_minute = 3").await;
    let visitor = server.visitor();
    read(&visitor, "/api/config").await;
    for path in ["/api/calls", "/api/calls?limit=1", "/openapi.json"] {
        assert_eq!(
            read(&visitor, path).await.status(),
            StatusCode::OK,
            "{path}"
        );
    }
    let held_back = read(&visitor, "/api/getCallInfo").await;
    assert!(held_back.headers().contains_key(header::RETRY_AFTER));
    let refusal = refused(held_back, 429, "too-often").await;
    assert!(refusal["numbers"].is_array(), "{refusal}");
    for path in ["/api/config", "/api/calls/events", "/health"] {
        assert_eq!(
            read(&visitor, path).await.status(),
            StatusCode::OK,
            "{path}"
        );
    }
    visitor.call().await;
    let other = read(&server.visitor(), "/api/calls").await;
    assert_eq!(other.status(), StatusCode::OK);
}

#[tokio::test]
async fn who_reads_without_a_session_is_held_back_by_their_address_and_nobody_else_is() {
    let server = start_server("address_reads_per_minute = 3").await;
    for _ in 0..3 {
        let first = read(&at(&server, 1), "/api/calls").await;
        assert_eq!(first.status(), StatusCode::OK);
    }
    refused(read(&at(&server, 1), "/api/calls").await, 429, "too-often").await;
    let elsewhere = read(&at(&server, 2), "/api/calls").await;
    assert_eq!(elsewhere.status(), StatusCode::OK);
    let of_this_machine = at(&server, 1).get("/api/calls").await;
    assert_eq!(of_this_machine.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_key_that_reads_too_often_is_held_back_wherever_it_is_used_and_no_other_key_is() {
    let server = start_server(&format!("{}\naddress_reads_per_minute = 3", with_a_key())).await;
    let program = Program::of(&server);
    let token = program.made("/token", json!({"tag": "private"})).await;
    let token = token["value"].as_str().unwrap();
    for host in 1..=3 {
        let allowed = read_with(&at(&server, host), PRIVATE_KEY, "/tool").await;
        assert_eq!(allowed.status(), StatusCode::OK);
    }
    let held_back = read_with(&at(&server, 4), PRIVATE_KEY, "/tool").await;
    refused(held_back, 429, "too-often").await;
    for host in 5..=7 {
        let by_token = read_with(&at(&server, host), token, "/tool").await;
        assert_eq!(by_token.status(), StatusCode::OK);
    }
    let held_back = read_with(&at(&server, 8), token, "/tool").await;
    refused(held_back, 429, "too-often").await;
}
