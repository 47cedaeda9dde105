//! Calls are taken also where the database cannot be opened: a start that ended there would leave a dead line until somebody comes.
//! Records are kept aside then (`records::Aside`), the database is tried again and again, and what was kept is taken in by the
//! next start that finds it well, which the program makes by itself. What needs the database is answered as when it fails.

use std::time::Duration;

use anyhow::Context;
use records::{
    Aside, Database, OpenError, Records, RecordsKeys, SoleUse, TakenIn, left_aside, take_in,
};
use redact::Secret;

use crate::settings::Settings;

const FIRST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// What a server keeps its records in.
pub struct Opened {
    pub records: Records,
    /// For what is kept in the database and nowhere else.
    pub database: Database,
    /// None where a database that cannot be opened cannot be locked either.
    pub sole_use: Option<SoleUse>,
    pub missing: Option<Missing>,
}

/// A database that could not be opened, and what is kept in its stead.
pub struct Missing {
    url: Secret<String>,
    keys: RecordsKeys,
    is_locked_here: bool,
    aside: Aside,
}

/// Opens the database, or what stands in for it. Fails where the settings are mistaken, another server has the database, or it
/// is of a newer program.
pub async fn open(settings: &Settings) -> anyhow::Result<Opened> {
    let (url, keys) = (
        settings.database.expose_secret(),
        settings.records_keys.clone(),
    );
    let (sole_use, opened) = match SoleUse::take(url) {
        Ok(sole_use) => (Some(sole_use), Records::open_with(url, keys.clone()).await),
        Err(error) => (None, Err(error)),
    };
    let error = match opened {
        Ok(records) => {
            let database = records.database().context("the records have a database")?;
            return Ok(Opened {
                records,
                database,
                sole_use,
                missing: None,
            });
        }
        Err(error) if error.is_the_databases() => error,
        Err(error) => return Err(error.into()),
    };
    // With what it was caused by.
    let error = format!("{:#}", anyhow::Error::new(error));
    let aside = Aside::open(url, keys.clone()).await?;
    match aside.place() {
        Some(place) => tracing::error!(
            %error,
            place = %place.display(),
            "the database cannot be opened, and calls are taken all the same: what is said is kept in a file aside, and the desk is closed. Do \
             what the error says, and leave that file where it is: it is taken in when the database opens"
        ),
        None => tracing::error!(
            %error,
            "the database cannot be opened, nor can a file be written beside it, and calls are taken all the same: what is said is kept in memory \
             alone, and the desk is closed. Do what the error says before this program ends: what was kept is taken in when the database opens"
        ),
    }
    Ok(Opened {
        records: aside.records.clone(),
        database: Database::out_of_reach(keys.clone()).await?,
        missing: Some(Missing {
            url: settings.database.clone(),
            keys,
            is_locked_here: sole_use.is_some(),
            aside,
        }),
        sole_use,
    })
}

/// Takes in what earlier runs have kept aside. What cannot be taken in now stays, and is tried at the next start: no caller waits
/// for it.
pub async fn take_in_what_is_left(settings: &Settings, records: &Records) {
    for place in left_aside(settings.database.expose_secret()) {
        let aside = match Aside::open_file(&place, settings.records_keys.clone()).await {
            Ok(aside) => aside,
            // Another node's, which goes on without its database.
            Err(OpenError::InUse { .. }) => continue,
            Err(error) => {
                tracing::error!(%error, place = %place.display(), "what was kept aside cannot be opened, and stays where it is");
                continue;
            }
        };
        let taken_in = take_in(&aside.records, records).await;
        match taken_in {
            Ok(TakenIn { calls, left: 0 }) => match aside.remove().await {
                Ok(()) => tracing::warn!(calls, "what was kept aside is taken in"),
                Err(error) => {
                    tracing::warn!(calls, %error, place = %place.display(), "what was kept aside is taken in; its file is empty, and is to be removed by hand");
                }
            },
            Ok(TakenIn { calls, left }) => {
                tracing::error!(
                    calls,
                    left,
                    place = %place.display(),
                    "not all that was kept aside could be taken in; the rest stays where it is. Add the keys that it was sealed with, and start again"
                );
            }
            Err(error) => {
                tracing::error!(%error, place = %place.display(), "what was kept aside is not taken in yet; the next start goes on with it");
            }
        }
    }
}

impl Missing {
    /// Tries until the database opens.
    pub async fn until_it_opens(&self) {
        let mut wait = FIRST_WAIT;
        loop {
            tokio::time::sleep(wait).await;
            match self.reopened().await {
                Ok((_, database)) => {
                    database.close().await;
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "the database still cannot be opened; trying again");
                }
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// What is kept in memory goes into the database, if that opens within so long, or is lost with this process. A file waits for
    /// the next start.
    pub async fn hand_over(self, opens_within: Duration) {
        if self.aside.place().is_some() {
            return;
        }
        // Another program's lock would be waited for longer than the stop is. Whatever is stored afterwards has a bound of its own,
        // and the first that fails ends it: a disk that is only slow costs no record.
        let (_sole_use, database) = match tokio::time::timeout(opens_within, self.reopened()).await
        {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => {
                tracing::error!(%error, "what was kept in memory is lost: the database cannot be opened");
                return;
            }
            Err(_) => {
                tracing::error!(
                    "what was kept in memory is lost: the database takes too long to open"
                );
                return;
            }
        };
        match take_in(&self.aside.records, &Records::in_database(database)).await {
            Ok(TakenIn { calls, left: 0 }) => {
                tracing::warn!(calls, "what was kept in memory is taken in");
            }
            Ok(TakenIn { calls, left }) => {
                tracing::error!(
                    calls,
                    left,
                    "not all that was kept in memory could be taken in; the rest is lost"
                );
            }
            Err(error) => {
                tracing::error!(%error, "what was kept in memory and is not in the database yet is lost: the database fails");
            }
        }
    }

    async fn reopened(&self) -> Result<(Option<SoleUse>, Database), OpenError> {
        let url = self.url.expose_secret();
        let sole_use = match self.is_locked_here {
            true => None,
            false => Some(SoleUse::take(url)?),
        };
        Ok((sole_use, Database::open(url, self.keys.clone()).await?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Instant;

    use jiff::Timestamp;
    use records::{CallId, CallKind, NewCall};
    use sqlx::ConnectOptions;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;

    /// One call, kept in memory in the stead of this database.
    async fn a_call_kept_in_memory(url: &str) -> (CallId, Missing) {
        let keys = RecordsKeys::none();
        let aside = Aside::in_memory(keys.clone()).await.unwrap();
        let call_id = CallId::random();
        let call = NewCall {
            call_id,
            visitor: None,
            started_at: Timestamp::now(),
            kind: CallKind::Chat,
            notice: None,
        };
        aside.records.start_call(call).await.unwrap();
        let missing = Missing {
            url: Secret::new(url.to_owned()),
            keys,
            is_locked_here: false,
            aside,
        };
        (call_id, missing)
    }

    #[tokio::test]
    async fn what_is_kept_in_memory_goes_into_the_database_at_an_orderly_stop() {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("calls.db").display());
        let (call_id, missing) = a_call_kept_in_memory(&url).await;
        missing.hand_over(Duration::from_secs(30)).await;
        let records = Records::open(&url).await.unwrap();
        assert!(records.call(call_id).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_stop_waits_no_longer_than_it_may_for_a_database_that_another_program_has_locked() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("calls.db");
        let url = format!("sqlite:{}", path.display());
        drop(Records::open(&url).await.unwrap());
        let options = SqliteConnectOptions::new().filename(&path);
        let mut other = options.connect().await.unwrap();
        sqlx::query("BEGIN EXCLUSIVE")
            .execute(&mut other)
            .await
            .unwrap();
        let (_, missing) = a_call_kept_in_memory(&url).await;
        let begun = Instant::now();
        missing.hand_over(Duration::from_millis(500)).await;
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(4), "{took:?}");
    }

    /// In real time, as whatever opens a file is.
    #[tokio::test]
    async fn a_stop_goes_on_taking_in_what_was_kept_for_longer_than_the_database_may_take_to_open()
    {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("calls.db").display());
        drop(Records::open(&url).await.unwrap());
        let (call_id, missing) = a_call_kept_in_memory(&url).await;
        let Some(Database::Sqlite(kept)) = missing.aside.records.database() else {
            panic!("what is kept in memory is kept by SQLite");
        };
        let opens_within = Duration::from_secs(1);
        // Until then nothing can be read of what was kept.
        let held = kept.write().await.unwrap();
        let until_later = async {
            tokio::time::sleep(2 * opens_within).await;
            held.rollback().await.unwrap();
        };
        tokio::join!(missing.hand_over(opens_within), until_later);
        let records = Records::open(&url).await.unwrap();
        assert!(records.call(call_id).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_database_out_of_reach_answers_nothing_and_pretends_nothing() {
        let away = Database::out_of_reach(RecordsKeys::none()).await.unwrap();
        let records = Records::in_database(away);
        let looked = records.call(CallId::random()).await;
        assert!(matches!(looked, Err(records::StoreError::Unavailable(_))));
    }
}
