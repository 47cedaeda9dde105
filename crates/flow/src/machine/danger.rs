//! Danger: whether a turn tells of it, and the one question that makes sure of a hint.

use redact::Secret;

use super::{Machine, Move, Noted, Question, Theme};
use crate::understanding::{HeardSignal, Hint, SURE, Signal, Understanding, WORTH_ASKING};

/// What brings a caller to the Samaritans.
const SUICIDAL: [Signal; 4] = [
    Signal::SuicidalDirect,
    Signal::SuicidalIndirect,
    Signal::SelfHarmNow,
    Signal::OverdoseNow,
];

impl Machine<'_> {
    /// The turn tells of suicide, or answers the question about it with as much as a yes.
    pub(super) fn suicidal(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        let asked = matches!(pending, Some(Question::Suicidal | Question::OtherSuicidal))
            && !understood.answer.wants_shared;
        // "No, I just want it to stop, the scolding. Not die."
        let denied = asked
            && understood.answer.yes == Some(false)
            && understood.answer.means_otherwise
            && understood.asserts(Signal::SuicidalDirect, SURE).is_none();
        !denied && self.tells_of_suicide(understood)
            || asked && self.as_much_as_a_yes(understood, pending)
    }

    /// Said straight; or sideways, after it was asked about.
    fn tells_of_suicide(&self, understood: &Understanding) -> bool {
        let sure = |signal: Signal| understood.asserts(signal, SURE).is_some();
        let asked_before = self.state.was_asked(Question::Suicidal)
            || self.state.was_asked(Question::OtherSuicidal);
        SUICIDAL
            .into_iter()
            .any(|signal| sure(signal) && (signal != Signal::SuicidalIndirect || asked_before))
    }

    /// Asked straight, anything but a clear no, or another meaning, can be a yes; how much, depends on
    /// what was told before.
    fn as_much_as_a_yes(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        // Whoever was asked because everybody is may go on with something else.
        const BRIEF: usize = 6;
        let answer = &understood.answer;
        if understood.denies(Signal::SuicidalDirect) {
            return false;
        }
        // "Joking, joking. No, I'm not joking. I want to die.", "No... I don't know. Last night I
        // stood at the parapet": a no with such words beside it is none.
        let sign = understood
            .asserts(Signal::SuicidalDirect, WORTH_ASKING)
            .is_some()
            || understood.asserts(Signal::SuicidalIndirect, SURE).is_some();
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
        let hint = understood
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some();
        let undecided = (answer.unsure || answer.refuses)
            && (self.hinted_at_suicide()
                || pending == Some(Question::Suicidal)
                    && (understood.word_count <= BRIEF || self.state.leant_to_suicide));
        let no_no = !answer.asks_why
            && !answer.means_otherwise
            && (self.plainly_hinted_at_suicide()
                || self.state.leant_to_suicide
                    && self.asked_twice_of_suicide()
                    && shies_away(understood));
        hint || undecided || no_no
    }

    fn asked_twice_of_suicide(&self) -> bool {
        self.state.times_asked(Question::Suicidal) >= 2
    }

    /// The answer to the question about suicide is neither a yes nor a no: it is put once more,
    /// shorter.
    pub(super) fn asks_of_suicide_again(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
    ) -> bool {
        let unclear = pending == Some(Question::Suicidal)
            && (self.state.leant_to_suicide || self.hinted_at_suicide())
            && understood.answer.yes.is_none()
            && !understood.answer.means_otherwise
            && !understood.answer.asks_why
            && understood.asserts(Signal::Goodbye, SURE).is_none()
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
        understood: &Understanding,
        pending: Option<Question>,
        words: &str,
        turn: usize,
    ) {
        let (signal, confirmed) = match pending {
            Some(Question::Suicidal | Question::OtherSuicidal) => {
                (Signal::SuicidalDirect, self.suicidal(understood, pending))
            }
            Some(Question::DangerNow | Question::OtherInDanger) => {
                (Signal::ViolenceNow, self.violence(understood, pending))
            }
            _ => return,
        };
        let told = understood
            .signals
            .iter()
            .any(|s| s.signal == signal && s.confidence >= SURE);
        let denied = !confirmed
            && understood.answer.yes == Some(false)
            && !understood.answer.declines_to_say;
        if told || !confirmed && !denied {
            return;
        }
        let heard = HeardSignal {
            signal,
            words: Secret::new(words.trim().to_owned()),
            confidence: 0.8,
            denied,
            remote: false,
            of_others: matches!(
                pending,
                Some(Question::OtherInDanger | Question::OtherSuicidal)
            ),
        };
        self.state.signals.push(Noted { heard, turn });
    }

    pub(super) fn violence(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        if self.in_police_path() || !self.state.transfers.is_empty() && self.handed_reach_police() {
            return false;
        }
        if let Some(heard) = understood.asserts(Signal::ViolenceNow, SURE)
            && !self.tells_what_is_over(heard)
        {
            return true;
        }
        let maybe = understood
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some();
        let leaves = understood.asserts(Signal::Goodbye, SURE).is_some();
        let asked =
            matches!(pending, Some(Question::DangerNow | Question::OtherInDanger)) && !leaves;
        // After something grave, anything but a no is a yes here too.
        let grave = pending == Some(Question::DangerNow)
            && self.told_of_something_grave()
            && understood.answer.yes.is_none()
            && !understood.answer.means_otherwise
            && !understood.answer.asks_why
            && understood.asserts(Signal::Safe, WORTH_ASKING).is_none();
        asked
            && !understood.answer.say_again
            && (understood.answer.yes == Some(true)
                || grave
                || maybe && understood.answer.yes != Some(false))
    }

    /// Asked, the caller was in no danger; and what is told now has no word of the present: it is
    /// asked about once more.
    fn tells_what_is_over(&self, heard: &HeardSignal) -> bool {
        let words = format!(" {} ", heard.words.expose_secret().to_lowercase());
        let present = [
            " now", "'s ", " is ", " are ", "'re ", "ing ", " here", " outside", " help",
            " coming", " again", " still", " back",
        ];
        self.state.safe_now == Some(true)
            && self.state.times_asked(Question::DangerNow) == 1
            && !present.iter().any(|word| words.contains(word))
    }

    fn told_of_something_grave(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied && !s.remote && s.confidence >= SURE && s.signal.is_lethality_marker()
        })
    }

    /// An answer that was taken for danger stands in the note as its evidence, where no other words
    /// do.
    pub(super) fn note_answer(&mut self, danger: Signal, words: &str, turn: usize) {
        let told = |noted: &Noted| noted.heard.signal == danger && !noted.heard.denied;
        if !self.state.signals.iter().any(told) {
            let heard = HeardSignal {
                signal: danger,
                words: Secret::new(words.trim().to_owned()),
                confidence: 0.8,
                denied: false,
                remote: false,
                of_others: false,
            };
            self.state.signals.push(Noted { heard, turn });
        }
    }

    /// A question to make sure of a danger that was only hinted at; each is put once.
    pub(crate) fn makes_sure(&mut self, understood: &Understanding) -> bool {
        let hint = |signal| {
            understood.asserts(signal, WORTH_ASKING).is_some()
                && understood.asserts(signal, SURE).is_none()
        };
        let said_unsafe = self.state.safe_now == Some(false);
        let hurt_just_now = hint(Signal::ViolenceNow) && self.state.safe_now != Some(true);
        let unsafe_and_hurt = said_unsafe
            && understood.signals.iter().any(|s| {
                !s.denied
                    && (s.signal.is_abuse()
                        || s.signal == Signal::Fear
                        || s.signal == Signal::Weapon
                        || s.signal == Signal::ThreatToKill)
            });
        let someone_else = understood
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some_and(|hint| hint.of_others);
        // Told as danger, and after a no to it: see `tells_what_is_over`.
        if understood.asserts(Signal::ViolenceNow, SURE).is_some()
            && !self.in_police_path()
            && self.state.transfers.is_empty()
            && self.state.times_asked(Question::DangerNow) == 1
            && self.state.safe_now == Some(true)
        {
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
        if (hurt_just_now || unsafe_and_hurt || self.hurt_within_the_hour(understood))
            && !self.state.was_asked(Question::DangerNow)
        {
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        let about_another = understood
            .asserts(Signal::ThirdParty, WORTH_ASKING)
            .is_some();
        let (question, theme) = if about_another {
            (Question::OtherSuicidal, Theme::ForSomeoneElse)
        } else {
            (Question::Suicidal, Theme::Low)
        };
        let told_sideways = understood
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some();
        let told_unsurely = hint(Signal::SuicidalDirect);
        if (told_sideways || told_unsurely) && !self.state.was_asked(question) {
            self.moves.push(Move::Reflect(theme));
            self.ask(question);
            return true;
        }
        false
    }

    /// The caller was hurt minutes ago and has not said that they are safe.
    pub(super) fn hurt_within_the_hour(&self, understood: &Understanding) -> bool {
        let minutes_ago = understood
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

    pub(super) fn safety_answer(&mut self, understood: &Understanding, words: &str) {
        let says_why = understood
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
        self.step_six(understood, Some(Question::SafeNow), words);
    }
}

/// Neither a yes nor a no, and not merely another subject: words that lean to suicide again, a
/// "maybe", or next to nothing.
fn shies_away(understood: &Understanding) -> bool {
    const NEXT_TO_NOTHING: usize = 3;
    understood.hints.contains(&Hint::Suicide)
        || understood.answer.unsure
        || understood.answer.refuses
        || understood.answer.wavers
        || understood.word_count <= NEXT_TO_NOTHING
}
