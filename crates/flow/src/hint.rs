//! What a supervisor may whisper to the assistant: a closed list, because the flow looks at no words and
//! says none but its own.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Something that the assistant is to ask or say, in its own words, when it next speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hint {
    AskWhetherSafe,
    AskWhereTheyAre,
    AskAboutSuicide,
    AskWhetherHurt,
    AskAboutShelter,
    AskWhoKnows,
    AskForASafeNumber,
    SayThePoliceNumber,
    SayTheTextNumber,
    SayTheAmbulanceNumber,
    SayTheSuicideLine,
    SayTheAbuseLine,
    SayAStepForSafety,
    SayYesOrNoIsEnough,
    SlowDown,
}

impl Hint {
    /// In the order in which they are offered.
    pub const ALL: [Self; 15] = [
        Self::AskWhetherSafe,
        Self::AskWhereTheyAre,
        Self::AskAboutSuicide,
        Self::AskWhetherHurt,
        Self::AskAboutShelter,
        Self::AskWhoKnows,
        Self::AskForASafeNumber,
        Self::SayThePoliceNumber,
        Self::SayTheTextNumber,
        Self::SayTheAmbulanceNumber,
        Self::SayTheSuicideLine,
        Self::SayTheAbuseLine,
        Self::SayAStepForSafety,
        Self::SayYesOrNoIsEnough,
        Self::SlowDown,
    ];

    /// Stable: pages and programs know it by this.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AskWhetherSafe => "ask-whether-safe",
            Self::AskWhereTheyAre => "ask-where-they-are",
            Self::AskAboutSuicide => "ask-about-suicide",
            Self::AskWhetherHurt => "ask-whether-hurt",
            Self::AskAboutShelter => "ask-about-shelter",
            Self::AskWhoKnows => "ask-who-knows",
            Self::AskForASafeNumber => "ask-for-a-safe-number",
            Self::SayThePoliceNumber => "say-the-police-number",
            Self::SayTheTextNumber => "say-the-text-number",
            Self::SayTheAmbulanceNumber => "say-the-ambulance-number",
            Self::SayTheSuicideLine => "say-the-suicide-line",
            Self::SayTheAbuseLine => "say-the-abuse-line",
            Self::SayAStepForSafety => "say-a-step-for-safety",
            Self::SayYesOrNoIsEnough => "say-yes-or-no-is-enough",
            Self::SlowDown => "slow-down",
        }
    }

    /// For who gives it; the caller never hears this.
    pub fn label(self) -> &'static str {
        match self {
            Self::AskWhetherSafe => "Ask whether anyone is hurting them now",
            Self::AskWhereTheyAre => "Ask where they are",
            Self::AskAboutSuicide => "Ask about suicide",
            Self::AskWhetherHurt => "Ask whether someone close has hurt them",
            Self::AskAboutShelter => "Ask whether they need a safe place",
            Self::AskWhoKnows => "Ask who else knows of it",
            Self::AskForASafeNumber => "Ask for a number that is safe to ring",
            Self::SayThePoliceNumber => "Give the police's number",
            Self::SayTheTextNumber => "Tell them that they can text the police",
            Self::SayTheAmbulanceNumber => "Give the ambulance's number",
            Self::SayTheSuicideLine => "Give the suicide line's number",
            Self::SayTheAbuseLine => "Give the abuse helpline's number",
            Self::SayAStepForSafety => "Suggest a step for staying safe",
            Self::SayYesOrNoIsEnough => "Tell them that a yes or a no is enough",
            Self::SlowDown => "Slow down, with a breath",
        }
    }
}

/// This is no hint of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such hint: see the list of hints")]
pub struct UnknownHint;

impl FromStr for Hint {
    type Err = UnknownHint;

    fn from_str(code: &str) -> Result<Self, UnknownHint> {
        let mut all = Self::ALL.into_iter();
        all.find(|hint| hint.as_str() == code).ok_or(UnknownHint)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_is_read_by_its_code_and_saved_by_it_and_labelled_once() {
        let mut labels = BTreeSet::new();
        for hint in Hint::ALL {
            assert_eq!(hint.as_str().parse(), Ok(hint));
            assert_eq!(serde_json::to_value(hint).unwrap(), hint.as_str());
            assert!(labels.insert(hint.label()), "{}", hint.label());
        }
        assert_eq!("ask-about-the-weather".parse::<Hint>(), Err(UnknownHint));
    }
}
