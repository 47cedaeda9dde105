//! A program's server that knows messages for ours by a token of its authorization server's.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::receiver::{MessageReceiver, Received};
use crate::support::start_server;
use crate::support::token_endpoint::TokenEndpoint;

/// An assistant whose server is told of status and of what was said, with tokens from there.
async fn assistant(
    program: &Program,
    receiver: &MessageReceiver,
    tokens: &TokenEndpoint,
    provider: &str,
) -> Value {
    let plan = json!({
        "type": "oauth2", "url": tokens.url(), "clientId": "night & day", "clientSecret": "s3cret", "scope": "told",
    });
    let credential = json!({"provider": provider, "name": "CRM", "authenticationPlan": plan});
    let credential = program.made("/credential", credential).await;
    let assistant = json!({
        "name": "Night line", "serverMessages": ["status-update", "conversation-update"],
        "server": {"url": receiver.url(), "credentialId": credential["id"]},
    });
    program.made("/assistant", assistant).await
}

fn authorization(one: &Received) -> &str {
    one.headers["authorization"].to_str().unwrap()
}

#[tokio::test]
async fn every_message_bears_a_token_that_is_asked_for_once() {
    for provider in ["webhook", "custom-credential"] {
        let (receiver, tokens) = (MessageReceiver::start().await, TokenEndpoint::start().await);
        let server = start_server(&with_a_key()).await;
        let program = Program::of(&server);
        let assistant = assistant(&program, &receiver, &tokens, provider).await;
        let chat = json!({"assistantId": assistant["id"], "input": "hello"});
        program.made("/chat", chat).await;
        receiver.until_kind("conversation-update").await;
        for one in receiver.received() {
            assert_eq!(authorization(&one), "Bearer token-1");
        }
        let asked =
            "grant_type=client_credentials&client_id=night+%26+day&client_secret=s3cret&scope=told";
        assert_eq!(tokens.asked(), [asked]);
    }
}

#[tokio::test]
async fn a_message_without_a_token_waits_until_there_is_one() {
    let (receiver, tokens) = (MessageReceiver::start().await, TokenEndpoint::start().await);
    tokens.refuses_first(&[StatusCode::SERVICE_UNAVAILABLE; 2]);
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = assistant(&program, &receiver, &tokens, "webhook").await;
    let chat = json!({"assistantId": assistant["id"], "input": "hello"});
    program.made("/chat", chat).await;
    for kind in ["status-update", "conversation-update"] {
        let told = receiver.until_kind(kind).await;
        assert_eq!(authorization(&told), "Bearer token-1");
    }
}

#[tokio::test]
async fn a_token_that_is_not_taken_any_more_gives_way_to_a_new_one() {
    let (receiver, tokens) = (MessageReceiver::start().await, TokenEndpoint::start().await);
    receiver.refuses_first(&[StatusCode::UNAUTHORIZED]);
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = assistant(&program, &receiver, &tokens, "webhook").await;
    let chat = json!({"assistantId": assistant["id"], "input": "hello"});
    program.made("/chat", chat).await;
    let began = |one: &Received| one.message["status"] == "in-progress";
    let first = receiver.until(began).await;
    let again = receiver.until_after(1, began).await;
    assert_eq!(first.message, again.message);
    assert_eq!(
        (authorization(&first), authorization(&again)),
        ("Bearer token-1", "Bearer token-2")
    );
    assert_eq!(tokens.asked().len(), 2);
}
