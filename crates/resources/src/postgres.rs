//! Resources in the records' PostgreSQL database.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as Stored, ToSqlx};
use records::{PostgresStore, RecordsKeys, StoreError};
use redact::Secret;
use sqlx::Row;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::resource::{Kind, Resource};
use crate::row::{opened_body, opened_content, sealed_body, sealed_content};
use crate::store::{Page, ResourceStore, Wanted};

pub(crate) struct InPostgres(pub PostgresStore);

#[async_trait]
impl ResourceStore for InPostgres {
    async fn add(
        &self,
        resource: &Resource,
        content: Option<&Secret<String>>,
    ) -> Result<bool, StoreError> {
        let keys = self.0.keys();
        let body = sealed_body(keys, resource.id, &resource.body);
        let content = sealed_content(keys, resource.id, content);
        let resource = resource.clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let added = sqlx::query(
                        "INSERT INTO resources (id, kind, created_at, updated_at, version, body, content) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING",
                    )
                    .bind(resource.id)
                    .bind(resource.kind.as_str())
                    .bind(resource.created_at.to_sqlx())
                    .bind(resource.updated_at.to_sqlx())
                    .bind(resource.version)
                    .bind(body)
                    .bind(content)
                    .execute(connection)
                    .await?;
                    Ok(added.rows_affected() > 0)
                })
            })
            .await
    }

    async fn resource(&self, kind: Kind, id: Uuid) -> Result<Option<Resource>, StoreError> {
        let keys = self.0.keys().clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let row = sqlx::query(
                        "SELECT id, created_at, updated_at, version, body FROM resources \
                         WHERE id = $1 AND kind = $2",
                    )
                    .bind(id)
                    .bind(kind.as_str())
                    .fetch_optional(connection)
                    .await?;
                    row.map(|row| read(&keys, kind, &row)).transpose()
                })
            })
            .await
    }

    async fn content(&self, kind: Kind, id: Uuid) -> Result<Option<Secret<String>>, StoreError> {
        let stored: Option<Option<String>> = self
            .0
            .run(|connection| {
                Box::pin(async move {
                    Ok(sqlx::query_scalar(
                        "SELECT content FROM resources WHERE id = $1 AND kind = $2",
                    )
                    .bind(id)
                    .bind(kind.as_str())
                    .fetch_optional(connection)
                    .await?)
                })
            })
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
                    " FROM resources WHERE kind = $1 AND created_at >= $2 AND created_at < $3 ",
                    "AND updated_at >= $4 AND updated_at < $5 ",
                    $after
                )
            };
        }
        const COUNTED: &str = which!("SELECT count(*)", "");
        const NEWEST: &str = which!(
            "SELECT id, created_at, updated_at, version, body",
            "ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7"
        );
        const OLDEST: &str = which!(
            "SELECT id, created_at, updated_at, version, body",
            "ORDER BY created_at, id LIMIT $6 OFFSET $7"
        );
        let keys = self.0.keys().clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let Wanted {
                        created, updated, ..
                    } = wanted;
                    let total: i64 = sqlx::query_scalar(COUNTED)
                        .bind(kind.as_str())
                        .bind(created.begins().to_sqlx())
                        .bind(created.ends().to_sqlx())
                        .bind(updated.begins().to_sqlx())
                        .bind(updated.ends().to_sqlx())
                        .fetch_one(&mut *connection)
                        .await?;
                    let rows = sqlx::query(if wanted.newest_first { NEWEST } else { OLDEST })
                        .bind(kind.as_str())
                        .bind(created.begins().to_sqlx())
                        .bind(created.ends().to_sqlx())
                        .bind(updated.begins().to_sqlx())
                        .bind(updated.ends().to_sqlx())
                        .bind(i64::from(wanted.most))
                        .bind(i64::from(wanted.skip))
                        .fetch_all(connection)
                        .await?;
                    let resources: Result<_, _> =
                        rows.iter().map(|row| read(&keys, kind, row)).collect();
                    Ok(Page {
                        resources: resources?,
                        total: total.unsigned_abs(),
                    })
                })
            })
            .await
    }

    async fn replace(&self, resource: &Resource) -> Result<bool, StoreError> {
        let body = sealed_body(self.0.keys(), resource.id, &resource.body);
        let resource = resource.clone();
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let replaced = sqlx::query(
                        "UPDATE resources SET updated_at = $1, version = $2, body = $3 \
                         WHERE id = $4 AND kind = $5 AND version = $6",
                    )
                    .bind(resource.updated_at.to_sqlx())
                    .bind(resource.version)
                    .bind(body)
                    .bind(resource.id)
                    .bind(resource.kind.as_str())
                    .bind(resource.version - 1)
                    .execute(connection)
                    .await?;
                    Ok(replaced.rows_affected() > 0)
                })
            })
            .await
    }

    async fn remove(&self, kind: Kind, id: Uuid) -> Result<bool, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let removed = sqlx::query("DELETE FROM resources WHERE id = $1 AND kind = $2")
                        .bind(id)
                        .bind(kind.as_str())
                        .execute(connection)
                        .await?;
                    Ok(removed.rows_affected() > 0)
                })
            })
            .await
    }

    async fn remove_made_before(&self, kind: Kind, moment: Timestamp) -> Result<u64, StoreError> {
        self.0
            .run(|connection| {
                Box::pin(async move {
                    let removed =
                        sqlx::query("DELETE FROM resources WHERE kind = $1 AND created_at < $2")
                            .bind(kind.as_str())
                            .bind(moment.to_sqlx())
                            .execute(connection)
                            .await?;
                    Ok(removed.rows_affected())
                })
            })
            .await
    }
}

fn read(keys: &RecordsKeys, kind: Kind, row: &PgRow) -> Result<Resource, StoreError> {
    let at = |column: &str| row.try_get::<Stored, _>(column).map(Stored::to_jiff);
    let id: Uuid = row.try_get("id")?;
    let body = opened_body(keys, kind, id, row.try_get("body")?);
    Ok(Resource {
        id,
        kind,
        created_at: at("created_at")?,
        updated_at: at("updated_at")?,
        version: row.try_get("version")?,
        unopened: body.is_none(),
        body: body.unwrap_or_default(),
    })
}
