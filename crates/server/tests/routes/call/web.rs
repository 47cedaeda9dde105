//! `POST /call/web`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::start_server;
use crate::support::visitor::{PUBLIC_KEY, refused};

#[tokio::test]
async fn a_call_is_answered_with_both_ways_to_join_it() {
    let server = start_server("").await;
    let call = server.visitor().call().await;
    let id = call["id"].as_str().unwrap();
    assert_eq!(call["type"], "webCall");
    assert_eq!(call["status"], "queued");
    assert_eq!(call["webCallUrl"], format!("{}/call/{id}/whip", server.url));
    let socket = server.url.replace("http", "ws");
    assert_eq!(
        call["transport"]["websocketCallUrl"],
        format!("{socket}/call/{id}/socket")
    );
    assert_eq!(call["artifactPlan"]["videoRecordingEnabled"], false);
    let voice = json!({"provider": "flite", "voiceId": "slt"});
    assert_eq!(
        call["assistant"]["voice"], voice,
        "the one that answers, not the one that was set"
    );
}

#[tokio::test]
async fn the_raw_audio_transport_can_be_asked_for() {
    let server = start_server("public_origin = 'https://line.example'").await;
    let format = json!({"format": "pcm_s16le", "container": "raw", "sampleRate": 16000});
    let transport = json!({"provider": "vapi.websocket", "audioFormat": format});
    let body = json!({"squadId": "helpline-to-authorities", "transport": transport});
    let call: Value = server.visitor().ask_with(body).await.json().await.unwrap();
    assert_eq!(call["transport"]["provider"], "vapi.websocket");
    let url = call["transport"]["websocketCallUrl"].as_str().unwrap();
    assert!(url.starts_with("wss://line.example/call/"), "{url}");
}

#[tokio::test]
async fn where_there_are_relays_a_call_is_let_in_at_them_by_a_password_of_its_own() {
    let none = start_server("").await.visitor().call().await;
    assert_eq!(none["transport"]["iceServers"], Value::Null);
    let server = start_server(
        "turn_urls = ['turn:relay.example:3478', 'turns:relay.example:443?transport=tcp']\n\
         turn_secret = 'a-secret-of-the-tests'",
    )
    .await;
    let visitor = server.visitor();
    let mut passwords = Vec::new();
    for call in [visitor.call().await, visitor.call().await] {
        let relays = call["transport"]["iceServers"].as_array().unwrap();
        assert_eq!(relays.len(), 1);
        assert_eq!(
            relays[0]["urls"],
            json!([
                "turn:relay.example:3478",
                "turns:relay.example:443?transport=tcp"
            ])
        );
        assert!(!call.to_string().contains("a-secret-of-the-tests"));
        let id = call["id"].as_str().unwrap().replace('-', "");
        let username = relays[0]["username"].as_str().unwrap();
        assert!(!username.contains(&id), "a relay's log may hold it");
        passwords.push(relays[0]["credential"].as_str().unwrap().to_owned());
    }
    assert_ne!(passwords[0], passwords[1]);
}

#[tokio::test]
async fn among_several_servers_a_calls_addresses_say_which_one_has_it() {
    let server = start_server("node_name = 'node-1'").await;
    let call = server.visitor().call().await;
    let place = format!("{}/node/node-1/call/", server.url);
    assert!(call["webCallUrl"].as_str().unwrap().starts_with(&place));
    let socket = place.replace("http", "ws");
    let url = call["transport"]["websocketCallUrl"].as_str().unwrap();
    assert!(url.starts_with(&socket), "{url}");
}

#[tokio::test]
async fn an_assistant_in_full_is_served_too() {
    let server = start_server("").await;
    let body = json!({"assistant": {"name": "x"}, "assistantOverrides": {"variableValues": {"agency": ""}}});
    assert_eq!(
        server.visitor().ask_with(body).await.status(),
        StatusCode::CREATED
    );
}

#[tokio::test]
async fn each_wrong_request_has_its_own_code_and_names_the_field() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let with_key = |body: &str| {
        visitor
            .request(Method::POST, "/call/web")
            .bearer_auth(PUBLIC_KEY)
            .header("content-type", "application/json")
            .body(body.to_owned())
    };
    let cases = [
        ("{", 400, "body-not-json", "line 1"),
        (
            r#"{"assistantId": 7}"#,
            400,
            "field-invalid",
            "`assistantId`",
        ),
        (
            "{}",
            400,
            "assistant-or-squad-or-workflow-required",
            "Assistant or Squad or Workflow must be provided.",
        ),
        (
            r#"{"assistantId": "someone-else"}"#,
            400,
            "assistant-unknown",
            "/api/config",
        ),
        (
            r#"{"workflowId": "w"}"#,
            400,
            "assistant-unknown",
            "/api/config",
        ),
        (
            r#"{"assistantId":"helpline","transport":{"provider":"vapi.websocket","audioFormat":{"format":"mulaw","container":"raw","sampleRate":8000}}}"#,
            400,
            "field-invalid",
            "transport.audioFormat.format",
        ),
    ];
    for (body, status, code, says) in cases {
        let refusal = refused(visitor.send(with_key(body)).await, status, code).await;
        assert!(
            refusal["message"].as_str().unwrap().contains(says),
            "{refusal}"
        );
    }
    let no_kind = visitor
        .request(Method::POST, "/call/web")
        .bearer_auth(PUBLIC_KEY)
        .body("{}");
    refused(visitor.send(no_kind).await, 415, "content-type-wrong").await;
    let huge = format!("{{\"assistantId\":\"{}\"}}", "a".repeat(1024 * 1024));
    refused(visitor.send(with_key(&huge)).await, 413, "body-too-large").await;
    let body = r#"{"assistantId":"helpline"}"#;
    refused(
        visitor.post_json("/call/web", body).await,
        401,
        "key-missing",
    )
    .await;
    let wrong = visitor
        .request(Method::POST, "/call/web")
        .bearer_auth("wrong")
        .json(&json!({}));
    refused(visitor.send(wrong).await, 401, "key-wrong").await;
}

#[tokio::test]
async fn when_all_lines_are_busy_the_caller_is_told_whom_to_ring() {
    let server = start_server("max_calls = 1").await;
    server.visitor().call().await;
    let answer = server.visitor().ask().await;
    assert_eq!(answer.headers()["retry-after"], "20");
    let refusal = refused(answer, 503, "lines-busy").await;
    let numbers: Vec<_> = refusal["numbers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n["number"].as_str().unwrap())
        .collect();
    assert_eq!(numbers, ["999", "995", "1767", "1800 777 0000"]);
    for number in numbers {
        assert!(refusal["message"].as_str().unwrap().contains(number));
    }
}

#[tokio::test]
async fn a_visitor_who_asks_too_often_is_told_when_to_ask_again_and_whom_to_ring() {
    let server = start_server("calls_per_minute = 2").await;
    let visitor = server.visitor();
    visitor.get("/api/config").await;
    visitor.call().await;
    visitor.call().await;
    let answer = visitor.ask().await;
    assert!(answer.headers().contains_key("retry-after"));
    let refusal = refused(answer, 429, "too-often").await;
    assert!(refusal["numbers"].is_array(), "{refusal}");
    server.visitor().call().await;
}
