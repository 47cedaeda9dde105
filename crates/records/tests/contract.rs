//! The contract of [`records::CallStore`], a behaviour a test, on every database. A new
//! database joins with one line at the end. What it keeps encrypted, it keeps as well.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::Duration;

use flow::EndReason;
use jiff::{Timestamp, ToSpan};
use proptest::prelude::*;
use records::{
    Assistants, CallId, CallKind, CallRecord, Change, FinishedCall, Label, Message, NewCall,
    OfficerId, Records, Role, StoreError, Turn, VisitorId, Wanted, Window,
};
use story::*;

async fn a_new_store_lists_the_ten_samples_urgent_ones_first(records: Records) {
    let seen = listed(&records, VisitorId::random()).await;
    let place = |record: &CallRecord| {
        let urgent = record.note.as_ref().unwrap().structured_data.urgent;
        (urgent, record.started_at)
    };
    assert!(seen.is_sorted_by(|above, below| place(above) > place(below)));
    let mut ids: Vec<i64> = seen.iter().map(|record| record.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=10).collect::<Vec<i64>>());
    assert!(
        seen.iter()
            .all(|record| record.sample && record.visitor.is_none())
    );
}

/// Three of each kind, mixed: the numbers of the calls under way, the urgent and the rest, each newest first.
async fn calls_of_every_kind(records: &Records, visitor: VisitorId) -> [Vec<i64>; 3] {
    let mut numbers: [Vec<i64>; 3] = Default::default();
    for index in 0..9 {
        let call = new_call(Some(visitor));
        let record = records.start_call(call.clone()).await.unwrap();
        let finished = match index % 3 {
            0 => None,
            1 => Some(finished_call(&call, "over")),
            _ => Some(finished_quietly(&call, "over")),
        };
        numbers[index % 3].insert(0, record.id);
        if let Some(finished) = finished {
            records.finish_call(call.call_id, finished).await.unwrap();
        }
    }
    numbers
}

fn numbers(records: &[CallRecord]) -> Vec<i64> {
    records.iter().map(|record| record.id).collect()
}

async fn calls_under_way_stand_first_then_urgent_ones_each_newest_first(records: Records) {
    let visitor = VisitorId::random();
    let [running, urgent, rest] = calls_of_every_kind(&records, visitor).await;
    let expected = [running, urgent, rest].concat();
    for most in [1, 2, 3, 8, 100] {
        let seen = listed_by(&records, visitor, most).await;
        assert_eq!(numbers(&own(seen)), expected, "in pages of {most}");
    }
}

async fn a_page_goes_on_from_its_place_whatever_became_of_its_records(records: Records) {
    let visitor = VisitorId::random();
    let [running, urgent, rest] = calls_of_every_kind(&records, visitor).await;
    let first = records.visible_to(visitor, None, 4).await.unwrap();
    assert_eq!(
        numbers(&first.records),
        [&running[..], &urgent[..1]].concat()
    );
    // One that was shown ends, and stands below the place now; one goes; a new one begins above.
    let shown = &first.records;
    records.delete_call(shown[3].call_id).await.unwrap();
    let again = records::NewCall {
        call_id: shown[0].call_id,
        ..new_call(Some(visitor))
    };
    let finished = finished_call(&again, "over");
    records.finish_call(again.call_id, finished).await.unwrap();
    records.start_call(new_call(Some(visitor))).await.unwrap();

    let after = first.next.unwrap();
    let rest_of_it = records.visible_to(visitor, Some(after), 100).await.unwrap();
    assert_eq!(rest_of_it.next, None);
    assert_eq!(
        numbers(&own(rest_of_it.records)),
        [&running[..1], &urgent[1..], &rest[..]].concat(),
        "nothing is left out, and what ended meanwhile comes again"
    );
}

async fn a_list_holds_no_transcripts(records: Records) {
    let visitor = VisitorId::random();
    let (running, ended) = (new_call(Some(visitor)), new_call(Some(visitor)));
    for call in [&running, &ended] {
        records.start_call(call.clone()).await.unwrap();
        let said = turn(0, "hello");
        records.put_turn(call.call_id, said).await.unwrap();
    }
    let finished = finished_call(&ended, "over");
    records.finish_call(ended.call_id, finished).await.unwrap();
    for record in listed(&records, visitor).await {
        assert_eq!(record.messages, []);
        assert!(!record.damaged);
        let whole = records.call(record.call_id).await.unwrap().unwrap();
        assert_eq!(record.note, whole.note);
        assert_ne!(whole.messages, []);
    }
}

async fn a_call_is_numbered_with_the_highest_existing_number_plus_one(records: Records) {
    let visitor = VisitorId::random();
    let first = records.start_call(new_call(Some(visitor))).await.unwrap();
    let second = records.start_call(new_call(None)).await.unwrap();
    assert_eq!((first.id, second.id), (11, 12));
    let seen = listed(&records, visitor).await;
    assert_eq!(seen.len(), 11);
    assert_eq!(seen[0], first);
    assert!(seen[0].ended_at.is_none() && seen[0].note.is_none());
}

async fn starting_a_call_again_gives_the_record_as_it_stands(records: Records) {
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

async fn turns_are_kept_in_order_and_a_repeated_one_replaces_itself(records: Records) {
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

async fn a_finished_call_holds_its_note_and_its_final_transcript(records: Records) {
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

async fn a_record_holds_which_officer_said_what(records: Records) {
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

async fn the_first_end_stands_and_late_turns_are_dropped(records: Records) {
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

async fn a_record_holds_which_notice_its_caller_was_shown(records: Records) {
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

async fn a_call_that_was_never_started_is_refused(records: Records) {
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

async fn an_unfinished_call_can_be_gone_on_with(records: Records) {
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

const HOUR: Duration = Duration::from_hours(1);

async fn calls_are_left_behind_by_a_node_that_does_not_answer_for_them(records: Records) {
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

async fn a_node_is_found_by_its_name_while_it_answers_for_its_calls(records: Records) {
    assert!(records.nodes().await.unwrap().is_empty());
    records.hold(HOUR, None).await.unwrap();
    assert!(records.nodes().await.unwrap().is_empty(), "it has no name");
    records.hold(HOUR, Some("node-1")).await.unwrap();
    assert_eq!(records.nodes().await.unwrap(), ["node-1"]);
    records.hold(Duration::ZERO, Some("node-1")).await.unwrap();
    assert!(records.nodes().await.unwrap().is_empty());
}

async fn a_program_finds_calls_by_kind_and_time_and_never_a_sample(records: Records) {
    let at = |minute: i64| new_call(None).started_at + minute.minutes();
    let mut ids = Vec::new();
    for minute in 0..4 {
        let visitor = (minute % 2 == 0).then(VisitorId::random);
        let call = NewCall {
            started_at: at(minute),
            ..new_call(visitor)
        };
        records.start_call(call.clone()).await.unwrap();
        ids.push(call.call_id);
    }
    let written = NewCall {
        kind: CallKind::Chat,
        ..new_call(None)
    };
    records.start_call(written.clone()).await.unwrap();
    let found = async |wanted: Wanted| {
        let found = records.find_calls(wanted).await.unwrap();
        let ids = found.records.iter().map(|record| record.call_id);
        (ids.collect::<Vec<_>>(), found.total)
    };
    let spoken = Wanted::of(CallKind::WebCall, 3);
    let newest = found(spoken.clone()).await;
    assert_eq!(newest, (vec![ids[3], ids[2], ids[1]], 4));
    let rest = Wanted {
        skip: 3,
        ..spoken.clone()
    };
    assert_eq!(found(rest).await, (vec![ids[0]], 4));
    let uncounted = Wanted {
        skip: 1,
        most: 2,
        counted: false,
        ..spoken.clone()
    };
    let as_far_as_the_page = (vec![ids[2], ids[1]], 3);
    assert_eq!(found(uncounted).await, as_far_as_the_page);
    let oldest = Wanted {
        newest_first: false,
        ..spoken.clone()
    };
    assert_eq!(found(oldest).await.0, ids[..3]);
    let chats = found(Wanted::of(CallKind::Chat, 9)).await;
    assert_eq!(chats, (vec![written.call_id], 1));
    let of = |ids: &[CallId]| Wanted {
        ids: Some(ids.to_vec()),
        ..spoken.clone()
    };
    assert_eq!(found(of(&ids[1..2])).await, (vec![ids[1]], 1));
    let several = [ids[0], CallId::random(), ids[2], written.call_id];
    assert_eq!(found(of(&several)).await, (vec![ids[2], ids[0]], 2));
    assert_eq!(found(of(&[])).await, (Vec::new(), 0));
    let between = Wanted {
        began: Window::ALL.after(at(0)).until(at(2)),
        ..spoken.clone()
    };
    assert_eq!(found(between).await, (vec![ids[2], ids[1]], 2));
    let call = NewCall {
        call_id: ids[0],
        ..new_call(None)
    };
    let finished = finished_call(&call, "over");
    let (ended, reason) = (finished.ended_at, finished.ended_reason);
    let others = EndReason::ALL.into_iter().filter(|it| *it != reason);
    let others: Vec<EndReason> = others.collect();
    records.finish_call(ids[0], finished).await.unwrap();
    let ended_then = Wanted {
        changed: Window::ALL.from(ended - 1.second()).until(ended),
        ..spoken.clone()
    };
    for (reasons, expected) in [
        (vec![reason], vec![ids[0]]),
        (EndReason::ALL.to_vec(), vec![ids[0]]),
        (others, vec![]),
        (vec![], vec![]),
    ] {
        let ended = Wanted {
            ended: Some(reasons),
            ..spoken.clone()
        };
        let total = expected.len() as u64;
        assert_eq!(
            found(ended).await,
            (expected, total),
            "calls under way have not ended"
        );
    }
    let found = records.find_calls(ended_then).await.unwrap();
    assert_eq!(said(&found.records[0].messages), ["over"]);
}

async fn a_call_keeps_what_its_program_says_of_it(records: Records) {
    let [call, other] = [(); 2].map(|()| new_call(None));
    records.start_call(call.clone()).await.unwrap();
    records.start_call(other.clone()).await.unwrap();
    let label = Label {
        name: Some(secret("Mei rang\u{0}")),
        assistant: Some("5b1d1f0a".to_owned()),
        squad: None,
        manner: Some(secret("{\"firstMessage\":\"Hi Mei\"}")),
        workflow: Some("7c2e4d90".to_owned()),
    };
    let labelled = records.label_call(call.call_id, label.clone()).await;
    assert!(labelled.unwrap());
    assert!(!format!("{label:?}").contains("Mei"));
    let left = records.take_call(call.call_id).await.unwrap().unwrap();
    assert_eq!(left.manner, label.manner, "it can go on as it began");
    let finished = finished_call(&call, "over");
    records.finish_call(call.call_id, finished).await.unwrap();
    let read = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(read.label, label);
    let unlabelled = records.call(other.call_id).await.unwrap().unwrap();
    assert!(unlabelled.label.is_empty());
    let (labelled, unlabelled) = (call.call_id, other.call_id);
    for (embedded, named, mut expected) in [
        (false, vec!["5b1d1f0a"], vec![labelled]),
        (false, vec!["nobody", "5b1d1f0a"], vec![labelled]),
        (true, vec![], vec![unlabelled]),
        (true, vec!["5b1d1f0a"], vec![labelled, unlabelled]),
        (true, vec!["nobody"], vec![unlabelled]),
        (false, vec![], vec![]),
    ] {
        let wanted = Wanted {
            assistants: Some(Assistants {
                embedded,
                named: named.iter().map(|id| String::from(*id)).collect(),
            }),
            ..Wanted::of(CallKind::WebCall, 9)
        };
        let found = records.find_calls(wanted).await.unwrap();
        assert_eq!(found.total, expected.len() as u64, "{embedded} {named:?}");
        let mut ids: Vec<_> = found.records.iter().map(|found| found.call_id).collect();
        ids.sort();
        expected.sort();
        assert_eq!(ids, expected, "{embedded} {named:?}");
    }
    let nobody = records.label_call(CallId::random(), label).await;
    assert!(!nobody.unwrap());
}

async fn a_call_left_behind_tells_whether_its_visitor_has_left(records: Records) {
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

async fn a_call_that_is_taken_goes_on_where_it_was(records: Records) {
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

async fn a_call_that_is_given_back_is_anybodys(records: Records) {
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

async fn a_presumed_end_gives_way_to_its_nodes_own_and_to_nothing_else(records: Records) {
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

async fn a_deleted_call_is_gone(records: Records) {
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

async fn a_purge_takes_what_ended_before_and_nothing_else(records: Records) {
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

async fn many_calls_at_once_are_all_kept_under_numbers_of_their_own(records: Records) {
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

async fn whoever_listens_is_told_once_of_a_calls_beginning_of_each_turn_and_of_its_end(
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

async fn a_presumed_end_is_told_and_the_nodes_own_after_it(records: Records) {
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

/// Whatever a few visitors do in whatever order, each sees the samples and their own.
fn one_visitor_never_gets_anothers_call<G>(open: impl AsyncFn() -> (G, Records)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // What happens to a call after it began: nothing, a turn, its end, its deletion.
    let deeds = prop::collection::vec((0..3usize, 0..4u8), 1..12);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&deeds, |deeds| {
            runtime.block_on(async {
                let (_guard, records) = open().await;
                let visitors = [
                    VisitorId::random(),
                    VisitorId::random(),
                    VisitorId::random(),
                ];
                let mut own: [Vec<CallId>; 3] = Default::default();
                for (who, deed) in deeds {
                    let call = new_call(Some(visitors[who]));
                    records.start_call(call.clone()).await.unwrap();
                    own[who].push(call.call_id);
                    match deed {
                        1 => records
                            .put_turn(call.call_id, turn(0, "said"))
                            .await
                            .unwrap(),
                        2 => records
                            .finish_call(call.call_id, finished_call(&call, "over"))
                            .await
                            .unwrap(),
                        3 => {
                            records.delete_call(call.call_id).await.unwrap();
                            own[who].pop();
                        }
                        _ => {}
                    }
                }
                for (who, visitor) in visitors.into_iter().enumerate() {
                    let seen = listed(&records, visitor).await;
                    let (samples, seen): (Vec<_>, Vec<_>) =
                        seen.into_iter().partition(|record| record.sample);
                    prop_assert_eq!(samples.len(), 10);
                    let mut seen = seen;
                    seen.sort_by_key(|record| record.id);
                    let seen: Vec<CallId> = seen.into_iter().map(|record| record.call_id).collect();
                    prop_assert_eq!(&seen, &own[who]);
                    let latest = records.latest_of(visitor).await.unwrap();
                    prop_assert_eq!(
                        latest.map(|record| record.call_id),
                        own[who].last().copied()
                    );
                    for (owner, calls) in own.iter().enumerate() {
                        for call_id in calls {
                            let got = records.call_of(visitor, *call_id).await.unwrap();
                            prop_assert_eq!(got.is_some(), owner == who);
                        }
                    }
                    for sample in samples {
                        prop_assert!(
                            records
                                .call_of(visitor, sample.call_id)
                                .await
                                .unwrap()
                                .is_none()
                        );
                    }
                }
                Ok(())
            })
        })
        .unwrap();
}

macro_rules! keeps_the_contract {
    ($database:ident, $open:expr) => {
        mod $database {
            keeps_the_contract! { @each $open,
                a_new_store_lists_the_ten_samples_urgent_ones_first
                calls_under_way_stand_first_then_urgent_ones_each_newest_first
                a_page_goes_on_from_its_place_whatever_became_of_its_records
                a_list_holds_no_transcripts
                a_call_is_numbered_with_the_highest_existing_number_plus_one
                starting_a_call_again_gives_the_record_as_it_stands
                turns_are_kept_in_order_and_a_repeated_one_replaces_itself
                a_finished_call_holds_its_note_and_its_final_transcript
                a_record_holds_which_officer_said_what
                the_first_end_stands_and_late_turns_are_dropped
                a_record_holds_which_notice_its_caller_was_shown
                a_call_that_was_never_started_is_refused
                an_unfinished_call_can_be_gone_on_with
                calls_are_left_behind_by_a_node_that_does_not_answer_for_them
                a_node_is_found_by_its_name_while_it_answers_for_its_calls
                a_program_finds_calls_by_kind_and_time_and_never_a_sample
                a_call_keeps_what_its_program_says_of_it
                a_call_left_behind_tells_whether_its_visitor_has_left
                a_call_that_is_taken_goes_on_where_it_was
                a_call_that_is_given_back_is_anybodys
                a_presumed_end_gives_way_to_its_nodes_own_and_to_nothing_else
                a_deleted_call_is_gone
                a_purge_takes_what_ended_before_and_nothing_else
                many_calls_at_once_are_all_kept_under_numbers_of_their_own
                whoever_listens_is_told_once_of_a_calls_beginning_of_each_turn_and_of_its_end
                a_presumed_end_is_told_and_the_nodes_own_after_it
            }

            #[test]
            fn one_visitor_never_gets_anothers_call() {
                super::one_visitor_never_gets_anothers_call($open);
            }
        }
    };
    (@each $open:expr, $($behaviour:ident)*) => {
        $(
            #[tokio::test]
            async fn $behaviour() {
                // The guard keeps the place of the store until the behaviour has run.
                let (_guard, records) = ($open)().await;
                super::$behaviour(records).await;
            }
        )*
    };
}

keeps_the_contract!(sqlite_file, crate::story::sqlite_file);
keeps_the_contract!(sqlite_memory, crate::story::sqlite_memory);
keeps_the_contract!(postgres, crate::story::postgres);
keeps_the_contract!(sqlite_file_encrypted, crate::story::sqlite_file_encrypted);
keeps_the_contract!(postgres_encrypted, crate::story::postgres_encrypted);
