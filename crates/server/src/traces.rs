//! Sends traces to a collector, where one is set. What they tell is put together in `call::traces`.
//!
//! Nobody waits for the collector: spans that end go into a queue with a bound, a thread of its own sends them, and what
//! the collector does not take in time is lost. The log says once that it is away, and once that it is back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use axum::body::Bytes;
use axum::http::{Request, Response};
use call::traces::ids_of_a_first_span;
use endpoint::Address;
use opentelemetry::trace::{SpanId, TraceId};
use opentelemetry::{KeyValue, global};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, IdGenerator, RandomIdGenerator, Sampler,
    SdkTracerProvider,
};
use tokio::runtime::Handle;
use uuid::Uuid;

/// A batch that the collector does not take within this is given up.
const TAKEN_WITHIN: Duration = Duration::from_secs(5);
/// Spans that wait to be sent, at most: those of some hundred turns.
const MOST_WAITING: usize = 8192;
const SENT_EVERY: Duration = Duration::from_secs(2);
/// What a stop waits for the last of them.
const LAST_WITHIN: Duration = Duration::from_secs(2);

/// On its way to the collector until it is stopped.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// From here on spans are kept and sent; within a runtime, which does the sending.
    pub fn start(collector: &Address) -> anyhow::Result<Self> {
        let client = Sending {
            client: endpoint::client()?,
            runtime: Handle::current(),
            away: AtomicBool::new(false),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(collector.path("v1/traces"))
            .with_timeout(TAKEN_WITHIN)
            .build()
            .context("traces cannot be sent: see otlp_endpoint")?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(MOST_WAITING)
            .with_scheduled_delay(SENT_EVERY)
            .build();
        let process = Uuid::new_v4().to_string();
        let of_this_process = Resource::builder()
            .with_service_name("nightlight")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attribute(KeyValue::new("service.instance.id", process))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::AlwaysOn)
            .with_id_generator(Ids::default())
            .with_resource(of_this_process)
            .with_span_processor(
                BatchSpanProcessor::builder(exporter)
                    .with_batch_config(batches)
                    .build(),
            )
            .build();
        global::set_tracer_provider(provider.clone());
        tracing::info!(collector = collector.place(), "traces are sent");
        Ok(Self(provider))
    }

    /// Sends what is left, within a bound.
    pub async fn stop(self) {
        let stopped = move || self.0.shutdown_with_timeout(LAST_WITHIN);
        if !matches!(tokio::task::spawn_blocking(stopped).await, Ok(Ok(()))) {
            tracing::warn!("the last traces were not taken by the collector");
        }
    }
}

/// A call's first span has the ids that all its others lead back to.
#[derive(Debug, Default)]
struct Ids(RandomIdGenerator);

impl IdGenerator for Ids {
    fn new_trace_id(&self) -> TraceId {
        ids_of_a_first_span().map_or_else(|| self.0.new_trace_id(), |(trace, _)| trace)
    }

    fn new_span_id(&self) -> SpanId {
        ids_of_a_first_span().map_or_else(|| self.0.new_span_id(), |(_, span)| span)
    }
}

/// Sends from a thread without a runtime by the program's own.
#[derive(Debug)]
struct Sending {
    client: reqwest::Client,
    runtime: Handle,
    away: AtomicBool,
}

#[async_trait]
impl HttpClient for Sending {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sent = self.runtime.spawn(async move {
            let mut request = reqwest::Request::try_from(request)?;
            *request.timeout_mut() = Some(TAKEN_WITHIN);
            let answer = client.execute(request).await?;
            let status = answer.status();
            let mut response = Response::new(answer.bytes().await?);
            *response.status_mut() = status;
            Ok::<_, reqwest::Error>(response)
        });
        let sent = sent
            .await
            .map_err(HttpError::from)
            .and_then(|sent| Ok(sent?));
        let away = !sent
            .as_ref()
            .is_ok_and(|answer| answer.status().is_success());
        if away != self.away.swap(away, Ordering::Relaxed) {
            match (&sent, away) {
                (_, false) => tracing::info!("the collector takes traces again"),
                (Ok(answer), true) => tracing::warn!(
                    status = answer.status().as_u16(),
                    "the collector refuses traces: they are lost until it takes them"
                ),
                (Err(_), true) => tracing::warn!(
                    "the collector at otlp_endpoint is not reached: traces are lost until it is"
                ),
            }
        }
        sent
    }
}
