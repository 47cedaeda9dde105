//! Whether a turn tells of suicide, or answers the question about it with as much as a yes.

use super::{Machine, Move, Question, Theme};
use crate::reading::{
    ALL_BUT_SURE, Doubt, Leaning, NEARLY_SURE, Reading, SURE, Signal, WORTH_ASKING,
};

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
        if self.may_be_no_suicide(reading, pending) {
            return false;
        }
        // "No, I just want it to stop, the scolding. Not die."
        if asked && reading.answer.disputed {
            return self.tells_of_suicide(reading) || self.asked_twice_of_suicide();
        }
        let denied = asked
            && reading.answer.yes == Some(false)
            && reading.answer.means_otherwise
            && reading.asserts(Signal::SuicidalDirect, SURE).is_none();
        // The whole call spoke against it, and there is no question left to make sure by.
        let after_all_questions = !asked
            && self.asked_twice_of_suicide()
            && reading.doubts.contains(&Doubt::Suicide)
            && reading
                .asserts(Signal::SuicidalDirect, ALL_BUT_SURE)
                .is_some();
        after_all_questions
            || !denied && self.tells_of_suicide(reading)
            || asked && self.as_much_as_a_yes(reading, pending)
    }

    /// "Are you having thoughts of ending your life?" - "I joke about it, I don't want to.": the whole call speaks against it. Of the first answer
    /// only a plain yes counts before it was asked once more, of the second neither a no that one reader alone hears nor the first one said again; beside
    /// the question, what is told sideways counts after it was asked twice and no reader heard a no.
    pub(super) fn may_be_no_suicide(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let plain_yes = reading.answer.yes == Some(true) && reading.answer.agreed;
        let harmed = [Signal::SelfHarmNow, Signal::OverdoseNow]
            .into_iter()
            .any(|signal| reading.asserts(signal, SURE).is_some());
        let told = reading
            .asserts(Signal::SuicidalDirect, ALL_BUT_SURE)
            .is_some();
        let this_turn = self.state.turns.saturating_sub(1);
        let mut before =
            self.state.signals.iter().filter(|noted| {
                noted.turn < this_turn && noted.heard.signal == Signal::SuicidalDirect
            });
        let doubted = reading.doubts.contains(&Doubt::Suicide)
            && !harmed
            && reading.asserts(Signal::Goodbye, SURE).is_none();
        match (pending, self.state.times_asked_of_suicide()) {
            (Some(Question::OtherSuicidal), _) | (_, 0) => false,
            (Some(Question::Suicidal), 1) => doubted && !plain_yes,
            (Some(Question::Suicidal), _) => {
                let no = reading.answer.yes == Some(false) && !told;
                let again = before.any(|noted| noted.heard.words == reading.words) && !told;
                doubted && !plain_yes && (no || again)
            }
            (_, 1) => doubted,
            (_, _) => doubted && !told && before.any(|noted| noted.heard.denied),
        }
    }

    /// Said straight; or sideways, after it was asked about.
    fn tells_of_suicide(&self, reading: &Reading) -> bool {
        let sure = |signal: Signal| reading.asserts(signal, SURE).is_some();
        let asked_before = self.state.was_asked(Question::Suicidal)
            || self.state.was_asked(Question::OtherSuicidal);
        if asked_before && !self.denied_suicide() && self.adds_up(reading) {
            return true;
        }
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
        let told = SUICIDAL
            .into_iter()
            .any(|signal| reading.asserts(signal, SURE).is_some());
        // Where little pointed to it before, what can be a yes is worth the question once more.
        let settled = self.plainly_hinted_at_suicide() || self.asked_twice_of_suicide();
        let half_a_no =
            (answer.wavers || answer.declines_to_say) && self.plainly_hinted_at_suicide();
        // What one reader only hints at is a yes neither the second time.
        let nearly_told = half_told(reading)
            && answer.yes != Some(false)
            && reading
                .asserts(Signal::SuicidalDirect, NEARLY_SURE)
                .is_some();
        if !answer.means_otherwise && (told || half_a_no || settled && nearly_told) {
            return true;
        }
        if answer.say_again {
            return false;
        }
        let hedges_again = answer.hedges && self.asked_twice_of_suicide();
        if self.never_plainly_denied(reading, pending)
            || hedges_again && !answer.means_otherwise && pending == Some(Question::Suicidal)
        {
            return true;
        }
        if let Some(yes) = answer.yes {
            return yes && !self.may_be_no_yes(reading, pending);
        }
        let hint = reading
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some();
        // "I'm not sure" of somebody else is no more than that; and who refuses, when only something leant there, is asked
        // once more: at once, or, where they will not speak of it, after having been listened to.
        let of_another = pending == Some(Question::OtherSuicidal);
        let undecided = (answer.unsure || answer.refuses)
            && (self.hinted_at_suicide() && !of_another
                || pending == Some(Question::Suicidal)
                    && (reading.word_count <= BRIEF && settled
                        || self.state.leant_to_suicide && (settled || answer.unsure)));
        let no_no = !answer.asks_why
            && !answer.means_otherwise
            && (self.plainly_hinted_at_suicide()
                || self.state.leant_to_suicide
                    && self.asked_twice_of_suicide()
                    && shies_away(reading));
        // One reader had next to no doubt, and twice it was not denied.
        let undenied = self.asked_twice_of_suicide() && self.hinted_from(ALL_BUT_SURE);
        settled && hint || undecided || no_no || undenied
    }

    /// "Are you thinking of ending your life?" - "Already bought the bus ticket.": what one reader alone takes for a yes, of
    /// whom no sign of it was heard, is asked about once more.
    pub(super) fn may_be_no_yes(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let this_turn = self.state.turns.saturating_sub(1);
        let pointed_there = self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            noted.turn < this_turn
                && SUICIDAL.contains(&s.signal)
                && !s.denied
                && s.confidence >= WORTH_ASKING
        });
        pending == Some(Question::Suicidal)
            && reading.answer.yes == Some(true)
            && !reading.answer.agreed
            && !pointed_there
            && reading.asserts(Signal::Goodbye, SURE).is_none()
            && !self.asked_twice_of_suicide()
    }

    /// "Just one step and I can be with him." - "Are you thinking of ending your life?" - "I am not bad person, Sister.":
    /// two things pointed there, twice it was asked about, and no "no" was heard by both readers.
    fn never_plainly_denied(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let answer = &reading.answer;
        let plain_no = answer.yes == Some(false) && answer.agreed;
        pending == Some(Question::Suicidal)
            && self.asked_twice_of_suicide()
            && self.state.turns_that_hinted_at_suicide >= 2
            && !plain_no
            && !answer.asks_why
            && !answer.means_otherwise
    }

    /// The answer to the question about suicide is neither a yes nor a no: it is put once more,
    /// shorter.
    pub(super) fn asks_of_suicide_again(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> bool {
        // "I don't want any of this any more" refuses, and does not say that it will not be spoken of.
        let turned_away = reading.answer.refuses
            && (reading.answer.declines_to_say || !self.state.leant_to_suicide);
        // "Two weeks of milk, until he's used to formula after me." - "He'll just have a clean start.": a no that one reader
        // alone hears, where the words before it were nearly sure.
        let barely_denied = reading.answer.yes == Some(false)
            && !reading.answer.agreed
            && self.hinted_from(NEARLY_SURE);
        let hedged = self.leaves_suicide_open(reading, pending);
        let unclear = matches!(pending, Some(Question::Suicidal))
            && (self.state.leant_to_suicide
                || self.hinted_at_suicide()
                || reading.answer.disputed
                || reading.answer.unsure
                || half_told(reading)
                || reading.word_count <= BRIEF)
            && (reading.answer.yes.is_none() || half_told(reading) || barely_denied || hedged)
            && !turned_away
            && !reading.answer.means_otherwise
            && !reading.answer.asks_why
            && reading.asserts(Signal::Goodbye, SURE).is_none()
            && !self.asked_twice_of_suicide();
        // Of the second answer it is no reason to ask again.
        let doubted_yes = reading.answer.yes == Some(true)
            && !self.asked_twice_of_suicide()
            && self.may_be_no_suicide(reading, pending);
        let asks = unclear || doubted_yes || self.may_be_no_yes(reading, pending);
        if asks {
            self.moves.push(Move::Reflect(Theme::Low));
            self.ask(Question::Suicidal);
        }
        asks
    }

    /// "Technically, no.", "Not tonight.": a no that is no denial, and is asked about once more.
    pub(super) fn leaves_suicide_open(&self, reading: &Reading, pending: Option<Question>) -> bool {
        let answer = &reading.answer;
        pending == Some(Question::Suicidal)
            && answer.hedges
            && answer.yes == Some(false)
            && !answer.means_otherwise
            && !self.asked_twice_of_suicide()
    }

    /// "Don't ask me that": not a yes, and not a no to be content with.
    pub(super) fn remember_turned_away(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
        turn: usize,
    ) {
        let answer = &reading.answer;
        let turned_away = answer.refuses && answer.yes.is_none() && !answer.means_otherwise;
        if pending == Some(Question::Suicidal) && turned_away {
            self.state.suicide_turned_away = Some(turn);
        }
    }

    /// Who turned the question away is asked once more, after having been listened to.
    pub(super) fn suicide_is_due_again(&self) -> bool {
        const TURNS_BETWEEN: usize = 3;
        let turned_away = self.state.suicide_turned_away;
        turned_away.is_some_and(|at| self.state.turns > at + TURNS_BETWEEN)
            && self.state.times_asked_of_suicide() == 1
    }

    /// Something pointed there that was no answer to the question about it. A plain no ends the count.
    pub(super) fn remember_hints_at_suicide(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
    ) {
        let answer = &reading.answer;
        if matches!(pending, Some(Question::Suicidal | Question::OtherSuicidal)) {
            if answer.yes == Some(false) && answer.agreed && !answer.hedges {
                self.state.turns_that_hinted_at_suicide = 0;
            }
            return;
        }
        let hints = SUICIDAL
            .into_iter()
            .any(|signal| reading.asserts(signal, WORTH_ASKING).is_some());
        self.state.turns_that_hinted_at_suicide += u32::from(hints);
    }

    /// The question was put, and both readers heard a no.
    pub(super) fn denied_suicide(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            noted.heard.signal == Signal::SuicidalDirect && noted.heard.denied && noted.answers
        })
    }

    /// After the question, and no plain no to it: told nearly surely, for the second time or after the
    /// question was put twice; or hinted at for the third time. The same words said again are no
    /// second time.
    fn adds_up(&self, reading: &Reading) -> bool {
        let nearly = reading
            .asserts(Signal::SuicidalDirect, NEARLY_SURE)
            .is_some();
        let hinted = SUICIDAL
            .into_iter()
            .any(|signal| reading.asserts(signal, WORTH_ASKING).is_some());
        let turns = |signals: &[Signal], from: f32| {
            let told = self.state.signals.iter().filter(|noted| {
                let s = &noted.heard;
                signals.contains(&s.signal) && !s.denied && !s.remote && s.confidence >= from
            });
            let mut different = Vec::new();
            for noted in told {
                if !different.contains(&&noted.heard.words) {
                    different.push(&noted.heard.words);
                }
            }
            different.len()
        };
        nearly
            && (self.asked_twice_of_suicide() || turns(&[Signal::SuicidalDirect], NEARLY_SURE) >= 2)
            || hinted && turns(&SUICIDAL, WORTH_ASKING) >= 3
    }

    fn asked_twice_of_suicide(&self) -> bool {
        self.state.times_asked_of_suicide() >= 2
    }

    /// A sign was told that would be acted on, had it not been told sideways.
    fn plainly_hinted_at_suicide(&self) -> bool {
        self.hinted_from(SURE)
    }

    /// Something pointed to suicide so surely, and was not denied.
    fn hinted_from(&self, confidence: f32) -> bool {
        self.told_from(&SUICIDAL, confidence)
    }

    /// Something pointed to suicide, if only a hint of a pattern's, now or once.
    fn hinted_at_suicide(&self) -> bool {
        self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            SUICIDAL.contains(&s.signal) && !s.denied && s.confidence >= WORTH_ASKING
        })
    }
}

/// Words for it that one reader hears, beside what is no plain no.
fn half_told(reading: &Reading) -> bool {
    let plain_no = reading.answer.yes == Some(false) && reading.answer.agreed;
    let sign = reading.asserts(Signal::SuicidalDirect, WORTH_ASKING);
    sign.is_some() && !plain_no
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
