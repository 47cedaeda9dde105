//! From calls that have ended to cases, which go with their calls.

use desk::Desk;
use desk::cases::store::Scope;
use desk::cases::{CaseKind, CaseState, Did, EndedCall, StoredCase};
use flow::Agency;
use records::CallId;

use super::{a_call, a_case, an_ended_call, call, case, officer, records_of, task};
use crate::story::{HOUR, Scene, at, secret};

pub async fn a_call_that_has_ended_gets_one_case_and_no_other_call_does(scene: Scene) {
    let records = records_of(&scene).await;
    let running = a_call(&records, 0).await;
    assert_eq!(without_case(&scene.desk).await, []);
    let ended = an_ended_call(&records, 10).await;
    assert_eq!(without_case(&scene.desk).await, [ended]);

    let made = scene.desk.make_case(call(ended, 40), at(41)).await;
    assert!(made.unwrap());
    assert_eq!(without_case(&scene.desk).await, []);
    let beside = scene.beside().await;
    let again = beside.make_case(call(ended, 40), at(99)).await;
    assert!(!again.unwrap(), "it stays as it is");
    let file = beside.cases().case(ended).await.unwrap().unwrap();
    assert_eq!(file.case, expected(ended, 40));
    let acts = beside.cases().case_acts(ended).await.unwrap();
    assert_eq!(acts.len(), 1);
    assert_eq!(
        (acts[0].did, acts[0].who, acts[0].at),
        (Did::Made, None, at(41))
    );

    // What was deleted meanwhile gets none.
    let gone = CallId::random();
    assert!(!scene.desk.make_case(call(gone, 5), at(6)).await.unwrap());
    assert!(scene.desk.cases().case(gone).await.unwrap().is_none());
    assert!(scene.desk.cases().case(running).await.unwrap().is_none());
}

pub async fn a_call_that_got_another_end_gets_its_case_anew_until_somebody_has_done_something(
    scene: Scene,
) {
    let records = records_of(&scene).await;
    let call_id = an_ended_call(&records, 0).await;
    // Made of an end that was presumed.
    let presumed = EndedCall {
        urgent: false,
        ..call(call_id, 7)
    };
    assert!(scene.desk.make_case(presumed.clone(), at(8)).await.unwrap());
    assert_eq!(without_case(&scene.desk).await, [call_id]);
    let own = EndedCall {
        urgent: true,
        ..call(call_id, 30)
    };
    assert!(scene.desk.make_case(own.clone(), at(31)).await.unwrap());
    assert!(case(&scene.desk, call_id).await.urgent);
    assert_eq!(without_case(&scene.desk).await, []);

    let mei = officer(&scene.desk).await;
    scene.desk.take_case(&mei, call_id, at(40)).await.unwrap();
    assert!(!scene.desk.make_case(presumed, at(41)).await.unwrap());
    assert!(case(&scene.desk, call_id).await.urgent);
}

pub async fn a_case_goes_with_its_call(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let mei = officer(&scene.desk).await;
    let task = scene.desk.add_follow_up(&mei, call_id, task(), at(9));
    task.await.unwrap();
    assert!(records.delete_call(call_id).await.unwrap());
    assert!(scene.desk.cases().case(call_id).await.unwrap().is_none());
    let due = scene
        .desk
        .cases()
        .follow_ups_due(&Scope::All, at(9 * HOUR), 9);
    assert_eq!(due.await.unwrap(), []);
}

fn expected(call_id: CallId, ended: i64) -> StoredCase {
    StoredCase {
        call_id,
        kind: CaseKind::WebCall,
        started_at: at(0),
        ended_at: at(ended),
        agency: Some(Agency::Pave),
        urgent: false,
        state: CaseState::Waiting,
        since: at(ended),
        taken_by: None,
        touched_at: at(ended),
        returned: 0,
        closing: None,
        keep_until: None,
        caller: None,
        version: 1,
        content: Some(desk::cases::CaseContent {
            machine_title: Some(secret("Caller is safe")),
            ..desk::cases::CaseContent::default()
        }),
    }
}

async fn without_case(desk: &Desk) -> Vec<CallId> {
    desk.cases().calls_without_case(100).await.unwrap()
}
