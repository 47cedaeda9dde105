//! The records, and whether they do as asked. What a caller says is tried until it is stored, and calls go on meanwhile:
//! this is how the server knows, and can say, that its storage fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use records::{
    CallId, CallRecord, CallStore, FinishedCall, ListPage, NewCall, Place, Records, StoreError,
    Turn, UnfinishedCall, VisitorId,
};
use serde::Serialize;
use utoipa::ToSchema;

/// What the storage does not do at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StorageTrouble {
    /// What is said is kept in memory and tried again; a crash would lose it.
    RecordsNotStored,
    RecordsNotRead,
}

/// How the latest write and the latest read went. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct StorageHealth(Arc<Latest>);

#[derive(Debug, Default)]
struct Latest {
    write_failed: AtomicBool,
    read_failed: AtomicBool,
}

impl StorageHealth {
    pub fn troubles(&self) -> Vec<StorageTrouble> {
        let Latest {
            write_failed,
            read_failed,
        } = &*self.0;
        [
            (write_failed, StorageTrouble::RecordsNotStored),
            (read_failed, StorageTrouble::RecordsNotRead),
        ]
        .into_iter()
        .filter_map(|(failed, trouble)| failed.load(Ordering::Relaxed).then_some(trouble))
        .collect()
    }

    fn wrote<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        noted(&self.0.write_failed, result)
    }

    fn read<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        noted(&self.0.read_failed, result)
    }
}

/// A call that the store does not know is no fault of the store.
fn noted<T>(failed: &AtomicBool, result: Result<T, StoreError>) -> Result<T, StoreError> {
    match &result {
        Ok(_) => failed.store(false, Ordering::Relaxed),
        Err(StoreError::Unavailable(_) | StoreError::Failed(_)) => {
            failed.store(true, Ordering::Relaxed);
        }
        Err(StoreError::UnknownCall | StoreError::CallIdTaken) => {}
    }
    result
}

/// The same records, and how they are.
pub fn watched(records: Records) -> (Records, StorageHealth) {
    let health = StorageHealth::default();
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
    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError> {
        self.health.wrote(self.records.start_call(call).await)
    }

    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError> {
        self.health
            .wrote(self.records.put_turn(call_id, turn).await)
    }

    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError> {
        self.health
            .wrote(self.records.finish_call(call_id, call).await)
    }

    async fn call(&self, call_id: CallId) -> Result<Option<CallRecord>, StoreError> {
        self.health.read(self.records.call(call_id).await)
    }

    async fn call_of(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<CallRecord>, StoreError> {
        self.health
            .read(self.records.call_of(visitor, call_id).await)
    }

    async fn latest_of(&self, visitor: VisitorId) -> Result<Option<CallRecord>, StoreError> {
        self.health.read(self.records.latest_of(visitor).await)
    }

    async fn visible_to(
        &self,
        visitor: VisitorId,
        after: Option<Place>,
        most: u32,
    ) -> Result<ListPage, StoreError> {
        self.health
            .read(self.records.visible_to(visitor, after, most).await)
    }

    async fn unfinished(&self) -> Result<Vec<UnfinishedCall>, StoreError> {
        self.health.read(self.records.unfinished().await)
    }

    async fn delete_call(&self, call_id: CallId) -> Result<bool, StoreError> {
        self.health.wrote(self.records.delete_call(call_id).await)
    }

    async fn purge_ended_before(&self, moment: Timestamp, most: u32) -> Result<u64, StoreError> {
        self.health
            .wrote(self.records.purge_ended_before(moment, most).await)
    }
}
