//! The chat model's settings. How it is asked is the `model` room's.

use std::time::Duration;

use ::model::Address;
use redact::Secret;

use super::service;
use super::values::Values;

/// A chat model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct Model {
    pub address: Address,
    pub key: Option<Secret<String>>,
    pub name: String,
    /// How long a turn waits for it.
    pub timeout: Duration,
}

/// The part of the wait before a reply that is left to the voice.
const LEFT_TO_THE_VOICE: f64 = 0.2;

/// A model needs an address and a name, and must answer well within the wait before a reply is
/// due, so that nobody hears whether it did.
pub(super) fn read(values: &mut Values, shortest_wait: Duration) -> Option<Model> {
    const SHORTEST: f64 = 0.1;
    let address = service::address(values, "model_url");
    let name = values.optional_text("model_name");
    let key = values.key("model_key");
    let usual = (shortest_wait.as_secs_f64() / 2.0).max(SHORTEST);
    let timeout = values.seconds("model_timeout_seconds", usual, SHORTEST..=5.0);
    if values.is_given("model_url") && name.is_none() {
        values.problem(
            "model_name",
            "the chat model at model_url has no name",
            "give the name its endpoint knows it by, or leave out model_url",
        );
    }
    if values.is_given("model_name") && !values.is_given("model_url") {
        values.problem(
            "model_url",
            "the chat model model_name has no address",
            "give its API's base, such as https://api.example/v1, or leave out model_name",
        );
    }
    let longest = shortest_wait.as_secs_f64() * (1.0 - LEFT_TO_THE_VOICE);
    if values.is_given("model_timeout_seconds") && timeout.as_secs_f64() > longest {
        values.problem(
            "model_timeout_seconds",
            format!(
                "callers would wait for it: replies may be due after {} s",
                shortest_wait.as_secs_f64()
            ),
            format!("give {longest:.1} or less, or leave it out for half of that wait"),
        );
    }
    Some(Model {
        address: address?,
        key,
        name: name?,
        timeout,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};
    use super::*;

    fn with(file: &str, environment: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = environment
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(Some(file), environment)
    }

    #[test]
    fn a_chat_model_has_an_address_and_a_name_and_answers_within_the_wait() {
        assert!(with("", &[]).unwrap().model.is_none());
        let url = ("NIGHTLIGHT_MODEL_URL", "https://api.example/v1");
        let name = ("NIGHTLIGHT_MODEL_NAME", "small-1");
        let key = ("NIGHTLIGHT_MODEL_KEY", "k");
        let model = with("", &[url, name, key]).unwrap().model.unwrap();
        assert_eq!(model.timeout, Duration::from_millis(1500));
        assert_eq!(model.key.unwrap().expose_secret(), "k");
        for (given, wrong) in [
            (vec![url], "model_name"),
            (vec![name], "model_url"),
            (
                vec![("NIGHTLIGHT_MODEL_URL", "http://api.example/v1"), name],
                "model_url",
            ),
            (
                vec![("NIGHTLIGHT_MODEL_URL", "api.example"), name],
                "model_url",
            ),
            (
                vec![("NIGHTLIGHT_MODEL_URL", "https://key@api.example"), name],
                "model_url",
            ),
            (
                vec![url, name, ("NIGHTLIGHT_MODEL_TIMEOUT_SECONDS", "2.5")],
                "model_timeout_seconds",
            ),
        ] {
            let problems = with("", &given).unwrap_err();
            assert_eq!(problems.0.len(), 1, "{problems}");
            assert!(problems.to_string().contains(wrong), "{problems}");
            assert!(!problems.to_string().contains("key@"), "{problems}");
        }
    }

    #[test]
    fn everything_wrong_with_it_is_told_at_once_and_no_key_with_it() {
        let given = [
            ("NIGHTLIGHT_MODEL_URL", "http://hunter2@api.example/v1"),
            ("NIGHTLIGHT_MODEL_KEY", "hunter2\nhunter2"),
            ("NIGHTLIGHT_MODEL_TIMEOUT_SECONDS", "soon"),
        ];
        let problems = with("", &given).unwrap_err();
        for setting in [
            "model_url",
            "model_key",
            "model_name",
            "model_timeout_seconds",
        ] {
            assert!(problems.to_string().contains(setting), "{problems}");
        }
        assert_eq!(problems.0.len(), 4, "{problems}");
        assert!(!problems.to_string().contains("hunter2"), "{problems}");
        let whole = [
            ("NIGHTLIGHT_MODEL_URL", "https://api.example/v1"),
            ("NIGHTLIGHT_MODEL_NAME", "m"),
            ("NIGHTLIGHT_MODEL_KEY", "hunter2"),
        ];
        let settings = with("", &whole).unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
    }
}
