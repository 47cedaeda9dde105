//! Stopping, starting again, and what happens to calls meanwhile.

use flow::{AssistantScript, Conversation, Event, Setup};
use jiff::{SignedDuration, Timestamp};
use records::{CallId, CallKind, CallRecord, Message, NewCall, Records, Role, Turn, VisitorId};
use redact::Secret;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::support::caller::SocketCaller;
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{
    Visitor, database_in, left_behind, start_server, start_server_again, why_no_second_server,
};

/// Nobody is told when a call is given up.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

#[tokio::test]
async fn stopping_lets_a_live_caller_hear_whom_to_ring_and_keeps_the_call() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let heard_before = line.heard.len();
    let stopping = tokio::spawn(server.stop());
    line.until(|_| false).await;
    assert!(
        line.heard.len() - heard_before > 16_000,
        "the caller hears more than a second of whom to ring"
    );
    assert_eq!(events.ended().await["endedReason"], "worker-shutdown");
    assert_eq!(events.next().await, None, "streams end with the server");
    stopping.await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_stopping_takes_no_new_calls() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let stopping = tokio::spawn(server.stop());
    let refusal = loop {
        let answer = visitor.ask().await;
        if answer.status() == 503 {
            break answer;
        }
    };
    let refusal = refused(refusal, 503, "shutting-down").await;
    assert!(refusal["numbers"].is_array());
    line.until(|_| false).await;
    stopping.await.unwrap();
}

#[tokio::test]
async fn with_time_to_finish_live_calls_go_on_to_their_own_end_while_nobody_new_is_taken() {
    let server = start_server("finish_seconds = 600").await;
    let (visitor, other) = (server.visitor(), server.visitor());
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let stopping = tokio::spawn(server.stop());
    let refusal = loop {
        let answer = other.ask().await;
        if answer.status() == 503 {
            break answer;
        }
    };
    refused(refusal, 503, "shutting-down").await;
    let chat = other.request(Method::POST, "/chat").bearer_auth(PUBLIC_KEY);
    let chat = chat.json(&json!({"assistantId": "helpline", "input": ""}));
    refused(other.send(chat).await, 503, "shutting-down").await;
    let health = other.request(Method::GET, "/health");
    assert_eq!(other.send(health).await.status(), 503, "for a proxy");
    // The conversation goes on as if nothing were.
    line.type_words("I am safe, and I feel very low tonight")
        .await;
    line.until_the_assistant_has_spoken().await;
    line.send(json!({"type": "end-call"})).await;
    line.until(|_| false).await;
    assert_ne!(events.ended().await["endedReason"], "worker-shutdown");
    stopping.await.unwrap();
}

/// A call of an earlier run, without an end.
async fn cut_off(place: &Path, saved: impl FnOnce(String) -> String) -> CallId {
    let records = Records::open(&database_in(place)).await.unwrap();
    cut_off_of(&records, None, saved).await
}

async fn cut_off_of(
    records: &Records,
    visitor: Option<VisitorId>,
    saved: impl FnOnce(String) -> String,
) -> CallId {
    let call_id = CallId::random();
    let started_at = Timestamp::now() - SignedDuration::from_hours(4);
    let mut conversation = Conversation::new(Setup {
        called_at: call::singapore_time(started_at),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    });
    conversation.handle(Event::CallStarted, Duration::ZERO);
    let words = Secret::new(String::from("He is hitting me right now"));
    reader::Reader::rules_alone().tell(&mut conversation, &words, Duration::from_secs(9));
    let call = NewCall {
        call_id,
        visitor,
        started_at,
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    let message = Message {
        role: Role::User,
        officer: None,
        message: words,
        seconds_from_start: 7.0,
        duration_seconds: 2.0,
        interrupted: false,
    };
    let turn = Turn {
        index: 0,
        messages: vec![message],
        conversation: Secret::new(saved(conversation.save().expose_secret().clone())),
    };
    records.put_turn(call_id, turn).await.unwrap();
    call_id
}

async fn on_record(place: &Path, call_id: CallId) -> CallRecord {
    let records = Records::open(&database_in(place)).await.unwrap();
    assert!(left_behind(&records, CallKind::WebCall).await.is_empty());
    records.call(call_id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_call_that_a_crash_cut_off_is_completed_from_its_last_durable_turn() {
    let place = tempfile::tempdir().unwrap();
    let call_id = cut_off(place.path(), |saved| saved).await;
    let place = start_server_again(place).await.stop().await;
    let record = on_record(place.path(), call_id).await;
    assert_eq!(record.ended_reason.unwrap().as_str(), "worker-shutdown");
    assert_eq!(record.duration_seconds(), Some(9.0));
    assert_eq!(record.messages.len(), 1);
    let note = record.note.unwrap();
    assert!(
        note.structured_data.urgent,
        "the danger that was heard is in the note"
    );
}

#[tokio::test]
async fn a_call_that_a_crash_cut_off_is_not_to_be_rung_back_where_its_visitor_has_left_the_page_since()
 {
    let place = tempfile::tempdir().unwrap();
    let visitor = VisitorId::random();
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let call_id = cut_off_of(&records, Some(visitor), |saved| saved).await;
    records.leave(visitor).await.unwrap();
    drop(records);
    let place = start_server_again(place).await.stop().await;
    let record = on_record(place.path(), call_id).await;
    let reason = record.ended_reason.unwrap();
    assert_eq!(reason.as_str(), "customer-ended-call");
    let note = record.note.unwrap();
    let steps = note.structured_data.follow_up.expose_secret();
    assert!(!steps.contains("Call back"), "{steps}");
    assert!(note.structured_data.urgent, "the danger is in the note");
}

#[tokio::test]
async fn a_second_server_on_the_same_database_or_port_leaves_the_first_ones_calls_alone() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let same_port = format!("listen = '{}'", server.url.trim_start_matches("http://"));
    for (settings, reason) in [
        ("", "in use by another Nightlight"),
        (&same_port, "cannot listen"),
    ] {
        let why = why_no_second_server(server.place.path(), settings).await;
        assert!(why.contains(reason), "{why}");
        let latest = &visitor.get_json("/api/calls").await[0];
        assert_eq!(latest["status"], "in-progress", "{latest}");
    }
    line.hang_up().await;
    assert_eq!(events.ended().await["endedReason"], "customer-ended-call");
}

#[tokio::test]
async fn what_was_answered_while_the_database_was_locked_is_stored_once_it_is_free() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let path = server.place.path().join("calls.db");
    let options = SqliteConnectOptions::new().filename(path);
    let mut other = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let body = json!({"assistantId": "helpline", "input": "I feel sad"});
    let chat = writes(&visitor, body).await;
    sqlx::query("COMMIT").execute(&mut other).await.unwrap();
    let records = Records::open(&database_in(server.place.path()))
        .await
        .unwrap();
    let stored = async || left_behind(&records, CallKind::Chat).await.pop();
    let left = loop {
        match stored().await.filter(|left| !left.messages.is_empty()) {
            Some(left) => break left,
            None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(chat["id"], left.call_id.to_string());
    assert_eq!(left.messages.len(), 2);
}

/// An exchange of a written conversation; gives what the next one follows.
async fn writes(visitor: &Visitor, body: Value) -> Value {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY);
    let answer = visitor.send(request.json(&body)).await;
    assert_eq!(answer.status(), StatusCode::CREATED, "nobody waits for it");
    answer.json().await.unwrap()
}

/// What callers have said in conversations that go on.
async fn stored_words(records: &Records, kind: CallKind) -> Vec<String> {
    let left = left_behind(records, kind).await;
    let messages = left.iter().flat_map(|call| &call.messages);
    messages
        .filter(|message| message.role == Role::User)
        .map(|message| message.message.expose_secret().clone())
        .collect()
}

#[tokio::test]
async fn of_three_turns_the_middle_one_is_on_record_too_where_the_database_was_locked_for_it() {
    let said = [
        "It has been a long week at the office",
        "My mother is not well and I look after her",
        "I sleep badly these nights",
    ];
    let server = start_server("").await;
    let path = server.place.path().join("calls.db");
    let options = SqliteConnectOptions::new().filename(path);
    let mut other = options.connect().await.unwrap();
    let records = Records::open(&database_in(server.place.path()))
        .await
        .unwrap();
    let (calling, writing) = (server.visitor(), server.visitor());
    let mut line = SocketCaller::join(&calling.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let mut chat = Value::Null;
    for (turn, words) in said.into_iter().enumerate() {
        let is_locked = turn == 1;
        if is_locked {
            for kind in [CallKind::WebCall, CallKind::Chat] {
                while stored_words(&records, kind).await != said[..1] {
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
            }
            sqlx::query("BEGIN IMMEDIATE")
                .execute(&mut other)
                .await
                .unwrap();
        }
        line.type_words(words).await;
        let next = match &chat["id"] {
            Value::Null => json!({"assistantId": "helpline", "input": words}),
            before => json!({"previousChatId": before, "input": words}),
        };
        chat = writes(&writing, next).await;
        line.until_the_assistant_has_spoken().await;
        if is_locked {
            for kind in [CallKind::WebCall, CallKind::Chat] {
                let stored = stored_words(&records, kind).await;
                assert_eq!(stored, said[..1], "it was answered unstored");
            }
            sqlx::query("COMMIT").execute(&mut other).await.unwrap();
        }
    }
    for kind in [CallKind::WebCall, CallKind::Chat] {
        while stored_words(&records, kind).await != said {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
    line.hang_up().await;
}

#[tokio::test]
async fn a_call_whose_note_cannot_be_written_keeps_no_server_from_starting() {
    let place = tempfile::tempdir().unwrap();
    // No turn comes after the last that can be counted: whoever looks for it fails.
    let call_id = cut_off(place.path(), |saved| {
        let mut saved: Value = serde_json::from_str(&saved).unwrap();
        let signals = saved["state"]["signals"].as_array_mut().unwrap();
        let mut hint = signals[0].clone();
        hint["turn"] = usize::MAX.into();
        hint["confidence"] = 0.3.into();
        let mut answer = hint.clone();
        answer["answers"] = true.into();
        signals.extend([hint, answer]);
        saved.to_string()
    })
    .await;
    let place = start_server_again(place).await.stop().await;
    let record = on_record(place.path(), call_id).await;
    assert_eq!(record.messages.len(), 1);
    assert!(
        record.note.unwrap().structured_data.urgent,
        "a person looks"
    );
}

#[tokio::test]
async fn a_call_that_cannot_be_read_is_given_up_for_a_person_and_so_is_whoever_comes_after_it() {
    let server = start_server("return_within_seconds = 0.5").await;
    let records = Records::open(&database_in(server.place.path()))
        .await
        .unwrap();
    let mut calls = Vec::new();
    for saved in ["{}", r#"{"version":1,"state":{"turns":-1}}"#] {
        let visitor = Some(VisitorId::random());
        calls.push(cut_off_of(&records, visitor, |_| saved.to_owned()).await);
    }
    let readable = cut_off_of(&records, Some(VisitorId::random()), |saved| saved).await;
    let given_up = async |call_id| {
        loop {
            let record = records.call(call_id).await.unwrap().unwrap();
            match record.note {
                Some(note) => break note,
                None => tokio::time::sleep(LOOK_AGAIN).await,
            }
        }
    };
    let first = "Read this call's transcript first";
    for call_id in calls {
        let data = given_up(call_id).await.structured_data;
        assert!(data.urgent);
        assert!(data.follow_up.expose_secret().starts_with(first));
    }
    let data = given_up(readable).await.structured_data;
    assert!(data.urgent && !data.follow_up.expose_secret().starts_with(first));
}
