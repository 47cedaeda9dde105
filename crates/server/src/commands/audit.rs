//! `nightlight audit verify`: whether the audit trail still holds. The server may run meanwhile.

use std::path::Path;

use anyhow::Context;
use clap::{Args, Subcommand};
use desk::Head;

use super::desk::opened;
use crate::settings::Settings;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Walk along the whole audit trail, and say whether an entry was changed, taken out or put in.
    Verify {
        /// What an earlier run printed, kept elsewhere: whether the trail still begins so.
        #[arg(long, value_name = "NUMBER:HASH")]
        head: Option<Head>,
    },
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let What::Verify { head } = &arguments.what;
    let verified = runtime.block_on(async {
        let desk = opened(&settings).await?;
        anyhow::Ok(desk.verify_audit(head.clone()).await?)
    })?;
    let head = verified?;
    println!(
        "The audit trail holds: {} entries. Keep this elsewhere, for `nightlight audit verify --head`:",
        head.number
    );
    println!("{head}");
    Ok(())
}
