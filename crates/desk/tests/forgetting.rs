//! What keeps a case's record, what remains of one that was deleted, and what is told of a caller who asks. On every database.
#![allow(clippy::unwrap_used)]

mod story;

use desk::cases::caller_number::CallerNumber;
use desk::cases::rules::Refusal;
use desk::cases::{Asked, CaseError, CaseKind, EndedCall};
use desk::receipts::Receipt;
use desk::store::Which;
use desk::{Account, Desk, Role};
use flow::{AbuseType, Agency, CaseNote, EndReason, StructuredData};
use jiff::SignedDuration;
use records::{CallId, CallKind, FinishedCall, NewCall, Past, Records, RecordsKeys};
use story::*;

const WORDS: &str = "he is outside the door";
const REASON: &str = "the court asks for it";

async fn account(desk: &Desk, role: Role) -> Account {
    let person = Person::with_role(desk, role).await;
    let account = desk.account(&Which::Id(person.id), at(1)).await;
    account.unwrap().unwrap()
}

fn number(text: &str) -> CallerNumber {
    CallerNumber::parse(text).unwrap()
}

/// A case that was brought there, whose call ended then.
async fn a_case(scene: &Scene, agency: Agency, ended: i64, called_from: Option<&str>) -> CallId {
    let call_id = CallId::random();
    let records = Records::open_with(&scene.url, scene.keys.clone()).await;
    let records = records.unwrap();
    let call = NewCall {
        call_id,
        visitor: None,
        started_at: at(ended - 30),
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    let finished = FinishedCall {
        ended_at: at(ended),
        ended_reason: EndReason::CallerEnded,
        note: CaseNote {
            summary_title: secret(WORDS),
            summary: secret(WORDS),
            structured_data: StructuredData {
                name: secret("Mei"),
                urgent: false,
                location: secret("Bedok"),
                follow_up: secret("none"),
                abuse_type: AbuseType::Other,
                transfer_to: Some(agency),
                transferred: false,
                latest_incident_date: secret("today"),
            },
            evidence: Vec::new(),
        },
        messages: Vec::new(),
    };
    records.finish_call(call_id, finished).await.unwrap();
    let its_case = EndedCall {
        call_id,
        kind: CaseKind::WebCall,
        started_at: at(ended - 30),
        ended_at: at(ended),
        agency: Some(agency),
        urgent: false,
        title: Some(secret(WORDS)),
        number: called_from.map(number),
    };
    assert!(scene.desk.make_case(its_case, at(600)).await.unwrap());
    call_id
}

async fn hold_of(desk: &Desk, call: CallId) -> Option<String> {
    let file = desk.cases().case(call).await.unwrap().unwrap();
    file.hold.map(|hold| hold.reason.expose_secret().clone())
}

/// The trail about cases, in its order.
async fn trail(desk: &Desk) -> Vec<(String, Option<String>)> {
    let entries = desk.audit(None, 1000).await.unwrap();
    let of_cases = entries.into_iter().rev().map(|it| (it.what, it.about));
    let wanted = ["record held", "hold ended", "exported"];
    of_cases
        .filter(|(what, _)| wanted.contains(&what.as_str()))
        .collect()
}

async fn a_hold_stands_in_its_case_with_its_reason_until_it_is_taken_back(scene: Scene) {
    let desk = &scene.desk;
    let officer = account(desk, Role::Officer).await;
    let call = a_case(&scene, Agency::Pave, 60, None).await;
    for reason in ["the police ask", REASON] {
        let held = desk.hold_record(&officer, call, secret(reason), at(700));
        held.await.unwrap();
        assert_eq!(hold_of(desk, call).await.as_deref(), Some(reason));
    }
    let file = desk.cases().case(call).await.unwrap().unwrap();
    let hold = file.hold.unwrap();
    assert_eq!((hold.by, hold.at), (officer.id, at(700)));
    for _ in 0..2 {
        desk.end_hold(&officer, call, at(800)).await.unwrap();
        assert_eq!(hold_of(desk, call).await, None);
    }
    let about = Some(format!("call {call}"));
    let told =
        ["record held", "record held", "hold ended"].map(|it| (it.to_owned(), about.clone()));
    assert_eq!(
        trail(desk).await,
        told,
        "what was not on hold was not let go"
    );
}

async fn only_whoever_sees_a_case_puts_it_on_hold(scene: Scene) {
    let desk = &scene.desk;
    let officer = account(desk, Role::Officer).await;
    let supervisor = account(desk, Role::Supervisor).await;
    let auditor = account(desk, Role::Auditor).await;
    let call = a_case(&scene, Agency::Sos, 60, None).await;
    for stranger in [&officer, &auditor] {
        for refused in [
            desk.hold_record(stranger, call, secret(REASON), at(700))
                .await,
            desk.end_hold(stranger, call, at(700)).await,
        ] {
            assert!(matches!(refused, Err(CaseError::Refused(Refusal::NotSeen))));
        }
    }
    assert_eq!(hold_of(desk, call).await, None);
    let held = desk.hold_record(&supervisor, call, secret(REASON), at(700));
    held.await.unwrap();
    assert!(hold_of(desk, call).await.is_some());
    let nothing = desk.hold_record(&supervisor, CallId::random(), secret(REASON), at(700));
    assert!(matches!(
        nothing.await,
        Err(CaseError::Refused(Refusal::NotSeen))
    ));
}

async fn a_held_case_is_passed_over_and_a_deleted_one_leaves_its_receipt(scene: Scene) {
    let desk = &scene.desk;
    let supervisor = account(desk, Role::Supervisor).await;
    let calls = [
        a_case(&scene, Agency::Pave, 60, Some("9123 4567")).await,
        a_case(&scene, Agency::Pave, 120, None).await,
        a_case(&scene, Agency::Pave, 180, None).await,
    ];
    let held = desk.hold_record(&supervisor, calls[1], secret(REASON), at(700));
    held.await.unwrap();
    let records = Records::open_with(&scene.url, scene.keys.clone()).await;
    let records = records.unwrap();
    let purge = async |second| {
        let now = at(second) + SignedDuration::from_hours(24 * 30);
        let past = Past {
            now,
            ended_before: at(second),
        };
        records.purge(past, 10).await.unwrap().cases
    };
    assert_eq!(purge(100).await, [calls[0]]);
    assert_eq!(purge(200).await, [calls[2]]);
    desk.end_hold(&supervisor, calls[1], at(800)).await.unwrap();
    assert_eq!(purge(300).await, [calls[1]]);
    assert_eq!(desk.cases().case(calls[1]).await.unwrap(), None);

    let ids = |receipts: &[Receipt]| receipts.iter().map(|it| it.call_id).collect::<Vec<_>>();
    let all = desk.receipts(None, 10).await.unwrap();
    assert_eq!(
        ids(&all),
        [calls[1], calls[2], calls[0]],
        "the latest first"
    );
    let page = desk.receipts(None, 2).await.unwrap();
    assert_eq!(ids(&page), [calls[1], calls[2]]);
    let next = desk.receipts(Some(page[1].place()), 2).await.unwrap();
    assert_eq!(ids(&next), [calls[0]]);
    let first = &next[0];
    assert_eq!(first.deleted_at, at(100) + SignedDuration::from_hours(720));
    assert_eq!((first.why.as_str(), first.who.as_str()), ("age", "server"));
    assert_eq!(
        first.kinds,
        ["transcript", "note", "case", "caller-number", "acts"]
    );
    assert_eq!(first.hash.len(), 64);
}

async fn what_is_told_of_a_caller_is_theirs_alone_and_is_on_the_trail(scene: Scene) {
    let desk = &scene.desk;
    let supervisor = account(desk, Role::Supervisor).await;
    let first = a_case(&scene, Agency::Pave, 60, Some("9123 4567")).await;
    let second = a_case(&scene, Agency::Sos, 120, Some("+65 9123-4567")).await;
    let anothers = a_case(&scene, Agency::Pave, 180, Some("9123 4568")).await;
    let unknown = a_case(&scene, Agency::Pave, 240, None).await;

    let told = async |asked| {
        let told = desk.export_caller(&supervisor, asked, at(900)).await;
        let told = told.unwrap().into_iter();
        told.map(|it| it.file.case.call_id).collect::<Vec<_>>()
    };
    let both = [second, first];
    assert_eq!(told(Asked::Number(number("91234567"))).await, both);
    assert_eq!(told(Asked::Call(first)).await, both);
    assert_eq!(told(Asked::Call(anothers)).await, [anothers]);
    assert_eq!(told(Asked::Call(unknown)).await, [unknown]);
    assert_eq!(told(Asked::Number(number("81234567"))).await, []);

    let calls = [second, first, second, first, anothers, unknown];
    let about = calls.map(|call| Some(format!("call {call}")));
    let about = about.into_iter().chain([None]);
    let expected: Vec<_> = about.map(|it| ("exported".to_owned(), it)).collect();
    assert_eq!(trail(desk).await, expected);
}

async fn supervisors_alone_answer_for_what_is_kept(scene: Scene) {
    let desk = &scene.desk;
    let call = a_case(&scene, Agency::Pave, 60, Some("9123 4567")).await;
    for role in [Role::Officer, Role::Auditor] {
        let account = account(desk, role).await;
        for asked in [Asked::Call(call), Asked::Number(number("91234567"))] {
            let refused = desk.export_caller(&account, asked, at(900)).await;
            assert!(matches!(refused, Err(CaseError::Refused(Refusal::NotSeen))));
        }
    }
    assert_eq!(trail(desk).await, []);
}

macro_rules! on_every_database {
    ($($database:ident)+) => {$(
        mod $database {
            on_every_database! { @each $database,
                a_hold_stands_in_its_case_with_its_reason_until_it_is_taken_back
                only_whoever_sees_a_case_puts_it_on_hold
                a_held_case_is_passed_over_and_a_deleted_one_leaves_its_receipt
                what_is_told_of_a_caller_is_theirs_alone_and_is_on_the_trail
                supervisors_alone_answer_for_what_is_kept
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

on_every_database!(sqlite sqlite_encrypted postgres postgres_encrypted);

#[tokio::test]
async fn where_the_numbers_key_cannot_be_opened_it_is_not_said_that_nothing_is_kept() {
    let scene = sqlite_encrypted().await;
    let supervisor = account(&scene.desk, Role::Supervisor).await;
    a_case(&scene, Agency::Pave, 60, Some("9123 4567")).await;
    let database = records::Database::open(&scene.url, RecordsKeys::none()).await;
    let keyless = Desk::on(&database.unwrap(), desk::SessionBounds::default());
    let asked = Asked::Number(number("91234567"));
    let refused = keyless.export_caller(&supervisor, asked, at(900)).await;
    assert!(matches!(refused, Err(CaseError::Unreadable)));
}
