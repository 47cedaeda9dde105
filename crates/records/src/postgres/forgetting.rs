//! Deleting records from PostgreSQL, with the receipts of those that were cases. The records are locked before it is decided
//! what becomes of them: who puts one on hold, or opens it again, meanwhile waits and finds it gone, and who was before is seen.

use jiff_sqlx::ToSqlx;
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::PostgresStore;
use crate::call_record::CallId;
use crate::forgetting::{DUE, Forget, Purged, call_id, leave_out_held, receipts};
use crate::forgetting::{select_cases, select_stored};
use crate::store::StoreError;

impl PostgresStore {
    pub(super) async fn forget(&self, what: Forget) -> Result<Purged, StoreError> {
        let (at, who) = (what.at(), what.who());
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let mut records = due(&mut write, what).await?;
                for lock in [
                    "SELECT FROM calls WHERE call_id = ANY ($1) ORDER BY call_id FOR UPDATE",
                    "SELECT FROM desk_cases WHERE call_id = ANY ($1) ORDER BY call_id FOR UPDATE",
                ] {
                    sqlx::query(lock)
                        .bind(ids(&records))
                        .execute(&mut *write)
                        .await?;
                }
                let still_due = due(&mut write, what).await?;
                records.retain(|record| still_due.contains(record));
                let cases = sqlx::query(select_cases!("= ANY ($1)"))
                    .bind(ids(&records))
                    .bind(at.to_sqlx())
                    .fetch_all(&mut *write)
                    .await?;
                if let Err(refused) = leave_out_held(what, &mut records, &cases) {
                    write.rollback().await?;
                    return Err(refused);
                }
                let stored = sqlx::query(select_stored!("= ANY ($1)"))
                    .bind(ids(&records))
                    .fetch_all(&mut *write)
                    .await?;
                let mut purged = Purged::default();
                let (mut whys, mut kinds, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
                for receipt in receipts(what, &cases, &stored)? {
                    purged.cases.push(receipt.call_id);
                    whys.push(receipt.why);
                    kinds.push(receipt.kinds);
                    hashes.push(receipt.hash);
                }
                sqlx::query(
                    "INSERT INTO desk_receipts (call_id, deleted_at, why, who, kinds, hash) \
                     SELECT call_id, $5, why, $6, kinds, hash \
                     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS of_each (call_id, why, kinds, hash) \
                     ON CONFLICT (call_id) DO UPDATE SET deleted_at = excluded.deleted_at, \
                     why = excluded.why, who = excluded.who, kinds = excluded.kinds, hash = excluded.hash",
                )
                .bind(ids(&purged.cases))
                .bind(whys)
                .bind(kinds)
                .bind(hashes)
                .bind(at.to_sqlx())
                .bind(who)
                .execute(&mut *write)
                .await?;
                // A case goes with its call; those that have none are left.
                for delete in [
                    "DELETE FROM calls WHERE call_id = ANY ($1)",
                    "DELETE FROM desk_cases WHERE call_id = ANY ($1)",
                ] {
                    let deleted = sqlx::query(delete)
                        .bind(ids(&records))
                        .execute(&mut *write)
                        .await?;
                    purged.records += deleted.rows_affected();
                }
                write.commit().await?;
                Ok(purged)
            })
        })
        .await
    }
}

async fn due(write: &mut PgConnection, what: Forget) -> Result<Vec<CallId>, StoreError> {
    let (past, most) = match what {
        Forget::This(record, _) => return Ok(vec![record]),
        Forget::Past(past, most) => (past, most),
    };
    let due = sqlx::query(DUE)
        .bind(past.ended_before.to_sqlx())
        .bind(past.now.to_sqlx())
        .bind(i64::from(most))
        .fetch_all(write)
        .await?;
    due.iter().map(call_id).collect()
}

fn ids(records: &[CallId]) -> Vec<Uuid> {
    records.iter().map(|record| record.0).collect()
}
