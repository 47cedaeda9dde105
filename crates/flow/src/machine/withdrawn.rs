//! What was taken for harm and was none, by the caller's own word: it is forgotten, so that neither
//! the flow nor the note goes on with it.

use super::{Machine, Move, Question};
use crate::understanding::{HeardSignal, SURE, Signal, Understanding};

impl Machine<'_> {
    /// "Figure of speech", "he's two years old", "mahjong lah": withdraws what came just before it.
    /// Answers whether the turn is answered with that.
    pub(super) fn withdraws(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
    ) -> bool {
        let insists = understood.answer.yes == Some(true)
            || understood
                .signals
                .iter()
                .any(|s| !s.denied && s.confidence >= SURE && is_harm(s));
        if insists || !self.state.transfers.is_empty() {
            return false;
        }
        match pending {
            // Danger was asked about, and the answer is no, with what was meant.
            Some(Question::DangerNow | Question::Suicidal | Question::HurtBefore)
                if understood.answer.yes == Some(false) && understood.answer.means_otherwise
                    || understood.by_a_small_child_or_animal =>
            {
                let before = self.state.turns.saturating_sub(2);
                self.forget_harm_since(before);
                false
            }
            Some(Question::Abuser | Question::BySpouse | Question::Consent)
                if understood.by_a_small_child_or_animal
                    && (pending != Some(Question::Consent)
                        || understood.answer.yes == Some(false))
                    || pending != Some(Question::Consent) && understood.answer.means_otherwise =>
            {
                if let Some(route) = self.state.route {
                    self.state.declined.insert(route.agency);
                }
                self.forget_need();
                self.moves.push(Move::Acknowledge);
                self.ask(Question::Open);
                true
            }
            // Not to be shared, and then told to have been a game or a show.
            _ if understood.about_a_game_or_show && !self.state.declined.is_empty() => {
                self.forget_need();
                false
            }
            _ => false,
        }
    }

    /// What was heard of harm was meant otherwise.
    pub(super) fn forget_need(&mut self) {
        self.state.route = None;
        self.forget_harm_since(0);
    }

    fn forget_harm_since(&mut self, turn: usize) {
        let state = &mut *self.state;
        state
            .signals
            .retain(|noted| noted.turn < turn || noted.heard.denied || !is_harm(&noted.heard));
        state.abuser = state.abuser.take().filter(|known| known.turn < turn);
        state.incident = state.incident.take().filter(|known| known.turn < turn);
    }
}

fn is_harm(heard: &HeardSignal) -> bool {
    heard.signal.is_abuse()
        || heard.signal.is_high_risk()
        || matches!(heard.signal, Signal::ShelterWish | Signal::Injury)
}
