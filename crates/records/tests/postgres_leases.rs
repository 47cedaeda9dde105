//! Several nodes on one PostgreSQL: a call is one node's at a time.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::Duration;

use postgres_for_tests::{PostgresServer, WAITING_FOR_A_LOCK};
use records::{CallKind, NewCall, Records, StoreError, VisitorId};
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use story::*;
use tokio::task::JoinHandle;

const HOUR: Duration = Duration::from_hours(1);

/// Two nodes on a database of their own, both of which answer for their calls.
async fn two_nodes() -> (Records, Records, String) {
    let url = PostgresServer::shared().database();
    let first = Records::open(&url).await.unwrap();
    let second = Records::open(&url).await.unwrap();
    for node in [&first, &second] {
        node.hold(HOUR, None).await.unwrap();
    }
    (first, second, url)
}

fn is_elsewhere<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::HeldElsewhere))
}

/// Until `work` waits for a lock that another connection holds.
async fn waits_for_a_lock<T>(looking: &mut PgConnection, work: &JoinHandle<T>) {
    let mut waiting = 0_i64;
    while waiting == 0 {
        assert!(!work.is_finished(), "it waits");
        tokio::task::yield_now().await;
        let asked = sqlx::query_scalar(WAITING_FOR_A_LOCK);
        waiting = asked.fetch_one(&mut *looking).await.unwrap();
    }
}

#[tokio::test]
async fn a_call_is_taken_from_a_node_that_is_gone_and_that_one_writes_no_more() {
    let (first, second, _) = two_nodes().await;
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    let id = call.call_id;
    first.start_call(call.clone()).await.unwrap();
    first.put_turn(id, turn(0, "on the first")).await.unwrap();
    assert_eq!(second.may_take(visitor, id).await.unwrap(), Some(false));
    assert!(is_elsewhere(second.take_call(id).await));
    assert!(is_elsewhere(second.put_turn(id, turn(1, "not its")).await));
    let not_its = finished_call(&call, "not its");
    assert!(is_elsewhere(second.finish_call(id, not_its).await));

    first.hold(Duration::ZERO, None).await.unwrap();
    assert_eq!(second.may_take(visitor, id).await.unwrap(), Some(true));
    assert!(!first.is_elsewhere(id).await.unwrap());
    let taken = second.take_call(id).await.unwrap().unwrap();
    assert_eq!(said(&taken.messages), ["on the first"]);
    assert!(!second.is_elsewhere(id).await.unwrap());
    // It was only cut off, and is back.
    first.hold(HOUR, None).await.unwrap();
    assert!(first.is_elsewhere(id).await.unwrap());
    assert!(is_elsewhere(first.put_turn(id, turn(1, "late")).await));
    let late = finished_call(&call, "late");
    assert!(is_elsewhere(first.finish_call(id, late).await));
    assert!(is_elsewhere(first.take_call(id).await));

    second.put_turn(id, turn(1, "on the second")).await.unwrap();
    let end = finished_call(&call, "the end");
    second.finish_call(id, end).await.unwrap();
    let record = first.call(id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), ["the end"]);
}

#[tokio::test]
async fn what_was_on_its_way_when_the_call_was_taken_is_refused_even_by_the_node_that_has_it_again()
{
    let (node, _, url) = two_nodes().await;
    let mut looking = PgConnection::connect(&url).await.unwrap();
    for is_the_end in [false, true] {
        let call = new_call(None);
        let id = call.call_id;
        node.start_call(call.clone()).await.unwrap();
        let mut other = PgConnection::connect(&url).await.unwrap();
        let mut taking = other.begin().await.unwrap();
        // Taken by another, and by this one again.
        sqlx::query("UPDATE calls SET epoch = epoch + 2 WHERE call_id = $1")
            .bind(id.0)
            .execute(&mut *taking)
            .await
            .unwrap();
        let writes = node.clone();
        let late = tokio::spawn(async move {
            match is_the_end {
                true => writes.finish_call(id, finished_call(&call, "late")).await,
                false => writes.put_turn(id, turn(0, "late")).await,
            }
        });
        waits_for_a_lock(&mut looking, &late).await;
        taking.commit().await.unwrap();
        assert!(is_elsewhere(late.await.unwrap()), "the end: {is_the_end}");
        assert!(node.is_elsewhere(id).await.unwrap());
    }
}

#[tokio::test]
async fn a_turn_that_is_stored_while_its_call_is_being_taken_is_taken_with_it() {
    let (first, second, url) = two_nodes().await;
    let mut looking = PgConnection::connect(&url).await.unwrap();
    let call = new_call(None);
    let id = call.call_id;
    first.start_call(call).await.unwrap();
    first.put_turn(id, turn(0, "before")).await.unwrap();
    first.hold(Duration::ZERO, None).await.unwrap();
    // The first node's last word, on its way to the disk.
    let mut raw = PgConnection::connect(&url).await.unwrap();
    let mut storing = raw.begin().await.unwrap();
    let its_row = "SELECT FROM calls WHERE call_id = $1 FOR NO KEY UPDATE";
    sqlx::query(its_row)
        .bind(id.0)
        .execute(&mut *storing)
        .await
        .unwrap();
    let taking = tokio::spawn({
        let second = second.clone();
        async move { second.take_call(id).await }
    });
    waits_for_a_lock(&mut looking, &taking).await;
    sqlx::query("INSERT INTO turns SELECT call, 1, messages, conversation FROM turns")
        .execute(&mut *storing)
        .await
        .unwrap();
    storing.commit().await.unwrap();
    let taken = taking.await.unwrap().unwrap().unwrap();
    assert_eq!(said(&taken.messages), ["before", "before"]);
    assert_eq!(taken.last_turn, Some(1));
}

#[tokio::test]
async fn a_call_that_is_being_taken_is_not_presumed_over() {
    let (first, second, url) = two_nodes().await;
    let mut looking = PgConnection::connect(&url).await.unwrap();
    let call = new_call(None);
    let id = call.call_id;
    first.start_call(call.clone()).await.unwrap();
    first.hold(Duration::ZERO, None).await.unwrap();
    let mut raw = PgConnection::connect(&url).await.unwrap();
    let mut taking = raw.begin().await.unwrap();
    let by_the_second = "UPDATE calls SET epoch = epoch + 1, \
                         holder = (SELECT node FROM nodes WHERE lease_until > now())";
    sqlx::query(by_the_second)
        .execute(&mut *taking)
        .await
        .unwrap();
    let presuming = tokio::spawn(async move {
        let over = finished_call(&call, "over");
        second.presume_over(id, Duration::ZERO, over).await
    });
    waits_for_a_lock(&mut looking, &presuming).await;
    taking.commit().await.unwrap();
    let presumed = presuming.await.unwrap().unwrap();
    assert!(!presumed, "its new node answers for it");
}

#[tokio::test]
async fn every_node_is_told_the_names_of_all_that_answer_for_their_calls() {
    let (first, second, url) = two_nodes().await;
    assert!(first.nodes().await.unwrap().is_empty(), "none has a name");
    second.hold(HOUR, Some("b")).await.unwrap();
    first.hold(HOUR, Some("a")).await.unwrap();
    assert_eq!(first.nodes().await.unwrap(), ["a", "b"]);
    assert_eq!(second.nodes().await.unwrap(), ["a", "b"]);
    let again = Records::open(&url).await.unwrap();
    again.hold(HOUR, Some("b")).await.unwrap();
    assert_eq!(first.nodes().await.unwrap(), ["a", "b"], "b was restarted");
    for node in [&second, &again] {
        node.hold(Duration::ZERO, Some("b")).await.unwrap();
    }
    assert_eq!(first.nodes().await.unwrap(), ["a"], "b has let go");
}

#[tokio::test]
async fn a_written_conversation_is_taken_from_a_node_that_is_there() {
    let (first, second, _) = two_nodes().await;
    let call = NewCall {
        kind: CallKind::Chat,
        ..new_call(None)
    };
    let id = call.call_id;
    first.start_call(call).await.unwrap();
    first.put_turn(id, turn(0, "first")).await.unwrap();
    let taken = second.take_call(id).await.unwrap().unwrap();
    assert_eq!(said(&taken.messages), ["first"]);
    assert!(first.is_elsewhere(id).await.unwrap());
    assert!(is_elsewhere(first.put_turn(id, turn(1, "late")).await));
    assert!(first.take_call(id).await.unwrap().is_some());
    assert!(is_elsewhere(second.put_turn(id, turn(1, "late")).await));
}

#[tokio::test]
async fn of_two_nodes_that_find_a_call_left_behind_one_ends_it() {
    let (first, second, url) = two_nodes().await;
    let call = new_call(None);
    let gone = Records::open(&url).await.unwrap();
    gone.start_call(call.clone()).await.unwrap();
    let [one, other] = [&first, &second].map(|node| {
        let end = finished_call(&call, "presumed");
        node.presume_over(call.call_id, Duration::ZERO, end)
    });
    let (one, other) = tokio::join!(one, other);
    assert!(one.unwrap() != other.unwrap());
}
