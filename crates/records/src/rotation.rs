//! Rotation: every record sealed with the first key, those in the clear too, what people wrote at the desk, what programs keep,
//! and the secrets of the desk's accounts. Record by record and each in a transaction of its own, so that a running server waits for one at most; repeated, it goes over what is left. What cannot be opened stays
//! as it is.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::sleep;

use crate::call_record::CallId;
use crate::open_error::OpenError;
use crate::postgres::{PostgresStore, is_postgres};
use crate::row::Columns;
use crate::sealing::{DeskPart, Part, RecordsKeys, ResourcePart, key_of};
use crate::sqlite::SqliteStore;
use crate::store::StoreError;

/// Records whose values' beginnings are looked at by one statement.
pub(crate) const LOOKED_AT_ONCE: i64 = 200;

/// How often one that is busy is tried.
const TRIES: u32 = 5;
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// Why the records were not all sealed anew. What was is; another run goes on.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    #[error(
        "there is no records key: make one with `nightlight new-records-key`, and set `records_keys` or \
         `records_keys_file`"
    )]
    NoKey,
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How a rotation went, or goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rotated {
    /// Records looked at, without the samples.
    pub looked_at: u64,
    /// Records that were not sealed with the first key, and are now.
    pub sealed_anew: u64,
    /// Of these, records that came while this was under way: a server writes with another key, or with none.
    pub written_meanwhile: u64,
    /// Records, accounts, and values of the desk's and of programs that cannot be opened, left as they are.
    pub unreadable: u64,
    /// The names of the keys that those were sealed with.
    pub keys_wanted: BTreeSet<String>,
}

/// Seals everything in the database at `url` with the first of `keys`. A server may use it meanwhile.
pub async fn rotate_keys(
    url: &str,
    keys: RecordsKeys,
    mut told: impl FnMut(&Rotated) + Send,
) -> Result<Rotated, RotationError> {
    let Some(current) = keys.current() else {
        return Err(RotationError::NoKey);
    };
    let store: Box<dyn Rotating> = match url.strip_prefix("sqlite:") {
        Some(place) => Box::new(SqliteStore::open_with(place, keys.clone()).await?),
        None if is_postgres(url) => Box::new(
            PostgresStore::open_with(url, keys.clone())
                .await
                .map_err(OpenError::from)?,
        ),
        None => return Err(OpenError::UnknownDatabase.into()),
    };
    let mut rotated = Rotated::default();
    go_over(&*store, &current, &mut rotated, &mut told).await?;
    // Once more, for what was written with another key behind the first look's back.
    let mut again = Rotated::default();
    go_over(&*store, &current, &mut again, &mut |_| {}).await?;
    rotated.written_meanwhile = again.sealed_anew;
    rotated.sealed_anew += again.sealed_anew;
    (rotated.unreadable, rotated.keys_wanted) = (again.unreadable, again.keys_wanted);
    let mut beside_the_calls = tried(|| store.seal_accounts_anew()).await?;
    for column in &SEALED_COLUMNS {
        beside_the_calls.extend(tried(|| store.seal_column_anew(column, &current)).await?);
    }
    for anew in beside_the_calls {
        rotated.unreadable += u64::from(anew.unreadable);
        rotated.keys_wanted.extend(anew.keys_wanted);
    }
    let mut unused = store.keys_noted().await?;
    // Somebody who writes with another key goes on doing so.
    let all_with_the_first = rotated.written_meanwhile == 0;
    let first = keys.ids().next();
    unused.retain(|key| {
        all_with_the_first && Some(key.as_str()) != first && !rotated.keys_wanted.contains(key)
    });
    store.done(&unused).await?;
    Ok(rotated)
}

async fn go_over(
    store: &dyn Rotating,
    current: &str,
    rotated: &mut Rotated,
    told: &mut (dyn FnMut(&Rotated) + Send),
) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let looked_at = tried(|| store.look(after, current)).await?;
        let Some(last) = looked_at.last() else {
            return Ok(());
        };
        after = last.id;
        for LookedAt { id, behind } in looked_at {
            rotated.looked_at += 1;
            if !behind {
                continue;
            }
            let anew = tried(|| store.seal_anew(id)).await?;
            rotated.sealed_anew += u64::from(anew.changed);
            rotated.unreadable += u64::from(anew.unreadable);
            rotated.keys_wanted.extend(anew.keys_wanted);
        }
        told(rotated);
    }
}

/// What is busy is tried again.
async fn tried<T, F>(work: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut tries = 1;
    loop {
        match work().await {
            Err(StoreError::Unavailable(_)) if tries < TRIES => tries += 1,
            done => return done,
        }
        sleep(BETWEEN_TRIES).await;
    }
}

/// What rotation asks of a store.
#[async_trait]
pub(crate) trait Rotating: Send + Sync {
    /// The records after this number, and whether all of each begins with `current`. No samples: they are part of the program.
    async fn look(&self, after: i64, current: &str) -> Result<Vec<LookedAt>, StoreError>;

    /// Seals what can be opened of a record, whole or not at all.
    async fn seal_anew(&self, id: i64) -> Result<AnewInRow, StoreError>;

    /// Seals the secrets of the desk's accounts, which are few.
    async fn seal_accounts_anew(&self) -> Result<Vec<AnewInRow>, StoreError>;

    /// Seals the values of this column that do not begin with `current`, each whole or not at all.
    async fn seal_column_anew(
        &self,
        column: &SealedColumn,
        current: &str,
    ) -> Result<Vec<AnewInRow>, StoreError>;

    /// The names of the keys that values were sealed with.
    async fn keys_noted(&self) -> Result<Vec<String>, StoreError>;

    /// Forgets these names; what was replaced leaves the disk, as far as the database does that.
    async fn done(&self, unused: &[String]) -> Result<(), StoreError>;
}

/// A column with values that are sealed one by one: what people wrote at the desk, what programs keep, what they call calls.
pub(crate) struct SealedColumn {
    pub table: &'static str,
    /// What its values are bound to; together with `number` it is the row's key.
    pub id: &'static str,
    pub number: &'static str,
    pub column: &'static str,
    pub part: fn(i64) -> Part,
}

pub(crate) const SEALED_COLUMNS: [SealedColumn; 9] = [
    sealed_column("desk_cases", "call_id", "content", |_| {
        Part::OfDesk(DeskPart::CaseContent)
    }),
    SealedColumn {
        number: "number",
        ..sealed_column("desk_case_acts", "call_id", "words", |number| {
            Part::OfDesk(DeskPart::CaseAct(number))
        })
    },
    sealed_column("desk_follow_ups", "id", "words", |_| {
        Part::OfDesk(DeskPart::FollowUp)
    }),
    sealed_column("desk_holds", "call_id", "reason", |_| {
        Part::OfDesk(DeskPart::HoldReason)
    }),
    sealed_column("desk_caller_key", "id", "secret", |_| {
        Part::OfDesk(DeskPart::CallerKey)
    }),
    sealed_column("calls", "call_id", "label_name", |_| Part::LabelName),
    sealed_column("calls", "call_id", "label_manner", |_| Part::LabelManner),
    sealed_column("resources", "id", "body", |_| {
        Part::OfResource(ResourcePart::Body)
    }),
    sealed_column("resources", "id", "content", |_| {
        Part::OfResource(ResourcePart::Content)
    }),
];

const fn sealed_column(
    table: &'static str,
    id: &'static str,
    column: &'static str,
    part: fn(i64) -> Part,
) -> SealedColumn {
    SealedColumn {
        table,
        id,
        number: "0",
        column,
        part,
    }
}

/// A record as rotation finds it.
pub(crate) struct LookedAt {
    pub id: i64,
    /// Something of it is not sealed with the first key.
    pub behind: bool,
}

/// One record being sealed anew.
#[derive(Default)]
pub(crate) struct AnewInRow {
    keys: RecordsKeys,
    call_id: Option<CallId>,
    changed: bool,
    unreadable: bool,
    keys_wanted: BTreeSet<String>,
}

impl AnewInRow {
    /// A row names itself in `call_id`.
    pub fn of(row: &impl Columns, keys: &RecordsKeys) -> Self {
        Self {
            keys: keys.clone(),
            call_id: row.uuid("call_id").ok().flatten().map(CallId),
            ..Self::default()
        }
    }

    /// What is to be stored in the place of a value; `None` if it is to stay.
    pub fn value(
        &mut self,
        row: &impl Columns,
        column: &str,
        part: Part,
    ) -> Result<Option<String>, StoreError> {
        let Some(stored) = row.text(column)? else {
            return Ok(None);
        };
        let key = key_of(&stored).map(str::to_owned);
        let anew = self
            .call_id
            .map(|call| self.keys.seal_anew(call, part, stored));
        let Some(Ok(anew)) = anew else {
            self.unreadable = true;
            self.keys_wanted.extend(key);
            return Ok(None);
        };
        self.changed |= anew.is_some();
        Ok(anew)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::cell::Cell;

    use super::*;

    /// PostgreSQL holds what was sealed before until a table is written anew.
    #[test]
    fn the_manual_names_every_table_that_a_rotation_seals_anew() {
        let manual = include_str!("../../../docs/operations.md");
        let (_, after) = manual.split_once("`VACUUM FULL ").unwrap();
        let (named, _) = after.split_once('`').unwrap();
        let columns = SEALED_COLUMNS.iter().map(|column| column.table);
        let whole = ["calls", "turns", "desk_accounts"];
        let sealed: BTreeSet<&str> = columns.chain(whole).collect();
        assert_eq!(named.split(", ").collect::<BTreeSet<&str>>(), sealed);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_busy_is_tried_again_and_not_for_ever() {
        let tries = Cell::new(0);
        let busy_for = |most: u32| {
            tries.set(0);
            let tries = &tries;
            move || async move {
                tries.set(tries.get() + 1);
                match tries.get() {
                    n if n <= most => Err(StoreError::Unavailable("locked".into())),
                    _ => Ok(()),
                }
            }
        };
        tried(busy_for(3)).await.unwrap();
        assert_eq!(tries.get(), 4);
        assert!(tried(busy_for(1000)).await.is_err());
        assert_eq!(tries.get(), TRIES);
    }
}
