//! Whole calls against the real server: a suicidal caller reaches SOS by a warm transfer, over
//! WebRTC and over the socket, and hears every word of it.
//!
//! These need the built server and the speech engine; without either they fail and say what to
//! do. Nothing here looks into the server: only what a caller hears and reads counts.

#![allow(clippy::unwrap_used)]

mod support;

use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use support::Server;

#[test]
fn a_suicidal_caller_is_warmly_transferred_to_sos_over_webrtc() {
    a_suicidal_caller_is_warmly_transferred_to_sos(&[
        "--transport",
        "webrtc",
        "--say",
        "I do not want to live any more.",
    ]);
}

/// Over the socket, a program answers: it says its words once it has heard the greeting's question.
#[test]
fn a_suicidal_caller_who_answers_is_warmly_transferred_to_sos_over_the_socket() {
    a_suicidal_caller_is_warmly_transferred_to_sos(&[
        "--transport",
        "websocket",
        "--respond",
        r#"read heard
           case "$heard" in
             *'?"}') echo '{"say": "I do not want to live any more."}'; cat > /dev/null ;;
             *) exit 1 ;;
           esac"#,
    ]);
}

#[track_caller]
fn a_suicidal_caller_is_warmly_transferred_to_sos(caller: &[&str]) {
    // One call after the other: sound keeps time, and two servers would fight for the cores.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start(&[]);
    let mut arguments = vec![
        "--url",
        &server.origin,
        // The call is the assistant's to end; the caller waits for it.
        "--linger",
        "30",
        "--bound",
        "120",
        "--json",
    ];
    arguments.extend(caller);
    let output = call(&arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    let call = &report["calls"][0];
    assert!(output.status.success(), "the call failed: {call:#}\n{told}");

    // Sound, not messages: a greeting before the caller spoke and an answer after it.
    let audio = &call["audio"];
    assert!(
        audio["speech_heard_seconds"].as_f64().unwrap() > 3.0,
        "{audio:#}"
    );
    let said = &call["utterances"][0];
    let greeting = audio["speech_spans_seconds"][0][0].as_f64().unwrap();
    assert!(
        greeting < said["from_seconds"].as_f64().unwrap(),
        "{call:#}"
    );
    let gap = said["reply_gap_ms"].as_f64().expect("an answer was heard");
    assert!(
        (0.0..5_000.0).contains(&gap),
        "the answer came after {gap} ms"
    );

    // A warm transfer is what the platform calls forwarding.
    assert_eq!(call["end"]["by"], "server", "{call:#}");
    assert_eq!(
        call["end"]["reason"], "assistant-forwarded-call",
        "{call:#}"
    );
    let record = &call["record"];
    assert_eq!(
        record["endedReason"], "assistant-forwarded-call",
        "{record:#}"
    );
    let structured = &record["structuredData"];
    assert_eq!(structured["transfer_to"], "SOS", "{record:#}");
    assert_eq!(structured["transferred"], true, "{record:#}");
    assert_eq!(structured["urgent"], true, "{record:#}");
    let messages = record["messages"].as_array().unwrap();
    assert!(
        messages.iter().any(|message| message["role"] == "user"),
        "the caller's words are missing: {record:#}"
    );
}

fn call(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nightlight-caller"))
        .args(arguments)
        .output()
        .unwrap()
}
