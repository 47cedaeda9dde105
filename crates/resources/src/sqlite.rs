//! Resources in the records' SQLite file, through the records' one writer.

use async_trait::async_trait;
use jiff::Timestamp;
use records::{SqliteStore, StoreError};
use redact::Secret;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use crate::resource::{Kind, Resource};
use crate::row::{opened_body, opened_content, sealed_body, sealed_content, unreadable};
use crate::store::{Page, ResourceStore, Wanted};

pub(crate) struct InSqlite(pub SqliteStore);

#[async_trait]
impl ResourceStore for InSqlite {
    async fn add(
        &self,
        resource: &Resource,
        content: Option<&Secret<String>>,
    ) -> Result<bool, StoreError> {
        let keys = self.0.keys();
        let added = sqlx::query(
            "INSERT INTO resources (id, kind, created_at, updated_at, version, body, content) \
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        )
        .bind(resource.id.to_string())
        .bind(resource.kind.as_str())
        .bind(resource.created_at.as_microsecond())
        .bind(resource.updated_at.as_microsecond())
        .bind(resource.version)
        .bind(sealed_body(keys, resource.id, &resource.body))
        .bind(sealed_content(keys, resource.id, content))
        .execute(self.0.writer())
        .await?;
        Ok(added.rows_affected() > 0)
    }

    async fn resource(&self, kind: Kind, id: Uuid) -> Result<Option<Resource>, StoreError> {
        let row = sqlx::query(
            "SELECT id, created_at, updated_at, version, body FROM resources WHERE id = ? AND kind = ?",
        )
        .bind(id.to_string())
        .bind(kind.as_str())
        .fetch_optional(self.0.readers())
        .await?;
        row.map(|row| self.read(kind, &row)).transpose()
    }

    async fn content(&self, kind: Kind, id: Uuid) -> Result<Option<Secret<String>>, StoreError> {
        let stored: Option<Option<String>> =
            sqlx::query_scalar("SELECT content FROM resources WHERE id = ? AND kind = ?")
                .bind(id.to_string())
                .bind(kind.as_str())
                .fetch_optional(self.0.readers())
                .await?;
        let opened = stored
            .flatten()
            .map(|stored| opened_content(self.0.keys(), id, stored));
        opened.transpose()
    }

    async fn list(&self, kind: Kind, wanted: Wanted) -> Result<Page, StoreError> {
        /// In the words of a query that has $1 to $5 bound.
        macro_rules! which {
            ($before:literal, $after:literal) => {
                concat!(
                    $before,
                    " FROM resources WHERE kind = ?1 AND created_at >= ?2 AND created_at < ?3 ",
                    "AND updated_at >= ?4 AND updated_at < ?5 ",
                    $after
                )
            };
        }
        const COUNTED: &str = which!("SELECT count(*)", "");
        const NEWEST: &str = which!(
            "SELECT id, created_at, updated_at, version, body",
            "ORDER BY created_at DESC, id DESC LIMIT ?6 OFFSET ?7"
        );
        const OLDEST: &str = which!(
            "SELECT id, created_at, updated_at, version, body",
            "ORDER BY created_at, id LIMIT ?6 OFFSET ?7"
        );
        let Wanted {
            created, updated, ..
        } = wanted;
        let mut reading = self.0.readers().begin().await?;
        let total: i64 = sqlx::query_scalar(COUNTED)
            .bind(kind.as_str())
            .bind(created.begins().as_microsecond())
            .bind(created.ends().as_microsecond())
            .bind(updated.begins().as_microsecond())
            .bind(updated.ends().as_microsecond())
            .fetch_one(&mut *reading)
            .await?;
        let rows = sqlx::query(if wanted.newest_first { NEWEST } else { OLDEST })
            .bind(kind.as_str())
            .bind(created.begins().as_microsecond())
            .bind(created.ends().as_microsecond())
            .bind(updated.begins().as_microsecond())
            .bind(updated.ends().as_microsecond())
            .bind(wanted.most)
            .bind(wanted.skip)
            .fetch_all(&mut *reading)
            .await?;
        let resources: Result<_, _> = rows.iter().map(|row| self.read(kind, row)).collect();
        Ok(Page {
            resources: resources?,
            total: total.unsigned_abs(),
        })
    }

    async fn replace(&self, resource: &Resource) -> Result<bool, StoreError> {
        let replaced = sqlx::query(
            "UPDATE resources SET updated_at = ?, version = ?, body = ? \
             WHERE id = ? AND kind = ? AND version = ?",
        )
        .bind(resource.updated_at.as_microsecond())
        .bind(resource.version)
        .bind(sealed_body(self.0.keys(), resource.id, &resource.body))
        .bind(resource.id.to_string())
        .bind(resource.kind.as_str())
        .bind(resource.version - 1)
        .execute(self.0.writer())
        .await?;
        Ok(replaced.rows_affected() > 0)
    }

    async fn remove(&self, kind: Kind, id: Uuid) -> Result<bool, StoreError> {
        let removed = sqlx::query("DELETE FROM resources WHERE id = ? AND kind = ?")
            .bind(id.to_string())
            .bind(kind.as_str())
            .execute(self.0.writer())
            .await?;
        if removed.rows_affected() == 0 {
            return Ok(false);
        }
        self.0.empty_log().await;
        Ok(true)
    }

    async fn remove_made_before(&self, kind: Kind, moment: Timestamp) -> Result<u64, StoreError> {
        let removed = sqlx::query("DELETE FROM resources WHERE kind = ? AND created_at < ?")
            .bind(kind.as_str())
            .bind(moment.as_microsecond())
            .execute(self.0.writer())
            .await?
            .rows_affected();
        if removed > 0 {
            self.0.empty_log().await;
        }
        Ok(removed)
    }
}

impl InSqlite {
    fn read(&self, kind: Kind, row: &SqliteRow) -> Result<Resource, StoreError> {
        let id: String = row.try_get("id")?;
        let id: Uuid = id.parse().map_err(unreadable)?;
        let body = opened_body(self.0.keys(), kind, id, row.try_get("body")?);
        Ok(Resource {
            id,
            kind,
            created_at: moment(row.try_get("created_at")?)?,
            updated_at: moment(row.try_get("updated_at")?)?,
            version: row.try_get("version")?,
            unopened: body.is_none(),
            body: body.unwrap_or_default(),
        })
    }
}

fn moment(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(unreadable)
}
