//! Which records have changed: said by the records, heard by open pages. It carries whose record
//! and which, never what is in it; who hears it reads the record itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use records::{CallId, VisitorId};
use tokio::sync::broadcast;

/// Changes that a slow listener may fall behind before it misses some.
const BEHIND: usize = 64;
/// Event streams one visitor may have open: some tabs, and none left for a flood.
const STREAMS_PER_VISITOR: usize = 8;

/// Tells each visitor's pages about that visitor's records.
#[derive(Debug, Clone, Default)]
pub struct Notifications {
    channels: Arc<Mutex<HashMap<VisitorId, broadcast::Sender<Change>>>>,
}

/// One open page.
#[derive(Debug)]
pub struct Listening {
    visitor: VisitorId,
    changes: Option<broadcast::Receiver<Change>>,
    channels: Notifications,
}

/// Something to read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Of(CallId),
    /// Some changes were missed, of any of the visitor's records.
    Missed,
}

/// The visitor has as many streams open as one may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many event streams of one visitor")]
pub struct TooMany;

impl Notifications {
    /// Says that a visitor's record has changed. Waits for nobody.
    pub fn changed(&self, visitor: VisitorId, call: CallId) {
        if let Some(channel) = self.channels().get(&visitor) {
            // Nobody listening any more is no loss.
            let _ = channel.send(Change::Of(call));
        }
    }

    /// Says that any record may have changed.
    pub fn missed(&self) {
        for channel in self.channels().values() {
            let _ = channel.send(Change::Missed);
        }
    }

    /// Ends the streams of a visitor who leaves.
    pub fn close(&self, visitor: VisitorId) {
        self.channels().remove(&visitor);
    }

    pub fn listen(&self, visitor: VisitorId) -> Result<Listening, TooMany> {
        let mut channels = self.channels();
        let channel = channels
            .entry(visitor)
            .or_insert_with(|| broadcast::Sender::new(BEHIND));
        if channel.receiver_count() >= STREAMS_PER_VISITOR {
            return Err(TooMany);
        }
        Ok(Listening {
            visitor,
            changes: Some(channel.subscribe()),
            channels: self.clone(),
        })
    }

    fn channels(&self) -> std::sync::MutexGuard<'_, HashMap<VisitorId, broadcast::Sender<Change>>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listening {
    /// The next change. Cancel-safe.
    pub async fn next(&mut self) -> Option<Change> {
        match self.changes.as_mut()?.recv().await {
            Ok(change) => Some(change),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Change::Missed),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// The visitor has left: what was not told yet is told nobody.
    pub fn is_over(&self) -> bool {
        let open = self.changes.as_ref();
        open.is_none_or(broadcast::Receiver::is_closed)
    }
}

impl Drop for Listening {
    /// Takes the visitor's channel away with the last page.
    fn drop(&mut self) {
        self.changes = None;
        let mut channels = self.channels.channels();
        if channels
            .get(&self.visitor)
            .is_some_and(|channel| channel.receiver_count() == 0)
        {
            channels.remove(&self.visitor);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use uuid::Uuid;

    #[tokio::test]
    async fn a_visitor_hears_of_their_own_records_only() {
        let notifications = Notifications::default();
        let (mine, other) = (VisitorId(Uuid::new_v4()), VisitorId(Uuid::new_v4()));
        let mut page = notifications.listen(mine).unwrap();
        let call = CallId(Uuid::new_v4());
        notifications.changed(other, CallId(Uuid::new_v4()));
        notifications.changed(mine, call);
        assert_eq!(page.next().await, Some(Change::Of(call)));
    }

    #[tokio::test]
    async fn a_page_that_fell_behind_is_told_so() {
        let notifications = Notifications::default();
        let visitor = VisitorId(Uuid::new_v4());
        let mut page = notifications.listen(visitor).unwrap();
        for _ in 0..=BEHIND {
            notifications.changed(visitor, CallId(Uuid::new_v4()));
        }
        assert_eq!(page.next().await, Some(Change::Missed));
    }

    #[tokio::test]
    async fn every_page_is_told_where_nobody_knows_what_has_changed() {
        let notifications = Notifications::default();
        let pages = [(); 2].map(|()| notifications.listen(VisitorId::random()).unwrap());
        notifications.missed();
        for mut page in pages {
            assert_eq!(page.next().await, Some(Change::Missed));
        }
    }

    #[tokio::test]
    async fn the_streams_of_a_visitor_who_leaves_end() {
        let notifications = Notifications::default();
        let visitor = VisitorId(Uuid::new_v4());
        let mut page = notifications.listen(visitor).unwrap();
        assert!(!page.is_over());
        notifications.close(visitor);
        assert!(page.is_over());
        assert_eq!(page.next().await, None);
        let mut again = notifications.listen(visitor).unwrap();
        drop(page);
        let call = CallId(Uuid::new_v4());
        notifications.changed(visitor, call);
        assert_eq!(again.next().await, Some(Change::Of(call)));
    }

    #[test]
    fn streams_are_bounded_and_leave_nothing_behind() {
        let notifications = Notifications::default();
        let visitor = VisitorId(Uuid::new_v4());
        let open: Vec<_> = (0..STREAMS_PER_VISITOR)
            .map(|_| notifications.listen(visitor).unwrap())
            .collect();
        assert_eq!(notifications.listen(visitor).unwrap_err(), TooMany);
        drop(open);
        assert!(notifications.channels().is_empty());
    }
}
