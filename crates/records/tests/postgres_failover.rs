//! The primary dies and its standby takes over, behind an address that stays: what was told stored is there, what was under
//! way is asked for again, and nothing is numbered, stored or told twice.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::Duration;

use postgres_for_tests::{PostgresServer, Proxy};
use records::{Change, NewCall, Records, StoreError, VisitorId};
use story::*;
use tokio::sync::watch;

const CALLS: usize = 8;
/// Of each call, before the primary dies and after the standby took over.
const TURNS: u32 = 5;

/// Whether it is done; what is not may only be out of reach.
fn done<T>(outcome: Result<T, StoreError>) -> bool {
    match outcome {
        Ok(_) => true,
        Err(StoreError::Unavailable(_)) => false,
        Err(other) => panic!("{other:?}"),
    }
}

/// Stores a call's turns one after another, without a pause, from before the primary dies until after the standby took over.
async fn talk(
    records: Records,
    call: NewCall,
    stored: watch::Sender<u32>,
    mut over: watch::Receiver<bool>,
) -> u32 {
    let mut turns = 0;
    let mut after = 0;
    while after < TURNS {
        let told = *over.borrow_and_update();
        let said = turns.to_string();
        while !done(records.put_turn(call.call_id, turn(turns, &said)).await) {}
        turns += 1;
        stored.send_replace(turns);
        after += u32::from(told);
    }
    turns
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_go_on_when_the_standby_takes_over_and_every_turn_that_was_told_stored_is_there() {
    let primary = PostgresServer::start();
    let url = primary.database();
    let standby = primary.standby();
    let proxy = Proxy::before(primary.address()).await;
    let records = Records::open(&proxy.url(&url)).await.unwrap();
    let mut changes = records.changes().await.unwrap();
    let calls: Vec<_> = (0..CALLS)
        .map(|_| new_call(Some(VisitorId::random())))
        .collect();
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
    }
    let (has_taken_over, over) = watch::channel(false);
    let mut talks = Vec::new();
    for call in &calls {
        let (stored, mut has_stored) = watch::channel(0);
        let talk = talk(records.clone(), call.clone(), stored, over.clone());
        talks.push(tokio::spawn(talk));
        has_stored.wait_for(|turns| *turns >= TURNS).await.unwrap();
    }
    primary.kill();
    // It is found before it may be written to, and refuses.
    proxy.lead_to(standby.address());
    let early = records.start_call(new_call(None)).await;
    assert!(!done(early));
    standby.promote();
    has_taken_over.send_replace(true);

    let mut numbers = Vec::new();
    for (call, talk) in calls.iter().zip(talks) {
        let turns = talk.await.unwrap();
        let record = records.call(call.call_id).await.unwrap().unwrap();
        let expected: Vec<_> = (0..turns).map(|turn| turn.to_string()).collect();
        assert_eq!(said(&record.messages), expected);
        numbers.push(record.id);
    }
    let next = records.start_call(new_call(None)).await.unwrap();
    numbers.push(next.id);
    numbers.sort_unstable();
    let first = numbers[0];
    assert!(
        numbers.into_iter().eq(first..=next.id),
        "each has a number of its own, without a gap"
    );

    // What is stored from now on is told as before.
    let last = new_call(Some(VisitorId::random()));
    records.start_call(last.clone()).await.unwrap();
    let told = Change::Of {
        visitor: last.visitor.unwrap(),
        call: last.call_id,
    };
    while changes.next().await != Some(told) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_the_standby_has_not_is_not_told_stored_and_is_asked_for_again() {
    let primary = PostgresServer::start();
    let url = primary.database();
    let standby = primary.standby();
    let proxy = Proxy::before(primary.address()).await;
    let records = Records::open(&proxy.url(&url)).await.unwrap();
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(0, "on both"))
        .await
        .unwrap();
    standby.hold_up();
    let alone = records.put_turn(call.call_id, turn(1, "on one")).await;
    assert!(!done(alone));
    primary.kill();
    standby.let_go_on();
    standby.promote();
    proxy.lead_to(standby.address());
    let again = turn(1, "asked for again");
    while !done(records.put_turn(call.call_id, again.clone()).await) {}
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages)[0], "on both");
    assert_eq!(record.messages.len(), 2);
}

/// So many transactions come and go on the server.
fn transactions(server: &PostgresServer, count: u32) {
    let begin_and_end = format!(
        "DO $$ BEGIN FOR _ IN 1..{count} LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$"
    );
    server.sql("postgres", &begin_and_end);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_standby_stores_is_told_where_its_transactions_have_passed_what_was_seen_of_the_primarys()
 {
    let primary = PostgresServer::start();
    let url = primary.database();
    let standby = primary.standby();
    let proxy = Proxy::before(primary.address()).await;
    let records = Records::open(&proxy.url(&url)).await.unwrap();
    // The primary goes on alone for a while.
    for (server, alone) in [
        (&primary, "ALTER SYSTEM SET synchronous_standby_names = ''"),
        (&standby, "ALTER SYSTEM SET primary_conninfo = ''"),
    ] {
        server.sql("postgres", alone);
        server.sql("postgres", "SELECT pg_reload_conf()");
    }
    while primary.sql("postgres", "SELECT count(*) FROM pg_stat_replication") != "0" {}
    transactions(&primary, 1_000);
    let mut changes = records.changes().await.unwrap();
    primary.kill();
    standby.promote();

    let (_, database) = url.rsplit_once('/').unwrap();
    let elsewhere = Records::open(&standby.url(database)).await.unwrap();
    let call = new_call(Some(VisitorId::random()));
    elsewhere.start_call(call).await.unwrap();
    transactions(&standby, 2_000);
    proxy.lead_to(standby.address());
    let told = tokio::time::timeout(Duration::from_secs(60), changes.next());
    assert_eq!(told.await.unwrap(), Some(Change::Missed));
}
