//! What was kept aside is taken in: into every database, whole, once, and also where an earlier try was broken off.
#![allow(clippy::unwrap_used)]

mod story;

use std::time::Duration;

use records::{CallKind, Label, NewCall, Notice, Records, TakenIn, VisitorId, take_in};
use story::*;

struct Kept {
    ended: NewCall,
    cut_off: NewCall,
    chat: NewCall,
    left: NewCall,
    label: Label,
}

/// One call of each sort, in a store that nobody uses any more.
async fn kept_aside(path: &std::path::Path) -> (Records, Kept) {
    let before = open(path).await;
    let notice: Notice = "2026-11-23/30".parse().unwrap();
    let of_somebody = || new_call(Some(VisitorId::random()));
    let kept = Kept {
        ended: NewCall {
            notice: Some(notice),
            ..of_somebody()
        },
        cut_off: of_somebody(),
        chat: NewCall {
            kind: CallKind::Chat,
            ..of_somebody()
        },
        left: of_somebody(),
        label: Label {
            name: Some(secret("for Mei")),
            manner: Some(secret("{}")),
            ..Label::default()
        },
    };
    for call in [&kept.ended, &kept.cut_off, &kept.chat, &kept.left] {
        before.start_call(call.clone()).await.unwrap();
        for said in [turn(0, "hello"), turn(1, "I am alone")] {
            before.put_turn(call.call_id, said).await.unwrap();
        }
    }
    let (id, label) = (kept.ended.call_id, kept.label.clone());
    before.label_call(id, label).await.unwrap();
    let end = finished_call(&kept.ended, "over");
    before.finish_call(id, end).await.unwrap();
    before.leave(kept.left.visitor.unwrap()).await.unwrap();
    drop(before);
    (open(path).await, kept)
}

async fn all_of_it_is_taken_in_and_leaves_where_it_was(to: Records) {
    let place = tempfile::tempdir().unwrap();
    let (from, kept) = kept_aside(&place.path().join("aside.db")).await;
    // An earlier try was broken off when it had begun one record.
    to.start_call(kept.cut_off.clone()).await.unwrap();
    let taken_in = take_in(&from, &to).await.unwrap();
    assert_eq!(taken_in, TakenIn { calls: 4, left: 0 });

    let ended = to.call(kept.ended.call_id).await.unwrap().unwrap();
    let end = finished_call(&kept.ended, "over");
    assert_eq!(ended.ended_at, Some(end.ended_at));
    assert_eq!(ended.ended_reason, Some(end.ended_reason));
    assert_eq!(ended.note, Some(end.note));
    assert_eq!(ended.messages, end.messages);
    assert_eq!(ended.notice, kept.ended.notice);
    assert_eq!(ended.visitor, kept.ended.visitor);
    assert_eq!(ended.label, kept.label);

    let left = left_behind(&to).await;
    assert_eq!(left.len(), 3);
    for call in [&kept.cut_off, &kept.chat, &kept.left] {
        let call_id = call.call_id;
        let goes_on = left.iter().find(|it| it.call_id == call_id).unwrap();
        let last = turn(1, "I am alone");
        assert_eq!(goes_on.kind, call.kind);
        assert_eq!(goes_on.conversation, Some(last.conversation));
        assert_eq!(goes_on.last_turn, Some(1));
        assert_eq!(said(&goes_on.messages), ["hello", "I am alone"]);
        assert_eq!(goes_on.visitor_has_left, call_id == kept.left.call_id);
        assert!(to.call(call_id).await.unwrap().is_some());
        assert!(from.call(call_id).await.unwrap().is_none());
    }
    let again = take_in(&from, &to).await.unwrap();
    assert_eq!(again, TakenIn::default());
}

async fn what_is_there_already_is_not_there_twice(to: Records) {
    let place = tempfile::tempdir().unwrap();
    let (from, kept) = kept_aside(&place.path().join("aside.db")).await;
    // An earlier try was broken off before the record left where it was.
    let (id, end) = (kept.ended.call_id, finished_call(&kept.ended, "over"));
    to.hold(Duration::from_secs(60), None).await.unwrap();
    to.start_call(kept.ended.clone()).await.unwrap();
    to.finish_call(id, end).await.unwrap();
    let taken_in = take_in(&from, &to).await.unwrap();
    assert_eq!(taken_in, TakenIn { calls: 4, left: 0 });
    let visitor = kept.ended.visitor.unwrap();
    assert_eq!(own(listed(&to, visitor).await).len(), 1);
}

async fn a_call_that_is_somebody_elses_there_stays_where_it_was(to: Records) {
    let place = tempfile::tempdir().unwrap();
    let (from, kept) = kept_aside(&place.path().join("aside.db")).await;
    let of_another = NewCall {
        visitor: Some(VisitorId::random()),
        ..kept.ended.clone()
    };
    to.start_call(of_another).await.unwrap();
    let taken_in = take_in(&from, &to).await.unwrap();
    assert_eq!(taken_in, TakenIn { calls: 3, left: 1 });
    let there = from.call(kept.ended.call_id).await.unwrap().unwrap();
    assert_eq!(said(&there.messages), ["over"]);
}

macro_rules! on_every_database {
    ($($behaviour:ident)*) => {
        $(
            mod $behaviour {
                #[tokio::test]
                async fn sqlite() {
                    let (_place, to) = crate::story::sqlite_file().await;
                    super::$behaviour(to).await;
                }

                #[tokio::test]
                async fn postgres() {
                    let (_place, to) = crate::story::postgres_encrypted().await;
                    super::$behaviour(to).await;
                }
            }
        )*
    };
}

on_every_database! {
    all_of_it_is_taken_in_and_leaves_where_it_was
    what_is_there_already_is_not_there_twice
    a_call_that_is_somebody_elses_there_stays_where_it_was
}
