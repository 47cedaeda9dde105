//! `nightlight check-settings`: every setting there is, and whether those given hold.

use std::io::Write;
use std::path::Path;

use crate::settings::Settings;
use crate::settings::catalogue::SETTINGS;

pub fn run(config: Option<&Path>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for setting in SETTINGS {
        writeln!(
            out,
            "{:<24} {} (default: {})",
            setting.key, setting.meaning, setting.default
        )?;
    }
    Settings::load(config)?;
    writeln!(out, "\nThe settings hold.")?;
    Ok(())
}
