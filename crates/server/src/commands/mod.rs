//! What the program can be told to do. One file a command.

mod audit;
mod backup;
mod check_settings;
pub mod converse;
mod delete_record;
mod desk;
mod openapi;
mod platform;
mod records_keys;
mod render_voice;
mod serve;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Nightlight: an after-hours voice line.
#[derive(Debug, Parser)]
#[command(name = "nightlight", version)]
pub struct CommandLine {
    /// The settings file; without it, nightlight.toml where there is one.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take calls and serve the web page (the default).
    Serve,
    /// Hold a conversation by text, without audio and without a record.
    Converse(converse::Arguments),
    /// Print the OpenAPI document.
    Openapi,
    /// Have everything that is always said spoken once, and keep it.
    RenderVoice(render_voice::Arguments),
    /// Erase one call's record for good, as when its caller asks for it. The server may run meanwhile.
    DeleteRecord(delete_record::Arguments),
    /// Copy everything that is stored to one file, and try the copy: of SQLite or PostgreSQL. The server may run meanwhile.
    Backup(backup::Arguments),
    /// Put a backup, of either database, into the one in the settings: in a file's place, which is kept, or into an empty
    /// PostgreSQL database. The server must not run meanwhile.
    Restore(backup::Arguments),
    /// Make a key to encrypt records with, and print it.
    NewRecordsKey,
    /// Encrypt every record with the first key, those that are not encrypted too. The server may run meanwhile.
    Rotate,
    /// Accounts at the duty desk: the first one opens it. The server may run meanwhile.
    Desk(desk::Arguments),
    /// The desk's audit trail. The server may run meanwhile.
    Audit(audit::Arguments),
    /// The hosted voice platform: what is kept there. The server may run meanwhile.
    Platform(platform::Arguments),
    /// Name every setting with its meaning and default, and everything that is wrong with those given.
    CheckSettings,
}

/// Runs what the command line asks for.
pub fn run(line: CommandLine) -> anyhow::Result<()> {
    match line.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(line.config.as_deref()),
        Command::Converse(arguments) => converse::run(line.config.as_deref(), &arguments),
        Command::Openapi => openapi::run(),
        Command::RenderVoice(arguments) => render_voice::run(line.config.as_deref(), &arguments),
        Command::DeleteRecord(arguments) => delete_record::run(line.config.as_deref(), &arguments),
        Command::Backup(arguments) => backup::back_up(line.config.as_deref(), &arguments),
        Command::Restore(arguments) => backup::restore(line.config.as_deref(), &arguments),
        Command::NewRecordsKey => records_keys::new_key(),
        Command::Rotate => records_keys::rotate(line.config.as_deref()),
        Command::Desk(arguments) => desk::run(line.config.as_deref(), &arguments),
        Command::Audit(arguments) => audit::run(line.config.as_deref(), &arguments),
        Command::Platform(arguments) => platform::run(line.config.as_deref(), &arguments),
        Command::CheckSettings => check_settings::run(line.config.as_deref()),
    }
}
