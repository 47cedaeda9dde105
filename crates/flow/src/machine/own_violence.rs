//! The caller as the one who hurt somebody: who may be hurt next comes first, and nobody tells them that it was done to
//! them. Who was hurt before, and hit back, is no such caller.

use super::{Machine, Move, Question, Theme};
use crate::reading::{HeardSignal, Reading, Relation, SURE, Signal, WORTH_ASKING};

impl Machine<'_> {
    /// By the caller's own account, and not long ago. Who was hurt, and means to, has hurt nobody.
    pub(super) fn hurt_somebody(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            s.signal == Signal::OwnViolence
                && !s.denied
                && !s.remote
                && s.confidence >= SURE
                && !(s.to_come && self.was_hurt())
        })
    }

    fn was_hurt(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            is_of_blows(s.signal) && !s.denied && !s.of_others && s.confidence >= SURE
        })
    }

    /// A turn's signal as it is kept: blows that the caller deals are told of another, and who was hurt before deals none.
    pub(super) fn as_told_by(&self, heard: &HeardSignal, reading: &Reading) -> Option<HeardSignal> {
        let mut heard = heard.clone();
        if self.was_hurt() {
            let given_back = heard.signal == Signal::OwnViolence && !heard.to_come;
            return (!given_back).then_some(heard);
        }
        let dealt = reading.asserts(Signal::OwnViolence, SURE).is_some() || self.hurt_somebody();
        heard.of_others |= dealt && is_of_blows(heard.signal);
        Some(heard)
    }

    /// "I pushed her, she fell." - "She's bleeding.": whoever they hurt needs help now.
    pub(super) fn left_somebody_injured(&self, reading: &Reading) -> bool {
        self.hurt_somebody() && reading.asserts(Signal::Injury, SURE).is_some()
    }

    /// "Is someone being hurt there?" - "I'm going to put it in him.": no no, and as much as a yes.
    pub(super) fn is_about_to_hurt_somebody(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        matches!(pending, Some(Question::OtherInDanger | Question::DangerNow))
            && reading
                .asserts(Signal::OwnViolence, WORTH_ASKING)
                .is_some_and(|told| {
                    // "No, not yet. But I'm going to put the knife in him."
                    let is_no = reading.answer.yes == Some(false) && told.confidence < SURE;
                    !told.remote && told.to_come && !is_no
                })
    }

    /// Whether anybody is being hurt there, once. Answers whether it asked.
    pub(super) fn asks_after_own_violence(&mut self, reading: &Reading) -> bool {
        // "I'm going to kill my brother" is asked about too, though brothers say it.
        let told = reading.asserts(Signal::OwnViolence, WORTH_ASKING);
        let done_lately = self.hurt_somebody()
            && !self.was_on_an_earlier_day()
            && self.state.transfers.is_empty();
        let asks = told.is_some_and(|told| {
            !told.remote && (done_lately || told.to_come && !self.handed_reach_police())
        }) && !self.state.was_asked(Question::OtherInDanger);
        if asks {
            // "I'm going to finish him, then it's over for me too": asked about next.
            self.state.suicide_is_next |= [Signal::SuicidalDirect, Signal::SuicidalIndirect]
                .into_iter()
                .any(|signal| reading.asserts(signal, WORTH_ASKING).is_some());
            self.moves.push(Move::Reflect(Theme::OwnDoing));
            self.ask(Question::OtherInDanger);
        }
        asks
    }

    /// What the one they hurt is to them.
    pub(super) fn relation_to_the_hurt(&self) -> Option<Relation> {
        let person = self.state.person.as_ref();
        self.state.hurt.or(person.map(|person| person.relation))
    }
}

fn is_of_blows(signal: Signal) -> bool {
    matches!(
        signal,
        Signal::PhysicalAbuse
            | Signal::DomesticViolence
            | Signal::Strangulation
            | Signal::Weapon
            | Signal::ThreatToKill
    )
}
