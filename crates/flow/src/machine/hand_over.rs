//! While duty officers are rung for a warm transfer, while one is with the caller or has put them on hold, and where none
//! was reached.
//!
//! The ringing is not done here, nor timed: it is told by events. What the caller says meanwhile is taken in as
//! ever; nothing of the way to the agency is asked again.

use super::{HandOver, Machine, Move, Question, Refused, Route, Stands, State};
use crate::{
    Agency, EndReason, TransferMode, Unreached,
    reading::{Leave, Reading, SURE, Signal, WORTH_ASKING},
};

/// As many warm transfers a call may have.
const MOST_TRANSFERS: usize = 2;
/// A question is put once more at most, for a number that was not whole.
const MOST_ASKED: u32 = 2;

impl State {
    /// The warm transfer that ended the conversation is being rung for: it goes on.
    pub fn begin_hand_over(&mut self) {
        // Who held them is rung for anew where a process was lost with the hold.
        self.on_hold = false;
        let Some(transfer) = self.transfers.len().checked_sub(1) else {
            return;
        };
        let warm = self.transfers[transfer].mode == TransferMode::Warm;
        let begun = self.hand_overs.iter().any(|it| it.transfer == transfer);
        if warm && !begun && self.ended == Some(EndReason::Forwarded) {
            self.ended = None;
            self.hints.clear();
            self.hand_overs.push(HandOver {
                transfer,
                stands: Stands::Ringing,
                joined: false,
            });
        }
    }

    pub fn is_connecting(&self) -> bool {
        self.ended.is_none() && self.stands() == Some(Stands::Ringing)
    }

    pub fn is_with_officer(&self) -> bool {
        let joined = Some(Stands::Joined);
        self.ended.is_none() && (self.stands() == joined || self.taken_over == joined)
    }

    pub fn is_on_hold(&self) -> bool {
        self.on_hold && self.is_with_officer()
    }

    /// How the last transfer's hand-over stands; `None` where nobody was rung for it.
    pub fn stands(&self) -> Option<Stands> {
        self.last_hand_over().map(|it| it.stands)
    }

    pub fn last_hand_over(&self) -> Option<HandOver> {
        let last = self.transfers.len().checked_sub(1)?;
        let hand_over = self.hand_overs.last().copied();
        hand_over.filter(|it| it.transfer == last)
    }

    /// The hand-over that says where the caller is: the last transfer's; before a cold one, that in which nobody
    /// was reached.
    pub fn hand_over_that_counts(&self) -> Option<HandOver> {
        let last = self.transfers.last()?;
        let in_vain = || {
            let latest = self.hand_overs.last().copied();
            latest.filter(|it| it.stands != Stands::Joined)
        };
        match last.mode {
            TransferMode::Warm => self.last_hand_over(),
            TransferMode::Cold => in_vain(),
        }
    }

    /// The caller was handed on; not so where somebody could be rung and none was with the caller at the last.
    pub fn is_handed_over(&self) -> bool {
        let counts = self.hand_over_that_counts();
        !self.transfers.is_empty() && counts.is_none_or(|it| it.stands == Stands::Joined)
    }

    /// Duty officers were rung for this agency, at last in vain.
    fn reached_nobody(&self, agency: Agency) -> bool {
        let to_it = |it: &&HandOver| self.agency_of(it) == Some(agency);
        let last = self.hand_overs.iter().rfind(to_it);
        last.is_some_and(|it| matches!(it.stands, Stands::Unreached(_)))
    }

    /// The agency that a hand-over was for.
    pub fn agency_of(&self, hand_over: &HandOver) -> Option<Agency> {
        let route = self.transfers.get(hand_over.transfer);
        route.map(|route| route.agency)
    }

    pub fn was_connected_to(&self, agency: Agency) -> bool {
        self.was_to_reach(agency) && !self.reached_nobody(agency)
    }

    /// A warm transfer to this agency was begun.
    pub fn was_to_reach(&self, agency: Agency) -> bool {
        let warm = |route: &Route| route.mode == TransferMode::Warm && route.agency == agency;
        self.transfers.iter().any(warm)
    }

    pub fn may_be_connected(&self) -> bool {
        let warm = |route: &&Route| route.mode == TransferMode::Warm;
        self.transfers.iter().filter(warm).count() < MOST_TRANSFERS
    }

    /// Somebody who must not know may be listening.
    pub fn may_be_overheard(&self) -> bool {
        self.whisper || self.safe_to_talk == Some(false)
    }

    fn set_stands(&mut self, stands: Stands) {
        if let Some(hand_over) = self.hand_overs.last_mut() {
            hand_over.stands = stands;
            hand_over.joined |= stands == Stands::Joined;
        }
    }
}

impl Machine<'_> {
    pub fn still_ringing(&mut self) {
        if self.state.is_connecting() {
            self.moves.push(Move::StillRinging);
        }
    }

    pub fn officer_joined(&mut self) {
        if self.state.is_connecting() {
            self.state.set_stands(Stands::Joined);
            self.moves.push(Move::OfficerJoined);
        } else if self.state.is_with_officer() {
            // Nobody comes onto a call without the caller knowing of it.
            self.moves.push(Move::AnotherJoined);
        } else if self.state.ended.is_none() {
            self.state.taken_over = Some(Stands::Joined);
            self.moves.push(Move::OfficerJoined);
        }
    }

    pub fn put_on_hold(&mut self) {
        if self.state.is_with_officer() && !self.state.on_hold {
            self.state.on_hold = true;
            self.moves.push(Move::OnHold);
        }
    }

    pub fn still_on_hold(&mut self) {
        if self.state.is_on_hold() {
            self.moves.push(Move::StillOnHold);
        }
    }

    pub fn taken_off_hold(&mut self) {
        if self.state.is_on_hold() {
            self.state.on_hold = false;
            self.moves.push(Move::OffHold);
        }
    }

    /// The caller is alone with the assistant again: what happened, whom to ring, and whether they can be rung.
    pub fn officer_unreached(&mut self, why: Unreached) {
        let dropped = self.state.is_with_officer() && why == Unreached::LineDropped;
        if !self.state.is_connecting() && !dropped {
            return;
        }
        self.state.on_hold = false;
        match &mut self.state.taken_over {
            Some(stands @ Stands::Joined) => *stands = Stands::Unreached(why),
            _ => self.state.set_stands(Stands::Unreached(why)),
        }
        self.state.route = None;
        self.state.not_understood = 0;
        self.state.silences = 0;
        self.moves.push(Move::Unreached(why));
        self.ring_yourself();
        self.moves.push(Move::TeamTold);
        let asks = self.state.call_back.is_none()
            && !self.state.refused.contains(&Refused::CallBack)
            && self.state.times_asked(Question::CallBack) < MOST_ASKED;
        self.ask(match asks {
            true => Question::CallBack,
            false => Question::MoreSupport,
        });
    }

    /// The number of the agency that the caller was last to be connected to; those for everybody where there was none.
    pub(super) fn ring_yourself(&mut self) {
        let warm = |route: &&Route| route.mode == TransferMode::Warm;
        let Some(route) = self.state.transfers.iter().rfind(warm) else {
            return self.moves.push(Move::Numbers);
        };
        let agency = route.agency;
        self.moves.push(Move::RingYourself(agency));
        if agency == Agency::Spf && self.state.may_be_overheard() {
            self.moves.push(Move::TextPolice);
        }
    }

    /// No more transfers: the number is what is left, and somebody who listens.
    pub(super) fn ring_this_yourself(&mut self, agency: Agency, reading: &Reading) {
        self.ambulance_if_needed(reading);
        self.moves.push(Move::RingYourself(agency));
        if reading.leave == Some(Leave::Plain) {
            self.moves.push(Move::Farewell);
            return self.end();
        }
        self.moves.push(Move::StayingWithYou);
    }

    pub(super) fn said_while_ringing(&mut self, reading: &Reading) {
        if self.wants_no_connection(reading) {
            self.state.set_stands(Stands::Stopped);
            self.state.route = None;
            self.moves.push(Move::ConnectingStopped);
            self.moves.push(Move::Numbers);
            self.moves.push(Move::Farewell);
            return self.end();
        }
        self.answer_danger(reading);
        if self.moves.is_empty() {
            self.moves.push(if cannot_speak(reading) {
                Move::NoNeedToSpeak
            } else if reading.asserts(Signal::AsksIfHuman, SURE).is_some() {
                Move::SayIsAi
            } else {
                Move::WithYouMeanwhile
            });
        }
    }

    /// Whoever is in danger is not to wait for the officer to be told whom to ring. Nothing ends here: they have somebody.
    pub(super) fn said_on_hold(&mut self, reading: &Reading) {
        self.answer_danger(reading);
        if self.moves.is_empty() {
            self.moves.push(if cannot_speak(reading) {
                Move::StayingWithYou
            } else if reading.asserts(Signal::AsksIfHuman, SURE).is_some() {
                Move::SayIsAi
            } else {
                Move::StillOnHold
            });
        }
    }

    /// Whom to ring or text at once, where what was said is a danger now.
    fn answer_danger(&mut self, reading: &Reading) {
        let told = |signal, from| reading.asserts(signal, from).is_some();
        let hurt = told(Signal::OverdoseNow, SURE)
            || told(Signal::SelfHarmNow, SURE)
            || told(Signal::Injury, SURE);
        let attacked = told(Signal::ViolenceNow, WORTH_ASKING) || reading.calls_for_help;
        let suicidal = told(Signal::SuicidalDirect, WORTH_ASKING);
        if hurt {
            self.moves.push(Move::Ambulance);
        }
        if attacked && (cannot_speak(reading) || self.state.may_be_overheard()) {
            self.moves.push(Move::TextPolice);
        } else if attacked {
            self.moves.push(Move::RingYourself(Agency::Spf));
        } else if suicidal && !hurt {
            self.moves.push(Move::RingYourself(Agency::Sos));
        }
        if self.moves.len() == 1 {
            self.moves.push(Move::StayingWithYou);
        }
    }

    /// A wish to stop, where nothing beside it says that they are in danger: whoever is may be made to say so.
    fn wants_no_connection(&self, reading: &Reading) -> bool {
        const BRIEF: usize = 14;
        let grave = reading.calls_for_help
            || reading.signals.iter().any(|s| {
                let held_back = matches!(
                    s.signal,
                    Signal::NotSafeToTalk | Signal::CannotSpeak | Signal::Injury
                );
                !s.denied && s.confidence >= WORTH_ASKING && (s.signal.is_high_risk() || held_back)
            });
        let stops = reading.answer.connect == Some(false) || reading.leave == Some(Leave::Plain);
        stops && !grave && reading.word_count <= BRIEF
    }

    /// "Can you try them again": where nobody was reached. Answers whether that was wished.
    pub(super) fn connects_again(&mut self, reading: &Reading) -> bool {
        let last = self.state.hand_overs.last().copied();
        let unreached = last.filter(|it| matches!(it.stands, Stands::Unreached(_)));
        let Some(agency) = unreached.and_then(|it| self.state.agency_of(&it)) else {
            return false;
        };
        if reading.answer.connect != Some(true) {
            return false;
        }
        if !self.state.may_be_connected() {
            self.ring_this_yourself(agency, reading);
            return true;
        }
        self.ambulance_if_needed(reading);
        self.state.route = Some(Route {
            agency,
            mode: TransferMode::Warm,
        });
        self.connect();
        true
    }

    pub(super) fn call_back_answer(&mut self, reading: &Reading) {
        self.ambulance_if_needed(reading);
        let times = self.state.times_asked(Question::CallBack);
        if reading.call_back.is_some() {
            return self.take_number(reading);
        }
        if self.state.refused.contains(&Refused::CallBack) {
            self.moves.push(Move::RespectRefusal);
            return self.ask(Question::MoreSupport);
        }
        let half = reading.answer.half_a_number || reading.answer.yes == Some(true);
        if half && times < MOST_ASKED {
            return self.ask(Question::CallBack);
        }
        self.more_support_answer(reading);
    }

    /// Said back once where nobody else may hear it, and asked about once.
    fn take_number(&mut self, reading: &Reading) {
        let unsafe_now = reading.asserts(Signal::NotSafeToTalk, SURE).is_some();
        if unsafe_now || self.state.may_be_overheard() {
            self.moves.push(Move::NumberTaken);
            return self.ask(Question::MoreSupport);
        }
        self.moves.push(Move::SayNumberBack);
        self.ask(match self.state.was_asked(Question::CallBackRight) {
            true => Question::MoreSupport,
            false => Question::CallBackRight,
        });
    }

    pub(super) fn call_back_right_answer(&mut self, reading: &Reading) {
        const NEXT_TO_NOTHING: usize = 3;
        if reading.call_back.is_some() {
            return self.take_number(reading);
        }
        match reading.answer.yes {
            Some(true) => {
                self.state.call_back_confirmed = true;
                self.moves.push(Move::NumberTaken);
                self.ask(Question::MoreSupport);
            }
            Some(false) => {
                self.state.call_back = None;
                self.state.call_back_safe = None;
                self.moves.push(Move::NumberLeftOut);
                let again = self.state.times_asked(Question::CallBack) < MOST_ASKED;
                self.ask(match again && !reading.answer.refuses {
                    true => Question::CallBack,
                    false => Question::MoreSupport,
                });
            }
            None if reading.word_count <= NEXT_TO_NOTHING => {
                self.moves.push(Move::NumberTaken);
                self.ask(Question::MoreSupport);
            }
            None => self.more_support_answer(reading),
        }
    }
}

fn cannot_speak(reading: &Reading) -> bool {
    let told = |signal| reading.asserts(signal, SURE).is_some();
    told(Signal::NotSafeToTalk) || told(Signal::CannotSpeak)
}
