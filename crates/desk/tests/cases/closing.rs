//! What a case is closed with, and what is left to do after it.

use desk::Role;
use desk::cases::queue::ClosedPlace;
use desk::cases::rules::Refusal;
use desk::cases::store::Scope;
use desk::cases::{CaseError, CaseState, FollowUpChange, FollowUpKind, NewFollowUp, Outcome};

use super::{a_case, case, closed, officer, queue, records_of, supervisor, task};
use crate::story::{HOUR, Person, Scene, at, secret};

pub async fn a_case_is_closed_with_what_was_done_and_with_what_came_of_it(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let desk = &scene.desk;
    let mei = officer(desk).await;
    desk.take_case(&mei, call_id, at(100)).await.unwrap();
    let close = async |version| {
        let words = Some(secret("she is with her sister"));
        let (keep, now) = (at(14 * 24 * HOUR), at(HOUR));
        let outcome = Outcome::Referred;
        desk.close_case(&mei, call_id, version, outcome, words, keep, now)
            .await
    };
    assert!(matches!(close(2).await, Err(CaseError::ActionMissing)));
    let act = async |version, codes: &[&str], words| {
        let codes = codes.iter().map(|code| (*code).to_owned()).collect();
        desk.note_action(&mei, call_id, version, codes, secret(words), at(HOUR))
            .await
    };
    let unknown = act(2, &["police-sent"], "").await;
    assert!(
        matches!(unknown, Err(CaseError::UnknownAction)),
        "of another agency's list"
    );
    assert_eq!(act(2, &["counselling"], "").await.unwrap(), 3);
    assert_eq!(act(3, &[], " ").await.unwrap(), 4);
    assert!(
        matches!(close(4).await, Err(CaseError::ActionMissing)),
        "it was taken back"
    );
    assert_eq!(act(4, &[], "rang her sister").await.unwrap(), 5);
    assert!(matches!(
        close(4).await,
        Err(CaseError::Changed { version: 5 })
    ));
    close(5).await.unwrap();

    let closed = case(desk, call_id).await;
    assert_eq!(closed.state, CaseState::Closed);
    assert_eq!(
        closed.closing.map(|it| (it.outcome, it.by)),
        Some((Outcome::Referred, mei.id))
    );
    assert_eq!(closed.keep_until, Some(at(14 * 24 * HOUR)));
    assert_eq!(queue(desk, &Scope::All).await, []);
    let page = desk
        .cases()
        .closed_cases(&Scope::All, None, 9)
        .await
        .unwrap();
    assert_eq!(page.len(), 1);
    let after = Some(ClosedPlace::of(&page[0].case));
    let next = desk.cases().closed_cases(&Scope::All, after, 9).await;
    assert_eq!(next.unwrap(), []);
    let refused = act(6, &["counselling"], "").await;
    assert!(matches!(refused, Err(CaseError::Refused(Refusal::Closed))));

    let why = secret("she rang again");
    desk.reopen_case(&mei, call_id, why, at(2 * HOUR))
        .await
        .unwrap();
    let open = case(desk, call_id).await;
    assert_eq!(
        (open.state, open.closing, open.keep_until),
        (CaseState::Waiting, None, None)
    );
    let acts = desk.cases().case_acts(call_id).await.unwrap();
    let words = acts.iter().map(|act| act.words.as_ref());
    let words: Vec<_> = words
        .flatten()
        .map(|it| it.expose_secret().as_str())
        .collect();
    assert_eq!(words, ["she is with her sister", "she rang again"]);
}

pub async fn what_is_left_to_do_has_an_owner_who_sees_the_case_and_is_done_after_closing_too(
    scene: Scene,
) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let desk = &scene.desk;
    let [mei, siti] = [officer(desk).await, supervisor(desk).await];
    let with_owner = |id| NewFollowUp {
        owner: Some(id),
        ..task()
    };
    let add = async |new| desk.add_follow_up(&mei, call_id, new, at(HOUR)).await;
    let auditor = Person::with_role(desk, Role::Auditor).await;
    let refused = add(with_owner(auditor.id)).await;
    assert!(matches!(refused, Err(CaseError::UnknownOwner)));
    let later = add(with_owner(siti.id)).await.unwrap();
    let sooner = NewFollowUp {
        kind: FollowUpKind::CallBack,
        due_at: at(2 * HOUR),
        ..task()
    };
    let sooner = add(sooner).await.unwrap();

    let file = desk.cases().case(call_id).await.unwrap().unwrap();
    assert_eq!(
        file.follow_ups,
        [sooner.clone(), later.clone()],
        "in the order they are due"
    );
    let listed = desk.cases().open_cases(&Scope::All, None, 9).await.unwrap();
    assert_eq!(
        (listed[0].open_follow_ups, listed[0].next_due_at),
        (2, Some(at(2 * HOUR)))
    );
    assert_eq!(listed[0], file.listed());
    let due = async |before| {
        let due = desk
            .cases()
            .follow_ups_due(&Scope::All, at(before), 9)
            .await;
        due.unwrap()
    };
    assert_eq!(due(2 * HOUR).await, []);
    assert_eq!(due(2 * HOUR + 1).await, std::slice::from_ref(&sooner));

    closed(desk, &mei, call_id, at(3 * HOUR)).await;
    let done = FollowUpChange {
        done: Some(true),
        ..FollowUpChange::default()
    };
    let change = desk.change_follow_up(&siti, call_id, sooner.id, done, at(4 * HOUR));
    let done = change.await.unwrap().done.unwrap();
    assert_eq!((done.by, done.at), (siti.id, at(4 * HOUR)));
    assert_eq!(due(9 * HOUR).await, [], "the other is due in a day");
    let nobodys = FollowUpChange {
        owner: Some(None),
        ..FollowUpChange::default()
    };
    let change = desk.change_follow_up(&mei, call_id, later.id, nobodys, at(5 * HOUR));
    assert_eq!(change.await.unwrap().owner, None);
    let never_heard_of = desk.change_follow_up(
        &mei,
        call_id,
        call_id.0,
        FollowUpChange::default(),
        at(5 * HOUR),
    );
    assert!(matches!(
        never_heard_of.await,
        Err(CaseError::UnknownFollowUp)
    ));
}
