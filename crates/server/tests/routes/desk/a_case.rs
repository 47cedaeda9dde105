//! A case as the desk's tests have it: a call that has ended, its note, and what an officer does with it.

use std::time::Duration;

use desk::Role;
use flow::{AbuseType, Agency, CaseNote, EndReason, Evidence, Secret, StructuredData};
use jiff::Timestamp;
use records::{CallId, CallKind, FinishedCall, Message, NewCall, Records, Role as Speaker};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::officer::Officer;
use crate::support::{TestServer, database_in};

pub const WORDS: &str = "he is outside the door";

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

pub fn said(role: Speaker, words: &str, at: f64) -> Message {
    Message {
        role,
        officer: None,
        message: secret(words),
        seconds_from_start: at,
        duration_seconds: 1.0,
        interrupted: false,
    }
}

/// A call that has ended, brought there; its note tells a number. These are said last in it.
async fn an_ended_call(
    server: &TestServer,
    agency: Agency,
    urgent: bool,
    last: Vec<Message>,
) -> String {
    let url = database_in(server.place.path());
    let records = Records::open(&url).await.unwrap();
    let call_id = CallId::random();
    let started_at = Timestamp::now() - Duration::from_mins(10);
    let call = NewCall {
        call_id,
        visitor: None,
        started_at,
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    let note = CaseNote {
        summary_title: secret("Caller heard him outside"),
        summary: secret("He is outside the door. She wants to be rung."),
        structured_data: StructuredData {
            name: secret("Mei"),
            urgent,
            location: secret("Bedok"),
            follow_up: secret("Ring the caller back on 9123 4567, which they gave as safe."),
            abuse_type: AbuseType::Physical,
            transfer_to: Some(agency),
            transferred: true,
            latest_incident_date: secret("Unknown"),
        },
        evidence: vec![Evidence {
            claim: "violence now".to_owned(),
            words: secret(WORDS),
            turn: 0,
            confidence: 0.9,
            escalates: true,
        }],
    };
    let ended = FinishedCall {
        ended_at: started_at + Duration::from_mins(2),
        ended_reason: EndReason::CallerEnded,
        note,
        messages: [
            said(Speaker::System, "You are a helpline.", 0.0),
            said(Speaker::Bot, "Hello.", 0.5),
            said(Speaker::User, "Please, he is outside the door!", 2.0),
        ]
        .into_iter()
        .chain(last)
        .collect(),
    };
    records.finish_call(call_id, ended).await.unwrap();
    call_id.to_string()
}

/// Its case, once it is there.
pub async fn a_case(
    server: &TestServer,
    officer: &Officer,
    agency: Agency,
    urgent: bool,
) -> String {
    a_case_in_which(server, officer, (agency, urgent), Vec::new()).await
}

/// The same, in which these are said last.
pub async fn a_case_in_which(
    server: &TestServer,
    officer: &Officer,
    (agency, urgent): (Agency, bool),
    last: Vec<Message>,
) -> String {
    let mut page = officer.on_duty().await;
    let id = an_ended_call(server, agency, urgent, last).await;
    while page.next("case").await["callId"] != id.as_str() {}
    id
}

pub async fn of_pave(server: &TestServer, name: &str) -> Officer {
    Officer::signed_in(server, name, Role::Officer, &[Agency::Pave]).await
}

pub fn path(id: &str, what: &str) -> String {
    format!("/api/desk/cases/{id}{what}")
}

impl Officer {
    pub async fn ask(&self, method: Method, path: &str, body: Value) -> Response {
        self.request(method, path).json(&body).send().await.unwrap()
    }

    pub async fn case(&self, id: &str) -> Value {
        self.get_json(&path(id, "")).await
    }

    /// The ids of the cases that they are listed.
    pub async fn listed(&self, state: &str) -> Vec<String> {
        let list = self
            .get_json(&format!("/api/desk/cases?state={state}"))
            .await;
        let cases = list["cases"].as_array().unwrap().iter();
        cases
            .map(|case| case["callId"].as_str().unwrap().to_owned())
            .collect()
    }

    pub async fn take(&self, id: &str) -> Response {
        self.post(&path(id, "/take")).await
    }

    /// Notes an action; gives the case's new version.
    pub async fn note_action(&self, id: &str, version: i64) -> i64 {
        let body = json!({"version": version, "actions": ["counselling"], "words": "she is with her sister"});
        let noted = self
            .ask(Method::PUT, &path(id, "/action-taken"), body)
            .await;
        assert_eq!(noted.status(), StatusCode::OK);
        let noted: Value = noted.json().await.unwrap();
        noted["version"].as_i64().unwrap()
    }
}

/// A note as an officer sends it.
pub fn written(version: i64, agency: &str) -> Value {
    json!({
        "version": version, "summaryTitle": "Caller is with her sister", "summary": "She left the flat.",
        "structuredData": {
            "name": "Mei", "urgent": false, "location": "Bedok", "follow_up": "Ring tomorrow.", "abuse_type": "Physical",
            "transfer_to": agency, "transferred": true, "latest_incident_date": "Unknown"
        }
    })
}
