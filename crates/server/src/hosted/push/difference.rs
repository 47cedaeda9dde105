//! What a push changes, for a person to read. Only what a file says counts: what the platform adds of its own, such as defaults,
//! is no difference.

use std::fmt;

use serde_json::{Map, Value};

/// Carries the webhook's secret, and is never shown.
pub const SECRET_HEADER: &str = "X-Vapi-Secret";

/// A longer text is shown by its beginning.
const SHOWN: usize = 60;

/// One place that is other than the file says.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    /// Such as `model.temperature`.
    pub place: String,
    /// Not there yet, or that it is a secret.
    before: Option<String>,
    after: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            before,
            after,
        } = self;
        match before {
            Some(before) => write!(f, "~ {place}: {before} → {after}"),
            None => write!(f, "+ {place}: {after}"),
        }
    }
}

/// From what is there to what is wanted.
pub fn between(there: &Map<String, Value>, wanted: &Map<String, Value>) -> Vec<Change> {
    let mut changes = Vec::new();
    compare_fields("", there, wanted, &mut changes);
    changes
}

fn compare_fields(
    place: &str,
    there: &Map<String, Value>,
    wanted: &Map<String, Value>,
    changes: &mut Vec<Change>,
) {
    for (field, wanted) in wanted {
        let place = match place {
            "" => field.clone(),
            _ => format!("{place}.{field}"),
        };
        compare(&place, there.get(field), wanted, changes);
    }
}

fn compare(place: &str, there: Option<&Value>, wanted: &Value, changes: &mut Vec<Change>) {
    match (there, wanted) {
        (Some(there), wanted) if is_same(there, wanted) => {}
        // Nothing said, and nothing there.
        (None, Value::Null) => {}
        (Some(Value::Object(there)), Value::Object(wanted)) => {
            compare_fields(place, there, wanted, changes);
        }
        (Some(Value::Array(there)), Value::Array(wanted)) if there.len() == wanted.len() => {
            for (index, (there, wanted)) in there.iter().zip(wanted).enumerate() {
                compare(&format!("{place}[{index}]"), Some(there), wanted, changes);
            }
        }
        _ => changes.push(Change {
            place: place.to_owned(),
            before: there.map(|there| shown(place, there)),
            after: shown(place, wanted),
        }),
    }
}

/// 3 and 3.0 are one number.
fn is_same(there: &Value, wanted: &Value) -> bool {
    match (there.as_f64(), wanted.as_f64()) {
        (Some(there), Some(wanted)) => there == wanted,
        _ => there == wanted,
    }
}

fn shown(place: &str, value: &Value) -> String {
    if place.ends_with(SECRET_HEADER) {
        return "(secret)".to_owned();
    }
    let mut value = value.clone();
    hide_secrets(&mut value);
    let text = value.to_string();
    let length = text.chars().count();
    match length > SHOWN {
        true => {
            let begins: String = text.chars().take(SHOWN).collect();
            format!("{begins}… ({length} characters)")
        }
        false => text,
    }
}

fn hide_secrets(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields.iter_mut() {
                match field == SECRET_HEADER {
                    true => *value = Value::from("(secret)"),
                    false => hide_secrets(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_secrets),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn changes(there: Value, wanted: Value) -> Vec<String> {
        let (there, wanted) = (there.as_object().unwrap(), wanted.as_object().unwrap());
        let changes = between(there, wanted);
        changes.iter().map(Change::to_string).collect()
    }

    #[test]
    fn what_the_platform_adds_and_how_it_writes_a_number_is_no_difference() {
        let there =
            json!({"id": "x", "name": "a", "voice": {"voiceId": "v", "speed": 1}, "n": 3.0});
        let wanted = json!({"name": "a", "voice": {"voiceId": "v"}, "n": 3, "none": null});
        assert_eq!(changes(there, wanted), Vec::<String>::new());
    }

    #[test]
    fn each_place_that_differs_is_told_with_what_is_there_and_what_comes() {
        let there = json!({"model": {"temperature": 0.7, "messages": [{"content": "a"}]}, "phrases": ["x"]});
        let wanted = json!({"model": {"temperature": 0.3, "messages": [{"content": "b"}], "toolIds": ["t"]}, "phrases": ["x", "y"]});
        assert_eq!(
            changes(there, wanted),
            [
                r#"~ model.messages[0].content: "a" → "b""#,
                "~ model.temperature: 0.7 → 0.3",
                r#"+ model.toolIds: ["t"]"#,
                r#"~ phrases: ["x"] → ["x","y"]"#,
            ]
        );
    }

    #[test]
    fn no_secret_is_shown_and_no_long_text_whole() {
        let header = json!({"headers": {SECRET_HEADER: "hunter2"}});
        let told = changes(
            json!({"server": {"headers": {SECRET_HEADER: "old"}}}),
            json!({"server": header}),
        );
        assert_eq!(
            told,
            ["~ server.headers.X-Vapi-Secret: (secret) → (secret)"]
        );
        let told = changes(
            json!({}),
            json!({"server": header, "prompt": "a".repeat(500)}),
        );
        assert!(!told.concat().contains("hunter2"), "{told:?}");
        assert!(told.concat().len() < 300, "{told:?}");
    }
}
