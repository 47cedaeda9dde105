//! The settings of the relays (TURN servers) that a call may go through. How a call is let in is `crate::relay`'s.

use axum::http::uri::Authority;
use redact::Secret;

use super::values::Values;

/// TURN servers that share a secret with this one.
#[derive(Debug, Clone)]
pub struct Relay {
    pub urls: Vec<String>,
    pub secret: Secret<String>,
}

/// Relays without a secret, and a secret without relays, are a slip.
pub(super) fn read(values: &mut Values) -> Option<Relay> {
    let given = values.optional_text("turn_urls").unwrap_or_default();
    let secret = values.secret("turn_secret");
    let urls: Vec<String> = given
        .split(',')
        .map(|url| url.trim().to_owned())
        .filter(|url| !url.is_empty())
        .collect();
    for url in &urls {
        if !names_a_relay(url) {
            values.problem(
                "turn_urls",
                format!("\"{url}\" names no TURN server"),
                "write turn:HOST:PORT or, by TLS, turns:HOST:PORT, with ?transport=tcp where it is reached by TCP",
            );
        }
    }
    if !urls.is_empty() && !values.is_given("turn_secret") {
        values.problem(
            "turn_secret",
            "the TURN servers at turn_urls would let nobody in",
            "give the secret that they have as static-auth-secret, or leave out turn_urls",
        );
    }
    if urls.is_empty() && values.is_given("turn_secret") {
        values.problem(
            "turn_urls",
            "the secret turn_secret is for no TURN server",
            "give their addresses, such as turns:relay.example:443?transport=tcp, or leave out turn_secret",
        );
    }
    match urls.is_empty() {
        true => None,
        false => secret.map(|secret| Relay { urls, secret }),
    }
}

/// As RFC 7065 writes them: a browser refuses every other one, and with it the call.
fn names_a_relay(url: &str) -> bool {
    let Some(rest) = url
        .strip_prefix("turn:")
        .or_else(|| url.strip_prefix("turns:"))
    else {
        return false;
    };
    let (place, asked) = match rest.split_once('?') {
        Some((place, asked)) => (place, Some(asked)),
        None => (rest, None),
    };
    let transport = matches!(asked, None | Some("transport=udp" | "transport=tcp"));
    let Ok(place) = place.parse::<Authority>() else {
        return false;
    };
    let port = place.as_str().strip_prefix(place.host());
    let port_is_sound = port == Some("") || place.port_u16().is_some();
    transport && port_is_sound && !place.host().is_empty()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};

    const SECRET: (&str, &str) = ("NIGHTLIGHT_TURN_SECRET", "hunter2hunter2hunter2");

    fn with(environment: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = environment
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(None, environment)
    }

    fn at(urls: &str) -> Result<Settings, SettingsProblems> {
        with(&[("NIGHTLIGHT_TURN_URLS", urls), SECRET])
    }

    #[test]
    fn without_relays_callers_come_directly() {
        assert!(with(&[]).unwrap().relay.is_none());
    }

    #[test]
    fn relays_are_named_as_browsers_name_them() {
        let settings = at("turn:192.0.2.7:3478, turns:relay.example:443?transport=tcp").unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
        assert_eq!(
            settings.relay.unwrap().urls,
            [
                "turn:192.0.2.7:3478",
                "turns:relay.example:443?transport=tcp"
            ]
        );
        assert!(at("turn:relay.example").is_ok());
        assert!(at("turn:[2001:db8::7]:3478?transport=udp").is_ok());
        for wrong in [
            "relay.example:3478",
            "stun:relay.example",
            "https://relay.example",
            "turn:",
            "turn:relay.example:port",
            "turn:relay.example:70000",
            "turn:a@relay.example",
            "turn:relay.example/path",
            "turn:relay.example?transport=sctp",
        ] {
            let problems = at(wrong).unwrap_err().to_string();
            assert!(problems.contains("`turn_urls`"), "{wrong}: {problems}");
        }
    }

    #[test]
    fn relays_and_their_secret_come_together() {
        let urls = ("NIGHTLIGHT_TURN_URLS", "turn:relay.example");
        let problems = with(&[urls]).unwrap_err().to_string();
        assert!(problems.contains("`turn_secret`"), "{problems}");
        let problems = with(&[SECRET]).unwrap_err().to_string();
        assert!(problems.contains("`turn_urls`"), "{problems}");
        let short = ("NIGHTLIGHT_TURN_SECRET", "hunter2");
        let problems = with(&[urls, short]).unwrap_err();
        assert_eq!(problems.0.len(), 1, "{problems}");
        assert!(!problems.to_string().contains("hunter2"), "{problems}");
    }
}
