//! Where a conversation is, for whoever watches it: told by what is asked, never by what was said.

use serde::{Deserialize, Serialize};

use crate::{EndReason, Question, machine::State};

/// A step of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Nothing has been said yet.
    Beginning,
    AskingWhetherSafe,
    FindingOut,
    AskingAboutSuicide,
    AskingAboutHarm,
    ChoosingTheAgency,
    AskingConsent,
    TakingTheName,
    TakingTheAddress,
    HearingWhatHappened,
    AskingWhen,
    AskingHowToReachThem,
    AskingForANumber,
    AnythingMore,
    /// Duty officers are being rung, or the words for it have been said.
    Connecting,
    WithAnOfficer,
    Over,
}

impl Step {
    pub const ALL: [Self; 17] = [
        Self::Beginning,
        Self::AskingWhetherSafe,
        Self::FindingOut,
        Self::AskingAboutSuicide,
        Self::AskingAboutHarm,
        Self::ChoosingTheAgency,
        Self::AskingConsent,
        Self::TakingTheName,
        Self::TakingTheAddress,
        Self::HearingWhatHappened,
        Self::AskingWhen,
        Self::AskingHowToReachThem,
        Self::AskingForANumber,
        Self::AnythingMore,
        Self::Connecting,
        Self::WithAnOfficer,
        Self::Over,
    ];

    /// Stable: pages and programs know it by this.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Beginning => "beginning",
            Self::AskingWhetherSafe => "asking-whether-safe",
            Self::FindingOut => "finding-out",
            Self::AskingAboutSuicide => "asking-about-suicide",
            Self::AskingAboutHarm => "asking-about-harm",
            Self::ChoosingTheAgency => "choosing-the-agency",
            Self::AskingConsent => "asking-consent",
            Self::TakingTheName => "taking-the-name",
            Self::TakingTheAddress => "taking-the-address",
            Self::HearingWhatHappened => "hearing-what-happened",
            Self::AskingWhen => "asking-when",
            Self::AskingHowToReachThem => "asking-how-to-reach-them",
            Self::AskingForANumber => "asking-for-a-number",
            Self::AnythingMore => "anything-more",
            Self::Connecting => "connecting",
            Self::WithAnOfficer => "with-an-officer",
            Self::Over => "over",
        }
    }

    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Beginning => "beginning",
            Self::AskingWhetherSafe => "asking whether it is safe",
            Self::FindingOut => "finding out what is wrong",
            Self::AskingAboutSuicide => "asking about suicide",
            Self::AskingAboutHarm => "asking what is being done to them",
            Self::ChoosingTheAgency => "finding the right agency",
            Self::AskingConsent => "asking whether the case may be shared",
            Self::TakingTheName => "taking the name",
            Self::TakingTheAddress => "taking the address",
            Self::HearingWhatHappened => "hearing what happened",
            Self::AskingWhen => "asking when it happened",
            Self::AskingHowToReachThem => "asking how they can be reached",
            Self::AskingForANumber => "asking for a number that is safe to ring",
            Self::AnythingMore => "asking whether there is more",
            Self::Connecting => "connecting",
            Self::WithAnOfficer => "with a duty officer",
            Self::Over => "over",
        }
    }
}

/// Where a conversation in this state is.
pub(crate) fn of(state: &State) -> Step {
    if state.is_with_officer() {
        return Step::WithAnOfficer;
    }
    if state.is_connecting() || state.ended == Some(EndReason::Forwarded) {
        return Step::Connecting;
    }
    if state.ended.is_some() {
        return Step::Over;
    }
    match state.pending {
        None if state.turns == 0 => Step::Beginning,
        None | Some(Question::Open) => Step::FindingOut,
        Some(
            Question::SafeNow
            | Question::SafeToTalk
            | Question::DangerNow
            | Question::OtherInDanger,
        ) => Step::AskingWhetherSafe,
        Some(Question::Suicidal | Question::OtherSuicidal) => Step::AskingAboutSuicide,
        Some(
            Question::HurtBefore
            | Question::SexualHarm
            | Question::NeedsShelter
            | Question::PutDown,
        ) => Step::AskingAboutHarm,
        Some(Question::Age | Question::EighteenOrUnder | Question::Abuser | Question::BySpouse) => {
            Step::ChoosingTheAgency
        }
        Some(Question::Consent) => Step::AskingConsent,
        Some(Question::Name) => Step::TakingTheName,
        Some(Question::Address) => Step::TakingTheAddress,
        Some(Question::Account) => Step::HearingWhatHappened,
        Some(Question::IncidentTime) => Step::AskingWhen,
        Some(Question::SafeContact) => Step::AskingHowToReachThem,
        Some(Question::CallBack | Question::CallBackRight) => Step::AskingForANumber,
        Some(Question::MoreSupport) => Step::AnythingMore,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_is_known_by_its_code_and_has_words_of_its_own() {
        let mut words = BTreeSet::new();
        for step in Step::ALL {
            assert_eq!(serde_json::to_value(step).unwrap(), step.as_str());
            assert!(words.insert(step.words()), "{}", step.words());
        }
    }

    #[test]
    fn a_step_is_told_by_the_question_and_by_who_has_the_caller() {
        let asks = |question| State {
            turns: 1,
            pending: question,
            ..State::default()
        };
        let ended = |reason| State {
            ended: Some(reason),
            ..asks(None)
        };
        for (state, step) in [
            (State::default(), Step::Beginning),
            (asks(None), Step::FindingOut),
            (asks(Some(Question::SafeNow)), Step::AskingWhetherSafe),
            (asks(Some(Question::Open)), Step::FindingOut),
            (asks(Some(Question::Suicidal)), Step::AskingAboutSuicide),
            (asks(Some(Question::Abuser)), Step::ChoosingTheAgency),
            (asks(Some(Question::Address)), Step::TakingTheAddress),
            (asks(Some(Question::MoreSupport)), Step::AnythingMore),
            (ended(EndReason::Forwarded), Step::Connecting),
            (ended(EndReason::CallerEnded), Step::Over),
        ] {
            assert_eq!(of(&state), step, "{state:?}");
        }
    }
}
