//! Which calls this node has. Of several nodes on one database, one has a call at a time; with each that takes it the
//! call's epoch grows, and what is written in an earlier epoch, however late it comes, is refused.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use crate::call_record::CallId;

/// This node, and the epochs in which it has its calls.
#[derive(Debug)]
pub(crate) struct Holding {
    /// New with every start: what an earlier run had is not this one's.
    pub(crate) node: Uuid,
    epochs: Mutex<HashMap<CallId, i64>>,
}

/// Of a call that this node never had, or has no more.
const NO_EPOCH: i64 = -1;

impl Holding {
    pub(crate) fn new() -> Self {
        Self {
            node: Uuid::new_v4(),
            epochs: Mutex::default(),
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

    fn epochs(&self) -> MutexGuard<'_, HashMap<CallId, i64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
