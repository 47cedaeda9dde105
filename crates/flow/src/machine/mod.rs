//! What to do next: the specification's conversation flow, step by step.
//!
//! Signals and facts in, moves out. It chooses no words and reads none: what a turn says has been
//! read by `understanding`, and how a move sounds is `wording`'s.
//!
//! The order in which things count, at every step:
//!
//! 1. suicidal signs → SOS, warm, at once;
//! 2. violence now → SPF: safe to talk? name, unit address, account, when, warm (steps 2 to 5);
//! 3. the answer to what was asked;
//! 4. shelter → FSC, sexual assault → SACC, violence at home → DVERT or PAVE, other abuse → by age
//!    CPS, APS or NAVH, all cold;
//! 5. otherwise open counselling (step 6).

mod cold;
mod counselling;
mod danger;
mod memory;
mod moves;
mod screening;
mod state;
mod warm;
mod withdrawn;

pub(crate) use moves::{Move, Question, Theme};
pub(crate) use state::{Known, Name, Noted, Refused, Route, State};

use crate::{
    EndReason, Knowledge, Suggestion, held,
    understanding::{self, Context, SURE, Signal, Understanding, WORTH_ASKING},
};

/// The state machine, for the length of one event.
pub(crate) struct Machine<'a> {
    pub state: &'a mut State,
    /// Heard elsewhere in the turn's words.
    pub suggestions: &'a [Suggestion],
    pub knowledge: &'a Knowledge,
    pub called_at: jiff::civil::DateTime,
    pub moves: Vec<Move>,
}

/// This many stretches of speech without a word in them, running, and the call is closed with the
/// numbers to ring.
const GIVE_UP_AFTER: u32 = 6;
/// In the police path, connect rather than ask on after so many.
const CONNECT_AFTER: u32 = 2;

impl Machine<'_> {
    pub fn call_started(&mut self) {
        self.moves.push(Move::Greet);
        self.state.pending = Some(Question::SafeNow);
        self.state.asked.insert(Question::SafeNow, 1);
    }

    pub fn caller_silent(&mut self) {
        self.state.silences += 1;
        self.moves.push(Move::CheckIn(self.state.silences));
    }

    pub fn not_understood(&mut self) {
        self.state.not_understood += 1;
        let times = self.state.not_understood;
        if self.in_police_path() && times > CONNECT_AFTER {
            return self.connect();
        }
        self.moves.push(Move::NotUnderstood(times));
        if times >= GIVE_UP_AFTER {
            self.moves.push(Move::Farewell);
            self.end();
        }
    }

    pub fn caller_said(&mut self, words: &str) {
        let turn = self.state.turns;
        self.state.turns += 1;
        self.state.not_understood = 0;
        self.state.silences = 0;
        let pending = self.state.pending.take();
        let mut understood = understanding::understand(
            words,
            &Context {
                called_at: self.called_at,
                asked: pending.map_or(understanding::Asked::Other, Question::asked),
                person: self.state.person.clone(),
            },
        );
        held::admit(self.suggestions, words, &mut understood);
        self.remember(&understood, pending, words, turn);
        self.remember_danger(&understood, pending, words, turn);

        if self.suicidal(&understood, pending) {
            return self.reach_samaritans(&understood);
        }
        if self.violence(&understood, pending) {
            self.note_answer(Signal::ViolenceNow, words, turn);
            return self.reach_police(&understood);
        }
        if self.in_police_path() {
            return self.police_answer(&understood, pending);
        }
        if self.asks_of_suicide_again(&understood, pending) {
            return;
        }
        // Danger hinted at is made sure of at whatever step; the question left open waits.
        if self.makes_sure(&understood) {
            self.state.interrupted = pending;
            return;
        }
        if self.takes_leave(&understood, pending)
            && understood.word_count <= 14
            && !self.brings_something_new(&understood)
        {
            return self.goodbye();
        }
        self.answer(&understood, pending, words);
    }

    fn answer(&mut self, understood: &Understanding, pending: Option<Question>, words: &str) {
        if self.withdraws(understood, pending) {
            return;
        }
        if self.about_the_talk(understood, pending) {
            return;
        }
        if let Some(question) = pending
            && self.wants_question_again(understood, question, words)
        {
            return;
        }
        match pending {
            Some(Question::SafeNow) => self.safety_answer(understood, words),
            Some(
                Question::Consent | Question::Name | Question::Address | Question::IncidentTime,
            ) if self.state.route.is_some() => self.cold_answer(understood, pending),
            Some(Question::MoreSupport) => self.more_support_answer(understood),
            _ => {
                self.yes_no_answer(understood, pending, words);
                if self.hurt_perhaps_now(understood, pending) {
                    self.moves.push(Move::Reflect(Theme::Hurt));
                    return self.ask(Question::DangerNow);
                }
                if let Some(question) = pending
                    && question.makes_sure()
                    && self.resumes(understood)
                {
                    return;
                }
                self.step_six(understood, pending, words);
            }
        }
    }

    pub(crate) fn ask(&mut self, question: Question) {
        let times = self.state.asked.entry(question).or_default();
        *times += 1;
        self.moves.push(
            if *times == 1 || question == Question::Open || question == Question::MoreSupport {
                Move::Ask(question)
            } else {
                Move::AskAgain(question)
            },
        );
        self.state.pending = Some(question);
    }

    /// Shows that the answer was taken, and how: a name or a place just given is said back once, so
    /// that the caller can put it right without being asked.
    pub(crate) fn acknowledge(&mut self) {
        let this_turn = self.state.turns.saturating_sub(1);
        let named = self
            .state
            .name
            .as_ref()
            .is_some_and(|n| n.turn == this_turn);
        let placed = self
            .state
            .place
            .as_ref()
            .is_some_and(|p| p.turn == this_turn);
        self.moves.push(match (named, placed) {
            (_, true) => Move::SayPlaceBack,
            (true, false) => Move::ThankByName,
            (false, false) => Move::Acknowledge,
        });
    }

    pub(crate) fn end(&mut self) {
        self.moves.push(Move::End);
        self.state.ended = Some(EndReason::AssistantEnded);
        self.state.pending = None;
    }

    /// "Yes, that's it exactly" and "no, I just want to sleep" answer what was asked; "no, bye" does
    /// more.
    fn takes_leave(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        let Some(heard) = understood.asserts(Signal::Goodbye, SURE) else {
            return false;
        };
        let words = heard.words.expose_secret().to_lowercase();
        let plain = [
            "bye",
            "hang up",
            "good night",
            "goodnight",
            "to go",
            "gotta",
        ]
        .iter()
        .any(|word| words.contains(word));
        let answers = understood.answer.yes.is_some()
            && pending.is_some_and(|question| {
                !matches!(question, Question::Open | Question::MoreSupport)
            });
        plain || !answers
    }

    /// The caller wants to go.
    fn goodbye(&mut self) {
        if let Some(route) = self.state.route
            && self.state.consented
        {
            // The case was to be shared; the rest of the details can wait.
            self.pass_on(route.agency);
        }
        self.moves.push(Move::Farewell);
        self.end();
    }

    fn brings_something_new(&self, understood: &Understanding) -> bool {
        understood.signals.iter().any(|s| {
            !s.denied
                && s.confidence >= SURE
                && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
                && !s.remote
        })
    }

    /// A "why" or a "say that again" gets its answer and the question once more: it was not
    /// declined.
    fn wants_question_again(
        &mut self,
        understood: &Understanding,
        question: Question,
        words: &str,
    ) -> bool {
        const AGAIN: u32 = 2;
        let answered = match question {
            Question::Name => {
                understood.name.is_some() || self.state.refused.contains(&Refused::Name)
            }
            Question::Address => {
                understood.place.is_some() || self.state.refused.contains(&Refused::Location)
            }
            Question::Age => understood.age.is_some() || self.state.refused.contains(&Refused::Age),
            Question::IncidentTime => understood.incident.is_some(),
            Question::Consent => understood.answer.yes.is_some() && !understood.answer.asks_why,
            _ => understood.answer.yes.is_some(),
        };
        let counts = !matches!(
            question,
            Question::Open | Question::MoreSupport | Question::SafeNow | Question::SafeToTalk
        );
        if answered || !counts || self.state.times_asked(question) >= AGAIN {
            return false;
        }
        if understood.answer.say_again {
            self.ask(question);
            return true;
        }
        if says_next_to_nothing(understood, question) {
            self.moves.push(Move::YesNoIsEnough);
            self.ask(question);
            return true;
        }
        if understood.answer.asks_why
            && understood
                .asserts(Signal::ViolenceNow, WORTH_ASKING)
                .is_none()
        {
            let personal = matches!(
                question,
                Question::Name | Question::Address | Question::Age | Question::IncidentTime
            );
            let fallback = if personal {
                "why-personal-details"
            } else {
                "consent"
            };
            let entry = self.look_up(words).unwrap_or_else(|| fallback.to_owned());
            self.moves.push(Move::LookUp(entry.clone()));
            self.moves.push(Move::Inform(entry));
            self.ask(question);
            return true;
        }
        false
    }

    /// The name of the knowledge entry that answers.
    pub(crate) fn look_up(&self, question: &str) -> Option<String> {
        self.knowledge
            .look_up(question)
            .map(|entry| entry.id.clone())
    }
}

/// A word or two that are neither a yes nor a no, nor a piece of the story: likely misheard.
fn says_next_to_nothing(understood: &Understanding, question: Question) -> bool {
    const NEXT_TO_NOTHING: usize = 3;
    let answer = &understood.answer;
    matches!(
        question,
        Question::HurtBefore
            | Question::PutDown
            | Question::SexualHarm
            | Question::NeedsShelter
            | Question::BySpouse
    ) && (1..=NEXT_TO_NOTHING).contains(&understood.word_count)
        && understood.signals.is_empty()
        && understood.person.is_none()
        && understood.topic.is_none()
        && !(answer.unsure
            || answer.refuses
            || answer.means_otherwise
            || answer.names_a_blow
            || answer.has_a_place)
        && !understood.by_a_small_child_or_animal
}
