//! Goes over many calls, a portion at a time: however many there are, no more than a portion is held. The next portion begins
//! where the last one ended, by time, so that calls which begin or are deleted meanwhile move none of the others.

use jiff::Timestamp;
use records::{CallRecord, Records, StoreError, Wanted};

pub struct Walk {
    wanted: Wanted,
    portion: u32,
    left: u64,
}

impl Walk {
    /// Over those that are wanted, at most so many.
    pub fn over(wanted: Wanted, portion: u32, most: Option<u32>) -> Self {
        Self {
            wanted: Wanted {
                counted: false,
                ..wanted
            },
            portion,
            left: most.map_or(u64::MAX, u64::from),
        }
    }

    /// The next of them; `None` after the last.
    pub async fn next(&mut self, records: &Records) -> Result<Option<Vec<CallRecord>>, StoreError> {
        let most = u64::from(self.portion).min(self.left);
        if most == 0 {
            return Ok(None);
        }
        self.wanted.most = u32::try_from(most).unwrap_or(self.portion);
        let found = records.find_calls(self.wanted.clone()).await?;
        // Rows that cannot be read are counted and not among the records.
        let rows = found.total.saturating_sub(u64::from(self.wanted.skip));
        self.left = match rows < most {
            true => 0,
            false => self.left - most,
        };
        self.go_on_after(&found.records, rows);
        Ok(Some(found.records))
    }

    fn go_on_after(&mut self, records: &[CallRecord], rows: u64) {
        let ends = records.first().zip(records.last());
        let ends = ends.map(|(first, last)| (tick(first), tick(last)));
        match ends {
            // All that began in the last millisecond so far are in this portion.
            Some((first, last)) if first != last && records.len() as u64 == rows => {
                let began = self.wanted.began;
                self.wanted.began = match self.wanted.newest_first {
                    true => began.until(last),
                    false => began.from(last),
                };
                let same = records.iter().filter(|record| tick(record) == last);
                self.wanted.skip = u32::try_from(same.count()).unwrap_or(u32::MAX);
            }
            _ => self.wanted.skip = self.wanted.skip.saturating_add(self.wanted.most),
        }
    }
}

/// Windows are of whole milliseconds.
fn tick(record: &CallRecord) -> Timestamp {
    Timestamp::from_millisecond(record.started_at.as_millisecond()).unwrap_or(record.started_at)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use records::{CallId, CallKind, NewCall};

    use super::*;

    /// Seven calls, three of them in one millisecond.
    async fn records() -> (Records, Vec<CallId>) {
        let records = Records::open("sqlite::memory:").await.unwrap();
        let mut ids = Vec::new();
        for micros in [0, 5_000, 9_001, 9_002, 9_003, 12_000, 20_000] {
            let call_id = CallId::random();
            let began: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
            let call = NewCall {
                call_id,
                visitor: None,
                started_at: began + Duration::from_micros(micros),
                kind: CallKind::WebCall,
                notice: None,
            };
            records.start_call(call).await.unwrap();
            ids.push(call_id);
        }
        (records, ids)
    }

    async fn walked(mut walk: Walk, records: &Records) -> Vec<CallId> {
        let mut ids = Vec::new();
        while let Some(portion) = walk.next(records).await.unwrap() {
            ids.extend(portion.iter().map(|record| record.call_id));
        }
        ids
    }

    #[tokio::test]
    async fn every_call_is_met_once_in_order_however_small_the_portions() {
        let (records, mut ids) = records().await;
        for newest_first in [false, true] {
            for portion in 1..9 {
                let wanted = Wanted {
                    newest_first,
                    ..Wanted::of(CallKind::WebCall, 1)
                };
                let walk = Walk::over(wanted.clone(), portion, None);
                assert_eq!(walked(walk, &records).await, ids, "by {portion}");
                let some = Walk::over(wanted, portion, Some(4));
                assert_eq!(walked(some, &records).await, ids[..4], "by {portion}");
            }
            ids.reverse();
        }
    }
}
