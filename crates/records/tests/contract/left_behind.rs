//! Calls whose node does not answer for them: who may go on with one, and who may end it.

use std::time::Duration;

use jiff::Timestamp;
use records::{CallKind, NewCall, Records, StoreError, VisitorId};

use crate::story::*;

const HOUR: Duration = Duration::from_hours(1);

pub async fn an_unfinished_call_can_be_gone_on_with(records: Records) {
    let (cut_off, silent) = (new_call(Some(VisitorId::random())), new_call(None));
    for call in [&cut_off, &silent] {
        records.start_call(call.clone()).await.unwrap();
    }
    records
        .put_turn(cut_off.call_id, turn(0, "first"))
        .await
        .unwrap();
    records
        .put_turn(cut_off.call_id, turn(1, "second"))
        .await
        .unwrap();

    let unfinished = left_behind(&records).await;
    assert_eq!(unfinished.len(), 2);
    assert_eq!(unfinished[0].call_id, cut_off.call_id);
    assert_eq!(unfinished[0].visitor, cut_off.visitor);
    assert_eq!(unfinished[0].started_at, cut_off.started_at);
    assert_eq!(said(&unfinished[0].messages), ["first", "second"]);
    assert_eq!(
        unfinished[0].conversation,
        Some(turn(1, "second").conversation)
    );
    assert_eq!(unfinished[0].last_turn, Some(1));
    assert_eq!(unfinished[1].conversation, None);
    assert_eq!(unfinished[1].last_turn, None);
    assert!(unfinished[1].messages.is_empty());
}

pub async fn calls_are_left_behind_by_a_node_that_does_not_answer_for_them(records: Records) {
    records.hold(HOUR, None).await.unwrap();
    let call = new_call(Some(VisitorId::random()));
    records.start_call(call.clone()).await.unwrap();
    assert!(left_behind(&records).await.is_empty());
    records.hold(Duration::ZERO, None).await.unwrap();
    assert_eq!(left_behind(&records).await.len(), 1);
    let listed = async |kind, since, most| {
        let found = records.left_behind(kind, since, most).await;
        found.unwrap().len()
    };
    assert_eq!(listed(CallKind::Chat, Duration::ZERO, 9).await, 0);
    assert_eq!(listed(CallKind::WebCall, HOUR, 9).await, 0, "only just");
    let another = new_call(None);
    records.start_call(another.clone()).await.unwrap();
    assert_eq!(listed(CallKind::WebCall, Duration::ZERO, 1).await, 1);
}

pub async fn a_node_is_found_by_its_name_while_it_answers_for_its_calls(records: Records) {
    assert!(records.nodes().await.unwrap().is_empty());
    records.hold(HOUR, None).await.unwrap();
    assert!(records.nodes().await.unwrap().is_empty(), "it has no name");
    records.hold(HOUR, Some("node-1")).await.unwrap();
    assert_eq!(records.nodes().await.unwrap(), ["node-1"]);
    records.hold(Duration::ZERO, Some("node-1")).await.unwrap();
    assert!(records.nodes().await.unwrap().is_empty());
}

pub async fn a_call_left_behind_tells_whether_its_visitor_has_left(records: Records) {
    let visitors = [VisitorId::random(), VisitorId::random()];
    let calls = [Some(visitors[0]), Some(visitors[1]), None].map(|visitor| NewCall {
        started_at: Timestamp::now(),
        ..new_call(visitor)
    });
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
    }
    records.leave(visitors[1]).await.unwrap();
    let left = left_behind(&records).await;
    let has_left: Vec<_> = left.iter().map(|call| call.visitor_has_left).collect();
    assert_eq!(has_left, [false, true, false]);
    let taken = records.take_call(calls[1].call_id).await.unwrap().unwrap();
    assert!(taken.visitor_has_left);
    let again = NewCall {
        started_at: Timestamp::now() + Duration::from_secs(1),
        ..new_call(Some(visitors[1]))
    };
    records.start_call(again).await.unwrap();
    let left = left_behind(&records).await;
    assert!(!left[3].visitor_has_left, "it was begun after that");
}

pub async fn a_call_that_is_taken_goes_on_where_it_was(records: Records) {
    let (visitor, other) = (VisitorId::random(), VisitorId::random());
    let call = new_call(Some(visitor));
    let id = call.call_id;
    assert_eq!(records.take_call(id).await.unwrap(), None);
    assert!(!records.is_elsewhere(id).await.unwrap(), "not stored yet");
    records.start_call(call.clone()).await.unwrap();
    records.put_turn(id, turn(0, "first")).await.unwrap();
    assert_eq!(records.may_take(visitor, id).await.unwrap(), Some(true));
    assert_eq!(records.may_take(other, id).await.unwrap(), None);
    let taken = records.take_call(id).await.unwrap().unwrap();
    assert_eq!(said(&taken.messages), ["first"]);
    assert_eq!(taken.visitor, Some(visitor));
    assert_eq!(taken.last_turn, Some(0));
    assert!(!records.is_elsewhere(id).await.unwrap());
    records.put_turn(id, turn(1, "second")).await.unwrap();
    let finished = finished_call(&call, "the end");
    records.finish_call(id, finished).await.unwrap();
    assert_eq!(records.take_call(id).await.unwrap(), None);
    assert_eq!(records.may_take(visitor, id).await.unwrap(), None);
}

pub async fn a_call_that_is_given_back_is_anybodys(records: Records) {
    records.hold(HOUR, None).await.unwrap();
    let call = new_call(None);
    let id = call.call_id;
    records.start_call(call.clone()).await.unwrap();
    records.give_back(id).await.unwrap();
    assert_eq!(left_behind(&records).await.len(), 1);
    let late = records.put_turn(id, turn(0, "late")).await;
    assert!(matches!(late, Err(StoreError::HeldElsewhere)));
    let late = records.finish_call(id, finished_call(&call, "late")).await;
    assert!(matches!(late, Err(StoreError::HeldElsewhere)));
    assert!(records.take_call(id).await.unwrap().is_some());
    records
        .put_turn(id, turn(0, "its own again"))
        .await
        .unwrap();
}

pub async fn a_presumed_end_gives_way_to_its_nodes_own_and_to_nothing_else(records: Records) {
    let call = new_call(None);
    let id = call.call_id;
    records.start_call(call.clone()).await.unwrap();
    records.hold(HOUR, None).await.unwrap();
    let presume = async |words| {
        let end = finished_call(&call, words);
        records.presume_over(id, Duration::ZERO, end).await.unwrap()
    };
    let told = async || {
        let record = records.call(id).await.unwrap().unwrap();
        let said = said(&record.messages).concat();
        (record.ended_at.is_some(), said)
    };
    assert!(!presume("its node answers").await);
    assert_eq!(told().await, (false, String::new()));
    records.hold(Duration::ZERO, None).await.unwrap();
    assert!(presume("presumed").await);
    assert!(!presume("once more").await);
    records.put_turn(id, turn(3, "late")).await.unwrap();
    assert_eq!(told().await, (true, String::from("presumed")));
    for words in ["its own", "another"] {
        let end = finished_call(&call, words);
        records.finish_call(id, end).await.unwrap();
        assert_eq!(told().await, (true, String::from("its own")));
    }
    assert!(!presume("again").await);
}
