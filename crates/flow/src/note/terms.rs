//! How the note names what was heard: terms that a duty officer reads at a glance.

use crate::reading::Signal;

/// What the caller reported, as a noun.
pub(super) fn reported(signal: Signal) -> &'static str {
    match signal {
        Signal::ViolenceNow => "violence at the time of the call",
        Signal::Weapon => "a weapon",
        Signal::ThreatToKill => "a threat to kill",
        Signal::Strangulation => "strangulation",
        Signal::SuicidalDirect => "thoughts of suicide",
        Signal::SuicidalIndirect => "signs of suicidal thoughts",
        Signal::SelfHarmNow => "self-harm",
        Signal::OverdoseNow => "an overdose",
        Signal::Injury => "being hurt",
        Signal::PhysicalAbuse => "physical violence",
        Signal::OwnViolence => "having hurt somebody, or fearing to",
        Signal::DomesticViolence => "violence at home",
        Signal::SexualAssault => "sexual assault",
        Signal::ShelterWish => "the wish for a place to stay",
        Signal::EmotionalAbuse => "emotional abuse",
        Signal::PsychologicalAbuse => "psychological abuse",
        Signal::FinancialAbuse => "financial abuse",
        Signal::Neglect => "neglect",
        Signal::ChildAtRisk => "a child at risk",
        Signal::Pregnant => "a pregnancy",
        Signal::Stalking => "stalking",
        Signal::GettingWorse => "violence that is getting worse",
        Signal::Fear => "fear",
        Signal::ThirdParty => "concern for someone else",
        Signal::NotSafeToTalk => "not being able to talk safely",
        Signal::CannotSpeak => "not being able to speak freely",
        Signal::Safe => "being safe for now",
        Signal::Distress => "distress",
        other => other.name(),
    }
}
