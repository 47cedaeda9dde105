//! `nightlight backup` and `nightlight restore`: the records in a file, kept elsewhere and put back.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::settings::Settings;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The backup: a file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn back_up(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let file = &arguments.file;
    let records = runtime()?.block_on(records::back_up(settings.database.expose_secret(), file))?;
    println!(
        "{records} records are in {}, tried and whole. It holds callers' words: keep it encrypted, and no longer than the \
         records themselves.",
        file.display()
    );
    Ok(())
}

pub fn restore(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let restored = runtime()?.block_on(records::restore(
        settings.database.expose_secret(),
        &arguments.file,
    ))?;
    println!("{} records are restored.", restored.records);
    if let Some(before) = restored.before {
        println!(
            "What was there before is kept in {}: delete it when it is not needed.",
            before.display()
        );
    }
    Ok(())
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")
}
