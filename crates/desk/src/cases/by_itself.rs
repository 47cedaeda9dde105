//! What the server does with cases by itself: it makes one of a call that has ended, and puts back into the queue what nobody
//! touches.

use std::time::Duration;

use flow::Agency;
use jiff::Timestamp;
use records::{CallId, StoreError};
use redact::Secret;

use super::caller_number::CallerNumber;
use super::queue::{QueuePlace, comes_back_at};
use super::store::{CaseEffects, NewCaseAct, Scope};
use super::work::of_case;
use super::{CaseContent, CaseFile, CaseKind, CaseState, Did, StoredCase};
use crate::audit::{What, Who};
use crate::desk::Desk;

/// Open cases that are read at a time: there may be any number of them.
const PORTION: u32 = 100;

/// A call that has ended, as far as its case needs it.
#[derive(Debug, Clone)]
pub struct EndedCall {
    pub call_id: CallId,
    pub kind: CaseKind,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub agency: Option<Agency>,
    pub urgent: bool,
    pub title: Option<Secret<String>>,
    pub number: Option<CallerNumber>,
}

impl Desk {
    /// Makes a case of a call that has ended. One there is stays, but for a call that got another end before anybody had
    /// done something with it. Whether anything was written.
    pub async fn make_case(&self, call: EndedCall, now: Timestamp) -> Result<bool, StoreError> {
        let caller = self.digest(call.number.as_ref()).await?;
        let case = StoredCase {
            call_id: call.call_id,
            kind: call.kind,
            started_at: call.started_at,
            ended_at: call.ended_at,
            agency: call.agency,
            urgent: call.urgent,
            state: CaseState::Waiting,
            since: call.ended_at,
            taken_by: None,
            touched_at: call.ended_at,
            returned: 0,
            closing: None,
            keep_until: None,
            caller,
            version: 1,
            content: Some(CaseContent {
                machine_title: call.title,
                caller_number: call.number.map(|number| number.words().clone()),
                ..CaseContent::default()
            }),
        };
        let effects = CaseEffects {
            acts: vec![by_the_server(Did::Made, now)],
            ..CaseEffects::default()
        };
        if self.cases.add_case(case.clone(), effects).await? {
            return Ok(true);
        }
        let call_id = case.call_id;
        let anew = move |file: &mut CaseFile, _: &mut CaseEffects| {
            let untouched = file.case.version == 1 && file.case.state == CaseState::Waiting;
            let other = untouched && file.case.ended_at != case.ended_at;
            if other {
                file.case = case;
            }
            other.then_some(())
        };
        Ok(self.decide(call_id, anew).await?.is_some())
    }

    /// Shows `look` every open case, in the order of the queue. One that moves in it meanwhile may be seen twice, or not before
    /// the next look.
    pub async fn look_at_open_cases(
        &self,
        mut look: impl FnMut(&StoredCase) + Send,
    ) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let portion = self.cases.open_cases(&Scope::All, after, PORTION).await?;
            portion.iter().for_each(|listed| look(&listed.case));
            match portion.last() {
                Some(last) if portion.len() == PORTION as usize => {
                    after = Some(QueuePlace::of(&last.case));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Puts back into the queue the cases that somebody took and nobody has touched for so long. Gives which.
    pub async fn return_untouched(
        &self,
        untouched: Duration,
        now: Timestamp,
    ) -> Result<Vec<CallId>, StoreError> {
        let is_due =
            move |case: &StoredCase| comes_back_at(case, untouched).is_some_and(|at| at <= now);
        let mut due = Vec::new();
        let is_found = |case: &StoredCase| due.extend(is_due(case).then_some(case.call_id));
        self.look_at_open_cases(is_found).await?;
        let mut returned = Vec::new();
        for call_id in due {
            let back = move |file: &mut CaseFile, effects: &mut CaseEffects| {
                // Another node may have been quicker, or somebody has done something.
                is_due(&file.case).then(|| {
                    let case = &mut file.case;
                    (case.state, case.since) = (CaseState::Waiting, now);
                    (case.taken_by, case.touched_at) = (None, now);
                    case.returned += 1;
                    case.version += 1;
                    effects.acts.push(by_the_server(Did::Returned, now));
                    let entry = of_case(Who::Server, What::CaseReturned, call_id, now);
                    effects.entries.push(entry);
                })
            };
            if self.decide(call_id, back).await?.is_some() {
                returned.push(call_id);
            }
        }
        Ok(returned)
    }
}

fn by_the_server(did: Did, now: Timestamp) -> NewCaseAct {
    NewCaseAct {
        at: now,
        who: None,
        did,
        words: None,
    }
}
