//! Which calls this node has. Of several nodes on one database, one has a call at a time; with each that takes it the
//! call's epoch grows, and what is written in an earlier epoch, however late it comes, is refused. And which calls that
//! others left behind it has found that it cannot read.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use crate::call_record::{CallId, UnfinishedCall};
use crate::row::LeftAsItIs;

/// This node, and the epochs in which it has its calls.
#[derive(Debug)]
pub(crate) struct Holding {
    /// New with every start: what an earlier run had is not this one's.
    pub(crate) node: Uuid,
    epochs: Mutex<HashMap<CallId, i64>>,
    /// Rows of calls without an end that cannot be read. They are looked at, and told of, once a run: otherwise those
    /// behind them would not be reached.
    unreadable: Mutex<BTreeSet<i64>>,
}

/// Of a call that this node never had, or has no more.
const NO_EPOCH: i64 = -1;

impl Holding {
    pub(crate) fn new() -> Self {
        Self {
            node: Uuid::new_v4(),
            epochs: Mutex::default(),
            unreadable: Mutex::default(),
        }
    }

    pub(crate) fn epoch(&self, call: CallId) -> i64 {
        self.epochs().get(&call).copied().unwrap_or(NO_EPOCH)
    }

    pub(crate) fn has(&self, call: CallId, epoch: i64) {
        self.epochs().insert(call, epoch);
    }

    pub(crate) fn lets_go(&self, call: CallId) {
        self.epochs().remove(&call);
    }

    /// The rows that are left out when calls left behind are looked for.
    pub(crate) fn unreadable(&self) -> Vec<i64> {
        self.unreadable_rows().iter().copied().collect()
    }

    /// The calls that could be read of those that were found.
    pub(crate) fn readable(
        &self,
        found: impl IntoIterator<Item = Result<UnfinishedCall, LeftAsItIs>>,
    ) -> Vec<UnfinishedCall> {
        let remember = |left: &LeftAsItIs| {
            self.unreadable_rows().insert(left.id);
        };
        let readable = |call: Result<_, _>| call.inspect_err(remember).ok();
        found.into_iter().filter_map(readable).collect()
    }

    fn unreadable_rows(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.unreadable
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn epochs(&self) -> MutexGuard<'_, HashMap<CallId, i64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
