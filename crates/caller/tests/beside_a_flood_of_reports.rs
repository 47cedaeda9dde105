//! One caller among eight who post long reports to the webhook, again and again, without its secret. The caller must not
//! notice, by the sound that is heard.
//!
//! The server as it ships, in a process of its own; the good call by `nightlight-caller`.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Client, StatusCode};
use support::{Server, good_call};
use tokio::sync::watch;
use tokio::task::JoinSet;

const SENDERS: u64 = 8;
/// Between a report and the next of one sender: whoever sends reports of calls has some to wait for.
const PAUSE: Duration = Duration::from_millis(500);
/// No refusal takes so long.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
const START_WAIT_SECONDS: f64 = 1.0;
/// Of a report, near the most that is taken of one.
const BYTES: usize = 960 * 1024;
const SAYS: [&str; 2] = [
    "I have been feeling very lonely",
    "Nobody talks to me at work",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_does_not_notice_a_flood_of_reports_without_the_secret() {
    let wait = START_WAIT_SECONDS.to_string();
    let server = Server::start(&[
        ("START_WAIT_SECONDS", wait.as_str()),
        ("RETURN_WITHIN_SECONDS", "0.5"),
        ("WEBHOOK_SECRET", "only-the-platform-has-it"),
        // It warns of each of them.
        ("LOG", "error"),
        ("VOICE", "slt"),
        ("LIGHTER_VOICE", "slt"),
    ]);
    let (reports_sent, mut sent) = watch::channel(0);
    let mut senders = JoinSet::new();
    for _ in 0..SENDERS {
        let hook = format!("{}/api/webHook", server.origin);
        senders.spawn(send_reports(hook, long_report(), reports_sent.clone()));
    }
    // As many are refused as there are senders before the good call begins.
    sent.wait_for(|sent| *sent >= SENDERS).await.unwrap();
    let before = *sent.borrow();
    let call = good_call::place(&server.origin, 1, &SAYS).await.remove(0);
    let beside = *sent.borrow() - before;
    senders.abort_all();
    while let Some(sender) = senders.join_next().await {
        let stopped = sender.expect_err("it goes on for as long as it is let");
        assert!(stopped.is_cancelled(), "{stopped}");
    }

    assert!(beside > 10 * SENDERS, "only {beside} reports were sent");
    good_call::was_greeted_soon(&call);
    good_call::was_answered_on_time(&call, START_WAIT_SECONDS);
    good_call::is_on_record(&call, &["lonely", "nobody"]);
}

/// Of a call of nobody's, as the hosted platform would send it. It would take a core a while to read.
fn long_report() -> String {
    let one = r#"{"role":"user","message":"nobody talks to me at work","time":7}"#;
    let said = vec![one; BYTES / one.len()].join(",");
    format!(r#"{{"message":{{"type":"end-of-call-report","artifact":{{"messages":[{said}]}}}}}}"#)
}

/// For as long as it is let.
async fn send_reports(hook: String, report: String, sent: watch::Sender<u64>) {
    let http = Client::builder().timeout(ANSWERED_WITHIN).build().unwrap();
    let report = Bytes::from(report);
    loop {
        let request = http
            .post(&hook)
            .header("content-type", "application/json")
            .header("x-vapi-secret", "not-the-secret-at-all")
            .body(report.clone());
        match request.send().await {
            Ok(answer) => assert_eq!(answer.status(), StatusCode::UNAUTHORIZED),
            // It is refused before its body is read: sending may break off.
            Err(error) => assert!(!error.is_timeout(), "{error}"),
        }
        sent.send_modify(|sent| *sent += 1);
        // A sender's own pace: the program that it harms has no virtual time.
        tokio::time::sleep(PAUSE).await;
    }
}
