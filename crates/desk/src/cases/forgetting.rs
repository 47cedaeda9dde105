//! What stops a case's record from being deleted, and what is told of a caller who asks what is kept of them.

use jiff::Timestamp;
use records::{CallId, StoreError};
use redact::Secret;

use super::caller_number::CallerNumber;
use super::rules::{Refusal, Work};
use super::{CaseAct, CaseError, CaseFile, Deed, Did, Hold};
use crate::account::Account;
use crate::audit::{About, NewEntry, What, Who};
use crate::desk::Desk;
use crate::permissions::Act;

/// By what somebody who asks what is kept of them is found.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    Number(CallerNumber),
    /// Of a call, and of the others of the number that was given in it.
    Call(CallId),
}

/// One of their cases, with its history.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseOfCaller {
    pub file: CaseFile,
    pub acts: Vec<CaseAct>,
}

impl Desk {
    /// Keeps a case's record from being deleted, for a reason, until that is taken back. Repeated, it is the new reason.
    pub async fn hold_record(
        &self,
        by: &Account,
        call: CallId,
        reason: Secret<String>,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let id = by.id;
        let hold = move |_: &mut CaseFile, mut deed: Deed| {
            deed.hold(Some(Hold {
                by: id,
                at: now,
                reason: reason.clone(),
            }));
            deed.did(Did::Held, What::RecordHeld, Some(reason));
            Ok(())
        };
        self.work(Work::Hold, by, call, now, hold).await
    }

    /// Lets a case's record go again: it is deleted when its time is over, or soon if it is already.
    pub async fn end_hold(
        &self,
        by: &Account,
        call: CallId,
        now: Timestamp,
    ) -> Result<(), CaseError> {
        let let_go = move |file: &mut CaseFile, mut deed: Deed| {
            if file.hold.is_some() {
                deed.hold(None);
                deed.did(Did::EndedHold, What::HoldEnded, None);
            }
            Ok(())
        };
        self.work(Work::Hold, by, call, now, let_go).await
    }

    /// The cases of one caller, the latest first, and none of anybody else's: for a file that is handed to them. Each is on the
    /// audit trail as exported before it is given. A number of which nothing is kept has none.
    pub async fn export_caller(
        &self,
        by: &Account,
        asked: Asked,
        now: Timestamp,
    ) -> Result<Vec<CaseOfCaller>, CaseError> {
        let not_seen = || CaseError::Refused(Refusal::NotSeen);
        if !by.may(Act::Export) {
            return Err(not_seen());
        }
        let (own, caller) = match asked {
            Asked::Call(call) => {
                let file = self.cases().case(call).await?;
                let seen = file.filter(|file| by.may_with(Act::Export, file.case.whose()));
                let file = seen.ok_or_else(not_seen)?;
                (Some(call), file.case.caller)
            }
            // None is the key that cannot be opened: to say that nothing is kept would not be true.
            Asked::Number(number) => {
                let digest = self.digest(Some(&number)).await?;
                (None, Some(digest.ok_or(CaseError::Unreadable)?))
            }
        };
        let mut calls: Vec<CallId> = match &caller {
            Some(caller) => {
                let cases = self.cases().cases_of_caller(caller, u32::MAX).await?;
                let seen = cases.iter().map(|listed| &listed.case);
                let seen = seen.filter(|case| by.may_with(Act::Export, case.whose()));
                seen.map(|case| case.call_id).collect()
            }
            None => Vec::new(),
        };
        if let Some(call) = own.filter(|call| !calls.contains(call)) {
            calls.push(call);
        }
        let mut told = Vec::new();
        for call in calls {
            // Deleted meanwhile, it is told of no more.
            if let Some(file) = self.cases().case(call).await? {
                let acts = self.cases().case_acts(call).await?;
                told.push(CaseOfCaller { file, acts });
            }
        }
        self.note_export(by, &told, now).await?;
        Ok(told)
    }

    async fn note_export(
        &self,
        by: &Account,
        cases: &[CaseOfCaller],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let exported = |about| NewEntry {
            at: now,
            who: Who::Account(by.id),
            what: What::Exported,
            about,
        };
        if cases.is_empty() {
            return self.note(exported(None)).await;
        }
        for case in cases {
            let about = About::Call(case.file.case.call_id);
            self.note(exported(Some(about))).await?;
        }
        Ok(())
    }
}
