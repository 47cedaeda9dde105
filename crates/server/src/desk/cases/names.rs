//! What colleagues call each other, for whatever shows who did something.

use std::collections::HashMap;

use desk::AccountId;
use jiff::Timestamp;

use super::wire::DeskPerson;
use crate::app::App;
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// The names of all accounts, closed ones too.
pub struct Names(HashMap<AccountId, String>);

/// In the place of a name that is not there any more.
const SOMEBODY: &str = "Somebody";

impl Names {
    pub async fn read(app: &App) -> Result<Self, ApiError> {
        let accounts = stored(app.desk.accounts(Timestamp::now()).await)?;
        let names = accounts.into_iter().map(|it| (it.id, it.name));
        Ok(Self(names.collect()))
    }

    /// None where the account is gone.
    pub fn known(&self, id: AccountId) -> Option<String> {
        self.0.get(&id).cloned()
    }

    pub fn of(&self, id: AccountId) -> String {
        self.known(id).unwrap_or_else(|| SOMEBODY.to_owned())
    }

    pub fn person(&self, id: AccountId) -> DeskPerson {
        DeskPerson {
            id: id.0,
            name: self.of(id),
        }
    }
}
