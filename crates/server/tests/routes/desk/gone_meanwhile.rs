//! Officers whose network fails in the moment of an act: what they did in a call is on the trail all the same.

use std::time::Duration;

use desk::{Entry, Role};
use flow::Agency;
use reqwest::StatusCode;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::live_calls::{a_caller, a_caller_at_risk, path};
use super::on_hold::{comes_on, comes_to};
use crate::support::officer::{DeskEvents, Officer, desk_of};
use crate::support::{TestServer, start_server};

/// What takes longer does not come any more.
const WITHIN: Duration = Duration::from_secs(20);

/// Less than the five seconds for which a note waits for the database: with a lock that is held longer nothing could be noted.
const LOCKED_AT_MOST: Duration = Duration::from_secs(4);

/// Does this in a call, and goes once it has been done, before it can be noted: the database is locked until the server has let go
/// of the request. Then it is on the trail.
async fn does_and_goes<T>(
    server: &TestServer,
    officer: &Officer,
    (call, act, noted): (&str, &str, &str),
    is_done: impl Future<Output = T>,
) {
    let mut other = locked(server).await;
    let done_and_gone = async {
        let mut line = asks(server, officer, &path(call, act)).await;
        is_done.await;
        line.shutdown().await.unwrap();
        let mut answer = Vec::new();
        line.read_to_end(&mut answer).await.unwrap();
        answer
    };
    let answer = tokio::time::timeout(LOCKED_AT_MOST, done_and_gone).await;
    sqlx::query("COMMIT").execute(&mut other).await.unwrap();
    let answer = answer.unwrap_or_else(|_| {
        panic!("{act} was not done within {LOCKED_AT_MOST:?} while it cannot be noted, or this machine is too slow to tell")
    });
    assert!(answer.is_empty(), "{act} was answered before it was noted");
    let is_there = until_it_is_on_the_trail(server, officer, noted);
    let is_there = tokio::time::timeout(WITHIN, is_there).await;
    assert!(is_there.is_ok(), "{act} is not on the trail");
}

async fn locked(server: &TestServer) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(server.place.path().join("calls.db"));
    let mut other = options.connect().await.unwrap();
    let lock = sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await;
    lock.unwrap();
    other
}

/// Without waiting for an answer.
async fn asks(server: &TestServer, officer: &Officer, path: &str) -> TcpStream {
    let address = server.url.trim_start_matches("http://");
    let mut line = TcpStream::connect(address).await.unwrap();
    let cookie = officer.cookie.as_deref().unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: here\r\ncookie: {cookie}\r\ncontent-length: 0\r\n\r\n"
    );
    line.write_all(request.as_bytes()).await.unwrap();
    line
}

async fn until_it_is_on_the_trail(server: &TestServer, officer: &Officer, what: &str) {
    let desk = desk_of(server).await;
    let who = format!("account {}", officer.id);
    let is_it = |entry: &Entry| entry.what == what && entry.who == who;
    while !desk.audit(None, 50).await.unwrap().iter().any(is_it) {
        tokio::task::yield_now().await;
    }
}

async fn for_sos(server: &TestServer) -> (Officer, DeskEvents) {
    let officer = Officer::signed_in(server, "mei", Role::Officer, &[Agency::Sos]).await;
    let desk = officer.on_duty().await;
    (officer, desk)
}

#[tokio::test]
async fn an_officer_who_has_gone_has_accepted_held_taken_back_and_left_on_the_trail_too() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server).await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let accept = (&*id, "accept", "call accepted");
    does_and_goes(&server, &mei, accept, desk.next("ringing-over")).await;
    let _line = comes_on(&mei, &id, "line").await;
    let ready = mei.post(&path(&id, "ready")).await;
    assert_eq!(ready.status(), StatusCode::NO_CONTENT);
    comes_to(&mut desk, "officer").await;

    let hold = (&*id, "hold", "caller put on hold");
    does_and_goes(&server, &mei, hold, comes_to(&mut desk, "on-hold")).await;
    let take_back = (&*id, "take-back", "caller taken back");
    does_and_goes(&server, &mei, take_back, comes_to(&mut desk, "officer")).await;

    // Who leaves a caller on hold leaves them with the assistant.
    let held = mei.post(&path(&id, "hold")).await;
    assert_eq!(held.status(), StatusCode::NO_CONTENT);
    let leave = (&*id, "leave", "call left");
    does_and_goes(&server, &mei, leave, desk.next("unreached")).await;
}

#[tokio::test]
async fn an_officer_who_has_gone_has_declined_on_the_trail_too() {
    let server = start_server("").await;
    let (mei, mut desk) = for_sos(&server).await;
    let (_caller, id) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;
    let decline = (&*id, "decline", "call declined");
    does_and_goes(&server, &mei, decline, desk.next("unreached")).await;
}

#[tokio::test]
async fn a_supervisor_who_has_gone_has_taken_the_call_over_on_the_trail_too() {
    let server = start_server("").await;
    let sam = Officer::signed_in(&server, "sam", Role::Supervisor, &[]).await;
    let mut desk = sam.on_duty().await;
    let (_caller, id) = a_caller(&server).await;
    let _line = comes_on(&sam, &id, "listening").await;
    let take_over = (&*id, "take-over", "took over");
    does_and_goes(&server, &sam, take_over, comes_to(&mut desk, "officer")).await;
}
