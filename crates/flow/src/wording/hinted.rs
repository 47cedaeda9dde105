//! What a supervisor whispers, in the assistant's own words. All of it is said by the flow too, and counted with
//! that, so that nobody hears the same sentence twice running.

use super::{meanwhile, phrases};
use crate::{Agency, Hint};

pub(super) const WHO_KNOWS: &[&str] = &[
    "Is there someone in your life who knows about this?",
    "Who else knows what's been going on?",
];

/// The phrases of a hint and the key they are counted under. One that asks a question of the flow's is put as
/// that question, and never comes here.
pub(super) fn of(hint: Hint) -> (String, &'static [&'static str]) {
    let (key, variants) = match hint {
        Hint::SayTheTextNumber => ("text police", meanwhile::TEXT_POLICE),
        Hint::SayTheAmbulanceNumber => ("ambulance too", phrases::AMBULANCE_TOO),
        Hint::SayThePoliceNumber | Hint::SayTheSuicideLine | Hint::SayTheAbuseLine => {
            ("ring yourself", meanwhile::RING_YOURSELF)
        }
        Hint::SayAStepForSafety => ("safety", phrases::SAFETY),
        Hint::SayYesOrNoIsEnough => ("yes or no", phrases::YES_NO),
        Hint::SlowDown => ("ground", phrases::GROUND),
        Hint::AskWhoKnows
        | Hint::AskWhetherSafe
        | Hint::AskWhereTheyAre
        | Hint::AskAboutSuicide
        | Hint::AskWhetherHurt
        | Hint::AskAboutShelter
        | Hint::AskForASafeNumber => ("who knows", WHO_KNOWS),
    };
    (key.to_owned(), variants)
}

/// Whose number it tells.
pub(super) fn agency_of(hint: Hint) -> Option<Agency> {
    match hint {
        Hint::SayThePoliceNumber => Some(Agency::Spf),
        Hint::SayTheSuicideLine => Some(Agency::Sos),
        Hint::SayTheAbuseLine => Some(Agency::Navh),
        _ => None,
    }
}
