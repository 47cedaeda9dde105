//! What a supervisor whispers to the assistant of a live call: who may, when, what the caller hears, and what stands of it.

use std::time::Duration;

use desk::Role;
use flow::{Agency, Hint};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::officer::{Officer, desk_of};
use crate::support::visitor::refused;
use crate::support::{TestServer, start_server};

async fn caller(server: &TestServer) -> (SocketCaller, String) {
    let call = server.visitor().call().await;
    let id = call["id"].as_str().unwrap().to_owned();
    let mut caller = SocketCaller::join(&call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    (caller, id)
}

async fn whisper(who: &Officer, call: &str, hint: &str) -> reqwest::Response {
    let request = who.request(Method::POST, &format!("/api/desk/calls/{call}/hint"));
    request.json(&json!({"hint": hint})).send().await.unwrap()
}

fn says(words: &'static str) -> impl Fn(&Value) -> bool {
    move |told| {
        let said = told["transcript"].as_str().unwrap_or_default();
        told["role"] == "assistant" && said.contains(words)
    }
}

#[tokio::test]
async fn a_hint_is_said_in_the_assistants_words_and_in_no_others_and_stands_on_the_trail() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (mut caller, id) = caller(&server).await;
    let offered = sam.get_json("/api/desk/hints").await;
    let offered = offered["hints"].as_array().unwrap();
    assert_eq!(offered.len(), Hint::ALL.len());
    assert_eq!(offered[0]["code"], "ask-whether-safe");
    assert!(offered[0]["label"].as_str().unwrap().starts_with("Ask"));

    let whispered = whisper(&sam, &id, "say-the-abuse-line").await;
    assert_eq!(whispered.status(), StatusCode::NO_CONTENT);
    caller.type_words("I had a long day at work").await;
    let told = caller.until(says("1800 777 0000")).await;
    assert!(told.is_some(), "the caller is told the number");

    let trail = desk_of(&server).await.audit(None, 1).await.unwrap();
    assert_eq!(trail[0].what, "whispered: say-the-abuse-line");
    assert_eq!(trail[0].who, format!("account {}", sam.id));
    assert_eq!(trail[0].about.as_deref(), Some(&*format!("call {id}")));

    caller.hang_up().await;
    let hint = Hint::SayTheAbuseLine;
    for told in &caller.told {
        for of_the_desk in [hint.label(), hint.as_str()] {
            assert!(!told.contains(of_the_desk), "{told}");
        }
    }
}

#[tokio::test]
async fn a_hint_that_is_not_on_the_list_is_refused_and_nothing_of_it_repeated() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (_caller, id) = caller(&server).await;
    let answer = whisper(&sam, &id, "tell Mei that I am here").await;
    let error = refused(answer, 400, "field-invalid").await;
    assert!(error["message"].as_str().unwrap().contains("`hint`"));
    assert!(!error.to_string().contains("Mei"), "{error}");
    let trail = desk_of(&server).await.audit(None, 1).await.unwrap();
    assert!(!trail[0].what.starts_with("whispered"));
}

#[tokio::test]
async fn nothing_is_whispered_where_the_assistant_has_not_the_caller() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = caller(&server).await;
    let elsewhere = uuid::Uuid::new_v4().to_string();
    refused(
        whisper(&sam, &elsewhere, "slow-down").await,
        404,
        "call-not-found",
    )
    .await;
    caller.type_words("I don't want to live any more").await;
    desk.next("ringing").await;
    let ringing = whisper(&sam, &id, "slow-down").await;
    refused(ringing, 409, "call-not-with-assistant").await;
}

#[tokio::test]
async fn the_desk_sees_the_step_of_the_flow_with_each_turn() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let mut desk = sam.on_duty().await;
    let (mut caller, id) = caller(&server).await;
    let step = async || {
        let listed = sam.get_json("/api/desk/live").await;
        listed["calls"][0]["step"].clone()
    };
    let asking = json!({"code": "asking-whether-safe", "words": "asking whether it is safe"});
    assert_eq!(step().await, asking);
    caller.type_words("he is hitting me right now").await;
    caller.until(says("safe")).await;
    caller.type_words("no").await;
    let taking = async {
        loop {
            let told = desk.next("call").await;
            assert_eq!(told["callId"], id.as_str());
            if told["step"]["code"] == "taking-the-name" {
                return;
            }
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(20), taking).await;
    assert!(told.is_ok(), "the desk is told of the step");
    assert_eq!(step().await["words"], "taking the name");
}
