//! `nightlight serve`: takes calls until the system says to stop.

use std::path::Path;

use anyhow::Context;

use crate::descriptors;
use crate::error_reports::Reporting;
use crate::server::{Engine, Server};
use crate::settings::Settings;
use crate::telemetry;
use crate::traces::Traces;

pub fn run(config: Option<&Path>) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    telemetry::start_log(&settings.log, std::io::stderr)
        .context("`log` is not a log filter: use the form of RUST_LOG, such as info")?;
    telemetry::log_panics_by_their_place();
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
    told_to_stop().await?;
    server.stop().await;
    if let Some(traces) = traces {
        traces.stop().await;
    }
    if let Some(reporting) = reporting {
        reporting.stop().await;
    }
    Ok(())
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
