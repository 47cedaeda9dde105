//! `nightlight delete-record`: erases one call's record for good, for an operator who is asked to, unless it is on hold at the
//! desk. The server may run meanwhile.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use desk::store::Which;
use desk::{Desk, SessionBounds, Who};
use jiff::Timestamp;
use records::{CallId, Records, StoreError};
use resources::Resources;

use crate::kept_beside;
use crate::retention;
use crate::settings::{Log, LogFormat, Settings};
use crate::telemetry;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The call's id, as the record and the log have it.
    #[arg(value_name = "CALL_ID")]
    call_id: CallId,
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    // What could not be overwritten yet is told there.
    let log = Log {
        filter: String::from("warn"),
        format: LogFormat::Text,
    };
    telemetry::start_log(&log, std::io::stderr).context("`warn` is a log filter")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    runtime.block_on(delete(&settings, arguments.call_id))?;
    println!("The record is deleted.");
    Ok(())
}

async fn delete(settings: &Settings, call_id: CallId) -> anyhow::Result<()> {
    let (url, keys) = (&settings.database, settings.records_keys.clone());
    let records = Records::open_with(url.expose_secret(), keys).await?;
    let database = records
        .database()
        .context("records that were opened have one")?;
    let desk = Desk::on(&database, SessionBounds::default());
    let record = records.call(call_id).await?;
    // Its turns would have nowhere to go, and its end would be tried for ever.
    if record.is_some_and(|record| record.ended_at.is_none()) {
        bail!("this call is under way: delete its record when it has ended");
    }
    match records.delete_call(call_id).await {
        Ok(true) => {}
        Ok(false) => bail!(
            "there is no record of this call: see `database` in the settings, and the call's id"
        ),
        Err(StoreError::OnHold) => bail!(on_hold(&desk, call_id).await?),
        Err(error) => return Err(error.into()),
    }
    if desk.is_open().await? {
        retention::note(&desk, Who::CommandLine, &[call_id]).await;
    }
    let resources = Resources::on(&database);
    kept_beside::forget(&resources, &[call_id])
        .await
        .context("the record is deleted; what is kept beside it goes at its own time")
}

/// Says who keeps the record; not why, which can hold what a caller said.
async fn on_hold(desk: &Desk, call_id: CallId) -> anyhow::Result<String> {
    let case = desk.cases().case(call_id).await?;
    let Some(hold) = case.and_then(|case| case.hold) else {
        return Ok("this record was on hold a moment ago: try again".to_owned());
    };
    let by = desk.account(&Which::Id(hold.by), Timestamp::now()).await?;
    let by = by.map_or_else(|| hold.by.to_string(), |account| account.name);
    Ok(format!(
        "this record is on hold: {by} keeps it from being deleted since {}, for the reason that its case shows. Have the hold \
         ended at the desk, and delete it then",
        hold.at
    ))
}
