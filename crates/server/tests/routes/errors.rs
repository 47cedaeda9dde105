//! What every path has in common.

use reqwest::{Method, StatusCode};

use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn a_path_or_method_that_is_not_there_is_refused_in_json() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for path in ["/api/nothing", "/api", "/call/web/x/y/z", "/missing.js"] {
        refused(visitor.get(path).await, 404, "path-not-found").await;
    }
    let put = visitor.request(Method::PUT, "/api/config");
    refused(visitor.send(put).await, 405, "method-not-allowed").await;
    let post = visitor.request(Method::POST, "/demo");
    refused(visitor.send(post).await, 405, "method-not-allowed").await;
}

#[tokio::test]
async fn an_id_that_is_no_text_is_refused_in_json() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for (method, path, code) in [
        (Method::GET, "/call/%FF", "call-not-found"),
        (Method::POST, "/call/%FF/whip", "call-not-found"),
        (Method::DELETE, "/call/%FF/whip/%FF", "call-not-found"),
        (Method::GET, "/chat/%FF", "chat-not-found"),
        (Method::DELETE, "/chat/%FF", "chat-not-found"),
    ] {
        let request = visitor
            .request(method, path)
            .header("content-type", "application/sdp")
            .body("v=0");
        refused(visitor.send(request).await, 404, code).await;
    }
}

#[tokio::test]
async fn the_server_says_how_it_is() {
    let server = start_server("max_calls = 7").await;
    let visitor = server.visitor();
    let health = visitor.get_json("/health").await;
    assert_eq!(health["status"], "ok");
    assert_eq!(health["maxCalls"], 7);
    visitor.get("/api/config").await;
    let metrics = visitor.get("/metrics").await;
    assert_eq!(metrics.status(), StatusCode::OK);
    let text = metrics.text().await.unwrap();
    assert!(text.contains("nightlight_http_requests_total"), "{text}");
    assert!(text.contains("path=\"/api/config\""), "{text}");
}

#[tokio::test]
async fn what_a_stranger_calls_a_method_is_no_name_of_a_measurement() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for number in 0..3 {
        let method = Method::from_bytes(format!("INVENTED{number}").as_bytes()).unwrap();
        let answer = visitor.send(visitor.request(method, "/api/config")).await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
    let text = visitor.get("/metrics").await.text().await.unwrap();
    assert!(!text.contains("INVENTED"), "{text}");
    assert!(text.contains("method=\"other\""), "{text}");
}
