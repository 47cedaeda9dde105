//! `nightlight delete-record`: erases one call's record for good, for an operator who is asked to. The server may run
//! meanwhile.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use records::{CallId, Records};

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
    let (database, keys) = (&settings.database, settings.records_keys.clone());
    let records = Records::open_with(database.expose_secret(), keys).await?;
    let Some(record) = records.call(call_id).await? else {
        bail!("there is no record of this call: see `database` in the settings, and the call's id");
    };
    // Its turns would have nowhere to go, and its end would be tried for ever.
    if record.ended_at.is_none() {
        bail!("this call is under way: delete its record when it has ended");
    }
    records.delete_call(call_id).await?;
    Ok(())
}
