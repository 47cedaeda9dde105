//! What is deleted is gone, and nothing else is.

use jiff::ToSpan;
use records::{CallId, Records, VisitorId};

use crate::story::*;

pub async fn a_deleted_call_is_gone(records: Records) {
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(0, "hello"))
        .await
        .unwrap();
    assert!(records.delete_call(call.call_id).await.unwrap());
    assert!(!records.delete_call(call.call_id).await.unwrap());
    assert_eq!(records.call(call.call_id).await.unwrap(), None);
    assert_eq!(listed(&records, visitor).await.len(), 10);
    assert!(left_behind(&records).await.is_empty());
}

pub async fn a_purge_takes_what_ended_before_and_nothing_else(records: Records) {
    let visitor = VisitorId::random();
    let calls: Vec<_> = (0..4).map(|_| new_call(Some(visitor))).collect();
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
    }
    let keep_after = calls[0].started_at + 1.hour();
    for (call, ended_at) in [
        (&calls[0], keep_after - 1.minute()),
        (&calls[1], keep_after),
        (&calls[2], keep_after + 1.minute()),
    ] {
        let finished = records::FinishedCall {
            ended_at,
            ..finished_call(call, "over")
        };
        records.finish_call(call.call_id, finished).await.unwrap();
    }
    for deleted in [1, 0] {
        let purged = records.purge(past(keep_after), 10).await.unwrap();
        assert_eq!(purged.records, deleted);
    }
    let left: Vec<CallId> = listed(&records, visitor)
        .await
        .iter()
        .filter(|record| !record.sample)
        .map(|record| record.call_id)
        .collect();
    assert_eq!(left, [calls[3].call_id, calls[2].call_id, calls[1].call_id]);

    let far_future = "2100-01-01T00:00:00Z".parse().unwrap();
    for deleted in [1, 1, 0] {
        let purged = records.purge(past(far_future), 1).await.unwrap();
        assert_eq!(purged.records, deleted);
    }
    assert_eq!(
        listed(&records, visitor).await.len(),
        11,
        "samples and the running call stay"
    );
}
