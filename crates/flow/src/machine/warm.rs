//! The warm transfers: SOS at once, SPF by steps 2 to 5.

use super::{Machine, Move, Question, Refused, Route, Theme, over::Over, state::Once};
use crate::{
    Agency, EndReason, TransferMode,
    reading::{Doubt, Reading, SURE, Signal},
};

const POLICE: Route = Route {
    agency: Agency::Spf,
    mode: TransferMode::Warm,
};
const SAMARITANS: Route = Route {
    agency: Agency::Sos,
    mode: TransferMode::Warm,
};

impl Machine<'_> {
    pub(super) fn in_police_path(&self) -> bool {
        self.state.route == Some(POLICE)
    }

    pub(super) fn handed_reach_police(&self) -> bool {
        self.state.was_connected_to(Agency::Spf)
    }

    /// Suicidal signs: look up, say so, connect. Nothing is asked first.
    pub(super) fn reach_samaritans(&mut self, reading: &Reading) {
        if !self.state.may_be_connected() {
            return self.ring_this_yourself(Agency::Sos, reading);
        }
        self.moves.push(Move::Reflect(Theme::Suicidal));
        self.ambulance_if_needed(reading);
        if self.worth_asking(Signal::ViolenceNow) {
            self.moves.push(Move::PoliceNumber);
        }
        if let Some(entry) = self.look_up(&redact::Secret::new("suicide support now".to_owned())) {
            self.moves.push(Move::LookUp(entry.clone()));
            self.moves.push(Move::Inform(entry));
        }
        self.state.route = Some(SAMARITANS);
        self.connect();
    }

    /// Violence now: step 2, unless the caller has already said that talking is not safe.
    pub(super) fn reach_police(&mut self, reading: &Reading, pending: Option<Question>) {
        if !self.state.may_be_connected() {
            return self.ring_this_yourself(Agency::Spf, reading);
        }
        self.state.route_before_police = self.state.route.filter(|route| *route != POLICE);
        let of_the_route = pending.filter(|question| !question.makes_sure());
        if self.state.route_before_police.is_some() && of_the_route.is_some() {
            self.state.interrupted = of_the_route;
        }
        self.state.route = Some(POLICE);
        if self.state.asked_on_a_hint.remove(&Question::Address) {
            // The police are to have it as exactly as the caller can say it.
            self.state.asked.remove(&Question::Address);
        }
        self.moves.push(Move::Reflect(Theme::Danger));
        self.ambulance_if_needed(reading);
        self.suicide_number_if_needed(reading, pending);
        // Two questions about safety are as many as a frightened person should have to answer.
        let asked = [
            Question::SafeToTalk,
            Question::DangerNow,
            Question::OtherInDanger,
        ]
        .into_iter()
        .any(|question| self.state.was_asked(question));
        if self.state.safe_to_talk == Some(false) || asked {
            return self.next_for_police(reading);
        }
        self.ask(Question::SafeToTalk);
    }

    /// An answer on the way to the police.
    pub(super) fn police_answer(&mut self, reading: &Reading, pending: Option<Question>) {
        self.ambulance_if_needed(reading);
        self.suicide_number_if_needed(reading, pending);
        if reading.asserts(Signal::Goodbye, SURE).is_some() && reading.word_count <= 14 {
            return self.connect();
        }
        if let Some(question) = pending
            && matches!(
                question,
                Question::Name | Question::Address | Question::SafeToTalk
            )
            && reading.answer.say_again
            && reading.name.is_none()
            && reading.place.is_none()
            && self.state.times_asked(question) < 2
        {
            return self.ask(question);
        }
        if let Some(over) = self.is_over(reading, pending) {
            if over == Over::Unlikely && reading.doubts.contains(&Doubt::Need) {
                self.moves.push(Move::Acknowledge);
                self.forget_need();
                return self.ask(Question::Open);
            }
            self.forget_danger(over);
            return self.answer(reading, pending);
        }
        if self.was_none_after_all(reading, pending) {
            self.moves.push(Move::Acknowledge);
            self.forget_need();
            return self.ask(Question::Open);
        }
        if self.may_have_been_play(reading, pending) {
            self.acknowledge();
            return self.ask(Question::DangerNow);
        }
        let over = self
            .may_be_over(reading, pending)
            .or_else(|| self.tells_of_no_danger(reading, pending))
            .or_else(|| self.is_unlikely(reading, pending));
        if let Some(over) = over {
            self.state.asked_whether_over = Some(over);
            self.acknowledge();
            return self.ask(match self.done_to_another() {
                true => Question::OtherInDanger,
                false => Question::DangerNow,
            });
        }
        if reading.asserts(Signal::AsksIfHuman, SURE).is_some() {
            self.moves.push(Move::SayIsAi);
        }
        let refused_now = match pending {
            Some(Question::Name) => self.state.refused.contains(&Refused::Name),
            Some(Question::Address) => self.state.refused.contains(&Refused::Location),
            Some(Question::IncidentTime) => self.state.refused.contains(&Refused::Incident),
            _ => false,
        };
        if refused_now {
            self.moves.push(Move::RespectRefusal);
        } else if pending == Some(Question::Account) {
            self.moves.push(Move::Reflect(Theme::Danger));
        } else if pending.is_some() {
            self.acknowledge();
        }
        self.next_for_police(reading);
    }

    /// Steps 3, 4 and 5, each question once; then connect.
    fn next_for_police(&mut self, reading: &Reading) {
        let state = &*self.state;
        let open = |question| !state.was_asked(question);
        let safe = state.safe_to_talk == Some(true);
        let next = if open(Question::Name)
            && state.name.is_none()
            && !state.refused.contains(&Refused::Name)
        {
            Some(Question::Name)
        } else if open(Question::Address)
            && !state.can_be_sent_to()
            && !state.refused.contains(&Refused::Location)
        {
            Some(Question::Address)
        } else if safe && open(Question::Account) {
            Some(Question::Account)
        } else if safe
            && open(Question::IncidentTime)
            && state.incident.is_none()
            && !state.refused.contains(&Refused::Incident)
        {
            Some(Question::IncidentTime)
        } else {
            None
        };
        match next {
            // Talking has become dangerous, or help is late: what is known is enough.
            Some(Question::Account | Question::IncidentTime)
                if reading.asserts(Signal::NotSafeToTalk, SURE).is_some() =>
            {
                self.connect();
            }
            Some(question) => self.ask(question),
            None => self.connect(),
        }
    }

    /// Says that the caller is being connected, then leaves silently.
    pub(super) fn connect(&mut self) {
        let Some(route) = self.state.route else {
            return;
        };
        if route.mode == TransferMode::Warm && self.state.said.insert(Once::Ambulance) {
            self.moves.push(Move::AmbulanceToo);
        }
        self.moves.push(Move::Connect(route.agency));
        self.moves.push(Move::Transfer(route.mode, route.agency));
        self.moves.push(Move::EndAfterTransfer);
        self.state.transfers.push(route);
        self.state.ended = Some(EndReason::Forwarded);
        self.state.pending = None;
    }

    pub(super) fn speaks_of_dying(&self) -> bool {
        self.worth_asking(Signal::SuicidalDirect) || self.worth_asking(Signal::SuicidalIndirect)
    }

    /// Who is being hurt and speaks of dying goes to the police, and hears whom else to ring.
    fn suicide_number_if_needed(&mut self, reading: &Reading, pending: Option<Question>) {
        let speaks_of_dying = self.speaks_of_dying() || self.suicidal(reading, pending);
        if speaks_of_dying && self.state.said.insert(Once::SuicideNumber) {
            self.moves.push(Move::SuicideNumber);
        }
    }

    pub(super) fn ambulance_if_needed(&mut self, reading: &Reading) {
        let hurt = [Signal::OverdoseNow, Signal::SelfHarmNow, Signal::Injury]
            .iter()
            .any(|signal| {
                reading
                    .signals
                    .iter()
                    .any(|s| s.signal == *signal && !s.denied && !s.remote && s.confidence >= SURE)
            });
        if hurt && self.state.said.insert(Once::Ambulance) {
            self.moves.push(Move::Ambulance);
        }
    }
}
