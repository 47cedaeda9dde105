//! The morning report: the night at a glance and as a list, as a table to be taken elsewhere, and by mail.
//!
//! | question | module |
//! |---|---|
//! | which night is it, and when is it mailed? | [`night`] |
//! | how many? | [`numbers`], one pure function |
//! | which lines has the table? | [`table`] |
//! | what does the mail say, to whom, once? | [`mail`] |
//!
//! Who may read it, and of which cases, is asked by its paths (`crate::desk`). The mail holds numbers alone.

pub mod mail;
pub mod night;
pub mod numbers;
pub mod table;

use std::collections::BTreeMap;

use desk::cases::store::Scope;
use desk::cases::{FollowUp, ListedCase};
use desk::{AccountId, Desk};
use jiff::Timestamp;
use records::{Records, StoreError};

use night::Night;
use numbers::{Became, Numbers};

/// Cases that a report is made of at most: several busy nights.
pub const MOST_CASES: u32 = 2000;
const MOST_FOLLOW_UPS: u32 = 500;

/// What a report is made of.
pub struct Gathered {
    pub night: Night,
    /// In the order in which their calls ended.
    pub cases: Vec<(ListedCase, Became)>,
    /// Not done, and due by the end of the night or by now.
    pub follow_ups: Vec<FollowUp>,
    /// There were no more cases than are in it.
    pub complete: bool,
}

impl Gathered {
    /// Of the cases in this scope.
    pub async fn of(
        records: &Records,
        desk: &Desk,
        scope: &Scope,
        night: Night,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let stored = desk.cases();
        let listed = stored
            .cases_ended_between(scope, night.from, night.until, MOST_CASES + 1)
            .await?;
        let complete = listed.len() <= MOST_CASES as usize;
        let mut cases = Vec::with_capacity(listed.len());
        for case in listed.into_iter().take(MOST_CASES as usize) {
            let record = records.call(case.case.call_id).await?;
            let became = record.as_ref().map(Became::of).unwrap_or_default();
            cases.push((case, became));
        }
        let due_before = night.until.max(now);
        let follow_ups = stored
            .follow_ups_due(scope, due_before, MOST_FOLLOW_UPS)
            .await?;
        Ok(Self {
            night,
            cases,
            follow_ups,
            complete,
        })
    }

    pub fn numbers(&self) -> Numbers {
        Numbers::of(
            self.cases
                .iter()
                .map(|(listed, became)| (&listed.case, *became)),
        )
    }
}

/// Everybody's name, for what names people by their ids.
pub async fn names(desk: &Desk, now: Timestamp) -> Result<BTreeMap<AccountId, String>, StoreError> {
    let accounts = desk.accounts(now).await?;
    Ok(accounts.into_iter().map(|it| (it.id, it.name)).collect())
}
