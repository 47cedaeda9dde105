//! A caller on hold: who may put them there and take them back, what they are told, and what stands of it. What is heard on the
//! lines is tested in virtual time, and with real browsers.

#[path = "../../../../call/tests/support/str0m_client.rs"]
#[allow(dead_code, reason = "of the client a part is used here")]
pub mod str0m_client;

use desk::Role;
use flow::Agency;
use reqwest::{Method, StatusCode, header};
use serde_json::Value;
use uuid::Uuid;

use super::live_calls::{a_caller_at_risk, path};
use crate::support::officer::{DeskEvents, Officer, desk_of};
use crate::support::start_server;
use crate::support::visitor::refused;
use str0m_client::{Behaviour, Connected, Noticed, Str0mClient};

/// Comes onto a call's line: `line`, `listening` or `coaching`.
pub async fn comes_on(officer: &Officer, id: &str, way: &str) -> Connected {
    let client = Str0mClient::new().await;
    let offer = officer
        .request(Method::POST, &path(id, way))
        .header(header::CONTENT_TYPE, "application/sdp")
        .body(client.offer.clone());
    let answer = offer.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let mut line = client.connect(&answer.text().await.unwrap(), Behaviour::default());
    while !matches!(line.next().await, Noticed::Connected) {}
    line
}

/// Comes onto the line of a call that rings here, and is put through.
pub async fn talks(officer: &Officer, desk: &mut DeskEvents, id: &str) -> Connected {
    desk.next("ringing").await;
    let accepted = officer.post(&path(id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let line = comes_on(officer, id, "line").await;
    let ready = officer.post(&path(id, "ready")).await;
    assert_eq!(ready.status(), StatusCode::NO_CONTENT);
    comes_to(desk, "officer").await;
    line
}

/// Waits until the desk is told that the call stands so.
pub async fn comes_to(desk: &mut DeskEvents, state: &str) -> Value {
    loop {
        let call = desk.next("call").await;
        if call["state"] == state {
            return call;
        }
    }
}

pub fn says(words: &'static str) -> impl Fn(&Value) -> bool {
    move |told| {
        let said = told["transcript"].as_str().unwrap_or_default();
        told["role"] == "assistant" && said.contains(words)
    }
}

#[tokio::test]
async fn who_talks_with_a_caller_puts_them_on_hold_and_takes_them_back() {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let line = talks(&mei, &mut desk, &id).await;
    // Once they are heard the assistant says no more.
    line.speak(Vec::new());

    let held = mei.post(&path(&id, "hold")).await;
    assert_eq!(held.status(), StatusCode::NO_CONTENT);
    let call = comes_to(&mut desk, "on-hold").await;
    assert_eq!(call["yours"], true);
    assert_eq!(call["holdEndsAt"], Value::Null, "not soon");
    assert!(caller.until(says("be back")).await.is_some());
    caller.type_words("he is hitting me").await;
    assert!(caller.until(says("999")).await.is_some());

    let taken = mei.post(&path(&id, "take-back")).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    comes_to(&mut desk, "officer").await;
    assert!(caller.until(says("with you")).await.is_some());

    let trail = desk_of(&server).await.audit(None, 2).await.unwrap();
    let acts = trail.iter().map(|entry| entry.what.as_str());
    assert_eq!(
        acts.collect::<Vec<_>>(),
        ["caller taken back", "caller put on hold"]
    );
    for entry in &trail {
        assert_eq!(entry.who, format!("account {}", mei.id));
        assert_eq!(entry.about.as_deref(), Some(&*format!("call {id}")));
    }
}

#[tokio::test]
async fn who_leaves_while_a_caller_is_on_hold_does_not_end_the_call() {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let _line = talks(&mei, &mut desk, &id).await;
    let held = mei.post(&path(&id, "hold")).await;
    assert_eq!(held.status(), StatusCode::NO_CONTENT);
    let left = mei.post(&path(&id, "leave")).await;
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["why"], "line-dropped");
    assert!(caller.until(says("1767")).await.is_some());
}

#[tokio::test]
async fn nobody_else_holds_a_caller_or_takes_them_back() {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let accepted = mei.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let unknown = Uuid::from_u128(7).to_string();
    for (who, id) in [(&ravi, &id), (&mei, &id), (&mei, &unknown)] {
        for act in ["hold", "take-back"] {
            refused(who.post(&path(id, act)).await, 404, "call-not-found").await;
        }
    }
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let holds = trail.iter().filter(|it| it.what.starts_with("caller "));
    assert_eq!(holds.count(), 0);
}
