//! The ten sample records every visitor sees: fictional people, complete transcripts. They
//! are part of the program (`samples/*.json`) and laid into a new store once.

use flow::{CaseNote, EndReason};
use jiff::Timestamp;
use redact::Secret;
use serde::Deserialize;

use crate::call_record::{CallId, Message};

/// The name under which a store remembers that it has these.
pub(crate) const SET: &str = "samples-1";

const FILES: [&str; 10] = [
    include_str!("../samples/01-spf.json"),
    include_str!("../samples/02-sos.json"),
    include_str!("../samples/03-fsc.json"),
    include_str!("../samples/04-sacc.json"),
    include_str!("../samples/05-dvert.json"),
    include_str!("../samples/06-pave.json"),
    include_str!("../samples/07-navh.json"),
    include_str!("../samples/08-cps.json"),
    include_str!("../samples/09-aps.json"),
    include_str!("../samples/10-not-applicable.json"),
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Sample {
    pub id: i64,
    pub call_id: CallId,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub ended_reason: EndReason,
    pub note: CaseNote,
    #[serde(default)]
    pub abuse_in_other_words: Option<Secret<String>>,
    pub messages: Vec<Message>,
}

pub(crate) fn samples() -> Vec<Sample> {
    FILES
        .iter()
        .map(|file| serde_json::from_str(file).expect("the sample files are checked by tests"))
        .collect()
}
