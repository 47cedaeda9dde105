//! Stopping, starting again, and what happens to calls meanwhile.

use flow::{AssistantScript, Conversation, Event, Setup};
use records::{CallId, CallKind, Message, NewCall, Records, Role, Turn};
use redact::Secret;
use std::sync::Arc;
use std::time::Duration;

use crate::support::caller::SocketCaller;
use crate::support::visitor::refused;
use crate::support::{database_in, start_server, start_server_again};

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
async fn a_call_that_a_crash_cut_off_is_completed_from_its_last_durable_turn() {
    let place = tempfile::tempdir().unwrap();
    let call_id = CallId::random();
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let started_at = "2026-11-19T18:00:00Z".parse().unwrap();
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
        visitor: None,
        started_at,
        kind: CallKind::WebCall,
    };
    records.start_call(call).await.unwrap();
    let message = Message {
        role: Role::User,
        message: words,
        seconds_from_start: 7.0,
        duration_seconds: 2.0,
        interrupted: false,
    };
    let turn = Turn {
        index: 0,
        messages: vec![message],
        conversation: conversation.save(),
    };
    records.put_turn(call_id, turn).await.unwrap();
    drop(records);

    let place = start_server_again(place).await.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    assert!(records.unfinished().await.unwrap().is_empty());
    let record = records.call(call_id).await.unwrap().unwrap();
    assert_eq!(record.ended_reason.unwrap().as_str(), "worker-shutdown");
    assert_eq!(record.duration_seconds(), Some(9.0));
    assert_eq!(record.messages.len(), 1);
    let note = record.note.unwrap();
    assert!(
        note.structured_data.urgent,
        "the danger that was heard is in the note"
    );
}
