//! The settings of the hosted voice platform: whether calls are held there, by what and with which keys. How a page calls
//! there, and what comes back, is the `hosted` room's.

use endpoint::Address;
use redact::Secret;

use super::service;
use super::values::Values;

/// The platform's own address, unless another is set.
pub const USUAL_URL: &str = "https://api.vapi.ai";

/// The hosted platform, as far as it can be known before any call is held there: what `nightlight platform push` needs.
#[derive(Debug, Clone)]
pub struct HostedPlatform {
    pub url: Address,
    /// Changes what is kept there. No page and no call needs it.
    pub private_key: Option<Secret<String>>,
    /// Set where calls are held there, and not here.
    pub calls: Option<HostedCalls>,
}

/// What calls there are asked for with.
#[derive(Debug, Clone)]
pub struct HostedCalls {
    /// Every page holds it.
    pub public_key: String,
    pub target: HostedTarget,
    /// What the platform's messages carry; tickets are made with it.
    pub webhook_secret: Secret<String>,
}

/// Who answers there, by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostedTarget {
    Assistant(String),
    Squad(String),
}

/// `webhook_secret` is read by who calls this: the platform's messages carry it in either mode.
pub(super) fn read(values: &mut Values, webhook_secret: Option<&Secret<String>>) -> HostedPlatform {
    let is_hosted =
        values.one_of("voice_platform", "embedded", &["embedded", "hosted"]) == "hosted";
    let given = service::address(values, "hosted_platform_url");
    let url = given.unwrap_or_else(|| Address::of(USUAL_URL).expect("it is an address"));
    if url.has_query() {
        values.problem(
            "hosted_platform_url",
            "something stands behind a ?, where a key would be shown to every page",
            "give the API's base alone, such as https://api.vapi.ai",
        );
    }
    let private_key = values.key("hosted_private_key");
    let public_key = values.key("hosted_public_key");
    if let (Some(public), Some(private)) = (&public_key, &private_key)
        && public.expose_secret() == private.expose_secret()
    {
        values.problem(
            "hosted_public_key",
            "it is the private key, and every page would hold it",
            "give the platform's public key here, and make another private one there",
        );
    }
    let assistant = values.optional_text("hosted_assistant_id");
    let squad = values.optional_text("hosted_squad_id");
    let calls = is_hosted.then(|| {
        let target = target(values, assistant, squad);
        if values.optional_text("hosted_public_key").is_none() {
            values.problem(
                "hosted_public_key",
                "calls are to be held on the hosted platform, and no page could ask for one there",
                "give the platform's public key, or set voice_platform to embedded",
            );
        }
        if values.optional_text("webhook_secret").is_none() {
            values.problem(
                "webhook_secret",
                "calls are to be held on the hosted platform, and what it reports could come from anybody",
                "make one with `openssl rand -hex 24`, and give it to the platform as the assistant's server secret too",
            );
        }
        Some(HostedCalls {
            public_key: public_key?.expose_secret().clone(),
            target: target?,
            webhook_secret: webhook_secret?.clone(),
        })
    });
    HostedPlatform {
        url,
        private_key,
        calls: calls.flatten(),
    }
}

fn target(
    values: &mut Values,
    assistant: Option<String>,
    squad: Option<String>,
) -> Option<HostedTarget> {
    match (assistant, squad) {
        (Some(id), None) => Some(HostedTarget::Assistant(id)),
        (None, Some(id)) => Some(HostedTarget::Squad(id)),
        (Some(_), Some(_)) => {
            values.problem(
                "hosted_assistant_id",
                "hosted_squad_id is given too, and only one of them can answer",
                "leave out one of them",
            );
            None
        }
        (None, None) => {
            values.problem(
                "hosted_squad_id",
                "calls are to be held on the hosted platform, and nobody there would answer",
                "give the id that `nightlight platform push` prints, or hosted_assistant_id for an assistant alone",
            );
            None
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};
    use super::*;

    const HOSTED: (&str, &str) = ("NIGHTLIGHT_VOICE_PLATFORM", "hosted");
    const PUBLIC: (&str, &str) = ("NIGHTLIGHT_HOSTED_PUBLIC_KEY", "public-1");
    const SQUAD: (&str, &str) = ("NIGHTLIGHT_HOSTED_SQUAD_ID", "squad-1");
    const ASSISTANT: (&str, &str) = ("NIGHTLIGHT_HOSTED_ASSISTANT_ID", "assistant-1");
    const SECRET: (&str, &str) = ("NIGHTLIGHT_WEBHOOK_SECRET", "abcdefghijklmnop");
    const PRIVATE: (&str, &str) = ("NIGHTLIGHT_HOSTED_PRIVATE_KEY", "hunter2");

    fn with(environment: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = environment
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(None, environment)
    }

    #[test]
    fn calls_are_held_here_unless_it_is_said() {
        let settings = with(&[]).unwrap();
        assert!(settings.hosted_platform.calls.is_none());
        assert_eq!(settings.hosted_platform.url.place(), "api.vapi.ai");
        // What a later move needs may lie ready.
        let prepared = with(&[PUBLIC, SQUAD, PRIVATE]).unwrap();
        assert!(prepared.hosted_platform.calls.is_none());
    }

    #[test]
    fn calls_on_the_hosted_platform_need_a_public_key_somebody_who_answers_and_a_secret() {
        let settings = with(&[HOSTED, PUBLIC, SQUAD, SECRET, PRIVATE]).unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
        assert!(!format!("{settings:?}").contains("abcdefghijklmnop"));
        let calls = settings.hosted_platform.calls.unwrap();
        assert_eq!(calls.public_key, "public-1");
        assert_eq!(calls.target, HostedTarget::Squad("squad-1".to_owned()));
        let alone = with(&[HOSTED, PUBLIC, ASSISTANT, SECRET]).unwrap();
        let calls = alone.hosted_platform.calls.unwrap();
        assert_eq!(
            calls.target,
            HostedTarget::Assistant("assistant-1".to_owned())
        );
    }

    #[test]
    fn everything_that_is_missing_is_told_at_once() {
        let problems = with(&[HOSTED]).unwrap_err();
        assert_eq!(problems.0.len(), 3, "{problems}");
        for setting in ["hosted_public_key", "hosted_squad_id", "webhook_secret"] {
            assert!(
                problems.to_string().contains(&format!("`{setting}`")),
                "{problems}"
            );
        }
        // What is given empty is not given.
        let empty = ("NIGHTLIGHT_HOSTED_PUBLIC_KEY", "");
        assert_eq!(with(&[HOSTED, empty]).unwrap_err().0.len(), 3);
    }

    #[test]
    fn what_is_wrong_with_it_is_told_with_a_remedy_and_without_a_key() {
        let url = |url| ("NIGHTLIGHT_HOSTED_PLATFORM_URL", url);
        for (given, wrong) in [
            (
                vec![("NIGHTLIGHT_VOICE_PLATFORM", "elsewhere")],
                "voice_platform",
            ),
            (
                vec![HOSTED, PUBLIC, SQUAD, ASSISTANT, SECRET],
                "hosted_assistant_id",
            ),
            (
                vec![
                    HOSTED,
                    SQUAD,
                    SECRET,
                    PRIVATE,
                    ("NIGHTLIGHT_HOSTED_PUBLIC_KEY", "hunter2"),
                ],
                "hosted_public_key",
            ),
            (
                vec![
                    HOSTED,
                    PUBLIC,
                    SQUAD,
                    ("NIGHTLIGHT_WEBHOOK_SECRET", "hunter2"),
                ],
                "webhook_secret",
            ),
            (vec![url("http://api.example")], "hosted_platform_url"),
            (
                vec![url("https://hunter2@api.example")],
                "hosted_platform_url",
            ),
            (
                vec![url("https://api.example/?key=hunter2")],
                "hosted_platform_url",
            ),
            (
                vec![("NIGHTLIGHT_HOSTED_PRIVATE_KEY", "hunter2 hunter2")],
                "hosted_private_key",
            ),
        ] {
            let problems = with(&given).unwrap_err();
            assert_eq!(problems.0.len(), 1, "{problems}");
            let text = problems.to_string();
            assert!(text.contains(&format!("`{wrong}`")), "{text}");
            assert!(text.contains("; "), "{text}");
            assert!(!text.contains("hunter2"), "{text}");
        }
    }
}
