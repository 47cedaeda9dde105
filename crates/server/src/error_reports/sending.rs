//! Sends reports one after the other, no more of them than a fault that repeats itself needs.

use std::time::{Duration, Instant};

use anyhow::Context;
use reqwest::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url};
use tokio::sync::mpsc;

use super::{Dsn, Report};
use crate::rate::Rate;

/// A report that is not taken within this is given up.
const TAKEN_WITHIN: Duration = Duration::from_secs(5);
/// What is broken tells of itself with every call.
const MOST_IN_A_MINUTE: u32 = 30;
/// Where it is asked to send less and not told for how long.
const USUAL_REST: Duration = Duration::from_mins(1);
const LONGEST_REST: Duration = Duration::from_hours(1);

pub struct Sender {
    client: Client,
    envelopes: Url,
    /// What this program shows that it may send.
    key: HeaderValue,
    node: Option<String>,
    pace: Rate<()>,
    resting_until: Option<Instant>,
    away: bool,
}

impl Sender {
    pub fn new(dsn: &Dsn, node: Option<&str>) -> anyhow::Result<Self> {
        let key = format!(
            "Sentry sentry_version=7, sentry_client=nightlight/{}, sentry_key={}",
            env!("CARGO_PKG_VERSION"),
            dsn.key().expose_secret()
        );
        let mut key =
            HeaderValue::from_str(&key).context("the key of error_reporting_dsn cannot be sent")?;
        key.set_sensitive(true);
        Ok(Self {
            client: endpoint::client()?,
            envelopes: dsn.envelopes(),
            key,
            node: node.map(str::to_owned),
            pace: Rate::per_minute(MOST_IN_A_MINUTE),
            resting_until: None,
            away: false,
        })
    }

    /// Until nobody tells of any more.
    pub async fn send(mut self, mut waiting: mpsc::Receiver<Report>) {
        while let Some(report) = waiting.recv().await {
            let now = Instant::now();
            let rests = self.resting_until.is_some_and(|until| now < until);
            if !rests && self.pace.take((), now).is_ok() {
                self.send_one(&report).await;
            }
        }
    }

    async fn send_one(&mut self, report: &Report) {
        let asked = self.client.post(self.envelopes.clone());
        let asked = asked
            .timeout(TAKEN_WITHIN)
            .header(CONTENT_TYPE, "application/x-sentry-envelope")
            .header("X-Sentry-Auth", self.key.clone())
            .body(report.envelope(self.node.as_deref()));
        let answer = asked.send().await;
        if let Ok(answer) = &answer
            && answer.status() == StatusCode::TOO_MANY_REQUESTS
        {
            let after = answer.headers().get(RETRY_AFTER);
            let after = after.and_then(|after| after.to_str().ok()?.parse().ok());
            let rest = after.map_or(USUAL_REST, Duration::from_secs);
            self.resting_until = Some(Instant::now() + rest.min(LONGEST_REST));
            return;
        }
        let away = !answer.as_ref().is_ok_and(|it| it.status().is_success());
        if away == self.away {
            return;
        }
        self.away = away;
        // No errors of the log: they would be reported.
        match (&answer, away) {
            (_, false) => tracing::info!("errors are reported again"),
            (Ok(answer), true) => tracing::warn!(
                status = answer.status().as_u16(),
                "the service at error_reporting_dsn refuses reports: they are lost until it takes them"
            ),
            (Err(_), true) => tracing::warn!(
                "the service at error_reporting_dsn is not reached: reports are lost until it is"
            ),
        }
    }
}
