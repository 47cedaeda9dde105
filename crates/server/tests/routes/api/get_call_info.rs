//! `GET /api/getCallInfo`.

use crate::support::caller::SocketCaller;
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn without_parameters_it_is_the_visitors_latest_call_with_the_specifications_fields() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    for _ in 0..2 {
        let call = visitor.call().await;
        let mut line = SocketCaller::join(&call).await;
        line.until(|message| message == "listening").await.unwrap();
        line.hang_up().await;
        events.ended().await;
        let info = visitor.get_json("/api/getCallInfo").await;
        assert_eq!(info["callId"], call["id"]);
        assert!(info["startedAt"].is_string());
        assert!(info["durationSeconds"].as_f64().unwrap() >= 0.0);
        assert!(info["summaryTitle"].as_str().unwrap().starts_with("Caller"));
        assert!(!info["summary"].as_str().unwrap().is_empty());
        assert!(info["messages"].is_array());
        let required = [
            "name",
            "urgent",
            "location",
            "follow_up",
            "abuse_type",
            "transfer_to",
            "transferred",
            "latest_incident_date",
        ];
        for field in required {
            assert!(!info["structuredData"][field].is_null(), "{field}");
        }
    }
}

#[tokio::test]
async fn what_is_not_a_call_of_the_visitor_is_refused_with_what_to_do() {
    let server = start_server("").await;
    let visitor = server.visitor();
    refused(visitor.get("/api/getCallInfo").await, 404, "no-call-yet").await;
    let wrong = refused(
        visitor.get("/api/getCallInfo?callId=x").await,
        400,
        "parameter-invalid",
    )
    .await;
    assert!(wrong["message"].as_str().unwrap().contains("`callId`"));
    let twice = "/api/getCallInfo?callId=a&callId=b";
    refused(visitor.get(twice).await, 400, "parameter-invalid").await;
    let unknown = "/api/getCallInfo?callId=3f0a3c5e-8a5e-4b52-9f0e-0e4c8a1d2b3c";
    refused(visitor.get(unknown).await, 404, "call-not-found").await;
}
