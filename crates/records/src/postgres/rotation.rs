//! What rotation asks of a PostgreSQL database.

use sqlx::{AssertSqlSafe, Connection, Row};
use uuid::Uuid;

use super::PostgresStore;
use crate::rotation::{AnewInRow, LOOKED_AT_ONCE, LookedAt, Rotating, SealedColumn};
use crate::sealing::Part;
use crate::store::StoreError;

impl PostgresStore {
    /// Notes that values are being sealed with the first key; gives the names of all keys that some were sealed with.
    pub(super) async fn used_keys(&self) -> Result<Vec<String>, sqlx::Error> {
        if let Some(first) = self.keys.ids().next() {
            sqlx::query("INSERT INTO sealed_with (key) VALUES ($1) ON CONFLICT DO NOTHING")
                .bind(first)
                .execute(&self.pool)
                .await?;
        }
        sqlx::query_scalar("SELECT key FROM sealed_with ORDER BY key")
            .fetch_all(&self.pool)
            .await
    }
}

#[async_trait::async_trait]
impl Rotating for PostgresStore {
    async fn look(&self, after: i64, current: &str) -> Result<Vec<LookedAt>, StoreError> {
        let current = current.to_owned();
        self.run(|connection| {
            Box::pin(async move {
                let rows = sqlx::query(
                    "SELECT id, coalesce(NOT starts_with(note::text, $2), false) \
                     OR coalesce(NOT starts_with(messages::text, $2), false) \
                     OR EXISTS (SELECT FROM turns WHERE call = calls.id \
                     AND NOT (starts_with(turns.messages::text, $2) AND starts_with(conversation, $2))) AS behind \
                     FROM calls WHERE id > $1 AND NOT sample ORDER BY id LIMIT $3",
                )
                .bind(after)
                .bind(current)
                .bind(LOOKED_AT_ONCE)
                .fetch_all(connection)
                .await?;
                rows.iter()
                    .map(|row| {
                        Ok(LookedAt {
                            id: row.try_get("id")?,
                            behind: row.try_get("behind")?,
                        })
                    })
                    .collect()
            })
        })
        .await
    }

    async fn seal_anew(&self, id: i64) -> Result<AnewInRow, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                // As every write about a call does: a turn or an end comes before or after.
                let row = sqlx::query(
                    "SELECT call_id, note::text, messages::text FROM calls WHERE id = $1 \
                     FOR NO KEY UPDATE",
                )
                .bind(id)
                .fetch_optional(&mut *write)
                .await?;
                // It was deleted meanwhile.
                let Some(row) = row else {
                    write.rollback().await?;
                    return Ok(AnewInRow::default());
                };
                let mut anew = AnewInRow::of(&row, &keys);
                let note = anew.value(&row, "note", Part::Note)?;
                let messages = anew.value(&row, "messages", Part::Messages)?;
                if note.is_some() || messages.is_some() {
                    sqlx::query(
                        "UPDATE calls SET note = coalesce($2::json, note), \
                         messages = coalesce($3::json, messages) WHERE id = $1",
                    )
                    .bind(id)
                    .bind(note)
                    .bind(messages)
                    .execute(&mut *write)
                    .await?;
                }
                let turns = sqlx::query(
                    "SELECT turn, messages::text, conversation FROM turns WHERE call = $1",
                )
                .bind(id)
                .fetch_all(&mut *write)
                .await?;
                for row in &turns {
                    let turn: i64 = row.try_get("turn")?;
                    let messages = anew.value(row, "messages", Part::TurnMessages(turn))?;
                    let conversation = anew.value(row, "conversation", Part::Conversation(turn))?;
                    if messages.is_some() || conversation.is_some() {
                        sqlx::query(
                            "UPDATE turns SET messages = coalesce($3::json, messages), \
                             conversation = coalesce($4, conversation) WHERE call = $1 AND turn = $2",
                        )
                        .bind(id)
                        .bind(turn)
                        .bind(messages)
                        .bind(conversation)
                        .execute(&mut *write)
                        .await?;
                    }
                }
                write.commit().await?;
                Ok(anew)
            })
        })
        .await
    }

    async fn seal_accounts_anew(&self) -> Result<Vec<AnewInRow>, StoreError> {
        let keys = self.keys.clone();
        self.run(|connection| {
            Box::pin(async move {
                let mut write = connection.begin().await?;
                let rows = sqlx::query(
                    "SELECT id AS call_id, totp_secret, invited_secret FROM desk_accounts FOR UPDATE",
                )
                .fetch_all(&mut *write)
                .await?;
                let mut all = Vec::new();
                for row in &rows {
                    let mut anew = AnewInRow::of(row, &keys);
                    let secret = anew.value(row, "totp_secret", Part::SignInSecret)?;
                    let invited = anew.value(row, "invited_secret", Part::SignInSecret)?;
                    if secret.is_some() || invited.is_some() {
                        sqlx::query(
                            "UPDATE desk_accounts SET totp_secret = coalesce($1, totp_secret), \
                             invited_secret = coalesce($2, invited_secret) WHERE id = $3",
                        )
                        .bind(secret)
                        .bind(invited)
                        .bind(row.try_get::<Uuid, _>("call_id")?)
                        .execute(&mut *write)
                        .await?;
                    }
                    all.push(anew);
                }
                write.commit().await?;
                Ok(all)
            })
        })
        .await
    }

    async fn seal_column_anew(
        &self,
        of: &SealedColumn,
        current: &str,
    ) -> Result<Vec<AnewInRow>, StoreError> {
        let SealedColumn {
            table,
            id,
            number,
            column,
            part,
        } = *of;
        let current = current.to_owned();
        let behind: Vec<(Uuid, i64)> = self
            .run(|connection| {
                Box::pin(async move {
                    Ok(sqlx::query_as(AssertSqlSafe(format!(
                        "SELECT {id}, {number}::bigint FROM {table} WHERE NOT starts_with({column}, $1)"
                    )))
                    .bind(current)
                    .fetch_all(connection)
                    .await?)
                })
            })
            .await?;
        let mut all = Vec::new();
        for (row_id, row_number) in behind {
            let keys = self.keys.clone();
            let anew = self
                .run(|connection| {
                    Box::pin(async move {
                        let mut write = connection.begin().await?;
                        let row = sqlx::query(AssertSqlSafe(format!(
                            "SELECT {id} AS call_id, {column} AS value FROM {table} \
                             WHERE {id} = $1 AND {number} = $2 FOR UPDATE"
                        )))
                        .bind(row_id)
                        .bind(row_number)
                        .fetch_optional(&mut *write)
                        .await?;
                        let Some(row) = row else {
                            write.rollback().await?;
                            return Ok(None);
                        };
                        let mut anew = AnewInRow::of(&row, &keys);
                        let value = anew.value(&row, "value", part(row_number))?;
                        if let Some(value) = value {
                            sqlx::query(AssertSqlSafe(format!(
                                "UPDATE {table} SET {column} = $1 WHERE {id} = $2 AND {number} = $3"
                            )))
                            .bind(value)
                            .bind(row_id)
                            .bind(row_number)
                            .execute(&mut *write)
                            .await?;
                        }
                        write.commit().await?;
                        Ok(Some(anew))
                    })
                })
                .await?;
            all.extend(anew);
        }
        Ok(all)
    }

    async fn done(&self, unused: &[String]) -> Result<(), StoreError> {
        let unused = unused.to_vec();
        self.run(|connection| {
            Box::pin(async move {
                sqlx::query("DELETE FROM sealed_with WHERE key = ANY ($1)")
                    .bind(unused)
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    async fn keys_noted(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.used_keys().await?)
    }
}
