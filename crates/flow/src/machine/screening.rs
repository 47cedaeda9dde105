//! What a caller who only talks is asked straight, once each: what their words lean towards first,
//! then what everybody is asked, about suicide and about being hurt.
//!
//! Patterns know what somebody thought of, and people tell of danger in ways that nobody thought of.
//! So nobody is listened to for long without being asked. Crisis lines ask every caller about
//! suicide: asking does not plant the thought, and not asking misses it.

use super::{Machine, Move, Question, Route, Theme};
use crate::{
    Agency, TransferMode,
    reading::{Leaning, Reading, Relation, SURE, Signal, Topic, WORTH_ASKING},
};

/// Everybody is asked from this round of listening on; about suicide late, once and softly, unless
/// something leans there.
const SUICIDE_FROM: u32 = 3;
const HURT_FROM: u32 = 2;
const PUT_DOWN_FROM: u32 = 4;
/// What one reader hears and the other does not: no reason for a question, but beside a harm that was told.
const BARELY_HEARD: f32 = 0.45;
/// Whoever calls for somebody else is asked about them.
const OTHERS_FROM: u32 = 1;

impl Machine<'_> {
    /// Asks about the danger that the turn's words lean towards. Answers whether it did.
    pub(super) fn asks_of_danger(&mut self, reading: &Reading) -> bool {
        self.state.leant_to_suicide |= reading.leanings.contains(&Leaning::Suicide);
        let Some(question) = self.danger_leant_towards(reading) else {
            return false;
        };
        let theme = match question {
            Question::DangerNow => Theme::Afraid,
            Question::Suicidal => Theme::Low,
            _ => Theme::ForSomeoneElse,
        };
        self.moves.push(Move::Reflect(theme));
        self.ask(question);
        true
    }

    /// A wish to be elsewhere that was not told.
    pub(super) fn remember_hints_at_shelter(&mut self, reading: &Reading) {
        self.state.leant_to_shelter |= reading.leanings.contains(&Leaning::Shelter)
            || reading.asserts(Signal::ShelterWish, BARELY_HEARD).is_some();
    }

    /// "I don't want to be in this house when he comes back": whether they need a bed comes before whom else to bring in,
    /// for the one may be had tonight.
    pub(super) fn asks_of_shelter_first(&self) -> bool {
        let question = Question::NeedsShelter;
        self.state.leant_to_shelter
            && !self.state.was_asked(question)
            && !self.denied(question)
            && !self.told_already(question)
            && !self.hurt_somebody()
            && !self.worth_asking(Signal::ThirdParty)
    }

    /// "He counts every dollar", "if I tell, he posts the longer one": who is put down, frightened or kept short may be beaten as
    /// well; and who is held or hurt by somebody outside the home, touched. Each question is put once, before an
    /// agency is chosen by their age.
    pub(super) fn asks_of_more_first(&self) -> Option<Question> {
        let question = match self.relation() {
            Some(Relation::NotFamily) => Question::SexualHarm,
            _ => Question::HurtBefore,
        };
        let first = self.state.route.is_none() && self.state.transfers.is_empty();
        let asks = first
            && !self.state.was_asked(question)
            && !self.denied(question)
            && !self.told_already(question)
            && !self.hurt_somebody()
            && !self.worth_asking(Signal::ThirdParty);
        asks.then_some(question)
    }

    /// Whom else to bring in is settled; where they sleep may not be: "I must sleep at the balcony". Answers whether it asked.
    pub(super) fn asks_of_shelter_after_all(&mut self, reading: &Reading) -> bool {
        let cold = |route: &Route| route.mode == TransferMode::Cold && route.agency != Agency::Fsc;
        let leans = reading.leanings.contains(&Leaning::Shelter)
            || reading.asserts(Signal::ShelterWish, WORTH_ASKING).is_some();
        let asks = !self.state.transfers.is_empty()
            && self.state.transfers.iter().all(cold)
            && leans
            && self.asks_of_shelter_first();
        if asks {
            self.moves.push(Move::Reflect(Theme::General));
            self.ask(Question::NeedsShelter);
        }
        asks
    }

    /// What was told leant towards suicide too, and danger from others came first.
    pub(super) fn asks_of_suicide_next(&mut self, pending: Option<Question>) -> bool {
        let hinted = std::mem::take(&mut self.state.suicide_is_next);
        let leant = self.state.leant_to_suicide && !self.state.was_asked(Question::Suicidal);
        let next = match pending {
            Some(Question::DangerNow) => hinted || leant,
            Some(Question::OtherInDanger) => hinted && self.state.times_asked_of_suicide() < 2,
            _ => false,
        };
        if next {
            self.moves.push(Move::Reflect(Theme::Low));
            self.ask(Question::Suicidal);
        }
        next
    }

    /// "They held me and did stuff to me": before anything else that was done is taken up, and after the
    /// question whether it is going on.
    pub(super) fn asks_of_sexual_harm(&mut self) -> bool {
        let now = self.state.turns;
        let hinted = self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            s.signal == Signal::SexualAssault
                && !s.denied
                && !s.remote
                && noted.turn + 2 >= now
                && (WORTH_ASKING..SURE).contains(&s.confidence)
        });
        let told = self.told_already(Question::SexualHarm);
        if told || !hinted || self.state.was_asked(Question::SexualHarm) {
            return false;
        }
        self.moves.push(Move::Reflect(Theme::Afraid));
        self.ask(Question::SexualHarm);
        true
    }

    fn danger_leant_towards(&self, reading: &Reading) -> Option<Question> {
        let state = &*self.state;
        let told = |signal| reading.signals.iter().any(|s| s.signal == signal);
        let for_another = self.worth_asking(Signal::ThirdParty);
        let danger = if for_another {
            Question::OtherInDanger
        } else {
            Question::DangerNow
        };
        // That the caller is safe says nothing of the one they ring for.
        if grave(reading)
            && !self.was_on_an_earlier_day()
            && (for_another || state.safe_now != Some(true))
            && !state.was_asked(danger)
            && !told(Signal::ViolenceNow)
        {
            return Some(danger);
        }
        let need = reading.signals.iter().any(|s| {
            s.confidence >= WORTH_ASKING && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
        });
        // What only leans there is asked about once the caller has been listened to for a turn.
        (state.leant_to_suicide
            && state.turns > 1
            && !need
            && !for_another
            && !state.was_asked(Question::Suicidal)
            && !state.was_to_reach(Agency::Sos)
            && !told(Signal::SuicidalDirect)
            && !told(Signal::SuicidalIndirect))
        .then_some(Question::Suicidal)
    }

    /// The question to ask in place of an open one, if there is still one to ask.
    pub(super) fn screens(&self, reading: &Reading, theme: Theme, round: u32) -> Option<Question> {
        let state = &*self.state;
        let for_another = self.worth_asking(Signal::ThirdParty);
        let nothing_to_ask = !state.transfers.is_empty() || reading.topic == Some(Topic::Comfort);
        if nothing_to_ask {
            return None;
        }
        if self.hurt_somebody() {
            return (!state.was_asked(Question::Suicidal)).then_some(Question::Suicidal);
        }
        if for_another {
            return [Question::OtherInDanger, Question::OtherSuicidal]
                .into_iter()
                .filter(|_| round >= OTHERS_FROM)
                .find(|question| !state.was_asked(*question));
        }
        if self.suicide_is_due_again() {
            return Some(Question::Suicidal);
        }
        let open = |question: &Question| {
            (!state.was_asked(*question) || self.is_due_again(*question))
                && !self.denied(*question)
                && !self.told_already(*question)
        };
        let leans = [
            (Leaning::SexualHarm, Question::SexualHarm),
            (Leaning::Shelter, Question::NeedsShelter),
            (Leaning::Hurt, Question::HurtBefore),
            (Leaning::PutDown, Question::PutDown),
        ]
        .into_iter()
        .filter(|(hint, question)| {
            reading.leanings.contains(hint)
                || reading
                    .signals
                    .iter()
                    .any(|s| s.confidence >= WORTH_ASKING && tells_of(s.signal) == Some(*question))
        })
        .map(|(_, question)| question);
        let may_be_hurt = matches!(
            theme,
            Theme::General
                | Theme::Afraid
                | Theme::Low
                | Theme::Lonely
                | Theme::Family
                | Theme::Relationship
                | Theme::Ashamed
        );
        let everybody = [
            (SUICIDE_FROM, true, Question::Suicidal),
            (HURT_FROM, may_be_hurt, Question::HurtBefore),
            (PUT_DOWN_FROM, may_be_hurt, Question::PutDown),
        ]
        .into_iter()
        .filter(|(from, fits, _)| round >= *from && *fits)
        .map(|(_, _, question)| question);
        let not_asked = |question: &Question| !state.was_asked(*question);
        leans.chain(everybody.filter(not_asked)).find(open)
    }

    /// "Do you need somewhere safe to stay?" - "The coffee is from eight o'clock.": where what is told later leans there, it is
    /// put once more.
    fn is_due_again(&self, question: Question) -> bool {
        const TURNS_BETWEEN: usize = 2;
        let left_open = self.state.left_open.get(&question);
        left_open.is_some_and(|at| self.state.turns > at + TURNS_BETWEEN)
            && self.state.times_asked(question) == 1
    }

    /// A bare yes to having been hurt says nothing of now.
    pub(super) fn hurt_perhaps_now(&self, reading: &Reading, pending: Option<Question>) -> bool {
        const BARE: usize = 3;
        pending == Some(Question::HurtBefore)
            && reading.answer.yes == Some(true)
            && reading.word_count <= BARE
            && !self.state.was_asked(Question::DangerNow)
    }

    /// Whether the caller has told, surely, what the question would ask.
    pub(super) fn told_already(&self, question: Question) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied && !s.remote && s.confidence >= SURE && tells_of(s.signal) == Some(question)
        })
    }

    pub(super) fn worth_asking(&self, signal: Signal) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            s.signal == signal && !s.denied && s.confidence >= WORTH_ASKING
        })
    }

    /// Whether the caller said of themselves that it is not so. Who says unasked that they are not suicidal has it on
    /// their mind, and is asked.
    fn denied(&self, question: Question) -> bool {
        let signals: &[Signal] = match question {
            Question::Suicidal => &[Signal::SuicidalDirect, Signal::SuicidalIndirect],
            Question::HurtBefore => &[Signal::PhysicalAbuse, Signal::DomesticViolence],
            Question::SexualHarm => &[Signal::SexualAssault],
            Question::NeedsShelter => &[Signal::ShelterWish],
            _ => &[],
        };
        self.state.signals.iter().any(|noted| {
            noted.heard.denied
                && signals.contains(&noted.heard.signal)
                && (noted.answers || question != Question::Suicidal)
        })
    }
}

/// Strangled, threatened or held at knife-point: it may not be over.
fn grave(reading: &Reading) -> bool {
    let of_self = [Signal::SuicidalDirect, Signal::SuicidalIndirect]
        .iter()
        .any(|signal| reading.asserts(*signal, WORTH_ASKING).is_some());
    !of_self
        && reading.signals.iter().any(|s| {
            !s.denied && !s.remote && s.confidence >= SURE && s.signal.is_lethality_marker()
        })
}

/// The question that a signal, if it were sure, would answer.
pub(super) fn tells_of(signal: Signal) -> Option<Question> {
    Some(match signal {
        Signal::SexualAssault => Question::SexualHarm,
        Signal::ShelterWish => Question::NeedsShelter,
        Signal::PhysicalAbuse
        | Signal::OwnViolence
        | Signal::DomesticViolence
        | Signal::Strangulation => Question::HurtBefore,
        Signal::EmotionalAbuse
        | Signal::PsychologicalAbuse
        | Signal::FinancialAbuse
        | Signal::Neglect => Question::PutDown,
        _ => return None,
    })
}
