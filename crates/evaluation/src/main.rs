//! `nightlight-eval`: runs the simulated callers by text and reports how well they were served.
//!
//! | question | module |
//! |---|---|
//! | how is a caller written down? | [`caller`], `callers/README.md` |
//! | what was the caller asked? | [`question`] |
//! | what does the caller say then? | [`person`] |
//! | how does a call run? | [`text_call`] |
//! | was it right? | [`score`]; the rules: [`rules`]; the note: [`truth`], [`words`] |
//! | what is told? | [`figures`], [`report`] |
//!
//! There is no clock and no randomness: the same callers give the same report.

mod caller;
mod figures;
mod person;
mod question;
mod report;
mod rules;
mod score;
mod text_call;
mod truth;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Parser;
use flow::AssistantScript;

use crate::figures::PartResult;

/// Runs simulated callers through the conversation that a call runs, by text, and reports.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Directories of callers; each, and each directory in it, is reported as a part of its own.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/callers"))]
    callers: Vec<PathBuf>,
    /// Only the callers whose id or category contains this; shows their conversations.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Show the whole conversations of the calls that went wrong.
    #[arg(long)]
    failures: bool,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
    /// Write the report there, as Markdown.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// When and where this is measured, for the written report.
    #[arg(long, value_name = "TEXT", default_value = "not stated")]
    measured: String,
    /// Exit with 1 if a target is missed.
    #[arg(long)]
    check: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let script = Arc::new(AssistantScript::built_in());
    flow::prepare();
    let mut results: Vec<PartResult> = Vec::new();
    let mut conversations = String::new();
    for directory in &arguments.callers {
        for part in caller::read_parts(directory)? {
            let chosen = part.callers.iter().filter(|caller| {
                arguments.only.as_ref().is_none_or(|text| {
                    caller.id.contains(text.as_str()) || caller.category.contains(text.as_str())
                })
            });
            let mut verdicts = Vec::new();
            for caller in chosen {
                let (verdict, account) = score::run(caller, &script);
                let shown = arguments.only.is_some() && !arguments.failures;
                if shown || (arguments.failures && !verdict.passed()) {
                    conversations += &report::conversation(caller, &verdict, account.as_ref());
                    conversations.push('\n');
                }
                verdicts.push(verdict);
            }
            if !verdicts.is_empty() {
                results.push(PartResult {
                    name: part.name,
                    verdicts,
                });
            }
        }
    }
    ensure!(
        !results.is_empty(),
        "no caller was found: check the directory and --only"
    );
    tell(&arguments, &results, &conversations)?;
    let missed = results
        .iter()
        .any(|part| !part.total().missed_targets().is_empty());
    Ok(ExitCode::from(u8::from(arguments.check && missed)))
}

fn tell(arguments: &Arguments, results: &[PartResult], conversations: &str) -> anyhow::Result<()> {
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(results)?);
    } else {
        print!("{conversations}");
        for part in results {
            println!("# {}\n", part.name);
            println!("{}", report::table(part));
            println!("{}", report::summary(&part.total()));
            for target in part.total().missed_targets() {
                println!("- {target}");
            }
            println!();
        }
    }
    if let Some(path) = &arguments.write {
        let command = "make eval";
        let text = report::document(results, &arguments.measured, command);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
