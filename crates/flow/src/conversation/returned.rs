//! A line that was cut off and is back. Nobody knows how much of the last turn was heard: it is said again, with what
//! follows from it.

use redact::Secret;

use super::{Command, Conversation, told};
use crate::{
    EndReason,
    machine::{Move, State, Telling},
    reading::{Signal, WORTH_ASKING},
    wording::Spoken,
};

impl Conversation {
    /// Also where the conversation had come to its end: a caller who was being connected is connected now.
    pub(super) fn take_up_again(&mut self) {
        self.turn = None;
        self.commands.clear();
        if self.is_connecting() || self.is_with_officer() {
            let moves: &[Move] = match (self.is_connecting(), self.is_on_hold()) {
                (true, _) => &[Move::LineRestored, Move::StillRinging],
                (false, true) => &[Move::LineRestoredWithOfficer, Move::StillOnHold],
                (false, false) => &[Move::LineRestoredWithOfficer],
            };
            let spoken = self.word(moves);
            return self.say_again(&spoken);
        }
        let mut last = self.state.wording.last().to_vec();
        if self.state.turns == 0 {
            // Who answers was said already.
            last.retain(|sentence| sentence.ends_with('?'));
        }
        let asks = last.iter().any(|sentence| sentence.ends_with('?'));
        let open = self
            .state
            .pending
            .filter(|_| self.state.ended.is_none() && !asks);
        if open.is_some() {
            // A check-in, say: the question it came after is what waits for an answer.
            last.clear();
        }
        let mut moves = vec![Move::LineRestored];
        if self.state.turns > 0 && self.state.ended.is_none() {
            moves.extend(telling(&self.state).map(Move::RecallTelling));
        }
        let mut spoken = self.word(&moves);
        let told = told(&self.state);
        spoken.extend(last.iter().map(|sentence| Spoken::Sentence {
            text: told.spoken(sentence),
            open: false,
        }));
        if let Some(question) = open {
            spoken.extend(self.word(&[Move::AskAgain(question)]));
            last = self.state.wording.last().to_vec();
        }
        // Cut off again, the same is said again.
        self.state.wording.said_instead(last);
        self.say_again(&spoken);
        if let Some(reason) = self.state.ended {
            let handed_to = self.state.transfers.last();
            if let Some(route) = handed_to.filter(|_| reason == EndReason::Forwarded) {
                self.commands.push_back(Command::Transfer {
                    mode: route.mode,
                    agency: route.agency,
                });
            }
            self.commands.push_back(Command::End { reason });
        }
    }

    fn say_again(&mut self, spoken: &[Spoken]) {
        let sentences = spoken.iter().filter_map(Spoken::sentence);
        self.commands
            .extend(sentences.map(|(text, _)| Command::Say {
                sentence: Secret::new(text),
            }));
    }
}

/// Nothing where somebody who must not know may be listening.
fn telling(state: &State) -> Option<Telling> {
    let heard = |is: fn(Signal) -> bool| {
        state.signals.iter().any(|noted| {
            let signal = &noted.heard;
            !signal.denied && signal.confidence >= WORTH_ASKING && is(signal.signal)
        })
    };
    if state.whisper || state.safe_to_talk == Some(false) {
        None
    } else if heard(|signal| signal == Signal::ThirdParty) {
        Some(Telling::SomeoneElse)
    } else if heard(|signal| {
        let harmed = signal.is_abuse() || signal.is_lethality_marker();
        harmed || matches!(signal, Signal::ViolenceNow | Signal::ShelterWish)
    }) {
        Some(Telling::Harm)
    } else if heard(|signal| signal.is_high_risk() || signal == Signal::Distress) {
        Some(Telling::Feelings)
    } else {
        Some(Telling::Life)
    }
}
