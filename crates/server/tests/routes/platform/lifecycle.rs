//! What a program's own server is told of chats and sessions that are made, changed and deleted, and of an assistant that
//! begins to answer.

use postgres_for_tests::PostgresServer;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::program::{Program, with_a_key};
use crate::support::receiver::{MessageReceiver, Received};
use crate::support::{start_server, start_server_in_place};

const WORDS: &str = "My boss shouts at me every day";

/// An assistant of a program's that has all of them told to this server.
async fn assistant(program: &Program, receiver: &MessageReceiver) -> Value {
    let assistant = json!({
        "name": "Night line", "server": {"url": receiver.url()},
        "serverMessages": [
            "assistant.started", "chat.created", "chat.deleted", "session.created", "session.updated", "session.deleted",
        ],
    });
    program.made("/assistant", assistant).await
}

fn path(kind: &str, of: &Value) -> String {
    format!("/{kind}/{}", of["id"].as_str().unwrap())
}

async fn a_session_and_its_chats_are_told(settings: &str) {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&format!("{}\n{settings}", with_a_key())).await;
    let program = Program::of(&server);
    let assistant = assistant(&program, &receiver).await;
    let asked = json!({"name": "Case 7", "assistantId": assistant["id"]});
    let session = program.made("/session", asked).await;
    let created = receiver.until_kind("session.created").await.message;
    assert_eq!(created["session"], session);

    let asked = json!({"sessionId": session["id"], "input": WORDS});
    let chat = program.made("/chat", asked).await;
    let told = receiver.until_kind("chat.created").await.message;
    assert_eq!(told["chat"], chat);
    assert_eq!(told["chat"]["sessionId"], session["id"]);
    assert_eq!(told["call"]["assistantId"], assistant["id"]);

    let changes = json!({"status": "completed"});
    program.changed(&path("session", &session), changes).await;
    let updated = receiver.until_kind("session.updated").await.message;
    assert_eq!(updated["session"]["status"], "completed");
    assert_eq!(
        updated["session"]["messages"],
        json!([]),
        "told by its chats"
    );

    program.removed(&path("chat", &chat)).await;
    let deleted = receiver.until_kind("chat.deleted").await.message;
    assert_eq!(deleted["chat"]["id"], chat["id"]);
    program.removed(&path("session", &session)).await;
    let removed = receiver.until_kind("session.deleted").await.message;
    assert_eq!(removed["session"]["id"], session["id"]);
    for gone in [deleted, removed] {
        assert!(!gone.to_string().contains(WORDS), "it is deleted: {gone}");
    }
}

#[tokio::test]
async fn a_session_and_its_chats_are_told_from_a_file() {
    a_session_and_its_chats_are_told("").await;
}

#[tokio::test]
async fn a_session_and_its_chats_are_told_from_postgresql() {
    let database = PostgresServer::shared().database();
    a_session_and_its_chats_are_told(&format!("database = '{database}'")).await;
}

#[tokio::test]
async fn every_chat_is_told_once_also_when_its_answer_is_asked_for_again() {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = assistant(&program, &receiver).await;
    let first = json!({"assistantId": assistant["id"], "input": ""});
    let first = program.made("/chat", first).await;
    let next = json!({"previousChatId": first["id"], "input": WORDS});
    let second = program.made("/chat", next.clone()).await;
    let again = program.made("/chat", next).await;
    assert_eq!(again["id"], second["id"]);
    let next = json!({"previousChatId": second["id"], "input": "It is about my work"});
    let third = program.made("/chat", next).await;
    receiver
        .until(|one| one.message["chat"]["id"] == third["id"])
        .await;
    let received = receiver.received();
    let ids: Vec<&Value> = received
        .iter()
        .map(|one| &one.message["chat"]["id"])
        .collect();
    assert_eq!(ids, [&first["id"], &second["id"], &third["id"]]);
}

#[tokio::test]
async fn an_assistant_that_does_not_ask_is_told_of_no_chat_and_of_no_session() {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let usual = json!({"name": "Night line", "server": {"url": receiver.url()}});
    let usual = program.made("/assistant", usual).await;
    let session = json!({"assistantId": usual["id"]});
    let session = program.made("/session", session).await;
    let chat = json!({"sessionId": session["id"], "input": WORDS});
    let chat = program.made("/chat", chat).await;
    receiver.until_kind("conversation-update").await;
    program.removed(&path("chat", &chat)).await;
    program.removed(&path("session", &session)).await;
    let of_them = |kind: &String| kind.contains('.');
    assert!(
        !receiver.kinds().iter().any(of_them),
        "{:?}",
        receiver.kinds()
    );
}

#[tokio::test]
async fn a_call_by_voice_is_told_of_the_assistant_that_answers_it_by_the_usual_messages() {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let usual = json!({"name": "Night line", "server": {"url": receiver.url()}});
    let usual = program.made("/assistant", usual).await;
    let asked = json!({"assistantId": usual["id"], "transport": {"provider": "vapi.websocket"}});
    let call = program.made("/call", asked).await;
    let mut line = SocketCaller::join(&call).await;
    let started = receiver.until_kind("assistant.started").await.message;
    assert_eq!(started["call"]["id"], call["id"]);
    assert!(started["newAssistant"]["name"].is_string());
    assert_eq!(receiver.received()[0].message["status"], "in-progress");
    line.hang_up().await;
}

#[tokio::test]
async fn what_is_told_of_a_session_waits_for_the_next_server() {
    let receiver = MessageReceiver::start().await;
    receiver.always_answers(StatusCode::SERVICE_UNAVAILABLE);
    let settings = with_a_key();
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let assistant = assistant(&program, &receiver).await;
    let wanted = json!({"assistantId": assistant["id"]});
    let stays = program.made("/session", wanted.clone()).await;
    let goes = program.made("/session", wanted).await;
    program.removed(&path("session", &goes)).await;
    let is_told = |one: &Received, kind: &str, session: &Value| {
        one.message["type"] == kind && one.message["session"]["id"] == session["id"]
    };
    let waiting = [("session.created", &stays), ("session.deleted", &goes)];
    // Each was tried at once and by the queue, and waits.
    for (kind, session) in waiting {
        let is_it = |one: &Received| is_told(one, kind, session);
        receiver.until_after(0, is_it).await;
        let first = receiver.received().iter().position(is_it).unwrap();
        receiver.until_after(first + 1, is_it).await;
    }
    let place = server.stop().await;
    let before = receiver.received().len();
    receiver.always_answers(StatusCode::OK);
    let server = start_server_in_place(place, &settings).await;
    for (kind, session) in waiting {
        let is_it = |one: &Received| is_told(one, kind, session);
        receiver.until_after(before, is_it).await;
    }
    let came = receiver.received();
    let is_gone = |one: &Received| is_told(one, "session.created", &goes);
    assert!(!came.iter().skip(before).any(is_gone), "it is deleted");
    drop(server);
}
