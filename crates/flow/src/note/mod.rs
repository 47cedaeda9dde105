//! The case note: what a duty officer reads.
//!
//! The types are here; `facts` says what stands in one, `write` puts it into sentences, and `evidence` has
//! the words that each claim rests on; `for_a_person` is for where that fails. A note holds nothing that was not
//! said: its claims are signals and facts, and each stands in the evidence with the caller's words.

mod briefing;
mod evidence;
mod facts;
mod for_a_person;
mod hand_over;
mod terms;
mod write;

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

use crate::Agency;

pub(crate) use briefing::briefing;
pub(crate) use for_a_person::or_for_a_person;
pub(crate) use hand_over::in_groups;
pub(crate) use write::{write, write_told};

/// What is known of one call, for the duty officer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseNote {
    /// Begins with "Caller"; no full stop.
    #[serde(serialize_with = "expose_secret")]
    pub summary_title: Secret<String>,
    /// One paragraph, two to four sentences, in SOAP order.
    #[serde(serialize_with = "expose_secret")]
    pub summary: Secret<String>,
    pub structured_data: StructuredData,
    pub evidence: Vec<Evidence>,
}

impl CaseNote {
    /// The number that the caller gave as one they can safely be rung back on, where the note says so.
    pub fn safe_number(&self) -> Option<Secret<String>> {
        let follow_up = self.structured_data.follow_up.expose_secret();
        hand_over::safe_number(follow_up).map(|number| Secret::new(number.to_owned()))
    }
}

/// The specification's analysis schema, all fields required, under its own field names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StructuredData {
    #[serde(serialize_with = "expose_secret")]
    pub name: Secret<String>,
    pub urgent: bool,
    #[serde(serialize_with = "expose_secret")]
    pub location: Secret<String>,
    /// Two to four sentences separated by ". ".
    #[serde(serialize_with = "expose_secret")]
    pub follow_up: Secret<String>,
    pub abuse_type: AbuseType,
    /// `None` is "Not Applicable" on the wire.
    #[serde(with = "transfer_to")]
    pub transfer_to: Option<Agency>,
    pub transferred: bool,
    #[serde(serialize_with = "expose_secret")]
    pub latest_incident_date: Secret<String>,
}

/// The kind of abuse that weighs most in the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AbuseType {
    Physical,
    Sexual,
    Emotional,
    Psychological,
    Financial,
    Neglect,
    Other,
}

impl AbuseType {
    /// The schema's own word; the same that serde writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Physical => "Physical",
            Self::Sexual => "Sexual",
            Self::Emotional => "Emotional",
            Self::Psychological => "Psychological",
            Self::Financial => "Financial",
            Self::Neglect => "Neglect",
            Self::Other => "Other",
        }
    }
}

/// One claim and the caller's own words for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// A signal's or fact's name, or "denies" and a signal's name.
    pub claim: String,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    /// Which caller turn, from 0.
    pub turn: usize,
    /// From 0 to 1.
    pub confidence: f32,
    /// These words are why the case is urgent: a danger or a red flag.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub escalates: bool,
}

mod transfer_to {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::Agency;

    const NONE: &str = "Not Applicable";

    pub fn serialize<S: Serializer>(
        agency: &Option<Agency>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(agency.map_or(NONE, Agency::as_str))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Agency>, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == NONE {
            return Ok(None);
        }
        text.parse().map(Some).map_err(D::Error::custom)
    }
}
