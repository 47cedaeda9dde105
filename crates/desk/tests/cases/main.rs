//! What every database does for cases, told once and run on each. Time is told.
#![allow(clippy::unwrap_used)]

mod closing;
mod coming_back;
mod from_calls;
mod lists;
#[path = "../story/mod.rs"]
mod story;
mod two_at_once;
mod written_down;

use std::time::Duration;

use closing::*;
use coming_back::*;
use desk::cases::store::Scope;
use desk::cases::{CaseKind, EndedCall, FollowUpKind, NewFollowUp, NoteWords, Outcome, StoredCase};
use desk::store::Which;
use desk::{Account, Desk, Role, Who};
use flow::{AbuseType, Agency, CaseNote, EndReason, StructuredData};
use from_calls::*;
use jiff::Timestamp;
use lists::*;
use records::{CallId, CallKind, FinishedCall, NewCall, Records};
use story::{HOUR, Person, Scene, at, new_account, secret};
use two_at_once::*;
use written_down::*;

const HALF_AN_HOUR: Duration = Duration::from_mins(30);

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
