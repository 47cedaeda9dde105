//! Which cases somebody sees, and in which order.

use desk::cases::queue::QueuePlace;
use desk::cases::rules::Refusal;
use desk::cases::store::Scope;
use desk::cases::{CaseError, EndedCall};
use desk::{Act, Role};
use flow::Agency;

use super::{
    HALF_AN_HOUR, account, an_ended_call, call, note, officer, queue, records_of, supervisor,
};
use crate::story::{HOUR, Person, Scene, at};

pub async fn the_queue_is_by_risk_then_by_having_come_back_then_by_waiting(scene: Scene) {
    let records = records_of(&scene).await;
    let desk = &scene.desk;
    let mei = officer(desk).await;
    let mut calls = Vec::new();
    for (second, urgent) in [
        (10, false),
        (20, true),
        (30, false),
        (40, true),
        (50, false),
    ] {
        let call_id = an_ended_call(&records, second).await;
        let made = EndedCall {
            urgent,
            ..call(call_id, second + 30)
        };
        desk.make_case(made, at(second + 31)).await.unwrap();
        calls.push(call_id);
    }
    let [plain, urgent, returned, urgent_later, taken] = calls[..] else {
        panic!("five calls");
    };
    desk.take_case(&mei, returned, at(100)).await.unwrap();
    let back = desk.return_untouched(HALF_AN_HOUR, at(HOUR)).await;
    assert_eq!(back.unwrap(), [returned]);
    desk.take_case(&mei, taken, at(HOUR)).await.unwrap();

    let in_order = [urgent, urgent_later, returned, plain, taken];
    assert_eq!(queue(desk, &Scope::All).await, in_order);
    // In pages, each behind the place where the one before ended.
    let mut after = None;
    let mut paged = Vec::new();
    loop {
        let page = desk
            .cases()
            .open_cases(&Scope::All, after, 2)
            .await
            .unwrap();
        let Some(last) = page.last() else { break };
        after = Some(QueuePlace::of(&last.case));
        paged.extend(page.iter().map(|it| it.case.call_id));
    }
    assert_eq!(paged, in_order);
}

pub async fn somebodys_list_has_the_cases_of_their_agencies_and_those_they_took(scene: Scene) {
    let records = records_of(&scene).await;
    let desk = &scene.desk;
    let [mei, siti] = [officer(desk).await, supervisor(desk).await];
    let mut calls = Vec::new();
    for (second, agency) in [
        (10, Some(Agency::Pave)),
        (20, Some(Agency::Sos)),
        (30, None),
    ] {
        let call_id = an_ended_call(&records, second).await;
        let made = EndedCall {
            agency,
            ..call(call_id, second + 30)
        };
        desk.make_case(made, at(second + 31)).await.unwrap();
        calls.push(call_id);
    }
    let scope = Scope::of(&mei, Act::SeeQueue).unwrap();
    assert_eq!(queue(desk, &scope).await, calls[..1]);
    assert_eq!(
        queue(desk, &Scope::of(&siti, Act::SeeQueue).unwrap()).await,
        calls
    );
    let auditor = Person::with_role(desk, Role::Auditor).await;
    let auditor = account(desk, auditor.id).await;
    assert_eq!(Scope::of(&auditor, Act::SeeQueue), None);

    // The note brings it to another agency; who has it still sees it.
    desk.take_case(&mei, calls[0], at(HOUR)).await.unwrap();
    let elsewhere = note(Some(Agency::Sos));
    desk.edit_note(&mei, calls[0], 2, elsewhere, at(HOUR))
        .await
        .unwrap();
    assert_eq!(queue(desk, &scope).await, calls[..1]);
    desk.give_back_case(&mei, calls[0], at(HOUR)).await.unwrap();
    assert_eq!(queue(desk, &scope).await, []);
    let refused = desk.view_case(&mei, calls[0], at(HOUR)).await;
    assert!(matches!(refused, Err(CaseError::Refused(Refusal::NotSeen))));
}
