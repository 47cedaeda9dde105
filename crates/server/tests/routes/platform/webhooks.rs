//! Server messages to a program's own server: what is told, with which secret, and what becomes of what it does not take.

use postgres_for_tests::PostgresServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Row};

use crate::support::caller::SocketCaller;
use crate::support::program::{Program, with_a_key};
use crate::support::receiver::{MessageReceiver, Received};
use crate::support::visitor::PUBLIC_KEY;
use crate::support::{TestServer, Visitor, database_in, start_server, start_server_in_place};

const SECRET: &str = "sesame-zephyrine-4711";
const WORDS: &str = "My boss shouts at me every day";

async fn told_by_all(receiver: &MessageReceiver) -> TestServer {
    let settings = format!("{}\n{}", with_a_key(), receiver.settings(SECRET));
    start_server(&settings).await
}

/// A conversation that begins with these words.
async fn began(program: &Program, more: Value, words: &str) -> Value {
    let mut body = json!({"input": words});
    let fields = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    program.made("/chat", body).await
}

/// The helpline, and all that is asked and told.
fn told_of_everything() -> Value {
    let kinds = [
        "status-update",
        "conversation-update",
        "tool-calls",
        "transfer-destination-request",
        "transfer-update",
        "end-of-call-report",
    ];
    json!({"assistantId": "helpline", "assistantOverrides": {"serverMessages": kinds}})
}

async fn went_on(program: &Program, after: &Value, words: &str) -> Value {
    let body = json!({"previousChatId": after["id"], "input": words});
    program.made("/chat", body).await
}

/// One that a visitor begins, goes on with and leaves.
async fn a_whole_conversation(visitor: &Visitor, assistant: &Value) -> Value {
    let ask = async |body: Value| -> Value {
        let request = visitor
            .request(Method::POST, "/chat")
            .bearer_auth(PUBLIC_KEY);
        let answer = visitor.send(request.json(&body)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await.unwrap()
    };
    let first = ask(json!({"assistantId": assistant, "input": ""})).await;
    let second = ask(json!({"previousChatId": first["id"], "input": WORDS})).await;
    let path = format!("/chat/{}", second["id"].as_str().unwrap());
    let ended = visitor.send(visitor.request(Method::DELETE, &path)).await;
    assert_eq!(ended.status(), StatusCode::OK);
    second
}

#[tokio::test]
async fn a_written_conversation_is_told_in_order_with_the_secret() {
    let receiver = MessageReceiver::start().await;
    let server = told_by_all(&receiver).await;
    let chat = a_whole_conversation(&server.visitor(), &json!("helpline")).await;
    let report = receiver.until_kind("end-of-call-report").await.message;
    assert_eq!(
        receiver.kinds(),
        [
            "status-update",
            "conversation-update",
            "conversation-update",
            "status-update",
            "end-of-call-report"
        ]
    );
    let received = receiver.received();
    for one in &received {
        assert_eq!(one.headers["x-vapi-secret"], SECRET);
        assert_eq!(one.headers["content-type"], "application/json");
        assert_eq!(one.message["call"]["id"], chat["sessionId"]);
        assert_eq!(one.message["call"]["type"], "chat");
        assert_eq!(one.message["call"]["assistantId"], "helpline");
    }
    assert_eq!(received[0].message["status"], "in-progress");
    assert_eq!(received[3].message["status"], "ended");
    assert_eq!(received[3].message["endedReason"], "customer-ended-call");
    let said = &received[2].message["messages"];
    assert_eq!(
        (&said[1]["role"], &said[1]["message"]),
        (&json!("user"), &json!(WORDS))
    );
    assert_eq!(report["endedReason"], "customer-ended-call");
    assert!(
        report["artifact"]["transcript"]
            .as_str()
            .unwrap()
            .contains(WORDS)
    );
    assert!(report["analysis"]["summary"].is_string());
    assert!(report["analysis"]["structuredData"]["urgent"].is_boolean());
}

#[tokio::test]
async fn an_assistant_says_where_its_messages_go_which_and_with_what() {
    let (of_all, own) = (
        MessageReceiver::start().await,
        MessageReceiver::start().await,
    );
    let server = told_by_all(&of_all).await;
    let program = Program::of(&server);
    let assistant = json!({
        "name": "Night line",
        "server": {"url": own.url(), "secret": "its-own", "headers": {"X-Team": "night"}},
        "serverMessages": ["end-of-call-report", "transcript"],
    });
    let assistant = program.made("/assistant", assistant).await;
    a_whole_conversation(&server.visitor(), &assistant["id"]).await;
    let report = own.until_kind("end-of-call-report").await;
    assert_eq!(own.kinds(), ["end-of-call-report"]);
    assert_eq!(report.headers["x-vapi-secret"], "its-own");
    assert_eq!(report.headers["x-team"], "night");
    assert_eq!(report.message["call"]["assistantId"], assistant["id"]);
    assert_eq!(of_all.kinds(), [""; 0]);
}

#[tokio::test]
async fn a_server_knows_who_tells_it_by_the_credential_that_it_names() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for (plan, header) in [
        (
            json!({"type": "bearer", "token": "its-own"}),
            "authorization",
        ),
        (
            json!({"type": "hmac", "algorithm": "sha256", "secretKey": "its-own"}),
            "x-signature",
        ),
    ] {
        let receiver = MessageReceiver::start().await;
        let credential = json!({"provider": "webhook", "name": "CRM", "authenticationPlan": plan});
        let credential = program.made("/credential", credential).await;
        let assistant = json!({
            "name": "Night line", "serverMessages": ["end-of-call-report"],
            "server": {"url": receiver.url(), "credentialId": credential["id"]},
        });
        let assistant = program.made("/assistant", assistant).await;
        a_whole_conversation(&server.visitor(), &assistant["id"]).await;
        let report = receiver.until_kind("end-of-call-report").await;
        let told = report.headers[header].to_str().unwrap();
        match header {
            "authorization" => assert_eq!(told, "Bearer its-own"),
            _ => {
                assert_eq!(told.len(), 64, "{told}");
                assert!(report.headers.contains_key("x-timestamp"));
            }
        }
    }
}

#[tokio::test]
async fn a_workflow_of_one_conversation_says_where_its_messages_go() {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let workflow = json!({
        "name": "Nights", "edges": [], "nodes": [{"type": "conversation", "name": "talk"}],
        "server": {"url": receiver.url()},
    });
    let workflow = program.made("/workflow", workflow).await;
    let body = json!({"workflowId": workflow["id"], "transport": {"provider": "vapi.websocket"}});
    let call = program.made("/call", body).await;
    let mut line = SocketCaller::join(&call).await;
    line.send(json!({"type": "end-call"})).await;
    line.until(|_| false).await;
    let report = receiver.until_kind("end-of-call-report").await.message;
    assert_eq!(report["call"]["id"], call["id"]);
    assert_eq!(report["call"]["workflowId"], workflow["id"]);
}

#[tokio::test]
async fn a_call_by_voice_is_told_as_it_goes() {
    let receiver = MessageReceiver::start().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let body = json!({
        "assistantId": "helpline", "transport": {"provider": "vapi.websocket"},
        "assistantOverrides": {
            "server": {"url": receiver.url(), "secret": SECRET},
            "serverMessages": ["status-update", "speech-update", "transcript", "conversation-update", "end-of-call-report"],
        },
    });
    let call = program.made("/call", body).await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words(WORDS).await;
    line.until_the_assistant_has_spoken().await;
    line.send(json!({"type": "end-call"})).await;
    line.until(|_| false).await;
    let report = receiver.until_kind("end-of-call-report").await.message;
    assert!(
        report["artifact"]["transcript"]
            .as_str()
            .unwrap()
            .contains(WORDS)
    );
    let received = receiver.received();
    assert_eq!(received[0].message["status"], "in-progress");
    for one in &received {
        assert_eq!(one.headers["x-vapi-secret"], SECRET);
        assert_eq!(one.message["call"]["id"], call["id"]);
        assert_eq!(one.message["call"]["type"], call["type"]);
    }
    let of = |kind: &str| {
        received
            .iter()
            .filter(|one| one.message["type"] == kind)
            .count()
    };
    assert!(of("speech-update") >= 2, "{:?}", receiver.kinds());
    let words = receiver
        .until(|one| one.message["transcriptType"] == "final" && one.message["role"] == "user");
    assert_eq!(words.await.message["transcript"], WORDS);
    let ended = receiver.until(|one| one.message["status"] == "ended").await;
    assert_eq!(ended.message["endedReason"], report["endedReason"]);
}

#[tokio::test]
async fn who_has_the_public_key_alone_does_not_say_where_words_go() {
    let (of_all, elsewhere) = (
        MessageReceiver::start().await,
        MessageReceiver::start().await,
    );
    let server = told_by_all(&of_all).await;
    let visitor = server.visitor();
    let body = json!({
        "assistantId": "helpline", "input": "",
        "assistantOverrides": {"server": {"url": elsewhere.url()}},
        "assistant": {"server": {"url": elsewhere.url()}},
    });
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY);
    let begun = visitor.send(request.json(&body)).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    of_all.until_kind("conversation-update").await;
    assert_eq!(elsewhere.kinds(), [""; 0]);
}

async fn what_is_refused_is_delivered_later(settings: &str) {
    let receiver = MessageReceiver::start().await;
    receiver.refuses_first(&[StatusCode::INTERNAL_SERVER_ERROR]);
    let settings = format!("{}\n{settings}", receiver.settings(SECRET));
    let server = start_server(&settings).await;
    a_whole_conversation(&server.visitor(), &json!("helpline")).await;
    receiver.until_kind("end-of-call-report").await;
    let began = |one: &Received| one.message["status"] == "in-progress";
    let first = receiver.until(began).await;
    let again = receiver.until_after(1, began).await;
    assert_eq!(first.message, again.message);
}

#[tokio::test]
async fn what_is_refused_is_delivered_later_from_a_file() {
    what_is_refused_is_delivered_later("").await;
}

#[tokio::test]
async fn what_is_refused_is_delivered_later_from_postgresql() {
    let database = PostgresServer::shared().database();
    what_is_refused_is_delivered_later(&format!("database = '{database}'")).await;
}

#[tokio::test]
async fn what_waited_is_delivered_by_the_next_server_and_waits_sealed() {
    let receiver = MessageReceiver::start().await;
    receiver.always_answers(StatusCode::SERVICE_UNAVAILABLE);
    let key = records::new_records_key();
    let settings = format!(
        "{}\nrecords_keys = '{}'",
        receiver.settings(SECRET),
        key.expose_secret()
    );
    let server = start_server(&settings).await;
    a_whole_conversation(&server.visitor(), &json!("helpline")).await;
    receiver.until_kind("end-of-call-report").await;
    let place = server.stop().await;
    let before = receiver.received().len();

    let options: sqlx::sqlite::SqliteConnectOptions = database_in(place.path()).parse().unwrap();
    let mut database = options.connect().await.unwrap();
    let rows = sqlx::query(
        "SELECT body || coalesce(content, '') FROM resources WHERE kind = 'server-message'",
    );
    let rows = rows.fetch_all(&mut database).await.unwrap();
    assert_eq!(rows.len(), 5, "four messages, and the end");
    for row in rows {
        let stored: String = row.get(0);
        for clear in ["boss", SECRET, "127.0.0.1"] {
            assert!(!stored.contains(clear), "{clear}");
        }
    }
    drop(database);

    receiver.always_answers(StatusCode::OK);
    let server = start_server_in_place(place, &settings).await;
    for what in ["in-progress", "conversation-update", "end-of-call-report"] {
        let is_it = |one: &Received| one.message["status"] == what || one.message["type"] == what;
        receiver.until_after(before, is_it).await;
    }
    drop(server);
}

#[tokio::test]
async fn a_slow_server_slows_no_conversation() {
    let receiver = MessageReceiver::start().await;
    receiver.holds_back();
    let server = told_by_all(&receiver).await;
    // Each of these is answered while not a single message has been.
    for _ in 0..3 {
        a_whole_conversation(&server.visitor(), &json!("helpline")).await;
    }
    assert!(
        receiver.received().len() <= 3,
        "one of each is on its way at most"
    );
    receiver.lets_go();
    receiver.until_kind("end-of-call-report").await;
}

const ASKED: &str = "Is this call recorded?";

/// A conversation that has begun, and of which the receiver is told.
async fn listening(program: &Program, receiver: &MessageReceiver) -> Value {
    let chat = began(program, told_of_everything(), "").await;
    receiver
        .until(|one| one.message["status"] == "in-progress")
        .await;
    went_on(program, &chat, "I'm safe, I just feel very low").await
}

#[tokio::test]
async fn a_callers_question_is_answered_by_the_assistants_server() {
    let receiver = MessageReceiver::start().await;
    receiver.replies("tool-calls", |message| {
        let id = &message["toolCallList"][0]["id"];
        let result = json!({
            "toolCallId": id, "name": "product_query",
            "result": "The office opens at nine on weekdays.",
        });
        json!({"results": [result]}).to_string()
    });
    let server = told_by_all(&receiver).await;
    let program = Program::of(&server);
    let chat = listening(&program, &receiver).await;
    let answer = went_on(&program, &chat, ASKED).await;
    let asked = receiver.until_kind("tool-calls").await.message;
    assert_eq!(asked["toolCallList"][0]["parameters"]["query"], ASKED);
    let said = answer["output"][0]["content"].as_str().unwrap();
    assert!(said.contains("opens at nine on weekdays"), "{said}");
}

#[tokio::test]
async fn the_number_that_a_server_has_for_the_agency_of_a_caller_is_told_on() {
    let receiver = MessageReceiver::start().await;
    receiver.replies("transfer-destination-request", |_| {
        json!({"destination": {"type": "number", "number": "1767"}}).to_string()
    });
    let server = told_by_all(&receiver).await;
    let program = Program::of(&server);
    let chat = listening(&program, &receiver).await;
    let last = went_on(&program, &chat, "I don't want to live any more").await;
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    let asked = receiver.until_kind("transfer-destination-request").await;
    assert!(asked.message["artifact"]["messages"].is_array());
    let handed = receiver.until_kind("transfer-update").await.message;
    assert_eq!(handed["destination"]["number"], "1767");
    let forwarding = receiver.until(|one| one.message["status"] == "forwarding");
    let forwarding = forwarding.await.message;
    assert_eq!(forwarding["destination"]["number"], "1767");
    let report = receiver.until_kind("end-of-call-report").await.message;
    assert_eq!(report["call"]["destination"]["number"], "1767");
    assert_eq!(report["endedReason"], "assistant-forwarded-call");
}

#[tokio::test]
async fn a_destination_that_the_caller_does_not_go_to_is_told_nowhere_and_theirs_is() {
    let elsewhere = json!({"type": "number", "number": "+6561234567"});
    let of_the_agency = json!({"type": "number", "number": "1767"});
    for answer in [
        json!({"destination": elsewhere}),
        json!({"destination": {"type": "sip", "sipUri": "sip:desk@example.org"}}),
        json!({"destination": {"type": "number", "number": "999"}}),
        json!({"destination": {"type": "assistant", "assistantName": "Authorities", "description": "SPF"}}),
        json!({"destination": of_the_agency, "error": "nobody is at the desk"}),
    ] {
        let receiver = MessageReceiver::start().await;
        let said = answer.to_string();
        receiver.replies("transfer-destination-request", move |_| said.clone());
        let server = told_by_all(&receiver).await;
        let program = Program::of(&server);
        let chat = listening(&program, &receiver).await;
        let last = went_on(&program, &chat, "I don't want to live any more").await;
        assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
        let handed = receiver.until_kind("transfer-update").await.message;
        let theirs =
            json!({"type": "assistant", "assistantName": "Authorities", "description": "SOS"});
        assert_eq!(handed["destination"], theirs, "{answer}");
        let report = receiver.until_kind("end-of-call-report").await.message;
        assert_eq!(report["call"]["destination"], Value::Null, "{answer}");
        assert_eq!(report["endedReason"], "assistant-forwarded-call");
    }
}
