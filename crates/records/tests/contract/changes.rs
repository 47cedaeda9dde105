//! Whoever listens is told what has changed, once.

use std::time::Duration;

use records::{Change, Records, VisitorId};

use crate::story::*;

pub async fn whoever_listens_is_told_once_of_a_calls_beginning_of_each_turn_and_of_its_end(
    records: Records,
) {
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    let told = Some(Change::Of {
        visitor,
        call: call.call_id,
    });
    let mut changes = records.changes().await.unwrap();
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, told);
    for index in 0..2 {
        let turn = turn(index, "hello");
        records.put_turn(call.call_id, turn).await.unwrap();
        assert_eq!(changes.next().await, told);
    }
    let finished = finished_call(&call, "over");
    records
        .finish_call(call.call_id, finished.clone())
        .await
        .unwrap();
    assert_eq!(changes.next().await, told);

    // None of this changes anything.
    records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(2, "too late"))
        .await
        .unwrap();
    records.finish_call(call.call_id, finished).await.unwrap();
    let nobodys = new_call(None);
    records.start_call(nobodys).await.unwrap();
    records.leave(visitor).await.unwrap();
    assert_eq!(changes.next().await, Some(Change::Left(visitor)));
}

pub async fn a_presumed_end_is_told_and_the_nodes_own_after_it(records: Records) {
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    let (id, told) = (
        call.call_id,
        Some(Change::Of {
            visitor,
            call: call.call_id,
        }),
    );
    let mut changes = records.changes().await.unwrap();
    records.start_call(call.clone()).await.unwrap();
    assert_eq!(changes.next().await, told);
    records.hold(Duration::ZERO, None).await.unwrap();
    let presumed = finished_call(&call, "presumed");
    assert!(
        records
            .presume_over(id, Duration::ZERO, presumed)
            .await
            .unwrap()
    );
    assert_eq!(changes.next().await, told);
    let own = finished_call(&call, "its own");
    records.finish_call(id, own).await.unwrap();
    assert_eq!(changes.next().await, told);
}
