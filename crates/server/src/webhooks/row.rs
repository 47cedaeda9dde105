//! A row of the outbox: a message with its words, or that a call's end is to be told.

use jiff::Timestamp;
use platform::event::Destination;
use resources::Resource;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::receiver::Receiver;

/// The kind of a row that is about a call's end.
pub const END: &str = "end-of-call";

/// A row, read.
pub struct Row {
    pub call: Uuid,
    /// Of the message, or [`END`].
    pub kind: String,
    pub is_end: bool,
    /// It is not told of a call that has no record any more. Of what is deleted, and of a session, it is told without one.
    pub needs_its_record: bool,
    pub status_told: bool,
    pub destination: Option<Destination>,
    pub to: Option<Receiver>,
    pub by: Option<Uuid>,
    pub until: Option<Timestamp>,
}

impl Row {
    /// `None` where it is sealed with a key that is not set, or this program did not write it.
    pub fn read(resource: &Resource) -> Option<Self> {
        let body = resource.body.expose_secret();
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let until = body.get("untilMs").and_then(Value::as_i64);
        Some(Self {
            call: text("call")?.parse().ok()?,
            kind: text("type").unwrap_or_default().to_owned(),
            is_end: text("type") == Some(END),
            needs_its_record: !text("type").is_some_and(stands_alone),
            status_told: body.get("statusTold") == Some(&Value::Bool(true)),
            destination: body
                .get("destination")
                .and_then(|destination| Destination::deserialize(destination).ok()),
            to: body
                .get("plan")
                .and_then(Value::as_object)
                .and_then(Receiver::read),
            by: text("by").and_then(|by| by.parse().ok()),
            until: until.and_then(|until| Timestamp::from_millisecond(until).ok()),
        })
    }
}

fn stands_alone(kind: &str) -> bool {
    kind == "chat.deleted" || kind.starts_with("session.")
}

/// The row of a call's end: found by the call, and none of the other ids that there are.
pub fn end_of(call: Uuid) -> Uuid {
    const TURNED: u128 = 0x5e4d_0f7a_9c31_48b2_86e0_d7a4_31fb_c95e;
    Uuid::from_u128(call.as_u128() ^ TURNED)
}
