//! Shifts in the records' SQLite file, through the records' one writer.

use async_trait::async_trait;
use jiff::Timestamp;
use records::{SqliteStore, StoreError};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Shift, ShiftId, ShiftStore};
use crate::audit::{NewEntry, What, Who};
use crate::desk::of_account;
use crate::sqlite::{moment, note};
use crate::store::unreadable;

pub(super) struct InSqlite(pub SqliteStore);

#[async_trait]
impl ShiftStore for InSqlite {
    async fn shifts(
        &self,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<Shift>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, account, begins, ends FROM desk_shifts WHERE begins < ? AND ends > ? \
             ORDER BY begins, id LIMIT ?",
        )
        .bind(until.as_microsecond())
        .bind(from.as_microsecond())
        .bind(most)
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(shift).collect()
    }

    async fn add_shift(&self, shift: Shift, entry: NewEntry) -> Result<bool, StoreError> {
        let mut write = self.0.write().await?;
        let overlaps: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM desk_shifts WHERE account = ? AND begins < ? AND ends > ?)",
        )
        .bind(shift.account.to_string())
        .bind(shift.ends.as_microsecond())
        .bind(shift.begins.as_microsecond())
        .fetch_one(&mut *write)
        .await?;
        if overlaps {
            return Ok(false);
        }
        sqlx::query("INSERT INTO desk_shifts (id, account, begins, ends) VALUES (?, ?, ?, ?)")
            .bind(shift.id.to_string())
            .bind(shift.account.to_string())
            .bind(shift.begins.as_microsecond())
            .bind(shift.ends.as_microsecond())
            .execute(&mut *write)
            .await?;
        note(&mut write, &entry).await?;
        write.commit().await?;
        Ok(true)
    }

    async fn remove_shift(&self, id: ShiftId, by: Who, at: Timestamp) -> Result<bool, StoreError> {
        let mut write = self.0.write().await?;
        let account: Option<String> =
            sqlx::query_scalar("DELETE FROM desk_shifts WHERE id = ? RETURNING account")
                .bind(id.to_string())
                .fetch_optional(&mut *write)
                .await?;
        let Some(account) = account else {
            return Ok(false);
        };
        let account = account.parse().map_err(unreadable)?;
        note(
            &mut write,
            &of_account(by, What::ShiftsChanged, account, at),
        )
        .await?;
        write.commit().await?;
        Ok(true)
    }
}

fn shift(row: &SqliteRow) -> Result<Shift, StoreError> {
    let id: String = row.try_get("id")?;
    let account: String = row.try_get("account")?;
    Ok(Shift {
        id: id.parse().map_err(unreadable)?,
        account: account.parse().map_err(unreadable)?,
        begins: moment(row.try_get("begins")?)?,
        ends: moment(row.try_get("ends")?)?,
    })
}
