//! Whose session is over is on no call any more: their line ends within seconds, as one that is lost, and the caller has the
//! assistant again.

use std::time::Duration;

use desk::{Role, Who};
use flow::Agency;
use jiff::Timestamp;
use reqwest::StatusCode;
use serde_json::Value;

use super::live_calls::a_caller_at_risk;
use super::on_hold::str0m_client::Noticed;
use super::on_hold::{comes_on, says, talks};
use crate::support::caller::SocketCaller;
use crate::support::officer::{DeskEvents, Officer, desk_of};
use crate::support::{TestServer, start_server};

/// Less than who was put through may be unheard for.
const WITHIN: Duration = Duration::from_secs(10);

async fn for_sos(server: &TestServer, name: &str) -> (Officer, DeskEvents) {
    let officer = Officer::signed_in(server, name, Role::Officer, &[Agency::Sos]).await;
    let desk = officer.on_duty().await;
    (officer, desk)
}

async fn has_the_assistant_again(caller: &mut SocketCaller, colleague: &mut DeskEvents) {
    let unreached = tokio::time::timeout(WITHIN, colleague.next("unreached")).await;
    let unreached: Value = unreached.expect("the line ends with the session");
    assert_eq!(unreached["why"], "line-dropped");
    assert!(caller.until(says("1767")).await.is_some());
}

#[tokio::test]
async fn who_signs_out_in_a_talk_leaves_the_caller_with_the_assistant_within_seconds() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (_ravi, mut of_ravi) = for_sos(&server, "ravi").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let _line = talks(&mei, &mut desk, &id).await;
    let signed_out = mei.post("/api/desk/sign-out").await;
    assert_eq!(signed_out.status(), StatusCode::NO_CONTENT);
    has_the_assistant_again(&mut caller, &mut of_ravi).await;
}

#[tokio::test]
async fn whose_account_is_closed_in_a_talk_is_off_the_call_within_seconds() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let (_ravi, mut of_ravi) = for_sos(&server, "ravi").await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let _line = talks(&mei, &mut desk, &id).await;
    let accounts = desk_of(&server).await;
    let closed = accounts.close_account(Who::CommandLine, mei.id, Timestamp::now());
    closed.await.unwrap();
    has_the_assistant_again(&mut caller, &mut of_ravi).await;
}

#[tokio::test]
async fn who_listens_hears_nothing_more_within_seconds_of_signing_out() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server, "mei").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    let mut listening = comes_on(&sam, &id, "listening").await;
    let _line = talks(&mei, &mut desk, &id).await;
    let signed_out = sam.post("/api/desk/sign-out").await;
    assert_eq!(signed_out.status(), StatusCode::NO_CONTENT);
    let closed = async { while !matches!(listening.next().await, Noticed::Closed) {} };
    let closed = tokio::time::timeout(WITHIN, closed).await;
    assert!(closed.is_ok(), "the line ends with the session");
    let live = mei.get_json("/api/desk/live").await;
    assert_eq!(live["calls"][0]["state"], "officer", "nobody was lost");
}
