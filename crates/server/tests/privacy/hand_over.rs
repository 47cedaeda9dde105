//! A caller is handed over to an officer, who talks with them, is coached, puts them on hold, and closes the case.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use desk::Role;
use flow::Agency;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::str0m_client::{Connected, Noticed, Str0mClient};
use super::support::caller::SocketCaller;
use super::support::officer::{DeskEvents, Officer};
use super::support::{Visitor, start_server_hearing};
use super::{BY_PAGE, Ears, Hears, NAME, Told, WORDS, a_sound};

/// What officers say, and write into the case. Nothing in the program contains these either.
const OF_OFFICERS: &str = "Quillon speaking, and we bring you a pangolin";
/// Far longer than anybody speaks here.
const PATIENCE: Duration = Duration::from_secs(30);

pub async fn a_caller_is_handed_over_and_the_case_closed() -> Told {
    let mut told = Told::default();
    let ears = Ears(Mutex::new(Hears::Words(OF_OFFICERS)));
    let server = start_server_hearing("", Arc::new(ears)).await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (mut desk, _desk_of_sam) = (mei.on_duty().await, sam.on_duty().await);
    let visitor = Visitor::from_address(&server.url, BY_PAGE);
    let call = visitor.call().await;
    told.urls_of(&call);
    let id = call["id"].as_str().unwrap();
    let in_call = |what: &str| format!("/api/desk/calls/{id}/{what}");
    let mut caller = SocketCaller::join_from(BY_PAGE, &call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    caller.type_words("I don't want to live any more").await;

    desk.next("ringing").await;
    done(mei.post(&in_call("accept")).await);
    let line = comes_on(&mut told, mei.request(Method::POST, &in_call("line"))).await;
    done(mei.post(&in_call("ready")).await);
    comes_to(&mut desk, "officer").await;
    let coaching = sam.request(Method::POST, &in_call("coaching"));
    let coach = comes_on(&mut told, coaching).await;
    coach.speak(a_sound().await);
    let mut open = mei.opens(id).await;
    line.speak(a_sound().await);
    is_shown(&mut open, OF_OFFICERS).await;
    let hint = sam.request(Method::POST, &in_call("hint"));
    told.refused(&visitor, hint.json(&json!({"hint": OF_OFFICERS})))
        .await;

    done(mei.post(&in_call("hold")).await);
    comes_to(&mut desk, "on-hold").await;
    caller.type_words(WORDS[0]).await;
    is_shown(&mut open, WORDS[0]).await;
    done(mei.post(&in_call("take-back")).await);
    comes_to(&mut desk, "officer").await;
    caller.hang_up().await;
    while desk.next("case").await["callId"] != id {}
    close_the_case(&mut told, &visitor, &mei, &format!("/api/desk/cases/{id}")).await;
    told.measured(&visitor).await;
    server.stop().await;
    told
}

/// With words of the officer's, also where none may be.
async fn close_the_case(told: &mut Told, visitor: &Visitor, officer: &Officer, case: &str) {
    done(officer.post(&format!("{case}/take")).await);
    let version = officer.get_json(case).await["version"].clone();
    let close = || officer.request(Method::POST, &format!("{case}/close"));
    let wrong = json!({"version": version, "outcome": OF_OFFICERS, "words": OF_OFFICERS});
    told.refused(visitor, close().json(&wrong)).await;
    let action = json!({"version": version, "actions": ["rang-caller"], "words": OF_OFFICERS});
    let noted = officer
        .request(Method::PUT, &format!("{case}/action-taken"))
        .json(&action);
    let noted = noted.send().await.unwrap();
    assert_eq!(noted.status(), StatusCode::OK);
    let noted: Value = noted.json().await.unwrap();
    let body = json!({"version": noted["version"], "outcome": "helped", "words": OF_OFFICERS});
    done(close().json(&body).send().await.unwrap());

    let inside = officer.get_json(case).await;
    for field in ["messages", "actionTaken"] {
        let kept = inside[field].to_string();
        assert!(kept.contains(OF_OFFICERS), "{field}: {kept}");
    }
    assert!(inside.to_string().contains(NAME), "the case holds it");
}

fn done(answer: Response) {
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

/// Comes onto a call's line, and says nothing yet.
async fn comes_on(told: &mut Told, asked: RequestBuilder) -> Connected {
    let mut line = told.joined(Str0mClient::new().await, asked).await;
    while !matches!(line.next().await, Noticed::Connected) {}
    line.speak(Vec::new());
    line
}

/// Waits until the desk is told that the call stands so.
async fn comes_to(desk: &mut DeskEvents, state: &str) {
    while desk.next("call").await["state"] != state {}
}

/// Waits until who has the call open at the desk reads that.
async fn is_shown(open: &mut DeskEvents, words: &str) {
    let caption = async { while open.next("caption").await["text"] != words {} };
    let caption = tokio::time::timeout(PATIENCE, caption).await;
    assert!(caption.is_ok(), "no caption says: {words}");
}
