//! The chat model's settings. How it is asked is the `model` room's.

use std::time::Duration;

use redact::Secret;

use super::reader::Reader;

/// A chat model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct Model {
    pub url: String,
    pub key: Option<Secret<String>>,
    pub name: String,
    /// How long a turn waits for it.
    pub timeout: Duration,
}

/// A model needs an address and a name, and must answer within the wait before a reply is due, so
/// that nobody hears whether it did.
pub(super) fn read(reader: &mut Reader, start_wait: Duration) -> Option<Model> {
    const SHORTEST: f64 = 0.1;
    let url = reader.endpoint("model_url");
    let name = reader.optional_text("model_name");
    let key = reader.key("model_key");
    let usual = (start_wait.as_secs_f64() / 2.0).max(SHORTEST);
    let timeout = reader.seconds("model_timeout_seconds", usual, SHORTEST..=5.0);
    if url.is_some() && name.is_none() {
        reader.problem(
            "model_name",
            "the chat model at model_url has no name",
            "give the name its endpoint knows it by, or leave out model_url",
        );
    }
    if reader.is_given("model_name") && !reader.is_given("model_url") {
        reader.problem(
            "model_url",
            "the chat model model_name has no address",
            "give its API's base, such as https://api.example/v1, or leave out model_name",
        );
    }
    if reader.is_given("model_timeout_seconds") && timeout >= start_wait {
        reader.problem(
            "model_timeout_seconds",
            format!(
                "callers would wait for it: replies are due after start_wait_seconds ({} s)",
                start_wait.as_secs_f64()
            ),
            "make it shorter, or leave it out for half of that wait",
        );
    }
    Some(Model {
        url: url?,
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
                vec![("NIGHTLIGHT_MODEL_URL", "api.example"), name],
                "model_url",
            ),
            (
                vec![("NIGHTLIGHT_MODEL_URL", "https://key@api.example"), name],
                "model_url",
            ),
            (
                vec![url, name, ("NIGHTLIGHT_MODEL_TIMEOUT_SECONDS", "3")],
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
    fn callers_words_do_not_travel_unprotected() {
        let with_url = |url| with("model_name = 'm'", &[("NIGHTLIGHT_MODEL_URL", url)]);
        for near in [
            "http://127.0.0.1:11434/v1",
            "http://localhost:8000",
            "http://[::1]:8000/v1",
            "http://192.168.1.7/v1",
            "http://ollama:11434/v1",
            "http://gpu.internal/v1",
            "https://api.example/v1",
        ] {
            assert!(with_url(near).is_ok(), "{near}");
        }
        for far in [
            "http://api.example/v1",
            "http://8.8.8.8/v1",
            "ftp://localhost/v1",
        ] {
            assert!(with_url(far).is_err(), "{far}");
        }
    }
}
