//! `nightlight platform push`: brings the assistants, squads and tools of a folder to the hosted platform. The server may run
//! meanwhile.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use crate::hosted::push::{self, HostedApi, Kind, Outcome, Pushed, Webhook};
use crate::settings::Settings;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Create or update them there, matched by name, and print their ids. Nothing there is deleted.
    Push(PushArguments),
}

#[derive(Debug, Args)]
struct PushArguments {
    /// Only say what would change.
    #[arg(long)]
    dry_run: bool,
    /// Holds tools/, assistants/ and squads/ with a JSON file for each.
    #[arg(long, value_name = "DIR", default_value = "config")]
    folder: PathBuf,
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let What::Push(arguments) = &arguments.what;
    let Some(key) = settings.hosted_platform.private_key.clone() else {
        bail!(
            "hosted_private_key is not set: take a private key from the platform's dashboard, and give it as NIGHTLIGHT_HOSTED_PRIVATE_KEY"
        );
    };
    let Some(origin) = &settings.public_origin else {
        bail!(
            "public_origin is not set, and the platform would not know where to send what it tells: give the address at which it reaches this server, such as https://nightlight.example"
        );
    };
    let Some(secret) = settings.webhook_secret.clone() else {
        bail!(
            "webhook_secret is not set, and nothing that the platform tells would be believed: make one with `openssl rand -hex 24`"
        );
    };
    let webhook = Webhook {
        url: format!("{origin}/api/webHook"),
        secret,
    };
    let api = HostedApi::new(settings.hosted_platform.url.clone(), key)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let pushing = push::push(&api, &arguments.folder, &webhook, arguments.dry_run);
    let pushed = runtime.block_on(pushing)?;
    tell(&mut std::io::stdout().lock(), &pushed, arguments.dry_run)?;
    Ok(())
}

fn tell(out: &mut impl Write, pushed: &[Pushed], dry_run: bool) -> std::io::Result<()> {
    for Pushed {
        kind,
        name,
        outcome,
        warning,
        ..
    } in pushed
    {
        let now = match (outcome, dry_run) {
            (Outcome::Created, false) => "created",
            (Outcome::Created, true) => "would be created",
            (Outcome::Updated(_), false) => "updated",
            (Outcome::Updated(_), true) => "would be updated",
            (Outcome::Unchanged, _) => "is as the file says",
        };
        writeln!(out, "{kind} \"{name}\": {now}")?;
        if let Outcome::Updated(changes) = outcome {
            for change in changes {
                writeln!(out, "  {change}")?;
            }
        }
        if let Some(warning) = warning {
            writeln!(out, "  note: {warning}")?;
        }
    }
    if dry_run {
        return writeln!(out, "\nNothing was changed: leave out --dry-run to do it.");
    }
    writeln!(
        out,
        "\nTo have calls held there, set:\n  voice_platform = \"hosted\""
    )?;
    writeln!(
        out,
        "  hosted_public_key = \"…\"  # the platform's public key"
    )?;
    let of = |kind| pushed.iter().filter(move |it: &&Pushed| it.kind == kind);
    let (answers, setting) = match of(Kind::Squad).next() {
        Some(_) => (Kind::Squad, "hosted_squad_id"),
        None => (Kind::Assistant, "hosted_assistant_id"),
    };
    for Pushed { name, id, .. } in of(answers) {
        let id = id.as_deref().unwrap_or_default();
        writeln!(out, "  {setting} = \"{id}\"  # {name}")?;
    }
    Ok(())
}
