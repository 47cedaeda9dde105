//! What the server holds: the resources of every kind, over any database.

use std::fmt;
use std::sync::Arc;

use jiff::{Timestamp, Unit};
use records::{Database, StoreError};
use redact::Secret;
use uuid::Uuid;

use crate::resource::{Body, Kind, NewResource, Resource};
use crate::store::{self, Page, ResourceStore, Wanted};

/// How often a change is worked out anew because another came first. Each of them means that somebody's was stored.
const TRIES: u32 = 16;

/// Cheap to clone.
#[derive(Clone)]
pub struct Resources {
    store: Arc<dyn ResourceStore>,
}

/// Why a resource was not changed, with the reason of whoever works the change out.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError<E> {
    #[error("there is no such resource")]
    Unknown,
    #[error("{0}")]
    Refused(E),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Resources {
    /// In the database of the records.
    pub fn on(database: &Database) -> Self {
        Self {
            store: store::on(database),
        }
    }

    /// Keeps a new one; `None` where its id is taken.
    pub async fn add(
        &self,
        new: NewResource,
        now: Timestamp,
    ) -> Result<Option<Resource>, StoreError> {
        let now = to_the_microsecond(now);
        let resource = Resource {
            id: new.id.unwrap_or_else(Uuid::now_v7),
            kind: new.kind,
            created_at: now,
            updated_at: now,
            body: new.body,
            unopened: false,
            version: 1,
        };
        let added = self.store.add(&resource, new.content.as_ref()).await?;
        Ok(added.then_some(resource))
    }

    pub async fn get(&self, kind: Kind, id: Uuid) -> Result<Option<Resource>, StoreError> {
        self.store.resource(kind, id).await
    }

    /// What is in it; `None` also where nothing is.
    pub async fn content(
        &self,
        kind: Kind,
        id: Uuid,
    ) -> Result<Option<Secret<String>>, StoreError> {
        self.store.content(kind, id).await
    }

    pub async fn list(&self, kind: Kind, wanted: Wanted) -> Result<Page, StoreError> {
        self.store.list(kind, wanted).await
    }

    /// Changes what `change` makes of its body, which may be asked again where another change came first.
    pub async fn change<E>(
        &self,
        kind: Kind,
        id: Uuid,
        now: Timestamp,
        change: impl Fn(&Resource) -> Result<Body, E>,
    ) -> Result<Resource, ChangeError<E>> {
        for _ in 0..TRIES {
            let stands = self.store.resource(kind, id).await?;
            let mut stands = stands.ok_or(ChangeError::Unknown)?;
            if stands.unopened {
                let reason = "it is sealed with a key that is not set";
                return Err(StoreError::Failed(reason.into()).into());
            }
            stands.body = change(&stands).map_err(ChangeError::Refused)?;
            stands.updated_at = to_the_microsecond(now).max(stands.updated_at);
            stands.version += 1;
            if self.store.replace(&stands).await? {
                return Ok(stands);
            }
        }
        let reason = "it was changed over and over by others";
        Err(StoreError::Unavailable(reason.into()).into())
    }

    /// Removes one for good, and gives it as it was.
    pub async fn remove(&self, kind: Kind, id: Uuid) -> Result<Option<Resource>, StoreError> {
        let Some(resource) = self.store.resource(kind, id).await? else {
            return Ok(None);
        };
        let removed = self.store.remove(kind, id).await?;
        Ok(removed.then_some(resource))
    }

    /// Removes for good those of a kind that were made before that moment. How many there were.
    pub async fn forget(&self, kind: Kind, made_before: Timestamp) -> Result<u64, StoreError> {
        self.store.remove_made_before(kind, made_before).await
    }
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resources")
    }
}

fn to_the_microsecond(at: Timestamp) -> Timestamp {
    let rounding = jiff::TimestampRound::new()
        .smallest(Unit::Microsecond)
        .mode(jiff::RoundMode::Trunc);
    at.round(rounding).unwrap_or(at)
}
