//! One log line and one measurement a request. The path is logged as its pattern and the query
//! not at all: what a visitor typed stays out of the log.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use call::traces::Span;

use crate::errors::ErrorCode;

pub async fn note(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = name_of(request.method());
    let pattern = request.extensions().get::<MatchedPath>().map_or_else(
        || String::from("(page or file)"),
        |path| path.as_str().to_owned(),
    );
    // Probes tell nothing, and pages and files are not where time goes.
    let traced = request.extensions().get::<MatchedPath>().is_some()
        && !["/health", "/ready", "/metrics", "/api/status"].contains(&pattern.as_str());
    let span = traced.then(|| Span::of_a_request(format!("{method} {pattern}")));
    let response = next.run(request).await;

    let status = response.status();
    let took = began.elapsed();
    let code = response.extensions().get::<ErrorCode>().map(|code| code.0);
    let milliseconds = took.as_millis() as u64;
    if let Some(span) = span {
        span.tell("http.response.status_code", u32::from(status.as_u16()));
        if status.is_server_error() {
            span.failed(code.unwrap_or("failed"));
        }
    }
    // Probes and files come by the dozen; what starts, ends or refuses a call is worth a line.
    if status.is_server_error() {
        tracing::warn!(
            method,
            path = pattern,
            status = status.as_u16(),
            code,
            milliseconds,
            "request failed"
        );
    } else if status.is_client_error() || method != "GET" {
        tracing::info!(
            method,
            path = pattern,
            status = status.as_u16(),
            code,
            milliseconds,
            "request"
        );
    } else {
        tracing::debug!(
            method,
            path = pattern,
            status = status.as_u16(),
            milliseconds,
            "request"
        );
    }
    let labels = [
        ("method", method.to_owned()),
        ("path", pattern),
        ("status", status.as_u16().to_string()),
    ];
    metrics::counter!("nightlight_http_requests_total", &labels).increment(1);
    metrics::histogram!("nightlight_http_request_seconds", &labels[..2]).record(took.as_secs_f64());
    response
}

/// A method by its name; one that a stranger made up by none: each name is kept in memory for good.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
