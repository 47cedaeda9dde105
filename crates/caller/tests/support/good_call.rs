//! Callers by `nightlight-caller`, beside others who do harm: what they would notice of that, by the sound that they hear.

#![allow(dead_code, reason = "each test program uses a part of it")]

use serde_json::Value;
use tokio::process::Command;

/// What a debug build on a machine with more to do may add, and a caller would hardly notice.
const NOTICED_MS: f64 = 1_000.0;

/// The reports of so many calls at the same time, in each of which this is said. They went well by the callers' own account.
pub async fn place(origin: &str, count: usize, says: &[&str]) -> Vec<Value> {
    let count = count.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_nightlight-caller"))
        .args(["--url", origin, "--linger", "1", "--json"])
        .args(["--calls", count.as_str(), "--say"])
        .args(says)
        .output()
        .await
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    assert!(output.status.success(), "a call failed: {report:#}\n{told}");
    match report["calls"].take() {
        Value::Array(calls) => calls,
        other => panic!("no calls: {other:#}"),
    }
}

#[track_caller]
pub fn was_greeted_soon(call: &Value) {
    let greeting = call["setup"]["greeting_ms"].as_f64().unwrap();
    assert!(greeting < 2.0 * NOTICED_MS, "greeted after {greeting} ms");
}

/// With this wait before a reply.
#[track_caller]
pub fn was_answered_on_time(call: &Value, wait_seconds: f64) {
    let plan = 1_000.0 * wait_seconds;
    for said in call["utterances"].as_array().unwrap() {
        let gap = said["reply_gap_ms"].as_f64().expect("a reply was heard");
        assert!((plan - 200.0..plan + NOTICED_MS).contains(&gap), "{said:#}");
    }
}

/// To its end, with these of the words that were said in it.
#[track_caller]
pub fn is_on_record(call: &Value, words: &[&str]) {
    let record = &call["record"];
    assert_eq!(record["endedReason"], "customer-ended-call", "{record:#}");
    let heard = record["messages"].to_string().to_lowercase();
    for word in words {
        assert!(heard.contains(word), "{word} was not heard: {heard}");
    }
}
