//! `DELETE /api/session`, and `GET /leave`, which does the same without a script.

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
async fn what_a_left_page_still_asks_for_brings_no_session_back() {
    let server = start_server("").await;
    let visitor = server.visitor();
    visitor.get("/").await;
    leave(&visitor).await;
    let of_a_script = |method: Method, path: &str| {
        // The browser has forgotten the cookie; the page's scripts run on until the next page comes.
        server
            .visitor()
            .request(method, path)
            .header("sec-fetch-dest", "empty")
    };
    for path in ["/api/config", "/api/calls", "/api/getCallInfo?callId=1"] {
        let answer = of_a_script(Method::GET, path).send().await.unwrap();
        assert!(!answer.headers().contains_key(header::SET_COOKIE), "{path}");
    }
    let again = of_a_script(Method::GET, "/api/calls/events")
        .header(header::ACCEPT, "text/event-stream")
        .header("last-event-id", "0");
    let again = again.send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NO_CONTENT, "it gives up");
    assert!(!again.headers().contains_key(header::SET_COOKIE));
}

#[tokio::test]
async fn a_page_a_stream_a_call_and_a_conversation_begin_a_session() {
    let server = start_server("").await;
    let asks = [
        (Method::GET, "/", "document", "text/html"),
        (
            Method::GET,
            "/api/calls/events",
            "empty",
            "text/event-stream",
        ),
        (Method::POST, "/call/web", "empty", "*/*"),
        (Method::POST, "/chat", "empty", "*/*"),
    ];
    for (method, path, dest, accept) in asks {
        let ask = server
            .visitor()
            .request(method, path)
            .bearer_auth(PUBLIC_KEY)
            .header("sec-fetch-dest", dest)
            .header(header::ACCEPT, accept)
            .json(&json!({"assistantId": "helpline", "input": ""}));
        let answer = ask.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        assert!(answer.headers().contains_key(header::SET_COOKIE), "{path}");
    }
}

#[tokio::test]
async fn a_stream_of_events_can_be_told_when_it_connects_again() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.get("/api/calls/events").await;
    let first = events.chunk().await.unwrap().unwrap();
    assert_eq!(first, "id: 0\n\n");
    // With its session it goes on.
    let again = visitor
        .request(Method::GET, "/api/calls/events")
        .header("last-event-id", "0");
    assert_eq!(visitor.send(again).await.status(), StatusCode::OK);
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

#[tokio::test]
async fn a_plain_link_ends_the_visit_too_clears_the_browser_and_leads_away() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until(|message| message == "listening").await.unwrap();

    let request = visitor.request(Method::GET, "/leave");
    let answer = visitor.send(request).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let headers = answer.headers();
    for (name, expected) in [
        ("location", "https://www.weather.gov.sg/home/"),
        ("clear-site-data", "\"cookies\", \"storage\""),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(headers[name], expected, "{name}");
    }
    let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
    assert_eq!(cookies.len(), 1);
    let cookie = cookies[0].to_str().unwrap();
    assert!(cookie.starts_with("nightlight-visitor=;"), "{cookie}");
    assert!(cookie.contains("Max-Age=0"), "{cookie}");

    line.until(|_| false).await;
    let told = |what: &str| line.told.iter().any(|told| told.contains(what));
    assert!(told("customer-ended-call"), "{:?}", line.told);
    while events.next().await.is_some() {}
}

#[tokio::test]
async fn looking_at_the_plain_link_ends_nothing() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let waiting = || async {
        let metrics = visitor.get("/metrics").await.text().await.unwrap();
        metrics.contains("nightlight_calls_waiting_to_be_joined 1")
    };
    let looks = [
        (Method::HEAD, "accept", "*/*"),
        (Method::GET, "sec-purpose", "prefetch;prerender"),
        (Method::GET, "purpose", "prefetch"),
        // Somebody else's page, with a link or a picture that leads here.
        (Method::GET, "sec-fetch-site", "cross-site"),
        (Method::GET, "sec-fetch-site", "same-site"),
    ];
    for (method, name, value) in looks {
        let look = visitor
            .request(method.clone(), "/leave")
            .header(name, value);
        let answer = visitor.send(look).await;
        let what = format!("{method} with {name}: {value}");
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{what}");
        assert!(!answer.headers().contains_key("clear-site-data"), "{what}");
        assert!(waiting().await, "{what} ended the call");
    }
    let meant = visitor.request(Method::GET, "/leave");
    visitor
        .send(meant.header("sec-fetch-site", "same-origin"))
        .await;
    assert!(!waiting().await);
    drop(call);
}
