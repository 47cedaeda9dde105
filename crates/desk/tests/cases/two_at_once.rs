//! Two officers at one case, at the same moment.

use desk::cases::CaseError;
use desk::cases::rules::Refusal;
use flow::Agency;

use super::{a_case, case, colleague, note, officer, records_of, supervisor};
use crate::story::{Scene, at};

pub async fn of_two_who_take_a_case_at_once_one_has_it(scene: Scene) {
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

pub async fn of_two_who_edit_the_same_version_one_is_told(scene: Scene) {
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
