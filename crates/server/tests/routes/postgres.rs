//! Conversations kept in PostgreSQL.

use jiff::Timestamp;
use postgres_for_tests::PostgresServer;
use records::{CallId, CallKind, NewCall, Records, Turn, VisitorId};
use redact::Secret;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::visitor::PUBLIC_KEY;
use crate::support::{Visitor, start_server, why_no_second_server};

fn kept_in(url: &str) -> String {
    format!("database = '{url}'")
}

async fn written(visitor: &Visitor, body: Value) -> Value {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&body);
    let answer = visitor.send(request).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.json().await.unwrap()
}

async fn begun(visitor: &Visitor) -> Value {
    written(visitor, json!({"assistantId": "helpline", "input": ""})).await
}

async fn said(visitor: &Visitor, after: &Value, words: &str) -> Value {
    let body = json!({"previousChatId": after["id"], "input": words});
    written(visitor, body).await
}

async fn info(visitor: &Visitor, chat: &Value) -> Value {
    let id = chat["sessionId"].as_str().unwrap();
    let path = format!("/api/getCallInfo?callId={id}");
    visitor.get_json(&path).await
}

#[tokio::test]
async fn a_conversation_goes_on_with_the_next_server_and_its_record_tells_it() {
    let settings = kept_in(&PostgresServer::shared().database());
    let server = start_server(&settings).await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I'm safe, I just feel very low").await;
    let before = info(&visitor, &second).await;
    assert_eq!(before["status"], "in-progress");
    server.stop().await;

    let server = start_server(&settings).await;
    let visitor = visitor.at(&server.url);
    let last = said(&visitor, &second, "I don't want to live any more").await;
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    let ended = async || info(&visitor, &last).await["status"] == "ended";
    while !ended().await {}
    let record = info(&visitor, &last).await;
    assert_eq!(record["id"], before["id"], "it is the same record");
    assert_eq!(record["structuredData"]["urgent"], true);
    assert_eq!(record["messages"].as_array().unwrap().len(), 5);
    let stranger = server.visitor();
    let listed = stranger.get_json("/api/calls").await.to_string();
    assert!(!listed.contains(last["sessionId"].as_str().unwrap()));
}

#[tokio::test]
async fn a_second_server_on_the_same_database_leaves_the_first_ones_calls_alone() {
    let settings = kept_in(&PostgresServer::shared().database());
    let server = start_server(&settings).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let why = why_no_second_server(server.place.path(), &settings).await;
    assert!(why.contains("in use by another Nightlight"), "{why}");
    assert!(!why.contains(PostgresServer::shared().password()), "{why}");
    line.hang_up().await;
    assert_eq!(events.ended().await["endedReason"], "customer-ended-call");
}

#[tokio::test]
async fn a_call_goes_on_while_the_database_is_away_and_is_stored_when_it_is_back() {
    let database = PostgresServer::start();
    let server = start_server(&kept_in(&database.database())).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    database.stop();
    let chat = begun(&visitor).await;
    assert_eq!(chat["status"], "in-progress", "nobody waits for it");
    line.hang_up().await;
    database.start_again();
    let ended = events.ended().await;
    assert_eq!(ended["endedReason"], "customer-ended-call");
    assert_eq!(ended["callId"], call["id"]);
    let kept = async || {
        let id = chat["sessionId"].as_str().unwrap();
        let answer = visitor.get(&format!("/api/getCallInfo?callId={id}")).await;
        answer.status() == StatusCode::OK
    };
    while !kept().await {}
}

/// Who the records say began this conversation.
fn visitor_of(url: &str, chat: &Value) -> VisitorId {
    let (_, database) = url.rsplit_once('/').unwrap();
    let id = chat["sessionId"].as_str().unwrap();
    let asked = format!("SELECT visitor FROM calls WHERE call_id = '{id}'");
    let visitor = PostgresServer::shared().sql(database, &asked);
    visitor.parse().unwrap()
}

#[tokio::test]
async fn a_page_hears_of_each_turn_that_another_server_stores() {
    let url = PostgresServer::shared().database();
    let server = start_server(&kept_in(&url)).await;
    let visitor = server.visitor();
    let chat = begun(&visitor).await;
    let elsewhere = Records::open(&url).await.unwrap();
    let _rings = elsewhere.changes().await.unwrap();
    let mut events = visitor.events().await;
    let call = NewCall {
        call_id: CallId::random(),
        visitor: Some(visitor_of(&url, &chat)),
        started_at: Timestamp::now(),
        kind: CallKind::WebCall,
    };
    elsewhere.start_call(call.clone()).await.unwrap();
    let mut told = Vec::new();
    for index in 0..2 {
        told.push(events.of(call.call_id).await["status"].clone());
        let turn = Turn {
            index,
            messages: Vec::new(),
            conversation: Secret::default(),
        };
        elsewhere.put_turn(call.call_id, turn).await.unwrap();
    }
    told.push(events.of(call.call_id).await["status"].clone());
    assert_eq!(told, ["in-progress"; 3]);
}

#[tokio::test]
async fn who_leaves_at_another_server_has_left_here_too() {
    let url = PostgresServer::shared().database();
    let server = start_server(&kept_in(&url)).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let chat = begun(&visitor).await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let elsewhere = Records::open(&url).await.unwrap();
    elsewhere.leave(visitor_of(&url, &chat)).await.unwrap();
    assert!(line.closed_in_order().await, "the call is hung up");
    while events.next().await.is_some() {}
    let ended = async || info(&visitor, &chat).await["endedReason"] == "customer-ended-call";
    while !ended().await {}
}
