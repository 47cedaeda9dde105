//! What of an error is reported: these fields and no others, in the shape of Sentry's events.

use std::panic::Location;

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

/// A place in the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Frame {
    #[serde(rename = "filename")]
    pub file: String,
    #[serde(rename = "lineno")]
    pub line: u32,
    #[serde(rename = "colno", skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// One error.
#[derive(Debug)]
pub struct Report {
    platform: &'static str,
    /// A kind of failure: one of a few words.
    kind: &'static str,
    /// A log line's own fixed words.
    words: Option<String>,
    /// The outermost first.
    frames: Vec<Frame>,
    /// The page that it happened on, one of those there are.
    page: Option<&'static str>,
    at: Timestamp,
}

impl Report {
    /// An error of the log.
    pub fn of_a_line(words: String, file: Option<&str>, line: Option<u32>) -> Self {
        let frames = file.zip(line).map(|(file, line)| Frame {
            file: without_the_builders_home(file),
            line,
            column: None,
        });
        Self::of_the_server("error", Some(words), frames)
    }

    pub fn of_a_panic(place: Option<&Location>) -> Self {
        let frame = place.map(|place| Frame {
            file: without_the_builders_home(place.file()),
            line: place.line(),
            column: Some(place.column()),
        });
        Self::of_the_server("panic", None, frame)
    }

    fn of_the_server(kind: &'static str, words: Option<String>, frame: Option<Frame>) -> Self {
        Self {
            platform: "rust",
            kind,
            words,
            frames: frame.into_iter().collect(),
            page: None,
            at: Timestamp::now(),
        }
    }

    /// What a page tells of itself, once it is known to be nothing else.
    pub fn of_a_page(kind: &'static str, page: &'static str, frames: Vec<Frame>) -> Self {
        Self {
            platform: "javascript",
            kind,
            words: None,
            frames,
            page: Some(page),
            at: Timestamp::now(),
        }
    }

    /// As it is sent: headers of the envelope, of its one item, and the item, a line each.
    pub fn envelope(&self, node: Option<&str>) -> String {
        let id = Uuid::new_v4().simple().to_string();
        let event = Event {
            event_id: &id,
            timestamp: self.at.to_string(),
            platform: self.platform,
            level: "error",
            release: concat!("nightlight@", env!("CARGO_PKG_VERSION")),
            server_name: node,
            transaction: self.page,
            exception: Values {
                values: [Exception {
                    kind: self.kind,
                    value: self.words.as_deref(),
                    stacktrace: Frames {
                        frames: &self.frames,
                    },
                }],
            },
        };
        let event = serde_json::to_string(&event).expect("names and numbers are JSON");
        let now = Timestamp::now();
        format!(
            "{{\"event_id\":\"{id}\",\"sent_at\":\"{now}\"}}\n{{\"type\":\"event\",\"length\":{}}}\n{event}\n",
            event.len()
        )
    }
}

#[derive(Serialize)]
struct Event<'a> {
    event_id: &'a str,
    timestamp: String,
    platform: &'static str,
    level: &'static str,
    release: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<&'static str>,
    exception: Values<'a>,
}

#[derive(Serialize)]
struct Values<'a> {
    values: [Exception<'a>; 1],
}

#[derive(Serialize)]
struct Exception<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    stacktrace: Frames<'a>,
}

#[derive(Serialize)]
struct Frames<'a> {
    frames: &'a [Frame],
}

/// A library's file is named by the folder of whoever built this; their name is nobody's business.
fn without_the_builders_home(file: &str) -> String {
    if !file.starts_with('/') {
        return file.to_owned();
    }
    let folder = file.rfind("/src/").and_then(|src| file[..src].rfind('/'));
    let folder = folder.or_else(|| file.rfind('/'));
    folder.map_or("", |folder| &file[folder + 1..]).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn an_envelope_is_two_headers_and_an_event_of_these_fields_alone() {
        let words = String::from("the records cannot be reached");
        let report = Report::of_a_line(
            words,
            Some("crates/server/src/records_unavailable.rs"),
            Some(11),
        );
        let envelope = report.envelope(Some("north"));
        let lines: Vec<Value> = envelope
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let [header, item, event] = lines.as_slice() else {
            panic!("{envelope}");
        };
        assert_eq!(header["event_id"], event["event_id"]);
        let length = envelope.lines().nth(2).unwrap().len();
        assert_eq!(*item, json!({"type": "event", "length": length}));
        let mut event = event.clone();
        for unforeseen in ["event_id", "timestamp"] {
            assert!(event.as_object_mut().unwrap().remove(unforeseen).is_some());
        }
        let expected = json!({
            "platform": "rust",
            "level": "error",
            "release": concat!("nightlight@", env!("CARGO_PKG_VERSION")),
            "server_name": "north",
            "exception": {"values": [{
                "type": "error",
                "value": "the records cannot be reached",
                "stacktrace": {"frames": [{"filename": "crates/server/src/records_unavailable.rs", "lineno": 11}]},
            }]},
        });
        assert_eq!(event, expected);
    }

    #[test]
    fn a_librarys_file_is_named_without_the_home_of_who_built_it() {
        for (file, named) in [
            (
                "/home/mei/.cargo/registry/src/index-1/axum-0.8.1/src/routing/mod.rs",
                "axum-0.8.1/src/routing/mod.rs",
            ),
            ("/home/mei/made/by/hand.rs", "hand.rs"),
            ("crates/call/src/lib.rs", "crates/call/src/lib.rs"),
        ] {
            assert_eq!(without_the_builders_home(file), named);
        }
    }
}
