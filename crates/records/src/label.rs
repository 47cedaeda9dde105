//! What a program says of a call that it asks for.

use redact::Secret;

use crate::call_record::CallId;
use crate::json::json;
use crate::sealing::{Part, RecordsKeys};

/// A call's label. A call that a visitor asks for has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Label {
    /// What the program calls it, which may be somebody's name.
    pub name: Option<Secret<String>>,
    /// Whom it asked for, by an id of the server's; none where that is the embedded assistant.
    pub assistant: Option<String>,
    pub squad: Option<String>,
    /// How it wants the call held, in the server's own form: with that the call comes back.
    pub manner: Option<Secret<String>>,
    pub workflow: Option<String>,
}

impl Label {
    /// Nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn sealed_name(&self, call: CallId, keys: &RecordsKeys) -> Option<String> {
        let name = self.name.as_ref()?.expose_secret();
        // As JSON: PostgreSQL would refuse the character U+0000.
        Some(keys.seal(call, Part::LabelName, json(&[name])))
    }

    pub(crate) fn sealed_manner(&self, call: CallId, keys: &RecordsKeys) -> Option<String> {
        let manner = self.manner.as_ref()?.expose_secret();
        Some(keys.seal(call, Part::LabelManner, json(&[manner])))
    }
}
