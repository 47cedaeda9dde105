//! Signing in on the word of an identity provider. It says who somebody is; whether they have an account here, and what that
//! may do, is said here alone.
//!
//! An account is found by its sign-in name the first time, and is bound to the provider's own name for this person from then
//! on: an address that is given to somebody else later opens nothing.

use jiff::Timestamp;
use redact::Secret;

use crate::account::SignInName;
use crate::audit::{About, NewEntry, What, Who};
use crate::desk::{Desk, of_account};
use crate::sign_in::{SignInError, SignedIn};
use crate::store::{Effects, StoredAccount, StoredSession, Which};
use crate::token::{Digest, new_token};

/// Who an identity provider says that somebody is. Its word was checked before.
#[derive(Debug, Clone)]
pub struct Vouched {
    /// The provider.
    pub issuer: String,
    /// Its name for this person, which never becomes anybody else's.
    pub subject: Secret<String>,
    /// What it says is their address, where it may be relied on.
    pub sign_in_name: Option<SignInName>,
}

impl Vouched {
    /// No issuer holds a line's end: two that differ have different digests.
    fn digest(&self) -> Digest {
        Digest::of(&format!(
            "{}\n{}",
            self.issuer,
            self.subject.expose_secret()
        ))
    }
}

impl Desk {
    /// Signs somebody in whom the provider vouches for. A session that the browser had before, `held`, ends with it. A lock
    /// after wrong passwords does not hold: nothing was guessed.
    pub async fn sign_in_vouched(
        &self,
        vouched: &Vouched,
        held: Option<&str>,
        now: Timestamp,
    ) -> Result<SignedIn, SignInError> {
        let subject = vouched.digest();
        let bound = Which::Subject(subject.clone());
        let is_bound = self.store.account(&bound).await?.is_some();
        let which = match (is_bound, &vouched.sign_in_name) {
            (false, Some(name)) => Which::SignInName(name.clone()),
            _ => bound,
        };
        let (token, digest) = new_token();
        let ends = held.map(Digest::of);
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            let about = account.as_ref().map(|it| About::Account(it.id));
            let is_theirs = |account: &&mut StoredAccount| {
                let bound = account.subject.as_ref();
                // Of one that a program made, nobody who may has said yet that its holder is to get in.
                let has_a_way_in = account.was_in() || account.invitation.is_some();
                let is_theirs = bound.is_none_or(|bound| *bound == subject);
                account.closed_at.is_none() && has_a_way_in && is_theirs
            };
            let Some(account) = account.filter(is_theirs) else {
                effects.entries.push(NewEntry {
                    at: now,
                    who: Who::Nobody,
                    what: What::SignInRefused,
                    about,
                });
                return Err(SignInError::Refused);
            };
            account.subject = Some(subject);
            effects.ends_session = ends;
            effects.begins_session = Some(StoredSession::begun(digest, account.id, now));
            let by = Who::Account(account.id);
            let entry = of_account(by, What::SignedInByProvider, account.id, now);
            effects.entries.push(entry);
            Ok((account.account(now), account.recovery.len()))
        };
        let (account, recovery_codes) = self.change(&which, decide).await??;
        self.forget_sessions(now).await?;
        Ok(SignedIn {
            account,
            token,
            recovery_codes,
        })
    }
}
