//! What is done with cases by the people at the desk, each thing asked of the tables first. What the server does by itself:
//! `by_itself`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flow::StructuredData;
use jiff::Timestamp;
use records::{CallId, StoreError};
use redact::Secret;
use uuid::Uuid;

use super::actions::actions;
use super::caller_number::{CallerDigest, CallerNumber};
use super::queue::untouched_for;
use super::rules::{Refusal, Work, check};
use super::store::{CaseEffects, CaseStore, NewCaseAct};
use super::{
    ActionTaken, CaseContent, CaseFile, CaseKind, CaseState, Closing, Did, Done, EditedNote,
    FollowUp, FollowUpKind, Outcome, StoredCase,
};
use crate::account::{Account, AccountId, State};
use crate::audit::{About, NewEntry, What, Who};
use crate::desk::Desk;
use crate::permissions::Act;
use crate::store::Which;

/// A case that its officer is at work on is touched this often while it could come back, and no more often: each touch is
/// told to every open page.
const TOUCHES: u32 = 4;

/// Why something was not done with a case.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error("{0}")]
    Refused(Refusal),
    #[error("somebody has changed this case meanwhile: read it again, it is at version {version}")]
    Changed { version: i64 },
    #[error("what was done is missing: note the action taken before this case is closed")]
    ActionMissing,
    #[error("not on the list of actions of this case's agency")]
    UnknownAction,
    #[error("there is no such follow-up in this case")]
    UnknownFollowUp,
    #[error("not somebody who sees this case: see the list of colleagues")]
    UnknownOwner,
    #[error(
        "what officers wrote in this case cannot be opened: set the key that it was sealed with"
    )]
    Unreadable,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What an officer makes of a note.
#[derive(Debug, Clone)]
pub struct NoteWords {
    pub summary_title: Secret<String>,
    pub summary: Secret<String>,
    pub structured_data: StructuredData,
}

/// A call that was taken elsewhere.
#[derive(Debug, Clone)]
pub struct EnteredCall {
    pub started_at: Timestamp,
    pub lasted: Duration,
    pub note: NoteWords,
    pub number: Option<CallerNumber>,
}

#[derive(Debug, Clone)]
pub struct NewFollowUp {
    pub kind: FollowUpKind,
    pub words: Secret<String>,
    pub due_at: Timestamp,
    pub owner: Option<AccountId>,
}

/// What is to be other of a follow-up; what is left out stays.
#[derive(Debug, Clone, Default)]
pub struct FollowUpChange {
    pub words: Option<Secret<String>>,
    pub due_at: Option<Timestamp>,
    pub owner: Option<Option<AccountId>>,
    pub done: Option<bool>,
}

impl Desk {
    /// Where cases are read.
    pub fn cases(&self) -> &dyn CaseStore {
        &*self.cases
    }

    /// Shows a case to somebody, and has it on the audit trail.
    pub async fn view_case(
        &self,
        by: &Account,
        call: CallId,
        now: Timestamp,
    ) -> Result<CaseFile, CaseError> {
        let file = self.cases.case(call).await?;
        let file = file.filter(|file| by.may_with(Act::SeeCase, file.case.whose()));
        let file = file.ok_or(CaseError::Refused(Refusal::NotSeen))?;
        let viewed = of_case(Who::Account(by.id), What::CaseViewed, call, now);
        self.note(viewed).await?;
        Ok(file)
    }

    /// Enters a call that was taken elsewhere. Whoever does has the case.
    pub async fn enter_case(
        &self,
        by: &Account,
        entered: EnteredCall,
        now: Timestamp,
    ) -> Result<CallId, CaseError> {
        let call_id = CallId::random();
        let caller = self.digest(entered.number.as_ref()).await?;
        let facts = &entered.note.structured_data;
        let ended_at = entered.started_at.saturating_add(entered.lasted);
        let case = StoredCase {
            call_id,
            kind: CaseKind::Elsewhere,
            started_at: entered.started_at,
            ended_at: ended_at.unwrap_or(entered.started_at),
            agency: facts.transfer_to,
            urgent: facts.urgent,
            state: CaseState::Taken,
            since: now,
            taken_by: Some(by.id),
            touched_at: now,
            returned: 0,
            closing: None,
            keep_until: None,
            caller,
            version: 1,
            content: Some(CaseContent {
                note: Some(edited(entered.note, by, now)),
                caller_number: entered.number.map(|number| number.words().clone()),
                ..CaseContent::default()
            }),
        };
        let mut effects = CaseEffects::default();
        let mut deed = Deed::new(by, call_id, now, &mut effects);
        deed.did(Did::Entered, What::CaseEntered, None);
        self.cases.add_case(case, effects).await?;
        Ok(call_id)
    }

    /// Answers for a case from now on. Repeated, it stays one's own.
    pub async fn take_case(
        &self,
        by: &Account,
        call: CallId,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let id = by.id;
        let take = move |file: &mut CaseFile, mut deed: Deed| {
            stand(&mut file.case, CaseState::Taken, Some(id), now);
            deed.did(Did::Took, What::CaseTaken, None);
            Ok(())
        };
        match self.work(Work::Take, by, call, now, take).await {
            Err(CaseError::Refused(Refusal::IsYours)) => Ok(()),
            done => done,
        }
    }

    /// Puts a case back into the queue.
    pub async fn give_back_case(
        &self,
        by: &Account,
        call: CallId,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let give_back = move |file: &mut CaseFile, mut deed: Deed| {
            stand(&mut file.case, CaseState::Waiting, None, now);
            deed.did(Did::GaveBack, What::CaseGivenBack, None);
            Ok(())
        };
        self.work(Work::GiveBack, by, call, now, give_back).await
    }

    /// Whoever has a case is at work on it, though nothing of that is saved yet: it does not come back meanwhile. Nothing was
    /// done with it, so it is neither in its history nor on the trail.
    pub async fn touch_case(
        &self,
        by: &Account,
        call: CallId,
        untouched: Duration,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let file = self.cases.case(call).await?;
        let case = file.ok_or(CaseError::Refused(Refusal::NotSeen))?.case;
        check(Work::Touch, &case, by).map_err(CaseError::Refused)?;
        let lasts = untouched_for(&case, untouched);
        if case
            .touched_at
            .saturating_add(lasts / TOUCHES)
            .is_ok_and(|at| now < at)
        {
            return Ok(());
        }
        self.work(Work::Touch, by, call, now, |_, _| Ok(())).await
    }

    /// Replaces the officers' version of the note; the case goes to the agency that it names. Gives the case's new version.
    pub async fn edit_note(
        &self,
        by: &Account,
        call: CallId,
        version: i64,
        note: NoteWords,
        now: Timestamp,
    ) -> Result<i64, CaseError> {
        let note = edited(note, by, now);
        let edit = move |file: &mut CaseFile, mut deed: Deed| {
            file.case.agency = note.structured_data.transfer_to;
            file.case.urgent = note.structured_data.urgent;
            content(&mut file.case)?.note = Some(note);
            deed.did(Did::EditedNote, What::NoteEdited, None);
            Ok(())
        };
        self.edit(by, call, version, now, edit).await
    }

    /// Notes what was done in a case. Without any action and without words nothing is noted any more.
    pub async fn note_action(
        &self,
        by: &Account,
        call: CallId,
        version: i64,
        taken: Vec<String>,
        words: Secret<String>,
        now: Timestamp,
    ) -> Result<i64, CaseError> {
        let id = by.id;
        let note = move |file: &mut CaseFile, mut deed: Deed| {
            let list = actions(file.case.agency);
            let content = content(&mut file.case)?;
            let before = content.action_taken.as_ref();
            let noted = |code: &String| before.is_some_and(|it| it.actions.contains(code));
            let listed = |code: &String| list.iter().any(|it| it.code == code);
            if !taken.iter().all(|code| listed(code) || noted(code)) {
                return Err(CaseError::UnknownAction);
            }
            let nothing = taken.is_empty() && words.expose_secret().trim().is_empty();
            content.action_taken = (!nothing).then_some(ActionTaken {
                actions: taken,
                words,
                by: id,
                at: now,
            });
            deed.did(Did::NotedAction, What::ActionNoted, None);
            Ok(())
        };
        self.edit(by, call, version, now, note).await
    }

    /// Sets the number that the caller can be rung on, or none.
    pub async fn set_caller_number(
        &self,
        by: &Account,
        call: CallId,
        version: i64,
        number: Option<CallerNumber>,
        now: Timestamp,
    ) -> Result<i64, CaseError> {
        let caller = self.digest(number.as_ref()).await?;
        let set = move |file: &mut CaseFile, mut deed: Deed| {
            content(&mut file.case)?.caller_number = number.map(|number| number.words().clone());
            file.case.caller = caller;
            deed.did(Did::ChangedNumber, What::CallerNumberChanged, None);
            Ok(())
        };
        self.edit(by, call, version, now, set).await
    }

    pub async fn add_follow_up(
        &self,
        by: &Account,
        call: CallId,
        new: NewFollowUp,
        now: Timestamp,
    ) -> Result<FollowUp, CaseError> {
        let owner = self.owner(new.owner, now).await?;
        let add = move |file: &mut CaseFile, mut deed: Deed| {
            let follow_up = FollowUp {
                id: Uuid::now_v7(),
                call_id: call,
                kind: new.kind,
                words: new.words,
                due_at: new.due_at,
                owner: seeing(owner, &file.case)?,
                done: None,
            };
            deed.put(follow_up.clone());
            deed.did(Did::AddedFollowUp, What::FollowUpAdded, None);
            Ok(follow_up)
        };
        self.work(Work::Edit, by, call, now, add).await
    }

    pub async fn change_follow_up(
        &self,
        by: &Account,
        call: CallId,
        id: Uuid,
        change: FollowUpChange,
        now: Timestamp,
    ) -> Result<FollowUp, CaseError> {
        let owner = self.owner(change.owner.flatten(), now).await?;
        let account = by.id;
        let alter = move |file: &mut CaseFile, mut deed: Deed| {
            let found = file.follow_ups.iter().find(|it| it.id == id);
            let before = found.ok_or(CaseError::UnknownFollowUp)?;
            let mut after = before.clone();
            after.words = change.words.unwrap_or(after.words);
            after.due_at = change.due_at.unwrap_or(after.due_at);
            if change.owner.is_some() {
                after.owner = seeing(owner, &file.case)?;
            }
            let did = match (change.done, after.done) {
                (Some(true), None) => {
                    after.done = Some(Done {
                        by: account,
                        at: now,
                    });
                    Did::DidFollowUp
                }
                (Some(false), Some(_)) => {
                    after.done = None;
                    Did::OpenedFollowUp
                }
                _ => Did::ChangedFollowUp,
            };
            if after != *before {
                deed.put(after.clone());
                deed.did(did, What::FollowUpChanged, None);
            }
            Ok(after)
        };
        self.work(Work::ChangeFollowUp, by, call, now, alter).await
    }

    /// Closes a case: with what came of it, and only with what was done. Its record is kept until that moment at the latest.
    #[expect(
        clippy::too_many_arguments,
        reason = "who, which and when, as of everything that is done, and what a closing is"
    )]
    pub async fn close_case(
        &self,
        by: &Account,
        call: CallId,
        version: i64,
        outcome: Outcome,
        words: Option<Secret<String>>,
        keep_until: Timestamp,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let id = by.id;
        let close = move |file: &mut CaseFile, mut deed: Deed| {
            at_version(&file.case, version)?;
            if content(&mut file.case)?.action_taken.is_none() {
                return Err(CaseError::ActionMissing);
            }
            let had_by = file.case.taken_by.or(Some(id));
            stand(&mut file.case, CaseState::Closed, had_by, now);
            file.case.closing = Some(Closing { outcome, by: id });
            file.case.keep_until = Some(keep_until);
            deed.did(Did::Closed, What::CaseClosed, words);
            Ok(())
        };
        self.work(Work::Close, by, call, now, close).await
    }

    /// Opens a closed case again: it waits.
    pub async fn reopen_case(
        &self,
        by: &Account,
        call: CallId,
        why: Secret<String>,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let reopen = move |file: &mut CaseFile, mut deed: Deed| {
            stand(&mut file.case, CaseState::Waiting, None, now);
            file.case.closing = None;
            file.case.keep_until = None;
            file.case.returned = 0;
            deed.did(Did::Reopened, What::CaseReopened, Some(why));
            Ok(())
        };
        self.work(Work::Reopen, by, call, now, reopen).await
    }

    /// Those who may own a follow-up.
    pub async fn colleagues(&self, now: Timestamp) -> Result<Vec<Account>, StoreError> {
        let mut accounts = self.accounts(now).await?;
        accounts.retain(works_on_cases);
        Ok(accounts)
    }
}

/// One thing that somebody does, and where it is written down.
pub struct Deed<'e> {
    by: AccountId,
    call: CallId,
    now: Timestamp,
    effects: &'e mut CaseEffects,
}

impl<'e> Deed<'e> {
    fn new(by: &Account, call: CallId, now: Timestamp, effects: &'e mut CaseEffects) -> Self {
        Self {
            by: by.id,
            call,
            now,
            effects,
        }
    }

    /// In the case's history, and on the audit trail; the words in the history alone.
    pub fn did(&mut self, did: Did, what: What, words: Option<Secret<String>>) {
        self.effects.acts.push(NewCaseAct {
            at: self.now,
            who: Some(self.by),
            did,
            words,
        });
        let entry = of_case(Who::Account(self.by), what, self.call, self.now);
        self.effects.entries.push(entry);
    }

    fn put(&mut self, follow_up: FollowUp) {
        self.effects.follow_ups.push(follow_up);
    }

    /// Another hold, or none any more.
    pub fn hold(&mut self, hold: Option<super::Hold>) {
        self.effects.hold = Some(hold);
    }
}

impl Desk {
    /// Does something with a case that the tables let this account do, with the case locked, whole or not at all.
    pub async fn work<T: Send + 'static>(
        &self,
        work: Work,
        by: &Account,
        call: CallId,
        now: Timestamp,
        deed: impl FnOnce(&mut CaseFile, Deed) -> Result<T, CaseError> + Send + 'static,
    ) -> Result<T, CaseError> {
        let account = by.clone();
        let refused = Arc::new(Mutex::new(None));
        let told = Arc::clone(&refused);
        let decide = move |file: &mut CaseFile, effects: &mut CaseEffects| {
            let may = check(work, &file.case, &account).map_err(CaseError::Refused);
            let done = may.and_then(|()| {
                let done = deed(file, Deed::new(&account, call, now, effects))?;
                file.case.touched_at = file.case.touched_at.max(now);
                Ok(done)
            });
            match done {
                Ok(done) => Some(done),
                Err(error) => {
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    None
                }
            }
        };
        let done = self.decide(call, decide).await?;
        let refused = refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        done.ok_or_else(|| refused.unwrap_or(CaseError::Refused(Refusal::NotSeen)))
    }

    /// Edits what two can edit at once.
    async fn edit(
        &self,
        by: &Account,
        call: CallId,
        version: i64,
        now: Timestamp,
        edit: impl FnOnce(&mut CaseFile, Deed) -> Result<(), CaseError> + Send + 'static,
    ) -> Result<i64, CaseError> {
        let edit = move |file: &mut CaseFile, deed: Deed| {
            at_version(&file.case, version)?;
            edit(file, deed)?;
            file.case.version += 1;
            Ok(file.case.version)
        };
        self.work(Work::Edit, by, call, now, edit).await
    }

    /// Changes a case as decided with it locked; `None`: there is none, or nothing was decided on.
    pub(super) async fn decide<T: Send + 'static>(
        &self,
        call: CallId,
        decide: impl FnOnce(&mut CaseFile, &mut CaseEffects) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        let decided = Arc::new(Mutex::new(None));
        let told = Arc::clone(&decided);
        let decide = move |file: Option<&mut CaseFile>| {
            let mut effects = CaseEffects::default();
            let outcome = decide(file?, &mut effects)?;
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            Some(effects)
        };
        self.cases.change_case(call, Box::new(decide)).await?;
        let decided = decided
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        Ok(decided)
    }

    /// What cases of this number are found by; none without a number, and where the key cannot be opened.
    pub async fn digest(
        &self,
        number: Option<&CallerNumber>,
    ) -> Result<Option<CallerDigest>, StoreError> {
        let Some(number) = number else {
            return Ok(None);
        };
        let key = self.cases.caller_key().await?;
        Ok(key.map(|key| number.digest(&key)))
    }

    async fn owner(
        &self,
        id: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Option<Account>, CaseError> {
        let Some(id) = id else { return Ok(None) };
        let account = self.account(&Which::Id(id), now).await?;
        let account = account.filter(works_on_cases);
        account.map(Some).ok_or(CaseError::UnknownOwner)
    }
}

fn works_on_cases(account: &Account) -> bool {
    let is_here = !matches!(account.state, State::Closed | State::Invited);
    is_here && account.may(Act::EditNote)
}

/// Whose a follow-up is to be, if they see the case.
fn seeing(owner: Option<Account>, case: &StoredCase) -> Result<Option<AccountId>, CaseError> {
    match owner {
        Some(owner) if !owner.may_with(Act::SeeCase, case.whose()) => Err(CaseError::UnknownOwner),
        owner => Ok(owner.map(|owner| owner.id)),
    }
}

fn stand(case: &mut StoredCase, state: CaseState, by: Option<AccountId>, now: Timestamp) {
    case.state = state;
    case.since = now;
    case.taken_by = by;
    case.version += 1;
}

fn content(case: &mut StoredCase) -> Result<&mut CaseContent, CaseError> {
    case.content.as_mut().ok_or(CaseError::Unreadable)
}

fn at_version(case: &StoredCase, version: i64) -> Result<(), CaseError> {
    match case.version == version {
        true => Ok(()),
        false => Err(CaseError::Changed {
            version: case.version,
        }),
    }
}

fn edited(note: NoteWords, by: &Account, now: Timestamp) -> EditedNote {
    EditedNote {
        summary_title: note.summary_title,
        summary: note.summary,
        structured_data: note.structured_data,
        by: by.id,
        at: now,
    }
}

/// An entry about a case.
pub(crate) fn of_case(who: Who, what: What, call: CallId, at: Timestamp) -> NewEntry {
    NewEntry {
        at,
        who,
        what,
        about: Some(About::Call(call)),
    }
}
