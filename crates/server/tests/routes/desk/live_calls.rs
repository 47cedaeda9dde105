//! A caller who is at risk, and the people on duty: whose desk rings, who gets the call, and who sees what of it. What is heard
//! on the lines is tested with real browsers.

use desk::Role;
use flow::Agency;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::on_hold::{comes_on, talks};
use crate::support::caller::SocketCaller;
use crate::support::officer::{DeskEvents, Officer, desk_of};
use crate::support::visitor::refused;
use crate::support::{TestServer, start_server};

const WORDS: &str = "I don't want to live any more";

/// A caller who has said that, and is being connected.
pub async fn a_caller_at_risk(server: &TestServer) -> (SocketCaller, String) {
    let (mut caller, id) = a_caller(server).await;
    caller.type_words(WORDS).await;
    (caller, id)
}

/// A caller who has been greeted.
pub async fn a_caller(server: &TestServer) -> (SocketCaller, String) {
    let call = server.visitor().call().await;
    let id = call["id"].as_str().unwrap().to_owned();
    let mut caller = SocketCaller::join(&call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    (caller, id)
}

async fn for_sos(server: &TestServer, name: &str) -> (Officer, DeskEvents) {
    let officer = Officer::signed_in(server, name, Role::Officer, &[Agency::Sos]).await;
    let events = officer.on_duty().await;
    (officer, events)
}

pub fn path(id: &str, what: &str) -> String {
    format!("/api/desk/calls/{id}/{what}")
}

#[tokio::test]
async fn a_desk_of_the_agency_rings_and_another_does_not() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let elsewhere = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Pave]).await;
    let _elsewhere = elsewhere.on_duty().await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    let ringing = desk.next("ringing").await;
    assert_eq!(ringing["callId"], id.as_str());
    assert_eq!(ringing["agency"], "SOS");
    assert_eq!(ringing["everyone"], false);
    for answer in ["accept", "decline"] {
        let not_theirs = elsewhere.post(&path(&id, answer)).await;
        refused(not_theirs, 410, "call-over").await;
    }
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let declined = trail.iter().any(|entry| entry.what == "call declined");
    assert!(!declined, "nobody did");

    let accepted = mei.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let over = desk.next("ringing-over").await;
    assert_eq!(over["takenBy"], "mei");
    assert_eq!(over["yours"], true);
}

#[tokio::test]
async fn of_two_who_accept_at_the_same_moment_exactly_one_gets_the_call_and_the_other_is_told_who()
{
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (ravi, _desk) = for_sos(&server, "ravi").await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let (accept_of_mei, accept_of_ravi) = (path(&id, "accept"), path(&id, "accept"));
    let (one, other) = tokio::join!(mei.post(&accept_of_mei), ravi.post(&accept_of_ravi));
    let first = match one.status() {
        StatusCode::NO_CONTENT => "mei",
        _ => "ravi",
    };
    let (got_it, too_late) = match first {
        "mei" => (one, other),
        _ => (other, one),
    };
    assert_eq!(got_it.status(), StatusCode::NO_CONTENT);
    let error = refused(too_late, 409, "call-taken").await;
    assert!(
        error["message"].as_str().unwrap().starts_with(first),
        "{error}"
    );
    // The line is the first one's alone.
    let second = if first == "mei" { &ravi } else { &mei };
    let offer = second
        .request(reqwest::Method::POST, &path(&id, "line"))
        .header(reqwest::header::CONTENT_TYPE, "application/sdp")
        .body(include_str!("../call/offer.sdp"));
    refused(offer.send().await.unwrap(), 404, "call-not-found").await;
}

#[tokio::test]
async fn who_is_not_on_a_call_does_not_leave_it_and_nothing_of_it_is_on_the_trail() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (ravi, _desk) = for_sos(&server, "ravi").await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let accepted = mei.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let leave = path(&id, "leave");
    refused(ravi.post(&leave).await, 404, "call-not-found").await;
    let given_back = mei.post(&leave).await;
    assert_eq!(given_back.status(), StatusCode::NO_CONTENT);
    refused(mei.post(&leave).await, 404, "call-not-found").await;
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let left = trail.iter().filter(|entry| entry.what == "call left");
    let left: Vec<_> = left.map(|entry| entry.who.clone()).collect();
    assert_eq!(left, [format!("account {}", mei.id)]);
}

#[tokio::test]
async fn who_is_not_on_a_calls_line_does_not_take_it_over_and_nothing_of_it_is_on_the_trail() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let kim = Officer::signed_in(&server, "kim", Role::Supervisor, &[]).await;
    let (_caller, id) = a_caller(&server).await;
    let take_over = path(&id, "take-over");
    refused(sam.post(&take_over).await, 404, "call-not-found").await;
    let _line = comes_on(&sam, &id, "listening").await;
    refused(kim.post(&take_over).await, 404, "call-not-found").await;
    let taken = sam.post(&take_over).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let took = trail.iter().filter(|entry| entry.what == "took over");
    let took: Vec<_> = took.map(|entry| entry.who.clone()).collect();
    assert_eq!(took, [format!("account {}", sam.id)]);
}

#[tokio::test]
async fn who_offers_no_line_has_not_listened_or_coached_and_nothing_of_it_is_on_the_trail() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (_caller, id) = a_caller(&server).await;
    for way in ["listening", "coaching"] {
        let offer = sam
            .request(reqwest::Method::POST, &path(&id, way))
            .header(reqwest::header::CONTENT_TYPE, "application/sdp")
            .body("v=0\r\nno offer\r\n");
        refused(offer.send().await.unwrap(), 400, "sdp-invalid").await;
    }
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let came = ["listened in", "coached"];
    let noted = trail
        .iter()
        .find(|entry| came.contains(&entry.what.as_str()));
    assert!(noted.is_none(), "{noted:?}");
}

#[tokio::test]
async fn an_officers_line_is_let_in_at_the_relays_by_a_password_of_its_own() {
    let none = start_server("").await;
    let (mei, _desk) = for_sos(&none, "mei").await;
    let relays = mei.get_json("/api/desk/relays").await;
    assert_eq!(relays, json!({"iceServers": []}));
    let server = start_server(
        "turn_urls = 'turn:relay.example:3478'\nturn_secret = 'a-secret-of-the-tests'",
    )
    .await;
    let (mei, _desk) = for_sos(&server, "mei").await;
    let mut passwords = Vec::new();
    for _ in 0..2 {
        let answer = mei.get("/api/desk/relays").await;
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let told: Value = answer.json().await.unwrap();
        let relay = &told["iceServers"][0];
        assert_eq!(relay["urls"], json!(["turn:relay.example:3478"]));
        let name = relay["username"].as_str().unwrap();
        assert!(
            !name.contains(&mei.id.to_string().replace('-', "")),
            "a relay's log may hold it"
        );
        assert!(!told.to_string().contains("a-secret-of-the-tests"));
        passwords.push(relay["credential"].as_str().unwrap().to_owned());
    }
    assert_ne!(passwords[0], passwords[1]);
}

#[tokio::test]
async fn when_everybody_has_declined_the_assistant_is_back_and_the_desk_is_told() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let declined = mei.post(&path(&id, "decline")).await;
    assert_eq!(declined.status(), StatusCode::NO_CONTENT);
    let unreached = desk.next("unreached").await;
    assert_eq!(unreached["callId"], id.as_str());
    assert_eq!(unreached["why"], "all-declined");
    let says = |number: &'static str| {
        move |told: &Value| {
            let words = told["transcript"].as_str().unwrap_or_default();
            told["role"] == "assistant" && words.contains(number)
        }
    };
    let told = caller.until(says("1767")).await;
    assert!(told.is_some(), "the caller is told whom to ring");
}

#[tokio::test]
async fn what_was_said_is_shown_to_those_whose_case_it_is_and_every_look_is_on_the_trail() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let elsewhere = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Pave]).await;
    let supervisor = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;

    let live = format!("/api/desk/live/{id}");
    for who in [&mei, &supervisor] {
        let inside = who.get_json(&live).await;
        assert_eq!(inside["call"]["state"], "ringing");
        assert_eq!(inside["call"]["urgent"], true);
        let captions = inside["captions"].as_array().unwrap();
        let caller = captions
            .iter()
            .find(|it| it["speaker"] == "caller")
            .unwrap();
        assert_eq!(caller["text"], WORDS);
        assert_eq!(inside["signals"][0]["words"], WORDS);
        assert_eq!(inside["note"]["structuredData"]["transfer_to"], "SOS");
        let listed = who.get_json("/api/desk/live").await;
        assert_eq!(listed["calls"].as_array().unwrap().len(), 1);
        assert!(!listed.to_string().contains("live any more"));
    }
    refused(elsewhere.get(&live).await, 404, "call-not-found").await;
    let listed = elsewhere.get_json("/api/desk/live").await;
    assert_eq!(listed["calls"], json!([]));

    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let looks = trail.iter().filter(|entry| entry.what == "case viewed");
    let looks: Vec<_> = looks.map(|entry| entry.who.clone()).collect();
    let expected = [&supervisor, &mei].map(|who| format!("account {}", who.id));
    assert_eq!(looks, expected, "newest first");
}

#[tokio::test]
async fn the_words_of_a_call_come_to_the_pages_that_have_opened_it_and_to_no_others() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let elsewhere = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Pave]).await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let events = format!("/api/desk/live/{id}/events");
    refused(elsewhere.get(&events).await, 404, "call-not-found").await;

    let mut open = mei.opens(&id).await;
    let inside = open.next("inside").await;
    assert_eq!(inside["call"]["callId"], id.as_str());
    assert_eq!(inside["signals"][0]["words"], WORDS);
    let said = inside["captions"].to_string();
    assert!(said.contains("live any more"), "{said}");

    caller.type_words("I am at home in Bedok").await;
    let (mut was_told_early, mut was_said) = (false, false);
    while !(was_told_early && was_said) {
        let caption = open.next("caption").await;
        assert_eq!(caption["callId"], id.as_str());
        was_told_early |= caption["isFinal"] == false;
        was_said |= caption["isFinal"] == true && caption["text"] == "I am at home in Bedok";
    }

    assert_eq!(
        mei.post(&path(&id, "decline")).await.status(),
        StatusCode::NO_CONTENT
    );
    desk.next("unreached").await;
    caller.hang_up().await;
    desk.next("call-over").await;
    assert!(
        !desk.told.contains("Bedok"),
        "of a call that this stream has not opened"
    );
    assert!(!desk.told.contains("event: caption"));
    assert_eq!(open.next("over").await["callId"], id.as_str());
    open.end().await;

    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let looks = trail.iter().filter(|entry| entry.what == "case viewed");
    let looks: Vec<_> = looks.map(|entry| entry.who.clone()).collect();
    assert_eq!(
        looks,
        [format!("account {}", mei.id)],
        "opening it is the look"
    );
}

#[tokio::test]
async fn who_talks_with_a_caller_of_another_agency_reads_on_when_a_colleague_takes_the_call_over() {
    let server = start_server("").await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Pave]).await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (mut desk, _desk_of_sam) = (ravi.on_duty().await, sam.on_duty().await);
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let _line = talks(&ravi, &mut desk, &id).await;
    let mut open = ravi.opens(&id).await;
    let _line_of_sam = comes_on(&sam, &id, "listening").await;
    let taken = sam.post(&path(&id, "take-over")).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    while desk.next("call").await["officer"] != "sam" {}
    caller.type_words("I am at home in Bedok").await;
    while open.next("caption").await["text"] != "I am at home in Bedok" {}
}

#[tokio::test]
async fn what_is_found_in_an_open_call_comes_as_it_is_found() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (mut caller, id) = a_caller(&server).await;
    let mut open = supervisor.opens(&id).await;
    assert_eq!(open.next("inside").await["signals"], json!([]));
    caller.type_words(WORDS).await;
    loop {
        let told = open.next("note").await;
        assert_eq!(told["callId"], id.as_str());
        let mut signals = told["signals"].as_array().unwrap().iter();
        if signals.any(|it| it["words"] == WORDS) {
            assert!(told["note"]["summary"].is_string());
            break;
        }
    }
}

#[tokio::test]
async fn the_stream_of_an_open_call_ends_within_seconds_of_its_session() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let mut open = mei.opens(&id).await;
    assert!(mei.post("/api/desk/sign-out").await.status().is_success());
    let seconds = std::time::Duration::from_secs(10);
    let ended = tokio::time::timeout(seconds, open.end()).await;
    assert!(ended.is_ok(), "nothing more is told to who is signed out");
    let again = mei.get(&format!("/api/desk/live/{id}/events")).await;
    refused(again, 401, "not-signed-in").await;
}

#[tokio::test]
async fn who_went_off_duty_is_not_rung() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (ravi, _desk) = for_sos(&server, "ravi").await;
    let off = ravi
        .request(reqwest::Method::PUT, "/api/desk/duty")
        .json(&json!({"onDuty": false}));
    assert_eq!(off.send().await.unwrap().status(), StatusCode::OK);
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    refused(ravi.post(&path(&id, "accept")).await, 410, "call-over").await;
    assert_eq!(mei.get_json("/api/desk/duty").await["onDuty"], true);
}

#[tokio::test]
async fn without_anybody_on_duty_a_warm_transfer_ends_as_it_does_without_a_desk() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let (mut caller, _) = a_caller_at_risk(&server).await;
    let ended = caller.until(|told| told["endedReason"].is_string()).await;
    assert_eq!(ended.unwrap()["endedReason"], "assistant-forwarded-call");
    assert_eq!(officer.get_json("/api/desk/duty").await["onDuty"], false);
}

#[tokio::test]
async fn the_stream_of_a_page_ends_within_seconds_of_its_session() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (_other, mut of_another) = for_sos(&server, "ravi").await;
    let signed_out = mei.post("/api/desk/sign-out").await;
    assert!(signed_out.status().is_success());
    let seconds = std::time::Duration::from_secs(10);
    let ended = tokio::time::timeout(seconds, desk.end()).await;
    assert!(ended.is_ok(), "nothing more is told to who is signed out");
    let (_caller, _) = a_caller_at_risk(&server).await;
    of_another.next("ringing").await;
}

#[tokio::test]
async fn a_page_learns_whether_its_officer_can_be_rung() {
    let server = start_server("wrap_up_seconds = 45").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    assert_eq!(desk.next("duty").await["onDuty"], true);
    let duty = mei.get_json("/api/desk/duty").await;
    assert_eq!(duty, json!({"onDuty": true, "wrapUpUntil": null}));
}
