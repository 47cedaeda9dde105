//! What programs find, and what they say of their calls.

use flow::EndReason;
use jiff::ToSpan;
use records::{Assistants, CallId, CallKind, Label, NewCall, Records, VisitorId, Wanted, Window};

use crate::story::*;

pub async fn a_program_finds_calls_by_kind_and_time_and_never_a_sample(records: Records) {
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

pub async fn a_call_keeps_what_its_program_says_of_it(records: Records) {
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
