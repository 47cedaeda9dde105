//! `DELETE /api/session`.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{Visitor, start_server};

async fn leave(visitor: &Visitor) -> String {
    let answer = visitor.send(visitor.request(Method::DELETE, "/api/session"));
    let answer = answer.await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let cookies: Vec<_> = answer
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .collect();
    assert_eq!(cookies.len(), 1);
    cookies[0].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn leaving_has_the_browser_forget_the_session() {
    let server = start_server("").await;
    let visitor = server.visitor();
    visitor.get("/api/config").await;
    for _ in 0..2 {
        let cookie = leave(&visitor).await;
        assert!(cookie.starts_with("nightlight-visitor=;"), "{cookie}");
        for part in ["Max-Age=0", "Path=/", "HttpOnly"] {
            assert!(cookie.contains(part), "{cookie}");
        }
    }
}

#[tokio::test]
async fn leaving_ends_the_visitors_calls_and_conversations_and_nobody_elses() {
    let server = start_server("private_key = '0123456789abcdef'").await;
    let (visitor, other) = (server.visitor(), server.visitor());
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until(|message| message == "listening").await.unwrap();
    let waiting = visitor.call().await;
    let begin = |visitor: &Visitor| {
        visitor
            .request(Method::POST, "/chat")
            .bearer_auth(PUBLIC_KEY)
            .json(&json!({"assistantId": "helpline", "input": ""}))
    };
    let chat: Value = visitor.send(begin(&visitor)).await.json().await.unwrap();
    let others: Value = other.send(begin(&other)).await.json().await.unwrap();

    leave(&visitor).await;
    line.until(|_| false).await;
    let ended = line
        .told
        .iter()
        .any(|told| told.contains("customer-ended-call"));
    assert!(ended, "{:?}", line.told);
    while events.next().await.is_some() {}
    let delete = |chat: &Value| {
        let path = format!("/chat/{}", chat["id"].as_str().unwrap());
        server
            .visitor()
            .request(Method::DELETE, &path)
            .bearer_auth("0123456789abcdef")
    };
    let chat: Value = visitor.send(delete(&chat)).await.json().await.unwrap();
    assert_eq!(chat["endedReason"], "customer-ended-call");
    let path = format!("/call/{}/whip", waiting["id"].as_str().unwrap());
    let offer = visitor
        .request(Method::POST, &path)
        .header("content-type", "application/sdp")
        .body("v=0");
    refused(visitor.send(offer).await, 410, "call-expired").await;
    let path = format!("/chat/{}", others["id"].as_str().unwrap());
    assert_eq!(other.get_json(&path).await["status"], "in-progress");

    let known = visitor.get_json("/api/calls").await;
    assert_eq!(
        known.as_array().unwrap().len(),
        10,
        "a new session: samples only"
    );
}
