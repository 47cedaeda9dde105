//! What an assistant's server has said as a caller is handed on.

use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::receiver::MessageReceiver;
use crate::support::start_server;

const WORD: &str = "The office at Ang Mo Kio keeps a bed for tonight.";

/// These words before, and a destination that is nobody's of ours.
fn has_said(receiver: &MessageReceiver, words: &'static str) {
    receiver.replies("transfer-destination-request", move |_| {
        let message = json!({"type": "request-start", "content": words});
        let destination = json!({"type": "number", "number": "+6561234567"});
        json!({"message": message, "destination": destination}).to_string()
    });
}

/// A conversation with an assistant whose server is asked; what was said last in it.
pub(super) async fn talked(program: &Program, receiver: &MessageReceiver, lines: &[&str]) -> Value {
    let before = receiver.received().len();
    let assistant = json!({
        "name": "Night line", "server": {"url": receiver.url()},
        "serverMessages": ["status-update", "transfer-destination-request", "transfer-update"],
    });
    let assistant = program.made("/assistant", assistant).await;
    let body = json!({"assistantId": assistant["id"], "input": ""});
    let mut chat = program.made("/chat", body).await;
    receiver
        .until_after(before, |one| one.message["status"] == "in-progress")
        .await;
    for words in lines {
        let asked = chat["output"].to_string();
        if *words == "last week" && !asked.contains("incident") && !asked.contains("last time") {
            continue;
        }
        let body = json!({"previousChatId": chat["id"], "input": words});
        chat = program.made("/chat", body).await;
    }
    chat
}

pub(super) const OF_A_NEED: [&str; 7] = [
    "yes I'm safe",
    "I need a place to stay tonight",
    "yes",
    "Ana Tan",
    "Bedok",
    "last week",
    "a message, after nine at night",
];

#[tokio::test]
async fn a_servers_word_is_said_beside_ours_as_a_case_is_passed_on_and_it_is_asked_once_for_it() {
    let receiver = MessageReceiver::start().await;
    has_said(&receiver, WORD);
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let last = talked(&program, &receiver, &OF_A_NEED).await;
    let said = last["output"].to_string();
    let ours = said.find("next working day").unwrap();
    assert!(
        said.find(WORD).is_some_and(|theirs| theirs > ours),
        "{said}"
    );
    let handed = receiver.until_kind("transfer-update").await.message;
    assert_eq!(handed["destination"]["description"], "FSC");
    let kinds = receiver.kinds();
    let asked = kinds
        .iter()
        .filter(|kind| *kind == "transfer-destination-request");
    assert_eq!(
        asked.count(),
        2,
        "before the caller is asked, and as it is passed on: {kinds:?}"
    );
    for (one, words) in questions(&receiver)
        .iter()
        .zip([OF_A_NEED[1], OF_A_NEED[6]])
    {
        let told = one["artifact"]["messages"].as_array().unwrap();
        assert_eq!(told.last().unwrap()["message"], words);
    }
}

/// What it was asked about hand-overs, in order.
fn questions(receiver: &MessageReceiver) -> Vec<Value> {
    let received = receiver.received().into_iter().map(|one| one.message);
    received
        .filter(|message| message["type"] == "transfer-destination-request")
        .collect()
}

#[tokio::test]
async fn the_agency_that_a_server_names_is_asked_for_and_has_the_case() {
    for destination in [
        json!({"type": "number", "number": "+6565550390"}),
        json!({"type": "assistant", "assistantName": "Authorities", "description": "PAVE"}),
    ] {
        let receiver = MessageReceiver::start().await;
        let answer = json!({"destination": destination}).to_string();
        receiver.replies("transfer-destination-request", move |_| answer.clone());
        let server = start_server(&with_a_key()).await;
        let program = Program::of(&server);
        let last = talked(&program, &receiver, &OF_A_NEED).await;
        assert_eq!(last["transfer"], json!({"mode": "cold", "agency": "PAVE"}));
        let handed = receiver.until_kind("transfer-update").await.message;
        assert_eq!(handed["destination"], destination, "it is where they go");
        let said = questions(&receiver).pop().unwrap()["artifact"].to_string();
        assert!(said.contains("your case"), "the caller was asked: {said}");
        assert!(said.contains("PAVE"), "{said}");
        assert!(!said.contains("Family Service Centre"), "{said}");
    }
}

#[tokio::test]
async fn whom_the_police_take_is_nobody_elses_to_say() {
    let receiver = MessageReceiver::start().await;
    receiver.replies("transfer-destination-request", |_| {
        json!({"destination": {"type": "number", "number": "999"}}).to_string()
    });
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let last = talked(&program, &receiver, &OF_A_NEED).await;
    assert_eq!(last["transfer"], json!({"mode": "cold", "agency": "FSC"}));
}

#[tokio::test]
async fn what_an_assistant_may_not_say_is_not_said() {
    let receiver = MessageReceiver::start().await;
    has_said(
        &receiver,
        "I am transferring you now. Please stay on the line.",
    );
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let last = talked(&program, &receiver, &OF_A_NEED).await;
    let said = last["output"].to_string();
    assert!(said.contains("next working day"), "{said}");
    assert!(
        !said.contains("transferring"),
        "nobody is put through: {said}"
    );
    let handed = receiver.until_kind("transfer-update").await.message;
    assert_eq!(handed["destination"]["description"], "FSC");
}

#[tokio::test]
async fn in_danger_nothing_is_said_beside_ours() {
    let receiver = MessageReceiver::start().await;
    has_said(&receiver, WORD);
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let lines = ["yes I'm safe", "I want to kill myself tonight"];
    let last = talked(&program, &receiver, &lines).await;
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    assert!(!last["output"].to_string().contains(WORD));
    let handed = receiver.until_kind("transfer-update").await.message;
    assert_eq!(handed["destination"]["description"], "SOS");
}
