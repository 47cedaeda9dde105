//! Whose server is told of a call, how, and of what. Worked out once, when the call begins.

use std::collections::BTreeSet;
use std::time::Duration;

use endpoint::{Address, AddressError};
use platform::resource::{MessagePlan, MessageServer, USUAL_SERVER_MESSAGES};
use platform::{ServerEvent, TranscriptType};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

/// The header of the shared secret.
const SECRET: &str = "x-vapi-secret";
/// What is the request's own to say.
const NOT_THEIRS: [&str; 6] = [
    "host",
    "connection",
    "content-length",
    "content-type",
    "transfer-encoding",
    "upgrade",
];
const USUAL_TIMEOUT: Duration = Duration::from_secs(20);
const LEAST_TIMEOUT: Duration = Duration::from_secs(1);
const MOST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server that messages are sent to.
pub struct Receiver {
    address: Address,
    /// Marked as sensitive, each of them.
    pub headers: HeaderMap,
    /// The credential whose headers are worked out for each message.
    pub credential: Option<String>,
    pub timeout: Duration,
    /// Refusals that are not tried again.
    pub not_again: BTreeSet<u16>,
    kinds: Vec<String>,
    /// What it was made of.
    plan: MessagePlan,
}

impl Receiver {
    /// By what is said of it, the first that says something being the one that holds: a secret stays with the address that
    /// it is for. `None` where nobody names an address.
    pub fn of(plans: &[MessagePlan]) -> Result<Option<Self>, AddressError> {
        let named = plans
            .iter()
            .filter_map(|plan| plan.server.as_ref())
            .find(|server| is_named(server));
        let Some((server, url)) = named.and_then(|server| Some((server, server.url.as_ref()?)))
        else {
            return Ok(None);
        };
        let kinds = plans.iter().find_map(|plan| plan.server_messages.clone());
        let kinds = kinds.unwrap_or_else(|| USUAL_SERVER_MESSAGES.map(str::to_owned).into());
        let timeout = server.timeout_seconds.map_or(USUAL_TIMEOUT, |seconds| {
            Duration::try_from_secs_f64(seconds).unwrap_or(USUAL_TIMEOUT)
        });
        let back_off = server.backoff_plan.iter();
        let codes = back_off.flat_map(|plan| &plan.excluded_status_codes);
        Ok(Some(Self {
            address: Address::of(url.expose_secret().trim())?,
            headers: headers(server),
            credential: server.credential_id.clone(),
            timeout: timeout.clamp(LEAST_TIMEOUT, MOST_TIMEOUT),
            not_again: codes.filter_map(code).collect(),
            plan: MessagePlan {
                server: Some(server.clone()),
                server_messages: Some(kinds.clone()),
            },
            kinds,
        }))
    }

    /// As it was kept.
    pub fn read(kept: &Map<String, Value>) -> Option<Self> {
        Self::of(&[MessagePlan::of(kept)]).ok().flatten()
    }

    pub fn kept(&self) -> Map<String, Value> {
        self.plan.to_fields()
    }

    pub fn url(&self) -> Url {
        self.address.whole()
    }

    pub fn is_told_of(&self, event: &ServerEvent) -> bool {
        let is_final = matches!(event, ServerEvent::Transcript(words) if words.transcript_type == TranscriptType::Final);
        self.is_told(event.kind())
            || is_final && self.is_told("transcript[transcriptType=\"final\"]")
    }

    pub fn is_told(&self, kind: &str) -> bool {
        self.kinds.iter().any(|told| told == kind)
    }
}

fn is_named(server: &MessageServer) -> bool {
    let url = server.url.as_ref();
    url.is_some_and(|url| !url.expose_secret().trim().is_empty())
}

/// The platform has numbers, and objects that hold one.
fn code(code: &Value) -> Option<u16> {
    let number = code.as_u64().or_else(|| code.get("code")?.as_u64())?;
    u16::try_from(number).ok()
}

fn headers(server: &MessageServer) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut put = |name: &str, value: &str| {
        let (Ok(name), Ok(mut value)) = (
            name.to_ascii_lowercase().parse::<HeaderName>(),
            HeaderValue::from_str(value),
        ) else {
            return;
        };
        if !NOT_THEIRS.contains(&name.as_str()) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    };
    for (name, value) in server.headers.iter().flat_map(|all| all.expose_secret()) {
        match value {
            Value::String(text) => put(name, text),
            Value::Number(number) => put(name, &number.to_string()),
            _ => {}
        }
    }
    if let Some(secret) = &server.secret {
        put(SECRET, secret.expose_secret());
    }
    headers
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use platform::StatusUpdate;
    use serde_json::json;

    use super::*;

    fn plan(value: Value) -> MessagePlan {
        MessagePlan::of(value.as_object().unwrap())
    }

    fn of(plans: &[Value]) -> Receiver {
        let plans: Vec<MessagePlan> = plans.iter().cloned().map(plan).collect();
        Receiver::of(&plans).unwrap().unwrap()
    }

    #[test]
    fn the_first_that_names_an_address_is_told_with_its_own_secret() {
        let receiver = of(&[
            json!({"serverMessages": ["hang"]}),
            json!({"server": {"url": "https://a.example/hook?x=1", "headers": {"X-Team": "night", "Host": "b", "n": 7}}}),
            json!({"server": {"url": "https://b.example", "secret": "sesame"}, "serverMessages": ["transcript"]}),
        ]);
        assert_eq!(receiver.url().as_str(), "https://a.example/hook?x=1");
        assert_eq!(receiver.headers["x-team"], "night");
        assert_eq!(receiver.headers["n"], "7");
        assert!(!receiver.headers.contains_key("host"));
        assert!(!receiver.headers.contains_key(SECRET), "it is the other's");
        assert!(receiver.is_told("hang") && !receiver.is_told("transcript"));
    }

    #[test]
    fn nobody_is_told_where_no_address_is_named_or_it_is_not_fit() {
        assert!(
            Receiver::of(&[plan(json!({"server": {"url": " "}}))])
                .unwrap()
                .is_none()
        );
        let far = plan(json!({"server": {"url": "http://a.example"}}));
        let refused = Receiver::of(&[far]).err().unwrap();
        assert_eq!(refused, AddressError::Unprotected);
    }

    #[test]
    fn what_an_assistant_does_not_say_is_as_the_platform_has_it() {
        let receiver =
            of(&[json!({"server": {"url": "https://a.example", "timeoutSeconds": 9999}})]);
        assert_eq!(receiver.timeout, MOST_TIMEOUT);
        let status = ServerEvent::StatusUpdate(StatusUpdate::ended("x"));
        assert!(receiver.is_told_of(&status));
        assert!(!receiver.is_told("transcript"));
        let usual = of(&[json!({"server": {"url": "https://a.example"}})]);
        assert_eq!(usual.timeout, USUAL_TIMEOUT);
    }

    #[test]
    fn it_is_kept_and_read_again() {
        let receiver = of(&[json!({
            "server": {"url": "https://a.example", "secret": "sesame",
                "backoffPlan": {"excludedStatusCodes": [400, {"code": 401}, "x"]}},
            "serverMessages": ["transcript[transcriptType=\"final\"]"],
        })]);
        let again = Receiver::read(&receiver.kept()).unwrap();
        assert_eq!(again.headers[SECRET], "sesame");
        assert_eq!(again.not_again, [400, 401].into());
        let words = |transcript_type| {
            ServerEvent::Transcript(platform::Transcript {
                role: platform::SpeakerRole::User,
                transcript_type,
                transcript: redact::Secret::default(),
            })
        };
        assert!(again.is_told_of(&words(TranscriptType::Final)));
        assert!(!again.is_told_of(&words(TranscriptType::Partial)));
    }
}
