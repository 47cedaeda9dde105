//! `nightlight serve`: takes calls until the system says to stop. Where it began without its database, it starts again when that
//! is back.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::pin::pin;
use std::process::Command;

use anyhow::Context;

use crate::descriptors;
use crate::error_reports::Reporting;
use crate::server::{Engine, Server};
use crate::settings::Settings;
use crate::telemetry;
use crate::traces::Traces;

const START_IT_AGAIN: &str =
    "the database is back, and this program cannot start again by itself: start it again";

pub fn run(config: Option<&Path>) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    telemetry::start_log(&settings.log, std::io::stderr)
        .context("`log` is not a log filter: use the form of RUST_LOG, such as info")?;
    telemetry::log_panics_by_their_place();
    for name in &settings.unknown_variables {
        tracing::warn!(%name, "there is no such setting: look it up with `nightlight check-settings`, or remove it");
    }
    descriptors::raise();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    runtime.block_on(serve(settings))
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let node = settings.node_name.clone();
    let reporting = settings
        .error_reporting
        .as_ref()
        .map(|dsn| Reporting::start(dsn, node.as_deref()))
        .transpose()?;
    let engine = Engine::load(&settings).await?;
    let public_origin = settings.public_origin.clone();
    let traces = settings
        .otlp_endpoint
        .as_ref()
        .map(Traces::start)
        .transpose()?;
    let server = Server::start(settings, engine).await?;
    let page = public_origin.unwrap_or_else(|| format!("http://{}", server.address));
    eprintln!("Nightlight is at {page}/Demo");
    // From here to the end: the system may say so while the program starts again, too.
    let mut told = pin!(told_to_stop());
    let starts_again = tokio::select! {
        heard = &mut told => {
            heard?;
            false
        }
        () = server.is_better_started_again() => true,
    };
    if starts_again {
        tracing::warn!(
            "the database can be opened again and nobody is on a call: starting again on it"
        );
    }
    let stop = async {
        server.stop().await;
        if let Some(traces) = traces {
            traces.stop().await;
        }
        if let Some(reporting) = reporting {
            reporting.stop().await;
        }
    };
    if !starts_again {
        stop.await;
        return Ok(());
    }
    match is_told_during(stop, told).await {
        true => Ok(()),
        false => Err(not_started_again()),
    }
}

/// Does this to its end. Whether one was told to stop meanwhile.
async fn is_told_during(
    work: impl Future<Output = ()>,
    told: impl Future<Output = anyhow::Result<()>>,
) -> bool {
    let mut work = pin!(work);
    tokio::select! {
        // Where both have come, it was told.
        biased;
        _ = told => {
            work.await;
            true
        }
        () = &mut work => false,
    }
}

/// Puts a new run of this program in the place of this one, with what it was given; whoever watches over the process sees no end.
/// Comes back only where that cannot be done.
fn not_started_again() -> anyhow::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return anyhow::Error::new(error).context(START_IT_AGAIN),
    };
    let error = Command::new(program)
        .args(std::env::args_os().skip(1))
        .exec();
    anyhow::Error::new(error).context(START_IT_AGAIN)
}

/// SIGTERM from a service manager, or Ctrl-C from a person.
async fn told_to_stop() -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        pressed = tokio::signal::ctrl_c() => pressed.context("cannot listen for Ctrl-C"),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_is_told_to_stop_while_it_starts_again_stops_in_order_and_stays_stopped() {
        let mut is_in_order = false;
        // Virtual time: the clock is paused.
        let stop = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            is_in_order = true;
        };
        let told = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(())
        };
        assert!(is_told_during(stop, told).await);
        assert!(is_in_order);
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_told_nothing_meanwhile_starts_again() {
        // Virtual time: the clock is paused.
        let stop = tokio::time::sleep(Duration::from_secs(5));
        assert!(!is_told_during(stop, pending()).await);
    }
}
