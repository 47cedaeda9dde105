//! The duty desk: what happens there, each in its time, and what it is asked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use call::media::Transport;
use call::{DutyDesk, Joining, OfficerId, Switchboard};
use flow::Agency;
use tokio::sync::Notify;
use tokio::time::Instant;
use turn::{Ring, Unreached};

use super::scripted_caller::ScriptedCaller;
use super::{Asked, AtTheDesk, Notebook, Stage, officer};

/// What happens at the desk, with the lines that it needs: a voice takes its time, and the clock would not wait for it.
pub(super) type Staff = Vec<(Duration, AtTheDesk, Option<Box<ScriptedCaller>>)>;

pub(super) async fn get_ready(at_the_desk: Vec<(Duration, AtTheDesk)>, stage: &Stage) -> Staff {
    let mut staff = Vec::new();
    for (after, mut act) in at_the_desk {
        let line = match &mut act {
            AtTheDesk::Accepts(number, acts) => acts.take().map(|acts| (*number, acts)),
            AtTheDesk::Listens(number, acts) | AtTheDesk::Coaches(number, acts) => {
                Some((*number, std::mem::take(acts)))
            }
            _ => None,
        };
        let line = match line {
            Some((number, acts)) => {
                let own = Arc::new(Stage {
                    words: Arc::clone(&stage.words),
                    ..Stage::default()
                });
                {
                    let mut officers = stage.officers.lock().expect("unpoisoned");
                    officers.insert(number, Arc::clone(&own));
                }
                Some(Box::new(ScriptedCaller::new(acts, own).await))
            }
            None => None,
        };
        staff.push((after, act, line));
    }
    staff
}

/// Carries out what happens at the desk, each in its time: from when this desk first rings, or from now.
pub(super) async fn staff(
    rung: Option<Arc<ScriptedDesk>>,
    board: Arc<Switchboard>,
    stage: Arc<Stage>,
    (call, start): (uuid::Uuid, Instant),
    staff: Staff,
) {
    if let Some(desk) = rung {
        desk.first_ring.notified().await;
    }
    let begun = Instant::now();
    for (after, act, line) in staff {
        // Virtual time: the clock is paused.
        tokio::time::sleep_until(begun + after).await;
        let line = line.map(|mut line| {
            line.start_now();
            line.start = start;
            line as Box<dyn Transport>
        });
        match act {
            AtTheDesk::Accepts(number, _) => {
                let answer = board.accept(call, officer(number)).await;
                let mut accepted = stage.accepted.lock().expect("unpoisoned");
                accepted.push((number, answer));
                if let Some(line) = line {
                    let joined = board.join(call, officer(number), Joining::Accepted, line);
                    assert!(joined.is_ok(), "the call is live");
                }
            }
            AtTheDesk::Listens(number, _) | AtTheDesk::Coaches(number, _) => {
                let joining = match act {
                    AtTheDesk::Coaches(..) => Joining::Coaching,
                    _ => Joining::Listening,
                };
                let line = line.expect("they have one");
                let joined = board.join(call, officer(number), joining, line);
                assert!(joined.is_ok(), "the call is live");
            }
            AtTheDesk::AllDecline => assert!(board.all_declined(call)),
            AtTheDesk::TakesOver(number) => {
                assert!(board.take_over(call, officer(number)).await);
            }
            AtTheDesk::TakesOverInVain(number) => {
                assert!(!board.take_over(call, officer(number)).await);
            }
            AtTheDesk::IsReady(number) => assert!(board.is_ready(call, officer(number))),
            AtTheDesk::PutsOnHold(number) => {
                let held = board.put_on_hold(call, officer(number)).await;
                assert_eq!(held, Ok(()), "they talk with the caller");
            }
            AtTheDesk::TakesBack(number) => {
                let taken = board.take_back(call, officer(number)).await;
                assert_eq!(taken, Ok(()), "they talk with the caller");
            }
            AtTheDesk::Leaves(number) => assert!(board.leave(call, officer(number)).await),
            AtTheDesk::Whispers(hint) => assert!(board.hint(call, hint)),
        }
    }
}

/// A desk that rings nobody, and remembers what it was asked.
pub(super) struct ScriptedDesk {
    pub(super) on_duty: bool,
    pub(super) notebook: Arc<Notebook>,
    pub(super) log: Mutex<Vec<(Duration, Asked)>>,
    pub(super) first_ring: Notify,
}

impl ScriptedDesk {
    fn note(&self, asked: Asked) {
        let start = self.notebook.start.lock().expect("unpoisoned");
        let at = start.expect("started").elapsed();
        self.log.lock().expect("unpoisoned").push((at, asked));
    }
}

impl DutyDesk for ScriptedDesk {
    fn anyone_on_duty(&self) -> bool {
        self.on_duty
    }

    fn ring(&self, _call: uuid::Uuid, agency: Agency, whom: Ring) -> Vec<OfficerId> {
        self.note(Asked::Rings(agency, whom));
        self.first_ring.notify_one();
        Vec::new()
    }

    fn given_back(&self, _call: uuid::Uuid, officer: OfficerId) {
        self.note(Asked::IsGivenBack(officer));
    }

    fn stop_ringing(&self, _call: uuid::Uuid, taken_by: Option<OfficerId>) {
        self.note(Asked::StopsRinging(taken_by));
    }

    fn alert(&self, _call: uuid::Uuid, why: Unreached) {
        self.note(Asked::Alerts(why));
    }
}
