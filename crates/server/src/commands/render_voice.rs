//! `nightlight render-voice`: has everything that is always said spoken once, and keeps it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use speech::KokoroSpeaker;

use crate::settings::{Settings, VoiceName};
use crate::{server, voices};

#[derive(Debug, Args)]
pub struct Arguments {
    /// A voice of this machine; without it, the one that is set, which is that at `tts_url` if there is one.
    #[arg(long)]
    voice: Option<KokoroSpeaker>,
    /// Write what this voice always says into one file, as it ships.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// Only print what is always said, a sentence a line, as it is written.
    #[arg(long, conflicts_with_all = ["voice", "pack"])]
    list: bool,
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let sentences = call::fixed_sentences(&server::script(&settings));
    if arguments.list {
        let mut out = std::io::stdout().lock();
        for sentence in sentences {
            writeln!(out, "{sentence}")?;
        }
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (name, voice) = match (&arguments.voice, &settings.voice.remote) {
        (None, Some(remote)) => {
            let voice = voices::remote(remote, &settings.voice, runtime.handle().clone())?;
            (remote.voice.as_str(), voice)
        }
        (speaker, _) => {
            let speaker = speaker.map_or_else(|| set_speaker(&settings), Ok)?;
            let voice = voices::kokoro(speaker, &settings.engine_dir, &settings.voice)?;
            (speaker.name(), voice)
        }
    };
    let missing = voice.missing(sentences.clone());
    let began = Instant::now();
    let mut out = std::io::stderr();
    for (done, sentence) in missing.iter().enumerate() {
        runtime.block_on(voice.render(sentence))?;
        let left = began.elapsed() / (done as u32 + 1) * (missing.len() - done - 1) as u32;
        write!(
            out,
            "\r{} of {} sentences rendered, about {} minutes left ",
            done + 1,
            missing.len(),
            left.as_secs().div_ceil(60)
        )?;
    }
    writeln!(
        out,
        "\n{name} has everything: {} sentences",
        sentences.len()
    )?;
    if let Some(pack) = &arguments.pack {
        let count = voice
            .write_pack(sentences, pack)
            .context("the pack could not be written")?;
        writeln!(out, "{} holds {count} of them", pack.display())?;
    }
    Ok(())
}

fn set_speaker(settings: &Settings) -> anyhow::Result<KokoroSpeaker> {
    match &settings.voice.name {
        VoiceName::Kokoro(speaker) => Ok(*speaker),
        other => anyhow::bail!(
            "the voice {} needs nothing rendered: it is quick enough; name another with --voice",
            other.as_str()
        ),
    }
}
