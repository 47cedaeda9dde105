//! An officer's line in a talk: how soon the caller has the assistant again when nothing comes from it any more.

use std::time::{Duration, Instant};

use desk::Role;
use flow::Agency;

use super::live_calls::a_caller_at_risk;
use super::on_hold::{says, talks};
use crate::support::officer::Officer;
use crate::support::start_server;

/// In which the assistant is to be back with a caller whose officer is lost.
const BACK_WITHIN: Duration = Duration::from_secs(2);
/// For a machine that runs other tests meanwhile.
const MARGIN: Duration = Duration::from_secs(1);

/// What takes longer does not come any more.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn an_officer_from_whom_nothing_comes_any_more_is_lost_and_the_assistant_back_within_two_seconds()
 {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let line = talks(&mei, &mut desk, &id).await;
    line.vanish().await;
    let gone = Instant::now();
    let unreached = tokio::time::timeout(PATIENCE, desk.next("unreached")).await;
    let took = gone.elapsed();
    let unreached = unreached.expect("a line is lost from which nothing comes");
    assert_eq!(unreached["why"], "line-dropped");
    assert!(
        took < BACK_WITHIN + MARGIN,
        "it took {took:?}, or this machine is too slow to tell"
    );
    assert!(caller.until(says("1767")).await.is_some());
}
