//! What the call as a whole speaks against is asked about before it is acted on, however surely one turn tells of it.

use flow::Question;
use flow::reading::{Doubt, Reading, Signal};

use super::gravity::{ASK_ONCE, ASK_SURELY};

pub(super) fn settle(reading: &mut Reading, question: Option<Question>) {
    let asked = |questions: &[Question]| question.is_some_and(|asked| questions.contains(&asked));
    // "No. I don't know. I want to kill myself.": plain words beside a no are none.
    let beside_a_no = reading.answer.yes == Some(false);
    for heard in &mut reading.signals {
        let (doubt, most, questions): (_, _, &[Question]) = match heard.signal {
            Signal::SuicidalDirect => (
                Doubt::Suicide,
                ASK_ONCE,
                &[Question::Suicidal, Question::OtherSuicidal],
            ),
            Signal::ViolenceNow => (
                Doubt::DangerNow,
                ASK_ONCE,
                &[Question::DangerNow, Question::OtherInDanger],
            ),
            signal if signal.is_abuse() || signal == Signal::ShelterWish => {
                (Doubt::Need, ASK_SURELY, &[])
            }
            _ => continue,
        };
        // Of somebody else it is asked once at most.
        let doubted = reading.doubts.contains(&doubt) && !heard.of_others;
        if doubted && !heard.denied && !(beside_a_no && asked(questions)) {
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

    fn told(signal: Signal, doubts: &[Doubt]) -> Reading {
        let words = Secret::new("as it was said".to_owned());
        let mut reading = Reading::unread(words.clone());
        reading.signals = vec![HeardSignal::told(signal, words, 0.99)];
        reading.doubts.extend(doubts);
        reading
    }

    /// How sure a signal is that was told beyond doubt, where the call speaks against these.
    fn doubted(signal: Signal, doubts: &[Doubt]) -> f32 {
        let mut reading = told(signal, doubts);
        settle(&mut reading, None);
        reading.signals[0].confidence
    }

    #[test]
    fn what_is_doubted_is_asked_about() {
        for signal in [
            Signal::SuicidalDirect,
            Signal::ViolenceNow,
            Signal::PhysicalAbuse,
            Signal::SexualAssault,
            Signal::ShelterWish,
            Signal::Neglect,
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
    fn each_doubt_is_of_its_own_and_what_marks_a_danger_to_life_is_not_doubted() {
        assert!(doubted(Signal::SuicidalDirect, &[Doubt::DangerNow, Doubt::Need]) >= SURE);
        assert!(doubted(Signal::ViolenceNow, &[Doubt::Suicide, Doubt::Need]) >= SURE);
        assert!(doubted(Signal::PhysicalAbuse, &[Doubt::DangerNow, Doubt::Suicide]) >= SURE);
        for signal in [
            Signal::OverdoseNow,
            Signal::SelfHarmNow,
            Signal::Injury,
            Signal::Weapon,
            Signal::Strangulation,
            Signal::ThreatToKill,
        ] {
            assert!(doubted(signal, &ALL) >= SURE, "{signal:?}");
        }
    }

    #[test]
    fn plain_words_beside_a_no_and_of_somebody_else_are_as_sure_as_they_are() {
        for (signal, question) in [
            (Signal::SuicidalDirect, Question::Suicidal),
            (Signal::ViolenceNow, Question::DangerNow),
        ] {
            let mut reading = told(signal, &ALL);
            reading.answer.yes = Some(false);
            settle(&mut reading, Some(question));
            assert!(reading.signals[0].confidence >= SURE, "{signal:?}");

            let mut reading = told(signal, &ALL);
            reading.signals[0].of_others = true;
            settle(&mut reading, None);
            assert!(reading.signals[0].confidence >= SURE, "{signal:?}");
        }
    }
}
