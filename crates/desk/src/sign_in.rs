//! Signing in: a password and a code. Every refusal is the same, and takes as long: who asks learns neither which names
//! there are nor which part was wrong.
//!
//! After some wrong tries the account is locked for a while, and for longer with each further one. While it is, the right
//! password does not help either: whoever guesses learns nothing from a guess.

use std::time::Duration;

use jiff::Timestamp;
use records::{RecordsKeys, StoreError};
use redact::Secret;

use crate::account::{Account, SignInName};
use crate::audit::{About, NewEntry, What, Who};
use crate::desk::{Desk, of_account};
use crate::password::Busy;
use crate::second_factor;
use crate::store::{Effects, StoredAccount, StoredSession, Which};
use crate::token::{Digest, new_token};

/// From this one on wrong tries lock the account.
const TRIES: u32 = 5;
const FIRST_LOCK: Duration = Duration::from_mins(1);
/// Not longer: whoever knows a name can keep its holder out for as long as this.
const LONGEST_LOCK: Duration = Duration::from_mins(15);

/// What somebody brings who wants in.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub sign_in_name: String,
    pub password: Secret<String>,
    /// The app's, or a recovery code.
    pub code: Secret<String>,
}

/// Somebody is in.
#[derive(Debug)]
pub struct SignedIn {
    pub account: Account,
    /// For the browser to bring with every request; it stands nowhere else.
    pub token: Secret<String>,
    /// How many recovery codes are left.
    pub recovery_codes: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error(
        "this name, password and code do not fit together, or there were too many tries: look at each of them, or wait \
         fifteen minutes"
    )]
    Refused,
    #[error("too many are signing in at this moment: try again")]
    Busy,
    #[error(
        "the authenticator's secret cannot be decrypted: set `records_keys` as it was, or invite again"
    )]
    Unreadable,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Busy> for SignInError {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

impl Desk {
    /// Signs somebody in, with a session of its own. A session that the browser had before, `held`, ends with it.
    pub async fn sign_in(
        &self,
        attempt: Attempt,
        held: Option<&str>,
        now: Timestamp,
    ) -> Result<SignedIn, SignInError> {
        // What is no name has the way of a name that nobody has.
        let name = attempt.sign_in_name.parse::<SignInName>();
        let which = match name {
            Ok(name) => Which::SignInName(name),
            Err(_) => Which::Invitation(Digest::of("")),
        };
        let account = self.store.account(&which).await?;
        let credentials = account.and_then(|account| account.credentials);
        let looked_at = credentials.map(|of| of.password);
        let fits = self
            .passwords
            .is(attempt.password, looked_at.clone())
            .await?;

        let (token, digest) = new_token();
        let try_ = Try {
            looked_at,
            fits,
            code: second_factor::as_typed(&attempt.code),
            begins: digest,
            ends: held.map(Digest::of),
            now,
        };
        let keys = self.keys.clone();
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            try_.decide(account, effects, &keys)
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

/// One try, all but decided.
struct Try {
    /// The hash that the password was held against.
    looked_at: Option<Secret<String>>,
    fits: bool,
    code: Secret<String>,
    begins: Digest,
    ends: Option<Digest>,
    now: Timestamp,
}

/// What a code was good for.
enum Code {
    OfApp { step: i64 },
    Recovery { place: usize },
}

impl Try {
    fn decide(
        self,
        account: Option<&mut StoredAccount>,
        effects: &mut Effects,
        keys: &RecordsKeys,
    ) -> Result<(Account, usize), SignInError> {
        let now = self.now;
        let refused = |about| NewEntry {
            at: now,
            who: Who::Nobody,
            what: What::SignInRefused,
            about,
        };
        let Some(account) = account else {
            effects.entries.push(refused(None));
            return Err(SignInError::Refused);
        };
        let id = account.id;
        let refused = refused(Some(About::Account(id)));
        let locked = account.locked_until.is_some_and(|until| until > now);
        let Some(credentials) = account.credentials.clone().filter(|_| !locked) else {
            effects.entries.push(refused);
            return Err(SignInError::Refused);
        };
        let secret = credentials.totp_secret.expose_secret().clone();
        let secret = keys.open_of_account(id.0, secret);
        let secret = secret.map_err(|_| SignInError::Unreadable)?;
        let code = self.code(account, &secret);
        // It may have been set anew since the password was looked at.
        let same = self
            .looked_at
            .is_some_and(|hash| hash.expose_secret() == credentials.password.expose_secret());
        let Some(code) = code.filter(|_| self.fits && same) else {
            effects.entries.push(refused);
            account.wrong_tries = account.wrong_tries.saturating_add(1);
            if let Some(lock) = lock_after(account.wrong_tries) {
                account.locked_until = Some(now + lock);
                let locked = of_account(Who::Nobody, What::AccountLocked, id, now);
                effects.entries.push(locked);
            }
            return Err(SignInError::Refused);
        };
        let what = match code {
            Code::OfApp { step } => {
                account.totp_step = step;
                What::SignedIn
            }
            Code::Recovery { place } => {
                account.recovery.remove(place);
                What::SignedInByRecoveryCode
            }
        };
        account.wrong_tries = 0;
        account.locked_until = None;
        effects.ends_session = self.ends;
        effects.begins_session = Some(StoredSession::begun(self.begins, id, now));
        let entry = of_account(Who::Account(id), what, id, now);
        effects.entries.push(entry);
        Ok((account.account(now), account.recovery.len()))
    }

    /// What this code is good for, if for anything. None is good twice.
    fn code(&self, account: &StoredAccount, secret: &Secret<String>) -> Option<Code> {
        let code = self.code.expose_secret();
        if let Some(step) = second_factor::step_of(secret, code, self.now) {
            return (step > account.totp_step).then_some(Code::OfApp { step });
        }
        let digest = Digest::of(code);
        let place = account.recovery.iter().position(|left| *left == digest)?;
        Some(Code::Recovery { place })
    }
}

/// How long so many wrong tries lock an account.
fn lock_after(wrong_tries: u32) -> Option<Duration> {
    let beyond = wrong_tries.checked_sub(TRIES)?;
    Some((FIRST_LOCK * 2u32.pow(beyond.min(8))).min(LONGEST_LOCK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_try_beyond_the_fourth_locks_for_longer_and_never_for_long() {
        let minutes = |tries| lock_after(tries).map(|lock| lock.as_secs() / 60);
        let told: Vec<_> = (0..=10).map(minutes).collect();
        let none = [None; 5];
        let some = [1, 2, 4, 8, 15, 15].map(Some);
        assert_eq!(told, [&none[..], &some[..]].concat());
        assert_eq!(minutes(u32::MAX), Some(15));
    }
}
