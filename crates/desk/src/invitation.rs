//! How somebody gets an account: by a link that is good once, for two days. Whoever opens it sets a password and an
//! authenticator app. The same way leads back for somebody who has lost either. A program makes accounts without a link: that is for
//! an administrator to hand over.

use std::collections::BTreeSet;
use std::time::Duration;

use flow::Agency;
use jiff::Timestamp;
use records::StoreError;
use redact::Secret;

use crate::account::{self, Account, AccountId, BadName, Language, SignInName};
use crate::audit::{What, Who};
use crate::desk::{Desk, of_account};
use crate::password::{self, Busy};
use crate::permissions::Role;
use crate::second_factor::{self, RecoveryCodes};
use crate::store::{Credentials, Effects, StoredAccount, StoredInvitation, Which};
use crate::token::{Digest, new_token};

const GOOD_FOR: Duration = Duration::from_hours(48);

/// Who is to be invited.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// What colleagues see.
    pub name: String,
    pub sign_in_name: SignInName,
    pub role: Role,
    pub agencies: BTreeSet<Agency>,
    pub languages: BTreeSet<Language>,
}

/// An invitation that is out. The token is part of its link and stands nowhere else.
#[derive(Debug)]
pub struct Invited {
    pub account: Account,
    pub token: Secret<String>,
    pub until: Timestamp,
}

/// What an invited person is shown.
#[derive(Debug)]
pub struct Invitation {
    pub name: String,
    pub sign_in_name: SignInName,
    pub until: Timestamp,
    /// For an authenticator app, to be typed: in base 32.
    pub totp_secret: Secret<String>,
    /// The same as an `otpauth:` address, to be shown as a picture.
    pub totp_address: Secret<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    #[error("the first account is an administrator's: who else gets in is for them to say")]
    FirstIsAnAdministrator,
    #[error("this sign-in name has an account: take another, or invite that account again")]
    NameTaken,
    #[error(transparent)]
    BadName(#[from] BadName),
    #[error("there is no such account: see the list of accounts")]
    Unknown,
    #[error("this account is closed: invite its holder with another sign-in name")]
    Closed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    #[error("this invitation was used, has ended or never was: ask for another")]
    NoInvitation,
    #[error(
        "the password is too short or too simple: use 12 characters or more, such as four words"
    )]
    BadPassword,
    #[error(
        "the code does not fit: type the one that the app shows now, and look at the phone's clock"
    )]
    WrongCode,
    #[error(
        "the authenticator's secret cannot be decrypted: set `records_keys` as it was, or invite again"
    )]
    Unreadable,
    #[error("too many are signing in at this moment: try again")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Busy> for AcceptError {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

impl Desk {
    /// Makes an account and an invitation for it. The first one opens the desk and is an administrator's.
    pub async fn invite(
        &self,
        by: Who,
        new: NewAccount,
        now: Timestamp,
    ) -> Result<Invited, InviteError> {
        let id = AccountId::new();
        let (token, invitation) = self.new_invitation(id, now);
        let until = invitation.until;
        let account = self.make(by, id, new, Some(invitation), now).await?;
        Ok(Invited {
            account,
            token,
            until,
        })
    }

    /// Makes an account that nobody gets in with, not on a provider's word either, until it is invited again by somebody who
    /// may.
    pub async fn enlist(
        &self,
        by: Who,
        new: NewAccount,
        now: Timestamp,
    ) -> Result<Account, InviteError> {
        self.make(by, AccountId::new(), new, None, now).await
    }

    async fn make(
        &self,
        by: Who,
        id: AccountId,
        new: NewAccount,
        invitation: Option<StoredInvitation>,
        now: Timestamp,
    ) -> Result<Account, InviteError> {
        if new.role != Role::Administrator && !self.is_open().await? {
            return Err(InviteError::FirstIsAnAdministrator);
        }
        let name = account::sound_name(&new.name)?;
        let stored = StoredAccount {
            id,
            name,
            sign_in_name: new.sign_in_name,
            role: new.role,
            agencies: new.agencies,
            languages: new.languages,
            made_at: now,
            closed_at: None,
            credentials: None,
            totp_step: 0,
            recovery: Vec::new(),
            wrong_tries: 0,
            locked_until: None,
            invitation,
            subject: None,
        };
        let account = stored.account(now);
        let entry = of_account(by, What::AccountInvited, id, now);
        match self.store.add(stored, entry).await? {
            true => Ok(account),
            false => Err(InviteError::NameTaken),
        }
    }

    /// Makes another invitation for an account; an earlier one is good no more. Until it is accepted the account signs in as
    /// before.
    pub async fn invite_again(
        &self,
        by: Who,
        id: AccountId,
        now: Timestamp,
    ) -> Result<Invited, InviteError> {
        let (token, invitation) = self.new_invitation(id, now);
        let until = invitation.until;
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            let account = account.ok_or(InviteError::Unknown)?;
            if account.closed_at.is_some() {
                return Err(InviteError::Closed);
            }
            account.invitation = Some(invitation);
            // Whoever lost their account at the provider has another there: the next one to come by this name is bound.
            account.subject = None;
            let again = of_account(by, What::InvitedAgain, id, now);
            effects.entries.push(again);
            Ok(account.account(now))
        };
        let account = self.change(&Which::Id(id), decide).await??;
        Ok(Invited {
            account,
            token,
            until,
        })
    }

    /// What the invited person is shown; none where the invitation is good no more.
    pub async fn invitation(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<Invitation>, AcceptError> {
        let which = Which::Invitation(Digest::of(token));
        let Some(account) = self.store.account(&which).await? else {
            return Ok(None);
        };
        let Some(invitation) = account.invitation.filter(|out| out.until > now) else {
            return Ok(None);
        };
        let secret = invitation.totp_secret.expose_secret().clone();
        let totp_secret = self.keys.open_of_account(account.id.0, secret);
        let totp_secret = totp_secret.map_err(|_| AcceptError::Unreadable)?;
        let totp_address = second_factor::address(&totp_secret, &account.sign_in_name);
        Ok(Some(Invitation {
            name: account.name,
            until: invitation.until,
            totp_address: totp_address.ok_or(AcceptError::Unreadable)?,
            sign_in_name: account.sign_in_name,
            totp_secret,
        }))
    }

    /// Sets password and authenticator, which the code shows to be at hand. Sessions that the account had end.
    pub async fn accept(
        &self,
        token: &str,
        password: Secret<String>,
        code: Secret<String>,
        now: Timestamp,
    ) -> Result<RecoveryCodes, AcceptError> {
        let shown = self.invitation(token, now).await?;
        let shown = shown.ok_or(AcceptError::NoInvitation)?;
        if !password::is_good(&password, shown.sign_in_name.as_str()) {
            return Err(AcceptError::BadPassword);
        }
        let code = second_factor::as_typed(&code);
        let step = second_factor::step_of(&shown.totp_secret, code.expose_secret(), now);
        let step = step.ok_or(AcceptError::WrongCode)?;
        let password = self.passwords.hash(password).await?;
        let codes = RecoveryCodes::new();
        let recovery = codes.digests();
        let digest = Digest::of(token);
        let decide = move |account: Option<&mut StoredAccount>, effects: &mut Effects| {
            // Somebody else may have accepted it meanwhile.
            let account = account.ok_or(AcceptError::NoInvitation)?;
            let invitation = account.invitation.take().ok_or(AcceptError::NoInvitation)?;
            account.credentials = Some(Credentials {
                password,
                totp_secret: invitation.totp_secret,
            });
            account.totp_step = step;
            account.recovery = recovery;
            account.wrong_tries = 0;
            account.locked_until = None;
            effects.ends_sessions = true;
            let by = Who::Account(account.id);
            let accepted = of_account(by, What::InvitationAccepted, account.id, now);
            effects.entries.push(accepted);
            Ok(codes)
        };
        self.change(&Which::Invitation(digest), decide).await?
    }

    fn new_invitation(&self, id: AccountId, now: Timestamp) -> (Secret<String>, StoredInvitation) {
        let (token, digest) = new_token();
        let secret = second_factor::new_secret();
        let sealed = self.keys.seal_of_account(id.0, &secret);
        let invitation = StoredInvitation {
            token: digest,
            until: now + GOOD_FOR,
            totp_secret: Secret::new(sealed),
        };
        (token, invitation)
    }
}
