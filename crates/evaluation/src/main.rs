//! `nightlight-eval`: runs the simulated callers by text, answers as one of them who rings by voice, judges those calls, reads
//! labelled lines, and reports how well callers were served and read.
//!
//! | question | module |
//! |---|---|
//! | how is a caller written down? | [`caller`], `callers/README.md` |
//! | what was the caller asked? | [`question`] |
//! | what does the caller say then? | [`person`] |
//! | how does a call run? | [`text_call`] |
//! | was it right? | [`score`]; the rules: [`rules`]; the note: [`truth`], [`words`] |
//! | what is told? | [`figures`], [`report`] |
//! | and by voice? | [`voice`]; what was heard: [`hearing`]; what is told: [`voice_report`] |
//! | how well is a single line read? | [`labelled_lines`] |
//!
//! There is no clock and no randomness: the same callers give the same report.

mod caller;
mod figures;
mod hearing;
mod labelled_lines;
mod person;
mod question;
#[cfg(test)]
mod ratchet;
mod report;
mod rules;
mod score;
mod text_call;
mod truth;
mod voice;
mod voice_report;
mod words;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Parser;
use flow::AssistantScript;
use reader::Reader;
use reader::trained::Files;
use serde_json::json;

use crate::caller::{Caller, Part};
use crate::figures::PartResult;
use crate::labelled_lines::LineFigures;
use crate::text_call::{Account, Helpline};

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
    /// Only list the callers who also ring by voice.
    #[arg(long)]
    voice_callers: bool,
    /// Only answer as this caller what `nightlight-caller --respond` passes on, line by line.
    #[arg(long, value_name = "ID", conflicts_with = "voice_callers")]
    ring_as: Option<String>,
    /// Read labelled lines, one by one, instead of holding conversations: a file or a directory of
    /// them; see training/LABELS.md.
    #[arg(long, value_name = "PATH")]
    lines: Vec<PathBuf>,
    /// Write there what the readers made of every turn, one a line, for training/whole_call.py; see training/README.md.
    #[arg(long, value_name = "FILE")]
    so_far: Option<PathBuf>,
    /// Without the trained reader.
    #[arg(long)]
    rules_alone: bool,
    /// Only judge the calls that nightlight-caller reported there.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["voice_callers", "ring_as"])]
    voice_reports: Option<PathBuf>,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let helpline = Helpline {
        script: Arc::new(AssistantScript::built_in()),
        reader: reader(arguments.rules_alone)?,
    };
    if !arguments.lines.is_empty() {
        by_line(&arguments, &helpline.reader)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut parts: Vec<Part> = Vec::new();
    for directory in &arguments.callers {
        parts.extend(caller::read_parts(directory)?);
    }
    if let Some(text) = &arguments.only {
        for part in &mut parts {
            part.callers
                .retain(|it| it.id.contains(text.as_str()) || it.category.contains(text.as_str()));
        }
        parts.retain(|part| !part.callers.is_empty());
    }
    ensure!(
        !parts.is_empty(),
        "no caller was found: check the directory and --only"
    );
    let voice_only =
        arguments.voice_callers || arguments.ring_as.is_some() || arguments.voice_reports.is_some();
    if voice_only {
        let callers: Vec<Caller> = parts.into_iter().flat_map(|part| part.callers).collect();
        by_voice(&arguments, &callers, &helpline)?;
        return Ok(ExitCode::SUCCESS);
    }
    by_text(&arguments, &parts, &helpline)
}

/// Both readers, with the files of this checkout.
fn reader(rules_alone: bool) -> anyhow::Result<Reader> {
    if rules_alone {
        return Ok(Reader::rules_alone());
    }
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let engine = std::env::var_os("NIGHTLIGHT_ENGINE_DIR").map(PathBuf::from);
    let files = Files::new(
        &checkout.join("crates/reader/weights"),
        &engine.unwrap_or_else(|| checkout.join("var/engine")),
    );
    Reader::open(&files).context("the trained reader; --rules-alone does without it")
}

fn by_line(arguments: &Arguments, reader: &Reader) -> anyhow::Result<()> {
    for path in &arguments.lines {
        let figures = LineFigures::of(&labelled_lines::read(path)?, reader);
        match arguments.json {
            true => println!("{}", serde_json::to_string(&figures)?),
            false => println!("{}", figures.told(&path.display().to_string())),
        }
    }
    Ok(())
}

fn by_text(arguments: &Arguments, parts: &[Part], helpline: &Helpline) -> anyhow::Result<ExitCode> {
    let mut results: Vec<PartResult> = Vec::new();
    let mut conversations = String::new();
    let mut so_far = match &arguments.so_far {
        Some(path) => {
            Some(BufWriter::new(File::create(path).with_context(|| {
                format!("cannot write {}", path.display())
            })?))
        }
        None => None,
    };
    for part in parts {
        let mut verdicts = Vec::new();
        for caller in &part.callers {
            let (verdict, account) = score::run(caller, helpline);
            if let (Some(file), Some(account)) = (&mut so_far, &account) {
                write_turns(file, caller, account)?;
            }
            let shown = arguments.only.is_some() && !arguments.failures;
            if shown || (arguments.failures && !verdict.passed()) {
                conversations += &report::conversation(caller, &verdict, account.as_ref());
                conversations.push('\n');
            }
            verdicts.push(verdict);
        }
        results.push(PartResult {
            name: part.name.clone(),
            verdicts,
        });
    }
    tell(arguments, &results, &conversations)?;
    let missed = results
        .iter()
        .any(|part| !part.total().missed_targets().is_empty());
    Ok(ExitCode::from(u8::from(arguments.check && missed)))
}

/// Each turn with who says it and which agencies are right for them; none of the caller's words.
fn write_turns(file: &mut impl Write, caller: &Caller, account: &Account) -> anyhow::Result<()> {
    let agencies: Vec<&String> = caller.expect.agency.iter().collect();
    for turn in &account.readings {
        let line = json!({ "caller": caller.id, "agencies": agencies, "turn": turn });
        writeln!(file, "{line}")?;
    }
    Ok(())
}

fn by_voice(arguments: &Arguments, callers: &[Caller], helpline: &Helpline) -> anyhow::Result<()> {
    if arguments.voice_callers {
        for caller in callers.iter().filter(|caller| caller.voice) {
            println!("{}", caller.id);
        }
    }
    if let Some(id) = &arguments.ring_as {
        let caller = callers.iter().find(|caller| caller.id == *id);
        let caller = caller.with_context(|| format!("no caller is called {id}"))?;
        voice::answer(caller, io::stdin().lock(), io::stdout().lock())?;
    }
    if let Some(directory) = &arguments.voice_reports {
        let text = voice_report::report(callers, helpline, directory, &arguments.measured)?;
        println!("{text}");
        if let Some(path) = &arguments.write {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
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
