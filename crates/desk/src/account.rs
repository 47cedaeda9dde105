//! An account at the desk, as others see it. Nothing of a password or a code is in it.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use flow::Agency;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::permissions::Role;

/// In the order in which accounts were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AccountId(pub Uuid);

impl AccountId {
    pub(crate) fn new() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AccountId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// What colleagues see.
    pub name: String,
    pub sign_in_name: SignInName,
    pub role: Role,
    pub agencies: BTreeSet<Agency>,
    /// In which its holder can talk to a caller.
    pub languages: BTreeSet<Language>,
    pub state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its first invitation is not accepted yet.
    Invited,
    Active,
    /// After too many wrong tries nobody signs in until then. Sessions go on.
    LockedUntil(Timestamp),
    Closed,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invited => "invited",
            Self::Active => "active",
            Self::LockedUntil(_) => "locked",
            Self::Closed => "closed",
        }
    }
}

const LONGEST_NAME: usize = 80;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {LONGEST_NAME} characters, on one line")]
pub struct BadName;

/// What colleagues are to see, without the spaces around it.
pub(crate) fn sound_name(text: &str) -> Result<String, BadName> {
    let name = text.trim();
    let sound = !name.is_empty() && !name.contains(char::is_control);
    match sound && name.chars().count() <= LONGEST_NAME {
        true => Ok(name.to_owned()),
        false => Err(BadName),
    }
}

/// Longest of any address (RFC 5321 with its erratum 1690).
const LONGEST_SIGN_IN_NAME: usize = 254;

/// What somebody signs in with: of the form of an e-mail address, in small letters. Nothing is sent there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignInName(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a sign-in name: use the form of an e-mail address, such as mei@line.example")]
pub struct NotASignInName;

impl SignInName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SignInName {
    type Err = NotASignInName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().to_lowercase();
        let (local, domain) = text.split_once('@').ok_or(NotASignInName)?;
        // An authenticator app's address divides by a colon.
        let odd =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '@' | ':' | ',' | '"');
        let sound = !local.is_empty() && !domain.is_empty() && text.len() <= LONGEST_SIGN_IN_NAME;
        match sound && !local.contains(odd) && !domain.contains(odd) {
            true => Ok(Self(text)),
            false => Err(NotASignInName),
        }
    }
}

impl fmt::Display for SignInName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A language's code (ISO 639): en, zh, ms, ta.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a language: use its code of two or three letters, such as en, zh, ms or ta")]
pub struct NotALanguage;

impl Language {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Language {
    type Err = NotALanguage;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sound = matches!(text.len(), 2 | 3) && text.bytes().all(|b| b.is_ascii_lowercase());
        match sound {
            true => Ok(Self(text.to_owned())),
            false => Err(NotALanguage),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    pub(crate) fn account_of(role: Role) -> Account {
        Account {
            id: AccountId::new(),
            name: "Mei".to_owned(),
            sign_in_name: "mei@line.example".parse().unwrap(),
            role,
            agencies: [Agency::Pave].into(),
            languages: ["en".parse().unwrap()].into(),
            state: State::Active,
        }
    }

    #[test]
    fn a_sign_in_name_is_the_same_in_capitals_and_with_a_slip_of_the_space_bar() {
        let name = |text: &str| text.parse::<SignInName>();
        assert_eq!(name(" Mei@Line.Example "), name("mei@line.example"));
        for wrong in [
            "",
            "mei",
            "@line.example",
            "mei@",
            "a b@line.example",
            "a@b@c",
            "a:b@line.example",
        ] {
            assert_eq!(name(wrong), Err(NotASignInName), "{wrong}");
        }
        let long = format!("{}@line.example", "m".repeat(LONGEST_SIGN_IN_NAME));
        assert_eq!(name(&long), Err(NotASignInName));
    }

    #[test]
    fn a_language_is_told_by_its_code() {
        assert!("ta".parse::<Language>().is_ok());
        for wrong in ["", "e", "English", "EN", "en,zh"] {
            assert_eq!(wrong.parse::<Language>(), Err(NotALanguage), "{wrong}");
        }
    }

    #[test]
    fn accounts_are_ordered_as_they_were_made() {
        let (first, second) = (AccountId::new(), AccountId::new());
        assert!(first < second);
    }
}
