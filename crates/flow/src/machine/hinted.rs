//! What a supervisor has whispered: said or asked in the assistant's next turn, beside what the flow has to say.
//!
//! It never takes the place of anything but an open question. While danger is being acted on it waits; where
//! somebody is being brought in, and where what it asks is known, was refused or was asked, it is dropped.

use super::{Machine, Move, Question, Refused, State};
use crate::{Agency, Hint, reading::Signal};

/// What is to become of a hint in this turn.
enum Now {
    /// Told before what the turn asks.
    Said(Move),
    /// Asked in the place of the turn's open question.
    Asked(Asked),
    Dropped,
}

enum Asked {
    Question(Question),
    /// An open question of the hint's own.
    Openly(Move),
}

impl State {
    /// Somebody whispers this, to be taken up at the next turn. Said twice before that, it is one.
    pub fn take_hint(&mut self, hint: Hint) {
        let can_be = self.ended.is_none() && !self.is_connecting() && !self.is_with_officer();
        if can_be && !self.hints.contains(&hint) {
            self.hints.push(hint);
        }
    }
}

impl Machine<'_> {
    /// At most one hint a turn, the first that can be: those that cannot yet wait, those that do not fit any more are
    /// dropped. After everything else of the turn was decided.
    pub(super) fn take_up_hint(&mut self) {
        let brought_in = self.state.is_connecting() || self.state.is_with_officer();
        let going = self.moves.contains(&Move::EndAfterTransfer);
        if brought_in || going {
            return self.state.hints.clear();
        }
        if self.state.hints.is_empty() || self.acts_on_danger() {
            return;
        }
        let hints = std::mem::take(&mut self.state.hints);
        let mut taken_up = false;
        for hint in hints {
            if taken_up {
                self.state.hints.push(hint);
                continue;
            }
            match self.now(hint) {
                Now::Dropped => {}
                Now::Said(told) => {
                    let place = self.moves.iter().position(comes_last);
                    self.moves.insert(place.unwrap_or(self.moves.len()), told);
                    taken_up = true;
                }
                Now::Asked(asked) => match self.moves.iter().rposition(asks_on) {
                    Some(place) => {
                        self.moves.remove(place);
                        self.ask_as_hinted(asked);
                        taken_up = true;
                    }
                    None => self.state.hints.push(hint),
                },
            }
        }
    }

    /// Danger now is being acted on, or made sure of: nothing comes beside that.
    fn acts_on_danger(&self) -> bool {
        let rings_for_help = |a_move: &Move| matches!(a_move, Move::RingYourself(_));
        self.state.acts_on_danger() || self.moves.iter().any(rings_for_help)
    }

    fn ask_as_hinted(&mut self, asked: Asked) {
        match asked {
            Asked::Question(question) => {
                self.ask(question);
                self.state.asked_on_a_hint.insert(question);
            }
            Asked::Openly(question) => {
                self.moves.push(question);
                self.state.pending = Some(Question::Open);
            }
        }
    }

    fn now(&self, hint: Hint) -> Now {
        let told = || Now::Said(Move::Hinted(hint));
        match hint {
            Hint::AskWhetherSafe => self.asked_once(self.about_danger(), self.asked_of_safety()),
            Hint::AskWhereTheyAre => {
                let known = self.state.can_be_sent_to();
                self.asked_once(Question::Address, known || self.refuses(Refused::Location))
            }
            Hint::AskAboutSuicide => self.asked_of_suicide(),
            Hint::AskWhetherHurt => self.asked_once(
                Question::HurtBefore,
                self.told_already(Question::HurtBefore),
            ),
            Hint::AskAboutShelter => self.asked_once(
                Question::NeedsShelter,
                self.told_already(Question::NeedsShelter),
            ),
            Hint::AskForASafeNumber => {
                let known = self.state.call_back.is_some();
                self.asked_once(Question::CallBack, known || self.refuses(Refused::CallBack))
            }
            Hint::AskWhoKnows => Now::Asked(Asked::Openly(Move::Hinted(hint))),
            Hint::SayThePoliceNumber
            | Hint::SayTheTextNumber
            | Hint::SayTheAmbulanceNumber
            | Hint::SayTheSuicideLine
            | Hint::SayTheAbuseLine
            | Hint::SayAStepForSafety
            | Hint::SayYesOrNoIsEnough
            | Hint::SlowDown => told(),
        }
    }

    fn asked_once(&self, question: Question, needless: bool) -> Now {
        match needless || self.state.was_asked(question) {
            true => Now::Dropped,
            false => Now::Asked(Asked::Question(question)),
        }
    }

    fn about_danger(&self) -> Question {
        match self.worth_asking(Signal::ThirdParty) {
            true => Question::OtherInDanger,
            false => Question::DangerNow,
        }
    }

    /// Two questions about safety are as many as a frightened person should have to answer: the greeting's and one more.
    fn asked_of_safety(&self) -> bool {
        let asked = [
            Question::SafeToTalk,
            Question::DangerNow,
            Question::OtherInDanger,
        ];
        asked
            .into_iter()
            .any(|question| self.state.was_asked(question))
    }

    /// Once more than the flow did, if it is not the third time; and not of who was to be connected for it.
    fn asked_of_suicide(&self) -> Now {
        const MOST: u32 = 2;
        let often = self.state.times_asked_of_suicide() >= MOST;
        if often || self.state.was_to_reach(Agency::Sos) {
            return Now::Dropped;
        }
        Now::Asked(Asked::Question(
            match self.worth_asking(Signal::ThirdParty) {
                true => Question::OtherSuicidal,
                false => Question::Suicidal,
            },
        ))
    }

    fn refuses(&self, what: Refused) -> bool {
        self.state.refused.contains(&what)
    }
}

/// A question that only asks on: another can be put in its place.
fn asks_on(a_move: &Move) -> bool {
    matches!(
        a_move,
        Move::Ask(Question::Open | Question::MoreSupport) | Move::AskAbout(_)
    )
}

/// What a turn ends with: its question, or the goodbye.
fn comes_last(a_move: &Move) -> bool {
    matches!(
        a_move,
        Move::Ask(_)
            | Move::AskAbout(_)
            | Move::AskSoftly(_)
            | Move::AskAgain(_)
            | Move::Farewell
            | Move::End
    )
}
