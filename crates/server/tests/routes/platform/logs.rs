//! What happened in calls, as programs read it: the log of one call, and the logs of all.

use std::io::Read;
use std::time::Duration;

use flate2::read::GzDecoder;
use postgres_for_tests::PostgresServer;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::calls::two_calls;
use crate::support::caller::SocketCaller;
use crate::support::program::{Program, with_a_key};
use crate::support::receiver::{MessageReceiver, Received};
use crate::support::start_server;
use crate::support::visitor::refused;

const NAME: &str = "Zephyrine";
const WORDS: &str = "I don't want to live any more";
const ASKED: &str = "Is this call recorded?";

async fn lines(program: &Program, call: &str) -> Vec<Value> {
    let path = format!("/call/{call}/call-logs");
    let answer = program.ask(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/gzip");
    let file = answer.bytes().await.unwrap();
    let mut text = String::new();
    GzDecoder::new(&file[..]).read_to_string(&mut text).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A call's log when all of these are in it.
async fn lines_with(program: &Program, call: &str, all: &[Value]) -> Vec<Value> {
    let has = |lines: &[Value], wanted: &Value| {
        let wanted = wanted.as_object().unwrap();
        let fits = |line: &Value| wanted.iter().all(|(name, value)| line[name] == *value);
        lines.iter().any(fits)
    };
    let waiting = async {
        loop {
            let lines = lines(program, call).await;
            if all.iter().all(|wanted| has(&lines, wanted)) {
                return lines;
            }
            tokio::task::yield_now().await;
        }
    };
    let bound = Duration::from_secs(30);
    tokio::time::timeout(bound, waiting).await.unwrap()
}

async fn logs(program: &Program, query: &str) -> (Vec<Value>, Value) {
    let mut page = program.get_json(&format!("/logs?{query}")).await;
    let results = page["results"].as_array().unwrap().clone();
    (results, page["metadata"]["totalItems"].take())
}

/// A caller who says that to the end of their call; what a server is told of it goes there.
async fn a_call(program: &Program, receiver: &MessageReceiver) -> String {
    let body = json!({
        "name": NAME, "assistantId": "helpline", "transport": {"provider": "vapi.websocket"},
        "assistantOverrides": {
            "server": {"url": receiver.url()},
            "serverMessages": ["status-update", "end-of-call-report"],
        },
    });
    let call = program.made("/call", body).await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words(WORDS).await;
    line.until(|_| false).await;
    receiver.until_kind("end-of-call-report").await;
    call["id"].as_str().unwrap().to_owned()
}

async fn a_calls_log_tells_what_happened(settings: &str) {
    let server = start_server(&format!("{}\n{settings}", with_a_key())).await;
    let (program, receiver) = (Program::of(&server), MessageReceiver::start().await);
    let call = a_call(&program, &receiver).await;
    let all = [
        json!({"type": "user-spoke", "body": "user spoke"}),
        json!({"type": "assistant-spoke", "body": "assistant spoke"}),
        json!({"type": "hand-over", "step": "begun", "agency": "SOS", "mode": "warm"}),
        json!({"type": "status-update", "status": "ended", "endedReason": "assistant-forwarded-call"}),
        json!({"type": "webhook", "webhookType": "status-update", "outcome": "delivered", "tries": 1}),
        json!({"type": "webhook", "webhookType": "end-of-call-report", "outcome": "delivered", "responseHttpCode": 200}),
    ];
    let lines = lines_with(&program, &call, &all).await;
    assert_eq!(
        (&lines[0]["type"], &lines[0]["status"]),
        (&json!("status-update"), &json!("in-progress"))
    );
    let times: Vec<&str> = lines
        .iter()
        .map(|it| it["time"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    let user = lines.iter().find(|it| it["type"] == "user-spoke").unwrap();
    assert!(user["duration"].is_number() && user["secondsFromStart"].as_f64() > Some(0.0));
    let text = Value::from(lines).to_string();
    for telling in [NAME, "live any more", "127.0.0.1"] {
        assert!(!text.contains(telling), "{telling}");
    }

    let query = format!("callId={call}&webhookType=end-of-call-report&assistantId=helpline");
    let (told, total) = logs(&program, &query).await;
    assert_eq!((told.len(), total), (1, json!(1)));
    assert_eq!(told[0]["type"], "Webhook");
    assert_eq!(told[0]["requestHttpMethod"], "POST");
    assert_eq!(told[0]["responseHttpCode"], 200);
    assert!(told[0]["requestDurationSeconds"].is_number());
    assert!(told[0].get("requestUrl").is_none() && told[0].get("requestBody").is_none());
    let (changes, _) = logs(&program, "type=Call&sortOrder=ASC").await;
    let statuses: Vec<&Value> = changes.iter().map(|it| &it["status"]).collect();
    assert_eq!(statuses, ["in-progress", "ended"]);
    let (both, total) = logs(&program, &format!("callId={call}")).await;
    assert_eq!(total, json!(both.len()));
    let kinds = |kind: &str| both.iter().filter(|it| it["type"] == kind).count();
    assert!(kinds("Call") == 2 && kinds("Webhook") >= 3, "{both:?}");

    program.removed(&format!("/call/{call}")).await;
    let log = format!("/call/{call}/call-logs");
    let log = program.ask(Method::GET, &log).await;
    refused(log, 404, "call-not-found").await;
    assert!(logs(&program, &format!("callId={call}")).await.0.is_empty());
    let gone = async {
        while !logs(&program, "").await.0.is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let bound = Duration::from_secs(30);
    tokio::time::timeout(bound, gone).await.unwrap();
}

#[tokio::test]
async fn a_calls_log_tells_what_happened_in_order_and_nothing_that_was_said() {
    a_calls_log_tells_what_happened("").await;
}

#[tokio::test]
async fn a_calls_log_tells_what_happened_from_postgresql() {
    let database = PostgresServer::shared().database();
    a_calls_log_tells_what_happened(&format!("database = '{database}'")).await;
}

#[tokio::test]
async fn a_tool_that_a_programs_server_was_asked_for_is_named_and_the_question_is_not() {
    let receiver = MessageReceiver::start().await;
    let settings = format!("{}\n{}", with_a_key(), receiver.settings("sesame"));
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let mut body = json!({
        "assistantId": "helpline", "input": "",
        "assistantOverrides": {"serverMessages": ["status-update", "tool-calls"]},
    });
    let mut chat = program.made("/chat", body).await;
    let began = |one: &Received| one.message["status"] == "in-progress";
    receiver.until(began).await;
    for words in ["I'm safe, I just feel very low", ASKED] {
        body = json!({"previousChatId": chat["id"], "input": words});
        chat = program.made("/chat", body).await;
    }
    receiver.until_kind("tool-calls").await;
    let all = [
        json!({"type": "tool-call", "name": "product_query"}),
        json!({"type": "webhook", "webhookType": "tool-calls", "outcome": "delivered"}),
    ];
    let session = chat["sessionId"].as_str().unwrap();
    let lines = lines_with(&program, session, &all).await;
    let wrote = lines.iter().find(|it| it["type"] == "user-spoke").unwrap();
    assert!(wrote.get("duration").is_none(), "it was written: {wrote}");
    let text = Value::from(lines).to_string();
    assert!(!text.contains("recorded"), "{text}");
    let (changes, _) = logs(&program, "type=Call").await;
    assert!(changes.is_empty(), "a written conversation is no call");
}

#[tokio::test]
async fn a_message_that_was_tried_again_says_how_often() {
    let receiver = MessageReceiver::start().await;
    receiver.refuses_first(&[StatusCode::INTERNAL_SERVER_ERROR]);
    let settings = format!("{}\n{}", with_a_key(), receiver.settings("sesame"));
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let body = json!({
        "assistantId": "helpline", "input": "",
        "assistantOverrides": {"serverMessages": ["status-update"]},
    });
    let chat = program.made("/chat", body).await;
    let session = chat["sessionId"].as_str().unwrap();
    let waits =
        json!({"type": "webhook", "outcome": "waiting", "tries": 1, "responseHttpCode": 500});
    lines_with(&program, session, &[waits]).await;
    let (told, _) = logs(&program, "type=Webhook").await;
    assert_eq!(told[0]["error"]["message"], "the server refuses it");
    receiver.until_after(1, |_| true).await;
    let arrived = json!({"type": "webhook", "outcome": "delivered", "tries": 2});
    lines_with(&program, session, &[arrived]).await;
}

#[tokio::test]
async fn logs_are_found_by_type_call_and_time_a_page_at_a_time() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let program = Program::of(&server);
    let (all, total) = logs(&program, "").await;
    assert_eq!((all.len(), total), (4, json!(4)));
    let times: Vec<&str> = all.iter().map(|it| it["time"].as_str().unwrap()).collect();
    assert!(
        times.is_sorted_by(|one, next| one >= next),
        "the newest first"
    );
    let mut paged = Vec::new();
    for page in 1..=4 {
        let (one, total) = logs(&program, &format!("limit=1&page={page}")).await;
        assert_eq!((one.len(), total), (1, json!(4)));
        paged.extend(one);
    }
    assert_eq!(paged, all);

    let (of_first, _) = logs(&program, &format!("callId={first}&sortOrder=ASC")).await;
    assert_eq!(of_first[0]["status"], "in-progress");
    assert_eq!(of_first[0]["time"], "2026-11-24T12:00:00.000Z");
    assert_eq!(of_first[1]["status"], "ended");
    assert!(of_first[1]["endedReason"].is_string());
    assert_eq!(of_first[1]["assistantId"], "helpline");
    let later = "createdAtGt=2026-11-24T12:00:30Z&createdAtLt=2026-11-24T12:01:01Z&sortOrder=ASC";
    let (began, _) = logs(&program, later).await;
    let began = began.iter().find(|it| it["status"] == "in-progress");
    assert_eq!(began.unwrap()["callId"], second.to_string());

    for none in [
        "type=Webhook",
        "type=API",
        "type=Provider",
        "type=Call&webhookType=hang",
        "callId=nothing",
        "phoneNumberId=x",
        "customerId=x",
        "assistantId=00000000-0000-4000-8000-000000000000",
        "createdAtLt=2026-11-24T11:00:00Z",
    ] {
        assert_eq!(logs(&program, none).await, (Vec::new(), json!(0)), "{none}");
    }
    for wrong in ["type=Other", "page=1000000", "limit=0", "createdAtGt=now"] {
        let asked = program.ask(Method::GET, &format!("/logs?{wrong}")).await;
        refused(asked, 400, "parameter-invalid").await;
    }
    let delete = program.ask(Method::DELETE, "/logs?type=Call").await;
    refused(delete, 501, "not-offered").await;
}
