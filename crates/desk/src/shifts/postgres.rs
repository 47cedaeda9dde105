//! Shifts in the records' PostgreSQL database. Who plans one locks its account: of two that overlap one is refused.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as Stored, ToSqlx};
use records::{PostgresStore, StoreError};
use sqlx::postgres::PgRow;
use sqlx::{Connection, Row};
use uuid::Uuid;

use super::{Shift, ShiftId, ShiftStore};
use crate::account::AccountId;
use crate::audit::{NewEntry, What, Who};
use crate::desk::of_account;
use crate::postgres::note;

pub(super) struct InPostgres(pub PostgresStore);

#[async_trait]
impl ShiftStore for InPostgres {
    async fn shifts(
        &self,
        from: Timestamp,
        until: Timestamp,
        most: u32,
    ) -> Result<Vec<Shift>, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let rows = sqlx::query(
                        "SELECT id, account, begins, ends FROM desk_shifts WHERE begins < $1 AND ends > $2 \
                         ORDER BY begins, id LIMIT $3",
                    )
                    .bind(until.to_sqlx())
                    .bind(from.to_sqlx())
                    .bind(i64::from(most))
                    .fetch_all(connection)
                    .await?;
                    rows.iter().map(shift).collect()
                })
            })
            .await
    }

    async fn add_shift(&self, shift: Shift, entry: NewEntry) -> Result<bool, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    sqlx::query("SELECT FROM desk_accounts WHERE id = $1 FOR NO KEY UPDATE")
                        .bind(shift.account.0)
                        .execute(&mut *write)
                        .await?;
                    let overlaps: bool = sqlx::query_scalar(
                        "SELECT EXISTS (SELECT FROM desk_shifts WHERE account = $1 AND begins < $2 AND ends > $3)",
                    )
                    .bind(shift.account.0)
                    .bind(shift.ends.to_sqlx())
                    .bind(shift.begins.to_sqlx())
                    .fetch_one(&mut *write)
                    .await?;
                    if overlaps {
                        write.rollback().await?;
                        return Ok(false);
                    }
                    sqlx::query("INSERT INTO desk_shifts (id, account, begins, ends) VALUES ($1, $2, $3, $4)")
                        .bind(shift.id.0)
                        .bind(shift.account.0)
                        .bind(shift.begins.to_sqlx())
                        .bind(shift.ends.to_sqlx())
                        .execute(&mut *write)
                        .await?;
                    note(&mut write, &[entry]).await?;
                    write.commit().await?;
                    Ok(true)
                })
            })
            .await
    }

    async fn remove_shift(&self, id: ShiftId, by: Who, at: Timestamp) -> Result<bool, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let mut write = connection.begin().await?;
                    let account: Option<Uuid> = sqlx::query_scalar(
                        "DELETE FROM desk_shifts WHERE id = $1 RETURNING account",
                    )
                    .bind(id.0)
                    .fetch_optional(&mut *write)
                    .await?;
                    let Some(account) = account else {
                        write.rollback().await?;
                        return Ok(false);
                    };
                    let removed = of_account(by, What::ShiftsChanged, AccountId(account), at);
                    note(&mut write, &[removed]).await?;
                    write.commit().await?;
                    Ok(true)
                })
            })
            .await
    }
}

fn shift(row: &PgRow) -> Result<Shift, StoreError> {
    let at = |column: &str| row.try_get::<Stored, _>(column).map(Stored::to_jiff);
    Ok(Shift {
        id: ShiftId(row.try_get("id")?),
        account: AccountId(row.try_get("account")?),
        begins: at("begins")?,
        ends: at("ends")?,
    })
}
