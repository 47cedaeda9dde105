//! `POST /api/webHook`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

use crate::support::visitor::refused;
use crate::support::{Visitor, start_server};

const SECRET: &str = "abcdefghijklmnop";

async fn tell(visitor: &Visitor, message: Value) -> reqwest::Response {
    let request = visitor
        .request(Method::POST, "/api/webHook")
        .header("X-Vapi-Secret", SECRET)
        .json(&json!({"message": message}));
    visitor.send(request).await
}

async fn told(visitor: &Visitor, message: Value) -> Value {
    let response = tell(visitor, message).await;
    assert_eq!(response.status(), StatusCode::OK);
    response.json().await.unwrap()
}

fn report(call: Uuid, title: &str) -> Value {
    json!({
        "type": "end-of-call-report",
        "call": {"id": call.to_string()},
        "endedReason": "customer-ended-call",
        "startedAt": "2026-11-19T18:00:00.000Z",
        "endedAt": "2026-11-19T18:02:30.000Z",
        "artifact": {"messages": [
            {"role": "system", "message": "the prompt", "secondsFromStart": 0},
            {"role": "bot", "message": "Hello.", "secondsFromStart": 1.0},
            {"role": "user", "message": "Hi.", "secondsFromStart": 3.0}
        ]},
        "analysis": {"summary": title, "structuredData": {
            "name": "Mei", "urgent": true, "location": "Bedok", "follow_up": "Call her back.",
            "abuse_type": "Physical", "transfer_to": "SPF", "transferred": true,
            "latest_incident_date": "last night"
        }}
    })
}

#[tokio::test]
async fn product_query_is_answered_from_the_knowledge_base() {
    let server = start_server("").await;
    let call = |id: &str, name: &str, arguments: Value| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let reply = told(
        &server.visitor(),
        json!({"type": "tool-calls", "toolCallList": [
            call("a", "product_query", json!({"query": "what is the SOS suicide helpline number"})),
            call("b", "product_query", json!({"query": "the price of tea"})),
            call("c", "product_query", json!({})),
            call("d", "delete_everything", json!({})),
        ]}),
    )
    .await;
    let results = reply["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    assert_eq!(results[0]["toolCallId"], "a");
    assert!(results[0]["result"].as_str().unwrap().len() > 10, "{reply}");
    assert!(
        results[1]["result"]
            .as_str()
            .unwrap()
            .contains("don't have that"),
        "{reply}"
    );
    assert!(
        results[2]["error"].is_string() && results[3]["error"].is_string(),
        "{reply}"
    );
}

#[tokio::test]
async fn a_transfer_goes_to_the_authorities_and_unknown_kinds_are_let_pass() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let reply = told(&visitor, json!({"type": "transfer-destination-request"})).await;
    assert_eq!(reply["destination"]["assistantName"], "Authorities");
    assert_eq!(
        told(&visitor, json!({"type": "something-new"})).await,
        json!({})
    );
    assert_eq!(told(&visitor, json!({"type": "hang"})).await, json!({}));
}

#[tokio::test]
async fn the_report_at_the_end_of_a_call_is_recorded_once() {
    let server =
        start_server("private_key = '0123456789abcdef'\nwebhook_secret = 'abcdefghijklmnop'").await;
    let (visitor, id) = (server.visitor(), Uuid::new_v4());
    told(&visitor, report(id, "First.")).await;
    told(&visitor, report(id, "Second.")).await;
    let path = format!("/call/{id}");
    let asked = visitor
        .request(Method::GET, &path)
        .bearer_auth("0123456789abcdef");
    let call: Value = visitor.send(asked).await.json().await.unwrap();
    assert_eq!(call["status"], "ended");
    assert_eq!(call["endedReason"], "customer-ended-call");
    assert_eq!(call["analysis"]["summary"], "First.");
    assert_eq!(call["analysis"]["structuredData"]["transfer_to"], "SPF");
    let roles: Vec<_> = call["artifact"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].clone())
        .collect();
    assert_eq!(roles, ["bot", "user"], "the prompt is nobody's words");
    refused(visitor.get(&path).await, 404, "call-not-found").await;
}

#[tokio::test]
async fn a_report_about_no_call_names_the_field() {
    let server = start_server("").await;
    let body = json!({"message": {"type": "end-of-call-report", "call": {"id": "not-a-uuid"}}});
    let answer = server
        .visitor()
        .post_json("/api/webHook", body.to_string())
        .await;
    let refusal = refused(answer, 400, "field-invalid").await;
    assert!(
        refusal["message"]
            .as_str()
            .unwrap()
            .contains("message.call.id"),
        "{refusal}"
    );
}

#[tokio::test]
async fn with_a_secret_set_only_messages_that_carry_it_are_taken() {
    let server = start_server("webhook_secret = 'abcdefghijklmnop'").await;
    let visitor = server.visitor();
    let body = json!({"message": {"type": "hang"}}).to_string();
    refused(
        visitor.post_json("/api/webHook", body.clone()).await,
        401,
        "webhook-secret-wrong",
    )
    .await;
    for (secret, status) in [("abcdefghijklmnoq", 401), ("abcdefghijklmnop", 200)] {
        let request = visitor
            .request(Method::POST, "/api/webHook")
            .header("content-type", "application/json")
            .header("X-Vapi-Secret", secret)
            .body(body.clone());
        assert_eq!(visitor.send(request).await.status(), status, "{secret}");
    }
}

#[tokio::test]
async fn without_the_secret_nothing_of_a_body_is_read() {
    let server = start_server("webhook_secret = 'abcdefghijklmnop'").await;
    let address = server.url.trim_start_matches("http://");
    let mut line = TcpStream::connect(address).await.unwrap();
    // A body that is announced and never comes.
    let head = "POST /api/webHook HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n\
        content-length: 900000\r\n\r\n";
    line.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    line.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 401");
}

#[tokio::test]
async fn a_long_report_is_taken_with_the_secret_and_from_nobody_while_none_is_set() {
    let mut long = report(Uuid::new_v4(), "Long.");
    long["artifact"]["messages"] = vec![long["artifact"]["messages"][2].clone(); 2_500].into();
    for (settings, status) in [("webhook_secret = 'abcdefghijklmnop'", 200), ("", 413)] {
        let server = start_server(settings).await;
        let answer = tell(&server.visitor(), long.clone()).await;
        assert_eq!(answer.status(), status, "{settings}");
    }
}

#[tokio::test]
async fn without_a_secret_set_nobodys_word_is_taken_for_an_unknown_call() {
    let server = start_server("private_key = '0123456789abcdef'").await;
    let (visitor, id) = (server.visitor(), Uuid::new_v4());
    let answer = tell(&visitor, report(id, "Invented.")).await;
    refused(answer, 403, "webhook-secret-unset").await;
    let path = format!("/call/{id}");
    let asked = visitor
        .request(Method::GET, &path)
        .bearer_auth("0123456789abcdef");
    refused(visitor.send(asked).await, 404, "call-not-found").await;

    // Of a call that is known, nothing is changed and nothing is refused.
    let call = visitor.call().await;
    let known = call["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(told(&visitor, report(known, "Invented.")).await, json!({}));
}
