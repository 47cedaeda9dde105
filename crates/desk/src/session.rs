//! Who is signed in: a random token in the browser, known here by its digest. A session ends when it rests too long, after
//! a working day at the latest, by signing out, and with whatever takes from what its account may do.

use std::time::Duration;

use jiff::Timestamp;
use records::StoreError;

use crate::account::{Account, State};
use crate::audit::{What, Who};
use crate::desk::{Desk, of_account};
use crate::store::{Effects, StoredAccount, StoredSession, Which};
use crate::token::Digest;

/// A session's use is written down once in so long: not every request is a write.
const SEEN_EVERY: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionBounds {
    /// It ends when it was not used for so long, less a minute at most.
    pub idle: Duration,
    /// It ends so long after it began.
    pub absolute: Duration,
}

impl Default for SessionBounds {
    fn default() -> Self {
        Self {
            idle: Duration::from_mins(30),
            absolute: Duration::from_hours(12),
        }
    }
}

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Signed {
    pub account: Account,
    /// At the latest.
    pub until: Timestamp,
    token: Digest,
}

impl Signed {
    pub fn who(&self) -> Who {
        Who::Account(self.account.id)
    }
}

impl Desk {
    /// Who holds this token, if it is a session's that goes on; and the session is used.
    pub async fn signed(&self, token: &str, now: Timestamp) -> Result<Option<Signed>, StoreError> {
        let Some((session, account)) = self.going_on(&Digest::of(token), now).await? else {
            return Ok(None);
        };
        self.see(&session, now).await?;
        Ok(Some(Signed {
            account,
            until: session.begun_at + self.bounds.absolute,
            token: session.token,
        }))
    }

    /// Whether the session goes on with the agencies that its account had: a page that was opened with them is opened anew
    /// with others. To ask does not use it.
    pub async fn goes_on(&self, signed: &Signed, now: Timestamp) -> Result<bool, StoreError> {
        let going_on = self.going_on(&signed.token, now).await?;
        Ok(going_on.is_some_and(|(_, account)| account.agencies == signed.account.agencies))
    }

    /// Whether somebody is still signed in who is at something that is no request, such as a talk with a caller: the session
    /// is used. Who signs in again is not cut off from it: another session of theirs will do.
    pub async fn goes_on_in_use(
        &self,
        signed: &Signed,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let session = match self.going_on(&signed.token, now).await? {
            Some((session, _)) => Some(session),
            None => self.another_of(&signed.account, now).await?,
        };
        let Some(session) = session else {
            return Ok(false);
        };
        self.see(&session, now).await?;
        Ok(true)
    }

    /// The latest session that goes on of an account that may do all that it might before.
    async fn another_of(
        &self,
        before: &Account,
        now: Timestamp,
    ) -> Result<Option<StoredSession>, StoreError> {
        let (begun, seen) = (now - self.bounds.absolute, now - self.bounds.idle);
        let latest = self.store.latest_session(before.id, begun, seen).await?;
        let Some(token) = latest else {
            return Ok(None);
        };
        let going_on = self.going_on(&token, now).await?;
        Ok(going_on.and_then(|(session, account)| {
            let has_its_agencies = before.agencies.is_subset(&account.agencies);
            (account.role == before.role && has_its_agencies).then_some(session)
        }))
    }

    /// The session of this token and whose it is, if it goes on.
    async fn going_on(
        &self,
        token: &Digest,
        now: Timestamp,
    ) -> Result<Option<(StoredSession, Account)>, StoreError> {
        let Some((session, stored)) = self.store.session(token).await? else {
            return Ok(None);
        };
        let account = stored.account(now);
        let closed = matches!(account.state, State::Closed | State::Invited);
        let is_over = closed || self.bounds.are_over(&session, now);
        Ok((!is_over).then_some((session, account)))
    }

    async fn see(&self, session: &StoredSession, now: Timestamp) -> Result<(), StoreError> {
        if now >= session.seen_at + SEEN_EVERY {
            self.store.see_session(&session.token, now).await?;
        }
        Ok(())
    }

    /// Ends the session.
    pub async fn sign_out(&self, signed: &Signed, now: Timestamp) -> Result<(), StoreError> {
        let (id, token) = (signed.account.id, signed.token.clone());
        let decide = move |_: Option<&mut StoredAccount>, effects: &mut Effects| {
            effects.ends_session = Some(token);
            let out = of_account(Who::Account(id), What::SignedOut, id, now);
            effects.entries.push(out);
        };
        self.change(&Which::Id(id), decide).await
    }

    /// Forgets the sessions that have ended by themselves.
    pub(crate) async fn forget_sessions(&self, now: Timestamp) -> Result<(), StoreError> {
        let (begun, seen) = (now - self.bounds.absolute, now - self.bounds.idle);
        self.store.forget_sessions(begun, seen).await
    }
}

impl SessionBounds {
    fn are_over(&self, session: &StoredSession, now: Timestamp) -> bool {
        now >= session.begun_at + self.absolute || now >= session.seen_at + self.idle
    }
}
