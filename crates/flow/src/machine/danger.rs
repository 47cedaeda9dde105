//! Danger of either kind: the one question that makes sure of a hint, and what its answer proves.

use super::{Machine, Move, Noted, Question, Refused, Theme};
use crate::{
    Agency,
    reading::{ALL_BUT_SURE, Doubt, HeardSignal, Reading, SURE, Signal, WORTH_ASKING},
};

/// How sure it is what an answer tells.
pub(super) const BY_ANSWER: f32 = 0.8;

impl Machine<'_> {
    /// The answer to a question that made sure of a danger is the evidence for it, or against.
    pub(super) fn remember_danger(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
        turn: usize,
    ) {
        let (signal, confirmed) = match pending {
            Some(Question::Suicidal | Question::OtherSuicidal) => {
                (Signal::SuicidalDirect, self.suicidal(reading, pending))
            }
            Some(Question::DangerNow | Question::OtherInDanger) => {
                (Signal::ViolenceNow, self.violence(reading, pending))
            }
            _ => return,
        };
        let told = reading
            .signals
            .iter()
            .any(|s| s.signal == signal && !s.denied && s.confidence >= SURE);
        let hinted_at = !confirmed && self.may_be_no_danger(reading, pending);
        let half_confirmed = !confirmed
            && (hinted_at
                || self.may_be_no_yes(reading, pending)
                || self.may_be_no_yes_to_danger(reading, pending)
                || signal == Signal::SuicidalDirect
                    && reading.answer.yes != Some(false)
                    && self.may_be_no_suicide(reading, pending));
        let denied = !confirmed
            && reading.answer.yes == Some(false)
            && !reading.answer.declines_to_say
            && !self.leaves_suicide_open(reading, pending);
        if told || !confirmed && !denied && !half_confirmed {
            return;
        }
        // Who goes before they are asked once more has left it open.
        let confidence = match half_confirmed {
            // Asked once more, what is no answer either is a yes.
            true if hinted_at => ALL_BUT_SURE,
            true => WORTH_ASKING,
            false => BY_ANSWER,
        };
        let heard = HeardSignal {
            denied,
            of_others: matches!(
                pending,
                Some(Question::OtherInDanger | Question::OtherSuicidal)
            ),
            ..HeardSignal::told(signal, reading.words.clone(), confidence)
        };
        self.state.signals.push(Noted {
            heard,
            turn,
            answers: confirmed || reading.answer.agreed,
            agreed: reading.answer.agreed,
            undenied: confirmed && reading.answer.yes != Some(true),
        });
    }

    /// An answer that was taken for danger stands in the note as its evidence, where no other words
    /// do.
    pub(super) fn note_answer(&mut self, danger: Signal, reading: &Reading, turn: usize) {
        let told = |noted: &Noted| noted.heard.signal == danger && !noted.heard.denied;
        if !self.state.signals.iter().any(told) {
            self.state.signals.push(Noted {
                heard: HeardSignal::told(danger, reading.words.clone(), BY_ANSWER),
                turn,
                answers: false,
                agreed: false,
                undenied: false,
            });
        }
    }

    /// One of these was told so surely, of now, and was not denied.
    pub(super) fn told_from(&self, signals: &[Signal], confidence: f32) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            signals.contains(&s.signal) && !s.denied && !s.remote && s.confidence >= confidence
        })
    }

    /// The question was put, and both readers heard a no.
    fn denied_danger(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            noted.heard.signal == Signal::ViolenceNow && noted.heard.denied && noted.answers
        })
    }

    /// "I'm on the floor. Let him finish me, I want to die.", "He was choking me, he only stopped to smoke. I want to die.": who may be being hurt
    /// at this moment needs the police before the suicide line. Answers whether it asked.
    pub(super) fn asks_of_danger_first(&mut self, reading: &Reading) -> bool {
        let hinted = reading
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some_and(|heard| !heard.of_others);
        let told_as_of_now = |signal| {
            let heard = reading.asserts(signal, SURE);
            heard.is_some_and(|heard| heard.present && !heard.of_others && !heard.remote)
        };
        let beaten = (told_as_of_now(Signal::PhysicalAbuse)
            || told_as_of_now(Signal::Strangulation))
            && !self.was_on_an_earlier_day();
        let asks = (hinted || beaten)
            && self.state.safe_now != Some(true)
            && self.state.transfers.is_empty()
            && !self.state.was_asked(Question::DangerNow);
        if asks {
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
        }
        asks
    }

    /// A question to make sure of a danger that was only hinted at; each is put once. The one about
    /// suicide is put again where words for it come after a no ("Just now I bluffed you"), the one about danger to who was hurt minutes
    /// ago and did not plainly deny it.
    pub(crate) fn makes_sure(&mut self, reading: &Reading, pending: Option<Question>) -> bool {
        let hint = |signal| {
            reading.asserts(signal, WORTH_ASKING).is_some()
                && reading.asserts(signal, SURE).is_none()
        };
        // "No, it's not safe": said of the number, by who was being connected to the police.
        let of_the_number = pending == Some(Question::CallBack)
            && self.state.refused.contains(&Refused::CallBack)
            && self.state.was_to_reach(Agency::Spf);
        if of_the_number {
            return false;
        }
        if self.asks_after_own_violence(reading) {
            return true;
        }
        let said_unsafe = self.state.safe_now == Some(false);
        // Who was safe at their first words need not be so any more.
        let safe_as_said = match self.state.turns {
            1 => self.state.safe_now == Some(true),
            _ => reading.asserts(Signal::Safe, WORTH_ASKING).is_some(),
        };
        // "I'm safe in the bedroom, but he's kicking the door in."
        let doubted = reading.doubts.contains(&Doubt::DangerNow)
            && reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE).is_some();
        let hurt_just_now = hint(Signal::ViolenceNow) && (!safe_as_said || doubted);
        let unsafe_and_hurt = said_unsafe
            && reading.signals.iter().any(|s| {
                !s.denied
                    && (s.signal.is_abuse()
                        || s.signal == Signal::Fear
                        || s.signal == Signal::Weapon
                        || s.signal == Signal::ThreatToKill)
            });
        let someone_else = reading
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some_and(|hint| hint.of_others);
        let about_another = reading.asserts(Signal::ThirdParty, WORTH_ASKING).is_some();
        let (question, theme) = if about_another {
            (Question::OtherSuicidal, Theme::ForSomeoneElse)
        } else {
            (Question::Suicidal, Theme::Low)
        };
        let told_sideways = reading
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some();
        let told_unsurely = hint(Signal::SuicidalDirect);
        // "Just now I bluffed you"; or what was not answered plainly is hinted at again.
        let told_after_all = (told_unsurely || told_sideways && !self.denied_suicide())
            && pending != Some(question)
            && self.state.times_asked_of_suicide() == 1;
        // Who was to be connected for it has told it.
        let ask_of_suicide = !self.state.was_to_reach(Agency::Sos)
            && ((told_sideways || told_unsurely) && !self.state.was_asked(question)
                || told_after_all);
        if reading.calls_for_help && !self.handed_reach_police() {
            // Asked already, it would have counted as danger.
            self.state.suicide_is_next |= ask_of_suicide && !about_another;
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        if hurt_just_now && someone_else {
            if self.state.was_asked(Question::OtherInDanger) {
                return false;
            }
            self.state.suicide_is_next |= ask_of_suicide && !about_another;
            self.moves.push(Move::Reflect(Theme::ForSomeoneElse));
            self.ask(Question::OtherInDanger);
            return true;
        }
        if self.hurt_within_the_hour(reading, pending)
            && self.worth_asking(Signal::ThirdParty)
            && self.done_to_another()
            && !self.hurt_somebody()
            && !self.state.was_asked(Question::OtherInDanger)
        {
            self.moves.push(Move::Reflect(Theme::ForSomeoneElse));
            self.ask(Question::OtherInDanger);
            return true;
        }
        let minutes_ago = self.hurt_within_the_hour(reading, pending);
        // Asked before, and not plainly denied, it is asked again of who was hurt minutes ago.
        let told_anew = self.is_told_after_a_question(reading, pending);
        let again = told_anew
            || minutes_ago
                && pending != Some(Question::DangerNow)
                && self.state.times_asked(Question::DangerNow) == 1
                && !self.denied_danger();
        let not_safe = minutes_ago && self.state.safe_now != Some(true);
        if (hurt_just_now || unsafe_and_hurt || not_safe || again)
            && (again || !self.state.was_asked(Question::DangerNow))
        {
            self.state.suicide_is_next |= ask_of_suicide && !about_another;
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        if ask_of_suicide {
            self.moves.push(Move::Reflect(theme));
            self.ask(question);
            return true;
        }
        false
    }

    pub(super) fn safety_answer(&mut self, reading: &Reading) {
        let says_why = reading.signals.iter().any(|s| {
            !s.denied
                && s.confidence >= WORTH_ASKING
                && s.signal.is_clinical()
                && s.signal != Signal::Fear
        });
        if self.state.safe_now == Some(false)
            && !says_why
            && !self.state.was_asked(Question::DangerNow)
        {
            self.moves.push(Move::Reflect(Theme::Afraid));
            return self.ask(Question::DangerNow);
        }
        self.step_six(reading, Some(Question::SafeNow));
    }
}
