//! Receipts: what remains of the record of a case that was deleted. The records write them, together with the deletion; here they
//! are read. None holds anything of what was deleted.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as Stored, ToSqlx};
use records::{CallId, Database, StoreError};
use sqlx::Row;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::desk::Desk;
use crate::sqlite::moment;
use crate::store::{items, unreadable};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub call_id: CallId,
    pub deleted_at: Timestamp,
    /// `closed`, `age` or `asked`.
    pub why: String,
    /// `server`, `command line` or `private key`.
    pub who: String,
    /// Which kinds of data there were, such as `transcript`.
    pub kinds: Vec<String>,
    /// SHA-256, in hexadecimal, over what was stored.
    pub hash: String,
}

/// A receipt's place among them, the latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptPlace {
    pub deleted_at: Timestamp,
    pub call_id: CallId,
}

impl Receipt {
    pub fn place(&self) -> ReceiptPlace {
        ReceiptPlace {
            deleted_at: self.deleted_at,
            call_id: self.call_id,
        }
    }
}

impl fmt::Display for ReceiptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.deleted_at.as_microsecond(), self.call_id)
    }
}

/// Not what a place was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a place among the receipts: give `next` of the page before")]
pub struct NoPlace;

impl FromStr for ReceiptPlace {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let (micros, call_id) = text.split_once('.').ok_or(NoPlace)?;
        let micros = micros.parse().map_err(|_| NoPlace)?;
        Ok(Self {
            deleted_at: Timestamp::from_microsecond(micros).map_err(|_| NoPlace)?,
            call_id: call_id.parse().map_err(|_| NoPlace)?,
        })
    }
}

impl Desk {
    /// The receipts behind this place, the latest first, at most so many.
    pub async fn receipts(
        &self,
        after: Option<ReceiptPlace>,
        most: u32,
    ) -> Result<Vec<Receipt>, StoreError> {
        let after = after.unwrap_or(ReceiptPlace {
            deleted_at: Timestamp::MAX,
            call_id: CallId(Uuid::max()),
        });
        match &self.database {
            Database::Sqlite(store) => {
                let rows = sqlx::query(
                    "SELECT call_id, deleted_at, why, who, kinds, hash FROM desk_receipts \
                     WHERE (deleted_at, call_id) < (?, ?) \
                     ORDER BY deleted_at DESC, call_id DESC LIMIT ?",
                )
                .bind(after.deleted_at.as_microsecond())
                .bind(after.call_id.to_string())
                .bind(most)
                .fetch_all(store.readers())
                .await?;
                let read = |row: &SqliteRow| {
                    let id: String = row.try_get("call_id")?;
                    let place = ReceiptPlace {
                        deleted_at: moment(row.try_get("deleted_at")?)?,
                        call_id: id.parse().map_err(unreadable)?,
                    };
                    Ok(place.receipt(|column| row.try_get(column))?)
                };
                rows.iter().map(read).collect()
            }
            Database::Postgres(store) => {
                let rows = store.run(|connection| {
                    Box::pin(async move {
                        let rows = sqlx::query(
                            "SELECT call_id, deleted_at, why, who, kinds, hash FROM desk_receipts \
                             WHERE (deleted_at, call_id) < ($1, $2) \
                             ORDER BY deleted_at DESC, call_id DESC LIMIT $3",
                        )
                        .bind(after.deleted_at.to_sqlx())
                        .bind(after.call_id.0)
                        .bind(i64::from(most))
                        .fetch_all(connection)
                        .await?;
                        Ok(rows)
                    })
                });
                let read = |row: &PgRow| {
                    let deleted_at: Stored = row.try_get("deleted_at")?;
                    let place = ReceiptPlace {
                        deleted_at: deleted_at.to_jiff(),
                        call_id: CallId(row.try_get("call_id")?),
                    };
                    Ok(place.receipt(|column| row.try_get(column))?)
                };
                rows.await?.iter().map(read).collect()
            }
        }
    }
}

impl ReceiptPlace {
    /// The receipt in this place, by its row's other columns.
    fn receipt(
        self,
        column: impl Fn(&str) -> Result<String, sqlx::Error>,
    ) -> Result<Receipt, sqlx::Error> {
        Ok(Receipt {
            call_id: self.call_id,
            deleted_at: self.deleted_at,
            why: column("why")?,
            who: column("who")?,
            kinds: items(&column("kinds")?).map(str::to_owned).collect(),
            hash: column("hash")?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_place_is_read_back_as_it_was_written_and_nothing_else_is_one() {
        let place = ReceiptPlace {
            deleted_at: Timestamp::from_second(1_800_000_000).unwrap(),
            call_id: CallId::random(),
        };
        assert_eq!(place.to_string().parse(), Ok(place));
        for text in ["", "7", "7.x", "x.00000000-0000-0000-0000-000000000000"] {
            assert_eq!(text.parse::<ReceiptPlace>(), Err(NoPlace), "{text}");
        }
    }
}
