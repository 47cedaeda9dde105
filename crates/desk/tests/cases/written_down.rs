//! What is written down of a case: its caller's number, its history and trail; and that it is sealed.

use std::time::Duration;

use desk::Who;
use desk::cases::caller_number::CallerNumber;
use desk::cases::store::Scope;
use desk::cases::{CaseError, CaseKind, CaseState, Did, EnteredCall};
use flow::Agency;
use records::{CallId, RecordsKeys, new_records_key, rotate_keys};

use super::{a_case, account, case, closed, note, officer, records_of, task};
use crate::story::{HOUR, MINUTE, Scene, at, secret};

const NUMBER: &str = "9123 4567";

pub async fn cases_of_one_number_are_found_by_it_however_it_is_written(scene: Scene) {
    let records = records_of(&scene).await;
    let desk = &scene.desk;
    let mei = officer(desk).await;
    let first = a_case(&scene, &records, 0).await;
    let told = CallerNumber::parse("+65 91234567").unwrap();
    desk.set_caller_number(&mei, first, 1, Some(told), at(50))
        .await
        .unwrap();
    let entered = EnteredCall {
        started_at: at(HOUR),
        lasted: Duration::from_mins(12),
        note: note(Some(Agency::Pave)),
        number: Some(CallerNumber::parse(NUMBER).unwrap()),
    };
    let entered = scene
        .beside()
        .await
        .enter_case(&mei, entered, at(2 * HOUR))
        .await;
    let second = entered.unwrap();

    let standing = case(desk, second).await;
    assert_eq!(
        (standing.kind, standing.state),
        (CaseKind::Elsewhere, CaseState::Taken)
    );
    assert_eq!(standing.ended_at, at(HOUR + 12 * MINUTE));
    let caller = standing.caller.unwrap();
    let found = desk.cases().cases_of_caller(&caller, 9).await.unwrap();
    let found: Vec<CallId> = found.iter().map(|it| it.case.call_id).collect();
    assert_eq!(found, [second, first], "the latest first");
    let ended = desk
        .cases()
        .cases_ended_between(&Scope::All, at(31), at(2 * HOUR), 9)
        .await;
    let ended: Vec<CallId> = ended.unwrap().iter().map(|it| it.case.call_id).collect();
    assert_eq!(ended, [second]);

    desk.set_caller_number(&mei, first, 2, None, at(51))
        .await
        .unwrap();
    let found = desk.cases().cases_of_caller(&caller, 9).await.unwrap();
    assert_eq!(found.len(), 1);
}

pub async fn everything_that_is_done_is_in_the_history_and_on_the_trail(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let desk = &scene.desk;
    let mei = officer(desk).await;
    let before = desk.audit(None, 1000).await.unwrap().len();
    desk.view_case(&mei, call_id, at(40)).await.unwrap();
    desk.take_case(&mei, call_id, at(41)).await.unwrap();
    desk.edit_note(&mei, call_id, 2, note(Some(Agency::Pave)), at(42))
        .await
        .unwrap();
    closed(desk, &mei, call_id, at(43)).await;
    let refused = desk.give_back_case(&mei, call_id, at(44)).await;
    assert!(refused.is_err());

    let entries = desk.cases().entries_about(call_id, 100).await.unwrap();
    let told: Vec<&str> = entries.iter().map(|entry| entry.what.as_str()).collect();
    let expected = [
        "case viewed",
        "case taken",
        "note edited",
        "action taken noted",
        "case closed",
    ];
    assert_eq!(told, expected);
    assert!(
        entries
            .iter()
            .all(|entry| entry.who == Who::Account(mei.id).to_string())
    );
    assert_eq!(
        desk.audit(None, 1000).await.unwrap().len(),
        before + expected.len()
    );
    desk.verify_audit(None).await.unwrap().unwrap();
    let acts = desk.cases().case_acts(call_id).await.unwrap();
    let acts: Vec<Did> = acts.iter().map(|act| act.did).collect();
    assert_eq!(
        acts,
        [
            Did::Made,
            Did::Took,
            Did::EditedNote,
            Did::NotedAction,
            Did::Closed
        ]
    );
}

/// With keys set nothing that was written stands there in the clear, also after it was sealed anew with another.
pub async fn what_officers_write_is_sealed_where_records_are(scene: Scene) {
    if scene.keys.is_empty() {
        return;
    }
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let desk = &scene.desk;
    let mei = officer(desk).await;
    let number = CallerNumber::parse(NUMBER).unwrap();
    desk.edit_note(&mei, call_id, 1, note(Some(Agency::Pave)), at(50))
        .await
        .unwrap();
    desk.set_caller_number(&mei, call_id, 2, Some(number), at(51))
        .await
        .unwrap();
    desk.add_follow_up(&mei, call_id, task(), at(52))
        .await
        .unwrap();
    closed(desk, &mei, call_id, at(53)).await;
    let words = [
        "outside the door",
        "safe evening",
        "91234567",
        "9123 4567",
        "rang the sister",
        "all is well",
    ];
    let stored = everything(&scene).await;
    for words in words {
        assert!(!stored.contains(words), "{words}");
    }
    assert!(stored.contains("sealed:"));

    let file = desk.cases().case(call_id).await.unwrap().unwrap();
    let (new, old) = (new_records_key(), scene.keys.clone());
    let both = RecordsKeys::parse(&format!("{}\n{}", new.expose_secret(), scene.key)).unwrap();
    let rotated = rotate_keys(&scene.url, both, |_| {}).await.unwrap();
    assert_eq!(rotated.unreadable, 0);
    let alone = RecordsKeys::parse(new.expose_secret()).unwrap();
    let anew = scene.beside_with(alone).await;
    assert_eq!(anew.cases().case(call_id).await.unwrap().unwrap(), file);
    assert_eq!(anew.cases().case_acts(call_id).await.unwrap(), {
        let acts = scene
            .beside_with(old)
            .await
            .cases()
            .case_acts(call_id)
            .await;
        let mut acts = acts.unwrap();
        // The old key opens nothing any more.
        assert!(acts.iter().all(|act| act.words.is_none()));
        for act in acts.iter_mut().filter(|act| act.did == Did::Closed) {
            act.words = Some(secret("all is well"));
        }
        acts
    });
    let number = CallerNumber::parse(NUMBER).unwrap();
    let digest = anew.digest(Some(&number)).await.unwrap();
    assert_eq!(digest, file.case.caller, "numbers are found as before");
    let numbers = scene.desk.digest(Some(&number)).await.unwrap();
    assert_eq!(
        numbers, None,
        "without its key no number is told from another"
    );

    // What cannot be opened is not written over.
    let mei = account(&scene.desk, mei.id).await;
    let why = secret("once more");
    scene
        .desk
        .reopen_case(&mei, call_id, why, at(60))
        .await
        .unwrap();
    let refused = scene
        .desk
        .edit_note(&mei, call_id, 6, note(None), at(61))
        .await;
    assert!(matches!(refused, Err(CaseError::Unreadable)), "{refused:?}");
    let after = anew.cases().case(call_id).await.unwrap().unwrap();
    assert_eq!(after.case.content, file.case.content);
}

/// What the tables hold of cases.
async fn everything(scene: &Scene) -> String {
    let mut all = String::new();
    for table in [
        "desk_cases",
        "desk_case_acts",
        "desk_follow_ups",
        "desk_holds",
        "desk_caller_key",
        "desk_audit",
    ] {
        all += &scene.rows(table).await;
    }
    all
}
