//! What to do next: the specification's conversation flow, step by step.
//!
//! Signals and facts in, moves out. It chooses no words and reads none: what a turn says has been
//! read by a reader, and how a move sounds is `wording`'s.
//!
//! The order in which things count, at every step:
//!
//! 1. violence now → SPF: safe to talk? name, unit address, account, when, warm (steps 2 to 5); who
//!    speaks of dying beside it is told the suicide line's number;
//! 2. suicidal signs → SOS, warm, at once;
//! 3. the answer to what was asked;
//! 4. shelter → FSC, sexual assault → SACC, violence at home → DVERT or PAVE, other abuse → by age
//!    CPS, APS or NAVH, all cold;
//! 5. otherwise open counselling (step 6).

mod address;
mod cold;
mod counselling;
mod danger;
mod hand_over;
mod hinted;
mod memory;
mod moves;
mod over;
mod own_violence;
mod screening;
mod state;
mod suicide;
mod violence;
mod warm;
mod withdrawn;

pub use moves::Question;
pub(crate) use moves::{Move, Telling, Theme};
pub(crate) use state::{HandOver, Known, Name, Noted, Refused, Route, Stands, State};

use redact::Secret;

use crate::{
    EndReason, Knowledge, ProgramsWords, Suggestion, held,
    reading::{Leave, Reading, SURE, Signal, WORTH_ASKING},
};

/// The state machine, for the length of one event.
pub(crate) struct Machine<'a> {
    pub state: &'a mut State,
    /// Heard elsewhere in the turn's words.
    pub suggestions: &'a [Suggestion],
    pub knowledge: &'a Knowledge,
    pub program: &'a ProgramsWords,
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

    pub fn caller_to_speak_first(&mut self) {
        self.state.greeting_waits = true;
    }

    pub fn caller_silent(&mut self) {
        if self.state.is_with_officer() {
            return;
        }
        if std::mem::take(&mut self.state.greeting_waits) {
            return self.call_started();
        }
        if self.state.is_connecting() {
            return self.moves.push(Move::SilentMeanwhile);
        }
        self.state.silences += 1;
        self.moves.push(Move::CheckIn(self.state.silences));
    }

    pub fn not_understood(&mut self) {
        if self.state.is_on_hold() {
            return self.moves.push(Move::NotUnderstoodMeanwhile);
        }
        if self.state.is_with_officer() {
            return;
        }
        if std::mem::take(&mut self.state.greeting_waits) {
            return self.call_started();
        }
        if self.state.is_connecting() {
            return self.moves.push(Move::NotUnderstoodMeanwhile);
        }
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

    pub fn caller_said(&mut self, mut reading: Reading) {
        let turn = self.state.turns;
        self.state.turns += 1;
        self.state.not_understood = 0;
        self.state.silences = 0;
        let pending = self.state.pending.take();
        held::admit(self.suggestions, &mut reading);
        let reading = &reading;
        self.remember(reading, pending, turn);
        self.remember_danger(reading, pending, turn);
        self.remember_turned_away(reading, pending, turn);
        self.remember_hints_at_suicide(reading, pending);
        self.remember_hints_at_shelter(reading);
        if self.state.is_on_hold() {
            return self.said_on_hold(reading);
        }
        if self.state.is_with_officer() {
            return;
        }
        if self.state.is_connecting() {
            return self.said_while_ringing(reading);
        }
        let greets = std::mem::take(&mut self.state.greeting_waits);
        if greets {
            self.moves.push(Move::Greet);
        }
        self.decide(reading, pending, turn);
        if greets {
            self.asks_whether_safe();
        }
        self.take_up_hint();
    }

    /// What every call begins with is asked now that the caller has spoken first, unless something more pressing is.
    fn asks_whether_safe(&mut self) {
        let asks_on = self.state.pending == Some(Question::Open);
        if !asks_on || self.state.safe_now.is_some() {
            return;
        }
        if matches!(
            self.moves.last(),
            Some(Move::Ask(Question::Open) | Move::AskAbout(_))
        ) {
            self.moves.pop();
        }
        self.ask(Question::SafeNow);
    }

    fn decide(&mut self, reading: &Reading, pending: Option<Question>, turn: usize) {
        if self.violence(reading, pending) {
            self.note_answer(Signal::ViolenceNow, reading, turn);
            return self.reach_police(reading, pending);
        }
        if self.in_police_path() {
            return self.police_answer(reading, pending);
        }
        let waited = std::mem::take(&mut self.state.suicide_waits);
        let suicidal = self.suicidal(reading, pending);
        // "I keep forgetting to die." - "Is anyone hurting you?" - "It's a play, I promise.": then the words for dying may
        // have been the play's too.
        if waited && !suicidal && reading.answer.means_otherwise {
            self.moves.push(Move::Reflect(Theme::Low));
            return self.ask(Question::Suicidal);
        }
        if suicidal || waited {
            if self.asks_of_danger_first(reading) {
                self.state.suicide_waits = true;
                return;
            }
            return self.reach_samaritans(reading);
        }
        if self.asks_of_suicide_again(reading, pending)
            || self.asks_of_danger_again(reading, pending)
        {
            return;
        }
        if self.connects_again(reading) {
            return;
        }
        // Danger hinted at is made sure of at whatever step; the question left open waits.
        if self.makes_sure(reading, pending) {
            self.remember_consent(reading, pending);
            self.state.interrupted = pending;
            return;
        }
        if self.takes_leave(reading, pending)
            && reading.word_count <= 14
            && !self.brings_something_new(reading)
        {
            return self.goodbye();
        }
        self.answer(reading, pending);
    }

    fn answer(&mut self, reading: &Reading, pending: Option<Question>) {
        if self.withdraws(reading, pending) {
            return;
        }
        if self.about_the_talk(reading, pending) {
            return;
        }
        if let Some(question) = pending
            && self.wants_question_again(reading, question)
        {
            return;
        }
        match pending {
            Some(Question::SafeNow) => self.safety_answer(reading),
            Some(
                Question::Consent
                | Question::Name
                | Question::Address
                | Question::IncidentTime
                | Question::SafeContact,
            ) if self.is_of_the_route(pending) => self.cold_answer(reading, pending),
            Some(Question::MoreSupport) => self.more_support_answer(reading),
            Some(Question::CallBack) => self.call_back_answer(reading),
            Some(Question::CallBackRight) => self.call_back_right_answer(reading),
            _ => {
                self.acknowledge_place(reading, pending);
                self.yes_no_answer(reading, pending);
                if self.hurt_perhaps_now(reading, pending) {
                    self.moves.push(Move::Reflect(Theme::Hurt));
                    return self.ask(Question::DangerNow);
                }
                if self.asks_of_suicide_next(pending) {
                    return;
                }
                if let Some(question) = pending
                    && (question.makes_sure() || question == Question::NeedsShelter)
                    && self.resumes(reading)
                {
                    return;
                }
                self.step_six(reading, pending);
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

    /// Asks for the first time, of whoever gave no sign of it.
    pub(crate) fn ask_softly(&mut self, question: Question) {
        *self.state.asked.entry(question).or_default() += 1;
        self.moves.push(Move::AskSoftly(question));
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

    /// What was asked is for the case that is to be passed on.
    pub(crate) fn is_of_the_route(&self, pending: Option<Question>) -> bool {
        let on_a_hint =
            pending.is_some_and(|question| self.state.asked_on_a_hint.contains(&question));
        self.state.route.is_some() && !on_a_hint
    }

    /// Where they are, asked without a case to pass on, is heard all the same.
    fn acknowledge_place(&mut self, reading: &Reading, pending: Option<Question>) {
        if pending != Some(Question::Address) {
            return;
        }
        if reading.place.is_some() {
            self.acknowledge();
        } else if self.state.refused.contains(&Refused::Location) {
            self.moves.push(Move::RespectRefusal);
        }
    }

    pub(crate) fn end(&mut self) {
        self.moves.push(Move::End);
        self.state.ended = Some(EndReason::AssistantEnded);
        self.state.pending = None;
    }

    /// "Yes, that's it exactly" and "no, I just want to sleep" answer what was asked; "no, bye" does
    /// more.
    fn takes_leave(&self, reading: &Reading, pending: Option<Question>) -> bool {
        if reading.calls_for_help {
            return false;
        }
        let answers = reading.answer.yes.is_some()
            && pending.is_some_and(|question| {
                !matches!(question, Question::Open | Question::MoreSupport)
            });
        // "Good night, one question only", "I just want to sleep": nobody rings to say goodbye.
        const ONLY_GOODBYE: usize = 6;
        let is_plain = reading.leave == Some(Leave::Plain);
        let asks_of_harm =
            pending.is_some_and(|question| question.makes_sure() || question.asks_of_a_need());
        if self.state.turns == 1 && (!is_plain || reading.word_count > ONLY_GOODBYE) {
            return false;
        }
        match reading.leave {
            Some(Leave::Plain) => true,
            // "Is someone frightening you?" - "I mean he looked in my phone. That's it.": the answer ends there, not the call.
            Some(Leave::Half) => !answers && (!asks_of_harm || reading.word_count <= ONLY_GOODBYE),
            None => false,
        }
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

    fn brings_something_new(&self, reading: &Reading) -> bool {
        reading.signals.iter().any(|s| {
            !s.denied
                && s.confidence >= SURE
                && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
                && !s.remote
        })
    }

    /// A "why" or a "say that again" gets its answer and the question once more: it was not
    /// declined.
    fn wants_question_again(&mut self, reading: &Reading, question: Question) -> bool {
        const AGAIN: u32 = 2;
        let answered = match question {
            Question::Name => reading.name.is_some() || self.state.refused.contains(&Refused::Name),
            Question::Address => {
                reading.place.is_some() || self.state.refused.contains(&Refused::Location)
            }
            Question::Age => reading.age.is_some() || self.state.refused.contains(&Refused::Age),
            Question::IncidentTime => reading.incident.is_some(),
            Question::SafeContact => !reading.answer.say_again && !reading.answer.asks_why,
            Question::CallBack => {
                reading.call_back.is_some() || self.state.refused.contains(&Refused::CallBack)
            }
            Question::Consent => reading.answer.yes.is_some() && !reading.answer.asks_why,
            _ => reading.answer.yes.is_some(),
        };
        let counts = !matches!(
            question,
            Question::Open | Question::MoreSupport | Question::SafeNow | Question::SafeToTalk
        );
        if answered || !counts || self.state.times_put(question) >= AGAIN {
            return false;
        }
        if reading.answer.say_again {
            self.ask(question);
            return true;
        }
        if says_next_to_nothing(reading, question) || self.may_be_overheard(reading, question) {
            self.moves.push(Move::YesNoIsEnough);
            self.ask(question);
            return true;
        }
        if reading.answer.asks_why && reading.asserts(Signal::ViolenceNow, WORTH_ASKING).is_none() {
            let personal = matches!(
                question,
                Question::Name
                    | Question::Address
                    | Question::Age
                    | Question::IncidentTime
                    | Question::SafeContact
                    | Question::CallBack
                    | Question::CallBackRight
            );
            let fallback = match question {
                Question::Consent => "consent",
                _ if personal => "why-personal-details",
                _ => "why-i-ask",
            };
            let entry = self
                .look_up(&reading.words)
                .unwrap_or_else(|| fallback.to_owned());
            self.moves.push(Move::LookUp(entry.clone()));
            self.moves.push(Move::Inform(entry));
            self.ask(question);
            return true;
        }
        false
    }

    /// The name of the knowledge entry that answers: the helpline's, or one of the program's where nothing of danger was heard.
    pub(crate) fn look_up(&self, question: &Secret<String>) -> Option<String> {
        let ours = self.knowledge.look_up_for_caller(question);
        ours.map(|entry| entry.id.clone()).or_else(|| {
            // In danger a caller is told what the helpline knows, and nothing else.
            let found = (!self.state.may_be_in_danger()).then(|| self.program.look_up(question));
            found.flatten().map(str::to_owned)
        })
    }
}

/// A word or two that are neither a yes nor a no, nor a piece of the story: likely misheard.
fn says_next_to_nothing(reading: &Reading, question: Question) -> bool {
    const NEXT_TO_NOTHING: usize = 3;
    let answer = &reading.answer;
    (question.asks_of_a_need() || question == Question::BySpouse)
        && (1..=NEXT_TO_NOTHING).contains(&reading.word_count)
        && reading.signals.is_empty()
        && reading.person.is_none()
        && reading.topic.is_none()
        && !(answer.unsure
            || answer.refuses
            || answer.means_otherwise
            || answer.names_a_blow
            || answer.has_a_place)
        && !reading.by_a_small_child_or_animal
}
