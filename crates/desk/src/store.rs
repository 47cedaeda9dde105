//! The contract of every database behind the desk; what it must do beyond its signatures is told in `tests/contract.rs`.
//!
//! A change of an account is decided with the account locked, and written together with its entries on the audit trail: of
//! two that sign in with the same code one is refused, and nothing is done that the trail does not have.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use flow::Agency;
use jiff::Timestamp;
use records::{Database, StoreError};
use redact::Secret;

use crate::account::{Account, AccountId, Language, SignInName, State};
use crate::audit::{Entry, NewEntry};
use crate::permissions::Role;
pub use crate::token::Digest;

/// The store in this database, whose tables the records have laid.
pub fn on(database: &Database) -> Arc<dyn DeskStore> {
    match database {
        Database::Sqlite(store) => Arc::new(crate::sqlite::InSqlite(store.clone())),
        Database::Postgres(store) => Arc::new(crate::postgres::InPostgres(store.clone())),
    }
}

/// Which account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    Id(AccountId),
    SignInName(SignInName),
    /// The one that an invitation with this token is out for.
    Invitation(Digest),
    /// The one that is bound to this person of an identity provider's.
    Subject(Digest),
}

/// An account as it is stored.
#[derive(Debug, Clone)]
pub struct StoredAccount {
    pub id: AccountId,
    pub name: String,
    pub sign_in_name: SignInName,
    pub role: Role,
    pub agencies: BTreeSet<Agency>,
    pub languages: BTreeSet<Language>,
    pub made_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    /// None until an invitation was accepted: who signs in by an identity provider needs none.
    pub credentials: Option<Credentials>,
    /// The step of the latest code that was taken.
    pub totp_step: i64,
    /// The recovery codes that are left.
    pub recovery: Vec<Digest>,
    pub wrong_tries: u32,
    pub locked_until: Option<Timestamp>,
    pub invitation: Option<StoredInvitation>,
    /// Whom it is bound to at the identity provider, from their first signing in by it.
    pub subject: Option<Digest>,
}

#[derive(Debug, Clone)]
pub struct Credentials {
    /// Its hash, as a PHC string.
    pub password: Secret<String>,
    /// Sealed where records are.
    pub totp_secret: Secret<String>,
}

#[derive(Debug, Clone)]
pub struct StoredInvitation {
    pub token: Digest,
    pub until: Timestamp,
    /// Sealed where records are.
    pub totp_secret: Secret<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    pub token: Digest,
    pub account: AccountId,
    pub begun_at: Timestamp,
    pub seen_at: Timestamp,
}

impl StoredSession {
    /// One that begins.
    pub(crate) fn begun(token: Digest, account: AccountId, now: Timestamp) -> Self {
        Self {
            token,
            account,
            begun_at: now,
            seen_at: now,
        }
    }
}

/// What is written together with an account.
#[derive(Debug, Default)]
pub struct Effects {
    pub entries: Vec<NewEntry>,
    /// All of the account's.
    pub ends_sessions: bool,
    /// This one, whosever it is.
    pub ends_session: Option<Digest>,
    pub begins_session: Option<StoredSession>,
}

/// Decides on a change with the account locked; without one, there is none of that kind.
pub type Decide = Box<dyn FnOnce(Option<&mut StoredAccount>) -> Effects + Send>;

/// Where accounts, sessions and the audit trail are kept.
#[async_trait]
pub trait DeskStore: Send + Sync {
    /// Whether there is any account, closed ones too.
    async fn has_accounts(&self) -> Result<bool, StoreError>;

    /// All of them, in the order in which they were made.
    async fn accounts(&self) -> Result<Vec<StoredAccount>, StoreError>;

    async fn account(&self, which: &Which) -> Result<Option<StoredAccount>, StoreError>;

    /// False where the sign-in name is taken; then nothing is written.
    async fn add(&self, account: StoredAccount, entry: NewEntry) -> Result<bool, StoreError>;

    /// Has `decide` change the account, and writes what it says, whole or not at all.
    async fn change(&self, which: &Which, decide: Decide) -> Result<(), StoreError>;

    /// The session of this token, with its account. Whether it has ended by itself is not looked at.
    async fn session(
        &self,
        token: &Digest,
    ) -> Result<Option<(StoredSession, StoredAccount)>, StoreError>;

    /// The latest session of this account that was begun, and last used, after these moments.
    async fn latest_session(
        &self,
        account: AccountId,
        begun_after: Timestamp,
        seen_after: Timestamp,
    ) -> Result<Option<Digest>, StoreError>;

    /// The session was used.
    async fn see_session(&self, token: &Digest, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets the sessions that were begun, or last used, before these moments.
    async fn forget_sessions(
        &self,
        begun_before: Timestamp,
        seen_before: Timestamp,
    ) -> Result<(), StoreError>;

    /// Adds to the audit trail.
    async fn note(&self, entry: NewEntry) -> Result<(), StoreError>;

    /// The entries after this number, at most so many, in their order.
    async fn entries(&self, after: i64, most: u32) -> Result<Vec<Entry>, StoreError>;

    /// The latest entries before this number, at most so many, newest first.
    async fn latest_entries(&self, before: i64, most: u32) -> Result<Vec<Entry>, StoreError>;
}

impl StoredAccount {
    /// Whether its holder has set something up, or come by a provider.
    pub(crate) fn was_in(&self) -> bool {
        self.credentials.is_some() || self.subject.is_some()
    }

    /// As others see it.
    pub fn account(&self, now: Timestamp) -> Account {
        let was_in = self.was_in();
        let state = match (self.closed_at, self.locked_until) {
            (Some(_), _) => State::Closed,
            (None, _) if !was_in => State::Invited,
            (None, Some(until)) if until > now => State::LockedUntil(until),
            (None, _) => State::Active,
        };
        Account {
            id: self.id,
            name: self.name.clone(),
            sign_in_name: self.sign_in_name.clone(),
            role: self.role,
            agencies: self.agencies.clone(),
            languages: self.languages.clone(),
            state,
        }
    }
}

/// The columns of an account that are not as its type has them, in any database.
pub(crate) struct AccountRow {
    pub role: &'static str,
    pub agencies: String,
    pub languages: String,
    pub password: Option<String>,
    pub totp_secret: Option<String>,
    pub recovery: String,
    pub invitation: Option<String>,
    pub invited_until: Option<Timestamp>,
    pub invited_secret: Option<String>,
    pub subject: Option<String>,
}

impl AccountRow {
    pub fn of(account: &StoredAccount) -> Self {
        let credentials = account.credentials.as_ref();
        let invitation = account.invitation.as_ref();
        Self {
            role: account.role.as_str(),
            agencies: listed(account.agencies.iter().map(|agency| agency.as_str())),
            languages: listed(account.languages.iter().map(Language::as_str)),
            password: credentials.map(|of| of.password.expose_secret().clone()),
            totp_secret: credentials.map(|of| of.totp_secret.expose_secret().clone()),
            recovery: listed(account.recovery.iter().map(Digest::as_str)),
            invitation: invitation.map(|of| of.token.as_str().to_owned()),
            invited_until: invitation.map(|of| of.until),
            invited_secret: invitation.map(|of| of.totp_secret.expose_secret().clone()),
            subject: account.subject.as_ref().map(|of| of.as_str().to_owned()),
        }
    }
}

fn listed<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.collect::<Vec<_>>().join(",")
}

pub(crate) fn items(listed: &str) -> impl Iterator<Item = &str> {
    listed.split(',').filter(|item| !item.is_empty())
}

/// An account's columns as they were read, in any database.
pub(crate) struct ReadAccount {
    pub id: AccountId,
    pub name: String,
    pub sign_in_name: String,
    pub role: String,
    pub agencies: String,
    pub languages: String,
    pub made_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    pub password: Option<String>,
    pub totp_secret: Option<String>,
    pub totp_step: i64,
    pub recovery: String,
    pub wrong_tries: i64,
    pub locked_until: Option<Timestamp>,
    pub invitation: Option<String>,
    pub invited_until: Option<Timestamp>,
    pub invited_secret: Option<String>,
    pub subject: Option<String>,
}

impl ReadAccount {
    pub fn account(self) -> Result<StoredAccount, StoreError> {
        let credentials = self.password.zip(self.totp_secret);
        let invitation = self
            .invitation
            .zip(self.invited_until)
            .zip(self.invited_secret);
        Ok(StoredAccount {
            id: self.id,
            name: self.name,
            sign_in_name: self.sign_in_name.parse().map_err(unreadable)?,
            role: self.role.parse().map_err(unreadable)?,
            agencies: items(&self.agencies)
                .map(str::parse)
                .collect::<Result<_, _>>()
                .map_err(unreadable)?,
            languages: items(&self.languages)
                .map(str::parse)
                .collect::<Result<_, _>>()
                .map_err(unreadable)?,
            made_at: self.made_at,
            closed_at: self.closed_at,
            credentials: credentials.map(|(password, totp_secret)| Credentials {
                password: Secret::new(password),
                totp_secret: Secret::new(totp_secret),
            }),
            totp_step: self.totp_step,
            recovery: items(&self.recovery)
                .map(|digest| Digest(digest.to_owned()))
                .collect(),
            wrong_tries: u32::try_from(self.wrong_tries).map_err(unreadable)?,
            locked_until: self.locked_until,
            invitation: invitation.map(|((token, until), secret)| StoredInvitation {
                token: Digest(token),
                until,
                totp_secret: Secret::new(secret),
            }),
            subject: self.subject.map(Digest),
        })
    }
}

/// A row that this program did not write, or not as it stands.
pub(crate) fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}
