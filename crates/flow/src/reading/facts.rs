//! What a turn tells of the caller and of those around them.

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

/// As much as is known of the caller's age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Age {
    Years(u8),
    /// 18 or under, by what the caller does: "Sec 3".
    EighteenOrUnder,
    /// 19 or over, likewise: "retired".
    NineteenOrOver,
}

impl Age {
    /// The side of the specification's line, which is drawn between 18 and 19.
    pub fn is_eighteen_or_under(self) -> bool {
        match self {
            Self::Years(years) => years <= 18,
            Self::EighteenOrUnder => true,
            Self::NineteenOrOver => false,
        }
    }
}

/// What the person who does harm is to the person harmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Husband or wife, present or former.
    Spouse,
    /// Family, or someone close or of the same home: parent, child, boyfriend, in-law, a helper's employer.
    Family,
    /// Neither: a stranger, a boss, a classmate.
    NotFamily,
    /// "Partner", "my ex": married or not is not said.
    Partner,
}

/// A person the caller has spoken of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PersonSpokenOf {
    #[serde(serialize_with = "expose_secret")]
    pub role: Secret<String>,
    pub relation: Relation,
    /// The caller's own ("my husband").
    pub own: bool,
}

/// Where the caller is, as heard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlaceHeard {
    #[serde(serialize_with = "expose_secret")]
    pub name: Secret<String>,
    /// Precise enough to send someone to, if it is not a part alone.
    pub precise: bool,
    #[serde(default)]
    pub part: PlacePart,
}

impl PlaceHeard {
    /// What was told at several times, as one address.
    pub fn together<'a>(places: impl Iterator<Item = &'a Self>) -> Option<Secret<String>> {
        let names: Vec<&str> = places
            .map(|place| place.name.expose_secret().as_str())
            .collect();
        (!names.is_empty()).then(|| Secret::new(names.join(", ")))
    }
}

/// How much of an address was said at once: people tell it in pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlacePart {
    /// It names a street, a town or another place, whatever else it holds.
    #[default]
    Named,
    /// "Block 12", in no street or town.
    Block,
    /// "Number 14-215", likewise.
    Unit,
}

/// When it last happened, as heard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimeHeard {
    /// The date, as far as it could be resolved, and the caller's words.
    #[serde(serialize_with = "expose_secret")]
    pub when: Secret<String>,
    /// Days before the call, roughly.
    pub days_ago: i64,
    /// Minutes ago.
    #[serde(default)]
    pub just_now: bool,
}

/// What a turn is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    Grief,
    Panic,
    Sleep,
    Loneliness,
    Couple,
    School,
    Work,
    MoneyWorry,
    Health,
    Caring,
    Family,
    Friends,
    Anger,
    Shame,
    Pressure,
    Sadness,
    /// Something that does the caller good.
    Comfort,
}
