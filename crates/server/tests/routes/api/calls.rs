//! `GET /api/calls` and `/api/calls/events`.

use serde_json::Value;

use crate::support::caller::SocketCaller;
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn everyone_sees_the_ten_samples_newest_first() {
    let server = start_server("").await;
    let calls = server.visitor().get_json("/api/calls").await;
    let calls = calls.as_array().unwrap();
    assert_eq!(calls.len(), 10);
    assert!(
        calls
            .iter()
            .all(|call| call["sample"] == true && call["status"] == "ended")
    );
    let starts: Vec<_> = calls
        .iter()
        .map(|call| call["startedAt"].as_str().unwrap())
        .collect();
    assert!(
        starts.is_sorted_by(|newer, older| newer >= older),
        "{starts:?}"
    );
    for call in calls {
        let data = &call["structuredData"];
        assert!(data["urgent"].is_boolean() && data["transferred"].is_boolean());
        assert!(call["messages"].as_array().unwrap().len() > 1);
        for claim in call["evidence"].as_array().unwrap() {
            let at = claim["messageIndex"].as_u64().unwrap() as usize;
            assert_eq!(call["messages"][at]["role"], "user", "{claim}");
        }
        let triggers = call["escalationTriggers"].as_array().unwrap();
        assert_eq!(
            !triggers.is_empty(),
            data["urgent"] == true,
            "{}",
            call["id"]
        );
    }
}

#[tokio::test]
async fn a_visitor_never_sees_another_visitors_call() {
    let server = start_server("").await;
    let (caller, other) = (server.visitor(), server.visitor());
    other.get("/api/config").await;
    let call = caller.call().await;
    let mut events = caller.events().await;
    let mut line = SocketCaller::join(&call).await;
    line.until(|message| message == "listening").await.unwrap();
    line.hang_up().await;
    let ended = events.ended().await;
    assert_eq!(ended["callId"], call["id"]);

    let own: Value = caller.get_json("/api/calls").await;
    assert_eq!(own.as_array().unwrap().len(), 11);
    assert_eq!(own[0]["callId"], call["id"]);
    let seen: Value = other.get_json("/api/calls").await;
    assert_eq!(seen.as_array().unwrap().len(), 10);
    let path = format!("/api/getCallInfo?callId={}", call["id"].as_str().unwrap());
    refused(other.get(&path).await, 404, "call-not-found").await;
    refused(other.get("/api/getCallInfo").await, 404, "no-call-yet").await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    refused(other.get(&path).await, 404, "call-not-found").await;
}

#[tokio::test]
async fn event_streams_of_one_visitor_are_bounded() {
    let server = start_server("").await;
    let visitor = server.visitor();
    visitor.get("/api/config").await;
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(visitor.events().await);
    }
    refused(
        visitor.get("/api/calls/events").await,
        429,
        "too-many-streams",
    )
    .await;
}
