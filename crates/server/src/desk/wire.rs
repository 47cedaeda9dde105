//! What several paths of the desk send and take: accounts, as colleagues see them.

use std::collections::BTreeSet;
use std::str::FromStr;

use desk::{Invited, State};
use platform::Invalid;
use redact::{Secret, expose_secret};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An account at the desk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccount {
    id: Uuid,
    name: String,
    sign_in_name: String,
    /// `officer`, `supervisor`, `administrator` or `auditor`.
    role: &'static str,
    agencies: Vec<&'static str>,
    /// Their codes (ISO 639).
    languages: Vec<String>,
    /// `invited`, `active`, `locked` or `closed`.
    state: &'static str,
    /// Until when nobody signs in with it, after too many wrong tries.
    #[serde(skip_serializing_if = "Option::is_none")]
    locked_until: Option<String>,
}

impl From<&desk::Account> for DeskAccount {
    fn from(account: &desk::Account) -> Self {
        let locked_until = match account.state {
            State::LockedUntil(until) => Some(until.to_string()),
            _ => None,
        };
        Self {
            id: account.id.0,
            name: account.name.clone(),
            sign_in_name: account.sign_in_name.to_string(),
            role: account.role.as_str(),
            agencies: account.agencies.iter().map(|it| it.as_str()).collect(),
            languages: account.languages.iter().map(|it| it.to_string()).collect(),
            state: account.state.as_str(),
            locked_until,
        }
    }
}

/// An invitation that is out. Its link is the page of the desk with the token behind a #.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskInvited {
    account: DeskAccount,
    /// Stands nowhere else: whoever has it gets in.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    token: Secret<String>,
    until: String,
}

impl From<Invited> for DeskInvited {
    fn from(invited: Invited) -> Self {
        Self {
            account: DeskAccount::from(&invited.account),
            until: invited.until.to_string(),
            token: invited.token,
        }
    }
}

/// A field that is a name of something, in words of its own where it is none.
pub fn read<T: FromStr<Err: std::fmt::Display>>(path: &str, text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|problem: T::Err| Invalid::Field {
        path: path.to_owned(),
        problem: problem.to_string(),
    })
}

/// The same of each in a list.
pub fn read_all<T: FromStr<Err: std::fmt::Display> + Ord>(
    path: &str,
    texts: &[String],
) -> Result<BTreeSet<T>, Invalid> {
    let numbered = texts.iter().enumerate();
    numbered
        .map(|(number, text)| read(&format!("{path}[{number}]"), text))
        .collect()
}
