//! What closing, a hold and a purge do to a case, as whoever works at the desk and whoever runs the server see it; and what a
//! caller is given who asks what is kept of them.

use std::time::Duration;

use desk::cases::{CaseKind, EndedCall};
use desk::{Desk, NewAccount, Role, SessionBounds, Who};
use flow::{AbuseType, Agency, CaseNote, EndReason, StructuredData};
use jiff::{SignedDuration, Timestamp};
use postgres_for_tests::PostgresServer;
use records::{
    CallId, CallKind, Database, FinishedCall, Message, NewCall, Records, RecordsKeys, Role as Said,
};
use redact::Secret;
use reqwest::{Method, Response, StatusCode, header};
use resources::{Kind, NewResource, Resources};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::live_calls::a_caller;
use super::on_hold::talks;
use crate::records_kept::{files_below, nightlight};
use crate::support::kept_log::KeptLog;
use crate::support::officer::Officer;
use crate::support::visitor::refused;
use crate::support::{TestServer, database_in, start_server, start_server_again};

const WORDS: &str = "he is outside the door";
const REASON: &str = "the court asks for it";

fn days_ago(days: i64) -> Timestamp {
    Timestamp::now() - SignedDuration::from_hours(24 * days)
}

fn secret(words: &str) -> Secret<String> {
    Secret::new(words.to_owned())
}

/// The records and the desk of a server that does not run yet.
async fn before_the_server(place: &tempfile::TempDir) -> (Records, Desk) {
    let url = database_in(place.path());
    let records = Records::open(&url).await.unwrap();
    let database = Database::open(&url, RecordsKeys::none()).await.unwrap();
    (records, Desk::on(&database, SessionBounds::default()))
}

/// A call that ended then, with its case.
async fn a_case(records: &Records, desk: &Desk, ended_at: Timestamp) -> CallId {
    let call_id = CallId::random();
    let call = NewCall {
        call_id,
        visitor: None,
        started_at: ended_at,
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    let said = Message {
        role: Said::User,
        officer: None,
        message: secret(WORDS),
        seconds_from_start: 1.0,
        duration_seconds: 1.0,
        interrupted: false,
    };
    let finished = FinishedCall {
        ended_at,
        ended_reason: EndReason::CallerEnded,
        note: CaseNote {
            summary_title: secret(WORDS),
            summary: secret(WORDS),
            structured_data: StructuredData {
                name: secret("Zulkarnain"),
                urgent: false,
                location: secret("Bedok"),
                follow_up: secret("none"),
                abuse_type: AbuseType::Other,
                transfer_to: Some(Agency::Pave),
                transferred: false,
                latest_incident_date: secret("today"),
            },
            evidence: Vec::new(),
        },
        messages: vec![said],
    };
    records.finish_call(call_id, finished).await.unwrap();
    let its_case = EndedCall {
        call_id,
        kind: CaseKind::WebCall,
        started_at: ended_at,
        ended_at,
        agency: Some(Agency::Pave),
        urgent: false,
        title: Some(secret(WORDS)),
        number: None,
    };
    assert!(desk.make_case(its_case, ended_at).await.unwrap());
    call_id
}

/// A program's server, which does not answer, is to be told what was said in that call.
async fn waits_to_be_told(database: &Database, call: CallId) {
    let plan = json!({"server": {"url": "http://127.0.0.1:9/told"}});
    let body = json!({"call": call.0, "type": "conversation-update", "plan": plan});
    let Value::Object(fields) = body else {
        panic!("a body is an object");
    };
    let message = NewResource {
        content: Some(secret(WORDS)),
        ..NewResource::of(Kind::ServerMessage, Secret::new(fields))
    };
    let resources = Resources::on(database);
    resources.add(message, Timestamp::now()).await.unwrap();
}

async fn send(officer: &Officer, method: Method, path: &str, body: &Value) -> Response {
    let request = officer.request(method, path).json(body);
    request.send().await.unwrap()
}

async fn auditor(server: &TestServer) -> Officer {
    Officer::signed_in(server, "auditor", Role::Auditor, &[]).await
}

/// What the trail says of a call, the latest first, and by whom it was done.
async fn trail_of(auditor: &Officer, call: impl std::fmt::Display) -> Vec<[String; 2]> {
    let trail = auditor.get_json("/api/desk/audit?limit=200").await;
    let about = json!(format!("call {call}"));
    let entries = trail["entries"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of_it = entries.filter(|entry| entry["about"] == about);
    of_it
        .map(|entry| [text(&entry["what"]), text(&entry["who"])])
        .collect()
}

#[tokio::test]
async fn what_is_on_hold_outlives_its_time_and_afterwards_no_file_and_no_log_has_a_word_of_it() {
    let log = KeptLog::default();
    let _keeping = log.of_this_thread();
    let place = tempfile::tempdir().unwrap();
    let (records, desk) = before_the_server(&place).await;
    let first = NewAccount {
        name: "First".to_owned(),
        sign_in_name: "first@line.example".parse().unwrap(),
        role: Role::Administrator,
        agencies: [].into(),
        languages: [].into(),
    };
    let supervisor = NewAccount {
        sign_in_name: "early@line.example".parse().unwrap(),
        role: Role::Supervisor,
        ..first.clone()
    };
    let now = Timestamp::now();
    desk.invite(Who::CommandLine, first, now).await.unwrap();
    let early = desk.invite(Who::CommandLine, supervisor, now).await;
    let early = early.unwrap().account;
    let past = a_case(&records, &desk, days_ago(32)).await;
    let held = a_case(&records, &desk, days_ago(31)).await;
    let hold = desk.hold_record(&early, held, secret(REASON), now);
    hold.await.unwrap();
    waits_to_be_told(&records.database().unwrap(), held).await;
    drop((records, desk));

    let server = start_server_again(place).await;
    let officer = Officer::signed_in(&server, "sarah", Role::Supervisor, &[]).await;
    let receipts = loop {
        let told = officer.get_json("/api/desk/receipts").await;
        if told["receipts"] != json!([]) {
            break told;
        }
    };
    let receipt = &receipts["receipts"][0];
    assert_eq!(receipt["callId"], json!(past.0));
    assert_eq!(
        (&receipt["why"], &receipt["who"]),
        (&json!("age"), &json!("server"))
    );
    let kinds = json!(["transcript", "note", "case", "acts"]);
    assert_eq!(receipt["kinds"], kinds);
    assert_eq!(receipt["hash"].as_str().unwrap().len(), 64);
    assert_eq!(receipts["receipts"].as_array().unwrap().len(), 1);
    assert!(!receipts.to_string().contains(WORDS));
    let gone = format!("/api/desk/cases/{past}");
    refused(officer.get(&gone).await, 404, "case-not-found").await;
    let path = format!("/api/desk/cases/{held}");
    let inside = officer.get_json(&path).await;
    assert_eq!(inside["hold"]["reason"], REASON);
    assert_eq!(inside["case"]["deletedAt"], Value::Null);
    assert_eq!(inside["messages"][0]["text"], WORDS);
    let auditor = auditor(&server).await;
    let purged = ["record purged", "server"].map(str::to_owned);
    while !trail_of(&auditor, past).await.contains(&purged) {}

    let ended = officer.request(Method::DELETE, &format!("{path}/hold"));
    let ended = ended.send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    let place = server.stop().await;
    assert!(files_below(place.path()).await.contains(WORDS));
    let server = start_server_again(place).await;
    let officer = Officer::signed_in(&server, "raj", Role::Supervisor, &[]).await;
    while officer.get(&path).await.status() != StatusCode::NOT_FOUND {}
    let receipts = officer.get_json("/api/desk/receipts?limit=1").await;
    assert_eq!(receipts["receipts"][0]["callId"], json!(held.0));
    let next = receipts["next"].as_str().unwrap();
    let page = officer
        .get_json(&format!("/api/desk/receipts?limit=1&before={next}"))
        .await;
    assert_eq!(page["receipts"][0]["callId"], json!(past.0));
    assert_eq!(page["next"], Value::Null);
    // The log of the database is emptied once the deletion is told.
    while files_below(server.place.path()).await.contains(WORDS) {}
    let left = files_below(server.place.path()).await;
    for words in [WORDS, "Zulkarnain", REASON] {
        assert!(!left.contains(words), "{words} is on the disk");
        assert!(!log.text().contains(words), "{words} is in the log");
    }
    let wrong = officer.get("/api/desk/receipts?before=yesterday").await;
    refused(wrong, 400, "parameter-invalid").await;
}

/// What a caller at risk says, with words that nothing in the program contains.
const AT_RISK: &str = "I don't want to live any more. My xylograph is in Quokka Lane";
const TELLING: [&str; 2] = ["xylograph", "quokka"];

/// Far longer than forgetting takes.
const PATIENCE: Duration = Duration::from_secs(20);

fn told_by(text: &str) -> Vec<&'static str> {
    let small = text.to_lowercase();
    TELLING
        .into_iter()
        .filter(|word| small.contains(*word))
        .collect()
}

/// A caller has said that to the assistant and been put through to an officer, who has noted what was done, and closed the case.
async fn a_call_that_is_closed(server: &TestServer) -> String {
    let officer = Officer::signed_in(server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = officer.on_duty().await;
    let (mut caller, id) = a_caller(server).await;
    caller.type_words(AT_RISK).await;
    let _line = talks(&officer, &mut desk, &id).await;
    caller.hang_up().await;
    while desk.next("case").await["callId"] != id.as_str() {}

    let path = format!("/api/desk/cases/{id}");
    let taken = officer.post(&format!("{path}/take")).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    let inside = officer.get_json(&path).await;
    assert_eq!(told_by(&inside["messages"].to_string()), TELLING);
    let version = &inside["version"];
    let body = json!({"version": version, "actions": ["safety-plan"], "words": AT_RISK});
    let action = format!("{path}/action-taken");
    let noted = send(&officer, Method::PUT, &action, &body).await;
    assert_eq!(noted.status(), StatusCode::OK);
    let noted: Value = noted.json().await.unwrap();
    let body = json!({"version": noted["version"], "outcome": "helped"});
    let closed = send(&officer, Method::POST, &format!("{path}/close"), &body).await;
    assert_eq!(closed.status(), StatusCode::NO_CONTENT);
    id
}

/// Waits until a server that has started again has forgotten it, and left its receipt.
async fn is_forgotten(server: &TestServer, id: &str) {
    let officer = Officer::signed_in(server, "raj", Role::Supervisor, &[]).await;
    let path = format!("/api/desk/cases/{id}");
    let gone = async { while officer.get(&path).await.status() != StatusCode::NOT_FOUND {} };
    let gone = tokio::time::timeout(PATIENCE, gone).await;
    assert!(gone.is_ok(), "what was closed is forgotten at its time");
    let told = officer.get_json("/api/desk/receipts").await;
    let receipt = &told["receipts"][0];
    assert_eq!(receipt["callId"], id);
    assert_eq!(receipt["why"], "closed");
    assert_eq!(told_by(&told.to_string()), [""; 0]);
}

#[tokio::test]
async fn of_a_call_that_reached_an_officer_and_was_closed_no_file_and_no_log_has_a_word_afterwards()
{
    let log = KeptLog::default();
    let _keeping = log.of_this_thread_at_trace();
    let server = start_server("").await;
    let id = a_call_that_is_closed(&server).await;
    let place = server.stop().await;
    assert_eq!(told_by(&files_below(place.path()).await), TELLING);
    let options = SqliteConnectOptions::new().filename(place.path().join("calls.db"));
    let mut database = options.connect().await.unwrap();
    let over = "UPDATE desk_cases SET keep_until = 1 WHERE call_id = ?";
    let over = sqlx::query(over).bind(&id).execute(&mut database).await;
    assert_eq!(over.unwrap().rows_affected(), 1);
    database.close().await.unwrap();

    let server = start_server_again(place).await;
    is_forgotten(&server, &id).await;
    // The log of the database is emptied once the deletion is told.
    let none = async { while !told_by(&files_below(server.place.path()).await).is_empty() {} };
    let none = tokio::time::timeout(PATIENCE, none).await;
    assert!(none.is_ok(), "some of it is on the disk");
    assert!(log.text().contains("records past their time were deleted"));
    assert_eq!(told_by(&log.text()), [""; 0]);
}

#[tokio::test]
async fn in_postgresql_too_no_dump_has_a_word_of_a_call_that_was_closed_and_whose_time_is_over() {
    let postgres = PostgresServer::shared();
    let url = postgres.database();
    let name = url.rsplit('/').next().unwrap();
    let settings = format!("database = '{url}'");
    let server = start_server(&settings).await;
    let id = a_call_that_is_closed(&server).await;
    drop(server.stop().await);
    assert_eq!(told_by(&postgres.dump(name)), TELLING);
    let over = format!(
        "UPDATE desk_cases SET keep_until = now() - interval '1 day' WHERE call_id = '{id}' RETURNING 1"
    );
    assert_eq!(postgres.sql(name, &over), "1");

    let server = start_server(&settings).await;
    is_forgotten(&server, &id).await;
    assert_eq!(told_by(&postgres.dump(name)), [""; 0]);
}

#[tokio::test]
async fn an_operator_cannot_erase_what_is_on_hold_and_is_told_who_holds_it() {
    let server = start_server("").await;
    let (records, desk) = before_the_server(&server.place).await;
    let call = a_case(&records, &desk, Timestamp::now()).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    let hold = format!("/api/desk/cases/{call}/hold");
    let body = json!({"reason": REASON});
    let held = send(&officer, Method::PUT, &hold, &body).await;
    assert_eq!(held.status(), StatusCode::NO_CONTENT);

    let id = call.to_string();
    let (deleted, said) = nightlight(&server, &["delete-record", &id], "").await;
    assert!(!deleted && said.contains("on hold: mei keeps it"), "{said}");
    assert!(
        !said.contains(REASON) && said.contains("at the desk"),
        "{said}"
    );
    let ended = officer.request(Method::DELETE, &hold).send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    let (deleted, said) = nightlight(&server, &["delete-record", &id], "").await;
    assert!(deleted, "{said}");

    let supervisor = Officer::signed_in(&server, "sarah", Role::Supervisor, &[]).await;
    let receipts = supervisor.get_json("/api/desk/receipts").await;
    let receipt = &receipts["receipts"][0];
    assert_eq!(
        (&receipt["why"], &receipt["who"]),
        (&json!("asked"), &json!("command line"))
    );
    let trail = trail_of(&auditor(&server).await, call).await;
    assert_eq!(trail[0], ["record purged", "command line"]);
}

#[tokio::test]
async fn a_hold_needs_a_reason_and_somebody_who_sees_the_case() {
    let server = start_server("").await;
    let (records, desk) = before_the_server(&server.place).await;
    let call = a_case(&records, &desk, Timestamp::now()).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    let elsewhere = Officer::signed_in(&server, "raj", Role::Officer, &[Agency::Sos]).await;
    let hold = format!("/api/desk/cases/{call}/hold");
    for reason in ["", "  ", &"x".repeat(1001)] {
        let body = json!({"reason": reason});
        let answer = send(&officer, Method::PUT, &hold, &body).await;
        refused(answer, 400, "field-invalid").await;
    }
    let body = json!({"reason": REASON});
    let answer = send(&elsewhere, Method::PUT, &hold, &body).await;
    refused(answer, 404, "case-not-found").await;
    let nobodys = format!("/api/desk/cases/{}/hold", CallId::random());
    for path in [nobodys.as_str(), "/api/desk/cases/none/hold"] {
        let answer = send(&officer, Method::PUT, path, &body).await;
        refused(answer, 404, "case-not-found").await;
    }
}

/// Enters a call that somebody of this number made, and who said this.
async fn entered(officer: &Officer, number: Option<&str>, words: &str) -> String {
    let body = json!({
        "startedAt": Timestamp::now().to_string(),
        "durationMinutes": 0,
        "summaryTitle": words,
        "summary": words,
        "structuredData": {
            "name": words, "urgent": false, "location": "Unknown", "follow_up": "", "abuse_type": "Other",
            "transfer_to": "PAVE", "transferred": false, "latest_incident_date": "Unknown",
        },
        "callerNumber": number,
    });
    let answer = send(officer, Method::POST, "/api/desk/cases", &body).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    let entered: Value = answer.json().await.unwrap();
    entered["callId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_closed_case_is_kept_as_long_as_its_outcome_has_it_and_on_hold_longer() {
    let settings = "closed_kept_days = 20\nclosed_kept_days_referred = 3";
    let server = start_server(settings).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    for (outcome, days) in [("referred", 3), ("helped", 20)] {
        let path = format!(
            "/api/desk/cases/{}",
            entered(&officer, None, "nothing").await
        );
        let kept = async || {
            let inside = officer.get_json(&path).await;
            let at: Timestamp = inside["case"]["deletedAt"].as_str()?.parse().unwrap();
            Some((at.duration_since(Timestamp::now()).as_hours() + 1) / 24)
        };
        assert_eq!(kept().await, Some(30));
        // Before it is closed, its page can tell.
        let inside = officer.get_json(&path).await;
        let told = inside["deletedIfClosed"][outcome].as_str().unwrap();
        let told = told
            .parse::<Timestamp>()
            .unwrap()
            .duration_since(Timestamp::now());
        assert_eq!((told.as_hours() + 1) / 24, days);
        let body = json!({"version": 1, "actions": ["advised-nobody"], "words": ""});
        let answer = send(
            &officer,
            Method::PUT,
            &format!("{path}/action-taken"),
            &body,
        )
        .await;
        refused(answer, 400, "field-invalid").await;
        let body = json!({"version": 1, "actions": ["rang-caller"], "words": ""});
        let noted = send(
            &officer,
            Method::PUT,
            &format!("{path}/action-taken"),
            &body,
        )
        .await;
        let noted: Value = noted.json().await.unwrap();
        let body = json!({"version": noted["version"], "outcome": outcome});
        let closed = send(&officer, Method::POST, &format!("{path}/close"), &body).await;
        assert_eq!(closed.status(), StatusCode::NO_CONTENT);
        assert_eq!(kept().await, Some(days), "{outcome}");

        let hold = format!("{path}/hold");
        let body = json!({"reason": REASON});
        let held = send(&officer, Method::PUT, &hold, &body).await;
        assert_eq!(held.status(), StatusCode::NO_CONTENT);
        assert_eq!(kept().await, None);
        let ended = officer.request(Method::DELETE, &hold).send().await.unwrap();
        assert_eq!(ended.status(), StatusCode::NO_CONTENT);
        assert_eq!(kept().await, Some(days));
        let body = json!({"why": "they rang again"});
        let opened = send(&officer, Method::POST, &format!("{path}/reopen"), &body).await;
        assert_eq!(opened.status(), StatusCode::NO_CONTENT);
        assert_eq!(kept().await, Some(30));
    }
}

#[tokio::test]
async fn a_caller_who_asks_is_given_everything_of_theirs_and_nothing_of_anybody_elses() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    let supervisor = Officer::signed_in(&server, "sarah", Role::Supervisor, &[]).await;
    let theirs = entered(&officer, Some("9123 4567"), "he took my phone").await;
    let again = entered(&officer, Some("+65 9123 4567"), "he gave it back").await;
    let anothers = entered(&officer, Some("9123 4568"), "my son is hungry").await;
    for (case, words) in [(&theirs, "ring her sister"), (&anothers, "ring the school")] {
        let body = json!({"kind": "task", "words": words, "dueAt": "2026-12-01T01:00:00Z"});
        let path = format!("/api/desk/cases/{case}/follow-ups");
        let added = send(&officer, Method::POST, &path, &body).await;
        assert_eq!(added.status(), StatusCode::CREATED);
        let path = format!("/api/desk/cases/{case}/hold");
        let body = json!({"reason": format!("{REASON}: {words}")});
        let held = send(&officer, Method::PUT, &path, &body).await;
        assert_eq!(held.status(), StatusCode::NO_CONTENT);
    }

    for asked in [
        json!({"callerNumber": "91234567"}),
        json!({"callId": again}),
    ] {
        let path = "/api/desk/access-request";
        let answer = send(&supervisor, Method::POST, path, &asked).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let headers = answer.headers();
        let disposition = headers[header::CONTENT_DISPOSITION].to_str().unwrap();
        assert!(disposition.starts_with("attachment; filename=\"nightlight-access-request-20"));
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        let file: Value = answer.json().await.unwrap();
        let cases = file["cases"].as_array().unwrap();
        let ids: Vec<&Value> = cases.iter().map(|case| &case["callId"]).collect();
        assert_eq!(ids, [&json!(again), &json!(theirs)]);
        let first = &cases[1];
        assert_eq!(first["note"]["summary"], "he took my phone");
        assert_eq!(first["followUps"][0]["words"], "ring her sister");
        assert_eq!(
            first["hold"]["reason"],
            format!("{REASON}: ring her sister")
        );
        assert_eq!(first["callerNumber"], "+6591234567");
        assert_eq!(first["history"][0]["what"], "entered");
        let told = file.to_string();
        for of_another in ["my son is hungry", "ring the school", "91234568", &anothers] {
            assert!(!told.contains(of_another), "{of_another}");
        }
        for of_the_team in ["mei", "sarah", "line.example"] {
            assert!(!told.contains(of_the_team), "{of_the_team}");
        }
    }
    let auditor = auditor(&server).await;
    for (case, exports) in [(theirs, 2), (anothers, 0)] {
        let trail = trail_of(&auditor, case).await;
        let exported = trail.iter().filter(|[what, _]| what == "exported");
        assert_eq!(exported.count(), exports);
    }
}

#[tokio::test]
async fn an_access_request_names_one_caller_and_is_a_supervisors() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    let supervisor = Officer::signed_in(&server, "sarah", Role::Supervisor, &[]).await;
    let path = "/api/desk/access-request";
    let call = entered(&officer, None, "he took my phone").await;
    for wrong in [
        json!({}),
        json!({"callerNumber": "12"}),
        json!({"callerNumber": "91234567", "callId": call}),
    ] {
        let answer = send(&supervisor, Method::POST, path, &wrong).await;
        refused(answer, 400, "field-invalid").await;
    }
    let unknown = json!({"callId": CallId::random()});
    let answer = send(&supervisor, Method::POST, path, &unknown).await;
    refused(answer, 404, "case-not-found").await;
    let nothing = json!({"callerNumber": "8123 4567"});
    let answer = send(&supervisor, Method::POST, path, &nothing).await;
    let file: Value = answer.json().await.unwrap();
    assert_eq!(file["cases"], json!([]));
    let one = json!({"callId": call});
    let answer = send(&officer, Method::POST, path, &one).await;
    refused(answer, 403, "role-forbids").await;
}
