//! Leases where one program has the file: who else ever had a call is gone since the file was opened, and this program's
//! own lease is in its memory.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::call_record::{CallId, CallKind};
use crate::holding::Holding;

#[derive(Debug)]
pub(super) struct Leases {
    pub(super) holding: Holding,
    opened: Instant,
    /// None that was ever asked for.
    until: Mutex<Option<Instant>>,
    name: Mutex<Option<String>>,
}

impl Leases {
    pub(super) fn new() -> Self {
        Self {
            holding: Holding::new(),
            opened: Instant::now(),
            until: Mutex::default(),
            name: Mutex::default(),
        }
    }

    pub(super) fn hold(&self, lease: Duration, name: Option<&str>) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + lease);
        *self.name.lock().unwrap_or_else(PoisonError::into_inner) = name.map(str::to_owned);
    }

    /// What this node is found by, while its lease goes on.
    pub(super) fn name(&self) -> Option<String> {
        let name = self.name.lock().unwrap_or_else(PoisonError::into_inner);
        name.clone().filter(|_| !self.own_ended(Duration::ZERO))
    }

    /// Whether this node's own lease ended so long ago.
    pub(super) fn own_ended(&self, since: Duration) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_none_or(|until| Instant::now() >= until + since)
    }

    pub(super) fn others_ended(&self, since: Duration) -> bool {
        self.opened.elapsed() >= since
    }

    /// Whether the lease on this call ended so long ago.
    pub(super) fn has_ended(&self, row: &SqliteRow, since: Duration) -> Result<bool, sqlx::Error> {
        let holder: Option<String> = row.try_get("holder")?;
        Ok(match holder {
            Some(holder) if holder == self.holding.node.to_string() => self.own_ended(since),
            _ => self.others_ended(since),
        })
    }

    pub(super) fn may_take(&self, row: &SqliteRow) -> Result<bool, sqlx::Error> {
        let holder: Option<String> = row.try_get("holder")?;
        let kind: String = row.try_get("kind")?;
        let here = holder == Some(self.holding.node.to_string());
        Ok(here || kind == CallKind::Chat.as_str() || self.others_ended(Duration::ZERO))
    }

    /// Notes the epoch of a call that was begun, if it was begun here.
    pub(super) fn knows(&self, call: CallId, row: &SqliteRow) -> Result<(), sqlx::Error> {
        if row.try_get::<Option<String>, _>("holder")? == Some(self.holding.node.to_string()) {
            self.holding.has(call, row.try_get("epoch")?);
        }
        Ok(())
    }

    /// Whether this node has the call in the epoch that the row tells.
    pub(super) fn is_held(&self, call: CallId, row: &SqliteRow) -> Result<bool, sqlx::Error> {
        let holder: Option<String> = row.try_get("holder")?;
        Ok(holder == Some(self.holding.node.to_string())
            && row.try_get::<i64, _>("epoch")? == self.holding.epoch(call))
    }
}
