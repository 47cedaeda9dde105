//! What was taken for harm and was none, by the caller's own word: it is forgotten, so that neither
//! the flow nor the note goes on with it.

use super::{Machine, Move, Question, screening::tells_of};
use crate::reading::{HeardSignal, Reading, SURE, Signal, WORTH_ASKING};

impl Machine<'_> {
    /// "Figure of speech", "he's two years old", "mahjong lah": withdraws what came just before it.
    /// Answers whether the turn is answered with that.
    pub(super) fn withdraws(&mut self, reading: &Reading, pending: Option<Question>) -> bool {
        let insists = reading.answer.yes == Some(true)
            || reading
                .signals
                .iter()
                .any(|s| !s.denied && s.confidence >= SURE && is_harm(s));
        if insists || !self.state.transfers.is_empty() {
            return false;
        }
        const SHORT: usize = 4;
        let by_a_small_one = reading.by_a_small_child_or_animal;
        match pending {
            // Danger was asked about, and the answer is no, with what was meant.
            Some(Question::DangerNow | Question::Suicidal | Question::HurtBefore)
                if reading.answer.yes == Some(false) && reading.explained_away =>
            {
                self.forget_harm_since(self.state.turns.saturating_sub(2));
                false
            }
            // "Only the cat."
            Some(Question::HurtBefore) if by_a_small_one && reading.word_count <= SHORT => {
                self.forget_harm_since(self.state.turns.saturating_sub(2));
                false
            }
            Some(Question::Abuser | Question::BySpouse)
                if by_a_small_one
                    || reading.explained_away
                    || reading.abuser.is_none()
                        && (reading.speaks_of_play || reading.answer.names_nobody) =>
            {
                self.forget_need();
                self.moves.push(Move::Acknowledge);
                self.ask(Question::Open);
                true
            }
            // Not to be shared, and then told to have been a game or a show.
            _ if reading.explained_away && !self.state.declined.is_empty() => {
                self.forget_need();
                false
            }
            _ => false,
        }
    }

    /// "They're killing my friend." - "Can you tell me what happened?" - "It's Mobile Legends, he dared me.": on the way to
    /// the police, what tells of a game or of hornets, and of no harm, is made sure of once.
    pub(super) fn may_have_been_play(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let harmed = reading.signals.iter().any(|s| {
            !s.denied && s.confidence >= WORTH_ASKING && (is_harm(s) || s.signal == Signal::Fear)
        });
        matches!(
            pending,
            Some(Question::SafeToTalk | Question::Account | Question::IncidentTime)
        ) && reading.speaks_of_play
            && !harmed
            && !reading.calls_for_help
            && !self.state.was_asked(Question::DangerNow)
    }

    /// Asked whether anybody is hurting them, they say no, and both readers hear it.
    pub(super) fn was_none_after_all(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let answer = &reading.answer;
        pending == Some(Question::DangerNow)
            && answer.yes == Some(false)
            && (answer.agreed || reading.speaks_of_play)
            && !reading
                .signals
                .iter()
                .any(|s| !s.denied && s.confidence >= SURE && is_harm(s))
    }

    /// A no takes the hints away that the question was asked for; what was said surely stays.
    pub(super) fn forget_hints_at(&mut self, question: Question) {
        self.state.signals.retain(|noted| {
            let s = &noted.heard;
            // "No, she's just not here" denies no neglect.
            let asked_about = tells_of(s.signal) == Some(question) && s.signal != Signal::Neglect;
            s.denied || s.confidence >= SURE || !asked_about
        });
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
