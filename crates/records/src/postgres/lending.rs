//! The lending of a connection to one operation, within a bound, and what becomes of one that is in doubt.

use std::pin::Pin;

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};

use super::PostgresStore;
use super::connecting::PATIENCE;
use crate::sealing::RecordsKeys;
use crate::store::StoreError;

/// What is done with a connection.
pub type Work<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

impl PostgresStore {
    /// What it seals with.
    pub fn keys(&self) -> &RecordsKeys {
        &self.keys
    }

    /// The connections themselves, for a library that takes them by itself. [`PostgresStore::run`] gives a doubtful one up,
    /// and is for everything else.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// Lends a connection to `work`, within the bounds of every operation here.
    pub async fn run<T>(
        &self,
        work: impl for<'c> FnOnce(&'c mut PgConnection) -> Work<'c, T>,
    ) -> Result<T, StoreError> {
        let mut lent = Lent(Some(self.pool.acquire().await?));
        let done = tokio::time::timeout(PATIENCE, work(lent.connection())).await;
        let done = done.unwrap_or_else(|late| Err(StoreError::Unavailable(Box::new(late))));
        if !matches!(
            done,
            Err(StoreError::Unavailable(_) | StoreError::Failed(_))
        ) {
            lent.give_back();
        }
        done
    }
}

/// A connection that goes back to the pool only where its work came to an end. In the pool a doubtful one would keep its
/// place for as long as nothing answers on it, and one to a server that has become a standby would refuse every write.
struct Lent(Option<PoolConnection<Postgres>>);

impl Lent {
    fn connection(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is given back by value")
    }

    fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.0 {
            connection.close_on_drop();
        }
    }
}
