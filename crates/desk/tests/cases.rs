//! What every database does for cases, told once and run on each. Time is told.
#![allow(clippy::unwrap_used)]

mod story;

use std::collections::BTreeSet;
use std::time::Duration;

use desk::cases::caller_number::CallerNumber;
use desk::cases::queue::{ClosedPlace, QueuePlace};
use desk::cases::rules::Refusal;
use desk::cases::store::Scope;
use desk::cases::{
    CaseError, CaseKind, CaseState, Did, EndedCall, EnteredCall, FollowUpChange, FollowUpKind,
    NewFollowUp, NoteWords, Outcome, StoredCase,
};
use desk::store::Which;
use desk::{Account, Act, Desk, Role, Who};
use flow::{AbuseType, Agency, CaseNote, EndReason, StructuredData};
use jiff::Timestamp;
use records::{
    CallId, CallKind, FinishedCall, NewCall, Records, RecordsKeys, new_records_key, rotate_keys,
};
use story::{HOUR, MINUTE, Person, Scene, at, new_account, secret};

const HALF_AN_HOUR: Duration = Duration::from_mins(30);
const NUMBER: &str = "9123 4567";

async fn a_call_that_has_ended_gets_one_case_and_no_other_call_does(scene: Scene) {
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

async fn a_call_that_got_another_end_gets_its_case_anew_until_somebody_has_done_something(
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

async fn a_case_goes_with_its_call(scene: Scene) {
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

async fn the_queue_is_by_risk_then_by_having_come_back_then_by_waiting(scene: Scene) {
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

async fn somebodys_list_has_the_cases_of_their_agencies_and_those_they_took(scene: Scene) {
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

async fn of_two_who_take_a_case_at_once_one_has_it(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let (desk, beside) = (&scene.desk, scene.beside().await);
    let [mei, raj] = [officer(desk).await, colleague(desk).await];
    let (here, there) = tokio::join!(
        desk.take_case(&mei, call_id, at(50)),
        beside.take_case(&raj, call_id, at(50)),
    );
    assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
    let (has, has_not) = if here.is_ok() {
        (&mei, &raj)
    } else {
        (&raj, &mei)
    };
    let standing = case(desk, call_id).await;
    assert_eq!(standing.taken_by, Some(has.id));
    // Whoever has it may say so again; a supervisor may take it all the same.
    desk.take_case(has, call_id, at(51)).await.unwrap();
    assert_eq!(case(desk, call_id).await.version, standing.version);
    let refused = desk.take_case(has_not, call_id, at(52)).await;
    let Err(CaseError::Refused(Refusal::TakenBy(by))) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(by, has.id);
    let siti = supervisor(desk).await;
    desk.take_case(&siti, call_id, at(53)).await.unwrap();
    assert_eq!(case(desk, call_id).await.taken_by, Some(siti.id));
}

async fn of_two_who_edit_the_same_version_one_is_told(scene: Scene) {
    let records = records_of(&scene).await;
    let call_id = a_case(&scene, &records, 0).await;
    let (desk, beside) = (&scene.desk, scene.beside().await);
    let [mei, raj] = [officer(desk).await, colleague(desk).await];
    let (here, there) = tokio::join!(
        desk.edit_note(&mei, call_id, 1, note(Some(Agency::Pave)), at(50)),
        beside.edit_note(&raj, call_id, 1, note(Some(Agency::Pave)), at(50)),
    );
    let told = [here, there].into_iter().filter_map(Result::err);
    let told: Vec<CaseError> = told.collect();
    assert!(
        matches!(told[..], [CaseError::Changed { version: 2 }]),
        "{told:?}"
    );
}

async fn a_case_that_nobody_touches_comes_back_and_is_escalated(scene: Scene) {
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

async fn a_case_does_not_come_back_while_its_officer_is_at_work_on_it(scene: Scene) {
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

async fn however_many_cases_are_open_each_that_nobody_touches_comes_back(scene: Scene) {
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

async fn a_case_is_closed_with_what_was_done_and_with_what_came_of_it(scene: Scene) {
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

async fn what_is_left_to_do_has_an_owner_who_sees_the_case_and_is_done_after_closing_too(
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

async fn cases_of_one_number_are_found_by_it_however_it_is_written(scene: Scene) {
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

async fn everything_that_is_done_is_in_the_history_and_on_the_trail(scene: Scene) {
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
async fn what_officers_write_is_sealed_where_records_are(scene: Scene) {
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

// The material.

async fn records_of(scene: &Scene) -> Records {
    let keys = scene.keys.clone();
    Records::open_with(&scene.url, keys).await.unwrap()
}

/// Begins at that second.
async fn a_call(records: &Records, second: i64) -> CallId {
    let call_id = CallId::random();
    let call = NewCall {
        call_id,
        visitor: None,
        started_at: at(second),
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    call_id
}

/// Begins at that second and lasts for thirty.
async fn an_ended_call(records: &Records, second: i64) -> CallId {
    let call_id = a_call(records, second).await;
    let NoteWords {
        summary_title,
        summary,
        structured_data,
    } = note(Some(Agency::Pave));
    let ended = FinishedCall {
        ended_at: at(second + 30),
        ended_reason: EndReason::CallerEnded,
        note: CaseNote {
            summary_title,
            summary,
            structured_data,
            evidence: Vec::new(),
        },
        messages: Vec::new(),
    };
    records.finish_call(call_id, ended).await.unwrap();
    call_id
}

/// The case of a call that began at that second.
async fn a_case(scene: &Scene, records: &Records, second: i64) -> CallId {
    let call_id = an_ended_call(records, second).await;
    let made = scene
        .desk
        .make_case(call(call_id, second + 30), at(second + 31));
    assert!(made.await.unwrap());
    call_id
}

fn call(call_id: CallId, ended: i64) -> EndedCall {
    EndedCall {
        call_id,
        kind: CaseKind::WebCall,
        started_at: at(0),
        ended_at: at(ended),
        agency: Some(Agency::Pave),
        urgent: false,
        title: Some(secret("Caller is safe")),
        number: None,
    }
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

fn note(agency: Option<Agency>) -> NoteWords {
    NoteWords {
        summary_title: secret("Caller heard him outside the door"),
        summary: secret("A safe evening was agreed."),
        structured_data: StructuredData {
            name: secret("Unknown"),
            urgent: false,
            location: secret("Unknown"),
            follow_up: secret("Ring tomorrow."),
            abuse_type: AbuseType::Physical,
            transfer_to: agency,
            transferred: false,
            latest_incident_date: secret("Unknown"),
        },
    }
}

fn task() -> NewFollowUp {
    NewFollowUp {
        kind: FollowUpKind::Task,
        words: secret("ask about the safe evening"),
        due_at: at(24 * HOUR),
        owner: None,
    }
}

/// Notes an action and closes the case.
async fn closed(desk: &Desk, by: &Account, call_id: CallId, now: Timestamp) {
    let version = case(desk, call_id).await.version;
    let words = secret("rang the sister");
    let noted = desk.note_action(by, call_id, version, Vec::new(), words, now);
    let version = noted.await.unwrap();
    let words = Some(secret("all is well"));
    let keep = now + Duration::from_hours(14 * 24);
    let closing = desk.close_case(by, call_id, version, Outcome::Helped, words, keep, now);
    closing.await.unwrap();
}

async fn case(desk: &Desk, call_id: CallId) -> StoredCase {
    desk.cases().case(call_id).await.unwrap().unwrap().case
}

async fn queue(desk: &Desk, scope: &Scope) -> Vec<CallId> {
    let open = desk.cases().open_cases(scope, None, 100).await.unwrap();
    open.iter().map(|it| it.case.call_id).collect()
}

async fn without_case(desk: &Desk) -> Vec<CallId> {
    desk.cases().calls_without_case(100).await.unwrap()
}

async fn account(desk: &Desk, id: desk::AccountId) -> Account {
    desk.account(&Which::Id(id), at(0)).await.unwrap().unwrap()
}

async fn officer(desk: &Desk) -> Account {
    let person = Person::with_role(desk, Role::Officer).await;
    account(desk, person.id).await
}

async fn supervisor(desk: &Desk) -> Account {
    let person = Person::with_role(desk, Role::Supervisor).await;
    account(desk, person.id).await
}

/// Another officer of the same agencies.
async fn colleague(desk: &Desk) -> Account {
    let new = new_account("raj@line.example", Role::Officer);
    let invited = desk.invite(Who::CommandLine, new, at(0)).await.unwrap();
    Person::accepting(desk, invited.token.expose_secret(), at(0)).await;
    account(desk, invited.account.id).await
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

macro_rules! keeps_the_contract {
    ($($database:ident)+) => {$(
        mod $database {
            keeps_the_contract! { @each $database,
                a_call_that_has_ended_gets_one_case_and_no_other_call_does
                a_call_that_got_another_end_gets_its_case_anew_until_somebody_has_done_something
                a_case_goes_with_its_call
                the_queue_is_by_risk_then_by_having_come_back_then_by_waiting
                somebodys_list_has_the_cases_of_their_agencies_and_those_they_took
                of_two_who_take_a_case_at_once_one_has_it
                of_two_who_edit_the_same_version_one_is_told
                a_case_that_nobody_touches_comes_back_and_is_escalated
                a_case_does_not_come_back_while_its_officer_is_at_work_on_it
                however_many_cases_are_open_each_that_nobody_touches_comes_back
                a_case_is_closed_with_what_was_done_and_with_what_came_of_it
                what_is_left_to_do_has_an_owner_who_sees_the_case_and_is_done_after_closing_too
                cases_of_one_number_are_found_by_it_however_it_is_written
                everything_that_is_done_is_in_the_history_and_on_the_trail
                what_officers_write_is_sealed_where_records_are
            }
        }
    )+};
    (@each $database:ident, $($story:ident)+) => {$(
        #[tokio::test]
        async fn $story() {
            super::$story(crate::story::$database().await).await;
        }
    )+};
}

keeps_the_contract!(sqlite sqlite_encrypted postgres postgres_encrypted);
