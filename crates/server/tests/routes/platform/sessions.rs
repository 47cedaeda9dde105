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

#[tokio::test]
async fn what_a_session_changes_in_its_assistant_is_changed_and_a_chats_own_goes_over_it() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = json!({"firstMessage": "Good evening {{name}}."});
    let assistant = program.made("/assistant", assistant).await;
    for target in [
        json!({"assistantId": assistant["id"]}),
        json!({"assistant": {"firstMessage": "Good evening {{name}}."}}),
        json!({"squad": {"members": [{"assistantId": assistant["id"]}]}}),
    ] {
        for (own, said) in [
            (json!(null), "Good evening Mei."),
            (
                json!({"variableValues": {"name": "Ravi"}}),
                "Good evening Ravi.",
            ),
            (json!({"firstMessage": "Welcome back."}), "Welcome back."),
        ] {
            let mut session = target.clone();
            session["assistantOverrides"] = json!({"variableValues": {"name": "Mei"}});
            let session = program.made("/session", session).await;
            let chat = json!({"sessionId": session["id"], "input": "", "assistantOverrides": own});
            let chat = program.made("/chat", chat).await;
            let greeting = chat["output"].to_string();
            assert!(greeting.contains(said), "{target}: {greeting}");
        }
    }
}

#[tokio::test]
async fn what_a_session_changes_is_held_to_what_an_assistants_fields_are() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/session", json!({})).await;
    let path = format!("/session/{}", made["id"].as_str().unwrap());
    for (overrides, code) in [
        (json!({"silenceTimeoutSeconds": 1}), "field-invalid"),
        (
            json!({"voice": {"provider": "flite", "voiceId": "nobody"}}),
            "voice-unknown",
        ),
    ] {
        let body = json!({"assistantOverrides": overrides});
        refused(program.post("/session", body.clone()).await, 400, code).await;
        let changed = program.send(Method::PATCH, &path, body).await;
        refused(changed, 400, code).await;
        let chat = json!({"sessionId": made["id"], "input": "", "assistantOverrides": overrides});
        refused(program.post("/chat", chat).await, 400, code).await;
    }
    said(&program, &made, "I feel very low").await;
}

#[tokio::test]
async fn what_was_said_elsewhere_is_not_taken_as_if_the_assistant_knew_it() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let before = json!({"messages": [{"role": "user", "content": "I lost my job"}]});
    let made = program.made("/session", json!({"messages": []})).await;
    let path = format!("/session/{}", made["id"].as_str().unwrap());
    for asked in [
        program.post("/session", before.clone()).await,
        program.send(Method::PATCH, &path, before.clone()).await,
    ] {
        let refusal = refused(asked, 400, "field-invalid").await;
        let message = refusal["message"].as_str().unwrap();
        assert!(message.starts_with("`messages`"), "{message}");
    }
}
