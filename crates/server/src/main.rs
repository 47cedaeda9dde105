//! The program `nightlight`. Everything it does is in the library beside it.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match server::commands::run(server::commands::CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Causes on the same line, outermost first: a log collector keeps lines.
            eprintln!("nightlight: {error:#}");
            ExitCode::FAILURE
        }
    }
}
