//! What every database does for the plan of shifts, told once and run on each. Time is told.
#![allow(clippy::unwrap_used)]

mod story;

use desk::shifts::{Shift, ShiftError, ShiftId};
use desk::{About, AccountId, Desk, Role, What, Who};
use story::{HOUR, Person, Scene, at};
use uuid::Uuid;

async fn planned(desk: &Desk, by: Who, whose: AccountId, from: i64, until: i64) -> Shift {
    let planned = desk.plan_shift(by, whose, at(from), at(until), at(0)).await;
    planned.unwrap()
}

async fn ids(desk: &Desk, from: i64, until: i64) -> Vec<ShiftId> {
    let shifts = desk.shifts(at(from), at(until)).await.unwrap();
    shifts.iter().map(|shift| shift.id).collect()
}

async fn a_shift_reads_as_it_was_planned_in_the_order_in_which_shifts_begin(scene: Scene) {
    let desk = &scene.desk;
    let officer = Person::with_role(desk, Role::Officer).await.id;
    let supervisor = Person::with_role(desk, Role::Supervisor).await.id;
    let by = Who::Account(supervisor);
    let late = planned(desk, by, officer, 20 * HOUR, 28 * HOUR).await;
    let early = planned(desk, by, supervisor, 10 * HOUR, 20 * HOUR).await;
    let beside = scene.beside().await;
    let all = beside.shifts(at(0), at(48 * HOUR)).await.unwrap();
    assert_eq!(all, [early, late]);
    assert_eq!(ids(desk, 19 * HOUR, 20 * HOUR).await, [early.id]);
    assert_eq!(ids(desk, 20 * HOUR, 21 * HOUR).await, [late.id]);
    assert_eq!(ids(desk, 28 * HOUR, 48 * HOUR).await, []);
    assert_eq!(
        ids(desk, 15 * HOUR, 16 * HOUR).await,
        [early.id],
        "under way"
    );
}

async fn nobody_has_two_shifts_at_the_same_time(scene: Scene) {
    let desk = &scene.desk;
    let officer = Person::with_role(desk, Role::Officer).await.id;
    let by = Who::CommandLine;
    planned(desk, by, officer, 10 * HOUR, 18 * HOUR).await;
    for (from, until) in [(17, 19), (9, 11), (11, 12), (9, 19), (10, 18)] {
        let again = desk.plan_shift(by, officer, at(from * HOUR), at(until * HOUR), at(0));
        assert!(
            matches!(again.await, Err(ShiftError::Overlaps)),
            "{from} to {until}"
        );
    }
    // One begins when the other ends.
    planned(desk, by, officer, 18 * HOUR, 20 * HOUR).await;
    let other = Person::with_role(desk, Role::Supervisor).await.id;
    planned(desk, by, other, 10 * HOUR, 18 * HOUR).await;
}

async fn of_two_who_plan_the_same_hours_at_once_one_does(scene: Scene) {
    let officer = Person::with_role(&scene.desk, Role::Officer).await.id;
    let other = scene.beside().await;
    let plan = |desk: Desk| async move {
        let planned = desk.plan_shift(Who::CommandLine, officer, at(0), at(HOUR), at(0));
        planned.await.is_ok()
    };
    let (one, two) = tokio::join!(plan(scene.desk.clone()), plan(other));
    assert!(one != two, "{one} {two}");
    assert_eq!(ids(&scene.desk, 0, HOUR).await.len(), 1);
}

async fn a_shift_has_a_length_and_somebody_who_takes_calls(scene: Scene) {
    let desk = &scene.desk;
    let officer = Person::with_role(desk, Role::Officer).await.id;
    let auditor = Person::with_role(desk, Role::Auditor).await.id;
    let by = Who::CommandLine;
    for (from, until) in [(10, 10), (11, 10), (0, 25)] {
        let odd = desk.plan_shift(by, officer, at(from * HOUR), at(until * HOUR), at(0));
        assert!(
            matches!(odd.await, Err(ShiftError::Length)),
            "{from} to {until}"
        );
    }
    for nobody in [auditor, AccountId(Uuid::new_v4())] {
        let odd = desk.plan_shift(by, nobody, at(0), at(HOUR), at(0)).await;
        assert!(matches!(odd, Err(ShiftError::NobodyForIt)));
    }
    desk.close_account(by, officer, at(0)).await.unwrap();
    let closed = desk.plan_shift(by, officer, at(0), at(HOUR), at(0)).await;
    assert!(matches!(closed, Err(ShiftError::NobodyForIt)));
    assert!(ids(desk, 0, 48 * HOUR).await.is_empty());
}

async fn each_change_of_the_plan_is_on_the_trail(scene: Scene) {
    let desk = &scene.desk;
    let officer = Person::with_role(desk, Role::Officer).await.id;
    let before = desk.audit(None, 100).await.unwrap().len();
    let shift = planned(desk, Who::CommandLine, officer, 0, HOUR).await;
    let removed = desk.remove_shift(Who::CommandLine, shift.id, at(1)).await;
    assert!(removed.unwrap());
    let again = desk.remove_shift(Who::CommandLine, shift.id, at(2)).await;
    assert!(!again.unwrap(), "it is not there any more");
    assert!(ids(desk, 0, HOUR).await.is_empty());
    let entries = desk.audit(None, 100).await.unwrap();
    assert_eq!(entries.len(), before + 2);
    for entry in &entries[..2] {
        assert_eq!(entry.what, What::ShiftsChanged.as_str());
        assert_eq!(entry.about, Some(About::Account(officer).to_string()));
    }
    assert!(desk.verify_audit(None).await.unwrap().is_ok());
}

macro_rules! on_every_database {
    ($($story:ident)+) => {
        mod in_sqlite {
            $(#[tokio::test] async fn $story() { super::$story(super::story::sqlite().await).await; })+
        }
        mod in_postgres {
            $(#[tokio::test] async fn $story() { super::$story(super::story::postgres().await).await; })+
        }
    };
}

on_every_database! {
    a_shift_reads_as_it_was_planned_in_the_order_in_which_shifts_begin
    nobody_has_two_shifts_at_the_same_time
    of_two_who_plan_the_same_hours_at_once_one_does
    a_shift_has_a_length_and_somebody_who_takes_calls
    each_change_of_the_plan_is_on_the_trail
}
