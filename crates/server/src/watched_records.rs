//! The records, and whether they do as asked. What a caller says is tried until it is stored, and calls go on meanwhile:
//! this is how the server knows, and can say, that its storage fails.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use records::{
    By, CallId, CallKind, CallRecord, CallStore, Changes, FinishedCall, Found, Label, ListPage,
    NewCall, Past, Place, Purged, Records, StoreError, Turn, UnfinishedCall, VisitorId, Wanted,
};
use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

/// What the storage does not do at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub enum StorageTrouble {
    /// What is said is kept in memory and tried again; a crash would lose it.
    #[serde(rename = "records-not-stored")]
    NotStored,
    #[serde(rename = "records-not-read")]
    NotRead,
    /// The database could not be opened at the start: what is said is kept elsewhere until it can.
    #[serde(rename = "records-kept-aside")]
    KeptAside,
}

/// A failure that nothing has repeated for so long is no trouble any more. What waits to be stored is tried twice as often;
/// without it, a server that callers are kept from would never find out that its storage is well again.
const OVER_AFTER: Duration = Duration::from_mins(1);

/// How the latest write and the latest read went. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct StorageHealth {
    writes: Latest,
    reads: Latest,
    is_aside: bool,
}

/// When the latest of them failed, if it did.
#[derive(Debug, Clone, Default)]
struct Latest(Arc<Mutex<Option<Instant>>>);

impl StorageHealth {
    pub fn troubles(&self) -> Vec<StorageTrouble> {
        let (writes, reads) = (self.writes.fails(), self.reads.fails());
        [
            (writes, StorageTrouble::NotStored),
            (reads, StorageTrouble::NotRead),
            (self.is_aside, StorageTrouble::KeptAside),
        ]
        .into_iter()
        .filter_map(|(is_there, trouble)| is_there.then_some(trouble))
        .collect()
    }

    /// Whether these records are kept elsewhere than in their database.
    pub fn is_aside(&self) -> bool {
        self.is_aside
    }
}

impl Latest {
    fn fails(&self) -> bool {
        self.failed_at().is_some_and(|at| at.elapsed() < OVER_AFTER)
    }

    /// A call that the store does not know is no fault of the store.
    fn note<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        match &result {
            Ok(_) => *self.failed_at() = None,
            Err(StoreError::Unavailable(_) | StoreError::Failed(_)) => {
                *self.failed_at() = Some(Instant::now());
            }
            Err(
                StoreError::UnknownCall
                | StoreError::CallIdTaken
                | StoreError::HeldElsewhere
                | StoreError::OnHold,
            ) => {}
        }
        result
    }

    fn failed_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same records, and how they are. `is_aside` says that they are not in their database.
pub fn watched(records: Records, is_aside: bool) -> (Records, StorageHealth) {
    let health = StorageHealth {
        is_aside,
        ..StorageHealth::default()
    };
    let watched = Watched {
        records,
        health: health.clone(),
    };
    (Records::of(watched), health)
}

struct Watched {
    records: Records,
    health: StorageHealth,
}

#[async_trait]
impl CallStore for Watched {
    async fn hold(&self, lease: Duration, name: Option<&str>) -> Result<u64, StoreError> {
        // It is a node's sign of life and no record: for a file it writes nothing.
        self.records.hold(lease, name).await
    }

    async fn nodes(&self) -> Result<Vec<String>, StoreError> {
        self.records.nodes().await
    }

    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError> {
        self.health.writes.note(self.records.start_call(call).await)
    }

    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError> {
        self.health
            .writes
            .note(self.records.put_turn(call_id, turn).await)
    }

    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError> {
        self.health
            .writes
            .note(self.records.finish_call(call_id, call).await)
    }

    async fn call(&self, call_id: CallId) -> Result<Option<CallRecord>, StoreError> {
        self.health.reads.note(self.records.call(call_id).await)
    }

    async fn call_of(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<CallRecord>, StoreError> {
        self.health
            .reads
            .note(self.records.call_of(visitor, call_id).await)
    }

    async fn latest_of(&self, visitor: VisitorId) -> Result<Option<CallRecord>, StoreError> {
        self.health
            .reads
            .note(self.records.latest_of(visitor).await)
    }

    async fn visible_to(
        &self,
        visitor: VisitorId,
        after: Option<Place>,
        most: u32,
    ) -> Result<ListPage, StoreError> {
        self.health
            .reads
            .note(self.records.visible_to(visitor, after, most).await)
    }

    async fn find_calls(&self, wanted: Wanted) -> Result<Found, StoreError> {
        self.health
            .reads
            .note(self.records.find_calls(wanted).await)
    }

    async fn label_call(&self, call_id: CallId, label: Label) -> Result<bool, StoreError> {
        self.health
            .writes
            .note(self.records.label_call(call_id, label).await)
    }

    async fn left_behind(
        &self,
        kind: CallKind,
        since: Duration,
        most: u32,
    ) -> Result<Vec<UnfinishedCall>, StoreError> {
        self.health
            .reads
            .note(self.records.left_behind(kind, since, most).await)
    }

    async fn may_take(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<bool>, StoreError> {
        self.health
            .reads
            .note(self.records.may_take(visitor, call_id).await)
    }

    async fn take_call(&self, call_id: CallId) -> Result<Option<UnfinishedCall>, StoreError> {
        self.health
            .writes
            .note(self.records.take_call(call_id).await)
    }

    async fn give_back(&self, call_id: CallId) -> Result<(), StoreError> {
        self.health
            .writes
            .note(self.records.give_back(call_id).await)
    }

    async fn is_elsewhere(&self, call_id: CallId) -> Result<bool, StoreError> {
        self.health
            .reads
            .note(self.records.is_elsewhere(call_id).await)
    }

    async fn presume_over(
        &self,
        call_id: CallId,
        since: Duration,
        call: FinishedCall,
    ) -> Result<bool, StoreError> {
        self.health
            .writes
            .note(self.records.presume_over(call_id, since, call).await)
    }

    async fn delete_call_by(&self, call_id: CallId, by: By) -> Result<bool, StoreError> {
        self.health
            .writes
            .note(self.records.delete_call_by(call_id, by).await)
    }

    async fn purge(&self, past: Past, most: u32) -> Result<Purged, StoreError> {
        match self.records.purge(past, most).await {
            // Nothing was written, and so nothing is known of writing.
            Ok(purged) if purged.records == 0 => Ok(purged),
            purged => self.health.writes.note(purged),
        }
    }

    async fn leave(&self, visitor: VisitorId) -> Result<(), StoreError> {
        self.health.writes.note(self.records.leave(visitor).await)
    }

    async fn changes(&self) -> Result<Changes, StoreError> {
        self.records.changes().await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn failure() -> Result<(), StoreError> {
        Err(StoreError::Failed("the disk is full".into()))
    }

    #[tokio::test(start_paused = true)]
    async fn what_fails_is_told_until_it_succeeds_or_nothing_repeats_it_for_a_minute() {
        let health = StorageHealth::default();
        assert_eq!(health.troubles(), []);
        let _ = health.writes.note(failure());
        let _ = health.reads.note(failure());
        let both = [StorageTrouble::NotStored, StorageTrouble::NotRead];
        assert_eq!(health.troubles(), both);
        health.reads.note(Ok(())).unwrap();
        assert_eq!(health.troubles(), both[..1]);
        tokio::time::advance(Duration::from_secs(59)).await;
        assert_eq!(health.troubles(), both[..1]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(health.troubles(), []);
    }

    #[tokio::test]
    async fn a_call_that_is_not_known_is_no_trouble_and_no_cure() {
        let health = StorageHealth::default();
        let unknown = || Err::<(), _>(StoreError::UnknownCall);
        let _ = health.writes.note(unknown());
        assert_eq!(health.troubles(), []);
        let _ = health.writes.note(failure());
        let _ = health.writes.note(unknown());
        assert_eq!(health.troubles(), [StorageTrouble::NotStored]);
    }
}
