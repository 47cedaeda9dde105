//! Deleting records from a file, with the receipts of those that were cases. The transaction has the write lock: nobody puts
//! one on hold meanwhile.

use super::SqliteStore;
use crate::call_record::CallId;
use crate::forgetting::{DUE, Forget, Purged, call_id, leave_out_held, receipts};
use crate::forgetting::{select_cases, select_stored};
use crate::store::StoreError;

impl SqliteStore {
    pub(super) async fn forget(&self, what: Forget) -> Result<Purged, StoreError> {
        let forgotten = self.forget_and_commit(what).await?;
        self.empty_log().await;
        Ok(forgotten)
    }

    async fn forget_and_commit(&self, what: Forget) -> Result<Purged, StoreError> {
        let (at, who) = (what.at().as_microsecond(), what.who());
        let mut write = self.write().await?;
        let mut records = match what {
            Forget::This(record, _) => vec![record],
            Forget::Past(past, most) => {
                let due = sqlx::query(DUE)
                    .bind(past.ended_before.as_microsecond())
                    .bind(at)
                    .bind(most)
                    .fetch_all(&mut *write)
                    .await?;
                due.iter().map(call_id).collect::<Result<_, _>>()?
            }
        };
        let cases = sqlx::query(select_cases!("IN (SELECT value FROM json_each($1))"))
            .bind(listed(&records))
            .bind(at)
            .fetch_all(&mut *write)
            .await?;
        leave_out_held(what, &mut records, &cases)?;
        let records = listed(&records);
        let stored = sqlx::query(select_stored!("IN (SELECT value FROM json_each($1))"))
            .bind(&records)
            .fetch_all(&mut *write)
            .await?;
        let mut purged = Purged::default();
        for receipt in receipts(what, &cases, &stored)? {
            sqlx::query(
                "INSERT OR REPLACE INTO desk_receipts (call_id, deleted_at, why, who, kinds, hash) \
                 VALUES (?, ?, ?, ?, ?, ?)",
            )
            .bind(receipt.call_id.to_string())
            .bind(at)
            .bind(receipt.why)
            .bind(who)
            .bind(receipt.kinds)
            .bind(receipt.hash)
            .execute(&mut *write)
            .await?;
            purged.cases.push(receipt.call_id);
        }
        // A case goes with its call; those that have none are left.
        for delete in [
            "DELETE FROM calls WHERE call_id IN (SELECT value FROM json_each(?))",
            "DELETE FROM desk_cases WHERE call_id IN (SELECT value FROM json_each(?))",
        ] {
            let deleted = sqlx::query(delete)
                .bind(&records)
                .execute(&mut *write)
                .await?;
            purged.records += deleted.rows_affected();
        }
        write.commit().await?;
        Ok(purged)
    }
}

fn listed(records: &[CallId]) -> String {
    let ids: Vec<String> = records.iter().map(CallId::to_string).collect();
    serde_json::json!(ids).to_string()
}
