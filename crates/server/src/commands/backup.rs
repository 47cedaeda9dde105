//! `nightlight backup` and `nightlight restore`: everything in one file, kept elsewhere and put back, into either database.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use records::{Lodger, left_aside};

use crate::settings::Settings;

/// Who has tables of their own in the database.
const LODGERS: [Lodger; 1] = [jobs::LODGER];

#[derive(Debug, Args)]
pub struct Arguments {
    /// The backup: one file, the same for SQLite and PostgreSQL.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn back_up(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let file = &arguments.file;
    // Before: what a server takes in meanwhile may be too late for the backup.
    let aside = left_aside(settings.database.expose_secret());
    let records = runtime()?.block_on(records::back_up(
        settings.database.expose_secret(),
        file,
        &LODGERS,
    ))?;
    println!(
        "{records} records are in {}, tried and whole. It holds callers' words: keep it encrypted, and no longer than the \
         records themselves.",
        file.display()
    );
    if !aside.is_empty() {
        eprintln!("{}", not_in_the_backup(&aside));
    }
    Ok(())
}

/// No reason to fail: what is in the database is backed up every night also while something waits beside it.
fn not_in_the_backup(aside: &[PathBuf]) -> String {
    let places: Vec<String> = aside.iter().map(|it| it.display().to_string()).collect();
    format!(
        "WARNING: this backup is NOT everything. Calls that were kept aside while the database could not be opened are not in it, \
         but in {} of their own: {}. Start the server once on this database, so that it takes them in; then take another backup, \
         above all before records move elsewhere.",
        match aside.len() {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        },
        places.join(", ")
    )
}

pub fn restore(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let restored = runtime()?.block_on(records::restore(
        settings.database.expose_secret(),
        &arguments.file,
        &LODGERS,
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
