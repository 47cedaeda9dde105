//! Test suites by voice: a made-up caller who really speaks, on a real call of the server's own, in the time that talking takes.

use std::time::{Duration, Instant};

use desk::Role;
use flow::Agency;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::officer::Officer;
use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{start_server, start_server_in_place, start_server_with_ears};

/// For a few calls of some twenty seconds, on a machine that has other tests to do.
const BOUND: Duration = Duration::from_secs(240);

fn by_voice(script: &str, scorers: Value) -> Value {
    json!({"type": "voice", "script": script, "scorers": scorers})
}

fn ends_as(reason: &str) -> Value {
    json!([{"type": "outcome", "endedReason": reason}])
}

/// A suite of these tests; its path.
async fn suite(program: &Program, target: Value, tests: &[Value]) -> String {
    let suite = json!({"name": "Nights", "targetPlan": target});
    let suite = program.made("/test-suite", suite).await;
    let path = format!("/test-suite/{}", suite["id"].as_str().unwrap());
    for test in tests {
        program.made(&format!("{path}/test"), test.clone()).await;
    }
    path
}

/// Has it run; the run's path.
async fn begun(program: &Program, suite: &str) -> String {
    let run = program.made(&format!("{suite}/run"), json!({})).await;
    format!("{suite}/run/{}", run["id"].as_str().unwrap())
}

/// Reads that until this holds of it.
async fn until(program: &Program, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut looks = tokio::time::interval(Duration::from_millis(100));
    let waited = async {
        loop {
            looks.tick().await;
            let told = program.get_json(path).await;
            if holds(&told) {
                return told;
            }
        }
    };
    tokio::time::timeout(BOUND, waited).await.unwrap()
}

async fn until_somebody_is_on_a_line(program: &Program) {
    until(program, "/health", |health| health["liveCalls"] == 1).await;
}

async fn ended(program: &Program, run: &str) -> Value {
    let is_open = |run: &Value| run["status"] == "queued" || run["status"] == "in-progress";
    until(program, run, |run| !is_open(run)).await
}

#[tokio::test]
async fn a_made_up_caller_speaks_is_heard_and_answered_and_nobody_at_the_desk_hears_of_it() {
    let server = start_server_with_ears(&with_a_key()).await;
    let program = Program::of(&server);
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let _page = mei.on_duty().await;
    let scorers = json!([
        {"type": "outcome", "transferTo": "SOS", "urgent": true, "endedReason": "assistant-forwarded-call"},
        {"type": "outcome", "transferTo": "SPF"},
    ]);
    // As an assistant of a program's is held: by its own first words.
    let assistant = json!({"name": "Night line", "firstMessage": "Good evening."});
    let assistant = program.made("/assistant", assistant).await;
    let target = json!({"assistantId": assistant["id"]});
    let test = by_voice("I don't want to live any more.", scorers);
    let suite = suite(&program, target, &[test]).await;
    let run = begun(&program, &suite).await;
    until_somebody_is_on_a_line(&program).await;
    let live = mei.get_json("/api/desk/live").await;
    assert_eq!(live["calls"], json!([]));

    let run = ended(&program, &run).await;
    assert_eq!(run["status"], "completed", "{run}");
    let attempt = &run["testResults"][0]["attempts"][0];
    let results = attempt["scorerResults"].as_array().unwrap();
    let results: Vec<&Value> = results.iter().map(|it| &it["result"]).collect();
    assert_eq!(results, ["pass", "fail"], "{run}");
    // Where the desk is rung, a call goes on.
    assert_eq!(attempt["call"]["endedReason"], "assistant-forwarded-call");
    let messages = attempt["call"]["artifact"]["messages"].as_array().unwrap();
    let said = |role: &str| {
        let said = messages.iter().filter(|message| message["role"] == role);
        let said = said.map(|message| message["message"].as_str().unwrap());
        said.collect::<Vec<_>>().join(" ").to_lowercase()
    };
    assert!(said("user").contains("to live"), "{messages:?}");
    assert!(said("bot").contains("good evening"), "{messages:?}");
    assert_eq!(program.get_json("/call").await, json!([]), "no record");
}

#[tokio::test]
async fn a_caller_who_asks_has_the_line_at_once_and_the_made_up_one_rings_again_afterwards() {
    let settings = format!("{}\nmax_calls = 1\ncheck_in_seconds = 2", with_a_key());
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let test = by_voice("Hello.", ends_as("customer-ended-call"));
    let suite = suite(&program, json!({}), &[test]).await;
    let run = begun(&program, &suite).await;
    until_somebody_is_on_a_line(&program).await;
    let mut line = SocketCaller::join(&server.visitor().call().await).await;
    line.until_the_assistant_has_spoken().await;
    let stands = program.get_json(&run).await;
    assert_eq!(stands["status"], "in-progress", "{stands}");
    line.hang_up().await;

    let run = ended(&program, &run).await;
    assert_eq!(run["status"], "completed", "{run}");
    let attempts = run["testResults"][0]["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 1);
    let scored = &attempts[0]["scorerResults"][0];
    assert_eq!(scored["result"], "pass", "{run}");
    let recorded = program.get_json("/call").await;
    assert_eq!(recorded.as_array().unwrap().len(), 1, "the caller's alone");
}

#[tokio::test]
async fn a_server_that_stops_waits_for_no_made_up_caller() {
    let server = start_server(&format!("{}\nfinish_seconds = 120", with_a_key())).await;
    let program = Program::of(&server);
    let test = by_voice("Hello.", ends_as("customer-ended-call"));
    let suite = suite(&program, json!({}), &[test]).await;
    let run = begun(&program, &suite).await;
    until_somebody_is_on_a_line(&program).await;
    let begun = Instant::now();
    let place = server.stop().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");

    let server = start_server_in_place(place, &with_a_key()).await;
    let run = Program::of(&server).get_json(&run).await;
    assert_eq!(run["status"], "failed");
    let why = run["endedMessage"].as_str().unwrap();
    assert!(why.contains("stopped"), "{why}");
}

#[tokio::test]
async fn what_takes_too_long_to_say_is_refused() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let script = ["Hello."; 21].join("\n");
    let suite = suite(&program, json!({}), &[]).await;
    let (tests, run) = (format!("{suite}/test"), format!("{suite}/run"));
    let long = by_voice(&script, ends_as("customer-ended-call"));
    let answer = program.post(&tests, long.clone()).await;
    refused(answer, 400, "field-invalid").await;
    let mut written = long;
    written["type"] = json!("chat");
    let written = program.made(&tests, written).await;
    let one = format!("{tests}/{}", written["id"].as_str().unwrap());
    let spoken = program
        .send(Method::PATCH, &one, json!({"type": "voice"}))
        .await;
    refused(spoken, 400, "field-invalid").await;

    let mut often = by_voice("Hello.", ends_as("customer-ended-call"));
    often["numAttempts"] = json!(3);
    for _ in 0..2 {
        program.made(&tests, often.clone()).await;
    }
    let answer = program.post(&run, json!({})).await;
    let error = refused(answer, 400, "field-invalid").await;
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("5 attempts") && message.contains('6'),
        "{message}"
    );
}
