//! The settings of a voice made elsewhere. How it is asked is the `remote-voice` room's.

use std::time::Duration;

use remote_voice::RemoteSettings;

use super::service;
use super::values::Values;

/// What a call makes up for when the reply's own first words are not there at the planned moment: one of the short
/// openings that are kept ready lasts as long.
const OPENING: Duration = Duration::from_secs(1);
/// The part of the wait before a reply that a voice may take.
const MOST_OF_THE_WAIT: f64 = 0.8;
/// Well below what a call takes for a voice that died in the middle of a reply.
const SHORTEST: f64 = 0.1;
const LONGEST: f64 = 3.0;

/// A voice needs an address, a model and a name, and must be heard about when a reply is due. `model_timeout` is what a
/// chat model may take of the same wait.
pub(super) fn read(
    values: &mut Values,
    start_wait: Duration,
    model_timeout: Option<Duration>,
) -> Option<RemoteSettings> {
    let given = ["tts_key", "tts_model", "tts_voice", "tts_timeout_seconds"]
        .into_iter()
        .find(|key| values.is_given(key));
    let address = service::address(values, "tts_url");
    let key = values.key("tts_key");
    let model = values.optional_text("tts_model");
    let voice = values.optional_text("tts_voice");

    let longest = longest(start_wait, model_timeout.unwrap_or_default());
    let usual = start_wait.div_f64(2.0).max(OPENING).min(longest);
    let timeout = values.seconds(
        "tts_timeout_seconds",
        usual.as_secs_f64(),
        SHORTEST..=LONGEST,
    );
    if values.is_given("tts_timeout_seconds") && timeout > longest {
        values.problem(
            "tts_timeout_seconds",
            format!(
                "callers would wait for it: replies are due after {} s{}",
                start_wait.as_secs_f64(),
                match model_timeout {
                    Some(model) => format!(
                        ", of which the chat model may take {:.1}",
                        model.as_secs_f64()
                    ),
                    None => String::new(),
                }
            ),
            format!(
                "give {:.1} or less, or leave it out for {:.1}",
                longest.as_secs_f64(),
                usual.as_secs_f64()
            ),
        );
    }
    if !values.is_given("tts_url") {
        if let Some(key) = given {
            values.problem(
                "tts_url",
                format!("the voice that {key} is for has no address"),
                format!("give its API's base, such as https://api.example/v1, or leave out {key}"),
            );
        }
        return None;
    }
    for (key, value, example) in [
        ("tts_model", &model, "tts-1"),
        ("tts_voice", &voice, "coral"),
    ] {
        if value.is_none() {
            values.problem(
                key,
                "the voice at tts_url is not named whole",
                format!(
                    "give what its endpoint knows it by, such as {example}, or leave out tts_url"
                ),
            );
        }
    }
    Some(RemoteSettings {
        address: address?,
        key,
        model: model?,
        voice: voice?,
        timeout,
    })
}

fn longest(start_wait: Duration, model_timeout: Duration) -> Duration {
    let of_the_wait = start_wait.mul_f64(MOST_OF_THE_WAIT).max(OPENING);
    let beside_the_model = (start_wait + OPENING).saturating_sub(model_timeout);
    of_the_wait.min(beside_the_model).clamp(
        Duration::from_secs_f64(SHORTEST),
        Duration::from_secs_f64(LONGEST),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};

    const URL: (&str, &str) = ("NIGHTLIGHT_TTS_URL", "https://api.example/v1");
    const MODEL: (&str, &str) = ("NIGHTLIGHT_TTS_MODEL", "tts-1");
    const VOICE: (&str, &str) = ("NIGHTLIGHT_TTS_VOICE", "coral");
    const KEY: (&str, &str) = ("NIGHTLIGHT_TTS_KEY", "hunter2");

    fn with(environment: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = environment
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(None, environment)
    }

    fn timeout(environment: &[(&str, &str)]) -> f64 {
        let given = [&[URL, MODEL, VOICE], environment].concat();
        let remote = with(&given).unwrap().voice.remote.unwrap();
        remote.timeout.as_secs_f64()
    }

    #[test]
    fn without_an_address_every_voice_is_of_this_machine() {
        assert!(with(&[]).unwrap().voice.remote.is_none());
    }

    #[test]
    fn a_voice_elsewhere_has_an_address_a_model_a_name_and_perhaps_a_key() {
        let settings = with(&[URL, MODEL, VOICE, KEY]).unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
        let remote = settings.voice.remote.unwrap();
        assert_eq!(remote.key.unwrap().expose_secret(), "hunter2");
        assert_eq!(remote.address.place(), "api.example/v1");
        assert!(with(&[URL, MODEL, VOICE]).unwrap().voice.remote.is_some());
    }

    #[test]
    fn it_is_heard_about_when_a_reply_is_due() {
        let wait = |seconds| ("NIGHTLIGHT_START_WAIT_SECONDS", seconds);
        assert_eq!(timeout(&[]), 1.5);
        assert_eq!(timeout(&[wait("0.4")]), 1.0, "an opening covers it");
        let chat = [
            ("NIGHTLIGHT_MODEL_URL", "https://api.example/v1"),
            ("NIGHTLIGHT_MODEL_NAME", "m"),
            ("NIGHTLIGHT_MODEL_TIMEOUT_SECONDS", "2.4"),
        ];
        assert_eq!(timeout(&chat), 1.5);
        let with_chat = [&chat[..], &[URL, MODEL, VOICE]].concat();
        let late = ("NIGHTLIGHT_TTS_TIMEOUT_SECONDS", "1.9");
        assert!(with(&[&with_chat[..], &[late]].concat()).is_err());
        assert_eq!(timeout(&[late]), 1.9);
    }

    #[test]
    fn what_is_wrong_with_it_is_told_with_a_remedy_and_without_a_key() {
        for (given, wrong) in [
            (vec![URL, VOICE], "tts_model"),
            (vec![URL, MODEL], "tts_voice"),
            (vec![VOICE], "tts_url"),
            (vec![KEY], "tts_url"),
            (
                vec![
                    ("NIGHTLIGHT_TTS_URL", "http://api.example/v1"),
                    MODEL,
                    VOICE,
                ],
                "tts_url",
            ),
            (
                vec![
                    ("NIGHTLIGHT_TTS_URL", "https://hunter2@api.example"),
                    MODEL,
                    VOICE,
                ],
                "tts_url",
            ),
            (
                vec![
                    URL,
                    MODEL,
                    VOICE,
                    ("NIGHTLIGHT_TTS_KEY", "hunter2\nhunter2"),
                ],
                "tts_key",
            ),
            (
                vec![URL, MODEL, VOICE, ("NIGHTLIGHT_TTS_TIMEOUT_SECONDS", "2.5")],
                "tts_timeout_seconds",
            ),
            (
                vec![
                    URL,
                    MODEL,
                    VOICE,
                    ("NIGHTLIGHT_TTS_TIMEOUT_SECONDS", "soon"),
                ],
                "tts_timeout_seconds",
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
