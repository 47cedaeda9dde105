//! What a caller is to do: steps from JSON lines or TOML, checked before any call is placed.
//!
//! This reads and checks; it neither speaks nor opens the files that a step names.

use std::path::Path;

use serde::Deserialize;

/// One thing that the caller does, after the one before it.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Say it once the assistant has finished speaking, or at once.
    Say {
        words: String,
        at_once: bool,
    },
    /// Say nothing for so long.
    Wait {
        seconds: f64,
    },
    /// Say it over the assistant, so long after the assistant began to speak.
    BargeIn {
        after: f64,
        words: String,
    },
    /// Send an app message, such as a typed one.
    Send {
        message: String,
    },
    HangUp,
}

/// A step as it is written down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    say: Option<String>,
    #[serde(default)]
    at_once: bool,
    wait: Option<f64>,
    barge_in_after: Option<f64>,
    send: Option<serde_json::Value>,
    hang_up: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenScript {
    #[serde(default)]
    step: Vec<WrittenStep>,
}

#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("cannot read the script {path} ({source})")]
    Unreadable {
        path: String,
        source: std::io::Error,
    },
    #[error("line {line}: {message}")]
    Line { line: usize, message: String },
    #[error("step {step}: {message}")]
    Step { step: usize, message: String },
    #[error("{0}")]
    Toml(String),
    #[error("the script has no step: write one such as {{\"say\": \"hello\"}}")]
    Empty,
}

/// The script in a file: TOML if its name ends so, otherwise a JSON object a line.
pub fn read(path: &Path) -> Result<Vec<Step>, ScriptError> {
    let text = std::fs::read_to_string(path).map_err(|source| ScriptError::Unreadable {
        path: path.display().to_string(),
        source,
    })?;
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        from_toml(&text)
    } else {
        from_json_lines(&text)
    }
}

pub fn from_json_lines(text: &str) -> Result<Vec<Step>, ScriptError> {
    let mut steps = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let step = from_json_line(line).map_err(|message| ScriptError::Line {
            line: line_number,
            message,
        })?;
        steps.push(step);
    }
    not_empty(steps)
}

/// The step in one JSON object; `Err` says what is wrong with it.
pub fn from_json_line(line: &str) -> Result<Step, String> {
    serde_json::from_str::<WrittenStep>(line)
        // Its own "line 1" would contradict the script's.
        .map_err(|error| {
            error
                .to_string()
                .replace(" at line 1 column ", " at column ")
        })
        .and_then(checked)
}

pub fn from_toml(text: &str) -> Result<Vec<Step>, ScriptError> {
    let script: WrittenScript =
        toml::from_str(text).map_err(|error| ScriptError::Toml(error.to_string()))?;
    let steps = script
        .step
        .into_iter()
        .enumerate()
        .map(|(index, step)| {
            checked(step).map_err(|message| ScriptError::Step {
                step: index + 1,
                message,
            })
        })
        .collect::<Result<_, _>>()?;
    not_empty(steps)
}

fn not_empty(steps: Vec<Step>) -> Result<Vec<Step>, ScriptError> {
    if steps.is_empty() {
        Err(ScriptError::Empty)
    } else {
        Ok(steps)
    }
}

fn checked(written: WrittenStep) -> Result<Step, String> {
    let at_once = written.at_once;
    let step = match written {
        WrittenStep {
            say: Some(words),
            wait: None,
            barge_in_after,
            send: None,
            hang_up: None,
            ..
        } => {
            if words.trim().is_empty() {
                return Err(String::from("`say` is empty: give a text or a WAV file"));
            }
            match barge_in_after {
                Some(after) => Step::BargeIn {
                    after: seconds("barge_in_after", after)?,
                    words,
                },
                None => Step::Say { words, at_once },
            }
        }
        WrittenStep {
            say: None,
            barge_in_after: Some(_),
            ..
        } => {
            return Err(String::from(
                "`barge_in_after` needs `say`: what to say over the assistant",
            ));
        }
        WrittenStep {
            wait: Some(wait),
            say: None,
            send: None,
            hang_up: None,
            ..
        } => Step::Wait {
            seconds: seconds("wait", wait)?,
        },
        WrittenStep {
            send: Some(message),
            say: None,
            wait: None,
            hang_up: None,
            ..
        } => Step::Send {
            // A bare string is a message of its own on this wire, as `playable` is.
            message: match message {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            },
        },
        WrittenStep {
            hang_up: Some(true),
            say: None,
            wait: None,
            send: None,
            ..
        } => Step::HangUp,
        _ => {
            return Err(String::from(
                "a step has exactly one of `say`, `wait`, `send` and `hang_up: true` (`barge_in_after` and `at_once` go with `say`)",
            ));
        }
    };
    if at_once && !matches!(step, Step::Say { .. }) {
        return Err(String::from("`at_once` goes with a plain `say` only"));
    }
    Ok(step)
}

fn seconds(field: &str, value: f64) -> Result<f64, String> {
    if (0.0..=3_600.0).contains(&value) {
        Ok(value)
    } else {
        Err(format!("`{field}` is {value}: give seconds from 0 to 3600"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn json_lines_become_steps() {
        let steps = from_json_lines(
            r#"
            # a caller who interrupts
            {"say": "hello.wav"}
            {"wait": 1.5}

            {"say": "and another thing", "at_once": true}
            {"barge_in_after": 2, "say": "stop please"}
            {"send": "playable"}
            {"send": {"type": "end-call"}}
            {"hang_up": true}
            "#,
        )
        .unwrap();
        assert_eq!(
            steps,
            [
                Step::Say {
                    words: "hello.wav".into(),
                    at_once: false
                },
                Step::Wait { seconds: 1.5 },
                Step::Say {
                    words: "and another thing".into(),
                    at_once: true
                },
                Step::BargeIn {
                    after: 2.0,
                    words: "stop please".into()
                },
                Step::Send {
                    message: "playable".into()
                },
                Step::Send {
                    message: r#"{"type":"end-call"}"#.into()
                },
                Step::HangUp,
            ]
        );
    }

    #[test]
    fn toml_says_the_same() {
        let steps =
            from_toml("[[step]]\nsay = 'hello'\n[[step]]\nwait = 2\n[[step]]\nhang_up = true")
                .unwrap();
        assert_eq!(
            steps,
            [
                Step::Say {
                    words: "hello".into(),
                    at_once: false
                },
                Step::Wait { seconds: 2.0 },
                Step::HangUp
            ]
        );
    }

    #[track_caller]
    fn refused(text: &str, expected: &[&str]) {
        let error = from_json_lines(text).unwrap_err().to_string();
        for part in expected {
            assert!(error.contains(part), "{part:?} is not in {error:?}");
        }
    }

    #[test]
    fn a_wrong_step_is_named_with_its_line_and_the_remedy() {
        refused(
            "{\"say\": \"hi\"}\n{\"sya\": \"hi\"}",
            &["line 2", "sya", "say"],
        );
        refused("{\"say\": \"  \"}", &["line 1", "empty"]);
        refused("{\"wait\": -1}", &["wait", "0 to 3600"]);
        refused("{\"wait\": 1, \"say\": \"hi\"}", &["exactly one"]);
        refused("{\"barge_in_after\": 1}", &["needs `say`"]);
        refused("{\"hang_up\": false}", &["hang_up: true"]);
        refused("{\"wait\": 1, \"at_once\": true}", &["at_once"]);
        refused(
            "{\"barge_in_after\": 1, \"say\": \"x\", \"at_once\": true}",
            &["at_once"],
        );
        refused("say hello", &["line 1"]);
        refused("\n# nothing\n", &["no step"]);
        let error = from_toml("[[step]]\nsay = 'a'\n[[step]]\nwait = 1e9").unwrap_err();
        assert!(error.to_string().contains("step 2"), "{error}");
    }
}
