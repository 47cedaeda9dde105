//! Traces as a collector gets them: a whole call and a whole written conversation, told in times alone; and a collector
//! that takes nothing.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::endpoint::Address;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use redact::Secret;
use serde_json::{Value, json};
use server::traces::Traces;
use speech::{FliteVoice, Voice};
use support::caller::SocketCaller;
use support::visitor::PUBLIC_KEY;
use support::{Visitor, start_server, start_server_with_ears};
use uuid::Uuid;

/// A process has one place that traces go to.
static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const WORDS: &str = "My name is Zephyrine, I live at Quokka Lane, and he threw the marimba at me";
const TELLING: &[&str] = &[
    "zephyrine",
    "quokka",
    "marimba",
    "threw",
    "nightlight-visitor",
    "127.0.0.1",
];

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Bytes>>>);

impl Collector {
    async fn open(&self) -> Address {
        let routes = Router::new()
            .route("/v1/traces", post(take))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Address::of(&address).unwrap()
    }

    fn spans(&self) -> Vec<Span> {
        let bodies = self.0.lock().unwrap().clone();
        bodies
            .into_iter()
            .map(|body| ExportTraceServiceRequest::decode(body).unwrap())
            .flat_map(|request| request.resource_spans)
            .flat_map(|of_a_process| of_a_process.scope_spans)
            .flat_map(|scope| scope.spans)
            .collect()
    }
}

async fn take(State(collector): State<Collector>, headers: HeaderMap, body: Bytes) -> StatusCode {
    assert_eq!(headers[header::CONTENT_TYPE], "application/x-protobuf");
    collector.0.lock().unwrap().push(body);
    StatusCode::OK
}

/// A trace's spans by name, once it is sure that all lead back to one first span.
fn whole_trace(spans: &[Span], of: Uuid) -> BTreeMap<String, Vec<Span>> {
    let mut trace: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for span in spans.iter().filter(|span| span.trace_id == of.as_bytes()) {
        trace
            .entry(span.name.clone())
            .or_default()
            .push(span.clone());
    }
    let all: Vec<&Span> = trace.values().flatten().collect();
    let ids: BTreeSet<&[u8]> = all.iter().map(|span| span.span_id.as_slice()).collect();
    assert_eq!(ids.len(), all.len(), "two spans have one id");
    let first: Vec<&&Span> = all
        .iter()
        .filter(|span| span.parent_span_id.is_empty())
        .collect();
    assert_eq!(
        first.len(),
        1,
        "one span begins a trace: {:?}",
        trace.keys()
    );
    for span in &all {
        let leads_back =
            span.parent_span_id.is_empty() || ids.contains(span.parent_span_id.as_slice());
        assert!(leads_back, "{} leads back to nothing", span.name);
        assert!(
            span.end_time_unix_nano >= span.start_time_unix_nano,
            "{}",
            span.name
        );
    }
    trace
}

fn parent<'a>(trace: &'a BTreeMap<String, Vec<Span>>, of: &Span) -> &'a str {
    let mut all = trace.values().flatten();
    &all.find(|span| span.span_id == of.parent_span_id)
        .unwrap()
        .name
}

fn told<'a>(
    span: &'a Span,
    what: &str,
) -> Option<&'a opentelemetry_proto::tonic::common::v1::AnyValue> {
    let told = span.attributes.iter().find(|it| it.key == what);
    told.and_then(|it| it.value.as_ref())
}

async fn written(visitor: &Visitor, body: Value) -> Value {
    let request = visitor.request(reqwest::Method::POST, "/chat");
    let answer = visitor
        .send(request.bearer_auth(PUBLIC_KEY).json(&body))
        .await;
    assert_eq!(answer.status().as_u16(), 201);
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_and_a_written_conversation_are_each_one_trace_without_a_word_of_theirs() {
    let _alone = ONE_AT_A_TIME.lock().await;
    let collector = Collector::default();
    let traces = Traces::start(&collector.open().await).unwrap();
    let server = start_server_with_ears("").await;
    let visitor = server.visitor();

    let mut events = visitor.events().await;
    let asked = visitor.call().await;
    let call: Uuid = asked["id"].as_str().unwrap().parse().unwrap();
    let mut line = SocketCaller::join(&asked).await;
    line.until_the_assistant_has_spoken().await;
    let voice = FliteVoice::named("rms").unwrap();
    let said = voice
        .speak(Secret::new(String::from(WORDS)))
        .collect()
        .await
        .unwrap();
    line.speak(&said).await;
    line.speak(&[0; 16_000]).await;
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
    events.ended().await;

    let first = written(&visitor, json!({"assistantId": "helpline", "input": WORDS})).await;
    let chat: Uuid = first["sessionId"].as_str().unwrap().parse().unwrap();
    written(
        &visitor,
        json!({"previousChatId": first["id"], "input": WORDS}),
    )
    .await;
    let cookie = visitor.cookie().unwrap();
    server.stop().await;
    traces.stop().await;

    let spans = collector.spans();
    let trace = whole_trace(&spans, call);
    for name in [
        "admission",
        "join",
        "call",
        "turn",
        "transcription",
        "reading",
        "flow",
        "first sound",
        "storage",
        "end",
    ] {
        assert!(
            trace.contains_key(name),
            "{name} is not in {:?}",
            trace.keys()
        );
    }
    assert_eq!(trace["call"].len(), 1);
    assert_eq!(parent(&trace, &trace["call"][0]), "admission");
    assert_eq!(parent(&trace, &trace["turn"][0]), "call");
    for name in ["transcription", "reading", "flow", "storage"] {
        assert_eq!(parent(&trace, &trace[name][0]), "turn", "{name}");
    }
    assert!(told(&trace["call"][0], "end_reason").is_some());
    assert!(
        trace["turn"]
            .iter()
            .any(|turn| told(turn, "late_seconds").is_some()),
        "how late a reply began is told: {:?}",
        trace["turn"]
    );

    let trace = whole_trace(&spans, chat);
    assert_eq!(trace["written conversation begins"].len(), 1);
    assert_eq!(trace["turn"].len(), 1);
    for name in ["queue", "reading", "flow", "storage"] {
        assert_eq!(trace[name].len(), 2, "{name}");
    }

    let requests: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    for request in ["POST /call/web", "POST /chat", "GET /call/{id}/socket"] {
        assert!(
            requests.contains(request),
            "{request} is not in {requests:?}"
        );
    }

    let (_, token) = cookie.split_once('=').unwrap();
    for body in collector.0.lock().unwrap().iter() {
        let text = String::from_utf8_lossy(body).to_lowercase();
        for word in TELLING.iter().chain([&token]) {
            assert!(!text.contains(word), "{word} went to the collector");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_takes_nothing_keeps_no_caller_waiting() {
    let _alone = ONE_AT_A_TIME.lock().await;
    // It takes connections, and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let traces = Traces::start(&Address::of(&address).unwrap()).unwrap();
    let server = start_server("").await;
    let visitor = server.visitor();
    let began = Instant::now();
    let in_time = || {
        let took = began.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}");
    };
    let mut first = written(&visitor, json!({"assistantId": "helpline", "input": ""})).await;
    in_time();
    for _ in 0..20 {
        first = written(
            &visitor,
            json!({"previousChatId": first["id"], "input": "I feel sad"}),
        )
        .await;
        in_time();
    }
    // More spans than wait at most.
    for _ in 0..10_000 {
        call::traces::Span::of(Uuid::nil(), "one of many");
        in_time();
    }
    server.stop().await;
    let began = Instant::now();
    traces.stop().await;
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
}
