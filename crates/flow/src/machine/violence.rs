//! Whether somebody is being hurt, or about to be.

use super::{Machine, Move, Question, Theme};
use crate::{
    Agency,
    reading::{ALL_BUT_SURE, Doubt, HeardSignal, NEARLY_SURE, Reading, SURE, Signal, WORTH_ASKING},
};

impl Machine<'_> {
    pub(super) fn violence(&self, reading: &Reading, pending: Option<Question>) -> bool {
        if self.in_police_path() || !self.state.transfers.is_empty() && self.handed_reach_police() {
            return false;
        }
        if reading.asserts(Signal::ViolenceNow, SURE).is_some()
            || self.left_somebody_injured(reading)
            || self.is_told_after_all_questions(reading, pending)
            || self.is_told_again(reading, pending)
        {
            return true;
        }
        // Who was asked, or was told of it before, and calls for help, is not asked again.
        let known =
            self.state.was_asked(Question::DangerNow) || self.state.was_to_reach(Agency::Spf);
        if reading.calls_for_help && known {
            return true;
        }
        let told_as_over = told_as_over(reading);
        let maybe = reading.asserts(Signal::ViolenceNow, WORTH_ASKING).is_some() && !told_as_over;
        let leaves = reading.asserts(Signal::Goodbye, SURE).is_some();
        let plain_yes = reading.answer.yes == Some(true) && reading.answer.agreed;
        let asked = matches!(pending, Some(Question::DangerNow | Question::OtherInDanger))
            && !leaves
            && (plain_yes || !self.is_doubted_once(reading, pending))
            && !self.repeats_what_is_doubted(reading, pending);
        // After something grave, anything but a no is a yes here too.
        let grave = pending == Some(Question::DangerNow)
            && self.told_of_something_grave()
            && !self.was_on_an_earlier_day()
            && reading.answer.yes.is_none()
            && !reading.answer.means_otherwise
            && !reading.answer.asks_why
            && reading.asserts(Signal::Safe, WORTH_ASKING).is_none();
        asked
            && !reading.answer.say_again
            && (reading.answer.yes == Some(true)
                    && !told_as_over
                    && !self.may_be_no_yes_to_danger(reading, pending)
                // "He blocked me after. I'm alone at home.": asked once more.
                || reading.answer.disputed
                    && (self.worth_asking(Signal::ViolenceNow)
                        && (pending != Some(Question::DangerNow)
                            || reading.asserts(Signal::Safe, SURE).is_none())
                        || self.state.times_asked(Question::DangerNow) >= 2)
                || grave
                || maybe
                    && reading.answer.yes != Some(false)
                    && !self.may_be_no_danger(reading, pending)
                    && !self.may_be_no_yes_to_danger(reading, pending)
                || self.is_about_to_hurt_somebody(reading, pending)
                || self.left_unanswered_twice(reading, pending)
                || self.hurt_minutes_ago_and_not_denied(reading, pending)
                || pending.is_some_and(|question| self.may_be_overheard(reading, question))
                    && self.state.times_asked(Question::DangerNow) >= 2)
    }

    /// "Is someone hurting you now?" - "He's twenty steps away.": of who was hurt minutes ago and was asked twice, anything
    /// but a plain no is a yes.
    fn hurt_minutes_ago_and_not_denied(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        let answer = &reading.answer;
        pending == Some(Question::DangerNow)
            && self.state.times_asked(Question::DangerNow) >= 2
            && self.was_beaten_minutes_ago()
            && !(answer.yes == Some(false) && answer.agreed)
            && !answer.refuses
            && reading.asserts(Signal::Safe, WORTH_ASKING).is_none()
    }

    /// "Is someone hurting you now?" - "I can't say.": of who cannot speak freely it is no refusal, and asked once more; twice, it
    /// is a yes.
    pub(super) fn may_be_overheard(&self, reading: &Reading, question: Question) -> bool {
        question == Question::DangerNow
            && self.state.whisper
            && reading.answer.refuses
            && reading.answer.yes.is_none()
            && !reading.answer.asks_why
            && reading.asserts(Signal::Safe, WORTH_ASKING).is_none()
    }

    /// "Is anyone hurting you right now?" - "Of a C plus, yes.": what one reader alone takes for a yes, of whom nothing that
    /// threatens is heard, now or before, is asked about once more.
    pub(super) fn may_be_no_yes_to_danger(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        reading.answer.yes == Some(true)
            && !reading.answer.agreed
            && !told_as_over(reading)
            && (!reading.signals.iter().any(threatens)
                && self.was_asked_of_danger_as_everybody_is(reading, pending, threatens)
                || self.is_doubted_once(reading, pending))
    }

    /// "Is anyone hurting you right now?" - "The scammer is inside the computer, he can't come out.": neither a yes nor a no, and one
    /// reader alone hears a hint at danger in it.
    pub(super) fn may_be_no_danger(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let of_danger = |heard: &HeardSignal| heard.signal == Signal::ViolenceNow;
        let mut threatening = reading.signals.iter().filter(|heard| threatens(heard));
        let only_a_hint =
            threatening.all(|heard| of_danger(heard) && heard.confidence < ALL_BUT_SURE);
        // Blows of another day say nothing of now.
        let of_now = |heard: &HeardSignal| threatens(heard) && !heard.signal.is_abuse();
        leaves_open(reading)
            && reading.asserts(Signal::ViolenceNow, WORTH_ASKING).is_some()
            && only_a_hint
            && ((!self.was_beaten() || self.was_on_an_earlier_day())
                && self.was_asked_of_danger_as_everybody_is(reading, pending, of_now)
                || self.is_doubted_once(reading, pending))
    }

    /// "No." - "He's kicking the door in now": the whole call spoke against it, and there is no question left to make sure by.
    fn is_told_after_all_questions(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let told = reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE);
        let asked_of_another = self.state.was_asked(Question::OtherInDanger);
        reading.doubts.contains(&Doubt::DangerNow)
            && !pending.is_some_and(Question::asks_of_danger)
            && told.is_some_and(|heard| {
                self.state.times_asked_of_danger() >= 2 || heard.of_others && asked_of_another
            })
    }

    /// "He's kicking the door in." - "Is anyone hurting you right now?" - "He's kicking the door in, I'm in the bedroom.": doubted, and told again
    /// in the answer.
    fn is_told_again(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let this_turn = self.state.turns.saturating_sub(1);
        let told_before = self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            noted.turn < this_turn
                && s.signal == Signal::ViolenceNow
                && !s.denied
                && !s.remote
                && s.confidence >= ALL_BUT_SURE
        });
        pending == Some(Question::DangerNow)
            && reading.doubts.contains(&Doubt::DangerNow)
            && reading.answer.yes != Some(false)
            && reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE).is_some()
            && told_before
    }

    /// Told, and it was asked about once.
    pub(super) fn is_told_after_a_question(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        reading.doubts.contains(&Doubt::DangerNow)
            && !pending.is_some_and(Question::asks_of_danger)
            && reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE).is_some()
            && self.state.times_asked_of_danger() == 1
    }

    /// "Is anyone hurting you right now?" - "In the game, always.": the whole call speaks against it, and it was asked once so far.
    fn is_doubted_once(&self, reading: &Reading, pending: Option<Question>) -> bool {
        pending == Some(Question::DangerNow)
            && reading.doubts.contains(&Doubt::DangerNow)
            && !reading.calls_for_help
            && !self.state.may_be_overheard()
            && self.state.times_asked_of_danger() < 2
    }

    /// "A public health danger, yes. Rats." - "Is someone hurting you now?" - "A public health danger, yes. Rats.": where the whole call
    /// speaks against it, the same words said again are no more of a yes than before.
    fn repeats_what_is_doubted(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let this_turn = self.state.turns.saturating_sub(1);
        let said_before = self.state.signals.iter().any(|noted| {
            noted.turn < this_turn
                && noted.heard.signal == Signal::ViolenceNow
                && noted.heard.words == reading.words
        });
        pending == Some(Question::DangerNow)
            && reading.doubts.contains(&Doubt::DangerNow)
            && !(reading.answer.yes == Some(true) && reading.answer.agreed)
            && reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE).is_none()
            && !reading.calls_for_help
            && !self.state.may_be_overheard()
            && said_before
    }

    /// Once so far, and nothing that threatens was heard before.
    fn was_asked_of_danger_as_everybody_is(
        &self,
        reading: &Reading,
        pending: Option<Question>,
        threatens: impl Fn(&HeardSignal) -> bool,
    ) -> bool {
        let this_turn = self.state.turns.saturating_sub(1);
        let mut before = self
            .state
            .signals
            .iter()
            .filter(|noted| noted.turn < this_turn);
        pending == Some(Question::DangerNow)
            && !before.any(|noted| threatens(&noted.heard))
            && self.state.safe_now != Some(false)
            && !reading.calls_for_help
            && self.state.times_asked(Question::DangerNow) < 2
    }

    /// One reader had next to no doubt of the danger, and twice it was not denied.
    fn left_unanswered_twice(&self, reading: &Reading, pending: Option<Question>) -> bool {
        pending.is_some_and(|question| self.state.times_asked(question) >= 2)
            && leaves_open(reading)
            && self.danger_is_all_but_sure()
    }

    /// Whether somebody is hurting them was answered with neither a yes nor a no: it is put once more.
    pub(super) fn asks_of_danger_again(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        let (question, theme) = match pending {
            Some(Question::DangerNow) => (Question::DangerNow, Theme::Afraid),
            Some(Question::OtherInDanger) if self.hurt_somebody() => {
                (Question::OtherInDanger, Theme::OwnDoing)
            }
            Some(Question::OtherInDanger) => (Question::OtherInDanger, Theme::ForSomeoneElse),
            _ => return false,
        };
        // "As we speak." - "Is anyone hurting you right now?" - "She's between me and the door."; or "now he come with the bar" -
        // "They are at room forty-one."
        let minutes_ago = question == Question::DangerNow && self.was_beaten_minutes_ago();
        let unclear = (question == Question::DangerNow && reading.answer.disputed
            || leaves_open(reading)
                && (minutes_ago
                    || self.was_told_of_danger(question, reading)
                    || self.told_of_something_grave() && self.is_doubted_once(reading, pending))
            || self.may_be_no_yes_to_danger(reading, pending))
            && self.state.times_asked(question) < 2;
        if unclear {
            self.moves.push(Move::Reflect(theme));
            self.ask(question);
        }
        unclear
    }

    /// A danger was told all but surely; where it is asked of themselves, or answered of themselves when asked of another, a hint
    /// of it is enough.
    fn was_told_of_danger(&self, question: Question, reading: &Reading) -> bool {
        let of_who_was_asked = question == Question::DangerNow || reading.answer.of_themselves;
        let hinted = self.told_from(&[Signal::ViolenceNow], WORTH_ASKING);
        self.danger_is_all_but_sure() || of_who_was_asked && hinted
    }

    /// A danger was told so surely, and was not denied.
    fn danger_is_all_but_sure(&self) -> bool {
        self.told_from(&[Signal::ViolenceNow], ALL_BUT_SURE)
    }

    /// What was told happened on an earlier day, by the caller's own account.
    pub(super) fn was_on_an_earlier_day(&self) -> bool {
        let incident = self.state.incident.as_ref();
        incident.is_some_and(|known| known.heard.value.days_ago > 0)
    }

    pub(super) fn told_of_something_grave(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied && !s.remote && s.confidence >= SURE && s.signal.is_lethality_marker()
        })
    }

    /// The caller was hurt minutes ago; or, asked when it was, whatever was done to them goes on ("now, they haven't go").
    pub(super) fn hurt_within_the_hour(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        let minutes_ago = reading
            .incident
            .as_ref()
            .is_some_and(|incident| incident.value.just_now);
        let harmed = self.was_beaten()
            || self.was_threatened()
            || pending == Some(Question::IncidentTime)
                && self.told_from(&[Signal::EmotionalAbuse, Signal::Fear], SURE);
        minutes_ago && harmed && self.state.transfers.is_empty()
    }

    fn was_beaten_minutes_ago(&self) -> bool {
        let incident = self.state.incident.as_ref();
        incident.is_some_and(|known| known.heard.value.just_now) && self.was_beaten()
    }

    fn was_threatened(&self) -> bool {
        self.told_from(&[Signal::ThreatToKill, Signal::Weapon], SURE)
    }

    pub(super) fn was_beaten(&self) -> bool {
        // What is doubted is told no surer than that.
        let from = match self.state.doubts.contains(&Doubt::Need) {
            true => NEARLY_SURE,
            false => SURE,
        };
        self.told_from(&[Signal::PhysicalAbuse, Signal::Strangulation], from)
    }
}

/// It may mean danger or harm, at this time.
fn threatens(heard: &HeardSignal) -> bool {
    let signal = heard.signal;
    let of_harm = signal.is_high_risk()
        || signal.is_abuse()
        || signal.is_lethality_marker()
        || matches!(
            signal,
            Signal::Fear | Signal::NotSafeToTalk | Signal::CannotSpeak
        );
    of_harm && !heard.denied && !heard.remote && heard.confidence >= WORTH_ASKING
}

/// "Now he not home", "that is all long behind me", "show only": a yes that one reader alone hears in it is none. "He sleep
/// now, but he wake up he beat again" tells of more.
pub(super) fn told_as_over(reading: &Reading) -> bool {
    let tells_of_harm = reading.signals.iter().any(|s| {
        !s.denied
            && !s.remote
            && s.confidence >= WORTH_ASKING
            && (s.signal.is_abuse() || s.signal.is_lethality_marker())
    });
    !reading.answer.agreed
        && !tells_of_harm
        && (reading.asserts(Signal::Safe, WORTH_ASKING).is_some()
            || reading.answer.means_otherwise
            || reading.tells_of_long_ago)
}

/// The question whether somebody is being hurt got neither a yes nor a no, and nothing that speaks against it.
fn leaves_open(reading: &Reading) -> bool {
    let answer = &reading.answer;
    answer.yes.is_none()
        && !answer.refuses
        && !answer.means_otherwise
        && !answer.asks_why
        && !answer.say_again
        && reading.asserts(Signal::Safe, WORTH_ASKING).is_none()
        && reading.asserts(Signal::Goodbye, SURE).is_none()
}
