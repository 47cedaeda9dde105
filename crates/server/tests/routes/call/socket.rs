//! Calls over `/call/{id}/socket`, from the greeting to the record.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use speech::{FliteVoice, Voice};

use crate::support::caller::SocketCaller;
use crate::support::visitor::refused;
use crate::support::{start_server, start_server_with_ears};

/// So loud at least is a voice, on average over a greeting.
const AUDIBLE: f64 = 300.0;

fn loudness(samples: &[i16]) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| f64::from(*sample).powi(2))
        .sum();
    (sum / samples.len().max(1) as f64).sqrt()
}

#[tokio::test]
async fn a_call_by_text_is_greeted_aloud_answered_and_recorded() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    assert_eq!(line.told[0], "listening");
    assert!(
        line.heard.len() > 16_000,
        "a greeting takes more than a second"
    );
    assert!(loudness(&line.heard) > AUDIBLE, "{}", loudness(&line.heard));

    let running = visitor
        .get_json(&format!("/call/{}", call["id"].as_str().unwrap()))
        .await;
    assert_eq!(running["status"], "in-progress");
    line.type_words("My exams are stressing me out").await;
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;

    let info = events.ended().await;
    assert_eq!(info["callId"], call["id"]);
    assert_eq!(info["endedReason"], "customer-ended-call");
    let messages = info["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "bot");
    let said: Vec<_> = messages
        .iter()
        .filter(|message| message["role"] == "user")
        .collect();
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["message"], "My exams are stressing me out");
    assert!(said[0]["secondsFromStart"].as_f64().unwrap() > 1.0);
}

#[tokio::test]
async fn a_caller_who_talks_on_is_told_of_the_end_and_the_socket_closes_in_order() {
    let server = start_server("").await;
    for _ in 0..8 {
        let mut line = SocketCaller::join(&server.visitor().call().await).await;
        line.until(|message| message == "listening").await.unwrap();
        line.send(json!({"type": "end-call"})).await;
        line.send_regardless(60).await;
        let ended = line.until(|message| message["status"] == "ended").await;
        assert!(ended.is_some(), "{:?}", line.told);
        assert!(line.closed_in_order().await);
    }
}

#[tokio::test]
async fn a_page_of_another_site_opens_no_socket_and_changes_nothing() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let id = call["id"].as_str().unwrap();
    let foreign = |method, path: &str| {
        visitor
            .request(method, path)
            .header("origin", "https://evil.example")
            .header("content-type", "application/json")
            .body("{}")
    };
    for (method, path) in [
        (Method::POST, "/call/web"),
        (Method::POST, "/chat"),
        (Method::POST, "/api/webHook"),
        (Method::POST, &format!("/call/{id}/whip")),
        (Method::DELETE, "/api/session"),
    ] {
        let answer = visitor.send(foreign(method, path)).await;
        refused(answer, 403, "origin-foreign").await;
    }
    let socket = foreign(Method::GET, &format!("/call/{id}/socket"))
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    refused(visitor.send(socket).await, 403, "origin-foreign").await;
    let mut line = SocketCaller::join(&call).await;
    assert!(line.until(|message| message == "listening").await.is_some());
}

#[tokio::test]
async fn a_message_larger_than_any_of_ours_ends_its_own_socket() {
    let server = start_server("").await;
    let mut line = SocketCaller::join(&server.visitor().call().await).await;
    let mut other = SocketCaller::join(&server.visitor().call().await).await;
    line.send(json!("x".repeat(128 * 1024 + 1))).await;
    assert_eq!(line.until(|_| false).await, None);
    other.hang_up().await;
    assert!(
        other.told.iter().any(|told| told.contains("ended")),
        "{:?}",
        other.told
    );
}

#[tokio::test]
async fn a_caller_who_speaks_is_heard_and_answered() {
    let server = start_server_with_ears("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let voice = FliteVoice::named("rms").unwrap();
    let words = "I am safe at home. I feel very lonely tonight."
        .to_owned()
        .into();
    let mut samples = voice.speak(words).collect().await.unwrap();
    samples.extend(vec![0; 16_000]);
    line.speak(&samples).await;
    let heard = line
        .until(|message| {
            message["type"] == "transcript"
                && message["role"] == "user"
                && message["transcriptType"] == "final"
        })
        .await
        .expect("the caller's words are transcribed");
    let text = heard["transcript"].as_str().unwrap().to_lowercase();
    assert!(text.contains("lonely") || text.contains("safe"), "{text}");
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
    let info = events.ended().await;
    assert!(
        info["messages"]
            .as_array()
            .unwrap()
            .iter()
            .any(|message| message["role"] == "user")
    );
}

#[tokio::test]
async fn a_call_is_joined_by_nobody_else_once_it_is_joined() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until(|message| message == "listening").await.unwrap();
    let path = format!("/call/{}/socket", call["id"].as_str().unwrap());
    let stranger = server.visitor();
    let upgrade = || {
        stranger
            .request(reqwest::Method::GET, &path)
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    };
    refused(stranger.send(upgrade()).await, 409, "call-joined").await;
    line.hang_up().await;
    events.ended().await;
    // The record comes a moment before the place is given back.
    let gone = loop {
        let answer = stranger.send(upgrade()).await;
        if answer.status() != 409 {
            break answer;
        }
        tokio::task::yield_now().await;
    };
    refused(gone, 410, "call-expired").await;
    refused(visitor.get(&path).await, 426, "websocket-required").await;
}

#[tokio::test]
async fn nonsense_on_the_socket_does_not_end_the_call() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until(|message| message == "listening").await.unwrap();
    for nonsense in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        r#"{"type":"add-message","message":7}"#,
        r#"{"type":"nothing"}"#,
    ] {
        line.send(json!(nonsense)).await;
    }
    line.speak(&[i16::MAX; 7]).await;
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
    assert_eq!(events.ended().await["endedReason"], "customer-ended-call");
}

#[tokio::test]
async fn a_caller_whose_connection_breaks_comes_back_to_the_same_conversation() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words("I feel very lonely these days").await;
    line.until_the_assistant_has_spoken().await;
    drop(line);
    let cookie = visitor.cookie();
    let mut line = SocketCaller::try_to_join(&call, cookie.as_deref())
        .await
        .unwrap();
    let back = |message: &Value| {
        let said = message["transcript"].as_str();
        message["role"] == "assistant" && said.is_some_and(|said| said.contains("line"))
    };
    assert!(line.until(back).await.is_some(), "{:?}", line.told);
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
    let info = events.ended().await;
    assert_eq!(info["endedReason"], "customer-ended-call");
    let said = info["messages"].to_string();
    assert!(
        said.contains("very lonely") && said.contains("telling me"),
        "{said}"
    );
}

#[tokio::test]
async fn a_connection_that_breaks_for_good_ends_the_call_and_keeps_its_record() {
    let server = start_server("return_within_seconds = 0.5").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    drop(line);
    let ended = tokio::time::timeout(Duration::from_secs(30), events.ended()).await;
    let info = ended.expect("a call without its caller ends by itself");
    assert_eq!(info["endedReason"], "call-media-lost");
    assert!(!info["messages"].as_array().unwrap().is_empty());
}
