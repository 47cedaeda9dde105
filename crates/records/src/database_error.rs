//! What a database answered, as the store's own errors: whether another try may help, and nothing that could quote what
//! was to be stored.

use std::error::Error;

use sqlx::postgres::PgDatabaseError;

use crate::postgres::Answer;
use crate::sqlite;
use crate::store::StoreError;

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let told = |worth_another_try, cause: Box<dyn Error + Send + Sync>| match worth_another_try
        {
            true => Self::Unavailable(cause),
            false => Self::Failed(cause),
        };
        match &error {
            sqlx::Error::Database(answer) => {
                match answer.try_downcast_ref::<PgDatabaseError>().map(Answer::of) {
                    Some(answer) => told(answer.is_worth_another_try(), Box::new(answer)),
                    None => told(sqlite::is_busy(answer.code().as_deref()), Box::new(error)),
                }
            }
            // Where it ends in the middle of an answer, a connection speaks no sense.
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::BeginFailed => told(true, Box::new(error)),
            _ => told(false, Box::new(error)),
        }
    }
}
