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

#[cfg(test)]
mod tests {
    use flow::reading::{ALL_BUT_SURE, HeardSignal, SURE, WORTH_ASKING};
    use redact::Secret;

    use super::*;

    const ALL: [Doubt; 3] = [Doubt::DangerNow, Doubt::Suicide, Doubt::Need];

    /// How sure a signal is that was told beyond doubt, where the call speaks against these.
    fn doubted(signal: Signal, doubts: &[Doubt]) -> f32 {
        let words = Secret::new("as it was said".to_owned());
        let mut reading = Reading::unread(words.clone());
        reading.signals = vec![HeardSignal::told(signal, words, 0.99)];
        reading.doubts.extend(doubts);
        settle(&mut reading);
        reading.signals[0].confidence
    }

    #[test]
    fn what_is_doubted_is_asked_about_and_never_passed_over() {
        for signal in [
            Signal::SuicidalDirect,
            Signal::ViolenceNow,
            Signal::PhysicalAbuse,
            Signal::SexualAssault,
            Signal::ShelterWish,
            Signal::Neglect,
            Signal::Strangulation,
        ] {
            assert!(doubted(signal, &[]) >= SURE, "{signal:?}");
            let left = doubted(signal, &ALL);
            assert!((WORTH_ASKING..SURE).contains(&left), "{signal:?}: {left}");
        }
        // With next to no doubt of either: left unanswered twice, it is acted on.
        assert!(doubted(Signal::SuicidalDirect, &ALL) >= ALL_BUT_SURE);
        assert!(doubted(Signal::ViolenceNow, &ALL) >= ALL_BUT_SURE);
    }

    #[test]
    fn each_doubt_is_of_its_own_and_an_injury_waits_for_no_question() {
        assert!(doubted(Signal::SuicidalDirect, &[Doubt::DangerNow, Doubt::Need]) >= SURE);
        assert!(doubted(Signal::ViolenceNow, &[Doubt::Suicide, Doubt::Need]) >= SURE);
        assert!(doubted(Signal::PhysicalAbuse, &[Doubt::DangerNow, Doubt::Suicide]) >= SURE);
        assert!(doubted(Signal::Strangulation, &[Doubt::Need]) >= SURE);
        for signal in [
            Signal::OverdoseNow,
            Signal::SelfHarmNow,
            Signal::Injury,
            Signal::Weapon,
        ] {
            assert!(doubted(signal, &ALL) >= SURE, "{signal:?}");
        }
    }
}
