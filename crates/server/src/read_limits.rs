//! How often the API may be read: by one visitor, from one address, and by one private key, wherever it is used. A read costs a
//! look at the database that calls are stored in, and an answer of up to a megabyte.
//!
//! Not counted is what a call is begun, joined and left by, and its page is told of it by; what is asked at the desk, by people
//! who are signed in; and what this machine itself asks, which are probes, measurements and tests.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, Method};
use axum::middleware::Next;
use axum::response::Response;
use uuid::Uuid;

use crate::app::Rates;
use crate::client_address::FromThisMachine;
use crate::errors::ApiError;
use crate::holder::Holder;
use crate::rate::TooOften;

/// Of what the page reads: the rest of it is cheap, or held open, or the desk's.
const OF_THE_PAGE: [&str; 2] = ["/api/calls", "/api/getCallInfo"];
/// Of all else.
const NOT_COUNTED: [&str; 5] = [
    "/call/{id}/socket",
    "/health",
    "/leave",
    "/metrics",
    "/ready",
];

/// Refuses who reads too often.
pub async fn hold_back(
    State(rates): State<Arc<Rates>>,
    holder: Holder,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if is_counted(request.method(), request.extensions()) {
        rates.reads.take(holder, Instant::now())?;
    }
    Ok(next.run(request).await)
}

/// Counts what is read by a private key that was found good: the one of the settings is called nil, a token by its id.
pub fn by_key(key: Uuid, parts: &Parts, rates: &Rates) -> Result<(), TooOften> {
    match is_counted(&parts.method, &parts.extensions) {
        true => rates.reads_by_key.take(key, Instant::now()),
        false => Ok(()),
    }
}

fn is_counted(method: &Method, extensions: &Extensions) -> bool {
    let path = extensions.get::<MatchedPath>();
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let from_elsewhere = extensions.get::<FromThisMachine>().is_none();
    reads && from_elsewhere && path.is_some_and(|path| costs(path.as_str()))
}

fn costs(path: &str) -> bool {
    match path.starts_with("/api/") {
        true => OF_THE_PAGE.contains(&path),
        false => !NOT_COUNTED.contains(&path),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use super::*;
    use crate::client_address::ClientAddress;
    use crate::rate::Rate;
    use crate::settings::Settings;

    #[test]
    fn what_a_call_is_begun_joined_and_left_by_is_never_counted_nor_is_the_desk() {
        for path in [
            "/api/config",
            "/call/{id}/socket",
            "/api/calls/events",
            "/leave",
            "/api/desk/events",
            "/api/desk/cases",
            "/api/status",
            "/ready",
        ] {
            assert!(!costs(path), "{path}");
        }
        for path in [
            "/api/calls",
            "/api/getCallInfo",
            "/call",
            "/call/{id}",
            "/v2/call",
            "/{provider}/voices/search",
            "/openapi.json",
        ] {
            assert!(costs(path), "{path}");
        }
    }

    #[test]
    fn two_hundred_reads_a_second_go_on_all_night_and_a_flood_ends() {
        let settings = Settings::from_sources(None, []).unwrap();
        let rate = Rate::per_minute(settings.rates.reads.of_one_address);
        let at = |host| ClientAddress::of([192, 0, 2, host].into());
        let mut now = Instant::now();
        for _ in 0..600 {
            for _ in 0..200 {
                assert_eq!(rate.take(at(1), now), Ok(()));
            }
            now += Duration::from_secs(1);
        }
        let read = (0..50_000).filter(|_| rate.take(at(2), now).is_ok());
        assert_eq!(read.count(), 12_000);
        assert_eq!(rate.take(at(1), now), Ok(()), "nobody else is held back");
    }
}
