//! What has changed in the records, for whoever shows them: whose call, and which; never what is in it. Told once, in
//! whatever process it was stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinSet;

use crate::call_record::{CallId, VisitorId};

/// Changes that may wait for whoever hears of them. Beyond it a store in this process tells that some were missed, and one
/// on a server looks for them later.
pub(crate) const BEHIND: usize = 1024;

/// Something to read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A call of this visitor's has begun, gone on by a turn or ended.
    Of { visitor: VisitorId, call: CallId },
    /// The visitor has ended their session, on this node or another.
    Left(VisitorId),
    /// There were too many to tell, or some may have been passed over: read what is latest.
    Missed,
}

/// The changes of one store, from the moment this was asked for.
#[derive(Debug)]
pub struct Changes(Source);

#[derive(Debug)]
enum Source {
    /// A database that this process alone writes to.
    Here(broadcast::Receiver<Change>),
    /// One that others write to as well.
    Everywhere {
        told: mpsc::Receiver<Change>,
        bell: Bell,
        /// They end with this.
        _work: JoinSet<()>,
    },
}

/// Whether others' changes are heard of as they happen. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    pub(crate) fn new(rings: bool) -> Self {
        Self(Arc::new(AtomicBool::new(rings)))
    }

    pub(crate) fn set(&self, rings: bool) {
        self.0.store(rings, Ordering::Relaxed);
    }

    /// Where it does not, they are looked for every two seconds.
    pub fn rings(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Changes {
    pub(crate) fn here(told: broadcast::Receiver<Change>) -> Self {
        Self(Source::Here(told))
    }

    pub(crate) fn everywhere(told: mpsc::Receiver<Change>, bell: Bell, work: JoinSet<()>) -> Self {
        Self(Source::Everywhere {
            told,
            bell,
            _work: work,
        })
    }

    /// The next change; `None` when the store is gone. Cancel-safe.
    pub async fn next(&mut self) -> Option<Change> {
        match &mut self.0 {
            Source::Here(told) => match told.recv().await {
                Ok(change) => Some(change),
                Err(broadcast::error::RecvError::Lagged(_)) => Some(Change::Missed),
                Err(broadcast::error::RecvError::Closed) => None,
            },
            Source::Everywhere { told, .. } => told.recv().await,
        }
    }

    pub fn bell(&self) -> Bell {
        match &self.0 {
            Source::Here(_) => Bell::new(true),
            Source::Everywhere { bell, .. } => bell.clone(),
        }
    }
}
