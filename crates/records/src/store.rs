//! The contract of every store. What it must do beyond its signatures is told as a story
//! in `tests/contract`, run on each database.

use std::time::Duration;

use async_trait::async_trait;

use crate::call_record::{
    CallId, CallKind, CallRecord, FinishedCall, NewCall, Turn, UnfinishedCall, VisitorId,
};
use crate::changes::Changes;
use crate::finding::{Found, Wanted};
use crate::forgetting::{By, Past, Purged};
use crate::label::Label;
use crate::list::{ListPage, Place};

/// Why the store did not do as asked. Holds nothing of what was to be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no call with this id: start it first")]
    UnknownCall,
    #[error("a call with this id exists already for someone else: take a new id")]
    CallIdTaken,
    #[error("another node has this call: ask there, or take it when that node is gone")]
    HeldElsewhere,
    #[error("this record is on hold: end its hold at the desk first")]
    OnHold,
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
    /// For so long from now on, this node answers for the calls that it began or took. Asked for
    /// again and again while it runs; a node that never does answers for none. Others find it by `name`, if it has one.
    /// Gives how many other nodes answer for theirs.
    async fn hold(&self, lease: Duration, name: Option<&str>) -> Result<u64, StoreError>;

    /// The names of the nodes that answer for their calls, each once and in order; those without a name are not among them.
    async fn nodes(&self) -> Result<Vec<String>, StoreError>;

    /// Begins a record, numbered with the highest existing number plus 1, and this node has the
    /// call. Repeated, it gives the record as it stands.
    async fn start_call(&self, call: NewCall) -> Result<CallRecord, StoreError>;

    /// Keeps one turn of a call that this node has, replacing an earlier version of it. A turn that
    /// arrives after its call has ended is dropped: the final transcript stands.
    async fn put_turn(&self, call_id: CallId, turn: Turn) -> Result<(), StoreError>;

    /// Ends the record of a call that this node has: its messages replace those of the turns, and
    /// the saved conversation is forgotten. The first end stands, unless it was presumed; a
    /// repeated one changes nothing.
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

    /// Calls that a program looks for, whoever's they are, with their messages.
    async fn find_calls(&self, wanted: Wanted) -> Result<Found, StoreError>;

    /// Says of a call what the program says that asked for it. `false` if there is no such record.
    async fn label_call(&self, call_id: CallId, label: Label) -> Result<bool, StoreError>;

    /// Calls of this kind without an end whose node has not answered for them for so long, the
    /// oldest first and `most` of them.
    async fn left_behind(
        &self,
        kind: CallKind,
        since: Duration,
        most: u32,
    ) -> Result<Vec<UnfinishedCall>, StoreError>;

    /// Whether a live call of this visitor that has no end may be taken; `None` where there is no
    /// such call.
    async fn may_take(
        &self,
        visitor: VisitorId,
        call_id: CallId,
    ) -> Result<Option<bool>, StoreError>;

    /// Takes a call without an end, and gives what is durable of it; `None` where there is none, or it
    /// cannot be read. A
    /// live call is taken from a node that no longer answers for it, and is otherwise
    /// [`StoreError::HeldElsewhere`]. A written conversation is taken from whoever has it: between
    /// two exchanges all of it is here.
    async fn take_call(&self, call_id: CallId) -> Result<Option<UnfinishedCall>, StoreError>;

    /// Gives back a call that this node took, for whoever takes it next.
    async fn give_back(&self, call_id: CallId) -> Result<(), StoreError>;

    /// Whether a call that this node began or took has been taken by another since.
    async fn is_elsewhere(&self, call_id: CallId) -> Result<bool, StoreError>;

    /// Ends a call for a node that has not answered for it for so long: a presumed end. `false` where it has an
    /// end, or its node is back.
    async fn presume_over(
        &self,
        call_id: CallId,
        since: Duration,
        call: FinishedCall,
    ) -> Result<bool, StoreError>;

    /// Removes a record for good, its words overwritten on disk: by SQLite now, by PostgreSQL
    /// when it reuses their room. Whoever runs the server was asked to: of a case the receipt says so. `false` if there was
    /// none; one that is on hold is [`StoreError::OnHold`].
    async fn delete_call_by(&self, call_id: CallId, by: By) -> Result<bool, StoreError>;

    /// The same from the command line.
    async fn delete_call(&self, call_id: CallId) -> Result<bool, StoreError> {
        self.delete_call_by(call_id, By::CommandLine).await
    }

    /// Removes, as [`CallStore::delete_call_by`] does, records that are past their time, the earliest first and `most` of
    /// them, except samples and what is on hold; of each case a receipt remains. What earlier deletions had to leave on disk
    /// is overwritten now, also when none is to be removed.
    async fn purge(&self, past: Past, most: u32) -> Result<Purged, StoreError>;

    /// The visitor has ended their session: every server is told by its [`Changes`], to end what it holds of them, and a call
    /// of theirs that nobody holds is left behind as one that its visitor has left. Their records stay.
    async fn leave(&self, visitor: VisitorId) -> Result<(), StoreError>;

    /// What changes from now on, whichever server stores it. For one listener in a process, which tells the others.
    async fn changes(&self) -> Result<Changes, StoreError>;
}
