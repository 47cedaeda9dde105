//! Several nodes on one database, and an officer's page that is told by each: a call rings at the node that has it.

use desk::Role;
use flow::Agency;
use jiff::{SignedDuration, Timestamp};
use postgres_for_tests::PostgresServer;
use reqwest::StatusCode;
use serde_json::json;

use super::live_calls::{a_caller_at_risk, path};
use crate::support::officer::{Officer, desk_of};
use crate::support::visitor::refused;
use crate::support::{TestServer, start_server};

/// Two nodes, as many settings as one has, and a desk for both.
async fn two_nodes() -> (TestServer, TestServer) {
    let database = PostgresServer::shared().database();
    let node = |name| format!("database = '{database}'\nnode_name = '{name}'");
    let (one, other) = (node("a"), node("b"));
    (start_server(&one).await, start_server(&other).await)
}

async fn for_sos(server: &TestServer, name: &str) -> Officer {
    Officer::signed_in(server, name, Role::Officer, &[Agency::Sos]).await
}

#[tokio::test]
async fn a_page_learns_of_every_node_that_answers_for_its_calls() {
    let (a, b) = two_nodes().await;
    let mei = for_sos(&b, "mei").await;
    let here = |name| json!({"here": name, "nodes": ["a", "b"]});
    assert_eq!(mei.get_json("/api/desk/nodes").await, here("b"));
    let at_a = mei.at_node(&a, "a");
    assert_eq!(at_a.get_json("/api/desk/nodes").await, here("a"));
    b.stop().await;
    let left = at_a.get_json("/api/desk/nodes").await;
    assert_eq!(left, json!({"here": "a", "nodes": ["a"]}));
}

#[tokio::test]
async fn one_node_without_a_name_is_reached_by_the_plain_paths() {
    let server = start_server("").await;
    let mei = for_sos(&server, "mei").await;
    let nodes = mei.get_json("/api/desk/nodes").await;
    assert_eq!(nodes, json!({"here": null, "nodes": []}));
}

#[tokio::test]
async fn who_signed_in_at_one_node_is_rung_for_a_call_at_another_and_gets_it_there() {
    let (a, b) = two_nodes().await;
    let at_b = for_sos(&b, "mei").await;
    let at_a = at_b.at_node(&a, "a");
    let (mut told_by_a, _told_by_b) = (at_a.on_duty().await, at_b.on_duty().await);
    let (_caller, id) = a_caller_at_risk(&a).await;
    assert_eq!(told_by_a.next("ringing").await["callId"], id.as_str());
    let live = at_b.get_json("/api/desk/live").await;
    assert_eq!(live["calls"], json!([]), "it lives elsewhere");
    let events = format!("/api/desk/live/{id}/events");
    refused(at_b.get(&events).await, 404, "call-not-found").await;
    let inside = at_a.opens(&id).await.next("inside").await;
    assert_eq!(inside["call"]["callId"], id.as_str());
    let accepted = at_a.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let live = at_a.get_json("/api/desk/live").await;
    assert_eq!(live["calls"][0]["yours"], true);
}

#[tokio::test]
async fn who_is_on_a_call_at_one_node_is_not_rung_at_another_until_it_is_over() {
    let (a, b) = two_nodes().await;
    let at_a = for_sos(&a, "mei").await;
    let at_b = at_a.at_node(&b, "b");
    let (_told_by_a, mut told_by_b) = (at_a.on_duty().await, at_b.on_duty().await);
    at_b.says(&json!({"onDuty": true, "busy": true})).await;
    let (mut caller, _) = a_caller_at_risk(&b).await;
    let ended = caller
        .until(|told| told["endedReason"].is_string())
        .await
        .unwrap();
    assert_eq!(
        ended["endedReason"], "assistant-forwarded-call",
        "as where nobody is on duty"
    );

    let until = Timestamp::now() + SignedDuration::from_secs(30);
    at_b.says(&json!({"onDuty": true, "wrapUpUntil": until.to_string()}))
        .await;
    assert!(at_b.get_json("/api/desk/duty").await["wrapUpUntil"].is_string());
    at_b.says(&json!({"onDuty": true})).await;
    let (_caller, id) = a_caller_at_risk(&b).await;
    assert_eq!(told_by_b.next("ringing").await["callId"], id.as_str());
}

#[tokio::test]
async fn a_shift_that_is_told_to_one_node_after_the_other_is_on_the_trail_once() {
    let (a, b) = two_nodes().await;
    let at_a = for_sos(&a, "mei").await;
    let at_b = at_a.at_node(&b, "b");
    let _pages = (at_a.on_duty().await, at_b.on_duty().await);
    at_b.says(&json!({"onDuty": true, "busy": true})).await;
    at_b.says(&json!({"onDuty": false})).await;
    at_a.says(&json!({"onDuty": false})).await;
    at_a.says(&json!({"onDuty": true, "busy": true})).await;
    let trail = desk_of(&a).await.audit(None, 50).await.unwrap();
    let shifts = trail.iter().rev().filter(|it| it.what.starts_with("shift"));
    let shifts: Vec<_> = shifts.map(|it| it.what.as_str()).collect();
    assert_eq!(shifts, ["shift taken", "shift left", "shift taken"]);
}
