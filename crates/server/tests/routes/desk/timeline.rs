//! What a case's timeline says of its call: how a hand-over went, and what each officer did in it.

use std::time::Duration;

use desk::Role;
use flow::Agency;
use jiff::Timestamp;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::live_calls::{a_caller, a_caller_at_risk, path};
use super::on_hold::{comes_on, talks};
use crate::support::caller::SocketCaller;
use crate::support::officer::{DeskEvents, Officer};
use crate::support::{TestServer, start_server};

async fn for_sos(server: &TestServer, name: &str) -> (Officer, DeskEvents) {
    let officer = Officer::signed_in(server, name, Role::Officer, &[Agency::Sos]).await;
    let events = officer.on_duty().await;
    (officer, events)
}

async fn declines(officer: &Officer, id: &str) {
    let declined = officer.post(&path(id, "decline")).await;
    assert_eq!(declined.status(), StatusCode::NO_CONTENT);
}

/// The case of a call that is over, once its timeline says this.
async fn case_that_says(officer: &Officer, call: &str, what: &str) -> Value {
    let case = format!("/api/desk/cases/{call}");
    let looking = async {
        loop {
            let answer = officer.get(&case).await;
            if answer.status() == StatusCode::OK {
                let inside: Value = answer.json().await.unwrap();
                if happened(&inside).iter().any(|(_, said)| said == what) {
                    return inside;
                }
            }
            tokio::task::yield_now().await;
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(20), looking).await;
    found.unwrap_or_else(|_| panic!("the timeline does not say: {what}"))
}

/// By whom, and what: one after another.
fn happened(inside: &Value) -> Vec<(String, String)> {
    let timeline = inside["timeline"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let times = timeline
        .clone()
        .map(|it| text(&it["at"]).parse::<Timestamp>().unwrap());
    let times: Vec<Timestamp> = times.collect();
    assert!(times.is_sorted(), "{times:?}");
    timeline
        .map(|it| (text(&it["by"]), text(&it["what"])))
        .collect()
}

/// Those of these that it says, in its order.
fn in_order<'a>(happened: &'a [(String, String)], whats: &[&str]) -> Vec<(&'a str, &'a str)> {
    let told = happened.iter().map(|(by, what)| (&**by, &**what));
    told.filter(|(_, what)| whats.contains(what)).collect()
}

#[tokio::test]
async fn of_a_hand_over_that_everybody_declined_it_says_who_was_rung_who_declined_and_what_followed()
 {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Pave]).await;
    let tan = Officer::signed_in(&server, "tan", Role::Officer, &[Agency::Pave]).await;
    let mut of_ravi = ravi.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    declines(&mei, &id).await;
    of_ravi.next("ringing").await;
    // Who comes on duty while everybody is rung is rung too.
    let mut of_tan = tan.on_duty().await;
    of_tan.next("ringing").await;
    declines(&ravi, &id).await;
    declines(&tan, &id).await;
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["why"], "all-declined");
    caller.hang_up().await;

    let back = "Brought the assistant back: every duty officer had declined.";
    let inside = case_that_says(&mei, &id, back).await;
    let happened = happened(&inside);
    let begun = "Began a warm transfer to SOS.";
    let rang = "Rang the duty officers for SOS who could be rung: mei.";
    let rang_everybody = "Rang everybody on duty who could be rung: ravi.";
    let also_rang = "Rang tan as well, who could be rung now.";
    let declined = "Declined the call.";
    let all = [begun, rang, declined, rang_everybody, also_rang, back];
    assert_eq!(
        in_order(&happened, &all),
        [
            ("Assistant", begun),
            ("Server", rang),
            ("mei", declined),
            ("Server", rang_everybody),
            ("Server", also_rang),
            ("ravi", declined),
            ("tan", declined),
            ("Server", back),
        ]
    );
    assert_eq!(
        inside["machineNote"]["structuredData"]["transferred"],
        false
    );
}

#[tokio::test]
async fn of_an_officer_who_accepted_and_whose_line_never_came_it_says_so() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let accepted = mei.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    // Everybody is rung when a line has not come for eight seconds; there is nobody else, and she may have another try.
    let again = tokio::time::timeout(Duration::from_secs(20), desk.next("ringing")).await;
    assert_eq!(again.expect("she is rung again")["everyone"], true);
    declines(&mei, &id).await;
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["why"], "accepted-in-vain");
    caller.hang_up().await;

    let back = "Brought the assistant back: who had accepted did not reach the caller, nor did anybody else.";
    let inside = case_that_says(&mei, &id, back).await;
    let happened = happened(&inside);
    let (accepted, declined) = ("Accepted the call.", "Declined the call.");
    let given_up = "Gave up waiting for mei, whose line did not come.";
    let rang_everybody = "Rang everybody on duty who could be rung: mei.";
    let joined = "Put a duty officer through to the caller.";
    let all = [accepted, joined, given_up, rang_everybody, declined, back];
    assert_eq!(
        in_order(&happened, &all),
        [
            ("mei", accepted),
            ("Server", given_up),
            ("Server", rang_everybody),
            ("mei", declined),
            ("Server", back)
        ]
    );
    let note = &inside["machineNote"];
    assert_eq!(note["structuredData"]["transferred"], false);
    let summary = note["summary"].as_str().unwrap();
    let accepted = "A duty officer accepted the call for SOS and did not reach the caller";
    assert!(summary.contains(accepted), "{summary}");
}

#[tokio::test]
async fn of_a_hand_over_that_nobody_answered_it_says_so() {
    let server = start_server("officers_answer_within_seconds = 10").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["why"], "nobody-answered");
    caller.hang_up().await;

    let back = "Brought the assistant back: no duty officer had answered.";
    let inside = case_that_says(&mei, &id, back).await;
    let happened = happened(&inside);
    let rang = "Rang the duty officers for SOS who could be rung: mei.";
    let accepted = "Accepted the call.";
    assert_eq!(
        in_order(&happened, &[rang, accepted, back]),
        [("Server", rang), ("Server", back)]
    );
}

#[tokio::test]
async fn of_an_officer_whose_line_was_lost_in_the_talk_it_says_so() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let line = talks(&mei, &mut desk, &id).await;
    line.vanish().await;
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["why"], "line-dropped");
    caller.hang_up().await;

    let back = "Brought the assistant back: the duty officer's line was lost.";
    let inside = case_that_says(&mei, &id, back).await;
    let happened = happened(&inside);
    let (accepted, let_go) = ("Accepted the call.", "Let a duty officer's line go.");
    let (joined, left) = (
        "Put a duty officer through to the caller.",
        "Left the call.",
    );
    assert_eq!(
        in_order(&happened, &[accepted, joined, let_go, left, back]),
        [
            ("mei", accepted),
            ("Server", joined),
            ("Server", let_go),
            ("Server", back)
        ]
    );
}

#[tokio::test]
async fn who_took_a_call_over_stands_there_with_their_name() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (mut caller, id) = a_caller(&server).await;
    let _line = comes_on(&sam, &id, "listening").await;
    let taken = sam.post(&path(&id, "take-over")).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    caller.hang_up().await;

    let (listened, took) = ("Listened in.", "Took the call over.");
    let inside = case_that_says(&sam, &id, took).await;
    let happened = happened(&inside);
    assert_eq!(
        in_order(&happened, &[listened, took]),
        [("sam", listened), ("sam", took)]
    );
}

#[tokio::test]
async fn what_a_supervisor_did_in_a_call_stands_there_with_its_name_each_act_as_itself() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let call = server.visitor().call().await;
    let id = call["id"].as_str().unwrap().to_owned();
    let mut caller = SocketCaller::join(&call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    for way in ["listening", "coaching"] {
        let offer = sam
            .request(Method::POST, &path(&id, way))
            .header(header::CONTENT_TYPE, "application/sdp")
            .body(include_str!("../call/offer.sdp"));
        let line = offer.send().await.unwrap();
        assert_eq!(line.status(), StatusCode::CREATED, "{way}");
        let left = sam.post(&path(&id, "leave")).await;
        assert_eq!(left.status(), StatusCode::NO_CONTENT);
    }
    let hint = sam
        .request(Method::POST, &path(&id, "hint"))
        .json(&json!({"hint": "slow-down"}));
    assert_eq!(hint.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    caller.hang_up().await;

    let hint = "Gave a hint: Slow down, with a breath.";
    let inside = case_that_says(&sam, &id, hint).await;
    let happened = happened(&inside);
    let (listened, coached) = ("Listened in.", "Coached the officer.");
    let left = "Left the call.";
    assert_eq!(
        in_order(&happened, &[listened, coached, left, hint]),
        [listened, left, coached, left, hint].map(|what| ("sam", what))
    );
}
