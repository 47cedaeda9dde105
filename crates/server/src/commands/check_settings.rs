//! `nightlight check-settings`: every setting there is, and whether those given hold.

use std::io::Write;
use std::path::Path;

use crate::helpline::HELPLINE;
use crate::settings::Settings;
use crate::settings::catalogue::SETTINGS;

pub fn run(config: Option<&Path>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for setting in SETTINGS {
        writeln!(
            out,
            "{:<24} {} (default: {})",
            setting.key,
            setting.meaning,
            setting.default_value(&HELPLINE)
        )?;
    }
    let settings = Settings::load(config)?;
    for name in &settings.unknown_variables {
        writeln!(
            out,
            "\n{name}: there is no such setting; the server starts without it."
        )?;
    }
    writeln!(out, "\nThe settings hold.")?;
    Ok(())
}
