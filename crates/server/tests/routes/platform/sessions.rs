//! Sessions: a chat that names one begins its conversation, and goes on with it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::{PUBLIC_KEY, refused};

async fn said(program: &Program, session: &Value, words: &str) -> Value {
    let body = json!({"sessionId": session["id"], "input": words});
    program.made("/chat", body).await
}

#[tokio::test]
async fn a_chat_in_a_session_begins_it_and_the_next_goes_on() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program
        .made(
            "/session",
            json!({"name": "Case 7", "assistantId": "helpline"}),
        )
        .await;
    assert_eq!(
        (&made["status"], &made["messages"]),
        (&json!("active"), &json!([]))
    );
    assert_eq!(made["expirationSeconds"], 86_400);
    let first = said(&program, &made, "I feel very low").await;
    assert_eq!(first["sessionId"], made["id"]);
    let second = said(&program, &made, "It is about my work").await;
    assert_eq!(second["sessionId"], made["id"]);
    assert_eq!(second["previousChatId"], first["id"]);
    let path = format!("/session/{}", made["id"].as_str().unwrap());
    let read = program.get_json(&path).await;
    let roles: Vec<&str> = read["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(read["messages"][2]["content"], "It is about my work");
    let listed = program.get_json("/session?name=Case%207").await;
    assert_eq!(listed["results"][0]["id"], made["id"]);
    assert_eq!(listed["metadata"]["totalItems"], 1);
    let others = program.get_json("/session?assistantId=nobody").await;
    assert_eq!(others["results"], json!([]));
}

#[tokio::test]
async fn nothing_more_is_said_in_a_session_that_is_completed() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/session", json!({})).await;
    said(&program, &made, "I feel very low").await;
    let path = format!("/session/{}", made["id"].as_str().unwrap());
    let changed = program.changed(&path, json!({"status": "completed"})).await;
    assert_eq!(changed["status"], "completed");
    let body = json!({"sessionId": made["id"], "input": "hello?"});
    refused(program.post("/chat", body).await, 410, "chat-over").await;
    let changed = program.changed(&path, json!({"status": "active"})).await;
    assert_eq!(changed["status"], "active");
    said(&program, &made, "I am back").await;
}

#[tokio::test]
async fn a_session_is_over_when_its_conversation_is() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/session", json!({})).await;
    said(&program, &made, "I'm going to kill myself tonight").await;
    let path = format!("/session/{}", made["id"].as_str().unwrap());
    assert_eq!(program.get_json(&path).await["status"], "completed");
}

#[tokio::test]
async fn a_session_is_nobodys_without_the_private_key_and_for_an_assistant_that_there_is() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/session", json!({})).await;
    let visitor = server.visitor();
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&json!({"sessionId": made["id"], "input": "x"}));
    refused(visitor.send(request).await, 404, "chat-not-found").await;
    let nobody = json!({"assistantId": "00000000-0000-0000-0000-000000000000"});
    refused(
        program.post("/session", nobody).await,
        400,
        "assistant-unknown",
    )
    .await;
}
