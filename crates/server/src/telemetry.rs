//! How the server is watched: log lines, `/metrics` for Prometheus, `/health` and `/ready`.
//!
//! A log line reads alone and carries fields: a call's id, never its words. Some libraries print
//! whole payloads at their finest level; they are held at `info` whatever the log setting says.

use std::sync::OnceLock;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde::Serialize;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error_reports::{ErrorLines, PANICS, error_reports};
use crate::errors::{ApiError, ErrorAnswer};
use crate::faults::Faults;
use crate::operator::Operator;
use crate::settings::{Log, LogFormat};
use crate::watched_ears::EarsTrouble;
use crate::watched_records::StorageTrouble;

/// Libraries that would write what callers say, or where they are, into the log: WebSocket frames,
/// HTTP bodies, SQL parameters, SDP.
const HELD_AT_INFO: &[&str] = &[
    "tungstenite",
    "tokio_tungstenite",
    "hyper",
    "hyper_util",
    "h2",
    "reqwest",
    "rustls",
    "sqlx",
    "tower_http",
    "axum",
];

/// Libraries that tell of the other side's doings as of errors and warnings of ours. SCTP, under a call's data channel, calls a
/// browser that hangs up one ("abort chunk"), and one that has gone, and what any guest makes up. WebRTC and its ICE warn of
/// what stands in an offer or a packet, and quote it. Why an offer is refused is in the answer to it; how a call ended is the
/// call's own line.
const TELL_OF_THE_OTHER_SIDE: &[&str] = &["sctp_proto", "str0m", "is"];

/// Whether a line may be written at all, however precisely the log setting asks for it: one of a library that prints
/// payloads, only from `info` up, and none where even that is nobody's trouble.
fn may_be_written(line: &Metadata) -> bool {
    let library = line.target().split("::").next().unwrap_or_default();
    !TELL_OF_THE_OTHER_SIDE.contains(&library)
        && (*line.level() <= Level::INFO || !HELD_AT_INFO.contains(&library))
}

/// Sends log lines to `writer` for the rest of the process. A second time in one process (tests)
/// it changes nothing.
pub fn start_log<W>(log: &Log, writer: W) -> Result<(), tracing_subscriber::filter::ParseError>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let asked_for = EnvFilter::builder().parse(&log.filter)?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        // It would be told on stderr, where nothing can be written either: that panics, in whatever was logging.
        .log_internal_errors(false)
        .with_ansi(false);
    let lines = match log.format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let lines = lines
        .with_filter(asked_for)
        .with_filter(filter_fn(may_be_written));
    let faults = faults().clone().with_filter(LevelFilter::WARN);
    let _ = tracing_subscriber::registry()
        .with(lines)
        .with(faults)
        .with(ErrorLines.with_filter(LevelFilter::ERROR))
        .try_init();
    Ok(())
}

/// What went wrong of late in this process, whatever the log setting leaves out.
pub(crate) fn faults() -> &'static Faults {
    static FAULTS: OnceLock<Faults> = OnceLock::new();
    FAULTS.get_or_init(Faults::default)
}

/// Has a panic leave its place in the log and nothing else: its message may hold what was being worked on, and that may be
/// a caller's words.
pub fn log_panics_by_their_place() {
    std::panic::set_hook(Box::new(|panic| {
        error_reports().panicked(panic.location());
        let place = panic.location().map(ToString::to_string);
        let place = place.as_deref().unwrap_or("a place that is not known");
        tracing::error!(
            target: PANICS,
            place,
            "the program failed here; what depends on it was given up"
        );
    }));
}

/// Where measurements go; one for the whole process.
pub fn metrics() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(
                Matcher::Suffix(String::from("_seconds")),
                &[
                    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
                ],
            )
            .and_then(|builder| {
                // Between the usual waits, which are 0.6, 2.5 and 3 s and a little more.
                let waits = Matcher::Full(String::from("nightlight_start_wait_seconds"));
                let buckets = [0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.4, 2.7, 3.2, 4.0, 6.0, 10.0];
                builder.set_buckets_for_metric(waits, &buckets)
            })
            .expect("no list of buckets is empty");
        builder
            .install_recorder()
            .expect("this is the only place that installs a recorder, and it runs once")
    })
}

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(ready))
        .routes(routes!(measurements))
}

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Health {
    #[schema(example = "ok")]
    status: &'static str,
    live_calls: usize,
    max_calls: usize,
}

/// Whether new calls are taken. Storage that fails is told in `status` and stops no call: a server that still talks to
/// callers must not be restarted for it.
#[utoipa::path(
    get,
    path = "/health",
    tag = "operations",
    responses(
        (status = 200, body = Health, description = "Calls are taken: `ok`, or `records-failing` while they cannot be stored or read (`/ready` says which)"),
        (status = 503, body = Health, description = "The server is stopping: send callers elsewhere")
    )
)]
async fn health(State(app): State<App>) -> (StatusCode, Json<Health>) {
    let (code, status) = match app.leaving.is_cancelled() {
        false if app.storage.troubles().is_empty() => (StatusCode::OK, "ok"),
        false => (StatusCode::OK, "records-failing"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
    };
    let health = Health {
        status,
        live_calls: app.switchboard.live_calls(),
        max_calls: app.settings.max_calls,
    };
    (code, Json(health))
}

/// Whether all is as it should be, and for operators, what is not.
#[derive(Debug, Serialize, ToSchema)]
struct Readiness {
    ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    troubles: Option<Vec<Trouble>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum Trouble {
    Storage(StorageTrouble),
    Server(ServerTrouble),
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ServerTrouble {
    Stopping,
    /// More is said than this machine can hear.
    EarsBusy,
    /// The transcriber fails: callers are asked to say it again, and would be again.
    EarsFailing,
}

impl From<EarsTrouble> for ServerTrouble {
    fn from(trouble: EarsTrouble) -> Self {
        match trouble {
            EarsTrouble::Busy => Self::EarsBusy,
            EarsTrouble::Failing => Self::EarsFailing,
        }
    }
}

/// Whether callers are better sent here than to another server, where there is one. A server that is not ready still
/// takes calls, unless it is stopping: one whose records cannot be stored listens all the same, and callers can type to one
/// that does not hear. What is wrong is told
/// to operators alone; a probe needs the status.
#[utoipa::path(
    get,
    path = "/ready",
    tag = "operations",
    responses(
        (status = 200, body = Readiness, description = "All is as it should be"),
        (status = 503, body = Readiness, description = "What is wrong: `records-not-stored`, `records-not-read`, `records-kept-aside`, `ears-busy`, `ears-failing`, `stopping`")
    )
)]
async fn ready(
    operator: Result<Operator, ApiError>,
    State(app): State<App>,
) -> (StatusCode, Json<Readiness>) {
    let mut troubles: Vec<_> = app
        .storage
        .troubles()
        .into_iter()
        .map(Trouble::Storage)
        .collect();
    let ears = app.ears.trouble().map(ServerTrouble::from);
    troubles.extend(ears.map(Trouble::Server));
    if app.leaving.is_cancelled() {
        troubles.push(Trouble::Server(ServerTrouble::Stopping));
    }
    let code = match troubles.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    let ready = troubles.is_empty();
    let troubles = operator.is_ok().then_some(troubles);
    (code, Json(Readiness { ready, troubles }))
}

/// Measurements in Prometheus's text form. For operators: from the machine itself, or with the operator's key.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operations",
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`operators-only`: no operator_key is set")
    ),
    security((), ("key" = []))
)]
async fn measurements(_: Operator, State(app): State<App>) -> impl IntoResponse {
    let calls = app.switchboard.calls_by_state();
    metrics::gauge!("nightlight_calls_cut_off").set(calls.cut_off as f64);
    metrics::gauge!("nightlight_lines_free").set(app.switchboard.free_lines() as f64);
    metrics::gauge!("nightlight_exchanges_waiting").set(app.exchanges.waiting() as f64);
    metrics::gauge!("nightlight_calls_waiting_to_be_joined").set(app.lines.waiting() as f64);
    metrics::gauge!("nightlight_records_troubles").set(app.storage.troubles().len() as f64);
    metrics::gauge!("nightlight_records_kept_aside")
        .set(f64::from(u8::from(app.storage.is_aside())));
    let tasks = tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks();
    metrics::gauge!("nightlight_tasks").set(tasks as f64);
    let text = self::metrics().render();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::process::Command;

    use super::*;

    const ALONE: &str = "NIGHTLIGHT_TEST_UNSCRAPED";
    const SAMPLES: u32 = 100_000;
    const ROUNDS: u32 = 20;
    /// In kB. Kept one by one, the samples of all rounds take three times as much.
    const MOST: u64 = 12_000;

    /// How much memory this process holds, in kB.
    fn held() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let mut lines = status.lines();
        let held = lines.find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        held.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// The other half of the next test.
    #[test]
    #[ignore = "not left out: run by the next test, as a program of its own whose memory no other test uses"]
    fn the_program_that_nobody_scrapes() {
        if std::env::var(ALONE).is_err() {
            return;
        }
        let measurements = self::metrics();
        let flow = metrics::histogram!("nightlight_flow_seconds");
        let round = || {
            for sample in 0..SAMPLES {
                flow.record(f64::from(sample) / 10_000.0);
            }
            measurements.run_upkeep();
        };
        round();
        let before = held();
        for _ in 0..ROUNDS {
            round();
        }
        let more = held().saturating_sub(before);
        assert!(more < MOST, "{more} kB more than after the first round");
        let told = measurements.render();
        let count = format!("nightlight_flow_seconds_count {}", SAMPLES * (ROUNDS + 1));
        assert!(told.contains(&count), "each of them counts: {told}");
    }

    #[test]
    fn what_is_measured_takes_no_more_room_with_time_where_nobody_asks_for_it() {
        let program = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact"])
            .arg("telemetry::tests::the_program_that_nobody_scrapes")
            .env(ALONE, "yes")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&program.stdout);
        assert!(
            program.status.success() && told.contains("1 passed"),
            "{told}"
        );
    }
}
