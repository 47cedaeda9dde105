//! Resources into rows, what was said of them sealed, and back, for any database. What cannot be opened is told with an
//! empty body, and the warning says of which: one value must not take a list down.

use records::{RecordsKeys, ResourcePart, StoreError};
use redact::Secret;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::resource::{Body, Kind};

pub(crate) fn sealed_body(keys: &RecordsKeys, id: Uuid, body: &Body) -> String {
    let text = serde_json::to_string(body.expose_secret());
    let text = text.expect("an object's keys are strings");
    keys.seal_of_resource(id, ResourcePart::Body, &Secret::new(text))
}

pub(crate) fn sealed_content(
    keys: &RecordsKeys,
    id: Uuid,
    content: Option<&Secret<String>>,
) -> Option<String> {
    content.map(|content| keys.seal_of_resource(id, ResourcePart::Content, content))
}

/// `None` where it cannot be read.
pub(crate) fn opened_body(
    keys: &RecordsKeys,
    kind: Kind,
    id: Uuid,
    stored: String,
) -> Option<Body> {
    let read = keys
        .open_of_resource(id, ResourcePart::Body, stored)
        .map_err(|reason| reason.to_string())
        // Not why: that could repeat what stands there.
        .and_then(|text| {
            serde_json::from_str::<Map<String, Value>>(text.expose_secret())
                .map_err(|_| String::from("it is not JSON"))
        });
    match read {
        Ok(body) => Some(Secret::new(body)),
        Err(reason) => {
            tracing::warn!(%kind, %id, reason, "what a program keeps cannot be read and is told empty");
            None
        }
    }
}

pub(crate) fn opened_content(
    keys: &RecordsKeys,
    id: Uuid,
    stored: String,
) -> Result<Secret<String>, StoreError> {
    keys.open_of_resource(id, ResourcePart::Content, stored)
        .map_err(unreadable)
}

/// A row that this program did not write, or not as it stands.
pub(crate) fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}
