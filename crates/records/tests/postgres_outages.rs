//! PostgreSQL goes away, stands still or is cut off in the middle of a word: every operation ends within a bound, what was
//! told stored is stored, what was not can be asked for again, and nothing is there by halves.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::{Duration, Instant};

use postgres_for_tests::{Cut, PostgresServer, Proxy};
use records::{CallKind, NewCall, Records, StoreError, VisitorId};
use story::*;

/// Five seconds for a connection, and five for the work on it.
const BOUND: Duration = Duration::from_secs(11);

fn unavailable<T>(done: Result<T, StoreError>) -> bool {
    matches!(done, Err(StoreError::Unavailable(_)))
}

/// Whether it is done; what is not may only be out of reach.
fn done<T>(outcome: Result<T, StoreError>) -> bool {
    match outcome {
        Ok(_) => true,
        Err(StoreError::Unavailable(_)) => false,
        Err(other) => panic!("{other:?}"),
    }
}

/// One call from its start to its end, each step asked for until it is done. Gives how often one was not; nothing was there
/// by halves then.
async fn whole_call(records: &Records, call: &NewCall, database: &str) -> usize {
    let mut failures = 0;
    let by_halves = || {
        let ended_with_turns =
            "SELECT count(*) FROM turns JOIN calls ON call = calls.id WHERE ended_at IS NOT NULL";
        let left = PostgresServer::shared().sql(database, ended_with_turns);
        assert_eq!(left, "0", "turns of a call that has ended");
    };
    while !done(records.start_call(call.clone()).await) {
        failures += 1;
    }
    for index in 0..2 {
        while !done(records.put_turn(call.call_id, turn(index, "said")).await) {
            failures += 1;
        }
    }
    let finished = finished_call(call, "over");
    while !done(records.finish_call(call.call_id, finished.clone()).await) {
        by_halves();
        failures += 1;
    }
    failures
}

#[tokio::test]
async fn a_call_is_stored_whole_wherever_the_connection_is_cut() {
    let server = PostgresServer::shared();
    let url = server.database();
    let database = url.rsplit('/').next().unwrap();
    let proxy = Proxy::before(server.address()).await;
    let records = Records::open(&proxy.url(&url)).await.unwrap();
    let visitor = VisitorId::random();
    let mut expected = 0;
    for cut in [Cut::BeforeItArrives, Cut::BeforeItIsAnswered] {
        for after in 0.. {
            proxy.cut_after(after, cut);
            let call = new_call(Some(visitor));
            let failures = whole_call(&records, &call, database).await;
            let has_cut = proxy.stop_cutting();
            expected += 1;
            let record = records.latest_of(visitor).await.unwrap().unwrap();
            assert_eq!(record.call_id, call.call_id, "{cut:?} {after}");
            assert_eq!(said(&record.messages), ["over"], "{cut:?} {after}");
            assert_eq!(record.note, Some(note("over")), "{cut:?} {after}");
            assert_eq!(record.id, 10 + expected, "{cut:?} {after}");
            if !has_cut {
                assert!(after > 15, "every message of a call was cut once");
                assert_eq!(failures, 0);
                break;
            }
        }
    }
    assert!(left_behind(&records).await.is_empty());
    let left = server.sql(database, "SELECT count(*) FROM turns");
    assert_eq!(left, "0");
}

#[tokio::test]
async fn a_server_that_is_stopped_refuses_within_a_bound_and_serves_again_after_its_start() {
    let server = PostgresServer::start();
    let records = Records::open(&server.database()).await.unwrap();
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(0, "first"))
        .await
        .unwrap();
    for end in [PostgresServer::stop, |server: &PostgresServer| {
        server.kill();
        server.stop();
    }] {
        end(&server);
        let begun = Instant::now();
        let (put, found) = tokio::join!(
            records.put_turn(call.call_id, turn(1, "second")),
            records.call(call.call_id)
        );
        assert!(unavailable(put) && unavailable(found));
        assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
        server.start_again();
        records
            .put_turn(call.call_id, turn(1, "second"))
            .await
            .unwrap();
        let record = records.call(call.call_id).await.unwrap().unwrap();
        assert_eq!(said(&record.messages), ["first", "second"]);
    }
}

#[tokio::test]
async fn a_server_that_stands_still_holds_nobody_up_for_longer_than_the_bound() {
    let server = PostgresServer::start();
    let url = server.database();
    let database = url.rsplit('/').next().unwrap();
    let records = Records::open(&url).await.unwrap();
    let (running, other) = (new_call(None), new_call(None));
    records.start_call(running.clone()).await.unwrap();
    records
        .put_turn(running.call_id, turn(0, "first"))
        .await
        .unwrap();
    server.hold_up();
    let begun = Instant::now();
    let outcome = tokio::join!(
        records.start_call(other.clone()),
        records.put_turn(running.call_id, turn(1, "given up")),
        records.finish_call(running.call_id, finished_call(&running, "given up")),
        records.call(running.call_id),
        records.latest_of(VisitorId::random()),
        records.left_behind(CallKind::WebCall, Duration::ZERO, 10),
        records.delete_call(running.call_id),
    );
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
    assert!(unavailable(outcome.0) && unavailable(outcome.1) && unavailable(outcome.2));
    assert!(unavailable(outcome.3) && unavailable(outcome.4) && unavailable(outcome.5));
    assert!(unavailable(outcome.6));
    server.let_go_on();
    records
        .put_turn(running.call_id, turn(1, "second"))
        .await
        .unwrap();
    // Until what was given up is nowhere under way any more.
    let others = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'nightlight%' \
                  AND state <> 'idle'";
    while server.sql(database, others) != "0" {
        tokio::task::yield_now().await;
    }
    let record = records.call(running.call_id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), ["first", "second"]);
    assert!(record.ended_at.is_none());
    assert_eq!(records.call(other.call_id).await.unwrap(), None);
}

#[tokio::test]
async fn work_on_a_connection_that_falls_silent_is_given_up_and_done_on_another() {
    // From the sign of life, over the beginning of the transaction, to its end.
    let moments = (0..10).map(|after| async move {
        let server = PostgresServer::shared();
        let proxy = Proxy::before(server.address()).await;
        let records = Records::open(&proxy.url(&server.database())).await.unwrap();
        let call = new_call(None);
        records.start_call(call.clone()).await.unwrap();
        proxy.cut_after(after, Cut::ToSilence);
        let begun = Instant::now();
        let given_up = !done(records.put_turn(call.call_id, turn(0, "given up")).await);
        assert!(begun.elapsed() < BOUND, "{after}: {:?}", begun.elapsed());
        proxy.stop_cutting();
        records
            .put_turn(call.call_id, turn(0, "first"))
            .await
            .unwrap();
        let record = records.call(call.call_id).await.unwrap().unwrap();
        assert_eq!(said(&record.messages), ["first"], "{after}");
        given_up
    });
    let given_up = futures_util::future::join_all(moments).await;
    assert!(given_up.contains(&true));
}

/// On several threads: the connection is back in the pool while the server stops.
#[tokio::test(flavor = "multi_thread")]
async fn connections_of_before_a_restart_are_told_from_those_that_live() {
    let server = PostgresServer::start();
    let records = Records::open(&server.database()).await.unwrap();
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    server.stop();
    server.start_again();
    let turn = turn(0, "first");
    records.put_turn(call.call_id, turn).await.unwrap();
}

#[tokio::test]
async fn connections_on_which_nothing_is_heard_any_more_are_replaced() {
    let server = PostgresServer::shared();
    let proxy = Proxy::before(server.address()).await;
    let records = Records::open(&proxy.url(&server.database())).await.unwrap();
    let calls: Vec<_> = (0..4).map(|_| new_call(None)).collect();
    let all = async || {
        for started in [0, 1, 2, 3].map(|index| records.start_call(calls[index].clone())) {
            started.await.unwrap();
        }
    };
    all().await;
    proxy.swallow();
    let begun = Instant::now();
    all().await;
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
}
