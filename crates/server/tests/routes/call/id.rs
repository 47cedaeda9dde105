//! `GET /call/{id}`.

use reqwest::Method;
use serde_json::Value;

use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn a_visitor_reads_their_own_call_and_the_private_key_reads_any() {
    let server = start_server("private_key = '0123456789abcdef'").await;
    let (visitor, other) = (server.visitor(), server.visitor());
    let call = visitor.call().await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    let waiting = visitor.get_json(&path).await;
    assert_eq!(waiting["status"], "queued");
    assert_eq!(
        waiting["createdAt"].as_str().map(|at| &at[10..11]),
        Some("T")
    );
    refused(other.get(&path).await, 404, "call-not-found").await;
    let private = other
        .request(Method::GET, &path)
        .bearer_auth("0123456789abcdef");
    let read: Value = other.send(private).await.json().await.unwrap();
    assert_eq!(read["id"], call["id"]);
    let wrong = other
        .request(Method::GET, &path)
        .bearer_auth("0123456789abcdeg");
    refused(other.send(wrong).await, 401, "key-wrong").await;
    let public = visitor
        .request(Method::GET, &path)
        .bearer_auth("nightlight-public");
    refused(visitor.send(public).await, 401, "key-wrong").await;
}

#[tokio::test]
async fn without_a_private_key_set_its_paths_are_closed() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    let asked = visitor.request(Method::GET, &path).bearer_auth("any");
    refused(visitor.send(asked).await, 403, "private-key-unset").await;
}
