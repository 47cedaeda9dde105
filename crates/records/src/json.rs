//! What is kept as JSON: a note, messages. Both databases keep the same text.

use serde::Serialize;

pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records hold only strings, numbers and lists")
}
