//! Chats as a program has them: with an assistant of its own, found, and deleted.

use reqwest::Method;
use serde_json::json;

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn a_program_talks_finds_and_deletes() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = program
        .made("/assistant", json!({"name": "Night line"}))
        .await;
    let body = json!({"assistantId": assistant["id"], "input": "I feel very low"});
    let first = program.made("/chat", body).await;
    assert_eq!(first["assistantId"], assistant["id"]);
    let other = program
        .made("/chat", json!({"assistantId": "helpline", "input": ""}))
        .await;
    let on = json!({"previousChatId": first["id"], "input": "It is about my work"});
    let second = program.made("/chat", on).await;
    assert_eq!(
        second["assistantId"], assistant["id"],
        "it has its assistant already"
    );
    let listed = program.get_json("/chat").await;
    assert_eq!(listed["metadata"]["totalItems"], 2);
    assert_eq!(listed["results"][0]["id"], other["id"]);
    assert_eq!(listed["results"][1]["id"], second["id"], "the latest of it");
    for (query, expected) in [
        (
            format!("assistantId={}", assistant["id"].as_str().unwrap()),
            &second["id"],
        ),
        (
            format!("sessionId={}", first["sessionId"].as_str().unwrap()),
            &second["id"],
        ),
        (
            format!("previousChatId={}", first["id"].as_str().unwrap()),
            &second["id"],
        ),
        ("assistantId=helpline".to_owned(), &other["id"]),
    ] {
        let listed = program.get_json(&format!("/chat?{query}")).await;
        assert_eq!(listed["metadata"]["totalItems"], 1, "{query}");
        assert_eq!(&listed["results"][0]["id"], expected, "{query}");
    }
    let path = format!("/chat/{}", first["id"].as_str().unwrap());
    assert_eq!(program.removed(&path).await["id"], second["id"]);
    refused(program.ask(Method::GET, &path).await, 404, "chat-not-found").await;
    let listed = program.get_json("/chat").await;
    assert_eq!(listed["metadata"]["totalItems"], 1, "its record is gone");
}

#[tokio::test]
async fn an_assistant_that_was_removed_begins_nothing_more() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = program.made("/assistant", json!({})).await;
    let path = format!("/assistant/{}", assistant["id"].as_str().unwrap());
    program.removed(&path).await;
    let body = json!({"assistantId": assistant["id"], "input": "hello"});
    refused(
        program.post("/chat", body.clone()).await,
        400,
        "assistant-unknown",
    )
    .await;
    refused(program.post("/call", body).await, 400, "assistant-unknown").await;
}
