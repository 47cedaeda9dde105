//! `/api/status`, `/metrics` and `/ready`: what operators see, and who is one.

use std::sync::Arc;

use async_trait::async_trait;
use redact::Secret;
use reqwest::{Method, RequestBuilder, StatusCode, header};
use serde_json::{Value, json};
use speech::{FliteVoice, Standing, TranscribeError, Transcriber, Voice};

use crate::support::caller::SocketCaller;
use crate::support::program::{PRIVATE_KEY, with_a_key};
use crate::support::visitor::refused;
use crate::support::{Visitor, start_server, start_server_hearing};

const KEY: &str = "an-operators-own-key";
const FOR_OPERATORS: [&str; 2] = ["/api/status", "/metrics"];

/// As a proxy on the same machine hands it on.
fn through_a_proxy(visitor: &Visitor, path: &str) -> RequestBuilder {
    let request = visitor.request(Method::GET, path);
    request.header("x-forwarded-for", "203.0.113.7")
}

fn part<'a>(status: &'a Value, name: &str) -> &'a Value {
    let parts = status["parts"].as_array().unwrap();
    parts.iter().find(|part| part["part"] == name).unwrap()
}

#[tokio::test]
async fn from_the_machine_itself_no_key_is_needed() {
    let server = start_server(&format!("operator_key = '{KEY}'")).await;
    for path in FOR_OPERATORS {
        let answer = server.visitor().get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn who_asks_from_elsewhere_needs_the_operators_key() {
    let settings = format!("operator_key = '{KEY}'\n{}", with_a_key());
    let server = start_server(&settings).await;
    let visitor = server.visitor();
    for path in FOR_OPERATORS {
        let stranger = || through_a_proxy(&visitor, path);
        refused(visitor.send(stranger()).await, 401, "key-missing").await;
        // A key of the platform is no operator's.
        for key in ["nightlight-public", PRIVATE_KEY] {
            let wrong = stranger().bearer_auth(key);
            refused(visitor.send(wrong).await, 401, "key-wrong").await;
        }
        let right = visitor.send(stranger().bearer_auth(KEY)).await;
        assert_eq!(right.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn while_no_key_is_set_the_machine_itself_is_the_only_way_in() {
    let server = start_server("private_key = '0123456789abcdef'").await;
    let visitor = server.visitor();
    for path in FOR_OPERATORS {
        let stranger = through_a_proxy(&visitor, path).bearer_auth("0123456789abcdef");
        let told = refused(visitor.send(stranger).await, 403, "operators-only").await;
        assert!(told["message"].as_str().unwrap().contains("operator_key"));
        // A page under another's name, which leads here.
        let host = visitor.request(Method::GET, path);
        let host = host.header(header::HOST, "line.example:8080");
        refused(visitor.send(host).await, 403, "operators-only").await;
    }
}

#[tokio::test]
async fn a_proxy_that_is_trusted_makes_no_operator_of_a_stranger() {
    let server = start_server("trusted_proxies = '127.0.0.0/8'").await;
    let visitor = server.visitor();
    let pretends = visitor
        .request(Method::GET, "/api/status")
        .header("x-forwarded-for", "127.0.0.1");
    refused(visitor.send(pretends).await, 403, "operators-only").await;
}

#[tokio::test]
async fn a_probe_from_elsewhere_is_told_whether_and_not_what() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let probe = visitor.send(through_a_proxy(&visitor, "/ready")).await;
    assert_eq!(probe.status(), StatusCode::OK);
    let told: Value = probe.json().await.unwrap();
    assert_eq!(told, json!({"ready": true}));
}

/// Cannot be asked anything.
struct Broken;

#[async_trait]
impl Transcriber for Broken {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let reason = String::from("it is not there");
        Err(TranscribeError::EngineFailed { reason })
    }
}

#[tokio::test]
async fn ears_that_fail_make_a_server_unready_and_keep_no_caller_out() {
    let server = start_server_hearing("", Arc::new(Broken)).await;
    let visitor = server.visitor();
    assert_eq!(visitor.get("/ready").await.status(), StatusCode::OK);
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    let voice = FliteVoice::named("rms").unwrap();
    let something = String::from("This is only a sound like any other.").into();
    let mut sound = voice.speak(something).collect().await.unwrap();
    sound.extend(vec![0; 16_000]);
    line.speak(&sound).await;
    line.until_the_assistant_has_spoken().await;

    let ready = visitor.get("/ready").await;
    assert_eq!(ready.status(), StatusCode::SERVICE_UNAVAILABLE);
    let told: Value = ready.json().await.unwrap();
    let expected = json!({"ready": false, "troubles": ["ears-failing"]});
    assert_eq!(told, expected);
    assert_eq!(visitor.get_json("/health").await["status"], "ok");
    let probe = visitor.send(through_a_proxy(&visitor, "/ready")).await;
    let told: Value = probe.json().await.unwrap();
    assert_eq!(told, json!({"ready": false}), "a probe is not told what");
    line.hang_up().await;
}

#[tokio::test]
async fn it_tells_the_calls_the_lines_and_how_calls_ended() {
    let server = start_server("max_calls = 2").await;
    let visitor = server.visitor();
    let quiet = visitor.get_json("/api/status").await;
    assert_eq!(quiet["line"], "open");
    assert_eq!(quiet["calls"]["talking"], 0);
    assert_eq!(quiet["calls"]["freeLines"], 2);
    assert_eq!(quiet["endsOfTheLastHour"], json!([]));
    assert_eq!(quiet["version"], env!("CARGO_PKG_VERSION"));

    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    visitor.call().await;
    let busy = visitor.get_json("/api/status").await;
    assert_eq!(busy["line"], "busy");
    let calls = &busy["calls"];
    assert_eq!(
        (&calls["talking"], &calls["waitingToBeJoined"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(calls["freeLines"], 0);

    line.hang_up().await;
    events.ended().await;
    let ended = json!([{"reason": "customer-ended-call", "count": 1}]);
    while visitor.get_json("/api/status").await["endsOfTheLastHour"] != ended {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn each_part_tells_its_state_and_its_troubles() {
    let server = start_server("listen = '0.0.0.0:0'").await;
    let visitor = server
        .visitor()
        .at(&server.url.replace("0.0.0.0", "127.0.0.1"));
    let status = visitor.get_json("/api/status").await;
    assert_eq!(part(&status, "ears")["state"], "well");
    assert_eq!(part(&status, "records")["troubles"], json!([]));
    assert_eq!(part(&status, "chat-model")["state"], "off");
    let voice = part(&status, "voice");
    assert_eq!(
        (&voice["state"], &voice["detail"]),
        (&json!("limited"), &json!("slt"))
    );
    assert_eq!(voice["troubles"], json!(["voice-missing"]));
    // Pages of other machines come here, and their sound is sent for nowhere.
    let media = part(&status, "media-address");
    assert_eq!(
        (&media["state"], &media["troubles"]),
        (&json!("failing"), &json!(["media-only-here"]))
    );
}
