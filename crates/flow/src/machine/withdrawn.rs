//! What was taken for harm and was none, by the caller's own word: it is forgotten, so that neither
//! the flow nor the note goes on with it.

use super::{Machine, Move, Question, screening::tells_of};
use crate::reading::{HeardSignal, Reading, Relation, SURE, Signal, WORTH_ASKING};

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
                // "No danger, it's the nine o'clock show": all that was not to be shared was of it.
                match pending {
                    Some(Question::DangerNow) if !self.state.declined.is_empty() => {
                        self.forget_need();
                    }
                    _ => self.forget_harm_since(self.state.turns.saturating_sub(2)),
                }
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
                    || reading.speaks_of_play && names_nobody_at_home(reading)
                    // "He'd bury me in the shellscrape" is nobody's doing; "he choked me" may be one they dare not name.
                    || reading.answer.names_nobody && !self.was_beaten() =>
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
    /// the police, what names a game, a show or hornets, and no harm, is made sure of once.
    pub(super) fn may_have_been_play(&self, reading: &Reading, pending: Option<Question>) -> bool {
        matches!(pending, Some(Question::Account | Question::IncidentTime))
            && plays(reading)
            && !speaks_of_danger(reading)
            && !self.state.was_asked(Question::DangerNow)
    }

    /// Asked then whether anybody is hurting them, they say no: both readers hear it, or it names the game again. Of who told of
    /// nothing grave the game alone is enough ("my heart still jumps, but it's a dream only").
    pub(super) fn was_none_after_all(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let answer = &reading.answer;
        let open = answer.disputed || answer.unsure || answer.refuses || answer.hedges;
        let says_again_what_it_was = plays(reading)
            && !open
            && !self.told_of_something_grave()
            && !self.told_from(&[Signal::Injury], WORTH_ASKING);
        pending == Some(Question::DangerNow)
            && self.state.asked_whether_over.is_none()
            && !speaks_of_danger(reading)
            && (answer.yes == Some(false) && (answer.agreed || plays(reading))
                || answer.yes.is_none() && says_again_what_it_was)
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

/// "The guy in the movie": a person, and none of the caller's own.
fn names_nobody_at_home(reading: &Reading) -> bool {
    let named = reading.abuser.as_ref();
    named.is_none_or(|abuser| abuser.value == Relation::NotFamily)
}

fn plays(reading: &Reading) -> bool {
    reading.speaks_of_play || reading.explained_away || reading.by_a_small_child_or_animal
}

/// Words that tell of harm, of fear or of not being free to speak, or call for help.
pub(super) fn speaks_of_danger(reading: &Reading) -> bool {
    let harmed = |s: &HeardSignal| !s.denied && s.confidence >= WORTH_ASKING && is_harm(s);
    is_in_trouble(reading) || reading.signals.iter().any(harmed)
}

/// Words of fear or of not being free to speak, or a call for help.
pub(super) fn is_in_trouble(reading: &Reading) -> bool {
    reading.calls_for_help
        || reading
            .signals
            .iter()
            .any(|s| !s.denied && s.confidence >= WORTH_ASKING && is_trouble(s.signal))
}

/// The caller is afraid, or cannot speak freely.
pub(super) fn is_trouble(signal: Signal) -> bool {
    matches!(
        signal,
        Signal::NotSafeToTalk | Signal::CannotSpeak | Signal::Fear
    )
}

fn is_harm(heard: &HeardSignal) -> bool {
    heard.signal.is_abuse()
        || heard.signal.is_high_risk()
        || matches!(heard.signal, Signal::ShelterWish | Signal::Injury)
}
