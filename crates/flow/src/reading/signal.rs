//! What a caller's words can give away, and how sure a hit must be to count.

use serde::{Deserialize, Serialize};

/// What a caller's words can give away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// Someone is being hurt, or is about to be.
    ViolenceNow,
    Weapon,
    ThreatToKill,
    Strangulation,
    /// Said straight: "I want to die".
    SuicidalDirect,
    /// Said sideways: "everyone would be better off".
    SuicidalIndirect,
    SelfHarmNow,
    OverdoseNow,
    Injury,
    /// Hurt before, or again and again; not this minute.
    PhysicalAbuse,
    /// The caller hurt somebody, or fears that they will.
    OwnViolence,
    /// Violence at home, named without saying what was done.
    DomesticViolence,
    SexualAssault,
    ShelterWish,
    EmotionalAbuse,
    PsychologicalAbuse,
    FinancialAbuse,
    Neglect,
    ChildAtRisk,
    /// With violence, these raise the urgency: DASH and the Danger Assessment name them.
    Pregnant,
    Stalking,
    GettingWorse,
    Fear,
    /// The caller speaks for someone else.
    ThirdParty,
    NotSafeToTalk,
    /// Only yes or no, or whispering.
    CannotSpeak,
    Safe,
    Distress,
    AsksIfHuman,
    AsksForNumber,
    AsksAboutOthers,
    PromptInjection,
    OffTopic,
    Thanks,
    Goodbye,
}

impl Signal {
    /// Every signal, gravest first.
    pub const ALL: [Self; 35] = [
        Self::ViolenceNow,
        Self::Weapon,
        Self::ThreatToKill,
        Self::Strangulation,
        Self::SuicidalDirect,
        Self::SuicidalIndirect,
        Self::SelfHarmNow,
        Self::OverdoseNow,
        Self::Injury,
        Self::PhysicalAbuse,
        Self::OwnViolence,
        Self::DomesticViolence,
        Self::SexualAssault,
        Self::ShelterWish,
        Self::EmotionalAbuse,
        Self::PsychologicalAbuse,
        Self::FinancialAbuse,
        Self::Neglect,
        Self::ChildAtRisk,
        Self::Pregnant,
        Self::Stalking,
        Self::GettingWorse,
        Self::Fear,
        Self::ThirdParty,
        Self::NotSafeToTalk,
        Self::CannotSpeak,
        Self::Safe,
        Self::Distress,
        Self::AsksIfHuman,
        Self::AsksForNumber,
        Self::AsksAboutOthers,
        Self::PromptInjection,
        Self::OffTopic,
        Self::Thanks,
        Self::Goodbye,
    ];

    /// The signal's name in evidence, such as `"violence now"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ViolenceNow => "violence now",
            Self::Weapon => "weapon",
            Self::ThreatToKill => "threat to kill",
            Self::Strangulation => "strangulation",
            Self::SuicidalDirect => "suicidal thoughts",
            Self::SuicidalIndirect => "indirect suicidal signs",
            Self::SelfHarmNow => "self-harm now",
            Self::OverdoseNow => "overdose now",
            Self::Injury => "injury",
            Self::PhysicalAbuse => "physical abuse",
            Self::OwnViolence => "violence by the caller",
            Self::DomesticViolence => "violence at home",
            Self::SexualAssault => "sexual assault",
            Self::ShelterWish => "wish for shelter",
            Self::EmotionalAbuse => "emotional abuse",
            Self::PsychologicalAbuse => "psychological abuse",
            Self::FinancialAbuse => "financial abuse",
            Self::Neglect => "neglect",
            Self::ChildAtRisk => "child at risk",
            Self::Pregnant => "pregnancy",
            Self::Stalking => "stalking",
            Self::GettingWorse => "violence getting worse",
            Self::Fear => "fear",
            Self::ThirdParty => "calls for someone else",
            Self::NotSafeToTalk => "not safe to talk",
            Self::CannotSpeak => "cannot speak freely",
            Self::Safe => "safe for now",
            Self::Distress => "distress",
            Self::AsksIfHuman => "asks if this is a person",
            Self::AsksForNumber => "asks for a number",
            Self::AsksAboutOthers => "asks about others",
            Self::PromptInjection => "instructions to the assistant",
            Self::OffTopic => "off topic",
            Self::Thanks => "thanks",
            Self::Goodbye => "goodbye",
        }
    }

    /// Raises the case's urgency whatever the route.
    pub fn is_high_risk(self) -> bool {
        matches!(
            self,
            Self::ViolenceNow
                | Self::Weapon
                | Self::ThreatToKill
                | Self::Strangulation
                | Self::SuicidalDirect
                | Self::SuicidalIndirect
                | Self::SelfHarmNow
                | Self::OverdoseNow
        )
    }

    /// Foretells that violence may kill: the gravest of the Danger Assessment's questions.
    pub fn is_lethality_marker(self) -> bool {
        matches!(
            self,
            Self::Strangulation | Self::ThreatToKill | Self::Weapon
        )
    }

    /// Raises the urgency of violence told beside it: a red flag of DASH or the Danger Assessment.
    pub fn is_red_flag(self) -> bool {
        matches!(self, Self::Pregnant | Self::Stalking | Self::GettingWorse)
    }

    /// Says something a case note should hold.
    pub fn is_clinical(self) -> bool {
        self.is_high_risk()
            || self.is_abuse()
            || matches!(
                self,
                Self::Injury
                    | Self::OwnViolence
                    | Self::ShelterWish
                    | Self::ChildAtRisk
                    | Self::Pregnant
                    | Self::Stalking
                    | Self::GettingWorse
                    | Self::Fear
                    | Self::ThirdParty
                    | Self::NotSafeToTalk
                    | Self::Distress
            )
    }

    /// A kind of harm done to someone.
    pub fn is_abuse(self) -> bool {
        matches!(
            self,
            Self::PhysicalAbuse
                | Self::DomesticViolence
                | Self::SexualAssault
                | Self::EmotionalAbuse
                | Self::PsychologicalAbuse
                | Self::FinancialAbuse
                | Self::Neglect
        )
    }
}

/// From this confidence on a signal is acted on.
pub const SURE: f32 = 0.7;
/// From this confidence on it is as good as sure where the question about it is left without an answer.
pub const ALL_BUT_SURE: f32 = 0.68;
/// From this confidence on, heard in two turns, it is as good as sure.
pub const NEARLY_SURE: f32 = 0.65;
/// From this confidence on, and below [`SURE`], it is asked about.
pub const WORTH_ASKING: f32 = 0.5;
