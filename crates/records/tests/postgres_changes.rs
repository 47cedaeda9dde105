//! What one node stores in PostgreSQL, the others hear of: at once by the bell, and without it a little later.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::{Duration, Instant};

use postgres_for_tests::{PostgresServer, Proxy};
use records::{Change, Changes, NewCall, Records, VisitorId};
use sqlx::{Connection, PgConnection};
use story::log::Log;
use story::*;

/// Four turns one after another take longer where nobody hears the bell: two seconds each but the first.
const AT_ONCE: Duration = Duration::from_secs(5);

fn server() -> &'static PostgresServer {
    PostgresServer::shared()
}

/// A node on this database that hears the bell.
async fn node(url: &str) -> (Records, Changes) {
    let records = Records::open(url).await.unwrap();
    let changes = records.changes().await.unwrap();
    rings(&changes).await;
    (records, changes)
}

async fn rings(changes: &Changes) {
    while !changes.bell().rings() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn of(call: &NewCall) -> Option<Change> {
    Some(Change::Of {
        visitor: call.visitor.unwrap(),
        call: call.call_id,
    })
}

/// Turns of a call, each told before the next is stored.
async fn are_heard_of_at_once(records: &Records, call: &NewCall, changes: &mut [&mut Changes]) {
    let begun = Instant::now();
    for index in 0..4 {
        records
            .put_turn(call.call_id, turn(index, "said"))
            .await
            .unwrap();
        for changes in changes.iter_mut() {
            assert_eq!(changes.next().await, of(call));
        }
    }
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
}

/// The next change, where one that is never told would be waited for.
async fn in_time(changes: &mut Changes) -> Option<Change> {
    let told = tokio::time::timeout(Duration::from_secs(20), changes.next());
    told.await.expect("it is told within some seconds")
}

fn name_in(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

/// Ends every connection that listens on the database at `url`.
fn end_of_listening(url: &str) -> String {
    format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = '{}' AND application_name LIKE 'nightlight % doorbell'",
        name_in(url)
    )
}

#[tokio::test]
async fn what_one_node_stores_another_hears_of_at_once_and_once() {
    let url = server().database();
    let (records, mut own) = node(&url).await;
    let (_other, mut changes) = node(&url).await;
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    assert_eq!(own.next().await, of(&call));
    are_heard_of_at_once(&records, &call, &mut [&mut changes, &mut own]).await;
    let finished = finished_call(&call, "over");
    records.finish_call(call.call_id, finished).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    assert_eq!(own.next().await, of(&call));
    records.leave(call.visitor.unwrap()).await.unwrap();
    assert_eq!(
        changes.next().await,
        Some(Change::Left(call.visitor.unwrap()))
    );
}

#[tokio::test]
async fn a_node_whose_bell_is_not_heard_hears_of_everything_a_little_later_and_is_well_again() {
    let url = server().database();
    let (log, _listening) = Log::listen();
    let (records, _own) = node(&url).await;
    let (_other, mut changes) = node(&url).await;
    server().sql("postgres", &end_of_listening(&url));
    log.until("they are looked for every two seconds").await;
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    log.until("heard of at once again").await;
    rings(&changes).await;
    are_heard_of_at_once(&records, &call, &mut [&mut changes]).await;
}

#[tokio::test]
async fn what_nobody_rang_for_is_told_a_little_later() {
    let url = server().database();
    let (_records, mut changes) = node(&url).await;
    // A node looks when it begins to hear the bell; after that, for the second, nobody rings.
    for visitor in [VisitorId::random(), VisitorId::random()] {
        // As by a node that was killed before it could ring.
        let stored = format!("INSERT INTO left_visitors VALUES ('{visitor}', now())");
        server().sql(name_in(&url), &stored);
        assert_eq!(in_time(&mut changes).await, Some(Change::Left(visitor)));
    }
}

#[tokio::test]
async fn connections_that_fall_silent_are_noticed_and_keep_no_change_back_for_long() {
    let url = server().database();
    let proxy = Proxy::before(server().address()).await;
    let (log, _listening) = Log::listen();
    let (records, _own) = node(&url).await;
    let (_other, mut changes) = node(&proxy.url(&url)).await;
    proxy.swallow();
    let call = new_call(Some(VisitorId::random()));
    let begun = Instant::now();
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    log.until("heard of at once again").await;
}

#[tokio::test]
async fn what_was_stored_while_a_node_could_not_look_is_told_when_it_can() {
    let url = server().database();
    let proxy = Proxy::before(server().address()).await;
    let (log, _listening) = Log::listen();
    let (records, _own) = node(&url).await;
    let (_other, mut changes) = node(&proxy.url(&url)).await;
    proxy.refuse(true);
    log.until("cannot be looked for").await;
    let calls = [(); 3].map(|()| new_call(Some(VisitorId::random())));
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
    }
    proxy.refuse(false);
    let mut told = Vec::new();
    for _ in &calls {
        told.push(changes.next().await);
    }
    assert!(calls.iter().all(|call| told.contains(&of(call))));
    log.until("is looked for again").await;
}

#[tokio::test]
async fn what_is_committed_late_is_not_passed_over() {
    let url = server().database();
    let (records, mut changes) = node(&url).await;
    let (early, late) = (VisitorId::random(), VisitorId::random());
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let mut slow = connection.begin().await.unwrap();
    sqlx::query("INSERT INTO left_visitors (visitor, left_at) VALUES ($1, now())")
        .bind(late.0)
        .execute(&mut *slow)
        .await
        .unwrap();
    let call = new_call(Some(early));
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    let turn = turn(0, "said");
    records.put_turn(call.call_id, turn).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    slow.commit().await.unwrap();
    assert_eq!(in_time(&mut changes).await, Some(Change::Left(late)));
}

#[tokio::test]
async fn of_more_than_can_be_told_one_by_one_it_is_told_that_some_were_missed() {
    let url = server().database();
    let (records, mut changes) = node(&url).await;
    server().sql(
        name_in(&url),
        "INSERT INTO left_visitors SELECT gen_random_uuid(), now() FROM generate_series(1, 1001)",
    );
    assert_eq!(changes.next().await, Some(Change::Missed));
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
}

#[tokio::test]
async fn marks_out_of_another_servers_count_are_no_news() {
    let url = server().database();
    let (records, mut changes) = node(&url).await;
    server().sql(
        name_in(&url),
        "ALTER TABLE left_visitors DISABLE TRIGGER mark_change; \
         INSERT INTO left_visitors VALUES (gen_random_uuid(), now(), '9000000000')",
    );
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
    let turn = turn(0, "said");
    records.put_turn(call.call_id, turn).await.unwrap();
    assert_eq!(changes.next().await, of(&call));
}

#[tokio::test]
async fn the_bell_carries_nothing_and_rings_ten_times_a_second_at_most() {
    let url = server().database();
    let (records, _own) = node(&url).await;
    let mut bell = sqlx::postgres::PgListener::connect(&url).await.unwrap();
    bell.listen("nightlight_changes").await.unwrap();
    let call = new_call(Some(VisitorId::random()));
    let begun = Instant::now();
    records.start_call(call.clone()).await.unwrap();
    for index in 0..50 {
        records
            .put_turn(call.call_id, turn(index, "said"))
            .await
            .unwrap();
    }
    let mut heard = 0;
    // Until it has been quiet for a while.
    while let Ok(rung) = tokio::time::timeout(Duration::from_millis(500), bell.recv()).await {
        assert_eq!(rung.unwrap().payload(), "");
        heard += 1;
    }
    let most = begun.elapsed().as_millis() / 100 + 1;
    assert!((1..=most).contains(&heard), "{heard} of at most {most}");
}

#[tokio::test]
async fn who_has_left_is_kept_for_an_hour_and_no_longer() {
    let url = server().database();
    let records = Records::open(&url).await.unwrap();
    let database = name_in(&url);
    server().sql(
        database,
        "INSERT INTO left_visitors VALUES (gen_random_uuid(), now() - interval '61 minutes'), \
         (gen_random_uuid(), now() - interval '59 minutes')",
    );
    let visitor = VisitorId::random();
    for _ in 0..2 {
        records.leave(visitor).await.unwrap();
    }
    let kept = server().sql(database, "SELECT count(*) FROM left_visitors");
    assert_eq!(kept, "2");
}
