//! What becomes of records: whether they are stored, and until when they are kept.

use flow::{AssistantScript, Conversation, EndReason, Setup};
use jiff::{SignedDuration, Timestamp};
use records::{CallId, CallKind, FinishedCall, NewCall, Records};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::sync::Arc;
use tokio::process::Command;

use crate::support::caller::SocketCaller;
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{TestServer, database_in, start_server, start_server_again};

#[tokio::test]
async fn a_storage_that_fails_is_told_and_keeps_no_caller_out() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let ready = visitor.get_json("/ready").await;
    assert_eq!(ready, json!({"ready": true, "troubles": []}));

    let path = server.place.path().join("calls.db");
    let options = SqliteConnectOptions::new().filename(path);
    let mut other = options.connect().await.unwrap();
    let refuse = "CREATE TRIGGER full BEFORE INSERT ON turns \
                  BEGIN SELECT RAISE(FAIL, 'there is no room'); END";
    sqlx::query(refuse).execute(&mut other).await.unwrap();
    let begin = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY);
    let body = json!({"assistantId": "helpline", "input": "I feel sad"});
    let answer = visitor.send(begin.json(&body)).await;
    assert_eq!(
        answer.status(),
        StatusCode::CREATED,
        "it is answered all the same"
    );

    let answer = visitor.get("/ready").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    let told: Value = answer.json().await.unwrap();
    let expected = json!({"ready": false, "troubles": ["records-not-stored"]});
    assert_eq!(told, expected);
    let alive = visitor.get_json("/health").await;
    assert_eq!(alive["status"], "records-failing", "and is alive");

    let room = "DROP TRIGGER full";
    sqlx::query(room).execute(&mut other).await.unwrap();
    while visitor.get("/ready").await.status() != StatusCode::OK {
        tokio::task::yield_now().await;
    }
    assert_eq!(visitor.get_json("/health").await["status"], "ok");
}

fn ended(started_at: Timestamp) -> FinishedCall {
    let conversation = Conversation::new(Setup {
        called_at: call::singapore_time(started_at),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    });
    FinishedCall {
        ended_at: started_at,
        ended_reason: EndReason::CallerEnded,
        note: conversation.note(),
        messages: Vec::new(),
    }
}

#[tokio::test]
async fn a_record_past_its_time_is_deleted_by_the_server() {
    let place = tempfile::tempdir().unwrap();
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let days_ago = |days: i64| Timestamp::now() - SignedDuration::from_hours(24 * days);
    let [past, kept] = [31, 29].map(|days| NewCall {
        call_id: CallId::random(),
        visitor: None,
        started_at: days_ago(days),
        kind: CallKind::WebCall,
        notice: None,
    });
    for call in [&past, &kept] {
        records.start_call(call.clone()).await.unwrap();
        let ended = ended(call.started_at);
        records.finish_call(call.call_id, ended).await.unwrap();
    }
    let server = start_server_again(place).await;
    while records.call(past.call_id).await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    assert!(records.call(kept.call_id).await.unwrap().is_some());
    let samples = server.visitor().get_json("/api/calls").await;
    assert_eq!(
        samples.as_array().unwrap().len(),
        10,
        "however old they are"
    );
}

/// Has the program erase a record beside the running server; what it said, and whether it did.
async fn delete_record(server: &TestServer, call_id: &str) -> (bool, String) {
    let program = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(["delete-record", call_id])
        .env("NIGHTLIGHT_DATABASE", database_in(server.place.path()))
        .current_dir(server.place.path())
        .output()
        .await
        .unwrap();
    let said = [program.stdout, program.stderr].concat();
    (program.status.success(), String::from_utf8(said).unwrap())
}

#[tokio::test]
async fn an_operator_erases_a_record_while_the_server_runs_but_not_a_call_under_way() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    let call_id = call["id"].as_str().unwrap();
    let mut line = SocketCaller::join(&call).await;
    line.until(|message| message == "listening").await.unwrap();
    events.next().await.unwrap();
    let (deleted, said) = delete_record(&server, call_id).await;
    assert!(
        !deleted && said.contains("this call is under way"),
        "{said}"
    );

    line.hang_up().await;
    events.ended().await;
    let (deleted, said) = delete_record(&server, call_id).await;
    assert!(deleted, "{said}");
    assert_eq!(said, "The record is deleted.\n");
    let path = format!("/api/getCallInfo?callId={call_id}");
    refused(visitor.get(&path).await, 404, "call-not-found").await;

    let (deleted, said) = delete_record(&server, call_id).await;
    assert!(
        !deleted && said.contains("there is no record of this call"),
        "{said}"
    );
}

/// All that is in the files below a folder, read by another program: to close a file of the database here would take the
/// server's locks of it away.
pub async fn files_below(folder: &std::path::Path) -> String {
    let read = Command::new("find")
        .arg(folder)
        .args(["-type", "f", "-exec", "cat", "{}", "+"])
        .output()
        .await
        .unwrap();
    String::from_utf8_lossy(&read.stdout).into_owned()
}

/// Has the program do something with the records beside the running server; what it said, and whether it did.
pub async fn nightlight(server: &TestServer, arguments: &[&str], keys: &str) -> (bool, String) {
    let program = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(arguments)
        .env("NIGHTLIGHT_DATABASE", database_in(server.place.path()))
        .env("NIGHTLIGHT_RECORDS_KEYS", keys)
        .current_dir(server.place.path())
        .output()
        .await
        .unwrap();
    let said = [program.stdout, program.stderr].concat();
    (program.status.success(), String::from_utf8(said).unwrap())
}

#[tokio::test]
async fn no_word_of_a_whole_conversation_is_on_the_disk_where_a_key_is_set() {
    let key = records::new_records_key().expose_secret().clone();
    let server = start_server(&format!("records_keys = '{key}'")).await;
    let visitor = server.visitor();
    let words = [
        "My name is Zulkarnain",
        "my father hit me with a belt yesterday",
        "I live at Block 417 Bedok Garden",
    ];
    let mut chat: Option<Value> = None;
    for said in words {
        let body = match &chat {
            None => json!({"assistantId": "helpline", "input": said}),
            Some(chat) => json!({"previousChatId": chat["id"], "input": said}),
        };
        let ask = visitor
            .request(Method::POST, "/chat")
            .bearer_auth(PUBLIC_KEY);
        let answer = visitor.send(ask.json(&body)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        chat = Some(answer.json().await.unwrap());
    }
    let absent = async |when: &str| {
        let stored = files_below(server.place.path()).await;
        assert!(stored.contains("sealed:1:"), "{when}");
        // Three figures alone stand somewhere in any ciphertext, id or time.
        for word in [
            "Zulkarnain",
            "my father hit me",
            "Bedok Garden",
            "Block 417",
        ] {
            assert!(!stored.contains(word), "{word} {when}");
        }
    };
    absent("while it goes on").await;
    let mut events = visitor.events().await;
    let id = chat.unwrap()["id"].as_str().unwrap().to_owned();
    let end = visitor
        .request(Method::DELETE, &format!("/chat/{id}"))
        .bearer_auth(PUBLIC_KEY);
    assert!(visitor.send(end).await.status().is_success());
    events.ended().await;
    absent("when it is over").await;
    let info = visitor.get_json("/api/getCallInfo").await;
    let told = info.to_string();
    assert!(
        told.contains("Zulkarnain") && told.contains("Bedok Garden"),
        "{told}"
    );

    let (_, new) = nightlight(&server, &["new-records-key"], "").await;
    let (done, said) = nightlight(&server, &["rotate"], &format!("{new},{key}")).await;
    assert!(
        done && said.contains("1 records looked at, 1 encrypted anew"),
        "{said}"
    );
    let unreadable = visitor.get_json("/api/getCallInfo").await;
    assert_eq!(
        unreadable["summaryTitle"], "Record cannot be read",
        "this server has the old key alone"
    );
    assert_eq!(unreadable["messages"], json!([]));
    let listed = visitor.get_json("/api/calls").await;
    assert_eq!(listed.as_array().unwrap().len(), 11);
    let (done, said) = nightlight(&server, &["rotate"], &key).await;
    assert!(!done && said.contains("add the keys"), "{said}");
    let (done, said) = nightlight(&server, &["rotate"], &format!("{key},{new}")).await;
    assert!(done && said.contains("1 encrypted anew"), "{said}");
    assert_eq!(visitor.get_json("/api/getCallInfo").await, info);
    let (done, said) = nightlight(&server, &["rotate"], "").await;
    assert!(!done && said.contains("new-records-key"), "{said}");
}

#[tokio::test]
async fn a_record_holds_which_notice_its_caller_was_shown() {
    let server = start_server("records_kept_days = 7").await;
    let config = server.visitor().get_json("/api/config").await;
    assert_eq!(config["recordsKeptDays"], 7);
    let shown = json!({"variableValues": {"agency": "", "notice": "2026-11-23/7"}});
    let notice = json!({"version": "2026-11-23", "keptDays": 7});
    for (overrides, expected) in [(Some(shown), notice), (None, Value::Null)] {
        let (speaks, writes) = (server.visitor(), server.visitor());
        let mut body = json!({"assistantId": "helpline"});
        if let Some(overrides) = &overrides {
            body["assistantOverrides"] = overrides.clone();
        }
        let mut events = speaks.events().await;
        let call: Value = speaks.ask_with(body.clone()).await.json().await.unwrap();
        let mut line = SocketCaller::join(&call).await;
        line.until(|message| message == "listening").await.unwrap();
        line.hang_up().await;
        events.ended().await;
        let spoken = speaks.get_json("/api/getCallInfo").await;
        assert_eq!(spoken["notice"], expected);

        body["input"] = json!("");
        let ask = writes
            .request(Method::POST, "/chat")
            .bearer_auth(PUBLIC_KEY);
        let answer = writes.send(ask.json(&body)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let written = writes.get_json("/api/getCallInfo").await;
        assert_eq!(written["notice"], expected);
    }
}
