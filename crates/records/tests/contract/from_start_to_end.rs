//! What a record holds, from a call's start to its end.

use records::{FinishedCall, Message, OfficerId, Records, Role, StoreError, Turn, VisitorId};

use crate::story::*;

pub async fn a_call_is_numbered_with_the_highest_existing_number_plus_one(records: Records) {
    let visitor = VisitorId::random();
    let first = records.start_call(new_call(Some(visitor))).await.unwrap();
    let second = records.start_call(new_call(None)).await.unwrap();
    assert_eq!((first.id, second.id), (11, 12));
    let seen = listed(&records, visitor).await;
    assert_eq!(seen.len(), 11);
    assert_eq!(seen[0], first);
    assert!(seen[0].ended_at.is_none() && seen[0].note.is_none());
}

pub async fn starting_a_call_again_gives_the_record_as_it_stands(records: Records) {
    let call = new_call(Some(VisitorId::random()));
    let first = records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(0, "hello"))
        .await
        .unwrap();
    let again = records.start_call(call.clone()).await.unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(again.messages, turn(0, "hello").messages);

    let of_someone_else = records::NewCall {
        visitor: Some(VisitorId::random()),
        ..call
    };
    assert!(matches!(
        records.start_call(of_someone_else).await,
        Err(StoreError::CallIdTaken)
    ));
}

pub async fn turns_are_kept_in_order_and_a_repeated_one_replaces_itself(records: Records) {
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    for (index, words) in [
        (1, "second"),
        (0, "first"),
        (10, "last"),
        (1, "second, corrected"),
    ] {
        records
            .put_turn(call.call_id, turn(index, words))
            .await
            .unwrap();
    }
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(
        said(&record.messages),
        ["first", "second, corrected", "last"]
    );
    assert!(!record.damaged);
}

pub async fn a_finished_call_holds_its_note_and_its_final_transcript(records: Records) {
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    records.start_call(call.clone()).await.unwrap();
    records
        .put_turn(call.call_id, turn(0, "as first heard"))
        .await
        .unwrap();
    let finished = finished_call(&call, "as finally heard");
    records
        .finish_call(call.call_id, finished.clone())
        .await
        .unwrap();

    let record = records.latest_of(visitor).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), ["as finally heard"]);
    assert_eq!(record.note, Some(finished.note));
    assert_eq!(record.ended_reason, Some(finished.ended_reason));
    assert_eq!(record.duration_seconds(), Some(83.25));
    assert_eq!(record.started_at, call.started_at);
    assert!(left_behind(&records).await.is_empty());
}

pub async fn a_record_holds_which_officer_said_what(records: Records) {
    let said_by = |officer, words| Message {
        role: Role::Officer,
        officer,
        ..message(words)
    };
    let (one, other) = (OfficerId::random(), OfficerId::random());
    let messages = vec![
        message("hello"),
        said_by(Some(one), "I am here"),
        said_by(Some(other), "so am I"),
        said_by(None, "as an earlier version kept it"),
    ];
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let turn = Turn {
        messages: messages.clone(),
        ..turn(0, "hello")
    };
    records.put_turn(call.call_id, turn).await.unwrap();
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(record.messages, messages);
    assert_eq!(left_behind(&records).await[0].messages, messages);
    let finished = FinishedCall {
        messages: messages.clone(),
        ..finished_call(&call, "over")
    };
    records.finish_call(call.call_id, finished).await.unwrap();
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(record.messages, messages);
}

pub async fn the_first_end_stands_and_late_turns_are_dropped(records: Records) {
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let first = finished_call(&call, "the first end");
    records
        .finish_call(call.call_id, first.clone())
        .await
        .unwrap();
    records.finish_call(call.call_id, first).await.unwrap();
    records
        .finish_call(call.call_id, finished_call(&call, "another end"))
        .await
        .unwrap();
    records
        .put_turn(call.call_id, turn(7, "too late"))
        .await
        .unwrap();

    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), ["the first end"]);
    assert!(left_behind(&records).await.is_empty());
}

pub async fn a_record_holds_which_notice_its_caller_was_shown(records: Records) {
    let notice = "2026-11-23/30".parse().unwrap();
    let told = records::NewCall {
        notice: Some(notice),
        ..new_call(Some(VisitorId::random()))
    };
    let untold = new_call(told.visitor);
    for call in [&told, &untold] {
        let begun = records.start_call(call.clone()).await.unwrap();
        assert_eq!(begun.notice, call.notice);
        let finished = finished_call(call, "over");
        records.finish_call(call.call_id, finished).await.unwrap();
        let record = records.call(call.call_id).await.unwrap().unwrap();
        assert_eq!(record.notice, call.notice);
    }
    let seen = own(listed(&records, told.visitor.unwrap()).await);
    assert_eq!([seen[0].notice, seen[1].notice], [None, Some(notice)]);
}

pub async fn a_call_that_was_never_started_is_refused(records: Records) {
    let call = new_call(None);
    assert!(matches!(
        records.put_turn(call.call_id, turn(0, "hello")).await,
        Err(StoreError::UnknownCall)
    ));
    assert!(matches!(
        records
            .finish_call(call.call_id, finished_call(&call, "hello"))
            .await,
        Err(StoreError::UnknownCall)
    ));
    assert_eq!(records.call(call.call_id).await.unwrap(), None);
    assert!(!records.delete_call(call.call_id).await.unwrap());
}

pub async fn many_calls_at_once_are_all_kept_under_numbers_of_their_own(records: Records) {
    let visitor = VisitorId::random();
    let tasks: Vec<_> = (0..25)
        .map(|_| {
            let records = records.clone();
            tokio::spawn(async move {
                let call = new_call(Some(visitor));
                let record = records.start_call(call.clone()).await.unwrap();
                for index in 0..4 {
                    records
                        .put_turn(call.call_id, turn(index, "said"))
                        .await
                        .unwrap();
                }
                records
                    .finish_call(call.call_id, finished_call(&call, "over"))
                    .await
                    .unwrap();
                record.id
            })
        })
        .collect();
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(task.await.unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (11..36).collect::<Vec<i64>>());
    assert_eq!(listed(&records, visitor).await.len(), 35);
}
