//! A case comes back into the queue when nobody touches it, and only then.

use std::collections::BTreeSet;
use std::time::Duration;

use desk::cases::rules::Refusal;
use desk::cases::{CaseError, Did, EnteredCall};
use desk::{Account, Desk};
use flow::Agency;
use records::CallId;

use super::{HALF_AN_HOUR, a_case, case, colleague, note, officer, records_of, task};
use crate::story::{HOUR, MINUTE, Scene, at};

pub async fn a_case_that_nobody_touches_comes_back_and_is_escalated(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let (desk, beside) = (&scene.desk, scene.beside().await);
    let mei = officer(desk).await;
    desk.take_case(&mei, call_id, at(100)).await.unwrap();
    let back = async |desk: &Desk, second| {
        desk.return_untouched(HALF_AN_HOUR, at(second))
            .await
            .unwrap()
    };
    assert_eq!(back(desk, 100 + 30 * MINUTE - 1).await, []);
    // It is touched: the time runs anew.
    let touched = 100 + 20 * MINUTE;
    let added = desk.add_follow_up(&mei, call_id, task(), at(touched)).await;
    added.unwrap();
    assert_eq!(back(desk, touched + 30 * MINUTE - 1).await, []);
    let due = touched + 30 * MINUTE;
    let (here, there) = tokio::join!(back(desk, due), back(&beside, due));
    assert_eq!([here, there].concat(), [call_id], "by one node, once");

    let standing = case(desk, call_id).await;
    assert!(standing.is_escalated());
    assert_eq!((standing.taken_by, standing.since), (None, at(due)));
    let acts = desk.cases().case_acts(call_id).await.unwrap();
    assert_eq!(
        acts.last().map(|act| (act.did, act.who)),
        Some((Did::Returned, None))
    );
    let entries = desk.audit(None, 1).await.unwrap();
    assert_eq!(
        (entries[0].who.as_str(), entries[0].what.as_str()),
        ("server", "case returned")
    );
    assert_eq!(back(desk, due + HOUR).await, [], "nobody has it");
}

pub async fn a_case_does_not_come_back_while_its_officer_is_at_work_on_it(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let desk = &scene.desk;
    let [mei, raj] = [officer(desk).await, colleague(desk).await];
    let touch = async |by: &Account, second| {
        let touched = desk.touch_case(by, call_id, HALF_AN_HOUR, at(second));
        touched.await
    };
    let unclaimed = touch(&mei, 90).await;
    assert!(matches!(
        unclaimed,
        Err(CaseError::Refused(Refusal::NotTaken))
    ));
    desk.take_case(&mei, call_id, at(100)).await.unwrap();
    let not_theirs = touch(&raj, 101).await;
    assert!(matches!(
        not_theirs,
        Err(CaseError::Refused(Refusal::TakenBy(_)))
    ));
    let before = case(desk, call_id).await;
    let done = desk.cases().case_acts(call_id).await.unwrap().len();
    let trail = desk.audit(None, 1).await.unwrap();

    // A note of an hour, of which every minute is told.
    for minute in 1..=60 {
        touch(&mei, 100 + minute * MINUTE).await.unwrap();
        let now = at(100 + minute * MINUTE + 1);
        assert_eq!(desk.return_untouched(HALF_AN_HOUR, now).await.unwrap(), []);
    }
    let standing = case(desk, call_id).await;
    assert_eq!(standing.version, before.version, "hers is no conflict");
    let acts = desk.cases().case_acts(call_id).await.unwrap();
    assert_eq!(acts.len(), done, "nothing was done with it");
    assert_eq!(desk.audit(None, 1).await.unwrap(), trail);

    // The last that was told holds it for the whole time, give or take what is not worth telling every page.
    let left = standing.touched_at + HALF_AN_HOUR;
    assert!(left > at(100 + 60 * MINUTE + 20 * MINUTE));
    let back = desk.return_untouched(HALF_AN_HOUR, left).await.unwrap();
    assert_eq!(back, [call_id]);
    let late = touch(&mei, 100 + 60 * MINUTE + 31 * MINUTE).await;
    assert!(matches!(late, Err(CaseError::Refused(Refusal::NotTaken))));
}

pub async fn however_many_cases_are_open_each_that_nobody_touches_comes_back(scene: Scene) {
    let desk = &scene.desk;
    let mei = officer(desk).await;
    let mut entered = BTreeSet::new();
    // More than are read at a time.
    for second in 0..101 {
        let call = EnteredCall {
            started_at: at(second),
            lasted: Duration::from_secs(30),
            note: note(Some(Agency::Pave)),
            number: None,
        };
        let call_id = desk.enter_case(&mei, call, at(second)).await.unwrap();
        entered.insert(call_id.to_string());
    }
    let mut seen = 0;
    desk.look_at_open_cases(|_| seen += 1).await.unwrap();
    assert_eq!(seen, 101);
    let back = desk.return_untouched(HALF_AN_HOUR, at(HOUR)).await.unwrap();
    let back: BTreeSet<_> = back.iter().map(CallId::to_string).collect();
    assert_eq!(back, entered);
}
