//! Conversations kept in PostgreSQL.

use postgres_for_tests::{PostgresServer, Proxy, WAITING_FOR_A_LOCK};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use tokio_tungstenite::tungstenite::Error;

use crate::support::caller::SocketCaller;
use crate::support::kept_log::KeptLog;
use crate::support::visitor::{Events, PUBLIC_KEY, refused};
use crate::support::{Visitor, start_server};

fn kept_in(url: &str) -> String {
    format!("database = '{url}'")
}

async fn answered(visitor: &Visitor, body: Value) -> Response {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&body);
    visitor.send(request).await
}

async fn written(visitor: &Visitor, body: Value) -> Value {
    let answer = answered(visitor, body).await;
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
async fn two_nodes_share_a_database_and_leave_each_others_calls_alone() {
    let settings = kept_in(&PostgresServer::shared().database());
    let first = start_server(&format!("{settings}\nnode_name = 'a'")).await;
    let visitor = first.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let path = format!("/node/a/call/{}/whip", call["id"].as_str().unwrap());
    assert!(call["webCallUrl"].as_str().unwrap().ends_with(&path));
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;

    let second = start_server(&settings).await;
    let cookie = visitor.cookie();
    let there = at(&call, &first.url, &second.url);
    let refused = SocketCaller::try_to_join(&there, cookie.as_deref()).await;
    let Some(Error::Http(answer)) = refused.err() else {
        panic!("a call that goes on elsewhere is joined here");
    };
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    let told = String::from_utf8(answer.into_body().unwrap()).unwrap();
    assert!(
        told.contains("call-elsewhere") && told.contains("999"),
        "{told}"
    );
    let strangers = SocketCaller::try_to_join(&there, None).await;
    let Some(Error::Http(answer)) = strangers.err() else {
        panic!("somebody else's call is joined");
    };
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);

    second.stop().await;
    line.hang_up().await;
    assert_eq!(events.ended().await["endedReason"], "customer-ended-call");
}

#[tokio::test]
async fn a_node_without_a_name_that_finds_another_says_so() {
    let log = KeptLog::default();
    let _keeping = log.of_this_thread();
    let settings = kept_in(&PostgresServer::shared().database());
    let _named = start_server(&format!("{settings}\nnode_name = 'a'")).await;
    let _unnamed = start_server(&settings).await;
    while !log.text().contains("has no node_name") {
        tokio::task::yield_now().await;
    }
}

/// The same call, asked for at another node.
fn at(call: &Value, from: &str, to: &str) -> Value {
    let [from, to] = [from, to].map(|url| url.trim_start_matches("http"));
    let moved = call.to_string().replace(from, to);
    serde_json::from_str(&moved).unwrap()
}

#[tokio::test]
async fn a_written_conversation_goes_on_at_whichever_node_is_asked() {
    let settings = kept_in(&PostgresServer::shared().database());
    let (first, second) = (start_server(&settings).await, start_server(&settings).await);
    let here = first.visitor();
    let mut chat = begun(&here).await;
    let there = here.also_at(&second.url);
    let lines = [
        "I feel very low",
        "I am safe",
        "It is my work",
        "I don't want to live any more",
    ];
    for (number, words) in lines.into_iter().enumerate() {
        let node = if number % 2 == 0 { &there } else { &here };
        chat = said(node, &chat, words).await;
        // Read at the other, which had an older copy of it.
        let other = if number % 2 == 0 { &here } else { &there };
        let path = format!("/chat/{}", chat["id"].as_str().unwrap());
        assert_eq!(other.get_json(&path).await["output"], chat["output"]);
    }
    assert_eq!(chat["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    let ended = async || info(&here, &chat).await["status"] == "ended";
    while !ended().await {}
    let record = info(&here, &chat).await;
    assert_eq!(record["messages"].as_array().unwrap().len(), 9);
    assert_eq!(record["structuredData"]["urgent"], true);
}

#[tokio::test]
async fn an_exchange_that_was_overtaken_at_another_node_is_none() {
    let settings = kept_in(&PostgresServer::shared().database());
    let (first, second) = (start_server(&settings).await, start_server(&settings).await);
    let here = first.visitor();
    let chat = begun(&here).await;
    let there = here.also_at(&second.url);
    let body = |words| json!({"previousChatId": chat["id"], "input": words});
    let (one, other) = tokio::join!(
        answered(&here, body("I feel sad")),
        answered(&there, body("I feel tired"))
    );
    let statuses = [one.status(), other.status()];
    assert!(statuses.contains(&StatusCode::CREATED), "{statuses:?}");
    for status in statuses {
        assert!(matches!(status.as_u16(), 201 | 409), "{statuses:?}");
    }
    let created = statuses
        .iter()
        .filter(|status| **status == StatusCode::CREATED);
    let kept = info(&here, &chat).await["messages"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(
        kept,
        1 + 2 * created.count(),
        "what was answered is there, and nothing else"
    );
}

#[tokio::test]
async fn an_exchange_is_none_whose_conversation_was_taken_before_it_was_stored() {
    let url = PostgresServer::shared().database();
    let server = start_server(&kept_in(&url)).await;
    let visitor = server.visitor();
    let chat = begun(&visitor).await;
    let mut other = PgConnection::connect(&url).await.unwrap();
    let mut taking = other.begin().await.unwrap();
    sqlx::query("UPDATE calls SET epoch = epoch + 1 WHERE NOT sample")
        .execute(&mut *taking)
        .await
        .unwrap();
    let mut looking = PgConnection::connect(&url).await.unwrap();
    let taken_when_it_is_stored = async {
        let mut waiting = 0_i64;
        while waiting == 0 {
            let asked = sqlx::query_scalar(WAITING_FOR_A_LOCK);
            waiting = asked.fetch_one(&mut looking).await.unwrap();
        }
        taking.commit().await.unwrap();
    };
    let body = json!({"previousChatId": chat["id"], "input": "I feel sad"});
    let (answer, ()) = tokio::join!(answered(&visitor, body), taken_when_it_is_stored);
    refused(answer, 409, "chat-not-latest").await;
    let record = info(&visitor, &chat).await;
    assert_eq!(record["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_conversation_that_goes_on_elsewhere_is_not_ended_for_its_silence_here() {
    let log = KeptLog::default();
    let _keeping = log.of_this_thread();
    let settings = kept_in(&PostgresServer::shared().database());
    let first = start_server(&format!("{settings}\nchat_idle_seconds = 2")).await;
    let second = start_server(&settings).await;
    let here = first.visitor();
    let chat = begun(&here).await;
    let chat = said(&here.also_at(&second.url), &chat, "I feel very low").await;
    let silent = first.visitor();
    let mut events = silent.events().await;
    let unanswered = begun(&silent).await;
    events.ended().await;
    let ended = |chat: &Value| {
        let id = chat["sessionId"].as_str().unwrap();
        let log = log.text();
        let mut lines = log.lines().filter(|line| line.contains(id));
        lines.any(|line| line.contains("a written conversation ended"))
    };
    while !ended(&unanswered) {
        tokio::task::yield_now().await;
    }
    assert!(!ended(&chat));
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

#[tokio::test(flavor = "multi_thread")]
async fn a_call_and_a_conversation_go_on_while_a_standby_takes_over_and_are_stored_whole() {
    let primary = PostgresServer::start();
    let url = primary.database();
    let standby = primary.standby();
    let proxy = Proxy::before(primary.address()).await;
    let server = start_server(&kept_in(&proxy.url(&url))).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    let first = begun(&visitor).await;
    told(&mut events, &first, 1).await;
    primary.kill();
    let second = said(&visitor, &first, "I'm safe, I just feel very low").await;
    line.hang_up().await;
    proxy.lead_to(standby.address());
    standby.promote();
    let last = said(&visitor, &second, "I don't want to live any more").await;
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    for _ in [&call, &last] {
        events.ended().await;
    }
    let id = call["id"].as_str().unwrap();
    let path = format!("/api/getCallInfo?callId={id}");
    let record = visitor.get_json(&path).await;
    assert_eq!(record["endedReason"], "customer-ended-call");
    let record = info(&visitor, &last).await;
    assert_eq!(record["messages"].as_array().unwrap().len(), 5);
    assert_eq!(record["structuredData"]["urgent"], true);
}

/// Reads a page's events until one tells of so many messages of this conversation.
async fn told(events: &mut Events, chat: &Value, messages: usize) -> Value {
    loop {
        let info = events.next().await.expect("the stream goes on");
        let said = info["messages"].as_array().unwrap().len();
        if info["callId"] == chat["sessionId"] && said == messages {
            return info;
        }
    }
}

/// Ends every connection on which the bell is heard.
fn no_bell_is_heard(url: &str) -> String {
    let (_, database) = url.rsplit_once('/').unwrap();
    let end = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
         WHERE datname = '{database}' AND application_name LIKE 'nightlight % doorbell'"
    );
    PostgresServer::shared().sql(database, &end)
}

#[tokio::test]
async fn a_page_at_one_node_hears_of_each_turn_and_the_end_of_a_conversation_at_another() {
    let url = PostgresServer::shared().database();
    let settings = kept_in(&url);
    let (first, second) = (start_server(&settings).await, start_server(&settings).await);
    let here = first.visitor();
    let mut chat = begun(&here).await;
    let mut events = here.also_at(&second.url).events().await;
    chat = said(&here, &chat, "I feel very low").await;
    told(&mut events, &chat, 3).await;
    while no_bell_is_heard(&url) != "2" {}
    chat = said(&here, &chat, "I am safe").await;
    let late = told(&mut events, &chat, 5).await;
    assert_eq!(late["status"], "in-progress");
    said(&here, &chat, "I don't want to live any more").await;
    let ended = events.ended().await;
    assert_eq!(ended["callId"], chat["sessionId"]);
    assert_eq!(ended["structuredData"]["urgent"], true);
}

#[tokio::test]
async fn who_leaves_at_one_node_has_left_at_every_node() {
    let settings = kept_in(&PostgresServer::shared().database());
    let (first, second) = (start_server(&settings).await, start_server(&settings).await);
    let here = first.visitor();
    let mut events = here.events().await;
    let chat = begun(&here).await;
    let call = here.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    let stranger = first.visitor();
    let mut others = SocketCaller::join(&stranger.call().await).await;
    others.until_the_assistant_has_spoken().await;

    let there = here.also_at(&second.url);
    let leaving = there.request(Method::DELETE, "/api/session");
    let left = leaving.send().await.unwrap();
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    assert!(line.closed_in_order().await, "the call is hung up");
    while events.next().await.is_some() {}
    for id in [&call["id"], &chat["sessionId"]] {
        let path = format!("/api/getCallInfo?callId={}", id.as_str().unwrap());
        let reason = async || there.get_json(&path).await["endedReason"].clone();
        while reason().await == Value::Null {}
        assert_eq!(reason().await, "customer-ended-call");
    }
    others.hang_up().await;
}
