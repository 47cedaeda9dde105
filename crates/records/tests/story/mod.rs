//! The material of the store's stories: calls, turns and ends, and stores to put them in.
#![allow(dead_code, clippy::unwrap_used)]

pub mod log;

use std::path::Path;
use std::time::Duration;

use flow::{AbuseType, Agency, CaseNote, EndReason, Evidence, StructuredData};
use jiff::Timestamp;
use postgres_for_tests::PostgresServer;
use records::{
    CallId, CallKind, CallRecord, FinishedCall, Message, NewCall, Past, Records, RecordsKeys, Role,
    Turn, UnfinishedCall, VisitorId,
};
use redact::Secret;
use tempfile::TempDir;

pub fn secret(words: &str) -> Secret<String> {
    Secret::new(words.to_owned())
}

pub async fn sqlite_file() -> (TempDir, Records) {
    let directory = tempfile::tempdir().unwrap();
    let records = open(&directory.path().join("records.db")).await;
    (directory, records)
}

pub async fn sqlite_memory() -> ((), Records) {
    ((), Records::open("sqlite::memory:").await.unwrap())
}

/// A database of its own on the server that this program's tests share.
pub async fn postgres() -> ((), Records) {
    let url = PostgresServer::shared().database();
    ((), Records::open(&url).await.unwrap())
}

pub async fn sqlite_file_encrypted() -> (TempDir, Records) {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", directory.path().join("records.db").display());
    (directory, with_a_new_key(&url).await)
}

pub async fn postgres_encrypted() -> ((), Records) {
    let url = PostgresServer::shared().database();
    ((), with_a_new_key(&url).await)
}

async fn with_a_new_key(url: &str) -> Records {
    let key = records::new_records_key();
    let keys = RecordsKeys::parse(key.expose_secret()).unwrap();
    Records::open_with(url, keys).await.unwrap()
}

pub async fn open(path: &Path) -> Records {
    Records::open(&format!("sqlite:{}", path.display()))
        .await
        .unwrap()
}

pub fn new_call(visitor: Option<VisitorId>) -> NewCall {
    NewCall {
        call_id: CallId::random(),
        visitor,
        started_at: "2026-11-20T14:03:20.123456Z".parse().unwrap(),
        kind: CallKind::WebCall,
        notice: None,
    }
}

pub fn message(words: &str) -> Message {
    Message {
        role: Role::User,
        officer: None,
        message: secret(words),
        seconds_from_start: 4.25,
        duration_seconds: 1.5,
        interrupted: false,
    }
}

pub fn turn(index: u32, words: &str) -> Turn {
    Turn {
        index,
        messages: vec![message(words)],
        conversation: Secret::new(format!(r#"{{"after":{index},"words":"{words}"}}"#)),
    }
}

pub fn note(words: &str) -> CaseNote {
    CaseNote {
        summary_title: secret(words),
        summary: secret(words),
        structured_data: StructuredData {
            name: secret(words),
            urgent: true,
            location: secret(words),
            follow_up: secret(words),
            abuse_type: AbuseType::Physical,
            transfer_to: Some(Agency::Pave),
            transferred: true,
            latest_incident_date: secret(words),
        },
        evidence: vec![Evidence {
            claim: "violence now".to_owned(),
            words: secret(words),
            turn: 0,
            confidence: 0.5,
            escalates: true,
        }],
    }
}

/// The whole of a visitor's list, in pages of `most`.
pub async fn listed_by(records: &Records, visitor: VisitorId, most: u32) -> Vec<CallRecord> {
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let page = records.visible_to(visitor, after, most).await.unwrap();
        assert!(page.records.len() <= most as usize);
        listed.extend(page.records);
        match page.next {
            Some(next) => after = Some(next),
            None => return listed,
        }
    }
}

pub async fn listed(records: &Records, visitor: VisitorId) -> Vec<CallRecord> {
    listed_by(records, visitor, 7).await
}

/// A note of a call that can wait, ended as [`finished_call`] is.
pub fn finished_quietly(call: &NewCall, words: &str) -> FinishedCall {
    let mut finished = finished_call(call, words);
    finished.note.structured_data.urgent = false;
    finished
}

/// Ends 83.25 s after the call began; its note is urgent.
pub fn finished_call(call: &NewCall, words: &str) -> FinishedCall {
    FinishedCall {
        ended_at: call.started_at + Duration::from_millis(83_250),
        ended_reason: EndReason::Forwarded,
        note: note(words),
        messages: vec![message(words)],
    }
}

/// Past their time are records of calls that ended before this moment.
pub fn past(ended_before: Timestamp) -> Past {
    Past {
        now: ended_before,
        ended_before,
    }
}

/// Calls and written conversations without an end, of nodes that do not answer for them: of every node here that was not
/// told to.
pub async fn left_behind(records: &Records) -> Vec<UnfinishedCall> {
    let mut left = Vec::new();
    for kind in [CallKind::WebCall, CallKind::Chat] {
        let found = records.left_behind(kind, Duration::ZERO, u32::MAX).await;
        left.extend(found.unwrap());
    }
    left
}

pub fn said(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .map(|message| message.message.expose_secret().as_str())
        .collect()
}

/// Without the samples, which every store has.
pub fn own(records: Vec<CallRecord>) -> Vec<CallRecord> {
    records
        .into_iter()
        .filter(|record| !record.sample)
        .collect()
}
