//! Danger: whether a turn tells of it, and the one question that makes sure of a hint.

use super::{Machine, Move, Noted, Question, Theme};
use crate::reading::{HeardSignal, Leaning, Reading, SURE, Signal, WORTH_ASKING};

/// What brings a caller to the Samaritans.
const SUICIDAL: [Signal; 4] = [
    Signal::SuicidalDirect,
    Signal::SuicidalIndirect,
    Signal::SelfHarmNow,
    Signal::OverdoseNow,
];

/// Longer than this, whoever was asked because everybody is goes on with something else.
const BRIEF: usize = 6;

impl Machine<'_> {
    /// The turn tells of suicide, or answers the question about it with as much as a yes.
    pub(super) fn suicidal(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let asked = matches!(pending, Some(Question::Suicidal | Question::OtherSuicidal))
            && !reading.answer.wants_shared;
        // "No, I just want it to stop, the scolding. Not die."
        if asked && reading.answer.disputed {
            return self.tells_of_suicide(reading) || self.asked_twice_of_suicide();
        }
        let denied = asked
            && reading.answer.yes == Some(false)
            && reading.answer.means_otherwise
            && reading.asserts(Signal::SuicidalDirect, SURE).is_none();
        !denied && self.tells_of_suicide(reading)
            || asked && self.as_much_as_a_yes(reading, pending)
    }

    /// Said straight; or sideways, after it was asked about.
    fn tells_of_suicide(&self, reading: &Reading) -> bool {
        let sure = |signal: Signal| reading.asserts(signal, SURE).is_some();
        let asked_before = self.state.was_asked(Question::Suicidal)
            || self.state.was_asked(Question::OtherSuicidal);
        SUICIDAL
            .into_iter()
            .any(|signal| sure(signal) && (signal != Signal::SuicidalIndirect || asked_before))
    }

    /// Asked straight, anything but a clear no, or another meaning, can be a yes; how much, depends on
    /// what was told before.
    fn as_much_as_a_yes(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let answer = &reading.answer;
        if reading.denies(Signal::SuicidalDirect) {
            return false;
        }
        // "Joking, joking. No, I'm not joking. I want to die.", "No... I don't know. Last night I
        // stood at the parapet": a no with such words beside it is none.
        let sign = reading
            .asserts(Signal::SuicidalDirect, WORTH_ASKING)
            .is_some()
            || reading.asserts(Signal::SuicidalIndirect, SURE).is_some();
        let half_a_no =
            (answer.wavers || answer.declines_to_say) && self.plainly_hinted_at_suicide();
        if !answer.means_otherwise && (sign || half_a_no) {
            return true;
        }
        if answer.say_again {
            return false;
        }
        if let Some(yes) = answer.yes {
            return yes;
        }
        let hint = reading
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some();
        // "I'm not sure" of somebody else is no more than that.
        let of_another = pending == Some(Question::OtherSuicidal);
        let undecided = (answer.unsure || answer.refuses)
            && (self.hinted_at_suicide() && !of_another
                || pending == Some(Question::Suicidal)
                    && (reading.word_count <= BRIEF && self.asked_twice_of_suicide()
                        || self.state.leant_to_suicide));
        let no_no = !answer.asks_why
            && !answer.means_otherwise
            && (self.plainly_hinted_at_suicide()
                || self.state.leant_to_suicide
                    && self.asked_twice_of_suicide()
                    && shies_away(reading));
        hint || undecided || no_no
    }

    fn asked_twice_of_suicide(&self) -> bool {
        self.state.times_asked(Question::Suicidal) >= 2
    }

    /// The answer to the question about suicide is neither a yes nor a no: it is put once more,
    /// shorter.
    pub(super) fn asks_of_suicide_again(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        let unclear = matches!(pending, Some(Question::Suicidal))
            && (self.state.leant_to_suicide
                || self.hinted_at_suicide()
                || reading.answer.disputed
                || reading.answer.unsure
                || reading.answer.refuses
                || reading.word_count <= BRIEF)
            && reading.answer.yes.is_none()
            && !reading.answer.means_otherwise
            && !reading.answer.asks_why
            && reading.asserts(Signal::Goodbye, SURE).is_none()
            && !self.asked_twice_of_suicide();
        if unclear {
            self.moves.push(Move::Reflect(Theme::Low));
            self.ask(Question::Suicidal);
        }
        unclear
    }

    /// A sign was told that would be acted on, had it not been told sideways.
    fn plainly_hinted_at_suicide(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            SUICIDAL.contains(&s.signal) && !s.denied && !s.remote && s.confidence >= SURE
        })
    }

    /// Something pointed to suicide, if only a hint of a pattern's.
    fn hinted_at_suicide(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            SUICIDAL.contains(&s.signal) && !s.denied && s.confidence >= WORTH_ASKING
        })
    }

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
        let denied =
            !confirmed && reading.answer.yes == Some(false) && !reading.answer.declines_to_say;
        if told || !confirmed && !denied {
            return;
        }
        let heard = HeardSignal {
            signal,
            words: reading.words.clone(),
            confidence: 0.8,
            denied,
            remote: false,
            of_others: matches!(
                pending,
                Some(Question::OtherInDanger | Question::OtherSuicidal)
            ),
            present: true,
            doubted: false,
        };
        self.state.signals.push(Noted {
            heard,
            turn,
            answers: confirmed || reading.answer.agreed,
        });
    }

    pub(super) fn violence(&self, reading: &Reading, pending: Option<Question>) -> bool {
        if self.in_police_path() || !self.state.transfers.is_empty() && self.handed_reach_police() {
            return false;
        }
        if reading.asserts(Signal::ViolenceNow, SURE).is_some() {
            return true;
        }
        // Who was asked, and calls for help, is not asked again.
        if reading.calls_for_help && self.state.was_asked(Question::DangerNow) {
            return true;
        }
        let maybe = reading.asserts(Signal::ViolenceNow, WORTH_ASKING).is_some();
        let leaves = reading.asserts(Signal::Goodbye, SURE).is_some();
        let asked =
            matches!(pending, Some(Question::DangerNow | Question::OtherInDanger)) && !leaves;
        // After something grave, anything but a no is a yes here too.
        let grave = pending == Some(Question::DangerNow)
            && self.told_of_something_grave()
            && reading.answer.yes.is_none()
            && !reading.answer.means_otherwise
            && !reading.answer.asks_why
            && reading.asserts(Signal::Safe, WORTH_ASKING).is_none();
        asked
            && !reading.answer.say_again
            && (reading.answer.yes == Some(true)
                || reading.answer.disputed && self.worth_asking(Signal::ViolenceNow)
                || grave
                || maybe && reading.answer.yes != Some(false))
    }

    fn told_of_something_grave(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied && !s.remote && s.confidence >= SURE && s.signal.is_lethality_marker()
        })
    }

    /// An answer that was taken for danger stands in the note as its evidence, where no other words
    /// do.
    pub(super) fn note_answer(&mut self, danger: Signal, reading: &Reading, turn: usize) {
        let told = |noted: &Noted| noted.heard.signal == danger && !noted.heard.denied;
        if !self.state.signals.iter().any(told) {
            let heard = HeardSignal {
                signal: danger,
                words: reading.words.clone(),
                confidence: 0.8,
                denied: false,
                remote: false,
                of_others: false,
                present: true,
                doubted: false,
            };
            self.state.signals.push(Noted {
                heard,
                turn,
                answers: false,
            });
        }
    }

    /// A question to make sure of a danger that was only hinted at; each is put once, and the one about
    /// suicide again where words for it come after a no ("Just now I bluffed you").
    pub(crate) fn makes_sure(&mut self, reading: &Reading, pending: Option<Question>) -> bool {
        let hint = |signal| {
            reading.asserts(signal, WORTH_ASKING).is_some()
                && reading.asserts(signal, SURE).is_none()
        };
        let said_unsafe = self.state.safe_now == Some(false);
        let hurt_just_now = hint(Signal::ViolenceNow) && self.state.safe_now != Some(true);
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
        if reading.calls_for_help && self.state.transfers.is_empty() {
            // Asked already, it would have counted as danger.
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        if hurt_just_now && someone_else {
            if self.state.was_asked(Question::OtherInDanger) {
                return false;
            }
            self.moves.push(Move::Reflect(Theme::ForSomeoneElse));
            self.ask(Question::OtherInDanger);
            return true;
        }
        if (hurt_just_now || unsafe_and_hurt || self.hurt_within_the_hour(reading))
            && !self.state.was_asked(Question::DangerNow)
        {
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
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
        let told_after_all =
            told_unsurely && pending != Some(question) && self.state.times_asked(question) == 1;
        if (told_sideways || told_unsurely) && !self.state.was_asked(question) || told_after_all {
            self.moves.push(Move::Reflect(theme));
            self.ask(question);
            return true;
        }
        false
    }

    /// The caller was hurt minutes ago and has not said that they are safe.
    pub(super) fn hurt_within_the_hour(&self, reading: &Reading) -> bool {
        let minutes_ago = reading
            .incident
            .as_ref()
            .is_some_and(|incident| incident.value.just_now);
        let hurt = self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied
                && !s.remote
                && s.confidence >= SURE
                && matches!(s.signal, Signal::PhysicalAbuse | Signal::Strangulation)
        });
        minutes_ago && hurt && self.state.safe_now != Some(true) && self.state.transfers.is_empty()
    }

    pub(super) fn safety_answer(&mut self, reading: &Reading) {
        let says_why = reading
            .signals
            .iter()
            .any(|s| !s.denied && s.signal.is_clinical() && s.signal != Signal::Fear);
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

/// Neither a yes nor a no, and not merely another subject: words that lean to suicide again, a
/// "maybe", or next to nothing.
fn shies_away(reading: &Reading) -> bool {
    const NEXT_TO_NOTHING: usize = 3;
    reading.leanings.contains(&Leaning::Suicide)
        || reading.answer.unsure
        || reading.answer.refuses
        || reading.answer.wavers
        || reading.word_count <= NEXT_TO_NOTHING
}
