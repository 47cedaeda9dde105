//! With a chat model configured: its words where they hold, the flow's where they do not, in a
//! written conversation, in a call and in `converse`.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::endpoint::Endpoint;
use crate::support::visitor::PUBLIC_KEY;
use crate::support::{Visitor, start_server};

const WORDS: &str = "My boss shouts at me every day";
const KIND: &str = "Being shouted at day after day wears anyone down.";
const TOLD: &str = "The caller said that their boss shouts at them every day.";

async fn chat(visitor: &Visitor, body: Value) -> Value {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&body);
    visitor.send(request).await.json().await.unwrap()
}

/// A written conversation of these words: its last chat, and its record once it is over.
async fn conversation(settings: &str) -> (String, Value) {
    let server = start_server(settings).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let first = chat(&visitor, json!({"assistantId": "helpline", "input": ""})).await;
    let body = json!({"previousChatId": first["id"], "input": WORDS});
    let second = chat(&visitor, body).await;
    let said = second["output"][0]["content"].as_str().unwrap().to_owned();
    let path = format!("/chat/{}", second["id"].as_str().unwrap());
    visitor.send(visitor.request(Method::DELETE, &path)).await;
    (said, events.ended().await)
}

#[tokio::test]
async fn a_models_words_are_written_and_the_note_is_told_in_them() {
    let endpoint = Endpoint::that_says(KIND).await;
    let (said, record) = conversation(&endpoint.settings()).await;
    assert!(said.starts_with(KIND), "{said}");
    assert_eq!(said.matches('?').count(), 1, "{said}");
    let summary = record["summary"].as_str().unwrap();
    assert!(summary.starts_with(TOLD), "{summary}");
    let (_, own) = conversation("").await;
    assert_eq!(
        record["structuredData"], own["structuredData"],
        "what is decided is the flow's"
    );
}

#[tokio::test]
async fn without_a_model_or_with_one_out_of_order_the_words_are_the_flows() {
    let (usual, own) = conversation("").await;
    let endpoint = Endpoint::out_of_order().await;
    let (said, record) = conversation(&endpoint.settings()).await;
    assert_eq!(said, usual);
    assert_eq!(record["summary"], own["summary"]);
    assert!(!endpoint.asked.lock().unwrap().is_empty(), "it was asked");
}

#[tokio::test]
async fn who_reads_a_conversation_does_not_wait_for_its_model() {
    let endpoint = Endpoint::that_waits_to_say(KIND).await;
    let server = start_server(&endpoint.settings()).await;
    let visitor = Arc::new(server.visitor());
    let first = chat(&visitor, json!({"assistantId": "helpline", "input": ""})).await;
    let body = json!({"previousChatId": first["id"], "input": WORDS});
    let writer = Arc::clone(&visitor);
    let writing = tokio::spawn(async move { chat(&writer, body).await });
    while endpoint.asked.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let path = format!("/chat/{}", first["id"].as_str().unwrap());
    let read = visitor.get_json(&path).await;
    assert!(!writing.is_finished(), "the model has not answered");
    assert_eq!(read["id"], first["id"]);
    endpoint.answers.add_permits(1);
    let written = writing.await.unwrap();
    assert!(
        written["output"][0]["content"]
            .as_str()
            .unwrap()
            .starts_with(KIND)
    );
    assert_eq!(visitor.get_json(&path).await["id"], written["id"]);
}

#[tokio::test]
async fn a_models_words_are_spoken_in_a_call() {
    let endpoint = Endpoint::that_says(KIND).await;
    let server = start_server(&endpoint.settings()).await;
    let visitor = server.visitor();
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words(WORDS).await;
    let is_said = |message: &Value| {
        message["type"] == "transcript"
            && message["role"] == "assistant"
            && message["transcript"]
                .as_str()
                .is_some_and(|said| said.contains(KIND))
    };
    assert!(line.until(is_said).await.is_some(), "{:?}", line.told);
    line.hang_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn converse_asks_the_model_too() {
    let endpoint = Endpoint::that_says(KIND).await;
    let environment = endpoint.environment();
    let program = tokio::task::spawn_blocking(move || {
        let place = tempfile::tempdir().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_nightlight"))
            .args(["converse", "--json"])
            .envs(environment)
            .current_dir(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = format!("{{\"say\":\"{WORDS}\"}}\n");
        program
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        program.wait_with_output().unwrap()
    });
    let output = String::from_utf8(program.await.unwrap().stdout).unwrap();
    assert!(output.contains(KIND), "{output}");
    assert!(output.contains(TOLD), "{output}");
}
