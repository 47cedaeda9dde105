//! `nightlight new-records-key` and `nightlight rotate`: the keys that records are sealed with.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::settings::{Log, LogFormat, Settings};
use crate::telemetry;

/// How often it is told how far a rotation is.
const TELL_EVERY: Duration = Duration::from_secs(5);

pub fn new_key() -> anyhow::Result<()> {
    writeln!(
        std::io::stdout(),
        "{}",
        records::new_records_key().expose_secret()
    )
    .context("cannot write")
}

pub fn rotate(config: Option<&Path>) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    // What cannot be opened is told there, by its number.
    let log = Log {
        filter: String::from("warn"),
        format: LogFormat::Text,
    };
    telemetry::start_log(&log, std::io::stderr).context("`warn` is a log filter")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let mut told = Instant::now();
    let rotating = records::rotate_keys(
        settings.database.expose_secret(),
        settings.records_keys,
        |so_far| {
            if told.elapsed() > TELL_EVERY {
                told = Instant::now();
                eprintln!(
                    "{} records looked at, {} encrypted anew …",
                    so_far.looked_at, so_far.sealed_anew
                );
            }
        },
    );
    let rotated = runtime.block_on(rotating)?;
    println!(
        "{} records looked at, {} encrypted anew.",
        rotated.looked_at, rotated.sealed_anew
    );
    if rotated.written_meanwhile > 0 {
        println!(
            "{} of them were written meanwhile with another key or none: start every server with these keys, then run this \
             again.",
            rotated.written_meanwhile
        );
    }
    if rotated.unreadable > 0 {
        let wanted: Vec<&str> = rotated.keys_wanted.iter().map(String::as_str).collect();
        bail!(
            "{} records hold what cannot be decrypted and stay as they are: add the keys {} after the first, if you have them",
            rotated.unreadable,
            wanted.join(", ")
        );
    }
    println!("Everything is encrypted with the first key: the others can be taken away.");
    Ok(())
}
