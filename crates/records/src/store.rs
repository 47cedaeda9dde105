//! The contract of every store. What it must do beyond its signatures is told as a story
//! in `tests/contract.rs`, run on each database.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::call_record::{
    CallId, CallRecord, FinishedCall, NewCall, Turn, UnfinishedCall, VisitorId,
};
use crate::changes::Changes;
use crate::list::{ListPage, Place};

/// Why the store did not do as asked. Holds nothing of what was to be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no call with this id: start it first")]
    UnknownCall,
    #[error("a call with this id exists already for someone else: take a new id")]
    CallIdTaken,
    /// It is stored whole or not at all, and nobody knows which; asking again is safe, for
    /// every operation.
    #[error("the record store is busy or out of reach: try again")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the record store failed: look at its disk and at the cause")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Where calls are kept. Every operation is safe to repeat, and when it returns `Ok` its
/// change survives a crash of this machine.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Begins a record, numbered with the highest existing number plus 1. Repeated, it
    /// gives the record as it stands.
    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError>;

    /// Keeps one turn, replacing an earlier version of it. A turn that arrives after its
    /// call has ended is dropped: the final transcript stands.
    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError>;

    /// Ends a record: its messages replace those of the turns, and the saved conversation
    /// is forgotten. The first end stands; a repeated one changes nothing.
    async fn finish_call(&self, call_id: CallId, call: FinishedCall) -> Result<(), StoreError>;

    /// Any record. Whether it may be shown to whoever asks is not looked at.
    async fn call(&self, call_id: CallId) -> Result<Option<CallRecord>, StoreError>;

    /// A record, if it is this visitor's.
    async fn call_of(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<CallRecord>, StoreError>;

    /// This visitor's newest record.
    async fn latest_of(&self, visitor: VisitorId) -> Result<Option<CallRecord>, StoreError>;

    /// The samples and this visitor's own records in the list's order: those after `after`, or the first, and `most` of
    /// them. Without their messages.
    async fn visible_to(
        &self,
        visitor: VisitorId,
        after: Option<Place>,
        most: u32,
    ) -> Result<ListPage, StoreError>;

    /// Calls that have begun and not ended, oldest first: after a start, those that a
    /// crash cut off.
    async fn unfinished(&self) -> Result<Vec<UnfinishedCall>, StoreError>;

    /// Removes a record for good, its words overwritten on disk: by SQLite now, by PostgreSQL
    /// when it reuses their room. `false` if there was none.
    async fn delete_call(&self, call_id: CallId) -> Result<bool, StoreError>;

    /// Removes, as [`CallStore::delete_call`] does, records that ended before `moment`, the earliest first and `most` of
    /// them, except samples. Gives their number. What earlier deletions had to leave on disk is overwritten now, also
    /// when none is to be removed.
    async fn purge_ended_before(&self, moment: Timestamp, most: u32) -> Result<u64, StoreError>;

    /// The visitor has ended their session: every server is told by its [`Changes`], to end what it holds of them. Their
    /// records stay.
    async fn leave(&self, visitor: VisitorId) -> Result<(), StoreError>;

    /// What changes from now on, whichever server stores it. For one listener in a process, which tells the others.
    async fn changes(&self) -> Result<Changes, StoreError>;
}
