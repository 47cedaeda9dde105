//! What a visitor's list holds, in which order and in pages.

use records::{CallRecord, Records, VisitorId};

use crate::story::*;

pub async fn a_new_store_lists_the_ten_samples_urgent_ones_first(records: Records) {
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

pub async fn calls_under_way_stand_first_then_urgent_ones_each_newest_first(records: Records) {
    let visitor = VisitorId::random();
    let [running, urgent, rest] = calls_of_every_kind(&records, visitor).await;
    let expected = [running, urgent, rest].concat();
    for most in [1, 2, 3, 8, 100] {
        let seen = listed_by(&records, visitor, most).await;
        assert_eq!(numbers(&own(seen)), expected, "in pages of {most}");
    }
}

pub async fn a_page_goes_on_from_its_place_whatever_became_of_its_records(records: Records) {
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

pub async fn a_list_holds_no_transcripts(records: Records) {
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
