//! Errors as a service elsewhere gets them: whole calls full of a caller's words, their ears broken and their records
//! failing over them, and pages that tell more than they should. What arrives has nothing of it.
#![allow(clippy::unwrap_used)]

mod support;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use redact::Secret;
use reqwest::Method;
use serde_json::{Value, json};
use server::error_reports::{Dsn, Reporting};
use server::settings::{Log, LogFormat};
use server::telemetry;
use speech::{FliteVoice, Standing, TranscribeError, Transcriber, Voice};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use support::caller::SocketCaller;
use support::kept_log::KeptLog;
use support::visitor::PUBLIC_KEY;
use support::{Visitor, start_server, start_server_hearing};

/// Words that nothing in the program contains.
const WORDS: [&str; 2] = [
    "My name is Zephyrine and I live at 77 Quokka Lane unit oh four dash nineteen",
    "He threw the xylograph at my marimba yesterday evening",
];
const CALLS_FROM: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 77));
/// Nor may their address or session be told, nor the page's ids.
const TELLING: [&str; 8] = [
    "zephyrine",
    "quokka",
    "xylograph",
    "marimba",
    "yesterday",
    "127.0.0.77",
    "nightlight-visitor",
    "0f3b2c44",
];
const SOON: Duration = Duration::from_secs(20);

/// What speaks as Sentry does.
#[derive(Clone, Default)]
struct Receiver {
    envelopes: Arc<Mutex<Vec<String>>>,
    more: Arc<tokio::sync::Notify>,
}

impl Receiver {
    /// Its DSN.
    async fn open(&self) -> String {
        let routes = Router::new()
            .route("/api/{project}/envelope/", post(take))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, routes).await });
        format!("http://publickey1@{address}/42")
    }

    fn events(&self) -> Vec<Value> {
        let envelopes = self.envelopes.lock().unwrap();
        let events = envelopes.iter().map(|envelope| {
            let lines: Vec<&str> = envelope.lines().collect();
            let [_, item, event] = lines.as_slice() else {
                panic!("no envelope of one item: {envelope}");
            };
            let item: Value = serde_json::from_str(item).unwrap();
            assert_eq!(item, json!({"type": "event", "length": event.len()}));
            serde_json::from_str(event).unwrap()
        });
        events.collect()
    }

    /// The first event like this one, once it is there.
    async fn event(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                let more = self.more.notified();
                if let Some(event) = self.events().into_iter().find(&is_it) {
                    return event;
                }
                more.await;
            }
        };
        tokio::time::timeout(SOON, found)
            .await
            .unwrap_or_else(|_| panic!("it was not told; what was: {:#?}", self.events()))
    }
}

async fn take(
    State(receiver): State<Receiver>,
    Path(project): Path<String>,
    headers: HeaderMap,
    envelope: String,
) -> StatusCode {
    assert_eq!(project, "42");
    assert_eq!(
        headers[header::CONTENT_TYPE],
        "application/x-sentry-envelope"
    );
    let key = headers["x-sentry-auth"].to_str().unwrap();
    assert!(key.contains("sentry_key=publickey1"), "{key}");
    receiver.envelopes.lock().unwrap().push(envelope);
    receiver.more.notify_one();
    StatusCode::OK
}

/// Hears what a caller says, then breaks over it.
struct Ears(Mutex<bool>);

#[async_trait]
impl Transcriber for Ears {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let breaks = *self.0.lock().unwrap();
        assert!(!breaks, "{} broke it", WORDS[1]);
        Ok(Secret::new(WORDS[0].to_owned()))
    }
}

fn kind_of(event: &Value) -> &str {
    event["exception"]["values"][0]["type"].as_str().unwrap()
}

fn words_of(event: &Value) -> &str {
    event["exception"]["values"][0]["value"]
        .as_str()
        .unwrap_or_default()
}

fn file_of(event: &Value) -> &str {
    let frames = &event["exception"]["values"][0]["stacktrace"]["frames"];
    frames[0]["filename"].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_reported_of_errors_has_no_word_name_or_address_of_a_caller() {
    let receiver = Receiver::default();
    let dsn = receiver.open().await;
    let log = KeptLog::default();
    let usual = Log {
        filter: String::from("info"),
        format: LogFormat::Text,
    };
    telemetry::start_log(&usual, log.clone()).unwrap();
    telemetry::log_panics_by_their_place();
    let reporting = Reporting::start(&Dsn::of(&dsn).unwrap(), Some("north")).unwrap();
    let on = format!("error_reporting_dsn = '{dsn}'");

    a_call_whose_ears_break(&on).await;
    let panic = receiver.event(|event| kind_of(event) == "panic").await;
    assert!(
        file_of(&panic).ends_with("tests/error_reports.rs"),
        "{panic}"
    );
    assert_eq!(words_of(&panic), "", "a panic's message is not told");
    assert_eq!(panic["server_name"], "north");

    records_that_fail(&on).await;
    let error = receiver.event(|event| kind_of(event) == "error").await;
    assert!(!words_of(&error).is_empty(), "{error}");
    assert!(file_of(&error).starts_with("crates/"), "{error}");

    pages_that_tell_too_much(&on).await;
    let told = receiver
        .event(|event| event["platform"] == "javascript")
        .await;
    let frame = json!({"filename": "assets/app-1a2b.js", "lineno": 1, "colno": 234});
    assert_eq!(kind_of(&told), "TypeError");
    assert_eq!(told["transaction"], "demo");
    assert_eq!(
        told["exception"]["values"][0]["stacktrace"]["frames"],
        json!([frame])
    );
    reporting.stop().await;
    let _ = std::panic::take_hook();

    let pages = receiver.events();
    let pages = pages
        .iter()
        .filter(|event| event["platform"] == "javascript");
    assert_eq!(pages.count(), 2, "what is in no script of ours is not told");
    let envelopes = receiver.envelopes.lock().unwrap().clone();
    for envelope in &envelopes {
        let lower = envelope.to_lowercase();
        let found: Vec<_> = TELLING.iter().filter(|it| lower.contains(**it)).collect();
        assert!(found.is_empty(), "{found:?} in {envelope}");
    }
    assert!(!log.text().contains("publickey1"), "the key is in no log");
}

/// Heard first, and then a panic with a caller's words in it.
async fn a_call_whose_ears_break(settings: &str) {
    let ears = Arc::new(Ears(Mutex::new(false)));
    let hearing = Arc::clone(&ears) as Arc<dyn Transcriber>;
    let server = start_server_hearing(settings, hearing).await;
    let visitor = Visitor::from_address(&server.url, CALLS_FROM);
    let call = visitor.call().await;
    let mut line = SocketCaller::join_from(CALLS_FROM, &call).await;
    line.until_the_assistant_has_spoken().await;
    let voice = FliteVoice::named("rms").unwrap();
    let something = String::from("This is only a sound like any other.").into();
    let mut sound = voice.speak(something).collect().await.unwrap();
    sound.extend(vec![0; 16_000]);
    for breaks in [false, true] {
        *ears.0.lock().unwrap() = breaks;
        line.speak(&sound).await;
        line.until_the_assistant_has_spoken().await;
    }
    line.hang_up().await;
    server.stop().await;
}

/// A conversation that cannot be stored, and then cannot be read.
async fn records_that_fail(settings: &str) {
    let server = start_server(settings).await;
    let path = server.place.path().join("calls.db");
    let file = SqliteConnectOptions::new().filename(path);
    let mut other = file.connect().await.unwrap();
    let visitor = Visitor::from_address(&server.url, CALLS_FROM);
    let full =
        "CREATE TRIGGER full BEFORE INSERT ON turns BEGIN SELECT RAISE(FAIL, 'no room'); END";
    sqlx::query(full).execute(&mut other).await.unwrap();
    for words in WORDS {
        let chat = visitor
            .request(Method::POST, "/chat")
            .bearer_auth(PUBLIC_KEY);
        let body = json!({"assistantId": "helpline", "input": words});
        assert!(visitor.send(chat.json(&body)).await.status().is_success());
    }
    let gone = "ALTER TABLE calls RENAME TO gone";
    sqlx::query(gone).execute(&mut other).await.unwrap();
    let answer = visitor.get("/api/calls").await;
    assert_eq!(answer.status(), 503);
    server.stop().await;
}

async fn pages_that_tell_too_much(settings: &str) {
    let server = start_server(settings).await;
    let visitor = Visitor::from_address(&server.url, CALLS_FROM);
    let script = json!({"file": "assets/app-1a2b.js", "line": 1, "column": 234});
    let made_up = [
        "assets/Zephyrine.js",
        "assets/../Quokka Lane.js",
        "Zephyrine",
        "assets/",
    ]
    .map(|file| json!({"file": file, "line": 1, "column": 1}));
    let frames = [std::slice::from_ref(&script), made_up.as_slice()].concat();
    for told in [
        json!({
            "kind": "TypeError", "page": "/Demo", "frames": frames.clone(),
            "message": WORDS[0], "user": {"name": "Zephyrine"},
        }),
        json!({"kind": "Zephyrine", "page": "/call/0f3b2c44?q=marimba", "frames": [script]}),
        json!({"kind": "TypeError", "page": "/demo", "frames": made_up}),
    ] {
        let fault = visitor.request(Method::POST, "/api/page-fault").json(&told);
        assert_eq!(visitor.send(fault).await.status(), 204, "{told}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_reports_nothing_says_so_and_takes_no_pages_word() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let config: Value = visitor.get("/api/config").await.json().await.unwrap();
    assert_eq!(config["errorReporting"], false);
    let fault = json!({"kind": "TypeError", "page": "/demo", "frames": []});
    let fault = visitor
        .request(Method::POST, "/api/page-fault")
        .json(&fault);
    let answer = visitor.send(fault).await;
    assert_eq!(answer.status(), 404);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["code"], "errors-not-reported");
    server.stop().await;
}
