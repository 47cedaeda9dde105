//! What rotation asks of a file.

use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row};

use super::SqliteStore;
use crate::rotation::{AnewInRow, LOOKED_AT_ONCE, LookedAt, Rotating, SealedColumn};
use crate::sealing::Part;
use crate::store::StoreError;

impl SqliteStore {
    /// Notes that values are being sealed with the first key; gives the names of all keys that some were sealed with.
    pub(super) async fn used_keys(&self) -> Result<Vec<String>, sqlx::Error> {
        if let Some(first) = self.keys.ids().next() {
            sqlx::query("INSERT INTO sealed_with (key) VALUES (?) ON CONFLICT DO NOTHING")
                .bind(first)
                .execute(&self.writer)
                .await?;
        }
        sqlx::query_scalar("SELECT key FROM sealed_with ORDER BY key")
            .fetch_all(&self.readers)
            .await
    }
}

#[async_trait::async_trait]
impl Rotating for SqliteStore {
    async fn look(&self, after: i64, current: &str) -> Result<Vec<LookedAt>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, coalesce(substr(note, 1, length(?2)) <> ?2, 0) \
             OR coalesce(substr(messages, 1, length(?2)) <> ?2, 0) \
             OR EXISTS (SELECT 1 FROM turns WHERE call = calls.id \
             AND (substr(turns.messages, 1, length(?2)) <> ?2 \
             OR substr(conversation, 1, length(?2)) <> ?2)) AS behind \
             FROM calls WHERE id > ?1 AND sample = 0 ORDER BY id LIMIT ?3",
        )
        .bind(after)
        .bind(current)
        .bind(LOOKED_AT_ONCE)
        .fetch_all(&self.readers)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(LookedAt {
                    id: row.try_get("id")?,
                    behind: row.try_get("behind")?,
                })
            })
            .collect()
    }

    async fn seal_anew(&self, id: i64) -> Result<AnewInRow, StoreError> {
        let mut write = self.write().await?;
        let row = sqlx::query("SELECT call_id, note, messages FROM calls WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *write)
            .await?;
        // It was deleted meanwhile.
        let Some(row) = row else {
            return Ok(AnewInRow::default());
        };
        let mut anew = AnewInRow::of(&row, &self.keys);
        let note = anew.value(&row, "note", Part::Note)?;
        let messages = anew.value(&row, "messages", Part::Messages)?;
        if note.is_some() || messages.is_some() {
            sqlx::query(
                "UPDATE calls SET note = coalesce(?, note), messages = coalesce(?, messages) WHERE id = ?",
            )
            .bind(note)
            .bind(messages)
            .bind(id)
            .execute(&mut *write)
            .await?;
        }
        let turns: Vec<SqliteRow> =
            sqlx::query("SELECT turn, messages, conversation FROM turns WHERE call = ?")
                .bind(id)
                .fetch_all(&mut *write)
                .await?;
        for row in &turns {
            let turn: i64 = row.try_get("turn")?;
            let messages = anew.value(row, "messages", Part::TurnMessages(turn))?;
            let conversation = anew.value(row, "conversation", Part::Conversation(turn))?;
            if messages.is_some() || conversation.is_some() {
                sqlx::query(
                    "UPDATE turns SET messages = coalesce(?, messages), \
                     conversation = coalesce(?, conversation) WHERE call = ? AND turn = ?",
                )
                .bind(messages)
                .bind(conversation)
                .bind(id)
                .bind(turn)
                .execute(&mut *write)
                .await?;
            }
        }
        write.commit().await?;
        Ok(anew)
    }

    async fn seal_accounts_anew(&self) -> Result<Vec<AnewInRow>, StoreError> {
        let mut write = self.write().await?;
        let rows: Vec<SqliteRow> =
            sqlx::query("SELECT id AS call_id, totp_secret, invited_secret FROM desk_accounts")
                .fetch_all(&mut *write)
                .await?;
        let mut all = Vec::new();
        for row in &rows {
            let mut anew = AnewInRow::of(row, &self.keys);
            let secret = anew.value(row, "totp_secret", Part::SignInSecret)?;
            let invited = anew.value(row, "invited_secret", Part::SignInSecret)?;
            if secret.is_some() || invited.is_some() {
                sqlx::query(
                    "UPDATE desk_accounts SET totp_secret = coalesce(?, totp_secret), \
                     invited_secret = coalesce(?, invited_secret) WHERE id = ?",
                )
                .bind(secret)
                .bind(invited)
                .bind(row.try_get::<String, _>("call_id")?)
                .execute(&mut *write)
                .await?;
            }
            all.push(anew);
        }
        write.commit().await?;
        Ok(all)
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
        } = of;
        let behind = sqlx::query(AssertSqlSafe(format!(
            "SELECT {id} AS id, {number} AS number FROM {table} WHERE substr({column}, 1, length(?1)) <> ?1"
        )))
        .bind(current)
        .fetch_all(&self.readers)
        .await?;
        let mut all = Vec::new();
        for key in &behind {
            let (row_id, row_number): (String, i64) = (key.try_get("id")?, key.try_get("number")?);
            let mut write = self.write().await?;
            let row = sqlx::query(AssertSqlSafe(format!(
                "SELECT {id} AS call_id, {column} AS value FROM {table} WHERE {id} = ? AND {number} = ?"
            )))
            .bind(&row_id)
            .bind(row_number)
            .fetch_optional(&mut *write)
            .await?;
            let Some(row) = row else { continue };
            let mut anew = AnewInRow::of(&row, &self.keys);
            let value = anew.value(&row, "value", part(row_number))?;
            if let Some(value) = value {
                sqlx::query(AssertSqlSafe(format!(
                    "UPDATE {table} SET {column} = ? WHERE {id} = ? AND {number} = ?"
                )))
                .bind(value)
                .bind(&row_id)
                .bind(row_number)
                .execute(&mut *write)
                .await?;
            }
            write.commit().await?;
            all.push(anew);
        }
        Ok(all)
    }

    async fn done(&self, unused: &[String]) -> Result<(), StoreError> {
        for key in unused {
            sqlx::query("DELETE FROM sealed_with WHERE key = ?")
                .bind(key)
                .execute(&self.writer)
                .await?;
        }
        self.empty_log().await;
        Ok(())
    }

    async fn keys_noted(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.used_keys().await?)
    }
}
