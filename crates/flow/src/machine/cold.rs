//! The cold transfers: which agency, consent, what is missing, and what comes after.

use std::collections::BTreeMap;

use super::{Machine, Move, Noted, Question, Refused, Route, Theme, state::Once};
use crate::{
    Agency, TransferMode,
    reading::{Doubt, NEARLY_SURE, Reading, Relation, SURE, Signal, WORTH_ASKING},
};

/// A need is as good as told in turns that add up to this: two for what was told nearly surely, one for a hint.
const AS_GOOD_AS_TOLD: u32 = 3;

/// What calls for a cold transfer, in the specification's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Shelter,
    Sexual,
    Domestic,
    OtherAbuse,
}

impl Need {
    /// What tells of it.
    fn told_by(self) -> &'static [Signal] {
        match self {
            Need::Shelter => &[Signal::ShelterWish],
            Need::Sexual => &[Signal::SexualAssault],
            Need::Domestic => &[
                Signal::PhysicalAbuse,
                Signal::OwnViolence,
                Signal::DomesticViolence,
                Signal::Strangulation,
            ],
            Need::OtherAbuse => &[
                Signal::EmotionalAbuse,
                Signal::PsychologicalAbuse,
                Signal::FinancialAbuse,
                Signal::Neglect,
            ],
        }
    }
}

impl Machine<'_> {
    /// Takes up the gravest need heard so far, if it is not already being seen to. Answers whether
    /// it did.
    pub(super) fn takes_up_need(&mut self, pending: Option<Question>) -> bool {
        // Who does not want their case shared is not asked again, for whichever agency; nor is who needs somebody now.
        if !self.state.declined.is_empty() || self.in_need_of_somebody_now() {
            self.notes_a_graver_need();
            return false;
        }
        let Some(need) = self.need() else {
            return self.asks_who_of_a_doubted_yes(pending);
        };
        // "Yes, tell them. But the agent scolds me too.": a lesser need ends no way to an agency that was named.
        if need == Need::OtherAbuse && self.is_on_the_way_for_more() {
            return false;
        }
        let (agency, question) = self.agency_for(need);
        let question = match need {
            Need::OtherAbuse => self.asks_of_more_first().or(question),
            _ => question,
        };
        if let Some(question) = question {
            // Whether there was more was asked with a reflection already.
            let reflected = need == Need::OtherAbuse
                && matches!(pending, Some(Question::HurtBefore | Question::SexualHarm));
            self.moves.push(match reflected {
                true => Move::Acknowledge,
                false => Move::Reflect(self.theme_of(need)),
            });
            self.ask(question);
            return true;
        }
        let Some(agency) = agency else { return false };
        if self.state.stood_in_for == Some(agency) {
            return false;
        }
        let graver = self
            .state
            .route
            .is_none_or(|route| route.agency != agency && rank(agency) < rank(route.agency));
        let settled = self.state.declined.contains(&agency)
            || self
                .state
                .transfers
                .iter()
                .any(|route| rank(route.agency) <= rank(agency));
        if !graver && self.state.route.is_some_and(|route| route.agency != agency) || settled {
            return false;
        }
        if self.state.route.is_some_and(|route| route.agency == agency)
            && (self.state.consented || self.state.was_asked(Question::Consent))
        {
            return false;
        }
        // The question that chose the agency followed a reflection already.
        let reflected = matches!(
            pending,
            Some(
                Question::Age
                    | Question::EighteenOrUnder
                    | Question::Abuser
                    | Question::BySpouse
                    | Question::NeedsShelter
            )
        );
        self.moves.push(match (reflected, need) {
            (true, _) if self.refused_just_now(pending) => Move::RespectRefusal,
            (true, Need::Domestic | Need::OtherAbuse) => Move::Acknowledge,
            _ => Move::Reflect(self.theme_of(need)),
        });
        let at_home = matches!(need, Need::Domestic | Need::OtherAbuse);
        if at_home && self.state.route.is_none() && self.asks_of_shelter_first() {
            self.ask(Question::NeedsShelter);
            return true;
        }
        self.state.route = Some(Route {
            agency,
            mode: TransferMode::Cold,
        });
        self.state.consented = false;
        self.state.asked.remove(&Question::Consent);
        self.ask(Question::Consent);
        true
    }

    /// The caller was asked for, or has given, consent to an agency for something graver than words or money.
    fn is_on_the_way_for_more(&self) -> bool {
        self.state.route.is_some_and(|route| {
            route.mode == TransferMode::Cold
                && !self.state.transfers.contains(&route)
                && rank(route.agency) < rank(Agency::Aps)
        })
    }

    /// "No, don't tell anybody." - "He kick me here.": whoever rings back later is to know which agency it is, and nobody is
    /// asked again.
    fn notes_a_graver_need(&mut self) {
        let (Some(route), true) = (self.state.route, self.state.transfers.is_empty()) else {
            return;
        };
        // "Do you need somewhere safe to stay?" - "Yeah, I've got hall.": a yes to what everybody is asked is no graver need.
        let need = self
            .need()
            .filter(|need| *need != Need::Shelter || self.told_unasked(Signal::ShelterWish));
        let agency = need.and_then(|need| self.agency_for(need).0);
        if let Some(agency) = agency
            && route.mode == TransferMode::Cold
            && self.state.declined.contains(&route.agency)
            && rank(agency) < rank(route.agency)
        {
            self.state.route = Some(Route { agency, ..route });
            self.state.declined.insert(agency);
            self.state.noted_after_a_no = Some(agency);
        }
    }

    /// "Has someone close to you been hitting or hurting you?" - "Yes.": of whom nobody would think that they need anything. Who it was is asked
    /// before it is taken up or let go. Answers whether it asked.
    fn asks_who_of_a_doubted_yes(&mut self, pending: Option<Question>) -> bool {
        // Whether it goes on comes first.
        let turns_ago = match pending {
            Some(Question::HurtBefore) => 1,
            Some(Question::DangerNow) => 2,
            _ => return false,
        };
        let yes = self.turn_of_the_yes_to_blows();
        let asks = self.state.doubts.contains(&Doubt::Need)
            && yes.is_some_and(|turn| turn + turns_ago == self.state.turns)
            && self.state.route.is_none()
            && self.state.transfers.is_empty()
            && !self.state.was_asked(Question::Abuser)
            && !self.state.was_asked(Question::BySpouse)
            && !self.hurt_somebody();
        if asks {
            self.moves.push(Move::Acknowledge);
            self.ask(match self.state.whisper {
                true => Question::BySpouse,
                false => Question::Abuser,
            });
        }
        asks
    }

    fn turn_of_the_yes_to_blows(&self) -> Option<usize> {
        let yes = |noted: &&Noted| {
            noted.answers && !noted.heard.denied && noted.heard.signal == Signal::PhysicalAbuse
        };
        self.state.signals.iter().rev().find(yes).map(|it| it.turn)
    }

    /// Somebody of the family, with the yes to having been hit or after it: what a film or a game tells of has nobody.
    fn named_who_did_it(&self) -> bool {
        let family = [Relation::Spouse, Relation::Partner, Relation::Family];
        let yes = self.turn_of_the_yes_to_blows();
        self.state.abuser.as_ref().is_some_and(|known| {
            family.contains(&known.heard.value) && yes.is_some_and(|turn| known.turn >= turn)
        })
    }

    fn told_unasked(&self, signal: Signal) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            s.signal == signal && !s.denied && !noted.answers && s.confidence >= WORTH_ASKING
        })
    }

    /// The caller agrees to be helped with it. What hints alone added up to stands in the note from then on.
    fn agrees(&mut self) {
        self.state.consented = true;
        let Some(need) = self.need() else { return };
        let told = |noted: &Noted, from: f32| {
            let s = &noted.heard;
            need.told_by().contains(&s.signal) && !s.denied && s.confidence >= from
        };
        if self.state.signals.iter().any(|noted| told(noted, SURE)) {
            return;
        }
        for noted in &mut self.state.signals {
            if told(noted, WORTH_ASKING) {
                noted.heard.confidence = SURE;
            }
        }
    }

    fn refused_just_now(&self, pending: Option<Question>) -> bool {
        pending == Some(Question::Age) && self.state.refused.contains(&Refused::Age)
    }

    /// The gravest need in all that was said, whole or in several hints; where the call as a whole speaks against any, in several
    /// turns only. Words that threaten bring nobody a second agency.
    fn need(&self) -> Option<Need> {
        let doubted = self.state.doubts.contains(&Doubt::Need);
        let heard = |signals: &[Signal], long_ago_too: bool| {
            let hits = self.state.signals.iter().filter(|noted| {
                let s = &noted.heard;
                signals.contains(&s.signal) && !s.denied && (long_ago_too || !s.remote)
            });
            // By turn.
            let mut hints = BTreeMap::new();
            for noted in hits {
                if noted.heard.confidence >= SURE && !doubted {
                    return true;
                }
                let worth = match noted.heard.confidence {
                    nearly if nearly >= NEARLY_SURE => 2,
                    hint if hint >= WORTH_ASKING => 1,
                    _ => 0,
                };
                let of_turn = hints.entry(noted.turn).or_insert(0);
                *of_turn = worth.max(*of_turn);
            }
            let named =
                signals == Need::Domestic.told_by() && !hints.is_empty() && self.named_who_did_it();
            hints.values().sum::<u32>() + u32::from(named) >= AS_GOOD_AS_TOLD
        };
        if heard(Need::Shelter.told_by(), false) {
            Some(Need::Shelter)
        } else if heard(Need::Sexual.told_by(), true) {
            Some(Need::Sexual)
        } else if heard(Need::Domestic.told_by(), false)
            || self.state.transfers.is_empty() && heard(&[Signal::ThreatToKill], false)
        {
            Some(
                if (self.relation() == Some(Relation::NotFamily)
                    && !self.only_guesses_at_the_doer()
                    || self.is_known_to_who_sees_to_other_abuse()
                        && self.asked_in_vain_who_does_it())
                    && !self.done_to_another()
                    && !self.hurt_somebody()
                {
                    Need::OtherAbuse
                } else {
                    Need::Domestic
                },
            )
        } else if !self.hurt_somebody() && heard(Need::OtherAbuse.told_by(), false) {
            Some(Need::OtherAbuse)
        } else {
            None
        }
    }

    /// A warm transfer was begun, whether or not it reached somebody.
    fn in_need_of_somebody_now(&self) -> bool {
        let warm = |route: &Route| route.mode == TransferMode::Warm;
        self.state.transfers.iter().any(warm)
    }

    /// What was told was done to somebody else: the caller's age says nothing of it.
    pub(super) fn done_to_another(&self) -> bool {
        let mut blows = self
            .state
            .signals
            .iter()
            .map(|noted| &noted.heard)
            .filter(|s| {
                !s.denied
                    && s.confidence >= SURE
                    && matches!(s.signal, Signal::PhysicalAbuse | Signal::ViolenceNow)
            })
            .peekable();
        blows.peek().is_some() && blows.all(|s| s.of_others)
    }

    /// "I'm sorry you were hurt" is not for who calls about somebody that was.
    pub(super) fn speaks_for_the_hurt(&self) -> bool {
        self.done_to_another() && self.told_from(&[Signal::ThirdParty], SURE)
    }

    /// The agency, or the one question that is needed to choose it.
    fn agency_for(&self, need: Need) -> (Option<Agency>, Option<Question>) {
        match need {
            Need::Sexual => (Some(Agency::Sacc), None),
            Need::Shelter => (Some(Agency::Fsc), None),
            Need::Domestic if self.hurt_somebody() => match self.relation_to_the_hurt() {
                Some(Relation::Spouse) => (Some(Agency::Dvert), None),
                _ => (Some(Agency::Pave), None),
            },
            Need::Domestic => match self.relation().filter(|_| !self.only_guesses_at_the_doer()) {
                Some(Relation::Spouse) => (Some(Agency::Dvert), None),
                Some(Relation::Family | Relation::NotFamily) => (Some(Agency::Pave), None),
                Some(Relation::Partner) | None => {
                    let question = if self.state.whisper {
                        Question::BySpouse
                    } else {
                        Question::Abuser
                    };
                    if self.state.was_asked(Question::Abuser)
                        || self.state.was_asked(Question::BySpouse)
                    {
                        (Some(Agency::Pave), None)
                    } else {
                        (None, Some(question))
                    }
                }
            },
            Need::OtherAbuse => match &self.state.age {
                Some(age) if age.heard.value.is_eighteen_or_under() => (Some(Agency::Cps), None),
                Some(_) => (Some(Agency::Aps), None),
                None if self.state.refused.contains(&Refused::Age)
                    || self.state.was_asked(Question::EighteenOrUnder) =>
                {
                    (Some(Agency::Navh), None)
                }
                // An age that was not understood is asked for in a way that a yes or a no answers.
                None if self.state.whisper || self.state.was_asked(Question::Age) => {
                    (None, Some(Question::EighteenOrUnder))
                }
                None => (None, Some(Question::Age)),
            },
        }
    }

    /// "He use the walking stick": nobody was named, and one reader takes him for somebody outside the family; or who sees to
    /// "they make fun of me" knows of it already, and "they pushed me into the pond" may be theirs too.
    fn only_guesses_at_the_doer(&self) -> bool {
        let known_to_others = self.is_known_to_who_sees_to_other_abuse();
        let guess = self.state.abuser.as_ref().is_some_and(|abuser| {
            abuser.heard.confidence < SURE
                && (abuser.heard.value == Relation::NotFamily || known_to_others)
        });
        guess
            && !self.state.was_asked(Question::Abuser)
            && !self.state.was_asked(Question::BySpouse)
    }

    fn is_known_to_who_sees_to_other_abuse(&self) -> bool {
        let by_age = |agency| matches!(agency, Agency::Cps | Agency::Aps | Agency::Navh);
        self.state
            .transfers
            .iter()
            .any(|route| by_age(route.agency))
    }

    /// "My sous chef": asked, and nobody who is known by the name.
    fn asked_in_vain_who_does_it(&self) -> bool {
        let sure = |abuser: &super::Known<Relation>| abuser.heard.confidence >= SURE;
        self.state.was_asked(Question::Abuser)
            && self.relation() != Some(Relation::Spouse)
            && !self.state.abuser.as_ref().is_some_and(sure)
    }

    /// What the one who does harm is to the caller, marriage taken into account.
    pub(super) fn relation(&self) -> Option<Relation> {
        let relation = self.state.abuser.as_ref().map(|abuser| abuser.heard.value);
        match (relation, self.state.married) {
            (None | Some(Relation::Partner), Some(true)) => Some(Relation::Spouse),
            (Some(Relation::Partner), Some(false)) => Some(Relation::Family),
            (relation, _) => relation,
        }
    }

    fn theme_of(&self, need: Need) -> Theme {
        match need {
            Need::Sexual => Theme::Sexual,
            Need::Shelter => Theme::Shelter,
            Need::Domestic if self.hurt_somebody() => Theme::OwnDoing,
            Need::Domestic if self.speaks_for_the_hurt() => Theme::ForSomeoneElse,
            Need::Domestic => Theme::Hurt,
            Need::OtherAbuse => {
                let latest = self
                    .state
                    .signals
                    .iter()
                    .rev()
                    .find(|noted| !noted.heard.denied && noted.heard.signal.is_abuse());
                match latest.map(|noted| noted.heard.signal) {
                    Some(Signal::FinancialAbuse) => Theme::Money,
                    Some(Signal::PsychologicalAbuse) => Theme::Controlled,
                    Some(Signal::Neglect) => Theme::Neglected,
                    Some(Signal::PhysicalAbuse) => Theme::Hurt,
                    _ => Theme::PutDown,
                }
            }
        }
    }

    /// An answer while a cold transfer is being made.
    pub(super) fn cold_answer(&mut self, reading: &Reading, pending: Option<Question>) {
        let Some(route) = self.state.route else {
            return;
        };
        // Something graver was just said: it comes first.
        if self.takes_up_need(pending) {
            return;
        }
        self.ambulance_if_needed(reading);
        match pending {
            Some(Question::Consent) => match reading.answer.yes {
                // "Okay, if they don't tell them" is a yes.
                Some(true) => {
                    self.agrees();
                    // "All right, if you think they can find me a room."
                    let speaks_of_it = reading.asserts(Signal::ShelterWish, WORTH_ASKING).is_some();
                    if route.agency != Agency::Fsc && speaks_of_it && self.asks_of_shelter_first() {
                        self.state.interrupted = pending;
                        self.acknowledge();
                        return self.ask(Question::NeedsShelter);
                    }
                    self.next_missing(true);
                }
                // "Okay can, no wait, don't tell anybody": given and taken back at once.
                None if reading.answer.takes_back => self.shares_nothing(route),
                // What was not understood is no refusal: it is asked once more, and not pressed for.
                None if !reading.answer.refuses
                    && self.state.times_asked(Question::Consent) < 2 =>
                {
                    if tells_of_danger_or_fear(reading) {
                        self.moves.push(Move::Reflect(Theme::Afraid));
                    }
                    self.ask(Question::Consent);
                }
                // "My daughter says yes, so I also say yes": said twice, it is one.
                None if !reading.answer.refuses && reading.answer.leans_yes => {
                    self.agrees();
                    self.next_missing(true);
                }
                // "No need, it's my cat I mean": it was taken for something that it is not.
                _ if reading.answer.means_otherwise && !reading.answer.refuses => {
                    self.state.declined.insert(route.agency);
                    self.forget_need();
                    self.moves.push(Move::Acknowledge);
                    self.ask(Question::Open);
                }
                _ => self.shares_nothing(route),
            },
            Some(Question::Name)
                if self.state.refused.contains(&Refused::Name) && !reading.answer.takes_back =>
            {
                self.respect()
            }
            Some(Question::Address)
                if self.state.refused.contains(&Refused::Location)
                    && !reading.answer.takes_back =>
            {
                self.respect()
            }
            Some(Question::IncidentTime)
                if self.state.refused.contains(&Refused::Incident)
                    && !reading.answer.takes_back =>
            {
                self.respect()
            }
            Some(Question::SafeContact)
                if self.state.refused.contains(&Refused::Contact) && !reading.answer.takes_back =>
            {
                self.respect()
            }
            _ => {
                // Consent can be taken back.
                if reading.answer.takes_back {
                    self.state.consented = false;
                    return self.shares_nothing(route);
                }
                self.next_missing(true);
            }
        }
    }

    /// "Don't want. Tomorrow I go and ask myself.": answered, and danger is made sure of first. It is not asked again.
    pub(super) fn remember_consent(&mut self, reading: &Reading, pending: Option<Question>) {
        let Some(route) = self.state.route else {
            return;
        };
        if pending != Some(Question::Consent) {
            return;
        }
        match reading.answer.yes {
            Some(true) => self.agrees(),
            Some(false) if reading.answer.agreed || reading.answer.refuses => {
                self.state.declined.insert(route.agency);
            }
            _ => {}
        }
    }

    fn shares_nothing(&mut self, route: Route) {
        self.state.declined.insert(route.agency);
        self.moves.push(Move::NothingShared(route.agency));
        self.ask(Question::MoreSupport);
    }

    /// The danger asked about is not there: back to the question that was left open. Answers whether
    /// there was one.
    pub(super) fn resumes(&mut self, reading: &Reading) -> bool {
        let (Some(question), Some(route)) = (self.state.interrupted.take(), self.state.route)
        else {
            return false;
        };
        if self.state.transfers.contains(&route) {
            return false;
        }
        if self.takes_up_need(None) {
            return true;
        }
        match question {
            Question::Consent | Question::NeedsShelter if self.state.consented => {
                self.next_missing(true);
            }
            Question::Consent if self.state.declined.contains(&route.agency) => {
                self.shares_nothing(route);
            }
            // Twice without a yes, and never a third time.
            Question::Consent if self.state.times_asked(Question::Consent) >= 2 => {
                self.shares_nothing(route);
            }
            Question::Consent => {
                self.moves.push(Move::Acknowledge);
                self.ask(Question::Consent);
            }
            Question::Name | Question::Address | Question::IncidentTime | Question::SafeContact
                if self.state.consented =>
            {
                self.ambulance_if_needed(reading);
                self.next_missing(true);
            }
            _ => return false,
        }
        true
    }

    /// What was declined is wanted after all. Answers whether it is.
    pub(super) fn takes_up_what_was_declined(&mut self, reading: &Reading) -> bool {
        let declined = self.state.route.map(|route| route.agency);
        let declined = declined
            .filter(|agency| self.state.declined.contains(agency))
            .or(self.state.declined.last().copied());
        let (true, Some(agency)) = (reading.answer.wants_shared, declined) else {
            return false;
        };
        self.state.declined.clear();
        self.state.route = Some(Route {
            agency,
            mode: TransferMode::Cold,
        });
        if self.state.noted_after_a_no.take() == Some(agency) {
            // They agree to share it, and have not heard with whom.
            self.acknowledge();
            self.state.asked.remove(&Question::Consent);
            self.ask(Question::Consent);
            return true;
        }
        self.state.consented = true;
        self.next_missing(true);
        true
    }

    fn respect(&mut self) {
        self.moves.push(Move::RespectRefusal);
        self.next_missing(false);
    }

    /// Name, location, latest incident, how to be reached: what is missing, one at a time, each once.
    fn next_missing(&mut self, acknowledge: bool) {
        let Some(route) = self.state.route else {
            return;
        };
        let state = &*self.state;
        let open =
            |question, refusal| !state.was_asked(question) && !state.refused.contains(&refusal);
        let next = if state.name.is_none() && open(Question::Name, Refused::Name) {
            Some(Question::Name)
        } else if state.place.is_none() && open(Question::Address, Refused::Location) {
            Some(Question::Address)
        } else if state.incident.is_none() && open(Question::IncidentTime, Refused::Incident) {
            Some(Question::IncidentTime)
        } else if state.contact.is_none() && open(Question::SafeContact, Refused::Contact) {
            Some(Question::SafeContact)
        } else {
            None
        };
        match next {
            Some(question) => {
                if acknowledge {
                    self.acknowledge();
                }
                self.ask(question);
            }
            None => {
                self.pass_on(route.agency);
                self.ask(Question::MoreSupport);
            }
        }
    }

    pub(super) fn pass_on(&mut self, agency: Agency) {
        let route = Route {
            agency,
            mode: TransferMode::Cold,
        };
        self.moves.push(Move::PassedOn(agency));
        let no_number = self.state.call_back.is_none() || self.state.call_back_safe == Some(false);
        if self.state.contact.is_none() && no_number {
            self.moves.push(Move::NoWayToReach(agency));
        }
        self.bridges_the_night(agency);
        self.moves.push(Move::Transfer(TransferMode::Cold, agency));
        self.state.transfers.push(route);
        self.state.consented = false;
    }

    /// The next working day is far for who needs a bed tonight, or goes on living with the one who hurts them.
    fn bridges_the_night(&mut self, agency: Agency) {
        let shelter = "shelter".to_owned();
        if agency == Agency::Fsc && self.state.told.insert(shelter.clone()) {
            self.moves.push(Move::LookUp(shelter.clone()));
            self.moves.push(Move::Inform(shelter));
        } else if agency != Agency::Fsc && self.state.said.insert(Once::UntilThen) {
            self.moves.push(Move::UntilThen);
        }
    }

    /// After a transfer, or after it was declined: anything more?
    pub(super) fn more_support_answer(&mut self, reading: &Reading) {
        let pending = Some(Question::MoreSupport);
        if self.takes_up_what_was_declined(reading) || self.takes_up_need(pending) {
            return;
        }
        let thanks_only =
            reading.asserts(Signal::Thanks, WORTH_ASKING).is_some() && reading.word_count <= 8;
        let done = reading.answer.yes == Some(false) && reading.word_count <= 14;
        if done || thanks_only || reading.asserts(Signal::Goodbye, SURE).is_some() {
            self.moves.push(Move::Farewell);
            return self.end();
        }
        if self.asks_of_danger(reading) {
            return;
        }
        self.counsel(reading);
    }
}

/// "I don't know. Last month she held a knife to my stomach.": heard, before anything is asked again.
fn tells_of_danger_or_fear(reading: &Reading) -> bool {
    reading.signals.iter().any(|s| {
        let grave = s.signal.is_lethality_marker() || s.signal == Signal::Fear;
        grave && !s.denied && !s.remote && s.confidence >= SURE
    })
}

/// Of two agencies, the lower comes first.
fn rank(agency: Agency) -> u8 {
    match agency {
        Agency::Sos => 0,
        Agency::Spf => 1,
        Agency::Fsc => 2,
        Agency::Sacc => 3,
        Agency::Dvert | Agency::Pave => 4,
        Agency::Cps | Agency::Aps | Agency::Navh => 5,
    }
}
