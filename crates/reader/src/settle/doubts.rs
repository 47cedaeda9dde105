//! What the call as a whole speaks against is asked about before it is acted on, however surely one turn tells of it.

use flow::reading::{Doubt, Reading, Signal};

use super::gravity::{ASK_ONCE, ASK_SURELY};

pub(super) fn settle(reading: &mut Reading) {
    for heard in &mut reading.signals {
        let (doubts, most): (&[Doubt], f32) = match heard.signal {
            Signal::SuicidalDirect => (&[Doubt::Suicide], ASK_ONCE),
            Signal::ViolenceNow => (&[Doubt::DangerNow], ASK_ONCE),
            signal if signal.is_abuse() || signal == Signal::ShelterWish => {
                (&[Doubt::Need], ASK_SURELY)
            }
            // No question of the flow would confirm these, and they make a case urgent.
            Signal::Strangulation | Signal::ThreatToKill => {
                (&[Doubt::DangerNow, Doubt::Need], ASK_SURELY)
            }
            _ => continue,
        };
        let doubted = doubts.iter().all(|doubt| reading.doubts.contains(doubt));
        if doubted && !heard.denied {
            heard.confidence = heard.confidence.min(most);
        }
    }
}
